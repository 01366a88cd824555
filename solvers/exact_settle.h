/*
 * One call of the exact solver, and settling the piece of its plan that has
 * the highest peak: by components apart (exact_profile.h), or by a search
 * (exact_search.h) of the piece, contracted (exact_contract.h).
 */
#ifndef HW_SOLVERS_EXACT_SETTLE_H
#define HW_SOLVERS_EXACT_SETTLE_H

#include "solvers/exact_plan.h"
#include "solvers/exact_search.h"

typedef struct exact_run {
    const hw_model *m;
    const hw_request *request;
    exact_options options;
    hw_meter meter;
    hw_answer *answer;
    exact_plan plan;
    bool components;    /* solve them apart           */
    uint32_t *scratch;  /* n entries                  */
    bool cut_bound;     /* the min-cut bound is in it */
    bool windows;       /* re-solve windows when a search proves long    */
    uint32_t n_windows; /* how often that was done                      */
    bool contract;      /* contract pieces before they are searched */
} exact_run;

/* The plan's bound, into the answer. */
void exact_run_bound(const exact_run *r);

/* The plan's order has changed: is it a better answer?  O(n + uses). */
hw_code exact_run_take(exact_run *r, hw_error *err);

/* The question "within the budget?" is answered: by an order; by the bound. */
bool exact_run_met(const exact_run *r);
bool exact_run_missed(const exact_run *r);

/*
 * Raise the bound of piece `index`, or lower its peak, until it is settled, no
 * longer the highest, or to be looked at again: it has fallen into parts, or a
 * limit of one attempt was met.  The piece is refined (exact_plan_refine()) as
 * far as it can be.  *stop becomes true where the whole call is to end.
 * Exponential in the worst case.  HW_NO_MEMORY.
 */
hw_code exact_settle(exact_run *r, uint32_t index, bool *stop, hw_error *err);

#endif
