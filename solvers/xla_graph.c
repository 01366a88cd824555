/* A graph as XLA's schedulers see it.  See xla_graph.h. */
#include "solvers/xla_graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/ready.h"

/* Are there edges that carry no data?  (There need not be where this says yes.) */
static bool may_have_control(const hw_graph *g)
{
    if (g->n_control)
        return true;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (g->node_flags[v] & (HW_NODE_LOCKED | HW_NODE_INPLACE_REQUIRED))
            return true;
    return false;
}

/* The builder puts the producers of inputs first in a row, then all others. */
static void count_data_preds(hw_xla_graph *x, uint32_t *seen)
{
    const hw_graph *g = x->g;
    memset(seen, 0xff, (size_t)g->n_nodes * sizeof *seen);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        x->n_data[v] = 0;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t u = g->tensor_producer[g->inputs.item[i]];
            if (u != HW_NONE && seen[u] != v) {
                seen[u] = v;
                x->n_data[v]++;
            }
        }
    }
}

static void count_users(hw_xla_graph *x)
{
    const hw_graph *g = x->g;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        x->users[v] = x->n_data ? 0 : g->succs.offset[v + 1] - g->succs.offset[v];
    for (uint32_t v = 0; x->n_data && v < g->n_nodes; v++)
        for (uint32_t i = 0; i < x->n_data[v]; i++)
            x->users[g->preds.item[g->preds.offset[v] + i]]++;
}

static void find_root(hw_xla_graph *x, uint32_t *seen)
{
    const hw_graph *g = x->g;
    uint32_t n_outputs = 0;
    memset(seen, 0xff, (size_t)g->n_nodes * sizeof *seen);
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t v = g->tensor_producer[t];
        if (g->tensor_kind[t] != HW_OUTPUT || v == HW_NONE)
            continue;
        n_outputs++;
        if (seen[v] != 0) {
            seen[v] = 0;
            x->held[x->n_held++] = v;
        }
    }
    x->tuple = n_outputs > 1;
    for (uint32_t i = 0; x->tuple && i < x->n_held; i++)
        x->users[x->held[i]]++;
}

hw_code hw_xla_open(hw_xla_graph *x, const hw_graph *g, hw_error *err)
{
    const bool control = may_have_control(g);
    uint32_t *seen = HW_NEW(uint32_t, g->n_nodes);
    memset(x, 0, sizeof *x);
    x->g = g;
    x->users = HW_NEW(uint32_t, g->n_nodes);
    x->held = HW_NEW(uint32_t, g->n_nodes);
    if (control)
        x->n_data = HW_NEW(uint32_t, g->n_nodes);
    if (!seen || !x->users || !x->held || (control && !x->n_data)) {
        free(seen);
        return hw_fail_memory(err, "the users of the nodes");
    }
    if (control)
        count_data_preds(x, seen);
    count_users(x);
    find_root(x, seen);
    free(seen);
    return HW_OK;
}

void hw_xla_close(hw_xla_graph *x)
{
    free(x->users);
    free(x->n_data);
    free(x->held);
}

hw_code hw_xla_walk_open(hw_xla_walk *w, const hw_xla_graph *x, hw_meter *meter, uint32_t *order,
                         hw_error *err)
{
    const size_t n = x->g->n_nodes;
    *w = (hw_xla_walk){.x = x,
                       .meter = meter,
                       .order = order,
                       .seen = HW_NEW0(bool, n),
                       /* A start, each row once, and a place to write to. */
                       .stack = HW_NEW(uint32_t, (size_t)x->g->n_edges + 2)};
    return w->seen && w->stack ? HW_OK : hw_fail_memory(err, "the walk over the graph");
}

void hw_xla_walk_close(hw_xla_walk *w)
{
    free(w->seen);
    free(w->stack);
}

static int by_key(const void *a, const void *b)
{
    const hw_key x = *(const hw_key *)a, y = *(const hw_key *)b;
    return (x > y) - (x < y);
}

enum { SHORT_ROW = 16 };

void hw_xla_sort_down(uint32_t *node, uint32_t count, const hw_key *key, hw_key *room)
{
    if (count > SHORT_ROW) {
        for (uint32_t i = 0; i < count; i++)
            room[i] = key[node[i]];
        qsort(room, count, sizeof *room, by_key);
        for (uint32_t i = 0; i < count; i++)
            node[i] = hw_key_item(room[count - 1 - i]);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t moved = node[i];
        uint32_t at = i;
        for (; at && key[node[at - 1]] < key[moved]; at--)
            node[at] = node[at - 1];
        node[at] = moved;
    }
}

/*
 * Push the predecessors of u not yet seen, the one to visit first on top; which
 * these are is as good as random: collected without a branch.  Returns the top.
 */
static uint32_t push_preds(const hw_xla_walk *w, uint32_t u, uint32_t top)
{
    const hw_rows *preds = &w->x->g->preds;
    const uint32_t begin = preds->offset[u], end = preds->offset[u + 1];
    const uint32_t data_end = w->x->n_data ? begin + w->x->n_data[u] : end, base = top;
    for (uint32_t i = data_end; i-- > begin;) {
        w->stack[top] = preds->item[i];
        top += !w->seen[preds->item[i]];
    }
    for (uint32_t i = data_end; i < end; i++) {
        w->stack[top] = preds->item[i];
        top += !w->seen[preds->item[i]];
    }
    if (w->key && top - base > 1)
        hw_xla_sort_down(w->stack + base, top - base, w->key, w->room);
    return top;
}

void hw_xla_walk_from(hw_xla_walk *w, uint32_t v)
{
    uint32_t *stack = w->stack, top = 0;
    if (w->over)
        return;
    stack[top++] = v;
    while (top) {
        const uint32_t base = top - 1, u = stack[base] & HW_HEAP_MOST;
        if (stack[base] == u) {
            if (w->seen[u]) { /* by way of another */
                top = base;
                continue;
            }
            w->seen[u] = true;
            top = push_preds(w, u, top);
            if (top - base > 1) {
                stack[base] = u | HW_HEAP_IN;
                continue;
            }
        }
        top = base;
        w->order[w->placed++] = u;
        if (hw_meter_count(w->meter, 1)) {
            w->over = true;
            return;
        }
    }
}

void hw_xla_post_order(hw_xla_walk *w)
{
    for (uint32_t v = 0; v < w->x->g->n_nodes; v++)
        if (w->x->users[v] == 0)
            hw_xla_walk_from(w, v);
    for (uint32_t i = 0; i < w->x->n_held; i++)
        hw_xla_walk_from(w, w->x->held[i]);
}

hw_code hw_xla_solve(const hw_model *m, const hw_request *request, hw_xla_scheduler scheduler,
                     hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    bool over = false;
    hw_code code = scheduler(m, &meter, answer->order, &over, err);
    answer->states = meter.states;
    answer->limit_reached = over;
    return code == HW_OK && !over ? hw_answer_finish(m, answer, err) : code;
}
