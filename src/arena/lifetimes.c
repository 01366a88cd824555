/*
 * The arena of an order: lifetimes become buffers.
 *
 * Ticks are steps; -1 is the time before step 0.  Half-open lives make the
 * load of a tick the usage of its step:
 *
 *   alloc-first   [birth, death + 1): what dies in a step is there while it runs
 *   free-first    [birth, death): it is gone when the step is measured, and its
 *                 place may be taken; dead outputs and workspace live [t, t + 1)
 *
 * An output that overwrites an input (the choice of pairs that saves most,
 * hw_reuse_choose) goes on in the same buffer: a chain.  In the step of the
 * overwrite the chain needs the greater of both sizes, which is their sum less
 * what the pair saves; so the load stays the usage.  Views have no buffer of
 * their own.  Storages and workspaces of 0 bytes have none at all.
 */
#include "arena/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/log.h"

typedef struct builder {
    const hw_model *m;
    const hw_log *log;
    hw_arena *arena;
    uint64_t alignment;
    uint32_t *life_of; /* storage: index in log->life, HW_NONE: none           */
    uint32_t *next;    /* storage: the one that overwrites it, HW_NONE: none   */
    bool *overwrites;  /* storage: it lies in the buffer of another            */
    hw_span *span;     /* of the chain that is being laid                      */
    char *label;
    size_t span_room, label_room;
    hw_error *err;
} builder;

static uint32_t storage_of(const builder *b, uint32_t life)
{
    return b->m->graph->tensor_storage[b->log->life[life].tensor];
}

/* ---- Who overwrites whom. ---- */

typedef struct step {
    const builder *b;
    int64_t at;
} step;

static bool dies(const void *context, uint32_t buffer)
{
    const step *s = context;
    uint32_t life = s->b->life_of[s->b->m->buffer_storage[buffer]];
    return s->b->log->life[life].death == s->at;
}

static hw_code find_chains(builder *b)
{
    const hw_model *m = b->m;
    for (uint32_t i = 0; m->reuse_offset && i < b->log->n_steps; i++) {
        uint32_t v = b->log->order[i], most = m->reuse_offset[v + 1] - m->reuse_offset[v], n = 0;
        if (most == 0)
            continue;
        hw_reuse_pair *chosen = HW_NEW(hw_reuse_pair, most);
        const step now = {b, i};
        if (!chosen || hw_reuse_choose(m, v, dies, &now, chosen, &n) == UINT64_MAX) {
            free(chosen);
            return hw_fail_memory(b->err, "in-place choices");
        }
        for (uint32_t k = 0; k < n; k++) {
            uint32_t output = m->graph->tensor_storage[chosen[k].output];
            b->next[m->buffer_storage[chosen[k].buffer]] = output;
            b->overwrites[output] = true;
        }
        free(chosen);
    }
    return HW_OK;
}

/* ---- Buffers. ---- */

static hw_span life_span(const builder *b, const hw_lifetime *life)
{
    int64_t steps = b->log->n_steps, end = life->death;
    if (b->m->accounting == HW_ALLOC_FIRST || life->death == life->birth)
        end++;
    return (hw_span){life->birth, end < steps ? end : steps, life->size};
}

static bool append_span(builder *b, size_t *n, hw_span span)
{
    if (span.first >= span.end)
        return true;
    if (!hw_grow((void **)&b->span, &b->span_room, *n + 1, sizeof *b->span))
        return false;
    b->span[(*n)++] = span;
    return true;
}

static bool append_label(builder *b, size_t *n, uint32_t storage)
{
    const hw_graph *g = b->m->graph;
    if (!hw_grow((void **)&b->label, &b->label_room, *n + 16, 1))
        return false;
    *n += (size_t)snprintf(b->label + *n, 16, "%st%" PRIu32, *n ? "+" : "",
                           hw_tensor_id(g, g->storage_root[storage]));
    return true;
}

/* One buffer for a storage and all that overwrite one another after it. */
static hw_code lay_chain(builder *b, uint32_t head)
{
    size_t n_spans = 0, n_label = 0;
    bool room = true;
    hw_span now = life_span(b, &b->log->life[b->life_of[head]]);
    uint32_t index = b->arena->n_buffers;
    for (uint32_t s = head; room && s != HW_NONE; s = b->next[s]) {
        hw_span after = {0};
        if (b->next[s] != HW_NONE) { /* both are there in the step of the overwrite */
            after = life_span(b, &b->log->life[b->life_of[b->next[s]]]);
            if (after.size > now.size)
                now.end = after.first;
            else
                after.first = now.end;
        }
        room = append_span(b, &n_spans, now) && append_label(b, &n_label, s);
        b->arena->storage_buffer[s] = index;
        now = after;
    }
    if (!room)
        return hw_fail_memory(b->err, "the buffers of an order");
    hw_code code = hw_arena_add(b->arena, b->label, b->span, (uint32_t)n_spans, b->alignment,
                                HW_ARENA_FREE, b->err);
    if (code == HW_OK)
        b->arena->buffer[index].tensor = b->m->graph->storage_root[head];
    return code;
}

static hw_code lay_workspace(builder *b, int64_t at, uint32_t v)
{
    char label[16];
    const hw_span span = {at, at + 1, hw_workspace(b->m, v)};
    if (span.size == 0)
        return HW_OK;
    b->arena->workspace_buffer[v] = b->arena->n_buffers;
    snprintf(label, sizeof label, "w%" PRIu32, hw_node_id(b->m->graph, v));
    return hw_arena_add(b->arena, label, &span, 1, b->alignment, HW_ARENA_FREE, b->err);
}

/* In order of birth: what a step makes, then its workspace. */
static hw_code lay_all(builder *b)
{
    hw_code code = HW_OK;
    for (int64_t at = -1; code == HW_OK && at < (int64_t)b->log->n_steps; at++) {
        uint32_t begin, end;
        hw_log_born(b->log, at, &begin, &end);
        for (uint32_t k = begin; code == HW_OK && k < end; k++) {
            uint32_t s = storage_of(b, k);
            if (b->log->life[k].size > 0 && !b->overwrites[s])
                code = lay_chain(b, s);
        }
        if (code == HW_OK && at >= 0)
            code = lay_workspace(b, at, b->log->order[at]);
    }
    return code;
}

static hw_code build(builder *b)
{
    const hw_graph *g = b->m->graph;
    b->life_of = HW_NEW(uint32_t, g->n_storages);
    b->next = HW_NEW(uint32_t, g->n_storages);
    b->overwrites = HW_NEW0(bool, g->n_storages);
    b->arena->storage_buffer = HW_NEW(uint32_t, g->n_storages);
    b->arena->workspace_buffer = HW_NEW(uint32_t, g->n_nodes);
    if (!b->life_of || !b->next || !b->overwrites || !b->arena->storage_buffer ||
        !b->arena->workspace_buffer)
        return hw_fail_memory(b->err, "the arena of an order");
    for (uint32_t s = 0; s < g->n_storages; s++)
        b->life_of[s] = b->next[s] = b->arena->storage_buffer[s] = HW_NONE;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        b->arena->workspace_buffer[v] = HW_NONE;
    for (uint32_t k = 0; k < b->log->n_lives; k++)
        b->life_of[storage_of(b, k)] = k;
    hw_code code = find_chains(b);
    if (code == HW_OK)
        code = lay_all(b);
    if (code == HW_OK)
        code = hw_arena_finish(b->arena, b->err);
    if (code == HW_OK && b->arena->load != b->log->peak)
        code = hw_fail(b->err, HW_INTERNAL,
                       "the load of the lifetimes is %" PRIu64 ", the peak of the order %" PRIu64
                       ": please report this graph and order",
                       b->arena->load, b->log->peak);
    return code;
}

hw_code hw_arena_of_order(const hw_model *m, const uint32_t *order, uint64_t alignment,
                          hw_arena **out, hw_error *err)
{
    hw_log *log;
    *out = NULL;
    hw_code code = hw_log_new(m, order, false, &log, err);
    if (code != HW_OK)
        return code;
    builder b = {.m = m, .log = log, .alignment = alignment, .err = err};
    code = hw_arena_start(m->graph->name, &b.arena, err);
    if (code == HW_OK)
        code = build(&b);
    free(b.life_of);
    free(b.next);
    free(b.overwrites);
    free(b.span);
    free(b.label);
    hw_log_free(log);
    if (code != HW_OK) {
        hw_arena_free(b.arena);
        return code;
    }
    *out = b.arena;
    return HW_OK;
}
