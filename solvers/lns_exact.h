/*
 * Windows of an order in hand, re-solved by the exact search around the first
 * step that reaches the peak.
 *
 * The same as exact_window.h does for a whole order, at a cost that does not
 * depend on the length of the order: see local_order.h.
 */
#ifndef HW_SOLVERS_LNS_EXACT_H
#define HW_SOLVERS_LNS_EXACT_H

#include "solvers/exact_search.h"
#include "solvers/local_order.h"

/* Work space, the caller's from open to close. */
typedef struct lns_exact {
    local_order *l;
    exact_map map;
    exact_options search;
    uint32_t most;     /* nodes of the largest window */
    uint32_t *scratch; /* most node numbers           */
} lns_exact;

/*
 * For an order that is kept by l, windows of up to `most` nodes, whose sets may
 * take memory_bytes (0: any).  HW_NO_MEMORY; may be closed then.  O(nodes).
 */
hw_code lns_exact_open(lns_exact *x, local_order *l, uint32_t most, uint64_t memory_bytes,
                       hw_error *err);
void lns_exact_close(lns_exact *x);

/* What came of it. */
typedef struct lns_exact_result {
    bool better;        /* the peak is lower, or fewer steps reach it */
    bool proven;        /* no order of all nodes has a smaller peak   */
    uint32_t low, high; /* better: positions outside are as before    */
} lns_exact_result;

/*
 * Lower the usage of the first step that reaches the peak of the order by one
 * window around it: windows of 16 nodes first, then of twice as many and so on,
 * about `prefixes` at most in one of them.  The meter counts prefixes.
 * HW_NO_MEMORY: the order is as good as before.
 */
hw_code lns_exact_improve(lns_exact *x, uint64_t prefixes, hw_meter *meter,
                          lns_exact_result *result, hw_error *err);

#endif
