/* Gathering what `info` tells.  See graph_facts.h. */
#include "cli/graph_facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/check.h"

static void count_flags(hw_graph_facts *f)
{
    const hw_graph *g = f->graph;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        f->n_views += (g->node_flags[v] & HW_NODE_VIEW) != 0;
        f->n_locked += (g->node_flags[v] & HW_NODE_LOCKED) != 0;
        f->n_required += (g->node_flags[v] & HW_NODE_INPLACE_REQUIRED) != 0;
        f->n_windows += g->node_window && g->node_window[v] != HW_NONE;
    }
    f->n_inplace_pairs = g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0;
}

/* Bounds, and the checker's word on the source order, under one accounting. */
static hw_code measure(hw_graph_facts *f, hw_accounting accounting, const uint32_t *source,
                       const volatile sig_atomic_t *stop, hw_error *err)
{
    const hw_request request = {.stop = stop};
    hw_model *m;
    hw_check check;
    hw_code code = hw_model_new(f->graph, accounting, f->pin_inputs, &m, err);
    if (code != HW_OK)
        return code;
    f->bound[accounting].simple = m->simple_bound;
    f->any_legal = m->legal;
    if (m->legal)
        code = bound_ladder_find(m, &request, bound_quick_steps, &f->bound[accounting], err);
    hw_model_free(m);
    if (code != HW_OK)
        return code;
    code = hw_check_order(f->graph, accounting == HW_FREE_FIRST, f->pin_inputs, source,
                          f->graph->n_nodes, &check, err);
    if (code != HW_OK)
        return code;
    f->source_legal = check.verdict == HW_ORDER_LEGAL;
    f->source_peak[accounting] = check.peak;
    if (!f->source_legal)
        hw_check_message(f->graph, &check, f->reason, sizeof f->reason);
    return HW_OK;
}

hw_code hw_graph_facts_of(const hw_graph *g, bool pin_inputs, uint64_t most_down_sets,
                          const volatile sig_atomic_t *stop, hw_graph_facts *out, hw_error *err)
{
    memset(out, 0, sizeof *out);
    out->graph = g;
    out->pin_inputs = pin_inputs;
    out->total_bytes = hw_graph_total_bytes(g);
    out->resident_bytes = hw_graph_resident_bytes(g);
    count_flags(out);
    uint32_t *source = HW_NEW(uint32_t, g->n_nodes);
    if (!source)
        return hw_fail_memory(err, "the source order");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        source[v] = v;
    hw_code code = hw_graph_hash(g, out->hash, err);
    if (code == HW_OK)
        code = measure(out, HW_ALLOC_FIRST, source, stop, err);
    if (code == HW_OK)
        code = measure(out, HW_FREE_FIRST, source, stop, err);
    hw_structure_limits limits = HW_STRUCTURE_LIMITS;
    limits.down_sets = most_down_sets;
    if (code == HW_OK)
        code = hw_structure_find(g, limits, &out->structure, err);
    free(source);
    return code;
}
