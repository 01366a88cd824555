/* Lower bounds from single nodes.  See mincut.h. */
#include "model/mincut.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/flow.h"
#include "model/sim.h"

enum { FREE = 0, BEFORE, AFTER }; /* BEFORE is in every T, AFTER in none */

struct hw_mincut {
    const hw_model *m;
    uint8_t *side;   /* of every node                          */
    uint32_t *stack; /* nodes                                  */
    uint32_t *place; /* of a free node in the network          */
    hw_flow flow;    /* over free nodes and buffers            */
};

void hw_mincut_free(hw_mincut *c)
{
    if (!c)
        return;
    free(c->side);
    free(c->stack);
    free(c->place);
    hw_flow_free(&c->flow);
    free(c);
}

hw_mincut *hw_mincut_new(const hw_model *m)
{
    hw_mincut *c = HW_NEW0(hw_mincut, 1);
    if (!c)
        return NULL;
    size_t vertices = (size_t)m->n_nodes + m->n_buffers;
    size_t arcs = vertices + m->graph->n_edges + m->uses.offset[m->n_nodes];
    c->m = m;
    c->side = HW_NEW(uint8_t, m->n_nodes);
    c->stack = HW_NEW(uint32_t, m->n_nodes);
    c->place = HW_NEW(uint32_t, m->n_nodes);
    if (!c->side || !c->stack || !c->place || !hw_flow_init(&c->flow, vertices, arcs)) {
        hw_mincut_free(c);
        return NULL;
    }
    return c;
}

void hw_mincut_limit(hw_mincut *c, uint64_t steps)
{
    hw_flow *f = &c->flow;
    f->most_steps = steps < UINT64_MAX - f->steps ? f->steps + steps : UINT64_MAX;
}

bool hw_mincut_over(const hw_mincut *c)
{
    return hw_flow_over(&c->flow);
}

/* Mark all nodes that lead to v (or that v leads to), v itself not. */
static void mark(hw_mincut *c, const hw_rows *rows, uint32_t v, uint8_t side)
{
    uint32_t waiting = 0;
    c->stack[waiting++] = v;
    while (waiting) {
        uint32_t u = c->stack[--waiting];
        for (uint32_t k = rows->offset[u]; k < rows->offset[u + 1]; k++) {
            uint32_t w = rows->item[k];
            if (c->side[w] == side)
                continue;
            c->side[w] = side;
            c->stack[waiting++] = w;
        }
    }
}

static void mark_sides(hw_mincut *c, uint32_t v)
{
    memset(c->side, FREE, c->m->n_nodes);
    c->flow.steps += c->m->n_nodes;
    mark(c, &c->m->graph->preds, v, BEFORE);
    mark(c, &c->m->graph->succs, v, AFTER);
    c->side[v] = c->m->accounting == HW_FREE_FIRST ? BEFORE : AFTER;
}

/* What the step of v adds to the live bytes of T. */
static uint64_t own_bytes(const hw_model *m, uint32_t v)
{
    if (m->accounting == HW_FREE_FIRST)
        return hw_workspace(m, v) + m->dead_bytes[v];
    return hw_workspace(m, v) + m->new_bytes[v];
}

static uint64_t without_reuse(const hw_model *m, uint32_t v, uint64_t usage)
{
    return m->reuse_most ? usage - m->reuse_most[v] : usage;
}

/* live of the nodes BEFORE, as if every buffer that a free node uses stayed. */
static uint64_t live_before(const hw_mincut *c)
{
    const hw_model *m = c->m;
    uint64_t live = m->live_empty;
    for (uint32_t u = 0; u < m->n_nodes; u++)
        if (c->side[u] == BEFORE)
            live += m->new_bytes[u] - m->dead_bytes[u];
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        uint32_t k = m->users.offset[b], end = m->users.offset[b + 1];
        while (k < end && c->side[m->users.item[k]] == BEFORE)
            k++;
        if (k == end)
            live -= m->buffer_size[b];
    }
    return live;
}

/*
 * Taking a free node costs what it leaves behind; a buffer all of whose users
 * are taken gives back its size.  Returns the sum of these sizes.
 */
static uint64_t lay_network(hw_mincut *c)
{
    const hw_model *m = c->m;
    uint64_t sum = 0;
    hw_flow *f = &c->flow;
    hw_flow_clear(f);
    for (uint32_t u = 0; u < m->n_nodes; u++)
        if (c->side[u] == FREE) {
            c->place[u] = hw_flow_vertex(f);
            hw_flow_arc(f, c->place[u], 1, m->new_bytes[u] - m->dead_bytes[u]);
        }
    for (uint32_t u = 0; u < m->n_nodes; u++)
        for (uint32_t k = m->graph->preds.offset[u];
             c->side[u] == FREE && k < m->graph->preds.offset[u + 1]; k++)
            if (c->side[m->graph->preds.item[k]] == FREE)
                hw_flow_arc(f, c->place[u], c->place[m->graph->preds.item[k]], UINT64_MAX);
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        bool any = false, none_after = true;
        for (uint32_t k = m->users.offset[b]; k < m->users.offset[b + 1] && none_after; k++) {
            any = any || c->side[m->users.item[k]] == FREE;
            none_after = c->side[m->users.item[k]] != AFTER;
        }
        if (!any || !none_after)
            continue;
        uint32_t place = hw_flow_vertex(f);
        hw_flow_arc(f, 0, place, m->buffer_size[b]);
        sum += m->buffer_size[b];
        for (uint32_t k = m->users.offset[b]; k < m->users.offset[b + 1]; k++)
            if (c->side[m->users.item[k]] == FREE)
                hw_flow_arc(f, place, c->place[m->users.item[k]], UINT64_MAX);
    }
    return sum;
}

/* `base` less the most that taking free nodes can give back. */
static uint64_t least(hw_mincut *c, uint64_t base, uint64_t enough)
{
    if (base <= enough)
        return 0;
    uint64_t gain = lay_network(c);
    c->flow.steps += c->flow.n_arcs;
    gain -= hw_flow_max(&c->flow);
    return gain < base ? base - gain : 0; /* a flow cut short leaves too large a gain */
}

uint64_t hw_mincut_node(hw_mincut *c, uint32_t v, uint64_t enough)
{
    mark_sides(c, v);
    return least(c, without_reuse(c->m, v, live_before(c) + own_bytes(c->m, v)), enough);
}

uint64_t hw_mincut_before(hw_mincut *c, uint32_t v, uint64_t enough)
{
    mark_sides(c, v);
    c->side[v] = AFTER;
    return least(c, live_before(c), enough);
}

uint64_t hw_footprint_node(hw_mincut *c, uint32_t v)
{
    const hw_model *m = c->m;
    mark_sides(c, v);
    uint64_t held = m->live_empty + own_bytes(m, v);
    for (uint32_t u = 0; u < m->n_nodes; u++)
        if (c->side[u] == BEFORE)
            held += m->new_bytes[u] - m->dead_bytes[u];
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        bool made = m->buffer_maker[b] == HW_NONE || c->side[m->buffer_maker[b]] == BEFORE;
        uint32_t k = m->users.offset[b], end = m->users.offset[b + 1];
        while (made && k < end && c->side[m->users.item[k]] != AFTER)
            k++;
        if (made && k == end)
            held -= m->buffer_size[b]; /* some T may have freed it */
    }
    return without_reuse(m, v, held);
}

typedef struct ranked {
    uint64_t usage;
    uint32_t node;
} ranked;

static int by_usage(const void *left, const void *right)
{
    const ranked *a = left, *b = right;
    if (a->usage != b->usage)
        return a->usage > b->usage ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

hw_code hw_bound_order(const hw_model *m, const uint64_t *usage, uint32_t *order, hw_error *err)
{
    ranked *list = HW_NEW(ranked, m->n_nodes);
    if (!list)
        return hw_fail_memory(err, "a lower bound");
    for (uint32_t v = 0; v < m->n_nodes; v++)
        list[v] = (ranked){usage[v], v};
    qsort(list, m->n_nodes, sizeof *list, by_usage);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        order[v] = list[v].node;
    free(list);
    return HW_OK;
}

hw_code hw_bound_usage(const hw_model *m, const uint32_t *order, uint64_t *usage, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint64_t here = hw_sim_step(&s, order[i]);
        if (here < usage[order[i]])
            usage[order[i]] = here;
    }
    hw_sim_free(&s);
    return HW_OK;
}
