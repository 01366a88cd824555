/* Random arenas and their least height.  See support_arena.h. */
#include "support_arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support_random.h"

static uint32_t random_spans(uint64_t *state, const arena_shape *shape, hw_span *span)
{
    int64_t lower = random_below(state, shape->ticks);
    int64_t upper = lower + 1 + random_below(state, shape->ticks - (uint32_t)lower);
    uint32_t n = 0;
    bool varies = shape->spans && random_chance(state, 0.4);
    for (int64_t at = lower; at < upper && n < 4; n++) {
        int64_t end =
            varies && n < 3 ? at + 1 + random_below(state, (uint32_t)(upper - at)) : upper;
        bool gap = varies && random_chance(state, 0.3);
        span[n] = (hw_span){at, end, gap ? 0 : 1 + random_below(state, shape->largest)};
        at = end;
    }
    return n;
}

hw_arena *random_arena(uint64_t *state, const arena_shape *shape)
{
    hw_arena *a;
    hw_error err;
    assert_int_equal(hw_arena_start("random", &a, &err), HW_OK);
    for (uint32_t i = 0; i < shape->buffers; i++) {
        hw_span span[4];
        char label[16];
        uint32_t n = random_spans(state, shape, span);
        uint64_t alignment = 1, fixed = HW_ARENA_FREE;
        if (shape->alignment && random_chance(state, 0.5))
            alignment = 1 + random_below(state, 4);
        if (shape->fixed && random_chance(state, 0.2))
            fixed = alignment * random_below(state, 1 + 2 * shape->largest / (uint32_t)alignment);
        snprintf(label, sizeof label, "b%u", i);
        assert_int_equal(hw_arena_add(a, label, span, n, alignment, fixed, &err), HW_OK);
    }
    hw_code code = hw_arena_finish(a, &err);
    if (code == HW_BAD_INPUT) {
        hw_arena_free(a);
        return NULL;
    }
    assert_int_equal(code, HW_OK);
    return a;
}

hw_arena *text_arena(const char *text)
{
    hw_input in;
    hw_arena *a = NULL;
    hw_error err = {0};
    assert_int_equal(hw_input_memory(&in, text, strlen(text), "text", &err), HW_OK);
    if (hw_arena_read_input(&in, &a, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_input_close(&in);
    return a;
}

/* Bytes that buffer b needs at a tick: from its spans alone. */
static uint64_t need_at(const hw_arena *a, uint32_t b, int64_t tick)
{
    for (uint32_t i = 0; i < a->buffer[b].n_spans; i++) {
        const hw_span *s = &a->span[a->buffer[b].first_span + i];
        if (s->first <= tick && tick < s->end)
            return s->size;
    }
    return 0;
}

static bool apart(const hw_arena *a, const uint64_t *offset, uint32_t x, uint32_t y)
{
    const hw_buffer *p = &a->buffer[x], *q = &a->buffer[y];
    int64_t first = p->lower > q->lower ? p->lower : q->lower;
    int64_t end = p->upper < q->upper ? p->upper : q->upper;
    for (int64_t tick = first; tick < end; tick++) {
        uint64_t m = need_at(a, x, tick), n = need_at(a, y, tick);
        if (m > 0 && n > 0 && offset[x] < offset[y] + n && offset[y] < offset[x] + m)
            return false;
    }
    return true;
}

static bool fits(const hw_arena *a, uint64_t *offset, uint32_t next, uint64_t height)
{
    if (next == a->n_buffers)
        return true;
    const hw_buffer *b = &a->buffer[next];
    for (uint64_t at = 0; at + b->size <= height; at++) {
        if (at % b->alignment != 0 || (b->fixed != HW_ARENA_FREE && at != b->fixed))
            continue;
        offset[next] = at;
        bool good = true;
        for (uint32_t i = 0; good && i < next; i++)
            good = apart(a, offset, i, next);
        if (good && fits(a, offset, next + 1, height))
            return true;
    }
    return false;
}

static hw_code place_defined(const hw_arena *a, const hw_placement_request *request,
                             hw_placement *out, hw_error *err)
{
    uint64_t offset[16], height = 0;
    (void)err;
    assert_true(a->n_buffers <= 16);
    while (!fits(a, offset, 0, height)) {
        if (request->capacity > 0 && height >= request->capacity) {
            out->bound = height + 1 > a->bound ? height + 1 : a->bound;
            return HW_OK;
        }
        height++;
    }
    out->offset = malloc(a->n_buffers * sizeof *offset + 1);
    assert_non_null(out->offset);
    memcpy(out->offset, offset, a->n_buffers * sizeof *offset);
    out->height = out->bound = height;
    out->placed = true;
    return HW_OK;
}

const hw_allocator defined_allocator = {.name = "defined", .proves = true, .place = place_defined};

uint64_t defined_least_height(const hw_arena *a)
{
    uint64_t offset[16], height = 0;
    assert_true(a->n_buffers <= 16);
    while (!fits(a, offset, 0, height))
        height++;
    return height;
}
