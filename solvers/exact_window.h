/*
 * A better order by re-solving windows of one in hand.
 *
 * A window is a piece between two prefixes of the order.  Its nodes may be
 * reordered freely: what the steps outside use depends on their prefixes
 * alone, and these stay as they are.  So a step that reaches the peak can be
 * mended only by a window that holds it, and the exact search decides whether
 * the window has an order below the peak.
 */
#ifndef HW_SOLVERS_EXACT_WINDOW_H
#define HW_SOLVERS_EXACT_WINDOW_H

#include "solvers/exact_search.h"

typedef struct exact_window_options {
    uint32_t least, most; /* nodes of the smallest and of the largest windows; 0: 16, all   */
    uint64_t states;      /* about how many prefixes one question may take; 0: any number   */
    uint64_t bound;       /* stop at a peak not above it: no order is known to be better    */
    exact_options search; /* rules, directions, beam and memory of the search in one window */
} exact_window_options;

/*
 * Improve a legal order of all nodes in place.  *peak is its peak before and
 * after.  Stops when no window tried around the first step that reaches the
 * peak lowers it, at the bound, or when the meter says so; the order is whole
 * at any time.  The meter counts prefixes; under a limit of states the result
 * is deterministic.  With windows of positions (MODEL.md, section 4) the
 * search keeps to them, since a window keeps the positions that it takes.
 *
 * A window too large for the memory of `search` is skipped.  HW_NO_MEMORY: the
 * order in hand is still legal and *peak its peak.  A window of n nodes costs
 * O((nodes + edges of the graph) + (n + edges in it) n / 64) and its search.
 */
hw_code exact_window_improve(const hw_model *m, const exact_window_options *options,
                             uint32_t *order, uint64_t *peak, hw_meter *meter, hw_error *err);

#endif
