/* Ids, names and the source order given anew.  See relabel.h. */
#include "transform/relabel.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/rng.h"
#include "transform/recast.h"

/* id[i] = i, or shuffled (Fisher and Yates). */
static void draw_ids(uint32_t *id, uint32_t n, gsl_rng *rng)
{
    for (uint32_t i = 0; i < n; i++)
        id[i] = i;
    for (uint32_t i = n; rng && i > 1; i--) {
        uint32_t k = (uint32_t)hw_rng_below(rng, i), last = id[i - 1];
        id[i - 1] = id[k];
        id[k] = last;
    }
}

typedef struct relabelling {
    const hw_graph *g;
    const hw_relabel_options *options;
    hw_recast recast;
    uint32_t *tensor_id, *node_id; /* new, by index of g */
} relabelling;

static hw_code add_node(relabelling *x, uint32_t v, hw_error *err)
{
    const hw_graph *g = x->g;
    hw_node_spec spec;
    hw_code code = hw_recast_spec(&x->recast, v, &spec, err);
    if (code != HW_OK)
        return code;
    uint64_t *id = x->recast.id;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
        *id++ = x->tensor_id[g->inputs.item[i]];
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        *id++ = x->tensor_id[g->outputs.item[i]];
    for (size_t i = 0; i < spec.n_inplace; i++) {
        hw_inplace_pair pair = g->inplace_pair[g->inplace_offset[v] + i];
        *id++ = x->tensor_id[pair.input];
        *id++ = x->tensor_id[pair.output];
    }
    spec.id = x->node_id[v];
    if (x->options->drop_names)
        spec.name = NULL;
    return hw_builder_node(x->recast.builder, &spec, err);
}

static hw_code add_all(relabelling *x, hw_error *err)
{
    const hw_graph *g = x->g;
    hw_builder *b = x->recast.builder;
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++)
        code = hw_builder_tensor(b, x->tensor_id[t], g->tensor_size[t], (hw_kind)g->tensor_kind[t],
                                 x->options->drop_names ? NULL : hw_tensor_name(g, t), err);
    for (uint32_t i = 0; i < g->n_nodes && code == HW_OK; i++)
        code = add_node(x, x->options->order ? x->options->order[i] : i, err);
    for (uint32_t i = 0; i < g->n_control && code == HW_OK; i++)
        code = hw_builder_control(b, x->node_id[g->control[i].from], x->node_id[g->control[i].to],
                                  err);
    return code;
}

/* A permutation in which every edge points forward. */
static hw_code check_order(const hw_graph *g, const uint32_t *order, hw_error *err)
{
    bool *done = HW_NEW0(bool, g->n_nodes);
    hw_code code = done ? HW_OK : hw_fail_memory(err, "an order");
    for (uint32_t i = 0; i < g->n_nodes && code == HW_OK; i++) {
        uint32_t v = order[i];
        if (v >= g->n_nodes || done[v]) {
            code = hw_fail(err, HW_BAD_INPUT, "the new source order is no permutation");
            break;
        }
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1] && code == HW_OK; k++)
            if (!done[g->preds.item[k]])
                code =
                    hw_fail(err, HW_BAD_INPUT,
                            "the new source order runs node %u before node %u, on which it "
                            "depends: give a legal order",
                            (unsigned)hw_node_id(g, v), (unsigned)hw_node_id(g, g->preds.item[k]));
        done[v] = true;
    }
    free(done);
    return code;
}

hw_code hw_relabel(const hw_graph *g, const hw_relabel_options *options, hw_graph **out,
                   hw_error *err)
{
    relabelling x = {.g = g,
                     .options = options,
                     .tensor_id = HW_NEW(uint32_t, g->n_tensors),
                     .node_id = HW_NEW(uint32_t, g->n_nodes)};
    gsl_rng *rng = options->random_ids ? hw_rng_new(options->seed) : NULL;
    *out = NULL;
    hw_code code = hw_recast_open(&x.recast, g, err);
    if (code == HW_OK && (!x.tensor_id || !x.node_id || (options->random_ids && !rng)))
        code = hw_fail_memory(err, "a graph");
    if (code == HW_OK && options->order)
        code = hw_refuse_windows(g, err);
    if (code == HW_OK && options->order)
        code = check_order(g, options->order, err);
    if (code == HW_OK) {
        draw_ids(x.tensor_id, g->n_tensors, rng);
        draw_ids(x.node_id, g->n_nodes, rng);
        for (uint32_t i = 0; !rng && options->order && i < g->n_nodes; i++)
            x.node_id[options->order[i]] = i;
        code = add_all(&x, err);
    }
    if (code == HW_OK)
        code = hw_recast_finish(&x.recast, out, err);
    if (rng)
        gsl_rng_free(rng);
    hw_recast_close(&x.recast);
    free(x.tensor_id);
    free(x.node_id);
    return code;
}

hw_code hw_random_order(const hw_graph *g, uint64_t seed, uint32_t *order, hw_error *err)
{
    gsl_rng *rng = hw_rng_new(seed);
    uint32_t *waits = HW_NEW(uint32_t, g->n_nodes), *ready = HW_NEW(uint32_t, g->n_nodes);
    uint32_t n_ready = 0, n = 0;
    hw_code code = rng && waits && ready ? HW_OK : hw_fail_memory(err, "an order");
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        waits[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        if (waits[v] == 0)
            ready[n_ready++] = v;
    }
    while (code == HW_OK && n_ready > 0) {
        uint32_t at = (uint32_t)hw_rng_below(rng, n_ready), v = ready[at];
        ready[at] = ready[--n_ready];
        order[n++] = v;
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            if (--waits[g->succs.item[k]] == 0)
                ready[n_ready++] = g->succs.item[k];
    }
    if (rng)
        gsl_rng_free(rng);
    free(waits);
    free(ready);
    return code;
}
