/* Orders under symmetry.  See exact_symmetry.h. */
#include "solvers/exact_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

typedef struct sorting {
    const exact_symmetry *s;
    uint32_t n;
    uint32_t *order, *position;
    uint32_t *image, *back; /* of the map at hand; elsewhere every node itself */
} sorting;

static size_t end_of(const exact_symmetry *s, size_t map)
{
    return map + 1 < s->n_maps ? s->map[map + 1].first : s->n_pairs;
}

/* The whole order taken along the map: v runs where its image ran. */
static void take_along(sorting *x)
{
    for (uint32_t i = 0; i < x->n; i++)
        x->order[i] = x->back[x->order[i]];
}

/* Exchange the two chains wherever the second is ahead. */
static void exchange(sorting *x)
{
    int64_t ahead = 0; /* of the nodes that are larger than their images */
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t v = x->order[i], w = x->image[v];
        int64_t before = ahead;
        ahead += v > w;
        ahead -= v < w;
        if (before > 0 || ahead > 0)
            x->order[i] = w;
    }
}

/* Use one map; true: the order has changed. */
static bool use(sorting *x, size_t map)
{
    const exact_symmetry *s = x->s;
    bool wrong = false, chain = s->map[map].chain;
    size_t begin = s->map[map].first, end = end_of(s, map);
    for (size_t k = begin; k < end; k++) {
        hw_control_edge pair = s->pair[k];
        if (pair.from < pair.to && (chain || k == begin))
            wrong = wrong || x->position[pair.to] < x->position[pair.from];
    }
    if (!wrong)
        return false;
    for (size_t k = begin; k < end; k++) {
        x->image[s->pair[k].from] = s->pair[k].to;
        x->back[s->pair[k].to] = s->pair[k].from;
    }
    if (chain)
        exchange(x);
    else
        take_along(x);
    for (size_t k = begin; k < end; k++) {
        x->image[s->pair[k].from] = s->pair[k].from;
        x->back[s->pair[k].to] = s->pair[k].to;
    }
    hw_order_positions(x->order, x->n, x->position);
    return true;
}

hw_code exact_symmetry_sort(const exact_symmetry *s, const uint32_t *order, uint32_t *sorted,
                            hw_error *err)
{
    uint32_t n = s->graph.n_nodes;
    sorting x = {.s = s, .n = n, .order = sorted};
    x.position = HW_NEW(uint32_t, n);
    x.image = HW_NEW(uint32_t, n);
    x.back = HW_NEW(uint32_t, n);
    bool good = x.position && x.image && x.back;
    if (good) {
        memcpy(sorted, order, n * sizeof *sorted);
        hw_order_positions(sorted, n, x.position);
        for (uint32_t v = 0; v < n; v++)
            x.image[v] = x.back[v] = v;
        /* A map of a round is one of the graph with all edges of the rounds before. */
        for (size_t first = 0, end = 0; first < s->n_maps; first = end) {
            while (end < s->n_maps && s->map[end].round == s->map[first].round)
                end++;
            for (bool changed = true; changed;) {
                changed = false;
                for (size_t map = first; map < end; map++)
                    changed = use(&x, map) || changed;
            }
        }
    }
    free(x.position);
    free(x.image);
    free(x.back);
    return good ? HW_OK : hw_fail_memory(err, "an order");
}
