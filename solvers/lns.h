/*
 * Large-neighbourhood search on orders: improve one in hand, for as long as the
 * meter lets.  The solver `lns`, and a part of others.
 */
#ifndef HW_SOLVERS_LNS_H
#define HW_SOLVERS_LNS_H

#include "solve/solver.h"

typedef struct lns_options {
    uint32_t window;       /* nodes of the widest stretch that is merged, at least 2      */
    uint32_t exact;        /* nodes of the largest window that is re-solved; 0: none      */
    uint32_t patience;     /* stop after so many rounds in a row without gain; 0: never   */
    bool starts;           /* go on from orders of fast rules, too                        */
    uint64_t bound;        /* stop at a peak not above it: no order is known to be better */
    uint64_t memory_bytes; /* of the sets of one window; 0: any                           */
} lns_options;

enum { LNS_WINDOW = 2000, LNS_EXACT = 256, LNS_PATIENCE = 40 }; /* what the solver `lns` takes */

/*
 * Improve a legal order of all nodes of m, n > 0, in place; *peak is its peak
 * before and after, and never rises.  Ends when the meter says so, the peak
 * meets a bound, or patience ends.  The order in the caller's array is whole at
 * any time.  Each better one, and a bound that follows on the way, is handed to
 * `answer` at once; that costs least where order is answer->order itself.
 *
 * The meter, of the run that `request` asks for, counts prefixes of the exact
 * search, and as much work elsewhere as takes about as long; under a limit of
 * them the result is a function of the graph, the order, the options and the
 * request's seed.  O(nodes + uses) at the start of a round; each attempt costs
 * what its stretch does.  HW_NO_MEMORY: order and peak are the best so far.
 */
hw_code lns_improve(const hw_model *m, const lns_options *options, const hw_request *request,
                    uint32_t *order, uint64_t *peak, hw_meter *meter, hw_answer *answer,
                    hw_error *err);

#endif
