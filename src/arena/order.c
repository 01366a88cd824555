/* Sorting buffers and placing them in that order.  See order.h. */
#include "arena/order.h"

#include <stdlib.h>

#include "arena/clock.h"
#include "core/memory.h"

static int by_rank(const void *x, const void *y)
{
    const hw_ranked *a = x, *b = y;
    for (int i = 0; i < 3; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

void hw_rank_sort(hw_ranked *ranked, uint32_t n)
{
    if (n > 1)
        qsort(ranked, n, sizeof *ranked, by_rank);
}

void hw_fit_deliver(hw_fit *f, uint64_t states, hw_placement *out)
{
    out->offset = f->offset;
    f->offset = NULL;
    out->height = f->height;
    out->states = states;
    out->placed = true;
}

static hw_code place_all(hw_fit *f, const hw_placement_request *request, const hw_ranked *ranked,
                         uint64_t (*where)(hw_fit *, uint32_t), hw_error *err)
{
    hw_clock clock = hw_clock_start(request->seconds);
    for (uint32_t i = 0; i < f->arena->n_buffers; i++) {
        if (request->stop && *request->stop)
            return hw_fail(err, HW_STOPPED, "stopped before all buffers had their place");
        if (i % 256 == 255 && hw_clock_over(&clock))
            return hw_fail(err, HW_LIMIT,
                           "the time is over before all buffers have their place: give more, or "
                           "take free-list");
        uint32_t b = ranked[i].buffer;
        if (f->arena->buffer[b].fixed == HW_ARENA_FREE)
            hw_fit_put(f, b, where(f, b));
    }
    return HW_OK;
}

hw_code hw_place_ranked(const hw_arena *a, const hw_placement_request *request,
                        hw_ranked (*rank)(const hw_arena *a, const void *context, uint32_t buffer),
                        const void *context, uint64_t (*where)(hw_fit *f, uint32_t buffer),
                        hw_placement *out, hw_error *err)
{
    hw_fit f;
    hw_code code = hw_fit_start(&f, a, err);
    if (code != HW_OK)
        return code;
    hw_ranked *ranked = HW_NEW(hw_ranked, a->n_buffers);
    if (!ranked) {
        code = hw_fail_memory(err, "the order of buffers");
    } else {
        for (uint32_t i = 0; i < a->n_buffers; i++)
            ranked[i] = rank(a, context, i);
        hw_rank_sort(ranked, a->n_buffers);
        code = place_all(&f, request, ranked, where, err);
    }
    if (code == HW_OK)
        hw_fit_deliver(&f, a->n_buffers, out);
    free(ranked);
    hw_fit_end(&f);
    return code;
}
