/*
 * The independent checker of allocations: every pair of buffers whose lives
 * meet, every pair of their spans, as the definition has it.  Shares nothing
 * with the allocators.
 */
#include "arena/arena.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"

typedef enum reason { HOLDS = 0, MISALIGNED, NOT_AS_FIXED, PAST_THE_END, OVERLAP } reason;

typedef struct finding {
    reason why;
    uint32_t buffer, other;
    int64_t tick;
    uint64_t address;
} finding;

/* Whether two half-open ranges of addresses share one; ends are known not to overflow. */
static bool share(uint64_t p, uint64_t p_size, uint64_t q, uint64_t q_size)
{
    return p < q + q_size && q < p + p_size;
}

static finding check_pair(const hw_arena *a, const uint64_t *offset, uint32_t i, uint32_t j)
{
    const hw_buffer *x = &a->buffer[i], *y = &a->buffer[j];
    for (uint32_t p = x->first_span; p < x->first_span + x->n_spans; p++)
        for (uint32_t q = y->first_span; q < y->first_span + y->n_spans; q++) {
            const hw_span *s = &a->span[p], *t = &a->span[q];
            if (s->first < t->end && t->first < s->end &&
                share(offset[i], s->size, offset[j], t->size))
                return (finding){OVERLAP, i, j, s->first > t->first ? s->first : t->first,
                                 offset[i] > offset[j] ? offset[i] : offset[j]};
        }
    return (finding){.why = HOLDS};
}

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

/* In order of birth, each against those that were born before it and are not gone. */
static finding check_all(const hw_arena *a, const uint64_t *offset, const birth *born,
                         uint32_t *living)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        uint32_t left = 0, b = born[i].buffer;
        for (uint32_t k = 0; k < n; k++)
            if (a->buffer[living[k]].upper > born[i].lower)
                living[left++] = living[k];
        n = left;
        for (uint32_t k = 0; k < n; k++) {
            finding f = check_pair(a, offset, b, living[k]);
            if (f.why != HOLDS)
                return f;
        }
        living[n++] = b;
    }
    return (finding){.why = HOLDS};
}

hw_code hw_arena_check(const hw_arena *a, const uint64_t *offset, uint64_t *height, hw_error *err)
{
    birth *born = HW_NEW(birth, a->n_buffers);
    uint32_t *living = HW_NEW(uint32_t, a->n_buffers);
    finding f = {.why = HOLDS};
    *height = 0;
    if (!born || !living) {
        free(born);
        free(living);
        return hw_fail_memory(err, "checking an allocation");
    }
    for (uint32_t i = 0; f.why == HOLDS && i < a->n_buffers; i++) {
        f = check_one(a, offset, i);
        born[i] = (birth){a->buffer[i].lower, i};
        if (f.why == HOLDS && offset[i] + a->buffer[i].size > *height)
            *height = offset[i] + a->buffer[i].size;
    }
    if (f.why == HOLDS && a->n_buffers > 1) {
        qsort(born, a->n_buffers, sizeof *born, by_birth);
        f = check_all(a, offset, born, living);
    }
    free(born);
    free(living);
    return f.why == HOLDS ? HW_OK : say(a, offset, f, err);
}
