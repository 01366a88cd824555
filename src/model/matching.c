/*
 * Maximum-weight bipartite matching of a few items.  See matching.h.
 *
 * Each round finds, by relaxing all pairs (Bellman 1958, Ford 1956), the
 * alternating path of greatest gain from a free left item to a free right
 * item.  After k rounds the matching has the greatest weight of all with k
 * pairs, so no alternating cycle gains; gains of successive rounds never rise,
 * so the first round without a positive gain ends it.
 */
#include "model/matching.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/memory.h"

__extension__ typedef __int128 gain_t; /* sums of 64-bit weights, signed */

typedef struct item {
    uint32_t label;
    uint32_t match; /* pair that covers it, or NO_PAIR    */
    uint32_t reach; /* right: pair by which it is reached */
    bool reached;
    gain_t gain; /* of the best path that ends here */
} item;

#define NO_PAIR UINT32_MAX

typedef struct dense_pair {
    uint32_t left, right; /* item numbers */
} dense_pair;

static uint32_t item_of(item *items, uint32_t *count, uint32_t label)
{
    for (uint32_t i = 0; i < *count; i++)
        if (items[i].label == label)
            return i;
    items[*count] = (item){.label = label, .match = NO_PAIR, .reach = NO_PAIR};
    return (*count)++;
}

/* Relax all pairs until nothing changes. */
static void find_paths(const hw_weighted_pair *pairs, const dense_pair *dense, size_t n, item *left,
                       uint32_t n_left, item *right, uint32_t n_right)
{
    for (uint32_t i = 0; i < n_left; i++) {
        left[i].reached = left[i].match == NO_PAIR;
        left[i].gain = 0;
    }
    for (uint32_t i = 0; i < n_right; i++)
        right[i].reached = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t p = 0; p < n; p++) {
            item *from = &left[dense[p].left], *to = &right[dense[p].right];
            if (!from->reached || from->match == p)
                continue;
            gain_t gain = from->gain + (gain_t)pairs[p].weight;
            if (to->reached && gain <= to->gain)
                continue;
            to->reached = true;
            to->gain = gain;
            to->reach = p;
            changed = true;
            if (to->match != NO_PAIR) {
                item *freed = &left[dense[to->match].left];
                freed->reached = true;
                freed->gain = gain - (gain_t)pairs[to->match].weight;
            }
        }
    }
}

/* chosen: NULL where only the total is asked for. */
static uint64_t match(const hw_weighted_pair *pairs, size_t n, dense_pair *dense, item *left,
                      item *right, bool *chosen)
{
    uint32_t n_left = 0, n_right = 0;
    for (size_t p = 0; p < n; p++)
        dense[p] = (dense_pair){item_of(left, &n_left, pairs[p].left),
                                item_of(right, &n_right, pairs[p].right)};
    gain_t total = 0;
    for (;;) {
        find_paths(pairs, dense, n, left, n_left, right, n_right);
        uint32_t best = NO_PAIR;
        for (uint32_t i = 0; i < n_right; i++)
            if (right[i].reached && right[i].match == NO_PAIR && right[i].gain > 0 &&
                (best == NO_PAIR || right[i].gain > right[best].gain))
                best = i;
        if (best == NO_PAIR)
            break;
        total += right[best].gain;
        for (uint32_t r = best; r != NO_PAIR;) { /* flip the path back to its free start */
            uint32_t p = right[r].reach, l = dense[p].left, old = left[l].match;
            right[r].match = p;
            left[l].match = p;
            r = old == NO_PAIR ? NO_PAIR : dense[old].right;
        }
    }
    for (uint32_t i = 0; chosen && i < n_right; i++)
        if (right[i].match != NO_PAIR)
            chosen[right[i].match] = true;
    return (uint64_t)total;
}

static uint64_t matching(const hw_weighted_pair *pairs, size_t n, bool *chosen)
{
    if (n <= HW_MATCHING_PAIRS) {
        dense_pair dense[HW_MATCHING_PAIRS];
        item left[HW_MATCHING_PAIRS], right[HW_MATCHING_PAIRS];
        return match(pairs, n, dense, left, right, chosen);
    }
    dense_pair *dense = HW_NEW(dense_pair, n);
    item *items = n <= UINT32_MAX / 2 ? HW_NEW(item, 2 * n) : NULL;
    uint64_t total = UINT64_MAX;
    if (dense && items)
        total = match(pairs, n, dense, items, items + n, chosen);
    free(dense);
    free(items);
    return total;
}

uint64_t hw_matching(const hw_weighted_pair *pairs, size_t n)
{
    if (n == 0)
        return 0;
    if (n == 1)
        return pairs[0].weight;
    return matching(pairs, n, NULL);
}

uint64_t hw_matching_choose(const hw_weighted_pair *pairs, size_t n, bool *chosen)
{
    for (size_t p = 0; p < n; p++)
        chosen[p] = false;
    return matching(pairs, n, chosen);
}
