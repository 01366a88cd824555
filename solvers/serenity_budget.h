/*
 * Adaptive soft budgeting: down-set searches under budgets of the solver's own.
 *
 * A search drops every path above its budget; the lower the budget, the fewer
 * down-sets, but below the optimum it finds nothing.  So budgets are tried in
 * rounds, each with a limit on the down-sets of one size, the "step": a round
 * ends with the optimum, with the proof that it lies above the budget, or at
 * the limit.  serenity.c tells whence this comes and what differs.
 */
#ifndef HW_SOLVERS_SERENITY_BUDGET_H
#define HW_SOLVERS_SERENITY_BUDGET_H

#include "solvers/dp_search.h"

typedef struct serenity_rounds {
    /* Set by the caller. */
    uint64_t low;        /* a peak below is not possible, or of no interest; grows      */
    uint64_t high;       /* the hard budget: a peak above is of no interest; falls      */
    uint64_t enough;     /* stop at an order of at most this peak; 0: at the best       */
    size_t step;         /* most down-sets of one size in the first round; grows        */
    uint32_t beam;       /* width of the first beam that lowers the hard budget; 0: none */
    uint64_t most_bytes; /* of one search; 0: any                                       */

    /* Set by the search. */
    bool found;   /* order[] holds an order of peak `peak`, at most the high given */
    bool settled; /* and, proven, no order is better that is of interest           */
    uint64_t peak;
} serenity_rounds;

/*
 * Look for an order of m with the least peak of those in low .. high.  The
 * meter's limits may end it with or without an order.  HW_NO_MEMORY.
 */
hw_code serenity_search(const hw_model *m, serenity_rounds *rounds, uint32_t *order,
                        hw_meter *meter, hw_error *err);

#endif
