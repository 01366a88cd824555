/* Parts of the model left out.  See leave_out.h. */
#include "transform/leave_out.h"

#include "transform/recast.h"

hw_code hw_strip_ties(const hw_graph *g, bool windows, bool locks, hw_graph **out, hw_error *err)
{
    hw_recast r;
    *out = NULL;
    hw_code code = hw_recast_open(&r, g, err);
    if (code == HW_OK)
        code = hw_recast_tensors(&r, err);
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        hw_node_spec spec;
        code = hw_recast_spec(&r, v, &spec, err);
        if (code != HW_OK)
            break;
        spec.has_window = spec.has_window && !windows;
        spec.locked = spec.locked && !locks;
        code = hw_builder_node(r.builder, &spec, err);
    }
    if (code == HW_OK)
        code = hw_recast_control(&r, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}

hw_code hw_empty_views(const hw_graph *g, hw_graph **out, hw_error *err)
{
    hw_recast r;
    *out = NULL;
    hw_code code = hw_recast_open(&r, g, err);
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++) {
        bool image = g->storage_root[g->tensor_storage[t]] != t;
        code = hw_builder_tensor(r.builder, hw_tensor_id(g, t), image ? 0 : g->tensor_size[t],
                                 (hw_kind)g->tensor_kind[t], hw_tensor_name(g, t), err);
    }
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        hw_node_spec spec;
        code = hw_recast_spec(&r, v, &spec, err);
        if (code != HW_OK)
            break;
        spec.view = false;
        code = hw_builder_node(r.builder, &spec, err);
    }
    if (code == HW_OK)
        code = hw_recast_control(&r, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}
