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

hw_code hw_xla_walk_open(hw_xla_walk *w, uint32_t n, hw_meter *meter, uint32_t *order,
                         hw_error *err)
{
    *w = (hw_xla_walk){
        .meter = meter, .order = order, .next = HW_NEW0(uint32_t, n), .path = HW_NEW(uint32_t, n)};
    return w->next && w->path ? HW_OK : hw_fail_memory(err, "the walk over the graph");
}

void hw_xla_walk_close(hw_xla_walk *w)
{
    free(w->next);
    free(w->path);
}

void hw_xla_walk_from(hw_xla_walk *w, const hw_rows *preds, const uint32_t *n_data, uint32_t v)
{
    uint32_t depth = 0;
    if (w->next[v] || w->over)
        return;
    w->next[v] = 1;
    w->path[depth++] = v;
    while (depth) {
        const uint32_t u = w->path[depth - 1], begin = preds->offset[u],
                       count = preds->offset[u + 1] - begin,
                       behind = n_data ? count - n_data[u] : 0;
        uint32_t rank = w->next[u] - 1, p = HW_NONE;
        for (; rank < count && p == HW_NONE; rank++) {
            uint32_t at = rank < behind ? count - 1 - rank : rank - behind;
            if (w->next[preds->item[begin + at]] == 0)
                p = preds->item[begin + at];
        }
        w->next[u] = rank + 1;
        if (p != HW_NONE) {
            w->next[p] = 1;
            w->path[depth++] = p;
            continue;
        }
        w->order[w->placed++] = u;
        depth--;
        if (hw_meter_count(w->meter, 1)) {
            w->over = true;
            return;
        }
    }
}

void hw_xla_post_order(hw_xla_walk *w, const hw_xla_graph *x)
{
    for (uint32_t v = 0; v < x->g->n_nodes; v++)
        if (x->users[v] == 0)
            hw_xla_walk_from(w, &x->g->preds, x->n_data, v);
    for (uint32_t i = 0; i < x->n_held; i++)
        hw_xla_walk_from(w, &x->g->preds, x->n_data, x->held[i]);
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
