/* The joint search: what it keeps, and its phases.  See joint.h. */
#include "arena/joint.h"

#include <stdlib.h>
#include <string.h>

#include "arena/allocators.h"
#include "arena/joint_internal.h"
#include "core/memory.h"

/* States of the prover for one order: beyond, the order stays open. */
enum { FIRST_STATES = 50000, PROVER_STATES = 1000000, CLIMB_ORDERS = 2000 };

void hw_joint_clear(hw_joint *j)
{
    free(j->order);
    hw_arena_free(j->arena);
    hw_placement_clear(&j->placement);
    memset(j, 0, sizeof *j);
}

bool joint_over(const joint_run *r)
{
    return (r->request->stop && *r->request->stop) || hw_clock_over(&r->clock) ||
           (r->most_orders > 0 && r->best->orders >= r->most_orders);
}

uint64_t joint_ceiling(const joint_run *r)
{
    uint64_t most = r->request->most_peak, height = r->best->placement.height;
    return height > 0 && most < height - 1 ? most + 1 : height;
}

/* Keep an allocation if it is the first or lower than the best; it and the arena change hands. */
static bool keep(joint_run *r, const uint32_t *order, hw_arena **a, hw_placement *p)
{
    hw_joint *best = r->best;
    if (!p->placed || (best->arena && p->height >= best->placement.height))
        return false;
    memcpy(best->order, order, r->m->n_nodes * sizeof *order);
    if (best->arena != *a) {
        hw_arena_free(best->arena);
        best->arena = *a;
    }
    hw_placement_clear(&best->placement);
    best->placement = *p;
    best->peak = (*a)->load;
    memset(p, 0, sizeof *p);
    return true;
}

static hw_code try_quick(joint_run *r, const uint32_t *order, hw_arena **a, uint64_t *height)
{
    static const hw_allocator *const quick[] = {&hw_allocator_greedy_by_size,
                                                &hw_allocator_greedy_by_breadth};
    *height = UINT64_MAX;
    for (size_t i = 0; i < sizeof quick / sizeof quick[0]; i++) {
        const hw_placement_request request = {.seed = r->request->seed};
        hw_placement p;
        hw_code code = hw_arena_place(*a, quick[i], &request, &p, r->err);
        if (code != HW_OK)
            return code;
        *height = p.height < *height ? p.height : *height;
        (void)keep(r, order, a, &p);
        hw_placement_clear(&p);
    }
    return HW_OK;
}

/* Ask the prover for an allocation of at most `capacity`; *settled: there is one, or none. */
static hw_code ask_prover(joint_run *r, const uint32_t *order, hw_arena **a, uint64_t capacity,
                          uint64_t states, bool *lower, bool *settled)
{
    hw_placement_request request = {.params = r->request->prover_params,
                                    .states = states,
                                    .capacity = capacity,
                                    .seed = r->request->seed,
                                    .stop = r->request->stop};
    hw_placement p = {0};
    *lower = *settled = false;
    if (r->clock.seconds > 0) {
        request.seconds = r->clock.seconds - hw_clock_elapsed(&r->clock);
        if (request.seconds <= 0)
            return HW_OK;
    }
    hw_code code = hw_arena_place(*a, r->request->prover, &request, &p, r->err);
    if (code != HW_OK)
        return code == HW_STOPPED ? HW_OK : code;
    *settled = p.bound > capacity || (p.placed && p.height <= capacity);
    *lower = keep(r, order, a, &p);
    hw_placement_clear(&p);
    return HW_OK;
}

/*
 * Has this order a lower arena than the best, and how low?  First at the least
 * that is thinkable, which is often there, then from the best downwards.  Open
 * where the prover cannot tell.
 */
static hw_code try_prover(joint_run *r, const uint32_t *order, hw_arena **a)
{
    const hw_placement *best = &r->best->placement;
    uint64_t least = (*a)->bound > r->request->bound ? (*a)->bound : r->request->bound;
    bool lower, settled;
    hw_code code = ask_prover(r, order, a, least, FIRST_STATES, &lower, &settled);
    do {
        if (code != HW_OK || best->height <= least)
            return code;
        code = ask_prover(r, order, a, best->height - 1, PROVER_STATES, &lower, &settled);
    } while (lower);
    r->open = r->open || !settled;
    return code;
}

hw_code joint_try(joint_run *r, const uint32_t *order, bool prove, uint64_t *height)
{
    hw_arena *a = NULL;
    uint64_t quick = 0;
    hw_code code = hw_arena_of_order(r->m, order, r->request->alignment, &a, r->err);
    if (code != HW_OK || !a)
        return code;
    r->best->orders++;
    code = try_quick(r, order, &a, &quick);
    if (code == HW_OK && prove && a->bound < r->best->placement.height) {
        if (r->request->prover)
            code = try_prover(r, order, &a);
        else
            r->open = true;
    }
    if (a != r->best->arena)
        hw_arena_free(a);
    if (height)
        *height = quick;
    return code;
}

static hw_code run(joint_run *r)
{
    const hw_joint_request *request = r->request;
    bool whole = true;
    hw_code code = joint_try(r, request->start, true, NULL);
    if (code != HW_OK || r->best->placement.height <= request->bound)
        return code;
    r->open = false; /* the walk comes to the start again */
    r->most_orders = request->orders > 0 && request->orders / 2 < CLIMB_ORDERS ? request->orders / 2
                                                                               : CLIMB_ORDERS;
    if (r->best->orders < r->most_orders)
        code = joint_climb(r);
    r->most_orders = request->orders;
    if (code == HW_OK && r->best->placement.height > request->bound)
        code = joint_walk(r, &whole);
    if (code == HW_OK && whole && !r->open)
        r->best->bound = r->best->placement.height;
    return code;
}

hw_code hw_joint_find(const hw_model *m, const hw_joint_request *request, hw_joint *out,
                      hw_error *err)
{
    joint_run r = {.m = m,
                   .request = request,
                   .best = out,
                   .clock = hw_clock_start(request->seconds),
                   .err = err};
    memset(out, 0, sizeof *out);
    out->bound = request->bound;
    out->order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = out->order ? run(&r) : hw_fail_memory(err, "an order");
    if (code != HW_OK)
        hw_joint_clear(out);
    return code;
}
