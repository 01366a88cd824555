/*
 * R2 over any number of moves.
 *
 * The search has come from a prefix S down to T, every step within the budget,
 * and live(T) <= live(Y) for all prefixes Y between S and T (backwards: T
 * inside S).  Then an order from S exists exactly when one from T does: take
 * an order from S, and run (take off) what leads to T first; by submodularity
 * no step's usage rises (exact_valley.h has the argument, in-place reuse
 * included).  So when T turns out dead, all prefixes on the way from S are,
 * and their other moves need not be tried.
 */
#ifndef HW_SOLVERS_EXACT_COMMIT_H
#define HW_SOLVERS_EXACT_COMMIT_H

#include "model/flow.h"
#include "solvers/exact_walk.h"

typedef struct exact_commit {
    hw_flow flow;
    uint32_t *place;  /* vertex of a node, of a buffer; 0: none */
    uint32_t *listed; /* nodes and buffers that have one        */
    uint32_t n_listed;
} exact_commit;

hw_code exact_commit_init(exact_commit *c, const exact_problem *p, hw_error *err);
void exact_commit_free(exact_commit *c);

/*
 * Is the walk's prefix T a least-live one between itself and the prefix after
 * `count` of its moves?  One flow over the nodes in between.
 */
bool exact_commit_is_valley(exact_commit *c, const exact_walk *w, uint32_t count);

#endif
