/* Maximum flow.  See flow.h. */
#include "model/flow.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/graph.h"

bool hw_flow_init(hw_flow *f, size_t vertices, size_t arcs)
{
    memset(f, 0, sizeof *f);
    f->most_steps = UINT64_MAX;
    vertices += 2;
    if (vertices >= HW_NONE || arcs >= HW_NONE / 2)
        return false;
    f->head = HW_NEW(uint32_t, vertices);
    f->current = HW_NEW(uint32_t, vertices);
    f->level = HW_NEW(uint32_t, vertices);
    f->queue = HW_NEW(uint32_t, vertices);
    f->to = HW_NEW(uint32_t, 2 * arcs);
    f->next = HW_NEW(uint32_t, 2 * arcs);
    f->room = HW_NEW(uint64_t, 2 * arcs);
    if (!f->head || !f->current || !f->level || !f->queue || !f->to || !f->next || !f->room) {
        hw_flow_free(f);
        return false;
    }
    hw_flow_clear(f);
    return true;
}

void hw_flow_free(hw_flow *f)
{
    free(f->head);
    free(f->current);
    free(f->level);
    free(f->queue);
    free(f->to);
    free(f->next);
    free(f->room);
    memset(f, 0, sizeof *f);
}

void hw_flow_clear(hw_flow *f)
{
    f->n_vertices = f->n_arcs = 0;
    (void)hw_flow_vertex(f);
    (void)hw_flow_vertex(f);
}

uint32_t hw_flow_vertex(hw_flow *f)
{
    f->head[f->n_vertices] = HW_NONE;
    return f->n_vertices++;
}

void hw_flow_arc(hw_flow *f, uint32_t from, uint32_t to, uint64_t room)
{
    uint32_t a = f->n_arcs;
    f->to[a] = to;
    f->room[a] = room;
    f->next[a] = f->head[from];
    f->head[from] = a;
    f->to[a + 1] = from;
    f->room[a + 1] = 0;
    f->next[a + 1] = f->head[to];
    f->head[to] = a + 1;
    f->n_arcs += 2;
}

/* Levels from the source in the residual network; is the sink reached? */
static bool find_levels(hw_flow *f)
{
    uint32_t begin = 0, end = 0;
    memset(f->level, 0xff, f->n_vertices * sizeof *f->level);
    f->level[0] = 0;
    f->queue[end++] = 0;
    while (begin < end) {
        uint32_t x = f->queue[begin++];
        for (uint32_t a = f->head[x]; a != HW_NONE; a = f->next[a]) {
            f->steps++;
            if (f->room[a] == 0 || f->level[f->to[a]] != HW_NONE)
                continue;
            f->level[f->to[a]] = f->level[x] + 1;
            f->queue[end++] = f->to[a];
        }
    }
    return f->level[1] != HW_NONE;
}

/* Saturate the paths of the levels; the queue holds the arcs of one path. */
static uint64_t push_paths(hw_flow *f)
{
    uint64_t total = 0;
    uint32_t depth = 0, x = 0;
    memcpy(f->current, f->head, f->n_vertices * sizeof *f->current);
    for (; !hw_flow_over(f); f->steps++) {
        if (x == 1) {
            uint64_t flow = UINT64_MAX;
            uint32_t cut = 0;
            for (uint32_t i = 0; i < depth; i++)
                if (f->room[f->queue[i]] < flow) {
                    flow = f->room[f->queue[i]];
                    cut = i;
                }
            for (uint32_t i = 0; i < depth; i++) {
                f->room[f->queue[i]] -= flow;
                f->room[f->queue[i] ^ 1] += flow;
            }
            total += flow;
            f->steps += depth;
            depth = cut; /* go on from where the path broke */
            x = f->to[f->queue[cut] ^ 1];
            continue;
        }
        uint32_t a = f->current[x];
        while (a != HW_NONE && (f->room[a] == 0 || f->level[f->to[a]] != f->level[x] + 1))
            a = f->next[a];
        f->current[x] = a;
        if (a != HW_NONE) {
            f->queue[depth++] = a;
            x = f->to[a];
        } else if (depth == 0) {
            return total;
        } else {
            x = f->to[f->queue[--depth] ^ 1];
            f->current[x] = f->next[f->current[x]];
        }
    }
    return total;
}

uint64_t hw_flow_max(hw_flow *f)
{
    uint64_t total = 0;
    while (!hw_flow_over(f) && find_levels(f))
        total += push_paths(f);
    return total;
}
