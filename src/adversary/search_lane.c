/* Plans of lanes, and running one.  See search.h. */
#include "adversary/search_lane.h"

#include <string.h>

enum {
    FIRST_BUDGET = 1000, /* of the first round of methods                      */
    DOUBLINGS = 7,       /* rounds until budgets grow no more: 128,000         */
    DRAWS = 1000,        /* tries for a graph inside the space                 */
    REFUSALS = 1000,     /* so many graphs without one that counts: a bad goal */
    MOST_CHANGES = 6,    /* moves in one change                                */
    LOOK_EVERY = 64      /* evaluations between two looks at the clock         */
};

#define TICK_SECONDS 0.1

const char *hw_search_method_name(hw_search_method method)
{
    static const char *const name[] = {"climb", "anneal", "evolve"};
    return name[method];
}

void hw_search_plan(const hw_search *s, uint64_t number, hw_lane_plan *out)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < HW_SEARCH_METHODS; k++)
        n += s->methods >> k & 1;
    uint64_t round = n ? number / n : 0, place = n ? number % n : 0;
    out->number = number;
    out->method = HW_SEARCH_CLIMB;
    for (unsigned k = 0; k < HW_SEARCH_METHODS; k++)
        if (s->methods >> k & 1 && place-- == 0)
            out->method = (hw_search_method)k;
    out->seed = hw_instance_seed(s->seed, s->label, number);
    out->budget = (uint64_t)FIRST_BUDGET << (round < DOUBLINGS ? round : DOUBLINGS);
    out->limit = out->budget;
}

bool hw_lane_open(const hw_lane *lane)
{
    return lane->code == HW_OK && lane->used < lane->plan.limit;
}

bool hw_lane_change(hw_lane *lane, hw_genome *g)
{
    bool changed = false;
    int moves = 1;
    while (moves < MOST_CHANGES && hw_rng_below(lane->rng, 2))
        moves++;
    for (; moves > 0; moves--)
        changed = hw_space_move(&lane->search->space, lane->rng, g) || changed;
    return changed;
}

bool hw_lane_begin(hw_lane *lane, bool changed, hw_genome *g)
{
    if (!hw_lane_open(lane))
        return false;
    if (lane->search->start) {
        *g = *lane->search->start;
        if (changed)
            (void)hw_lane_change(lane, g);
        return true;
    }
    for (int i = 0; i < DRAWS; i++)
        if (hw_space_draw(&lane->search->space, lane->rng, g))
            return true;
    lane->code =
        hw_fail(lane->err, HW_USAGE,
                "none of %d random graphs keeps to the limits on nodes, edges, degrees and "
                "shape: widen them, or give a graph to --start from",
                DRAWS);
    return false;
}

static void tell(hw_lane *lane, bool better)
{
    const hw_lane_listener *listener = lane->listener;
    if (!listener)
        return;
    if (better && listener->found)
        listener->found(listener->context, &lane->best);
    if (!listener->tick || lane->used % LOOK_EVERY)
        return;
    double now = hw_wall_seconds();
    if (now - lane->told_seconds < TICK_SECONDS)
        return;
    lane->told_seconds = now;
    listener->tick(listener->context, lane->used);
}

bool hw_lane_rate(hw_lane *lane, const hw_genome *g, hw_ratio *ratio)
{
    hw_rating rating;
    if (!hw_lane_open(lane))
        return false;
    lane->used++;
    lane->code = hw_rater_rate(&lane->rater, g, &rating, lane->err);
    const volatile sig_atomic_t *stop = lane->search->goal.stop;
    if (lane->code == HW_OK && stop && *stop)
        lane->code = hw_fail(lane->err, HW_STOPPED, "stopped by a signal");
    if (lane->code != HW_OK)
        return false;
    *ratio = rating.counts ? rating.ratio : (hw_ratio){0, 1};
    bool better =
        rating.counts && (!lane->any || hw_ratio_compare(*ratio, lane->best.rating.ratio) > 0);
    if (better) {
        lane->any = true;
        lane->best = (hw_find){.genome = *g, .rating = rating, .evaluation = lane->used};
    }
    tell(lane, better);
    if (!lane->any && lane->used == REFUSALS) {
        const char *why = lane->rater.refusal.message;
        lane->code = hw_fail(
            lane->err, HW_USAGE, "none of %d graphs could be rated%s%s", REFUSALS,
            why[0] ? ": " : ": no order was found, or nothing proven within --state-limit", why);
    }
    return lane->code == HW_OK;
}

hw_code hw_lane_run(const hw_search *s, const hw_lane_plan *plan, const hw_lane_listener *listener,
                    hw_find *best, bool *any, uint64_t *used, hw_error *err)
{
    static void (*const method[])(hw_lane *) = {hw_lane_climb, hw_lane_anneal, hw_lane_evolve};
    hw_lane lane = {.search = s, .plan = *plan, .listener = listener, .err = err};
    lane.rng = hw_rng_new(plan->seed);
    if (!lane.rng)
        return hw_fail_memory(err, "a generator of random numbers");
    hw_rater_start(&lane.rater, &s->goal);
    lane.told_seconds = hw_wall_seconds();
    method[plan->method](&lane);
    gsl_rng_free(lane.rng);
    *any = lane.any;
    *used = lane.used;
    if (lane.any)
        *best = lane.best;
    return lane.code;
}
