/* Valley splits.  See exact_valley.h. */
#include "solvers/exact_valley.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/flow.h"

/* Steps of the flow between two looks at the clock. */
enum { LEAST_SLICE = 4 << 20, SLICE_PER_ARC = 8 };

/* Vertices: source, sink, then the nodes, then the buffers. */
enum { FIRST = 2 };

/*
 * A closure problem (Picard 1976): the prefix A + T costs what the nodes of T
 * leave behind and gives back the buffers whose users it holds.
 */
static void lay_network(hw_flow *f, const exact_problem *p)
{
    hw_flow_clear(f);
    for (uint32_t i = 0; i < p->n + p->n_buffers; i++)
        (void)hw_flow_vertex(f);
    for (uint32_t v = 0; v < p->n; v++) {
        hw_flow_arc(f, FIRST + v, 1, p->new_bytes[v] - p->dead_bytes[v]);
        for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
            hw_flow_arc(f, FIRST + v, FIRST + p->preds.item[k], UINT64_MAX);
    }
    for (uint32_t b = 0; b < p->n_buffers; b++) {
        hw_flow_arc(f, 0, FIRST + p->n + b, p->size[b]);
        for (uint32_t k = p->users.offset[b]; k < p->users.offset[b + 1]; k++)
            hw_flow_arc(f, FIRST + p->n + b, FIRST + p->users.item[k], UINT64_MAX);
    }
}

enum { MIDDLE = 0, LOW, HIGH }; /* in some least-live prefixes, in all, in none */

/*
 * Mark what the source reaches (along arcs with room), or what reaches the
 * sink (against them: arc a ^ 1 has room).
 */
static void mark(const hw_flow *f, uint32_t from, uint8_t *side, uint8_t as, uint32_t *stack)
{
    uint32_t waiting = 0;
    side[from] = as;
    stack[waiting++] = from;
    while (waiting) {
        uint32_t x = stack[--waiting];
        for (uint32_t a = f->head[x]; a != HW_NONE; a = f->next[a]) {
            uint32_t y = f->to[a];
            if (side[y] != MIDDLE || f->room[as == LOW ? a : a ^ 1] == 0)
                continue;
            side[y] = as;
            stack[waiting++] = y;
        }
    }
}

/* Work space of the search for strong components. */
typedef struct tarjan {
    const hw_flow *f;
    const uint8_t *side;
    uint32_t *index, *low, *arc; /* of a vertex; index 0: not seen */
    uint32_t *path, *open;       /* stacks of vertices              */
    uint32_t n_open, count;
} tarjan;

static void enter(tarjan *t, uint32_t x)
{
    t->index[x] = t->low[x] = ++t->count;
    t->arc[x] = t->f->head[x];
    t->open[t->n_open++] = x;
}

/* Close the component whose first vertex is x: its nodes form a part. */
static void close_component(tarjan *t, uint32_t x, uint32_t n, uint32_t *part, uint32_t *n_parts)
{
    bool any = false;
    for (uint32_t y = HW_NONE; y != x;) {
        y = t->open[--t->n_open];
        t->low[y] = HW_NONE; /* closed */
        if (y >= FIRST && y < FIRST + n) {
            part[y - FIRST] = *n_parts;
            any = true;
        }
    }
    *n_parts += any;
}

/*
 * Strong components of the vertices in the middle (Tarjan 1972).  They come
 * out sinks first, so that every set of the first ones is closed: a minimum
 * cut, together with what the source reaches.
 */
static void split_middle(tarjan *t, uint32_t root, uint32_t n, uint32_t *part, uint32_t *n_parts)
{
    uint32_t depth = 0;
    t->path[depth++] = root;
    enter(t, root);
    while (depth) {
        uint32_t x = t->path[depth - 1], a = t->arc[x];
        if (a == HW_NONE) {
            depth--;
            if (t->low[x] == t->index[x])
                close_component(t, x, n, part, n_parts);
            else if (t->low[x] < t->low[t->path[depth - 1]])
                t->low[t->path[depth - 1]] = t->low[x];
            continue;
        }
        t->arc[x] = t->f->next[a];
        uint32_t y = t->f->to[a];
        if (t->f->room[a] == 0 || t->side[y] != MIDDLE)
            continue;
        if (t->index[y] == 0) {
            t->path[depth++] = y;
            enter(t, y);
        } else if (t->low[y] != HW_NONE && t->index[y] < t->low[x]) {
            t->low[x] = t->index[y];
        }
    }
}

static void lay_parts(const exact_problem *p, tarjan *t, uint8_t *side, uint32_t *part,
                      uint32_t *n_parts)
{
    uint32_t n = p->n, low = 0;
    mark(t->f, 0, side, LOW, t->path);
    mark(t->f, 1, side, HIGH, t->path);
    for (uint32_t v = 0; v < n; v++)
        if (side[FIRST + v] == LOW) {
            part[v] = 0;
            low = 1;
        }
    *n_parts = low;
    for (uint32_t x = FIRST; x < t->f->n_vertices; x++)
        if (side[x] == MIDDLE && t->index[x] == 0)
            split_middle(t, x, n, part, n_parts);
    bool high = false;
    for (uint32_t v = 0; v < n; v++)
        if (side[FIRST + v] == HIGH) {
            part[v] = *n_parts;
            high = true;
        }
    *n_parts += high;
}

/*
 * The flow goes on where it was interrupted; a slice is several times what it
 * takes to find the levels again.  False: the meter has ended it.
 */
static bool find_flow(hw_flow *f, const hw_meter *meter)
{
    do {
        f->most_steps = f->steps + LEAST_SLICE + SLICE_PER_ARC * (uint64_t)f->n_arcs;
        (void)hw_flow_max(f);
    } while (hw_flow_over(f) && !(meter && hw_meter_past(meter)));
    return !hw_flow_over(f);
}

hw_code exact_valley_parts(const exact_problem *p, uint32_t *part, uint32_t *n_parts, hw_error *err)
{
    size_t n = (size_t)p->n + p->n_buffers;
    hw_flow f;
    if (!hw_flow_init(&f, n, n + p->preds.offset[p->n] + p->uses.offset[p->n]))
        return hw_fail_memory(err, "the valleys of a piece");
    uint8_t *side = HW_NEW0(uint8_t, n + FIRST);
    uint32_t *space = HW_NEW0(uint32_t, 5 * (n + FIRST));
    hw_code code = side && space ? HW_OK : hw_fail_memory(err, "the valleys of a piece");
    if (code == HW_OK) {
        tarjan t = {.f = &f, .side = side, .index = space};
        t.low = t.index + n + FIRST;
        t.arc = t.low + n + FIRST;
        t.path = t.arc + n + FIRST;
        t.open = t.path + n + FIRST;
        lay_network(&f, p);
        if (find_flow(&f, p->meter)) {
            lay_parts(p, &t, side, part, n_parts);
        } else {
            memset(part, 0, p->n * sizeof *part);
            *n_parts = 1;
        }
    }
    free(side);
    free(space);
    hw_flow_free(&f);
    return code;
}
