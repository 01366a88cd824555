/*
 * A second thread that takes the turns of one engine ahead of time, while the
 * caller runs another.  The two share nothing but the problem, which neither
 * changes.
 */
#ifndef HW_SOLVERS_EXACT_PAIR_H
#define HW_SOLVERS_EXACT_PAIR_H

#include "solvers/exact_engine.h"

typedef struct exact_pair exact_pair;

/* NULL: no thread or no memory; the engines can take turns instead. */
exact_pair *exact_pair_new(void);
void exact_pair_free(exact_pair *p); /* stops it; NULL is allowed */

/*
 * Begin to take turns of e, exact_engine_run(e, budget, unit, ...) again and
 * again until one decides.  e belongs to the thread until exact_pair_stop().
 */
void exact_pair_begin(exact_pair *p, exact_engine *e, uint64_t budget, uint64_t unit);
bool exact_pair_runs(const exact_pair *p); /* begun and not stopped; NULL: false */

/*
 * The outcome of the next `turns` turns together, waiting for them, and the
 * progress after the last; their states are counted in `meter`, whose stop flag
 * and clock end the waiting with EXACT_OVER.
 */
exact_outcome exact_pair_take(exact_pair *p, uint64_t turns, hw_meter *meter, int *progress);

/* Has some turn, taken or not, ended with EXACT_NONE? */
bool exact_pair_has_proof(exact_pair *p);

/* End it within a moment.  How far e has come depends on the moment. */
void exact_pair_stop(exact_pair *p);

#endif
