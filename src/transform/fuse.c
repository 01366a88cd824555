/* The fused graph.  See fuse.h. */
#include "transform/fuse.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "transform/recast.h"

enum { OP_BYTES = 256 };

typedef struct list {
    uint64_t *item;
    size_t n, room;
} list;

typedef struct fusing {
    const hw_graph *g;
    const hw_fusion *f;
    hw_recast recast;
    list inputs, outputs, pairs;
    uint32_t *seen;    /* of a tensor: group + 1 that has it among its inputs                 */
    uint32_t *aligned; /* of a tensor: the round in which it was read by element alone        */
    uint32_t *broken;  /* of a storage: the round in which it was read otherwise              */
    uint32_t round;    /* one for each output of a group that pairs may name                  */
    char op[OP_BYTES];
} fusing;

static bool push(list *l, uint64_t item)
{
    if (!hw_grow((void **)&l->item, &l->room, l->n + 1, sizeof *l->item))
        return false;
    l->item[l->n++] = item;
    return true;
}

/* "Conv+Relu", cut where it grows too long. */
static void join_ops(fusing *x, uint32_t group)
{
    static const char more[] = "+...";
    const hw_fusion *f = x->f;
    size_t used = 0;
    for (uint32_t k = f->offset[group]; k < f->offset[group + 1]; k++) {
        const char *op = hw_node_op(x->g, f->member[k]);
        size_t length = strlen(op);
        if (used + 1 + length + sizeof more > sizeof x->op) {
            memcpy(x->op + used, more, sizeof more);
            return;
        }
        if (k > f->offset[group])
            x->op[used++] = '+';
        memcpy(x->op + used, op, length);
        used += length;
    }
    x->op[used] = '\0';
}

static bool has_pair(const hw_graph *g, uint32_t v, uint32_t input, uint32_t output)
{
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++)
        if (g->inplace_pair[i].input == input && g->inplace_pair[i].output == output)
            return true;
    return false;
}

/* Does v read t for one of its outputs, element by element, for which it is itself so read? */
static bool read_aligned(const fusing *x, uint32_t v, uint32_t t, uint32_t output)
{
    const hw_graph *g = x->g;
    if (has_pair(g, v, t, output))
        return true;
    uint32_t first = g->outputs.offset[v];
    if (g->outputs.offset[v + 1] - first != 1)
        return false;
    uint32_t made = g->outputs.item[first];
    return made != output && x->aligned[made] == x->round &&
           g->tensor_size[made] == g->tensor_size[t] && has_pair(g, v, t, made);
}

/*
 * What element e of the output needs of every tensor that the group reads, from
 * the last member back: aligned where only element e, broken where more.  An
 * inner tensor counts as aligned where its reader is, at equal size.
 */
static void trace_back(fusing *x, uint32_t group, uint32_t output)
{
    const hw_graph *g = x->g;
    const hw_fusion *f = x->f;
    x->round++;
    for (uint32_t k = f->offset[group + 1]; k-- > f->offset[group];) {
        uint32_t v = f->member[k];
        bool single = g->outputs.offset[v + 1] - g->outputs.offset[v] == 1;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i];
            bool good = read_aligned(x, v, t, output);
            if (f->inner[t])
                good = good && single && g->tensor_size[t] == g->tensor_size[output];
            if (good)
                x->aligned[t] = x->round;
            else
                x->broken[g->tensor_storage[t]] = x->round;
        }
    }
}

static bool collect_pairs(fusing *x, uint32_t group)
{
    const hw_graph *g = x->g;
    uint32_t last = x->f->member[x->f->offset[group + 1] - 1];
    x->pairs.n = 0;
    if (!g->inplace_offset)
        return true;
    for (uint32_t i = g->outputs.offset[last]; i < g->outputs.offset[last + 1]; i++) {
        uint32_t output = g->outputs.item[i];
        trace_back(x, group, output);
        for (size_t k = 0; k < x->inputs.n; k++) {
            uint32_t t = (uint32_t)x->inputs.item[k]; /* still an index */
            if (x->aligned[t] == x->round && x->broken[g->tensor_storage[t]] != x->round &&
                (!push(&x->pairs, hw_tensor_id(g, t)) || !push(&x->pairs, hw_tensor_id(g, output))))
                return false;
        }
    }
    return true;
}

static bool collect(fusing *x, uint32_t group)
{
    const hw_graph *g = x->g;
    const hw_fusion *f = x->f;
    x->inputs.n = x->outputs.n = 0;
    for (uint32_t k = f->offset[group]; k < f->offset[group + 1]; k++) {
        uint32_t v = f->member[k];
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i];
            if (f->inner[t] || x->seen[t] == group + 1)
                continue;
            x->seen[t] = group + 1;
            if (!push(&x->inputs, t))
                return false;
        }
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
            if (!f->inner[g->outputs.item[i]] &&
                !push(&x->outputs, hw_tensor_id(g, g->outputs.item[i])))
                return false;
    }
    if (!collect_pairs(x, group))
        return false;
    for (size_t k = 0; k < x->inputs.n; k++)
        x->inputs.item[k] = hw_tensor_id(g, (uint32_t)x->inputs.item[k]);
    return true;
}

static hw_code add_group(fusing *x, uint32_t group, hw_error *err)
{
    const hw_graph *g = x->g;
    const hw_fusion *f = x->f;
    uint32_t last = f->member[f->offset[group + 1] - 1];
    if (!collect(x, group))
        return hw_fail_memory(err, "fusion");
    join_ops(x, group);
    hw_node_spec spec = {.id = hw_node_id(g, last),
                         .name = hw_node_name(g, last),
                         .op = x->op,
                         .inputs = x->inputs.item,
                         .n_inputs = x->inputs.n,
                         .outputs = x->outputs.item,
                         .n_outputs = x->outputs.n,
                         .inplace = x->pairs.item,
                         .n_inplace = x->pairs.n / 2};
    for (uint32_t k = f->offset[group]; k < f->offset[group + 1]; k++)
        if (hw_node_workspace(g, f->member[k]) > spec.workspace)
            spec.workspace = hw_node_workspace(g, f->member[k]);
    return hw_builder_node(x->recast.builder, &spec, err);
}

/* The node that node v became part of, as an id of the fused graph. */
static uint32_t home(const fusing *x, uint32_t v)
{
    uint32_t group = x->f->group[v];
    return hw_node_id(x->g, group == HW_NONE ? v : x->f->member[x->f->offset[group + 1] - 1]);
}

static hw_code add_all(fusing *x, hw_error *err)
{
    const hw_graph *g = x->g;
    const hw_fusion *f = x->f;
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++)
        if (!f->inner[t])
            code = hw_recast_tensor(&x->recast, t, (hw_kind)g->tensor_kind[t], err);
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        uint32_t group = f->group[v];
        if (group == HW_NONE)
            code = hw_recast_node(&x->recast, v, err);
        else if (f->member[f->offset[group + 1] - 1] == v)
            code = add_group(x, group, err);
    }
    for (uint32_t i = 0; i < g->n_control && code == HW_OK; i++) {
        uint32_t from = home(x, g->control[i].from), to = home(x, g->control[i].to);
        if (from != to) /* inside a chain it says nothing new */
            code = hw_builder_control(x->recast.builder, from, to, err);
    }
    return code;
}

hw_code hw_fuse(const hw_graph *g, const hw_fusion *f, hw_graph **out, hw_error *err)
{
    fusing x = {.g = g,
                .f = f,
                .seen = HW_NEW0(uint32_t, g->n_tensors),
                .aligned = HW_NEW0(uint32_t, g->n_tensors),
                .broken = HW_NEW0(uint32_t, g->n_storages)};
    *out = NULL;
    hw_code code = hw_recast_open(&x.recast, g, err);
    if (code == HW_OK && (!x.seen || !x.aligned || !x.broken))
        code = hw_fail_memory(err, "fusion");
    if (code == HW_OK)
        code = add_all(&x, err);
    if (code == HW_OK)
        code = hw_recast_finish(&x.recast, out, err);
    hw_recast_close(&x.recast);
    free(x.inputs.item);
    free(x.outputs.item);
    free(x.pairs.item);
    free(x.seen);
    free(x.aligned);
    free(x.broken);
    return code;
}
