/*
 * The independent checker of allocations: a sweep over time that
 * keeps the addresses needed at the tick in order, so that an overlap shows
 * when its later span begins.  Shares nothing with the allocators.
 */
#include "arena/arena.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>

#include "core/memory.h"

typedef enum reason { HOLDS = 0, MISALIGNED, NOT_AS_FIXED, PAST_THE_END, OVERLAP } reason;

typedef struct finding {
    reason why;
    uint32_t buffer, other;
    int64_t tick;
    uint64_t address;
} finding;

static finding check_one(const hw_arena *a, const uint64_t *offset, uint32_t i)
{
    const hw_buffer *b = &a->buffer[i];
    finding f = {.why = HOLDS, .buffer = i};
    if (b->fixed != HW_ARENA_FREE && b->fixed != offset[i])
        f.why = NOT_AS_FIXED;
    else if (offset[i] % b->alignment != 0)
        f.why = MISALIGNED;
    else if (b->size > UINT64_MAX - offset[i])
        f.why = PAST_THE_END;
    return f;
}

static hw_code say(const hw_arena *a, const uint64_t *offset, finding f, hw_error *err)
{
    const hw_buffer *b = &a->buffer[f.buffer];
    const char *name = a->label[f.buffer];
    switch (f.why) {
    case MISALIGNED:
        return hw_fail(err, HW_CHECK_FAILED,
                       "buffer %.64s lies at %" PRIu64 ", which is no multiple of its alignment "
                       "%" PRIu64,
                       name, offset[f.buffer], b->alignment);
    case NOT_AS_FIXED:
        return hw_fail(err, HW_CHECK_FAILED,
                       "buffer %.64s lies at %" PRIu64 ", but has to lie at %" PRIu64, name,
                       offset[f.buffer], b->fixed);
    case PAST_THE_END:
        return hw_fail(err, HW_CHECK_FAILED,
                       "buffer %.64s of %" PRIu64 " bytes at %" PRIu64 " ends past 2^64-1", name,
                       b->size, offset[f.buffer]);
    case OVERLAP:
        return hw_fail(err, HW_CHECK_FAILED,
                       "buffers %.64s and %.64s both need address %" PRIu64 " at tick %" PRId64,
                       name, a->label[f.other], f.address, f.tick);
    case HOLDS:
        break;
    }
    return HW_OK;
}

/* A span begins or ends to need its addresses. */
typedef struct event {
    int64_t tick;
    bool begins;
    uint32_t buffer;
    uint64_t first, size; /* addresses */
} event;

/* Ends come before beginnings. */
static int by_tick(const void *x, const void *y)
{
    const event *a = x, *b = y;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    if (a->begins != b->begins)
        return a->begins ? 1 : -1;
    return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/* Equal are those that share an address: of what is needed at once no two do. */
static int by_address(const void *x, const void *y)
{
    const event *a = x, *b = y;
    if (a->first + a->size <= b->first)
        return -1;
    return b->first + b->size <= a->first;
}

/* All spans in order of time, with a tree of the addresses that are needed at the tick. */
static hw_code sweep(event *events, size_t n, finding *f, hw_error *err)
{
    void *tree = NULL;
    size_t i = 0;
    for (; i < n && f->why == HOLDS; i++) {
        event *e = &events[i];
        if (!e->begins) {
            (void)tdelete(e, &tree, by_address);
            continue;
        }
        event *const *at = tsearch(e, &tree, by_address);
        if (!at)
            break;
        if (*at != e)
            *f = (finding){OVERLAP, e->buffer, (*at)->buffer, e->tick,
                           e->first > (*at)->first ? e->first : (*at)->first};
    }
    bool through = i == n || f->why != HOLDS;
    while (tree)
        (void)tdelete(*(event *const *)tree, &tree, by_address);
    return through ? HW_OK : hw_fail_memory(err, "checking an allocation");
}

static hw_code check_all(const hw_arena *a, const uint64_t *offset, finding *f, hw_error *err)
{
    event *events = HW_NEW(event, 2 * (size_t)a->n_spans);
    size_t n = 0;
    if (!events)
        return hw_fail_memory(err, "checking an allocation");
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        for (uint32_t k = b->first_span; k < b->first_span + b->n_spans; k++) {
            const hw_span *s = &a->span[k];
            events[n++] = (event){s->first, true, i, offset[i], s->size};
            events[n++] = (event){s->end, false, i, offset[i], s->size};
        }
    }
    if (n > 0)
        qsort(events, n, sizeof *events, by_tick);
    hw_code code = sweep(events, n, f, err);
    free(events);
    return code;
}

hw_code hw_arena_check(const hw_arena *a, const uint64_t *offset, uint64_t *height, hw_error *err)
{
    finding f = {.why = HOLDS};
    *height = 0;
    for (uint32_t i = 0; f.why == HOLDS && i < a->n_buffers; i++) {
        f = check_one(a, offset, i);
        if (f.why == HOLDS && offset[i] + a->buffer[i].size > *height)
            *height = offset[i] + a->buffer[i].size;
    }
    hw_code code = f.why == HOLDS ? check_all(a, offset, &f, err) : HW_OK;
    return code == HW_OK && f.why != HOLDS ? say(a, offset, f, err) : code;
}
