/*
 * A prefix that steps to and fro.  See beam_walk.h.
 *
 * Forwards a buffer matters to a key when one consumer is left, who frees it:
 * the XOR of those left names it (net_change.h).  Backwards, R being what has
 * not been taken off, v brings back those of its buffers of which no consumer
 * has been taken off (greedy_reverse.c), so the first one to go changes the
 * keys of all others.
 */
#include "solvers/beam_walk.h"

#include <string.h>

#include "model/paths.h"

/* Does v, which has not moved, free buffer b forwards, or bring it back backwards? */
static bool decides(const beam_walk *w, uint32_t b)
{
    const uint32_t *offset = w->m->users.offset;
    return w->buffer[b].left == (w->backwards ? offset[b + 1] - offset[b] : 1);
}

static hw_key key_of(const beam_walk *w, uint32_t item)
{
    const hw_model *m = w->m;
    uint32_t v = beam_walk_node(w, item);
    uint64_t bytes = 0, made = m->new_bytes[v] - m->dead_bytes[v];
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++)
        bytes += decides(w, m->uses.item[i]) ? m->buffer_size[m->uses.item[i]] : 0;
    hw_key net = w->backwards ? bytes * HW_NET_UNIT - made * HW_NET_UNIT
                              : made * HW_NET_UNIT - bytes * HW_NET_UNIT;
    return HW_NET_BIAS + net - w->path[v] * HW_NET_PATH_UNIT + item;
}

hw_code beam_walk_open(beam_walk *w, const hw_model *m, bool backwards, hw_error *err)
{
    const hw_graph *g = m->graph;
    uint32_t n = m->n_nodes;
    *w = (beam_walk){.m = m,
                     .backwards = backwards,
                     .live = backwards ? m->live_full : m->live_empty,
                     .next = backwards ? &g->preds : &g->succs,
                     .previous = backwards ? &g->succs : &g->preds,
                     .buffer = HW_NEW(hw_net_buffer, m->n_buffers),
                     .path = HW_NEW(uint32_t, n),
                     .waiting = HW_NEW(uint32_t, n)};
    if (!w->buffer || !w->path || !w->waiting || !hw_heap_init(&w->ready, n, w->waiting))
        return hw_fail_memory(err, "a beam");
    hw_code code = hw_gate_open(&w->gate, m, backwards, err);
    if (code == HW_OK)
        code = backwards ? hw_paths_up(g, w->path, err) : hw_paths_down(g, w->path, err);
    if (code != HW_OK)
        return code;
    hw_net_lay_buffers(m, w->buffer);
    for (uint32_t item = 0; item < n; item++) {
        const uint32_t *offset = w->previous->offset + beam_walk_node(w, item);
        w->waiting[item] = offset[1] - offset[0];
    }
    for (uint32_t item = 0; item < n; item++)
        if (w->waiting[item] == 0)
            hw_heap_push(&w->ready, key_of(w, item));
    return HW_OK;
}

void beam_walk_close(beam_walk *w)
{
    hw_gate_close(&w->gate);
    hw_heap_free(&w->ready);
    free(w->buffer);
    free(w->path);
    free(w->waiting);
    memset(w, 0, sizeof *w);
}

size_t beam_walk_bytes(const beam_walk *w)
{
    size_t n = w->m->n_nodes;
    return n * (sizeof(hw_key) + sizeof *w->path + sizeof *w->waiting) +
           w->m->n_buffers * sizeof *w->buffer;
}

/* The keys of the consumers of b other than v that are ready: `bytes` less. */
static void change_users(beam_walk *w, uint32_t b, uint32_t v, hw_key less)
{
    const hw_rows *users = &w->m->users;
    w->work += users->offset[b + 1] - users->offset[b];
    for (uint32_t i = users->offset[b]; i < users->offset[b + 1]; i++) {
        uint32_t item = beam_walk_node(w, users->item[i]);
        if (users->item[i] == v || !hw_heap_holds(&w->ready, item))
            continue;
        hw_key key = hw_heap_key(&w->ready, item) - less;
        if (less >> 127)
            hw_heap_raise(&w->ready, key);
        else
            hw_heap_lower(&w->ready, key);
    }
}

static void count_work(beam_walk *w, uint32_t v)
{
    const uint32_t *uses = w->m->uses.offset + v, *next = w->next->offset + v;
    w->work += BEAM_MOVE_WORK + (uses[1] - uses[0]) + (next[1] - next[0]);
}

void beam_walk_do(beam_walk *w, uint32_t item)
{
    const hw_model *m = w->m;
    uint32_t v = beam_walk_node(w, item);
    w->live += hw_net_of_key(hw_heap_key(&w->ready, item));
    hw_heap_remove(&w->ready, item);
    hw_gate_pass(&w->gate, item);
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i];
        bool decided = decides(w, b);
        w->buffer[b] = (hw_net_buffer){w->buffer[b].left - 1, w->buffer[b].last ^ v};
        uint32_t u = w->buffer[b].last;
        hw_key size = m->buffer_size[b] * HW_NET_UNIT;
        if (w->backwards && decided)
            change_users(w, b, v, size);
        else if (!w->backwards && decides(w, b) && hw_heap_holds(&w->ready, u))
            hw_heap_lower(&w->ready, hw_heap_key(&w->ready, u) - size);
    }
    for (uint32_t i = w->next->offset[v]; i < w->next->offset[v + 1]; i++) {
        uint32_t u = beam_walk_node(w, w->next->item[i]);
        if (--w->waiting[u] == 0)
            hw_heap_push(&w->ready, key_of(w, u));
    }
    count_work(w, v);
}

void beam_walk_undo(beam_walk *w, uint32_t item)
{
    const hw_model *m = w->m;
    uint32_t v = beam_walk_node(w, item);
    for (uint32_t i = w->next->offset[v]; i < w->next->offset[v + 1]; i++) {
        uint32_t u = beam_walk_node(w, w->next->item[i]);
        if (hw_heap_holds(&w->ready, u))
            hw_heap_remove(&w->ready, u); /* leaves 0 to wait for */
        w->waiting[u]++;
    }
    for (uint32_t i = m->uses.offset[v]; i < m->uses.offset[v + 1]; i++) {
        uint32_t b = m->uses.item[i], u = w->buffer[b].last;
        bool decided = decides(w, b);
        w->buffer[b] = (hw_net_buffer){w->buffer[b].left + 1, u ^ v};
        hw_key size = m->buffer_size[b] * HW_NET_UNIT;
        if (w->backwards && decides(w, b))
            change_users(w, b, v, -size);
        else if (!w->backwards && decided && hw_heap_holds(&w->ready, u))
            hw_heap_raise(&w->ready, hw_heap_key(&w->ready, u) + size);
    }
    hw_key key = key_of(w, item);
    w->live -= hw_net_of_key(key);
    hw_heap_push(&w->ready, key);
    hw_gate_back(&w->gate, item);
    count_work(w, v);
}

static bool dying(const void *context, uint32_t buffer)
{
    return decides(context, buffer);
}

uint64_t beam_walk_usage(const beam_walk *w, hw_key key)
{
    const hw_model *m = w->m;
    uint32_t v = beam_walk_node(w, hw_key_item(key));
    uint64_t after = w->live + hw_net_of_key(key), work = hw_workspace(m, v);
    if (m->accounting == HW_FREE_FIRST)
        return (w->backwards ? w->live : after) + m->dead_bytes[v] + work;
    uint64_t saved = m->reuse_offset ? hw_reuse(m, v, dying, w) : 0;
    if (saved == UINT64_MAX) /* no memory: claim no saving */
        saved = 0;
    return (w->backwards ? after : w->live) + m->new_bytes[v] + work - saved;
}
