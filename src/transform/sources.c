/* Constants and inputs as things that live and die.  See sources.h. */
#include "transform/sources.h"

#include <stdlib.h>

#include "core/memory.h"
#include "transform/recast.h"

/* Lists of the tensors to make, one for each node before which they are made. */
typedef struct stage {
    hw_recast recast;
    hw_fresh_ids ids;
    uint32_t *first; /* of a node: the first such tensor, or HW_NONE */
    uint32_t *next;  /* of a tensor: the next one of its node        */
    uint32_t *maker; /* of a tensor: its first reader, or HW_NONE    */
} stage;

/* Into lists, by tensor, the last one first so that each list ascends. */
static void list_sources(stage *s, const hw_graph *g, hw_kind kind, hw_source_place place)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        s->maker[t] = HW_NONE;
    for (uint32_t v = g->n_nodes; v-- > 0;) {
        s->first[v] = HW_NONE;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            if (g->tensor_kind[g->inputs.item[i]] == kind)
                s->maker[g->inputs.item[i]] = place == HW_AT_START ? 0 : v;
    }
    for (uint32_t t = g->n_tensors; t-- > 0;)
        if (s->maker[t] != HW_NONE) {
            s->next[t] = s->first[s->maker[t]];
            s->first[s->maker[t]] = t;
        }
}

static hw_code add_source(stage *s, uint32_t t, const char *op, hw_error *err)
{
    const hw_graph *g = s->recast.from;
    uint64_t output = hw_tensor_id(g, t);
    hw_node_spec spec = {
        .name = hw_tensor_name(g, t), .op = op, .outputs = &output, .n_outputs = 1};
    hw_code code = hw_fresh_id(&s->ids, &spec.id, err);
    return code == HW_OK ? hw_builder_node(s->recast.builder, &spec, err) : code;
}

static hw_code add_nodes(stage *s, const char *op, hw_error *err)
{
    const hw_graph *g = s->recast.from;
    hw_code code = HW_OK;
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++)
        code = hw_recast_tensor(&s->recast, t,
                                s->maker[t] == HW_NONE ? (hw_kind)g->tensor_kind[t] : HW_ACTIVATION,
                                err);
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        for (uint32_t t = s->first[v]; t != HW_NONE && code == HW_OK; t = s->next[t])
            code = add_source(s, t, op, err);
        if (code == HW_OK)
            code = hw_recast_node(&s->recast, v, err);
    }
    return code == HW_OK ? hw_recast_control(&s->recast, err) : code;
}

hw_code hw_add_sources(const hw_graph *g, hw_kind kind, const char *op, hw_source_place place,
                       hw_graph **out, hw_error *err)
{
    stage s = {.first = HW_NEW(uint32_t, g->n_nodes),
               .next = HW_NEW(uint32_t, g->n_tensors),
               .maker = HW_NEW(uint32_t, g->n_tensors)};
    *out = NULL;
    hw_code code = hw_refuse_windows(g, err);
    if (code == HW_OK)
        code = hw_recast_open(&s.recast, g, err);
    if (code == HW_OK)
        code = hw_fresh_ids_open(&s.ids, g, err);
    if (code == HW_OK && (!s.first || !s.next || !s.maker))
        code = hw_fail_memory(err, "a graph");
    if (code == HW_OK) {
        list_sources(&s, g, kind, place);
        code = add_nodes(&s, op, err);
    }
    if (code == HW_OK)
        code = hw_recast_finish(&s.recast, out, err);
    hw_recast_close(&s.recast);
    hw_fresh_ids_close(&s.ids);
    free(s.first);
    free(s.next);
    free(s.maker);
    return code;
}

static bool is_constant(const hw_graph *g, uint32_t t)
{
    return g->tensor_kind[g->storage_root[g->tensor_storage[t]]] == HW_CONSTANT;
}

/* The pairs of node v that name no constant, to the front; how many of n. */
static size_t keep_pairs(const hw_graph *g, uint32_t v, uint64_t *pair, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_constant(g, g->inplace_pair[g->inplace_offset[v] + i].input)) {
            pair[2 * kept] = pair[2 * i];
            pair[2 * kept + 1] = pair[2 * i + 1];
            kept++;
        }
    return kept;
}

hw_code hw_live_constants(const hw_graph *g, hw_graph **out, hw_error *err)
{
    hw_recast r;
    *out = NULL;
    hw_code code = hw_recast_open(&r, g, err);
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++) {
        hw_kind kind = (hw_kind)g->tensor_kind[t];
        code = hw_recast_tensor(&r, t, kind == HW_CONSTANT ? HW_INPUT : kind, err);
    }
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        hw_node_spec spec;
        code = hw_recast_spec(&r, v, &spec, err);
        if (code != HW_OK)
            break;
        spec.n_inplace = keep_pairs(g, v, r.id + spec.n_inputs + spec.n_outputs, spec.n_inplace);
        code = hw_builder_node(r.builder, &spec, err);
    }
    if (code == HW_OK)
        code = hw_recast_control(&r, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    return code;
}
