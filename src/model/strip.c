/* A copy of a graph without views or in-place pairs, or with other sizes or marks.  See graph.h. */
#include <stdlib.h>

#include "core/memory.h"
#include "model/builder.h"

typedef struct scratch {
    uint64_t *id;
    size_t capacity;
} scratch;

/* What a copy has otherwise than its graph. */
typedef struct copy_plan {
    bool strip_views, strip_inplace;
    const uint64_t *size, *workspace; /* NULL: as in the graph */
    hw_marks marks;
} copy_plan;

/* File ids of one row of tensors, in s->id from `at` on. */
static bool ids_of(const hw_graph *g, const hw_rows *rows, uint32_t v, scratch *s, size_t at)
{
    size_t n = rows->offset[v + 1] - rows->offset[v];
    if (!hw_grow((void **)&s->id, &s->capacity, at + n + 1, sizeof *s->id))
        return false;
    for (size_t i = 0; i < n; i++)
        s->id[at + i] = hw_tensor_id(g, rows->item[rows->offset[v] + i]);
    return true;
}

static hw_code copy_node(const hw_graph *g, uint32_t v, const copy_plan *plan, scratch *s,
                         hw_builder *b, hw_error *err)
{
    size_t n_in = g->inputs.offset[v + 1] - g->inputs.offset[v];
    size_t n_out = g->outputs.offset[v + 1] - g->outputs.offset[v];
    size_t n_pairs = 0;
    if (g->inplace_offset && !plan->strip_inplace)
        n_pairs = g->inplace_offset[v + 1] - g->inplace_offset[v];
    if (!ids_of(g, &g->inputs, v, s, 0) || !ids_of(g, &g->outputs, v, s, n_in) ||
        !hw_grow((void **)&s->id, &s->capacity, n_in + n_out + 2 * n_pairs + 1, sizeof *s->id))
        return hw_fail_memory(err, "copying a graph");
    for (size_t i = 0; i < n_pairs; i++) {
        hw_inplace_pair pair = g->inplace_pair[g->inplace_offset[v] + i];
        s->id[n_in + n_out + 2 * i] = hw_tensor_id(g, pair.input);
        s->id[n_in + n_out + 2 * i + 1] = hw_tensor_id(g, pair.output);
    }
    uint8_t flags = plan->marks.flags ? plan->marks.flags[v] : g->node_flags[v];
    const uint32_t *windows = plan->marks.windows ? plan->marks.windows : g->node_window;
    bool windowed = windows && windows[v] != HW_NONE;
    return hw_builder_node(
        b,
        &(hw_node_spec){
            .id = hw_node_id(g, v),
            .name = hw_node_name(g, v),
            .op = hw_node_op(g, v),
            .inputs = s->id,
            .outputs = s->id + n_in,
            .n_inputs = n_in,
            .n_outputs = n_out,
            .inplace = s->id + n_in + n_out,
            .n_inplace = n_pairs,
            .workspace = plan->workspace ? plan->workspace[v] : hw_node_workspace(g, v),
            .view = !plan->strip_views && (flags & HW_NODE_VIEW),
            .locked = flags & HW_NODE_LOCKED,
            .inplace_required = !plan->strip_inplace && (flags & HW_NODE_INPLACE_REQUIRED),
            .has_window = windowed,
            .window = windowed ? windows[v] : 0,
        },
        err);
}

static hw_code copy_graph(const hw_graph *g, const copy_plan *plan, hw_graph **out, hw_error *err)
{
    *out = NULL;
    scratch s = {0};
    hw_builder *b = hw_builder_new();
    if (!b)
        return hw_fail_memory(err, "copying a graph");
    hw_code code = hw_builder_describe(b, g->name, g->source, g->unit, err);
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++)
        code =
            hw_builder_tensor(b, hw_tensor_id(g, t), plan->size ? plan->size[t] : g->tensor_size[t],
                              (hw_kind)g->tensor_kind[t], hw_tensor_name(g, t), err);
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        code = copy_node(g, v, plan, &s, b, err);
    for (uint32_t i = 0; code == HW_OK && i < g->n_control; i++)
        code = hw_builder_control(b, hw_node_id(g, g->control[i].from),
                                  hw_node_id(g, g->control[i].to), err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    free(s.id);
    return code;
}

hw_code hw_graph_strip(const hw_graph *g, bool strip_views, bool strip_inplace, hw_graph **out,
                       hw_error *err)
{
    copy_plan plan = {.strip_views = strip_views, .strip_inplace = strip_inplace};
    return copy_graph(g, &plan, out, err);
}

hw_code hw_graph_resized(const hw_graph *g, const uint64_t *size, const uint64_t *workspace,
                         hw_graph **out, hw_error *err)
{
    copy_plan plan = {.size = size, .workspace = workspace};
    return copy_graph(g, &plan, out, err);
}

hw_code hw_graph_mark(const hw_graph *g, const hw_marks *marks, hw_graph **out, hw_error *err)
{
    copy_plan plan = {.marks = *marks};
    return copy_graph(g, &plan, out, err);
}
