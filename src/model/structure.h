/*
 * What makes a graph easy or hard: depth, width, down-sets, orders.
 *
 * All figures are of the precedence edges alone (data, control, locks,
 * must-in-place); windows, which forbid some of the down-sets and orders, are
 * left out of account.
 */
#ifndef HW_MODEL_STRUCTURE_H
#define HW_MODEL_STRUCTURE_H

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where counting gives up; 0: at once. */
typedef struct hw_structure_limits {
    uint32_t width_nodes; /* no width for graphs of more nodes        */
    uint64_t down_sets;   /* no more down-sets are counted than these */
} hw_structure_limits;

/* Limits that keep the answer within about a second. */
#define HW_STRUCTURE_LIMITS ((hw_structure_limits){4000, 1000000})

/* The figures of a graph. */
typedef struct hw_structure {
    uint32_t sources, sinks; /* nodes without predecessor, without successor */
    uint32_t depth;          /* nodes on a longest path                      */

    bool has_width; /* false: too many nodes      */
    uint32_t width; /* nodes of a largest antichain */

    bool has_down_sets; /* false: more than `down_sets`, where counting ended */
    uint64_t down_sets; /* with the empty set and the set of all nodes        */

    bool has_orders;                  /* false: unknown, or 2^128 and more */
    uint64_t orders_high, orders_low; /* their number, as two words        */
} hw_structure;

/*
 * Depth and ends in O(n + edges).  Width (Dilworth 1950: n minus a maximum
 * matching of the reachability relation, found by Hopcroft and Karp 1973 on
 * bit sets) in O(n^2.5 / 64) words and n^2 / 8 bytes.  Down-sets and orders
 * level by level in O(down-sets x ready nodes), with two levels in memory; for
 * graphs of more than 1,000 nodes the limit falls, to keep to 256 MiB.
 * HW_NO_MEMORY.
 */
hw_code hw_structure_find(const hw_graph *g, hw_structure_limits limits, hw_structure *out,
                          hw_error *err);

enum { HW_COUNT_TEXT = 40 }; /* 2^128 - 1 has 39 digits */

/* A number of two words in decimal digits; returns text. */
const char *hw_count_text(uint64_t high, uint64_t low, char text[HW_COUNT_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
