/* Which nodes are set apart.  See lns_parts.h. */
#include "solvers/lns_parts.h"

#include <string.h>

enum { UP = 1, DOWN = 2 };

/*
 * From `seed` on along edges of the given ways, the next one to go on from
 * being drawn among those at the border: shapes differ from draw to draw.
 */
static void spread(const local_order *l, int ways, uint32_t low, uint32_t high, uint32_t seed,
                   uint32_t most, gsl_rng *rng, uint32_t *queue, uint8_t *side)
{
    const hw_graph *g = l->m->graph;
    uint32_t head = 0, tail = 0;
    queue[tail++] = seed;
    side[seed - low] = 0;
    while (head < tail && tail < most) {
        uint32_t pick = head + (uint32_t)hw_rng_below(rng, tail - head), at = queue[pick];
        queue[pick] = queue[head];
        queue[head++] = at;
        uint32_t v = l->order[at];
        for (int way = UP; way <= DOWN; way++) {
            const hw_rows *near = way == UP ? &g->preds : &g->succs;
            uint32_t end = ways & way ? near->offset[v + 1] : near->offset[v];
            for (uint32_t i = near->offset[v]; i < end && tail < most; i++) {
                uint32_t to = l->position[near->item[i]];
                if (to < low || to >= high || side[to - low] == 0)
                    continue;
                side[to - low] = 0;
                queue[tail++] = to;
            }
        }
    }
}

void lns_part_draw(const local_order *l, lns_rule rule, uint32_t low, uint32_t high, uint32_t seed,
                   uint32_t most, gsl_rng *rng, uint32_t *queue, uint8_t *side)
{
    uint32_t size = high - low;
    memset(side, 1, size);
    switch (rule) {
    case LNS_CONE:
        spread(l, UP, low, high, seed, most, rng, queue, side);
        spread(l, DOWN, low, high, seed, most, rng, queue, side);
        break;
    case LNS_ANCESTORS:
        spread(l, UP, low, high, seed, most, rng, queue, side);
        break;
    case LNS_DESCENDANTS:
        spread(l, DOWN, low, high, seed, most, rng, queue, side);
        break;
    case LNS_BLOCK:
        memset(side + (seed - low), 0, most < high - seed ? most : high - seed);
        break;
    case LNS_SCATTERED:
        for (uint32_t k = 0; k < most; k++)
            side[hw_rng_below(rng, size)] = 0;
        break;
    case LNS_NEIGHBOURS:
    case LNS_N_RULES:
        spread(l, UP | DOWN, low, high, seed, most, rng, queue, side);
        break;
    }
}

/*
 * The first node of the part that does not begin the stretch cannot move before
 * its predecessors; up to there the order stays as it is.  The same from the
 * end.
 */
bool lns_part_trim(const local_order *l, uint8_t *side, uint32_t *low, uint32_t *high)
{
    const hw_rows *preds = &l->m->graph->preds, *succs = &l->m->graph->succs;
    uint32_t size = *high - *low, first = 0, last = size;
    while (first < size && side[first] == side[0])
        first++;
    if (first == size)
        return false;
    while (side[last - 1] == side[size - 1])
        last--;
    uint32_t from = *low, to = *high, v = l->order[*low + first];
    for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
        if (l->position[preds->item[i]] >= from)
            from = l->position[preds->item[i]] + 1;
    v = l->order[*low + last - 1];
    for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
        if (l->position[succs->item[i]] < to)
            to = l->position[succs->item[i]];
    memmove(side, side + (from - *low), to - from);
    *low = from;
    *high = to;
    return memchr(side, 0, to - from) && memchr(side, 1, to - from);
}
