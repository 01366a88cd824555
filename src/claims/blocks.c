/* Release by blocks.  See blocks.h. */
#include "claims/blocks.h"

#include <stdlib.h>

#include "core/memory.h"
#include "transform/recast.h"

void hw_blocks_equal(uint32_t n_nodes, uint32_t count, uint32_t *block)
{
    if (count > n_nodes)
        count = n_nodes;
    for (uint32_t i = 0; i < n_nodes; i++)
        block[i] = (uint32_t)((uint64_t)i * count / n_nodes);
}

hw_code hw_blocks_narrow(const hw_model *m, const uint32_t *order, uint32_t *block, hw_error *err)
{
    uint32_t *left = HW_NEW(uint32_t, m->n_buffers), alive = 0, now = 0;
    if (!left)
        return hw_fail_memory(err, "blocks");
    for (uint32_t b = 0; b < m->n_buffers; b++)
        left[b] = m->users.offset[b + 1] - m->users.offset[b];
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint32_t v = order[i];
        block[i] = now;
        alive += m->makes.offset[v + 1] - m->makes.offset[v];
        for (uint32_t k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++) {
            uint32_t b = m->uses.item[k];
            if (--left[b] == 0)
                alive -= m->buffer_maker[b] != HW_NONE;
        }
        now += alive <= 1;
    }
    free(left);
    return HW_OK;
}

/* ---- Reads to the end of a block. ---- */

typedef struct keeper {
    const hw_graph *g;
    const uint32_t *order;
    uint32_t *position; /* of a node                                           */
    uint32_t *until;    /* by tensor: the node that must read it too; HW_NONE */
    uint32_t *last;     /* by block: its last step                             */
    hw_rows extra;      /* by node: tensors that it reads too                  */
    uint64_t *list;
} keeper;

static uint32_t root_of(const hw_graph *g, uint32_t t)
{
    return g->storage_root[g->tensor_storage[t]];
}

/* Who must read each root to keep it so long: the last node of the block, unless it reads or makes
 * it anyway or others read it later. */
static void find_until(keeper *k, const uint32_t *block, hw_blocks_rule rule)
{
    const hw_graph *g = k->g;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        k->last[block[i]] = i;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        k->until[t] = HW_NONE;
    for (uint32_t i = 0; i < g->n_nodes; i++) { /* the last consumer, as a step for now */
        uint32_t v = k->order[i];
        for (uint32_t e = g->inputs.offset[v]; e < g->inputs.offset[v + 1]; e++)
            k->until[root_of(g, g->inputs.item[e])] = i;
    }
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t maker = g->tensor_producer[t], step = k->until[t];
        bool counts = root_of(g, t) == t && maker != HW_NONE;
        k->until[t] = HW_NONE;
        if (!counts)
            continue;
        uint32_t made = k->position[maker], used = step == HW_NONE ? made : step;
        uint32_t end = k->last[block[rule == HW_BLOCKS_MAKER ? made : used]];
        if (end > used)
            k->until[t] = k->order[end];
    }
}

/* The lists by node, out of `until`. */
static void lay_extra(keeper *k)
{
    const hw_graph *g = k->g;
    uint32_t *offset = k->extra.offset;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (k->until[t] != HW_NONE)
            offset[k->until[t] + 2]++;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        offset[v + 2] += offset[v + 1];
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (k->until[t] != HW_NONE)
            k->extra.item[offset[k->until[t] + 1]++] = t;
}

static hw_code put_node(keeper *k, hw_recast *r, uint32_t v, hw_error *err)
{
    hw_node_spec spec;
    hw_code code = hw_recast_spec(r, v, &spec, err);
    if (code != HW_OK)
        return code;
    size_t n = 0;
    for (; n < spec.n_inputs; n++)
        k->list[n] = spec.inputs[n];
    for (uint32_t e = k->extra.offset[v]; e < k->extra.offset[v + 1]; e++)
        k->list[n++] = hw_tensor_id(k->g, k->extra.item[e]);
    spec.inputs = k->list;
    spec.n_inputs = n;
    return hw_builder_node(r->builder, &spec, err);
}

static hw_code build(keeper *k, hw_graph **out, hw_error *err)
{
    hw_recast r = {0};
    hw_code code = hw_recast_open(&r, k->g, err);
    if (code == HW_OK)
        code = hw_recast_tensors(&r, err);
    for (uint32_t v = 0; code == HW_OK && v < k->g->n_nodes; v++)
        code = put_node(k, &r, v, err);
    if (code == HW_OK)
        code = hw_recast_control(&r, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}

hw_code hw_blocks_release(const hw_graph *g, const uint32_t *order, const uint32_t *block,
                          hw_blocks_rule rule, hw_graph **out, hw_error *err)
{
    size_t inputs = g->inputs.offset[g->n_nodes];
    keeper k = {
        .g = g,
        .order = order,
        .position = HW_NEW(uint32_t, g->n_nodes),
        .until = HW_NEW(uint32_t, g->n_tensors),
        .last = HW_NEW0(uint32_t, g->n_nodes),
        .extra = {HW_NEW0(uint32_t, (size_t)g->n_nodes + 2), HW_NEW(uint32_t, g->n_tensors)},
        .list = HW_NEW(uint64_t, inputs + g->n_tensors)};
    hw_code code = HW_OK;
    if (!k.position || !k.until || !k.last || !k.extra.offset || !k.extra.item || !k.list)
        code = hw_fail_memory(err, "release by blocks");
    if (code == HW_OK) {
        hw_order_positions(order, g->n_nodes, k.position);
        find_until(&k, block, rule);
        lay_extra(&k);
        code = build(&k, out, err);
    }
    free(k.position);
    free(k.until);
    free(k.last);
    free(k.extra.offset);
    free(k.extra.item);
    free(k.list);
    return code;
}
