/* Arenas: buffers and spans, the load, where two buffers collide.  See arena.h. */
#include "arena/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/profile.h"
#include "core/memory.h"

void hw_arena_free(hw_arena *a)
{
    if (!a)
        return;
    for (uint32_t i = 0; i < a->n_buffers; i++)
        free(a->label[i]);
    free(a->name);
    free(a->buffer);
    free(a->label);
    free(a->span);
    free(a->storage_buffer);
    free(a->workspace_buffer);
    free(a);
}

hw_code hw_arena_start(const char *name, hw_arena **out, hw_error *err)
{
    *out = NULL;
    hw_arena *a = HW_NEW0(hw_arena, 1);
    char *copy = hw_copy(name, strlen(name) + 1, 1);
    if (!a || !copy) {
        free(a);
        free(copy);
        return hw_fail_memory(err, "an arena");
    }
    a->name = copy;
    *out = a;
    return HW_OK;
}

/* ---- Adding buffers. ---- */

static hw_code check_spans(const char *label, const hw_span *span, uint32_t n, hw_error *err)
{
    if (n == 0)
        return hw_fail(err, HW_BAD_INPUT, "buffer %s has no time to live: give it one", label);
    for (uint32_t i = 0; i < n; i++) {
        if (span[i].first < -HW_ARENA_TICKS || span[i].end > HW_ARENA_TICKS)
            return hw_fail(err, HW_BAD_INPUT,
                           "buffer %s: a tick lies beyond 2^62: count time in larger steps", label);
        if (span[i].first >= span[i].end)
            return hw_fail(err, HW_BAD_INPUT,
                           "buffer %s lives from tick %" PRId64 " to before tick %" PRId64
                           ": the upper tick has to be greater",
                           label, span[i].first, span[i].end);
        if (i > 0 && span[i].first < span[i - 1].end)
            return hw_fail(err, HW_BAD_INPUT,
                           "buffer %s: what it needs at tick %" PRId64
                           " is told twice: gaps have to be in order and apart",
                           label, span[i].first);
    }
    return HW_OK;
}

/* Room for a stack of all buffers, one upon another, has to stay below 2^64 - 1. */
static hw_code take_room(hw_arena *a, const char *label, const hw_buffer *b, hw_error *err)
{
    uint64_t stacked = a->stacked, fixed_end = a->fixed_end, all;
    bool fits =
        hw_add_u64(stacked, b->size, &stacked) && hw_add_u64(stacked, b->alignment - 1, &stacked);
    if (b->fixed != HW_ARENA_FREE) {
        uint64_t end;
        fits = fits && hw_add_u64(b->fixed, b->size, &end);
        fixed_end = fits && end > fixed_end ? end : fixed_end;
    }
    if (!fits || !hw_add_u64(stacked, fixed_end, &all) || all == UINT64_MAX)
        return hw_fail(err, HW_BAD_INPUT,
                       "with buffer %s sizes, alignments and fixed offsets may pass 2^64-1 in sum: "
                       "make them smaller",
                       label);
    a->stacked = stacked;
    a->fixed_end = fixed_end;
    return HW_OK;
}

hw_code hw_arena_add(hw_arena *a, const char *label, const hw_span *span, uint32_t n_spans,
                     uint64_t alignment, uint64_t fixed, hw_error *err)
{
    hw_code code = check_spans(label, span, n_spans, err);
    if (code != HW_OK)
        return code;
    if (alignment == 0 || (fixed != HW_ARENA_FREE && fixed % alignment != 0))
        return hw_fail(err, HW_BAD_INPUT,
                       "buffer %s: alignment %" PRIu64 " is 0 or does not divide the fixed offset: "
                       "give another",
                       label, alignment);
    if (a->n_buffers >= UINT32_MAX - 1 || n_spans >= UINT32_MAX - a->n_spans)
        return hw_fail(err, HW_BAD_INPUT, "more than 2^32-2 buffers or spans: split the file");
    hw_buffer b = {.lower = span[0].first,
                   .upper = span[n_spans - 1].end,
                   .alignment = alignment,
                   .fixed = fixed,
                   .first_span = a->n_spans,
                   .tensor = UINT32_MAX};
    for (uint32_t i = 0; i < n_spans; i++)
        b.size = span[i].size > b.size ? span[i].size : b.size;
    code = take_room(a, label, &b, err);
    if (code != HW_OK)
        return code;
    char *copy = hw_copy(label, strlen(label) + 1, 1);
    if (!copy ||
        !hw_grow((void **)&a->buffer, &a->buffer_room, (size_t)a->n_buffers + 1, sizeof b) ||
        !hw_grow((void **)&a->label, &a->label_room, (size_t)a->n_buffers + 1, sizeof copy) ||
        !hw_grow((void **)&a->span, &a->span_room, (size_t)a->n_spans + n_spans, sizeof *span)) {
        free(copy);
        return hw_fail_memory(err, "the buffers of an arena");
    }
    for (uint32_t i = 0; i < n_spans; i++) {
        hw_span *last = b.n_spans ? &a->span[a->n_spans - 1] : NULL;
        if (last && last->end == span[i].first && last->size == span[i].size) {
            last->end = span[i].end;
        } else if (span[i].size > 0) {
            a->span[a->n_spans++] = span[i];
            b.n_spans++;
        }
    }
    a->label[a->n_buffers] = copy;
    a->buffer[a->n_buffers++] = b;
    return HW_OK;
}

hw_code hw_arena_room(const hw_arena *a, uint64_t more, uint64_t times, hw_error *err)
{
    __extension__ typedef unsigned __int128 wide;
    wide most = (wide)a->stacked * times + (wide)a->n_buffers * more + a->fixed_end;
    if (most >= UINT64_MAX)
        return hw_fail(err, HW_BAD_INPUT,
                       "%.256s: blocks of these sizes may pass 2^64-1 in sum: take another "
                       "allocator or smaller parameters",
                       a->name);
    return HW_OK;
}

/* ---- Two buffers. ---- */

/* The greatest need of `of` at ticks at which both need something; 0: none. */
static uint64_t need_where_both(const hw_arena *a, const hw_buffer *of, const hw_buffer *other)
{
    uint64_t most = 0;
    const hw_span *p = a->span + of->first_span, *p_end = p + of->n_spans;
    const hw_span *q = a->span + other->first_span, *q_end = q + other->n_spans;
    while (p < p_end && q < q_end) {
        if (p->end <= q->first) {
            p++;
        } else if (q->end <= p->first) {
            q++;
        } else {
            most = p->size > most ? p->size : most;
            if (p->end < q->end)
                p++;
            else
                q++;
        }
    }
    return most;
}

uint64_t hw_arena_distance(const hw_arena *a, uint32_t below, uint32_t above)
{
    const hw_buffer *x = &a->buffer[below], *y = &a->buffer[above];
    if (x->upper <= y->lower || y->upper <= x->lower)
        return 0;
    if (x->n_spans == 1 && y->n_spans == 1) {
        const hw_span *p = &a->span[x->first_span], *q = &a->span[y->first_span];
        return p->end <= q->first || q->end <= p->first ? 0 : x->size;
    }
    return need_where_both(a, x, y);
}

bool hw_arena_forbidden(const hw_arena *a, uint32_t placed, uint64_t offset, uint32_t moving,
                        uint64_t *first, uint64_t *last)
{
    uint64_t above = hw_arena_distance(a, placed, moving);
    if (above == 0)
        return false;
    uint64_t below = hw_arena_distance(a, moving, placed);
    *first = offset >= below ? offset - below + 1 : 0;
    *last = offset + above - 1;
    return true;
}

/* ---- Load. ---- */

/* Fixed offsets that collide leave no allocation at all.  O(fixed buffers squared). */
static hw_code fixed_apart(const hw_arena *a, hw_error *err)
{
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        for (uint32_t j = 0; b->fixed != HW_ARENA_FREE && j < i; j++) {
            const hw_buffer *other = &a->buffer[j];
            uint64_t first, last;
            if (other->fixed != HW_ARENA_FREE &&
                hw_arena_forbidden(a, j, other->fixed, i, &first, &last) && b->fixed >= first &&
                b->fixed <= last)
                return hw_fail(err, HW_BAD_INPUT,
                               "%.256s: buffers %.64s and %.64s have fixed offsets that collide: "
                               "move one",
                               a->name, a->label[j], a->label[i]);
        }
    }
    return HW_OK;
}

hw_code hw_arena_finish(hw_arena *a, hw_error *err)
{
    hw_profile profile;
    hw_code code = hw_profile_start(&profile, a, err);
    if (code != HW_OK)
        return code;
    a->load = 0;
    a->load_at = 0;
    for (size_t i = 0; i < profile.n; i++)
        if (profile.load[i] > a->load) {
            a->load = profile.load[i];
            a->load_at = profile.tick[i];
        }
    hw_profile_end(&profile);
    a->bound = a->load > a->fixed_end ? a->load : a->fixed_end;
    return fixed_apart(a, err);
}
