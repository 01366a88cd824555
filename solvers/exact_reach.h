/*
 * The first wrong turn: up to which step of an order is a budget, say the
 * optimum, still within reach?
 *
 * A prefix of the order is *reachable* when its own steps keep to the budget
 * and some legal completion of it does.  This falls only once along the order:
 * where the prefix of i + 1 nodes has a completion, that of i nodes has one
 * too, namely the step i and then that completion.  So the last reachable
 * prefix is found by halving, and the step after it is the first wrong turn:
 * whatever comes later, the budget is lost.
 */
#ifndef HW_SOLVERS_EXACT_REACH_H
#define HW_SOLVERS_EXACT_REACH_H

#include "solvers/exact_search.h"

/* Exact when lost == kept + 1; else a limit came first and the truth lies between. */
typedef struct exact_reach {
    uint32_t kept; /* nodes of the longest prefix known to be reachable                    */
    uint32_t lost; /* nodes of the shortest known not to be; n + 1: the order keeps to it  */
} exact_reach;

/*
 * Both orders are legal orders of all nodes.  `witness` keeps to the budget
 * (the order of an optimum), else HW_USAGE.  order[out->kept] is the first
 * wrong turn where the answer is exact and out->lost <= n.  The meter counts
 * prefixes; when it says stop, or a piece is too large for the memory of
 * `options`, the answer is an interval, and *limited tells.  HW_NO_MEMORY.
 *
 * At most log2(nodes) exact decisions, each on nodes of one block between two
 * cut nodes (exact_blocks.h).
 */
hw_code exact_reach_find(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                         uint64_t budget, const exact_options *options, hw_meter *meter,
                         exact_reach *out, bool *limited, hw_error *err);

#endif
