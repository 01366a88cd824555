/* Maximum-weight bipartite matching of a few items (in-place choices). */
#ifndef HW_MODEL_MATCHING_H
#define HW_MODEL_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hw_weighted_pair {
    uint32_t left, right; /* any labels */
    uint64_t weight;
} hw_weighted_pair;

enum { HW_MATCHING_PAIRS = 16 }; /* up to so many, no memory is asked for */

/*
 * The greatest total weight of pairs of which no two share a left or a right
 * label; weights add up to less than 2^64 - 1.  Best alternating paths
 * (Edmonds and Karp, 1972): O(n) rounds of at most O(n^2).
 * UINT64_MAX: out of memory.
 */
uint64_t hw_matching(const hw_weighted_pair *pairs, size_t n);

/* The same, and which pairs these are: chosen[0 .. n).  Of equal totals always the same one. */
uint64_t hw_matching_choose(const hw_weighted_pair *pairs, size_t n, bool *chosen);

#endif
