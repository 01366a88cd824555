/* A piece of a model between two prefixes.  See exact_problem.h. */
#include "solvers/exact_problem.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code exact_map_init(exact_map *map, const hw_model *m, hw_error *err)
{
    map->meter = NULL;
    map->position = NULL;
    map->node = HW_NEW(uint32_t, m->n_nodes);
    map->buffer = HW_NEW(uint32_t, m->n_buffers);
    if (!map->node || !map->buffer) {
        exact_map_free(map);
        return hw_fail_memory(err, "the pieces of a graph");
    }
    memset(map->node, 0xff, (size_t)m->n_nodes * sizeof *map->node);
    memset(map->buffer, 0xff, (size_t)m->n_buffers * sizeof *map->buffer);
    return HW_OK;
}

void exact_map_free(exact_map *map)
{
    free(map->node);
    free(map->buffer);
    map->node = map->buffer = NULL;
}

void exact_problem_free(exact_problem *p)
{
    if (!p)
        return;
    free(p->node);
    free(p->new_bytes);
    free(p->dead_bytes);
    free(p->workspace);
    free(p->preds.offset);
    free(p->preds.item);
    free(p->succs.offset);
    free(p->succs.item);
    free(p->uses.offset);
    free(p->uses.item);
    free(p->earliest);
    free(p->latest);
    free(p->reuse_offset);
    free(p->reuse_pair);
    free(p->size);
    free(p->users.offset);
    free(p->users.item);
    free(p->above);
    free(p->closure);
    free(p->tops);
    free(p->top_bytes);
    free(p->impure);
    free(p->last_ok);
    free(p);
}

/* Number the nodes, then the buffers all of whose users have run by Q. */
static void number(const hw_model *m, const uint32_t *order, exact_problem *p, exact_map *map,
                   const uint32_t *position, uint32_t high)
{
    for (uint32_t i = 0; i < p->n; i++) {
        p->node[i] = order[i];
        map->node[order[i]] = i;
    }
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t v = order[i];
        for (uint32_t k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++) {
            uint32_t b = m->uses.item[k], u = m->users.offset[b], end = m->users.offset[b + 1];
            if (map->buffer[b] != HW_NONE)
                continue;
            while (u < end && position[m->users.item[u]] < high)
                u++;
            if (u == end)
                map->buffer[b] = p->n_buffers++;
        }
    }
}

static void forget(const hw_model *m, const exact_problem *p, exact_map *map)
{
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t v = p->node[i];
        map->node[v] = HW_NONE;
        for (uint32_t k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++)
            map->buffer[m->uses.item[k]] = HW_NONE;
    }
}

/* Rows of `from` for the nodes of the piece, renamed; others left out. */
static bool take_rows(const hw_rows *from, const uint32_t *name, const exact_problem *p,
                      hw_rows *to)
{
    size_t total = 0;
    for (uint32_t i = 0; i < p->n; i++)
        total += from->offset[p->node[i] + 1] - from->offset[p->node[i]];
    to->offset = HW_NEW(uint32_t, (size_t)p->n + 1);
    to->item = HW_NEW(uint32_t, total);
    if (!to->offset || !to->item)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        to->offset[i] = count;
        for (uint32_t k = from->offset[p->node[i]]; k < from->offset[p->node[i] + 1]; k++)
            if (name[from->item[k]] != HW_NONE)
                to->item[count++] = name[from->item[k]];
    }
    to->offset[p->n] = count;
    return true;
}

/* The other way round: which nodes use each buffer, ascending. */
static bool turn_uses(exact_problem *p)
{
    p->users.offset = HW_NEW0(uint32_t, (size_t)p->n_buffers + 2);
    p->users.item = HW_NEW(uint32_t, p->uses.offset[p->n]);
    if (!p->users.offset || !p->users.item)
        return false;
    for (uint32_t k = 0; k < p->uses.offset[p->n]; k++)
        p->users.offset[p->uses.item[k] + 2]++;
    for (uint32_t b = 2; b <= p->n_buffers; b++)
        p->users.offset[b] += p->users.offset[b - 1];
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
            p->users.item[p->users.offset[p->uses.item[k] + 1]++] = v;
    return true;
}

static bool take_reuse(const hw_model *m, const exact_map *map, exact_problem *p)
{
    size_t total = 0;
    for (uint32_t i = 0; m->reuse_offset && i < p->n; i++)
        for (uint32_t k = m->reuse_offset[p->node[i]]; k < m->reuse_offset[p->node[i] + 1]; k++)
            total += map->buffer[m->reuse_pair[k].buffer] != HW_NONE;
    if (total == 0)
        return true;
    p->reuse_offset = HW_NEW(uint32_t, (size_t)p->n + 1);
    p->reuse_pair = HW_NEW(hw_weighted_pair, total);
    if (!p->reuse_offset || !p->reuse_pair)
        return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        p->reuse_offset[i] = count;
        for (uint32_t k = m->reuse_offset[p->node[i]]; k < m->reuse_offset[p->node[i] + 1]; k++) {
            const hw_reuse_pair *pair = &m->reuse_pair[k];
            if (map->buffer[pair->buffer] != HW_NONE)
                p->reuse_pair[count++] =
                    (hw_weighted_pair){map->buffer[pair->buffer], pair->output, pair->saving};
        }
    }
    p->reuse_offset[p->n] = count;
    return true;
}

static void join(uint64_t *set, const uint64_t *more, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] |= more[w];
}

/*
 * Nodes that R3 must not let wait: those with workspace or dead outputs, and
 * those that read a buffer which an in-place pair of another node may
 * overwrite: were such a node postponed, that other node would lose its reuse.
 */
static void mark_impure(exact_problem *p)
{
    for (uint32_t v = 0; v < p->n; v++) {
        if (p->workspace[v] || p->dead_bytes[v])
            exact_add(p->impure, v);
        if (!p->reuse_offset)
            continue;
        for (uint32_t k = p->reuse_offset[v]; k < p->reuse_offset[v + 1]; k++) {
            uint32_t b = p->reuse_pair[k].left;
            for (uint32_t i = p->users.offset[b]; i < p->users.offset[b + 1]; i++)
                if (p->users.item[i] != v)
                    exact_add(p->impure, p->users.item[i]);
        }
    }
}

/* In lay_sets(), each of them with rows of bits as long as the piece. */
enum { LOOK_EVERY_NODES = 1024 };

static bool lay_sets(exact_problem *p)
{
    p->above = HW_NEW0(uint64_t, (size_t)p->n * p->words);
    p->closure = HW_NEW0(uint64_t, (size_t)p->n_buffers * p->words);
    p->tops = HW_NEW0(uint64_t, (size_t)p->n_buffers * p->words);
    p->top_bytes = HW_NEW0(uint64_t, p->n_buffers);
    p->impure = HW_NEW0(uint64_t, p->words);
    p->last_ok = HW_NEW(uint8_t, p->uses.offset[p->n]);
    if (!p->above || !p->closure || !p->tops || !p->top_bytes || !p->impure || !p->last_ok)
        return false;
    for (uint32_t v = 0; v < p->n; v++) {
        if (v % LOOK_EVERY_NODES == LOOK_EVERY_NODES - 1 && p->meter && hw_meter_past(p->meter))
            return false;
        uint64_t *set = p->above + (size_t)v * p->words;
        exact_add(set, v);
        for (uint32_t k = p->preds.offset[v]; k < p->preds.offset[v + 1]; k++)
            join(set, exact_above(p, p->preds.item[k]), p->words);
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++)
            join(p->closure + (size_t)p->uses.item[k] * p->words, set, p->words);
    }
    for (uint32_t v = 0; v < p->n; v++)
        for (uint32_t k = p->uses.offset[v]; k < p->uses.offset[v + 1]; k++) {
            uint32_t b = p->uses.item[k];
            p->last_ok[k] = 1;
            for (uint32_t i = p->users.offset[b]; i < p->users.offset[b + 1]; i++)
                if (p->users.item[i] != v && exact_has(exact_above(p, p->users.item[i]), v))
                    p->last_ok[k] = 0;
            if (!p->last_ok[k])
                continue;
            exact_add(p->tops + (size_t)b * p->words, v);
            if (p->new_bytes[v] > p->top_bytes[b])
                p->top_bytes[b] = p->new_bytes[v];
        }
    mark_impure(p);
    return true;
}

bool exact_problem_lay(exact_problem *p)
{
    return turn_uses(p) && lay_sets(p);
}

static bool take_figures(const hw_model *m, exact_problem *p)
{
    p->new_bytes = HW_NEW(uint64_t, p->n);
    p->dead_bytes = HW_NEW(uint64_t, p->n);
    p->workspace = HW_NEW(uint64_t, p->n);
    if (!p->new_bytes || !p->dead_bytes || !p->workspace)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        p->new_bytes[i] = m->new_bytes[p->node[i]];
        p->dead_bytes[i] = m->dead_bytes[p->node[i]];
        p->workspace[i] = hw_workspace(m, p->node[i]);
    }
    if (!m->earliest)
        return true;
    p->earliest = HW_NEW(uint32_t, p->n);
    p->latest = HW_NEW(uint32_t, p->n);
    if (!p->earliest || !p->latest)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        p->earliest[i] = m->earliest[p->node[i]];
        p->latest[i] = m->latest[p->node[i]];
    }
    return true;
}

static bool fill(const hw_model *m, const exact_map *map, exact_problem *p)
{
    const hw_graph *g = m->graph;
    if (!take_figures(m, p) || !take_rows(&g->preds, map->node, p, &p->preds) ||
        !take_rows(&g->succs, map->node, p, &p->succs) ||
        !take_rows(&m->uses, map->buffer, p, &p->uses) || !take_reuse(m, map, p) ||
        !exact_problem_lay(p))
        return false;
    p->size = HW_NEW(uint64_t, p->n_buffers);
    if (!p->size)
        return false;
    p->live_end = p->live_start;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t v = p->node[i];
        p->live_end += p->new_bytes[i] - p->dead_bytes[i];
        for (uint32_t k = m->uses.offset[v]; k < m->uses.offset[v + 1]; k++)
            if (map->buffer[m->uses.item[k]] != HW_NONE)
                p->size[map->buffer[m->uses.item[k]]] = m->buffer_size[m->uses.item[k]];
    }
    for (uint32_t b = 0; b < p->n_buffers; b++)
        p->live_end -= p->size[b];
    return true;
}

hw_code exact_problem_new(const hw_model *m, const uint32_t *order, uint32_t low, uint32_t high,
                          uint64_t live_start, uint64_t memory_bytes, exact_map *map,
                          exact_problem **out, hw_error *err)
{
    *out = NULL;
    exact_problem *p = HW_NEW0(exact_problem, 1);
    uint32_t *found = map->position ? NULL : HW_NEW(uint32_t, m->n_nodes);
    const uint32_t *position = map->position ? map->position : found;
    bool good = p && position;
    if (good) {
        p->n = high - low;
        p->words = p->n ? (p->n + 63) / 64 : 1;
        p->free_first = m->accounting == HW_FREE_FIRST;
        p->first_step = low;
        p->live_start = live_start;
        p->meter = map->meter;
        p->node = HW_NEW(uint32_t, p->n);
        good = p->node != NULL;
    }
    if (good) {
        if (found)
            hw_order_positions(order, m->n_nodes, found);
        number(m, order + low, p, map, position, high);
        uint64_t bytes = ((uint64_t)p->n + 2 * (uint64_t)p->n_buffers) * p->words * 8;
        good = (memory_bytes == 0 || bytes <= memory_bytes) && fill(m, map, p);
        forget(m, p, map);
    }
    free(found);
    if (!good) {
        exact_problem_free(p);
        return hw_fail_memory(err, "a piece of the graph");
    }
    *out = p;
    return HW_OK;
}
