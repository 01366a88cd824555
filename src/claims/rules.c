/* See rules.h. */
#include "claims/rules.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"

typedef struct walk {
    const hw_model *m;
    hw_sim sim;
    uint32_t *path, *waiting, *ready;
    uint32_t n_ready;
} walk;

/* Longest paths to the end, sinks first: along the level order backwards. */
static hw_code find_paths(walk *w, hw_error *err)
{
    const hw_graph *g = w->m->graph;
    uint32_t n = w->m->n_nodes, *level = HW_NEW(uint32_t, n);
    hw_code code = level ? hw_graph_level_order(g, level, err) : hw_fail_memory(err, "paths");
    for (uint32_t i = n; code == HW_OK && i-- > 0;) {
        uint32_t v = level[i];
        w->path[v] = 1;
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            if (w->path[g->succs.item[k]] >= w->path[v])
                w->path[v] = w->path[g->succs.item[k]] + 1;
    }
    free(level);
    return code;
}

static hw_rule_node look(const walk *w, uint32_t v)
{
    return (hw_rule_node){.net = (int64_t)hw_sim_net(&w->sim, v), .path = w->path[v], .node = v};
}

static void run(walk *w, hw_rule_before before, const void *context, uint32_t *order)
{
    const hw_rows *succs = &w->m->graph->succs, *preds = &w->m->graph->preds;
    uint32_t n = w->m->n_nodes;
    for (uint32_t v = 0; v < n; v++) {
        w->waiting[v] = preds->offset[v + 1] - preds->offset[v];
        if (w->waiting[v] == 0)
            w->ready[w->n_ready++] = v;
    }
    for (uint32_t step = 0; step < n; step++) {
        uint32_t best = 0;
        hw_rule_node first = look(w, w->ready[0]);
        for (uint32_t i = 1; i < w->n_ready; i++) {
            hw_rule_node other = look(w, w->ready[i]);
            if (before(context, &other, &first)) {
                first = other;
                best = i;
            }
        }
        w->ready[best] = w->ready[--w->n_ready];
        order[step] = first.node;
        (void)hw_sim_step(&w->sim, first.node);
        for (uint32_t k = succs->offset[first.node]; k < succs->offset[first.node + 1]; k++)
            if (--w->waiting[succs->item[k]] == 0)
                w->ready[w->n_ready++] = succs->item[k];
    }
}

hw_code hw_rule_order(const hw_model *m, hw_rule_before before, const void *context,
                      uint32_t *order, hw_error *err)
{
    uint32_t n = m->n_nodes;
    walk w = {.m = m,
              .path = HW_NEW0(uint32_t, n),
              .waiting = HW_NEW(uint32_t, n),
              .ready = HW_NEW(uint32_t, n)};
    hw_code code = w.path && w.waiting && w.ready ? hw_sim_init(&w.sim, m, err)
                                                  : hw_fail_memory(err, "a rule");
    if (code == HW_OK) {
        code = find_paths(&w, err);
        if (code == HW_OK)
            run(&w, before, context, order);
        hw_sim_free(&w.sim);
    }
    free(w.path);
    free(w.waiting);
    free(w.ready);
    return code;
}
