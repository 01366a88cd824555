/*
 * The greedy allocators that look at all buffers before they place the first.
 *
 * greedy-by-size      largest first (TensorFlow Lite; Pisarchyk and Lee 2020,
 *                     algorithm 3: in the tightest hole)
 * greedy-by-breadth   step by step, those with the greatest sum of needs first,
 *                     of one step the largest buffer first (ibid., algorithm 4)
 * greedy-by-conflicts those that meet most others in time first, of these the
 *                     largest (TVM, unified static memory planner, 2021, which
 *                     stacks: above all that lie and that it meets)
 *
 * O(n^2) and the sorting of what each buffer meets.
 */
#include <stdlib.h>

#include "arena/allocators.h"
#include "arena/clock.h"
#include "arena/order.h"
#include "arena/profile.h"
#include "core/memory.h"

/* ---- Where a buffer goes. ---- */

enum { TIGHTEST, LOWEST, TOP };

#define PLACE_PARAM(preset)                                                                        \
    {                                                                                              \
        "place", HW_PARAM_CHOICE, 0, 0, preset, "tightest|lowest|top",                             \
            "in the hole that it fills best, the lowest one, or above all that it meets"           \
    }

static uint64_t (*place_rule(const hw_placement_request *request))(hw_fit *, uint32_t)
{
    switch (request->params[0].i) {
    case LOWEST:
        return hw_fit_lowest;
    case TOP:
        return hw_fit_top;
    default:
        return hw_fit_tightest;
    }
}

/* ---- By size. ---- */

static hw_ranked by_size(const hw_arena *a, const void *context, uint32_t buffer)
{
    (void)context;
    const hw_buffer *b = &a->buffer[buffer];
    return (hw_ranked){{hw_key_down(b->size), hw_key_tick(b->lower)}, buffer};
}

static hw_code place_by_size(const hw_arena *a, const hw_placement_request *request,
                             hw_placement *out, hw_error *err)
{
    return hw_place_ranked(a, request, by_size, NULL, place_rule(request), out, err);
}

static const hw_param_row SIZE_PARAMS[] = {PLACE_PARAM(TIGHTEST)};

const hw_allocator hw_allocator_greedy_by_size = {
    .name = "greedy-by-size",
    .help = "the largest first, in the tightest hole",
    .source = "TensorFlow Lite; Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net "
              "Inference, 2020, arXiv 2001.03288",
    .params = SIZE_PARAMS,
    .n_params = 1,
    .place = place_by_size,
};

/* ---- By breadth. ---- */

typedef struct breadth {
    uint64_t most; /* greatest sum of needs in the buffer's life */
    int64_t at;    /* first tick that has it                     */
} breadth;

static hw_ranked by_breadth(const hw_arena *a, const void *context, uint32_t buffer)
{
    const breadth *b = (const breadth *)context + buffer;
    return (hw_ranked){
        {hw_key_down(b->most), hw_key_tick(b->at), hw_key_down(a->buffer[buffer].size)}, buffer};
}

static hw_code place_by_breadth(const hw_arena *a, const hw_placement_request *request,
                                hw_placement *out, hw_error *err)
{
    hw_profile profile;
    hw_code code = hw_profile_start(&profile, a, err);
    if (code != HW_OK)
        return code;
    breadth *b = HW_NEW0(breadth, a->n_buffers);
    if (!b)
        code = hw_fail_memory(err, "the breadth of steps");
    const hw_clock clock = hw_clock_start(request->seconds);
    for (uint32_t i = 0; code == HW_OK && i < a->n_buffers; i++) {
        if (request->stop && *request->stop)
            code = hw_fail(err, HW_STOPPED, "stopped while measuring the breadth of steps");
        else if (i % 256 == 255 && hw_clock_over(&clock))
            code = hw_fail(err, HW_LIMIT,
                           "the time is over before the breadth of all steps is known: give more, "
                           "or take free-list");
        size_t at = hw_profile_find(&profile, a->buffer[i].lower);
        for (; at < profile.n && profile.tick[at] < a->buffer[i].upper; at++)
            if (profile.load[at] > b[i].most)
                b[i] = (breadth){profile.load[at], profile.tick[at]};
    }
    if (code == HW_OK)
        code = hw_place_ranked(a, request, by_breadth, b, place_rule(request), out, err);
    free(b);
    hw_profile_end(&profile);
    return code;
}

static const hw_param_row BREADTH_PARAMS[] = {PLACE_PARAM(TIGHTEST)};

const hw_allocator hw_allocator_greedy_by_breadth = {
    .name = "greedy-by-breadth",
    .help = "those of the fullest step first, the largest of them before others",
    .source = "TensorFlow Lite; Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net "
              "Inference, 2020, arXiv 2001.03288",
    .params = BREADTH_PARAMS,
    .n_params = 1,
    .place = place_by_breadth,
};

/* ---- By conflicts. ---- */

static hw_ranked by_conflicts(const hw_arena *a, const void *context, uint32_t buffer)
{
    const uint32_t *conflicts = context;
    return (hw_ranked){{hw_key_down(conflicts[buffer]), hw_key_down(a->buffer[buffer].size)},
                       buffer};
}

static hw_code place_by_conflicts(const hw_arena *a, const hw_placement_request *request,
                                  hw_placement *out, hw_error *err)
{
    uint32_t *conflicts = HW_NEW(uint32_t, a->n_buffers);
    if (!conflicts)
        return hw_fail_memory(err, "counting conflicts");
    hw_code code = hw_count_conflicts(a, request, conflicts, err);
    if (code == HW_OK)
        code = hw_place_ranked(a, request, by_conflicts, conflicts, place_rule(request), out, err);
    free(conflicts);
    return code;
}

static const hw_param_row CONFLICT_PARAMS[] = {PLACE_PARAM(TOP)};

const hw_allocator hw_allocator_greedy_by_conflicts = {
    .name = "greedy-by-conflicts",
    .help = "those that meet most others first, above all that lie and that they meet",
    .source = "TVM, unified static memory planner, greedy.cc, 2021",
    .params = CONFLICT_PARAMS,
    .n_params = 1,
    .place = place_by_conflicts,
};
