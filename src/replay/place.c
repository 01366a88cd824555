/*
 * Addresses for the blocks of a replay.  See contender.h.
 *
 * Ticks are moments: a block needs its bytes at every moment at which it is
 * held.  Between two moments a step only takes or only gives back, or, under
 * free-first, gives back before it takes, so that what does not meet at a
 * moment never meets.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "replay/contender.h"

typedef struct spans {
    hw_span *span;   /* block b: span[first[b] .. first[b] + n[b]) */
    uint32_t *first; /* n_blocks + 1 */
    uint32_t *n;
} spans;

static void spans_end(spans *s)
{
    free(s->span);
    free(s->first);
    free(s->n);
}

static hw_code spans_start(spans *s, const hw_replay_plan *plan, hw_error *err)
{
    s->first = HW_NEW0(uint32_t, (size_t)plan->n_blocks + 1);
    s->n = HW_NEW0(uint32_t, plan->n_blocks);
    if (!s->first || !s->n)
        return hw_fail_memory(err, "the spans of a replay");
    for (size_t i = 0; i < plan->n_events; i++)
        if (plan->event[i].kind == HW_REPLAY_TAKE || plan->event[i].kind == HW_REPLAY_RESIZE)
            s->first[plan->event[i].block + 1]++;
    for (uint32_t b = 0; b < plan->n_blocks; b++)
        s->first[b + 1] += s->first[b];
    s->span = HW_NEW(hw_span, s->first[plan->n_blocks]);
    return s->span ? HW_OK : hw_fail_memory(err, "the spans of a replay");
}

/* The block's size changes at `tick`: what ends there and was never looked at is left out. */
static void turn(spans *s, const hw_replay_event *e, int64_t tick)
{
    hw_span *span = s->span + s->first[e->block];
    uint32_t *n = &s->n[e->block];
    if (e->kind != HW_REPLAY_TAKE) {
        span[*n - 1].end = tick;
        *n -= span[*n - 1].first == tick;
    }
    if (e->kind != HW_REPLAY_DROP)
        span[(*n)++] = (hw_span){.first = tick, .end = tick, .size = e->size};
}

static void fill_spans(spans *s, const hw_replay_plan *plan)
{
    int64_t tick = 0;
    for (size_t i = 0; i < plan->n_events; i++) {
        if (plan->event[i].kind == HW_REPLAY_MOMENT)
            tick++;
        else
            turn(s, &plan->event[i], tick);
    }
    for (uint32_t b = 0; b < plan->n_blocks; b++) { /* constants are never given back */
        hw_span *last = s->n[b] ? &s->span[s->first[b] + s->n[b] - 1] : NULL;
        if (last && last->end == last->first)
            last->end = tick;
    }
}

static hw_code make_arena(const hw_replay_plan *plan, uint64_t alignment, hw_arena **out,
                          hw_error *err)
{
    spans s = {0};
    hw_code code = spans_start(&s, plan, err);
    if (code == HW_OK)
        code = hw_arena_start(plan->log->model->graph->name, out, err);
    if (code == HW_OK)
        fill_spans(&s, plan);
    for (uint32_t b = 0; code == HW_OK && b < plan->n_blocks; b++) {
        char label[32];
        (void)snprintf(label, sizeof label, "block %" PRIu32, b);
        code =
            hw_arena_add(*out, label, s.span + s.first[b], s.n[b], alignment, HW_ARENA_FREE, err);
    }
    if (code == HW_OK)
        code = hw_arena_finish(*out, err);
    if (code == HW_OK && (*out)->load != hw_replay_peak(plan))
        code = hw_fail(err, HW_INTERNAL,
                       "an arena of a replay has the load %" PRIu64 ", the order the peak %" PRIu64
                       ": please report this graph and order",
                       (*out)->load, hw_replay_peak(plan));
    spans_end(&s);
    return code;
}

hw_code hw_replay_place(const hw_replay_plan *plan, const hw_allocator *allocator,
                        const hw_placement_request *request, uint64_t alignment, uint64_t **offset,
                        uint64_t *height, hw_error *err)
{
    hw_arena *arena = NULL;
    hw_placement placement = {0};
    *offset = NULL;
    *height = 0;
    hw_code code = make_arena(plan, alignment, &arena, err);
    if (code == HW_OK)
        code = hw_arena_place(arena, allocator, request, &placement, err);
    if (code == HW_OK && !placement.placed)
        code = hw_fail(err, HW_LIMIT, "allocator %s placed nothing in time: choose another",
                       allocator->name);
    if (code == HW_OK) {
        *offset = placement.offset;
        *height = placement.height;
        placement.offset = NULL;
    }
    hw_placement_clear(&placement);
    hw_arena_free(arena);
    return code;
}
