/* From a graph that can be changed back to one that is finished.  See edit.h. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/builder.h"
#include "model/edit.h"

/* What the builder is given: rows of inputs, outputs and pairs, one after the other. */
typedef struct rows {
    uint64_t *item;
    size_t *first; /* of a node's row; the row before ends there */
} rows;

static bool rows_open(rows *r, size_t n_rows, size_t n_items)
{
    r->first = HW_NEW0(size_t, n_rows + 2);
    r->item = HW_NEW(uint64_t, n_items);
    return r->first && r->item;
}

static void rows_close(rows *r)
{
    free(r->first);
    free(r->item);
}

/* After counting row v in first[v + 2]: where each row begins, in first[v + 1] for filling. */
static void rows_begin(rows *r, size_t n_rows)
{
    for (size_t v = 2; v <= n_rows + 1; v++)
        r->first[v] += r->first[v - 1];
}

typedef struct layout {
    rows inputs, outputs, pairs;
    uint64_t *by_slot; /* (slot, tensor) of the tensors that are made */
} layout;

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void fill_outputs(const hw_edit *e, layout *l)
{
    size_t made = 0;
    for (size_t t = 0; t < e->n_tensors; t++) {
        if (e->tensor[t].maker == HW_NONE)
            continue;
        l->by_slot[made++] = (uint64_t)e->tensor[t].slot << 32 | t;
        l->outputs.first[e->tensor[t].maker + 2]++;
    }
    rows_begin(&l->outputs, e->n_nodes);
    qsort(l->by_slot, made, sizeof *l->by_slot, by_number);
    for (size_t i = 0; i < made; i++) {
        uint32_t t = (uint32_t)l->by_slot[i];
        l->outputs.item[l->outputs.first[e->tensor[t].maker + 1]++] = t;
    }
}

static hw_code layout_open(layout *l, const hw_edit *e, hw_error *err)
{
    memset(l, 0, sizeof *l);
    l->by_slot = HW_NEW(uint64_t, e->n_tensors);
    if (!rows_open(&l->inputs, e->n_nodes, e->n_reads) ||
        !rows_open(&l->outputs, e->n_nodes, e->n_tensors) ||
        !rows_open(&l->pairs, e->n_nodes, 2 * e->n_pairs) || !l->by_slot)
        return hw_fail_memory(err, "a graph");
    for (size_t i = 0; i < e->n_reads; i++)
        l->inputs.first[e->read[i].node + 2]++;
    for (size_t i = 0; i < e->n_pairs; i++)
        l->pairs.first[e->pair[i].node + 2] += 2;
    rows_begin(&l->inputs, e->n_nodes);
    rows_begin(&l->pairs, e->n_nodes);
    for (size_t i = 0; i < e->n_reads; i++)
        l->inputs.item[l->inputs.first[e->read[i].node + 1]++] = e->read[i].tensor;
    for (size_t i = 0; i < e->n_pairs; i++) {
        size_t *at = &l->pairs.first[e->pair[i].node + 1];
        l->pairs.item[(*at)++] = e->pair[i].input;
        l->pairs.item[(*at)++] = e->pair[i].output;
    }
    fill_outputs(e, l);
    return HW_OK;
}

static void layout_close(layout *l)
{
    rows_close(&l->inputs);
    rows_close(&l->outputs);
    rows_close(&l->pairs);
    free(l->by_slot);
}

static hw_code add_node(hw_builder *b, const hw_edit *e, const layout *l, size_t v, hw_error *err)
{
    const hw_edit_node *x = &e->node[v];
    const size_t *in = l->inputs.first + v, *out = l->outputs.first + v, *pair = l->pairs.first + v;
    hw_node_spec spec = {
        .id = v,
        .name = hw_node_name(e->origin, x->origin),
        .op = hw_node_op(e->origin, x->origin),
        .inputs = l->inputs.item + in[0],
        .n_inputs = in[1] - in[0],
        .outputs = l->outputs.item + out[0],
        .n_outputs = out[1] - out[0],
        .inplace = l->pairs.item + pair[0],
        .n_inplace = (pair[1] - pair[0]) / 2,
        .workspace = x->workspace,
        .view = x->flags & HW_NODE_VIEW,
        .locked = x->flags & HW_NODE_LOCKED,
        .inplace_required = x->flags & HW_NODE_INPLACE_REQUIRED,
        .has_window = x->window != HW_NONE,
        .window = x->window,
    };
    return hw_builder_node(b, &spec, err);
}

hw_code hw_edit_graph(const hw_edit *e, const char *name, hw_graph **out, hw_error *err)
{
    layout l;
    hw_builder *b = hw_builder_new();
    *out = NULL;
    hw_code code = layout_open(&l, e, err);
    if (code == HW_OK && !b)
        code = hw_fail_memory(err, "a graph");
    if (code == HW_OK)
        code = hw_builder_describe(b, name, e->origin->source, e->origin->unit, err);
    for (size_t t = 0; code == HW_OK && t < e->n_tensors; t++)
        code = hw_builder_tensor(b, t, e->tensor[t].size, (hw_kind)e->tensor[t].kind,
                                 hw_tensor_name(e->origin, e->tensor[t].origin), err);
    for (size_t v = 0; code == HW_OK && v < e->n_nodes; v++)
        code = add_node(b, e, &l, v, err);
    for (size_t i = 0; code == HW_OK && i < e->n_controls; i++)
        code = hw_builder_control(b, e->control[i].from, e->control[i].to, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    layout_close(&l);
    return code;
}
