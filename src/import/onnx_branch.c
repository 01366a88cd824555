/*
 * Graphs inside of nodes: the branches of If, the bodies of Loop and Scan.
 *
 * A node is one step, whatever runs inside.  What its branches read from
 * outside it reads itself; weights and folded constants that stand inside are
 * resident like any other, so it reads them too; and while it runs it holds
 * what the larger branch needs at its peak, in the order of the file and
 * alloc-first, as workspace: one branch of an If runs, and the rounds of a
 * loop run one after the other.  A branch inside a branch is workspace of the
 * inner node in the same way.  See onnx_internal.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "import/onnx_internal.h"
#include "model/model.h"
#include "model/sim.h"

/* The peak of the source order; of a topological one where that is none. */
static hw_code find_peak(const hw_graph *g, uint64_t *peak, hw_error *err)
{
    hw_model *m = NULL;
    hw_sim sim;
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    if (!order)
        return hw_fail_memory(err, "the order of a branch");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        order[v] = v;
    hw_code code = g->source_order_legal_edges ? HW_OK : hw_graph_level_order(g, order, err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK)
        code = hw_sim_init(&sim, m, err);
    if (code == HW_OK) {
        for (uint32_t i = 0; i < g->n_nodes; i++)
            (void)hw_sim_step(&sim, order[i]);
        *peak = sim.peak;
        hw_sim_free(&sim);
    }
    hw_model_free(m);
    free(order);
    return code;
}

/* The constants that the branch itself holds are read by the node around it. */
static hw_code hoist(hw_onnx_scope *s, size_t v, const hw_onnx_scope *inner, hw_error *err)
{
    hw_onnx_node *node = &s->node[v];
    for (size_t i = 0; i < inner->n_values; i++) {
        const hw_onnx_value *x = &inner->value[i];
        if (!x->constant || !x->wanted || x->outside != HW_NONE || !x->measured)
            continue;
        hw_onnx_value *twin = hw_onnx_scope_append(s, x->name);
        if (!twin || !hw_grow((void **)&node->hoisted, &node->hoisted_room, node->n_hoisted + 1,
                              sizeof *node->hoisted))
            return hw_fail_memory(err, "the constants of a branch");
        twin->constant = twin->wanted = twin->measured = true;
        twin->bytes = x->bytes;
        twin->element = x->element;
        node->hoisted[node->n_hoisted++] = (uint32_t)(twin - s->value);
    }
    return HW_OK;
}

static hw_code settle(hw_onnx_scope *s, size_t v, hw_onnx_scope *inner, hw_error *err)
{
    hw_graph *g = NULL;
    uint64_t peak = 0;
    hw_code code = hw_onnx_fold(inner, err);
    if (code == HW_OK)
        code = hw_onnx_branches(inner, err);
    if (code == HW_OK)
        code = hw_onnx_build(inner, &g, err);
    if (code == HW_OK && g)
        code = find_peak(g, &peak, err);
    hw_graph_free(g);
    if (code == HW_OK)
        code = hoist(s, v, inner, err);
    if (peak > s->node[v].workspace)
        s->node[v].workspace = peak;
    s->job->n_branches++;
    return code;
}

/* Values captured from outside are constant inside only as far as they can fold. */
static void pass_in(const hw_onnx_scope *s, hw_onnx_scope *inner)
{
    for (size_t i = 0; i < inner->n_values; i++)
        if (inner->value[i].outside != HW_NONE)
            inner->value[i].constant = s->value[inner->value[i].outside].constant;
}

hw_code hw_onnx_branches(hw_onnx_scope *s, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t v = 0; code == HW_OK && v < s->graph->n_node; v++) {
        if (s->node[v].folded)
            continue;
        for (size_t b = 0; code == HW_OK && b < s->node[v].n_branches; b++) {
            pass_in(s, s->node[v].branch[b]);
            code = settle(s, v, s->node[v].branch[b], err);
            if (code != HW_OK)
                hw_error_prefix(err, "in node '%.64s': ", hw_onnx_node_name(s, v));
        }
        if (s->node[v].workspace > s->job->branch_bytes && !s->around)
            s->job->branch_bytes = s->node[v].workspace;
    }
    return code;
}
