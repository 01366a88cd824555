/* Holes between placed buffers.  See fit.h. */
#include "arena/fit.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { MOST_PAIRS = 1 << 23 };

hw_code hw_fit_start(hw_fit *f, const hw_arena *a, hw_error *err)
{
    memset(f, 0, sizeof *f);
    f->arena = a;
    f->offset = HW_NEW0(uint64_t, a->n_buffers);
    f->laid = HW_NEW(uint32_t, a->n_buffers);
    f->range = HW_NEW(hw_range, a->n_buffers);
    if (!f->offset || !f->laid || !f->range) {
        hw_fit_end(f);
        return hw_fail_memory(err, "a placement");
    }
    hw_fit_clear(f);
    return HW_OK;
}

void hw_fit_end(hw_fit *f)
{
    free(f->offset);
    free(f->laid);
    free(f->range);
    free(f->first_meeting);
    free(f->meeting);
    free(f->lies);
    memset(f, 0, sizeof *f);
}

typedef struct birth {
    int64_t lower;
    uint32_t buffer;
} birth;

static int by_birth(const void *x, const void *y)
{
    const birth *a = x, *b = y;
    if (a->lower != b->lower)
        return a->lower < b->lower ? -1 : 1;
    return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/*
 * Count into next[], or write from there on, whom each buffer meets: in order
 * of birth, each with those that are not gone.  False: more than `most` in all.
 */
static bool sweep(hw_fit *f, const birth *born, uint32_t *living, size_t *next, bool write,
                  size_t most)
{
    const hw_arena *a = f->arena;
    uint32_t n = 0;
    size_t pairs = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        uint32_t left = 0, b = born[i].buffer;
        for (uint32_t k = 0; k < n; k++)
            if (a->buffer[living[k]].upper > born[i].lower)
                living[left++] = living[k];
        n = left;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t other = living[k];
            uint64_t above = hw_arena_distance(a, other, b);
            if (above == 0)
                continue;
            if (write) {
                uint64_t below = hw_arena_distance(a, b, other);
                f->meeting[next[b]] = (hw_meeting){other, above, below};
                f->meeting[next[other]] = (hw_meeting){b, below, above};
            }
            next[b]++;
            next[other]++;
            pairs++;
        }
        if (pairs > most)
            return false;
        living[n++] = b;
    }
    return true;
}

/* The rows of counts become rows of meetings. */
static bool lay_meetings(hw_fit *f, const birth *born, uint32_t *living, size_t *next)
{
    uint32_t n = f->arena->n_buffers;
    size_t sum = 0;
    f->first_meeting = HW_NEW(size_t, (size_t)n + 1);
    if (!f->first_meeting)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        f->first_meeting[i] = sum;
        sum += next[i];
        next[i] = f->first_meeting[i];
    }
    f->first_meeting[n] = sum;
    f->meeting = HW_NEW(hw_meeting, sum);
    f->lies = HW_NEW0(bool, n);
    if (!f->meeting || !f->lies)
        return false;
    return sweep(f, born, living, next, true, SIZE_MAX);
}

hw_code hw_fit_remember(hw_fit *f, hw_error *err)
{
    uint32_t n = f->arena->n_buffers;
    birth *born = HW_NEW(birth, n);
    uint32_t *living = HW_NEW(uint32_t, n);
    size_t *next = HW_NEW0(size_t, n);
    hw_code code = HW_OK;
    if (!born || !living || !next) {
        code = hw_fail_memory(err, "who meets whom");
    } else {
        for (uint32_t i = 0; i < n; i++)
            born[i] = (birth){f->arena->buffer[i].lower, i};
        if (n > 1)
            qsort(born, n, sizeof *born, by_birth);
        if (!sweep(f, born, living, next, false, MOST_PAIRS))
            code = hw_fail(err, HW_LIMIT,
                           "more than 2^23 pairs of buffers meet: take an allocator that places "
                           "each buffer once");
        else if (!lay_meetings(f, born, living, next))
            code = hw_fail_memory(err, "who meets whom");
    }
    free(born);
    free(living);
    free(next);
    if (code == HW_OK)
        hw_fit_clear(f);
    return code;
}

void hw_fit_put(hw_fit *f, uint32_t buffer, uint64_t offset)
{
    f->offset[buffer] = offset;
    f->laid[f->n_laid++] = buffer;
    if (f->lies)
        f->lies[buffer] = true;
    uint64_t end = offset + f->arena->buffer[buffer].size;
    if (end > f->height)
        f->height = end;
}

void hw_fit_clear(hw_fit *f)
{
    const hw_arena *a = f->arena;
    if (f->lies)
        memset(f->lies, 0, a->n_buffers * sizeof *f->lies);
    f->n_laid = 0;
    f->height = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++)
        if (a->buffer[i].fixed != HW_ARENA_FREE)
            hw_fit_put(f, i, a->buffer[i].fixed);
}

static int by_first(const void *x, const void *y)
{
    const hw_range *a = x, *b = y;
    return (a->first > b->first) - (a->first < b->first);
}

/* The ranges that are forbidden to the buffer, sorted by their first offset. */
static size_t gather(hw_fit *f, uint32_t buffer)
{
    size_t n = 0;
    if (f->meeting) {
        for (size_t i = f->first_meeting[buffer]; i < f->first_meeting[buffer + 1]; i++) {
            const hw_meeting *m = &f->meeting[i];
            if (!f->lies[m->other])
                continue;
            uint64_t at = f->offset[m->other];
            f->range[n++] = (hw_range){at >= m->below ? at - m->below + 1 : 0, at + m->above - 1};
        }
    } else {
        for (uint32_t i = 0; i < f->n_laid; i++) {
            uint32_t other = f->laid[i];
            hw_range *r = &f->range[n];
            n += hw_arena_forbidden(f->arena, other, f->offset[other], buffer, &r->first, &r->last);
        }
    }
    if (n > 1)
        qsort(f->range, n, sizeof *f->range, by_first);
    return n;
}

uint64_t hw_fit_lowest(hw_fit *f, uint32_t buffer)
{
    uint64_t alignment = f->arena->buffer[buffer].alignment, at = 0;
    size_t n = gather(f, buffer);
    for (size_t i = 0; i < n && f->range[i].first <= at; i++)
        if (f->range[i].last >= at)
            at = hw_arena_align(f->range[i].last + 1, alignment);
    return at;
}

uint64_t hw_fit_tightest(hw_fit *f, uint32_t buffer)
{
    uint64_t alignment = f->arena->buffer[buffer].alignment, at = 0;
    uint64_t best = 0, least_left = UINT64_MAX;
    size_t n = gather(f, buffer);
    for (size_t i = 0; i < n; i++) {
        const hw_range *r = &f->range[i];
        if (r->first > at && r->first - 1 - at < least_left) {
            least_left = r->first - 1 - at; /* bytes of the hole that stay free */
            best = at;
        }
        if (r->last >= at)
            at = hw_arena_align(r->last + 1, alignment);
    }
    return least_left < UINT64_MAX ? best : at;
}

uint64_t hw_fit_top(hw_fit *f, uint32_t buffer)
{
    uint64_t at = 0;
    size_t n = gather(f, buffer);
    for (size_t i = 0; i < n; i++)
        at = f->range[i].last >= at ? f->range[i].last + 1 : at;
    return hw_arena_align(at, f->arena->buffer[buffer].alignment);
}

void hw_fit_all(hw_fit *f, const uint32_t *order)
{
    hw_fit_clear(f);
    for (uint32_t i = 0; i < f->arena->n_buffers; i++)
        if (f->arena->buffer[order[i]].fixed == HW_ARENA_FREE)
            hw_fit_put(f, order[i], hw_fit_lowest(f, order[i]));
}
