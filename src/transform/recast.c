/* A graph built anew out of another.  See recast.h. */
#include "transform/recast.h"

#include <stdlib.h>

#include "core/memory.h"

hw_code hw_recast_open(hw_recast *r, const hw_graph *from, hw_error *err)
{
    *r = (hw_recast){.from = from, .builder = hw_builder_new()};
    if (!r->builder)
        return hw_fail_memory(err, "a graph");
    hw_code code = hw_builder_describe(r->builder, from->name, from->source, from->unit, err);
    return code == HW_OK ? hw_builder_reserve(r->builder, from->n_tensors, from->n_nodes, err)
                         : code;
}

void hw_recast_close(hw_recast *r)
{
    hw_builder_free(r->builder);
    free(r->id);
    *r = (hw_recast){0};
}

hw_code hw_recast_tensor(hw_recast *r, uint32_t t, hw_kind kind, hw_error *err)
{
    return hw_builder_tensor(r->builder, hw_tensor_id(r->from, t), r->from->tensor_size[t], kind,
                             hw_tensor_name(r->from, t), err);
}

hw_code hw_recast_tensors(hw_recast *r, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < r->from->n_tensors && code == HW_OK; t++)
        code = hw_recast_tensor(r, t, (hw_kind)r->from->tensor_kind[t], err);
    return code;
}

hw_code hw_recast_spec(hw_recast *r, uint32_t v, hw_node_spec *spec, hw_error *err)
{
    const hw_graph *g = r->from;
    const uint32_t *in = g->inputs.offset + v, *out = g->outputs.offset + v;
    size_t n_in = in[1] - in[0], n_out = out[1] - out[0];
    size_t n_pairs = g->inplace_offset ? g->inplace_offset[v + 1] - g->inplace_offset[v] : 0;
    if (!hw_grow((void **)&r->id, &r->room, n_in + n_out + 2 * n_pairs + 1, sizeof *r->id))
        return hw_fail_memory(err, "a node");
    uint64_t *pair = r->id + n_in + n_out;
    for (size_t i = 0; i < n_in; i++)
        r->id[i] = hw_tensor_id(g, g->inputs.item[in[0] + i]);
    for (size_t i = 0; i < n_out; i++)
        r->id[n_in + i] = hw_tensor_id(g, g->outputs.item[out[0] + i]);
    for (size_t i = 0; i < n_pairs; i++) {
        hw_inplace_pair p = g->inplace_pair[g->inplace_offset[v] + i];
        pair[2 * i] = hw_tensor_id(g, p.input);
        pair[2 * i + 1] = hw_tensor_id(g, p.output);
    }
    bool windowed = g->node_window && g->node_window[v] != HW_NONE;
    *spec = (hw_node_spec){.id = hw_node_id(g, v),
                           .name = hw_node_name(g, v),
                           .op = hw_node_op(g, v),
                           .inputs = r->id,
                           .n_inputs = n_in,
                           .outputs = r->id + n_in,
                           .n_outputs = n_out,
                           .inplace = pair,
                           .n_inplace = n_pairs,
                           .workspace = hw_node_workspace(g, v),
                           .view = g->node_flags[v] & HW_NODE_VIEW,
                           .locked = g->node_flags[v] & HW_NODE_LOCKED,
                           .inplace_required = g->node_flags[v] & HW_NODE_INPLACE_REQUIRED,
                           .has_window = windowed,
                           .window = windowed ? g->node_window[v] : 0};
    return HW_OK;
}

hw_code hw_recast_node(hw_recast *r, uint32_t v, hw_error *err)
{
    hw_node_spec spec;
    hw_code code = hw_recast_spec(r, v, &spec, err);
    return code == HW_OK ? hw_builder_node(r->builder, &spec, err) : code;
}

hw_code hw_recast_control(hw_recast *r, hw_error *err)
{
    const hw_graph *g = r->from;
    hw_code code = HW_OK;
    for (uint32_t i = 0; i < g->n_control && code == HW_OK; i++)
        code = hw_builder_control(r->builder, hw_node_id(g, g->control[i].from),
                                  hw_node_id(g, g->control[i].to), err);
    return code;
}

hw_code hw_recast_finish(hw_recast *r, hw_graph **out, hw_error *err)
{
    *out = NULL;
    return hw_builder_finish(r->builder, out, err);
}

/* ---- Ids for new nodes. ---- */

hw_code hw_fresh_ids_open(hw_fresh_ids *f, const hw_graph *g, hw_error *err)
{
    *f = (hw_fresh_ids){0};
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        if (hw_idmap_add(&f->taken, hw_node_id(g, v)) != HW_IDMAP_NEW)
            return hw_fail_memory(err, "the ids of a graph");
        if (hw_node_id(g, v) >= f->next)
            f->next = (uint64_t)hw_node_id(g, v) + 1;
    }
    return HW_OK;
}

hw_code hw_fresh_id(hw_fresh_ids *f, uint64_t *id, hw_error *err)
{
    if (f->next > UINT32_MAX)
        f->next = 0; /* past the greatest: from the gaps */
    for (uint64_t tried = 0; tried <= f->taken.count; tried++, f->next++)
        if (hw_idmap_find(&f->taken, f->next) == HW_NONE) {
            *id = f->next++;
            return HW_OK;
        }
    return hw_fail(err, HW_BAD_INPUT, "no id below 2^32 is left for a new node");
}

void hw_fresh_ids_close(hw_fresh_ids *f)
{
    hw_idmap_clear(&f->taken);
}

hw_code hw_refuse_windows(const hw_graph *g, hw_error *err)
{
    for (uint32_t v = 0; g->node_window && v < g->n_nodes; v++)
        if (g->node_window[v] != HW_NONE)
            return hw_fail(err, HW_BAD_INPUT,
                           "node %u has a window, which counts from positions that would shift: "
                           "put strip-windows before this step",
                           (unsigned)hw_node_id(g, v));
    return HW_OK;
}
