/*
 * The order that backtracking improves: its items by step, and where its peak
 * is, while pieces of it change.
 *
 * Items are those of the walk (beam_walk.h), steps count along it.  Usages are
 * the leaves of a tree of maxima, so the first step of the peak is at hand and
 * a changed piece costs its length.
 */
#ifndef HW_SOLVERS_BACKTRACK_ORDER_H
#define HW_SOLVERS_BACKTRACK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct backtrack_order {
    uint32_t n;
    size_t leaves;  /* a power of two, at least n            */
    uint32_t *item; /* by step                               */
    uint32_t *step; /* by item                               */
    uint64_t *most; /* tree of the usages; root at 1         */
} backtrack_order;

/* Room for n > 0 steps, all usages 0.  False: out of memory.  A cleared struct may be freed. */
bool backtrack_order_init(backtrack_order *o, uint32_t n);
void backtrack_order_free(backtrack_order *o);

/* Let items and usages stand at the steps from .. from + count.  O(count + log n). */
void backtrack_order_put(backtrack_order *o, uint32_t from, uint32_t count, const uint32_t *item,
                         const uint64_t *usage);

/* The greatest usage, and the first step that reaches it.  O(1), O(log n). */
static inline uint64_t backtrack_order_peak(const backtrack_order *o)
{
    return o->most[1];
}

uint32_t backtrack_order_peak_step(const backtrack_order *o);

static inline uint64_t backtrack_order_usage(const backtrack_order *o, uint32_t step)
{
    return o->most[o->leaves + step];
}

#endif
