/*
 * hill-climb: the order of placement is changed by swaps, as TVM does it
 * (unified static memory planner, hill_climb.cc, 2021).
 *
 * Start: the largest first, of equal ones that with most conflicts.  Each round
 * places all in the order at hand, each as low as possible.  A round that is no
 * worse than the last accepted one is kept, a worse one with a chance of
 * (50 / round) % of its loss; else its swap is taken back.  The next swap: of
 * a buffer that ends at the top, one that it meets and that was placed before
 * it, with one of the same kind or one that such a one meets and that was
 * placed before that.  Unlike TVM, the best of all rounds is returned.
 *
 * A state is a round.  O(n^2) at the start, then O(m log m) a round for m
 * pairs that meet.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/allocators.h"
#include "arena/clock.h"
#include "arena/order.h"
#include "core/memory.h"
#include "core/rng.h"

typedef struct climb {
    hw_fit fit;
    uint32_t n;
    uint32_t *order, *position;
    uint64_t *best, *accepted; /* offsets */
    uint64_t best_height, accepted_height;
    uint32_t *near, *far; /* candidates of a swap */
    uint32_t swap[2];     /* positions; equal: none */
    gsl_rng *rng;
} climb;

static void swap(climb *c)
{
    uint32_t i = c->swap[0], j = c->swap[1], x = c->order[i], y = c->order[j];
    c->order[i] = y;
    c->order[j] = x;
    c->position[y] = i;
    c->position[x] = j;
}

/* Those that `buffer` meets and that were placed before it, from list[n] on. */
static uint32_t placed_before(const climb *c, uint32_t buffer, uint32_t *list, uint32_t n,
                              uint32_t most)
{
    for (size_t i = c->fit.first_meeting[buffer]; i < c->fit.first_meeting[buffer + 1]; i++) {
        uint32_t other = c->fit.meeting[i].other;
        if (c->position[other] < c->position[buffer] && n < most)
            list[n++] = other;
    }
    return n;
}

/* A buffer that ends at the top, drawn from all that do. */
static uint32_t draw_top(const climb *c)
{
    uint64_t seen = 0;
    uint32_t top = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->fit.offset[i] + c->fit.arena->buffer[i].size == c->fit.height &&
            hw_rng_below(c->rng, ++seen) == 0)
            top = i;
    return top;
}

/* The positions to swap next; equal where nothing lies before the top. */
static void draw_swap(climb *c)
{
    uint32_t n_far = 0, n_near = placed_before(c, draw_top(c), c->near, 0, c->n);
    c->swap[0] = c->swap[1] = 0;
    if (n_near == 0)
        return;
    for (uint32_t i = 0; i < n_near; i++)
        n_far = placed_before(c, c->near[i], c->far, n_far, 4 * c->n);
    uint32_t one = c->near[hw_rng_below(c->rng, n_near)], other = one;
    for (int i = 0; other == one && i < 16; i++)
        other = n_far > 0 && hw_rng_below(c->rng, 100) > 25 ? c->far[hw_rng_below(c->rng, n_far)]
                                                            : c->near[hw_rng_below(c->rng, n_near)];
    c->swap[0] = c->position[one];
    c->swap[1] = c->position[other];
}

/* Whether a round of this height is kept; no floating point. */
static bool accept(climb *c, uint64_t round)
{
    uint64_t height = c->fit.height;
    if (height <= c->accepted_height)
        return true;
    __extension__ typedef unsigned __int128 wide;
    uint64_t chance = (uint64_t)((wide)50 * (height - c->accepted_height) / height / round);
    return hw_rng_below(c->rng, 100) < chance;
}

static void copy(const climb *c, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, c->n * sizeof *to);
}

/* Keep the round: as the one to go on from and, if so, as the best. */
static void keep(climb *c)
{
    c->accepted_height = c->fit.height;
    copy(c, c->accepted, c->fit.offset);
    if (c->fit.height < c->best_height) {
        c->best_height = c->fit.height;
        copy(c, c->best, c->fit.offset);
    }
}

static uint64_t run(climb *c, const hw_placement_request *request, uint64_t enough)
{
    uint64_t rounds = (uint64_t)request->params[0].i, round = 1;
    hw_clock clock = hw_clock_start(request->seconds);
    if (request->states > 0 && request->states < rounds)
        rounds = request->states;
    hw_fit_all(&c->fit, c->order);
    c->best_height = UINT64_MAX;
    keep(c);
    for (; round < rounds && c->best_height > enough; round++) {
        if ((request->stop && *request->stop) || hw_clock_over(&clock))
            break;
        draw_swap(c);
        swap(c);
        hw_fit_all(&c->fit, c->order);
        if (accept(c, round)) {
            keep(c);
        } else {
            swap(c);
            c->fit.height = c->accepted_height;
            copy(c, c->fit.offset, c->accepted);
        }
    }
    return round;
}

static hw_code start(climb *c, const hw_arena *a, uint64_t seed, hw_error *err)
{
    c->n = a->n_buffers;
    c->order = HW_NEW(uint32_t, c->n);
    c->position = HW_NEW(uint32_t, c->n);
    c->best = HW_NEW0(uint64_t, c->n);
    c->accepted = HW_NEW0(uint64_t, c->n);
    c->near = HW_NEW(uint32_t, c->n);
    c->far = HW_NEW(uint32_t, 4 * (size_t)c->n);
    c->rng = hw_rng_new(seed);
    hw_ranked *ranked = HW_NEW(hw_ranked, c->n);
    if (!c->order || !c->position || !c->best || !c->accepted || !c->near || !c->far || !c->rng ||
        !ranked) {
        free(ranked);
        return hw_fail_memory(err, "climbing");
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t meets = c->fit.first_meeting[i + 1] - c->fit.first_meeting[i];
        ranked[i] = (hw_ranked){{hw_key_down(a->buffer[i].size), hw_key_down(meets)}, i};
    }
    hw_rank_sort(ranked, c->n);
    for (uint32_t i = 0; i < c->n; i++) {
        c->order[i] = ranked[i].buffer;
        c->position[ranked[i].buffer] = i;
    }
    free(ranked);
    return HW_OK;
}

static hw_code place(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err)
{
    climb c = {0};
    hw_code code = hw_fit_start(&c.fit, a, err);
    if (code == HW_OK)
        code = hw_fit_remember(&c.fit, err);
    if (code == HW_OK)
        code = start(&c, a, request->seed, err);
    if (code == HW_OK) {
        uint64_t enough = request->capacity > a->bound ? request->capacity : a->bound;
        out->states = a->n_buffers > 0 ? run(&c, request, enough) : 0;
        out->offset = c.best;
        out->height = c.best_height;
        out->placed = true;
        c.best = NULL;
    }
    free(c.order);
    free(c.position);
    free(c.best);
    free(c.accepted);
    free(c.near);
    free(c.far);
    if (c.rng)
        gsl_rng_free(c.rng);
    hw_fit_end(&c.fit);
    return code;
}

static const hw_param_row PARAMS[] = {
    {"rounds", HW_PARAM_INT, 1, 1e9, 500, NULL, "placements of all buffers that are tried"},
};

const hw_allocator hw_allocator_hill_climb = {
    .name = "hill-climb",
    .help = "places all again and again, with two buffers swapped in the order",
    .source = "TVM, unified static memory planner, hill_climb.cc, 2021",
    .params = PARAMS,
    .n_params = 1,
    .random = true,
    .place = place,
};
