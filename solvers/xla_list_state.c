/* The state of xla-list.  See xla_list.h. */
#include "solvers/xla_list.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Storages that each node reads, each once. */
static bool lay_uses(hw_xla_listing *s)
{
    const hw_graph *g = s->m->graph;
    uint32_t *seen = HW_NEW(uint32_t, g->n_storages), count = 0;
    s->uses.offset = HW_NEW(uint32_t, (size_t)g->n_nodes + 1);
    s->uses.item = HW_NEW(uint32_t, g->inputs.offset[g->n_nodes]);
    bool laid = seen && s->uses.offset && s->uses.item;
    if (laid) {
        memset(seen, 0xff, (size_t)g->n_storages * sizeof *seen);
        for (uint32_t v = 0; v < g->n_nodes; v++) {
            s->uses.offset[v] = count;
            for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
                const uint32_t storage = g->tensor_storage[g->inputs.item[i]];
                if (seen[storage] != v)
                    s->uses.item[count++] = storage;
                seen[storage] = v;
            }
        }
        s->uses.offset[g->n_nodes] = count;
    }
    free(seen);
    return laid;
}

/* The inputs of all nodes turned round: rows by tensor, nodes ascending. */
static bool lay_readers(hw_xla_listing *s)
{
    const hw_graph *g = s->m->graph;
    uint32_t *last = HW_NEW(uint32_t, g->n_tensors);
    s->readers.offset = HW_NEW0(uint32_t, (size_t)g->n_tensors + 2);
    s->readers.item = HW_NEW(uint32_t, g->inputs.offset[g->n_nodes]);
    bool laid = last && s->readers.offset && s->readers.item;
    for (int pass = 0; laid && pass < 2; pass++) {
        memset(last, 0xff, (size_t)g->n_tensors * sizeof *last);
        for (uint32_t v = 0; v < g->n_nodes; v++)
            for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
                const uint32_t t = g->inputs.item[i];
                if (last[t] == v)
                    continue;
                last[t] = v;
                if (pass == 0)
                    s->readers.offset[t + 2]++;
                else
                    s->readers.item[s->readers.offset[t + 1]++] = v;
            }
        for (uint32_t t = 0; pass == 0 && t < g->n_tensors; t++)
            s->readers.offset[t + 2] += s->readers.offset[t + 1];
    }
    free(last);
    return laid;
}

static bool lay_sources(hw_xla_listing *s)
{
    const hw_graph *g = s->m->graph;
    s->source = HW_NEW(uint32_t, g->n_tensors);
    s->waiting = HW_NEW(uint32_t, g->n_nodes);
    if (!s->source || !s->waiting)
        return false;
    hw_count_preds(s->m, s->waiting);
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        if (g->tensor_producer[t] != HW_NONE || hw_xla_n_readers(s, t) == 0)
            continue;
        s->source[s->n_sources++] = t;
        for (uint32_t i = s->readers.offset[t]; i < s->readers.offset[t + 1]; i++)
            s->waiting[s->readers.item[i]]++;
    }
    return true;
}

/* Rows of succs ascend, so that their places come in turn as the rows of preds are read. */
static bool lay_control(hw_xla_listing *s)
{
    const hw_graph *g = s->m->graph;
    if (!s->x.n_data)
        return true;
    uint32_t *next = hw_copy(g->succs.offset, g->n_nodes, sizeof *next);
    s->control = HW_NEW(bool, g->n_edges);
    bool laid = next && s->control;
    for (uint32_t v = 0; laid && v < g->n_nodes; v++)
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            s->control[next[g->preds.item[i]]++] = i - g->preds.offset[v] >= s->x.n_data[v];
    free(next);
    return laid;
}

static bool lay_links(hw_xla_listing *s)
{
    const hw_graph *g = s->m->graph;
    const uint32_t places = g->inputs.offset[g->n_nodes];
    bool views = false;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        views = views || g->node_flags[v] & HW_NODE_VIEW;
    if (!views)
        return true;
    hw_xla_links *l = &s->links;
    l->next = HW_NEW(uint32_t, places);
    l->linked = HW_NEW0(bool, places);
    l->owner = HW_NEW(uint32_t, places);
    l->head = HW_NEW(uint32_t, g->n_tensors);
    if (!l->head || !l->next || !l->linked || !l->owner)
        return false;
    memset(l->head, 0xff, (size_t)g->n_tensors * sizeof *l->head);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            l->owner[i] = v;
    return true;
}

/* The bytes of a buffer that can be freed and was not given from outside. */
static void lay_values(hw_xla_listing *s)
{
    const hw_model *m = s->m;
    const hw_graph *g = m->graph;
    for (uint32_t i = 0; i < g->n_storages; i++)
        s->value[i] = (hw_xla_value){0};
    for (uint32_t b = 0; b < m->n_buffers; b++)
        if (m->buffer_maker[b] != HW_NONE)
            s->value[m->buffer_storage[b]].bytes = m->buffer_size[b];
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT)
            s->value[g->tensor_storage[t]].left = 1;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = s->uses.offset[v]; i < s->uses.offset[v + 1]; i++) {
            hw_xla_value *value = &s->value[s->uses.item[i]];
            value->left++;
            value->last ^= v;
        }
}

/*
 * Every item enters once, and anew at most once for each value that is left
 * with one reader.  A step changes at most one key for each storage it reads,
 * and takes along links, one for each place in graph->inputs at most.
 */
static bool lay_queue(hw_xla_listing *s, uint32_t entries)
{
    const hw_graph *g = s->m->graph;
    const size_t uses = s->uses.offset[g->n_nodes];
    s->entry = entries;
    s->value = HW_NEW(hw_xla_value, g->n_storages);
    s->item_of = HW_NEW(uint32_t, entries);
    s->place = HW_NEW(uint32_t, entries);
    s->entry_of = HW_NEW(uint32_t, g->n_nodes);
    s->stale = HW_NEW0(uint64_t, g->n_nodes);
    s->changed = HW_NEW(uint64_t, uses + (s->links.head ? g->inputs.offset[g->n_nodes] : 0));
    if (!s->value || !s->item_of || !s->place || !s->entry_of || !s->stale || !s->changed ||
        !hw_heap_init(&s->ready, g->n_nodes + s->n_sources, s->place))
        return false;
    memset(s->entry_of, 0xff, (size_t)g->n_nodes * sizeof *s->entry_of);
    return true;
}

hw_code hw_xla_listing_open(hw_xla_listing *s, const hw_model *m, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->m = m;
    hw_code code = hw_xla_open(&s->x, m->graph, err);
    if (code == HW_OK)
        code = hw_gate_open(&s->gate, m, false, err);
    if (code != HW_OK)
        return code;
    if (!lay_uses(s) || !lay_readers(s) || !lay_sources(s) || !lay_control(s) || !lay_links(s))
        return hw_fail_memory(err, "the values that nodes read");
    const uint64_t entries = (uint64_t)m->n_nodes + s->n_sources + m->graph->n_storages;
    if (entries > HW_HEAP_MOST)
        return hw_fail(err, HW_USAGE,
                       "xla-list numbers the entries of its queue up to %" PRIu32
                       "; nodes, inputs and storages of this graph are %" PRIu64
                       ": choose another solver, xla-dfs for one",
                       (uint32_t)HW_HEAP_MOST, entries);
    if (!lay_queue(s, (uint32_t)entries))
        return hw_fail_memory(err, "the queue of ready nodes");
    lay_values(s);
    return HW_OK;
}

void hw_xla_listing_close(hw_xla_listing *s)
{
    hw_xla_close(&s->x);
    hw_gate_close(&s->gate);
    hw_heap_free(&s->ready);
    free(s->source);
    free(s->uses.offset);
    free(s->uses.item);
    free(s->readers.offset);
    free(s->readers.item);
    free(s->control);
    free(s->value);
    free(s->waiting);
    free(s->item_of);
    free(s->entry_of);
    free(s->place);
    free(s->stale);
    free(s->changed);
    free(s->links.head);
    free(s->links.next);
    free(s->links.linked);
    free(s->links.owner);
}

static bool reads(const hw_xla_listing *s, uint32_t u, uint32_t tensor)
{
    uint32_t low = s->readers.offset[tensor], high = s->readers.offset[tensor + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->readers.item[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->readers.offset[tensor + 1] && s->readers.item[low] == u;
}

uint32_t hw_xla_first_shared(const hw_xla_listing *s, uint32_t v, uint32_t u)
{
    const hw_rows *inputs = &s->m->graph->inputs;
    for (uint32_t i = inputs->offset[v]; i < inputs->offset[v + 1]; i++)
        if (reads(s, u, inputs->item[i]))
            return i - inputs->offset[v];
    return HW_NONE;
}

void hw_xla_link(hw_xla_listing *s, uint32_t u)
{
    const hw_rows *inputs = &s->m->graph->inputs;
    hw_xla_links *l = &s->links;
    for (uint32_t i = inputs->offset[u]; i < inputs->offset[u + 1]; i++) {
        if (l->linked[i])
            continue;
        l->linked[i] = true;
        l->next[i] = l->head[inputs->item[i]];
        l->head[inputs->item[i]] = i;
    }
}

uint32_t hw_xla_unlink(hw_xla_listing *s, uint32_t tensor)
{
    hw_xla_links *l = &s->links;
    const uint32_t at = l->head[tensor];
    if (at == HW_NONE)
        return HW_NONE;
    l->head[tensor] = l->next[at];
    l->linked[at] = false;
    return l->owner[at];
}
