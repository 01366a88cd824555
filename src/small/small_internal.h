/* One step in the model of small.h. */
#ifndef HW_SMALL_SMALL_INTERNAL_H
#define HW_SMALL_SMALL_INTERNAL_H

#include "small/small.h"

typedef struct hw_small_step {
    uint64_t change; /* of what is live, wrapped */
    uint64_t usage;
} hw_small_step;

/* The graph with edges from twins to twins. */
typedef struct hw_small_ties {
    uint16_t parents[HW_SMALL_MOST], readers[HW_SMALL_MOST];
} hw_small_ties;

/* What has to be reached, with what is live there: all nodes but some that then run last. */
typedef struct hw_small_goal {
    uint16_t set;
    uint64_t live;
} hw_small_goal;

/* No order has a smaller peak.  O(n + ancestors). */
uint64_t hw_small_bound(const hw_small *s);

/* O(n * twins). */
void hw_small_tie_twins(const hw_small *s, hw_small_ties *ties);

/* Take off the goal the nodes that may run last under a threshold.  O(n * nodes taken). */
void hw_small_trim(const hw_small *s, const hw_small_ties *ties, uint64_t threshold,
                   hw_small_goal *goal);

static inline uint32_t hw_small_low(uint32_t nodes)
{
    return (uint32_t)__builtin_ctz(nodes);
}

/* Run v, whose parents are in the prefix `set`.  O(held parents). */
static inline hw_small_step hw_small_try(const hw_small *s, uint32_t set, uint64_t live, uint32_t v)
{
    uint64_t freed = 0;
    uint32_t last = 0, others = ~(set | UINT32_C(1) << v);
    for (uint32_t held = s->held[v]; held; held &= held - 1) {
        uint32_t u = hw_small_low(held), dies = (s->readers[u] & others) == 0;
        freed += s->size[u] & -(uint64_t)dies;
        last |= dies << u;
    }
    hw_small_step step = {.change = s->change[v] - freed};
    step.usage = live + s->extra[v];
    if (s->free_first)
        step.usage += step.change;
    else if (last & s->overlay[v])
        step.usage -= s->saving[v];
    return step;
}

/*
 * The nodes that may run next once v, one of `ready`, has run and `set` holds
 * it.  O(readers of v).
 */
static inline uint32_t hw_small_ready(const uint16_t *parents, const uint16_t *readers,
                                      uint32_t set, uint32_t ready, uint32_t v)
{
    ready &= ~(UINT32_C(1) << v);
    for (uint32_t left = readers[v]; left; left &= left - 1) {
        uint32_t u = hw_small_low(left);
        ready |= (uint32_t)((parents[u] & ~set) == 0) << u;
    }
    return ready;
}

#endif
