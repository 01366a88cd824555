/*
 * How low a peak cannot go.  See limits.h.
 *
 * By recomputing: under alloc-first v's inputs, outputs and workspace are there
 * at once, less what in-place pairs save.  A storage that holds an output cannot
 * be overwritten, but the early half of it can once its maker runs again: so
 * every output counts as saving the most that any pair allows.  Under free-first
 * the inputs are there before the step, and outputs and workspace in it.
 * Pinned inputs are there always.
 */
#include "advise/limits.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/bound.h"

typedef struct own_scan {
    const hw_model *m;
    uint32_t *seen;  /* by storage: the last node that was counted for it */
    uint64_t pinned; /* bytes of pinned inputs */
} own_scan;

static bool is_constant(const hw_graph *g, uint32_t t)
{
    return g->tensor_kind[g->storage_root[g->tensor_storage[t]]] == HW_CONSTANT;
}

static bool is_pinned(const own_scan *s, uint32_t t)
{
    const hw_graph *g = s->m->graph;
    return s->m->pin_inputs && g->tensor_kind[g->storage_root[g->tensor_storage[t]]] == HW_INPUT;
}

/* The most that overwriting for output o can save. */
static uint64_t most_reuse(const own_scan *s, uint32_t v, uint32_t o)
{
    const hw_graph *g = s->m->graph;
    uint64_t most = 0;
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
        hw_inplace_pair p = g->inplace_pair[i];
        if (p.output != o || is_constant(g, p.input) || is_pinned(s, p.input))
            continue;
        uint64_t size = g->tensor_size[g->storage_root[g->tensor_storage[p.input]]];
        if (size > g->tensor_size[o])
            size = g->tensor_size[o];
        most = size > most ? size : most;
    }
    return most;
}

/* *beside: bytes of pinned inputs that v does not read. */
static hw_own own_of(const own_scan *s, uint32_t v, uint64_t *beside)
{
    const hw_graph *g = s->m->graph;
    hw_own own = {.outputs = s->m->new_bytes[v], .workspace = hw_workspace(s->m, v)};
    *beside = s->pinned;
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t t = g->inputs.item[i], storage = g->tensor_storage[t];
        if (s->seen[storage] == v || is_constant(g, t))
            continue;
        s->seen[storage] = v;
        own.inputs += g->tensor_size[g->storage_root[storage]];
        if (is_pinned(s, t))
            *beside -= g->tensor_size[g->storage_root[storage]];
    }
    if (s->m->accounting == HW_FREE_FIRST || !g->inplace_offset)
        return own;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        own.reuse += most_reuse(s, v, g->outputs.item[i]);
    if (own.reuse > own.inputs)
        own.reuse = own.inputs;
    return own;
}

static uint64_t floor_of(const hw_model *m, const hw_own *own, uint64_t beside)
{
    if (m->accounting == HW_ALLOC_FIRST)
        return own->inputs + own->outputs + own->workspace - own->reuse + beside;
    uint64_t after = own->outputs + own->workspace;
    return (own->inputs > after ? own->inputs : after) + beside;
}

static void find_floor(const own_scan *s, hw_limit *out)
{
    const hw_model *m = s->m;
    uint64_t beside;
    *out = (hw_limit){m->live_empty, HW_NONE, .whole = true};
    if (m->live_full > out->bytes)
        out->bytes = m->live_full;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        hw_own own = own_of(s, v, &beside);
        uint64_t bytes = floor_of(m, &own, beside);
        if (bytes > out->bytes)
            *out = (hw_limit){bytes, v, own, true};
    }
}

static hw_code find_footprint(const hw_model *m, const hw_request *request, hw_limit *out,
                              hw_error *err)
{
    uint64_t *usage = HW_NEW(uint64_t, m->n_nodes);
    hw_meter meter;
    *out = (hw_limit){m->live_empty, HW_NONE, .whole = true};
    if (m->live_full > out->bytes)
        out->bytes = m->live_full;
    if (!usage)
        return hw_fail_memory(err, "lower bounds");
    hw_meter_start(&meter, request);
    hw_code code = bound_usage(m, request->stop, usage, err);
    if (code == HW_OK)
        code = bound_by_nodes(m, BOUND_FOOTPRINT, usage, &meter, &out->bytes, &out->node, err);
    out->whole = !meter.over;
    free(usage);
    return code;
}

hw_code hw_limits_find(const hw_model *m, const hw_request *request, hw_limit out[HW_LIMIT_KINDS],
                       hw_error *err)
{
    const hw_graph *g = m->graph;
    own_scan s = {m, HW_NEW(uint32_t, g->n_storages), 0};
    uint64_t beside;
    hw_code code = s.seen ? HW_OK : hw_fail_memory(err, "lower bounds");
    if (code == HW_OK) {
        for (uint32_t i = 0; i < g->n_storages; i++)
            s.seen[i] = HW_NONE;
        for (uint32_t t = 0; t < g->n_tensors && m->pin_inputs; t++)
            if (g->tensor_kind[t] == HW_INPUT)
                s.pinned += g->tensor_size[t];
        find_floor(&s, &out[HW_LIMIT_AGAIN]);
        code = find_footprint(m, request, &out[HW_LIMIT_ORDER], err);
    }
    if (code == HW_OK && out[HW_LIMIT_AGAIN].bytes > out[HW_LIMIT_ORDER].bytes) {
        /* holds without recomputation too */
        bool whole = out[HW_LIMIT_ORDER].whole;
        out[HW_LIMIT_ORDER] = out[HW_LIMIT_AGAIN];
        out[HW_LIMIT_ORDER].whole = whole;
    } else if (code == HW_OK && out[HW_LIMIT_ORDER].node != HW_NONE) {
        for (uint32_t i = 0; i < g->n_storages; i++)
            s.seen[i] = HW_NONE;
        out[HW_LIMIT_ORDER].own = own_of(&s, out[HW_LIMIT_ORDER].node, &beside);
    }
    free(s.seen);
    return code;
}
