/* The part of a model between two prefixes.  See slice.h. */
#include "model/slice.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code hw_slicer_open(hw_slicer *s, const hw_model *m, const uint32_t *order, hw_error *err)
{
    *s = (hw_slicer){.model = m, .order = order};
    s->position = HW_NEW(uint32_t, m->n_nodes);
    s->last = HW_NEW0(uint32_t, m->n_buffers);
    s->name = HW_NEW(uint32_t, m->n_buffers);
    if (!s->position || !s->last || !s->name)
        return hw_fail_memory(err, "the slices of an order");
    hw_order_positions(order, m->n_nodes, s->position);
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        s->name[b] = HW_NONE;
        for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++)
            if (s->position[m->users.item[i]] > s->last[b])
                s->last[b] = s->position[m->users.item[i]];
    }
    return HW_OK;
}

void hw_slicer_close(hw_slicer *s)
{
    free(s->position);
    free(s->last);
    free(s->name);
}

void hw_slice_free(hw_model *slice)
{
    if (!slice)
        return;
    hw_graph *g = (hw_graph *)slice->graph; /* made here, for this slice alone */
    hw_model_free(slice);
    hw_graph_free(g);
}

static bool allocate_rows(hw_rows *rows, uint32_t n, size_t items)
{
    rows->offset = HW_NEW0(uint32_t, (size_t)n + 2); /* one more, for turn_rows() */
    rows->item = HW_NEW(uint32_t, items);
    return rows->offset && rows->item;
}

static size_t count_items(const hw_slicer *s, const hw_rows *rows, uint32_t low, uint32_t high)
{
    size_t items = 0;
    for (uint32_t i = low; i < high; i++)
        items += rows->offset[s->order[i] + 1] - rows->offset[s->order[i]];
    return items;
}

/* Rows of nodes, of the nodes of the slice; others are left out. */
static bool take_edges(const hw_slicer *s, const hw_rows *from, uint32_t low, uint32_t high,
                       hw_rows *to)
{
    if (!allocate_rows(to, high - low, count_items(s, from, low, high)))
        return false;
    uint32_t count = 0;
    for (uint32_t i = low; i < high; i++) {
        uint32_t v = s->order[i];
        to->offset[i - low] = count;
        for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++) {
            uint32_t at = s->position[from->item[k]];
            if (low <= at && at < high)
                to->item[count++] = at - low;
        }
    }
    to->offset[high - low] = count;
    return true;
}

/* Rows of buffers, of the buffers that have a name. */
static bool take_buffers(const hw_slicer *s, const hw_rows *from, uint32_t low, uint32_t high,
                         hw_rows *to)
{
    if (!allocate_rows(to, high - low, count_items(s, from, low, high)))
        return false;
    uint32_t count = 0;
    for (uint32_t i = low; i < high; i++) {
        uint32_t v = s->order[i];
        to->offset[i - low] = count;
        for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++)
            if (s->name[from->item[k]] != HW_NONE)
                to->item[count++] = s->name[from->item[k]];
    }
    to->offset[high - low] = count;
    return true;
}

/* The other way round: which of n rows name each of n_items items, ascending. */
static bool turn_rows(const hw_rows *from, uint32_t n, uint32_t n_items, hw_rows *to)
{
    if (!allocate_rows(to, n_items, from->offset[n]))
        return false;
    for (uint32_t k = 0; k < from->offset[n]; k++)
        to->offset[from->item[k] + 2]++;
    for (uint32_t b = 2; b <= n_items; b++)
        to->offset[b] += to->offset[b - 1];
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++)
            to->item[to->offset[from->item[k] + 1]++] = v;
    return true;
}

/* Place the nodes; name the buffers that die in the slice: none of their users comes later. */
static void name_buffers(hw_slicer *s, uint32_t low, uint32_t high, hw_model *slice)
{
    const hw_rows *uses = &s->model->uses;
    for (uint32_t i = low; i < high; i++)
        s->position[s->order[i]] = i; /* the order may have changed in here */
    for (uint32_t i = low; i < high; i++)
        for (uint32_t k = uses->offset[s->order[i]]; k < uses->offset[s->order[i] + 1]; k++) {
            uint32_t b = uses->item[k];
            if (s->last[b] < high && s->name[b] == HW_NONE)
                s->name[b] = slice->n_buffers++;
        }
}

static void forget_buffers(hw_slicer *s, uint32_t low, uint32_t high)
{
    const hw_rows *uses = &s->model->uses;
    for (uint32_t i = low; i < high; i++)
        for (uint32_t k = uses->offset[s->order[i]]; k < uses->offset[s->order[i] + 1]; k++)
            s->name[uses->item[k]] = HW_NONE;
}

static bool take_figures(const hw_slicer *s, uint32_t low, hw_model *slice)
{
    const hw_model *m = s->model;
    const uint32_t n = slice->n_nodes;
    slice->new_bytes = HW_NEW(uint64_t, n);
    slice->dead_bytes = HW_NEW(uint64_t, n);
    slice->workspace = m->workspace ? HW_NEW(uint64_t, n) : NULL;
    slice->earliest = m->earliest ? HW_NEW(uint32_t, n) : NULL;
    slice->latest = m->latest ? HW_NEW(uint32_t, n) : NULL;
    if (!slice->new_bytes || !slice->dead_bytes || (m->workspace && !slice->workspace) ||
        (m->earliest && (!slice->earliest || !slice->latest)))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = s->order[low + i];
        slice->new_bytes[i] = m->new_bytes[v];
        slice->dead_bytes[i] = m->dead_bytes[v];
        slice->live_full += m->new_bytes[v] - m->dead_bytes[v];
        if (m->workspace)
            slice->workspace[i] = m->workspace[v];
        if (m->earliest) {
            slice->earliest[i] = m->earliest[v] > low ? m->earliest[v] - low : 0;
            slice->latest[i] = m->latest[v] - low < n ? m->latest[v] - low : n - 1;
        }
    }
    return true;
}

static bool lay_buffers(const hw_slicer *s, uint32_t low, uint32_t high, hw_model *slice)
{
    const hw_model *m = s->model;
    slice->buffer_size = HW_NEW(uint64_t, slice->n_buffers);
    slice->buffer_storage = HW_NEW(uint32_t, slice->n_buffers);
    slice->buffer_maker = HW_NEW(uint32_t, slice->n_buffers);
    if (!slice->buffer_size || !slice->buffer_storage || !slice->buffer_maker)
        return false;
    for (uint32_t i = low; i < high; i++)
        for (uint32_t k = m->uses.offset[s->order[i]]; k < m->uses.offset[s->order[i] + 1]; k++) {
            uint32_t b = m->uses.item[k], name = s->name[b], maker = m->buffer_maker[b];
            if (name == HW_NONE)
                continue;
            bool made_here = maker != HW_NONE && s->position[maker] >= low;
            slice->buffer_size[name] = m->buffer_size[b];
            slice->buffer_storage[name] = m->buffer_storage[b];
            slice->buffer_maker[name] = made_here ? s->position[maker] - low : HW_NONE;
        }
    for (uint32_t b = 0; b < slice->n_buffers; b++)
        slice->live_full -= slice->buffer_size[b];
    return true;
}

/* In-place pairs whose buffer can die here. */
static bool take_reuse(const hw_slicer *s, uint32_t low, hw_model *slice)
{
    const hw_model *m = s->model;
    const uint32_t n = slice->n_nodes;
    size_t pairs = 0;
    for (uint32_t i = 0; m->reuse_offset && i < n; i++)
        for (uint32_t v = s->order[low + i], k = m->reuse_offset[v]; k < m->reuse_offset[v + 1];
             k++)
            pairs += s->name[m->reuse_pair[k].buffer] != HW_NONE;
    if (pairs == 0)
        return true;
    slice->reuse_offset = HW_NEW(uint32_t, (size_t)n + 1);
    slice->reuse_pair = HW_NEW(hw_reuse_pair, pairs);
    slice->reuse_most = HW_NEW(uint64_t, n);
    if (!slice->reuse_offset || !slice->reuse_pair || !slice->reuse_most)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = s->order[low + i];
        slice->reuse_offset[i] = count;
        slice->reuse_most[i] = m->reuse_most[v];
        for (uint32_t k = m->reuse_offset[v]; k < m->reuse_offset[v + 1]; k++) {
            hw_reuse_pair pair = m->reuse_pair[k];
            pair.buffer = s->name[pair.buffer];
            if (pair.buffer != HW_NONE)
                slice->reuse_pair[count++] = pair;
        }
    }
    slice->reuse_offset[n] = count;
    return true;
}

static bool lay(hw_slicer *s, uint32_t low, uint32_t high, hw_model *slice, hw_graph *g)
{
    const hw_graph *whole = s->model->graph;
    return take_edges(s, &whole->preds, low, high, &g->preds) &&
           take_edges(s, &whole->succs, low, high, &g->succs) && take_figures(s, low, slice) &&
           take_buffers(s, &s->model->uses, low, high, &slice->uses) &&
           turn_rows(&slice->uses, slice->n_nodes, slice->n_buffers, &slice->users) &&
           take_buffers(s, &s->model->makes, low, high, &slice->makes) &&
           lay_buffers(s, low, high, slice) && take_reuse(s, low, slice);
}

hw_code hw_slice_new(hw_slicer *s, uint32_t low, uint32_t high, uint64_t live, hw_model **out,
                     hw_error *err)
{
    hw_model *slice = HW_NEW0(hw_model, 1);
    hw_graph *g = HW_NEW0(hw_graph, 1);
    *out = NULL;
    if (!slice || !g) {
        free(slice);
        free(g);
        return hw_fail_memory(err, "a slice of an order");
    }
    slice->graph = g;
    slice->accounting = s->model->accounting;
    slice->pin_inputs = s->model->pin_inputs;
    slice->n_nodes = g->n_nodes = high - low;
    slice->legal = true;
    slice->live_empty = slice->live_full = live;
    name_buffers(s, low, high, slice);
    bool laid = lay(s, low, high, slice, g);
    forget_buffers(s, low, high);
    if (!laid) {
        hw_slice_free(slice);
        return hw_fail_memory(err, "a slice of an order");
    }
    g->n_edges = g->preds.offset[g->n_nodes];
    g->source_order_legal_edges = true;
    hw_model_find_bound(slice);
    *out = slice;
    return HW_OK;
}
