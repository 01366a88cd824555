/* A graph under one accounting.  See model.h. */
#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/matching.h"
#include "model/windows.h"

const char *hw_accounting_name(hw_accounting accounting)
{
    return accounting == HW_FREE_FIRST ? "free-first" : "alloc-first";
}

void hw_model_free(hw_model *m)
{
    if (!m)
        return;
    free(m->new_bytes);
    free(m->dead_bytes);
    free(m->workspace);
    free(m->uses.offset);
    free(m->uses.item);
    free(m->makes.offset);
    free(m->makes.item);
    free(m->buffer_size);
    free(m->buffer_storage);
    free(m->buffer_maker);
    free(m->users.offset);
    free(m->users.item);
    free(m->reuse_offset);
    free(m->reuse_pair);
    free(m->reuse_most);
    free(m->earliest);
    free(m->latest);
    free(m);
}

/* What a storage is, found from its tensors and their consumers. */
enum { STAYS = 1, CONSUMED = 2, CONSTANT = 4 };

/* Marks of all storages into mark[]. */
static void mark_storages(const hw_model *m, uint8_t *mark)
{
    const hw_graph *g = m->graph;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t s = g->tensor_storage[t];
        if (g->tensor_kind[t] == HW_CONSTANT)
            mark[s] |= CONSTANT;
        if (g->tensor_kind[t] == HW_OUTPUT || (g->tensor_kind[t] == HW_INPUT && m->pin_inputs))
            mark[s] |= STAYS;
    }
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        mark[g->tensor_storage[g->inputs.item[i]]] |= CONSUMED;
}

/* Buffers, and what the other storages amount to. */
static hw_code lay_buffers(hw_model *m, const uint8_t *mark, uint32_t *buffer_of, hw_error *err)
{
    const hw_graph *g = m->graph;
    for (uint32_t s = 0; s < g->n_storages; s++)
        m->n_buffers += mark[s] == CONSUMED && g->tensor_size[g->storage_root[s]] > 0;
    m->buffer_size = HW_NEW(uint64_t, m->n_buffers);
    m->buffer_storage = HW_NEW(uint32_t, m->n_buffers);
    m->buffer_maker = HW_NEW(uint32_t, m->n_buffers);
    m->makes.offset = HW_NEW0(uint32_t, (size_t)g->n_nodes + 2);
    m->makes.item = HW_NEW(uint32_t, m->n_buffers);
    if (!m->buffer_size || !m->buffer_storage || !m->buffer_maker || !m->makes.offset ||
        !m->makes.item)
        return hw_fail_memory(err, "the model of a graph");
    uint32_t count = 0;
    for (uint32_t s = 0; s < g->n_storages; s++) {
        uint32_t root = g->storage_root[s], maker = g->tensor_producer[root];
        uint64_t size = g->tensor_size[root];
        buffer_of[s] = HW_NONE;
        if (mark[s] & CONSTANT) {
            m->resident_bytes += size;
            continue;
        }
        if (maker == HW_NONE)
            m->live_empty += mark[s] ? size : 0; /* nobody wants it: freed before step 0 */
        else
            m->new_bytes[maker] += size;
        if (mark[s] == 0 && maker != HW_NONE)
            m->dead_bytes[maker] += size;
        if (mark[s] & STAYS)
            m->live_full += size;
        if (mark[s] == CONSUMED && size > 0) {
            m->buffer_size[count] = size;
            m->buffer_storage[count] = s;
            m->buffer_maker[count] = maker;
            if (maker != HW_NONE)
                m->makes.offset[maker + 2]++;
            buffer_of[s] = count++;
        }
    }
    for (uint32_t v = 2; v <= g->n_nodes; v++)
        m->makes.offset[v] += m->makes.offset[v - 1];
    for (uint32_t b = 0; b < m->n_buffers; b++)
        if (m->buffer_maker[b] != HW_NONE)
            m->makes.item[m->makes.offset[m->buffer_maker[b] + 1]++] = b;
    return HW_OK;
}

/* Which nodes use which buffers, both ways. */
static hw_code lay_uses(hw_model *m, const uint32_t *buffer_of, hw_error *err)
{
    const hw_graph *g = m->graph;
    uint32_t n = g->n_nodes, most = g->inputs.offset[n];
    uint32_t *seen = HW_NEW(uint32_t, m->n_buffers);
    m->uses.offset = HW_NEW(uint32_t, (size_t)n + 1);
    m->uses.item = HW_NEW(uint32_t, most);
    m->users.offset = HW_NEW0(uint32_t, (size_t)m->n_buffers + 2);
    if (!seen || !m->uses.offset || !m->uses.item || !m->users.offset) {
        free(seen);
        return hw_fail_memory(err, "the model of a graph");
    }
    memset(seen, 0xff, (size_t)m->n_buffers * sizeof *seen);
    uint32_t count = 0;
    for (uint32_t v = 0; v < n; v++) {
        m->uses.offset[v] = count;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t b = buffer_of[g->tensor_storage[g->inputs.item[i]]];
            if (b == HW_NONE || seen[b] == v)
                continue;
            seen[b] = v;
            m->uses.item[count++] = b;
            m->users.offset[b + 2]++;
        }
    }
    m->uses.offset[n] = count;
    free(seen);
    m->users.item = HW_NEW(uint32_t, count);
    if (!m->users.item)
        return hw_fail_memory(err, "the model of a graph");
    for (uint32_t b = 2; b <= m->n_buffers; b++)
        m->users.offset[b] += m->users.offset[b - 1];
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            m->users.item[m->users.offset[m->uses.item[i] + 1]++] = v;
    return HW_OK;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool always(const void *context, uint32_t buffer)
{
    (void)context;
    (void)buffer;
    return true;
}

/* In-place pairs that can save bytes, each once. */
static hw_code lay_reuse(hw_model *m, const uint32_t *buffer_of, hw_error *err)
{
    const hw_graph *g = m->graph;
    if (!g->inplace_offset)
        return HW_OK;
    uint32_t n = g->n_nodes;
    for (uint32_t v = 0; m->pin_inputs && v < n; v++) {
        if (!(g->node_flags[v] & HW_NODE_INPLACE_REQUIRED))
            continue;
        uint32_t t = g->inplace_pair[g->inplace_offset[v]].input;
        uint32_t root = g->storage_root[g->tensor_storage[t]];
        if (g->tensor_kind[root] == HW_INPUT)
            return hw_fail(err, HW_BAD_INPUT,
                           "node %" PRIu32 " must overwrite the storage of input %" PRIu32
                           ", which stays when inputs are pinned: drop --pin-inputs or "
                           "inplace_required",
                           hw_node_id(g, v), hw_tensor_id(g, root));
    }
    if (m->accounting == HW_FREE_FIRST)
        return HW_OK;
    m->reuse_offset = HW_NEW(uint32_t, (size_t)n + 1);
    m->reuse_pair = HW_NEW(hw_reuse_pair, g->inplace_offset[n]);
    m->reuse_most = HW_NEW0(uint64_t, n);
    if (!m->reuse_offset || !m->reuse_pair || !m->reuse_most)
        return hw_fail_memory(err, "in-place pairs");
    uint32_t count = 0;
    for (uint32_t v = 0; v < n; v++) {
        m->reuse_offset[v] = count;
        for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
            hw_inplace_pair pair = g->inplace_pair[i];
            uint32_t b = buffer_of[g->tensor_storage[pair.input]];
            uint64_t size = g->tensor_size[pair.output];
            if (b != HW_NONE && size > 0)
                m->reuse_pair[count++] =
                    (hw_reuse_pair){b, pair.output, least(m->buffer_size[b], size)};
        }
        m->reuse_offset[v + 1] = count;
        m->reuse_most[v] = hw_reuse(m, v, always, NULL);
        if (m->reuse_most[v] == UINT64_MAX)
            return hw_fail_memory(err, "in-place pairs");
    }
    if (count == 0) { /* nothing can be saved: solvers take the plain path */
        free(m->reuse_offset);
        free(m->reuse_pair);
        free(m->reuse_most);
        m->reuse_offset = NULL;
        m->reuse_pair = NULL;
        m->reuse_most = NULL;
    }
    return HW_OK;
}

uint64_t hw_reuse(const hw_model *m, uint32_t v, bool (*dying)(const void *, uint32_t),
                  const void *context)
{
    if (!m->reuse_offset)
        return 0;
    uint32_t begin = m->reuse_offset[v], end = m->reuse_offset[v + 1];
    if (begin == end)
        return 0;
    hw_weighted_pair few[HW_MATCHING_PAIRS] = {{0}}, *pairs = few;
    if (end - begin > HW_MATCHING_PAIRS) {
        pairs = HW_NEW(hw_weighted_pair, end - begin);
        if (!pairs)
            return UINT64_MAX;
    }
    size_t n = 0;
    for (uint32_t i = begin; i < end; i++) {
        const hw_reuse_pair *p = &m->reuse_pair[i];
        if (dying(context, p->buffer))
            pairs[n++] = (hw_weighted_pair){p->buffer, p->output, p->saving};
    }
    uint64_t saved = hw_matching(pairs, n);
    if (pairs != few)
        free(pairs);
    return saved;
}

uint64_t hw_reuse_choose(const hw_model *m, uint32_t v, bool (*dying)(const void *, uint32_t),
                         const void *context, hw_reuse_pair *chosen, uint32_t *n)
{
    *n = 0;
    if (!m->reuse_offset || m->reuse_offset[v] == m->reuse_offset[v + 1])
        return 0;
    uint32_t begin = m->reuse_offset[v], most = m->reuse_offset[v + 1] - begin, count = 0;
    hw_weighted_pair *pairs = HW_NEW(hw_weighted_pair, most);
    bool *taken = HW_NEW(bool, most);
    uint64_t saved = UINT64_MAX;
    if (pairs && taken) {
        for (uint32_t i = 0; i < most; i++) {
            const hw_reuse_pair *p = &m->reuse_pair[begin + i];
            if (!dying(context, p->buffer))
                continue;
            chosen[count] = *p;
            pairs[count++] = (hw_weighted_pair){p->buffer, p->output, p->saving};
        }
        saved = hw_matching_choose(pairs, count, taken);
        for (uint32_t i = 0; saved != UINT64_MAX && i < count; i++)
            if (taken[i])
                chosen[(*n)++] = chosen[i];
    }
    free(pairs);
    free(taken);
    return saved;
}

/* From each node alone: what it reads and makes must be there. */
void hw_model_find_bound(hw_model *m)
{
    uint64_t bound = m->live_empty > m->live_full ? m->live_empty : m->live_full;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t usage = m->new_bytes[v] + hw_workspace(m, v), read = 0;
        for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
            read += m->buffer_size[m->uses.item[i]];
        if (m->accounting == HW_ALLOC_FIRST)
            usage += read - (m->reuse_most ? m->reuse_most[v] : 0);
        else if (read > usage)
            usage = read; /* live before the step, which the step before reached */
        if (usage > bound)
            bound = usage;
    }
    m->simple_bound = bound;
}

static hw_code lay_windows(hw_model *m, hw_error *err)
{
    m->legal = true;
    if (!m->graph->node_window)
        return HW_OK;
    m->earliest = HW_NEW(uint32_t, m->n_nodes);
    m->latest = HW_NEW(uint32_t, m->n_nodes);
    if (!m->earliest || !m->latest)
        return hw_fail_memory(err, "windows");
    return hw_windows_tighten(m->graph, m->earliest, m->latest, &m->legal, err);
}

hw_code hw_model_new(const hw_graph *g, hw_accounting accounting, bool pin_inputs, hw_model **out,
                     hw_error *err)
{
    *out = NULL;
    hw_model *m = HW_NEW0(hw_model, 1);
    uint8_t *mark = HW_NEW0(uint8_t, g->n_storages);
    uint32_t *buffer_of = HW_NEW(uint32_t, g->n_storages);
    hw_code code = HW_OK;
    if (!m || !mark || !buffer_of) {
        code = hw_fail_memory(err, "the model of a graph");
    } else {
        m->graph = g;
        m->accounting = accounting;
        m->pin_inputs = pin_inputs;
        m->n_nodes = g->n_nodes;
        m->new_bytes = HW_NEW0(uint64_t, g->n_nodes);
        m->dead_bytes = HW_NEW0(uint64_t, g->n_nodes);
        m->workspace = g->node_workspace ? hw_copy(g->node_workspace, g->n_nodes, 8) : NULL;
        if (!m->new_bytes || !m->dead_bytes || (g->node_workspace && !m->workspace))
            code = hw_fail_memory(err, "the model of a graph");
    }
    if (code == HW_OK) {
        mark_storages(m, mark);
        code = lay_buffers(m, mark, buffer_of, err);
    }
    if (code == HW_OK)
        code = lay_uses(m, buffer_of, err);
    if (code == HW_OK)
        code = lay_reuse(m, buffer_of, err);
    if (code == HW_OK)
        code = lay_windows(m, err);
    free(mark);
    free(buffer_of);
    if (code != HW_OK) {
        hw_model_free(m);
        return code;
    }
    hw_model_find_bound(m);
    *out = m;
    return HW_OK;
}
