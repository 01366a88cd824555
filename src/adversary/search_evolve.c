/*
 * An evolutionary search: a small population in which a child takes the place
 * of its parent (steady state; Goldberg and Deb, 1991; crowding: Mahfoud, 1992).
 *
 * Of four drawn graphs the two best have a child, by crossover of node blocks
 * or as a copy of the better one, then changed; unless it is worse it takes the
 * place of its better parent, which it resembles most, so that the population
 * does not become copies of one graph; now and then that of the worst of the
 * four.  A population without a new best for a while begins anew.
 */
#include "adversary/search_lane.h"

#include <stdlib.h>

#include "core/memory.h"

enum {
    MOST_MEMBERS = 24,
    LEAST_MEMBERS = 8,
    ROUND = 4,
    SPREAD = 20,   /* one child in so many takes the worst one's place */
    PATIENCE = 200 /* children without a new best, a member            */
};

typedef struct member {
    hw_genome genome;
    hw_ratio ratio;
} member;

static uint32_t population_size(const hw_lane *lane)
{
    uint64_t size = lane->plan.budget / 100;
    return (uint32_t)(size > MOST_MEMBERS    ? MOST_MEMBERS
                      : size < LEAST_MEMBERS ? LEAST_MEMBERS
                                             : size);
}

static bool populate(hw_lane *lane, member *all, uint32_t n, bool changed)
{
    for (uint32_t i = 0; i < n; i++)
        if (!hw_lane_begin(lane, changed || i > 0, &all[i].genome) ||
            !hw_lane_rate(lane, &all[i].genome, &all[i].ratio))
            return false;
    return true;
}

/* Is `who` among the first n of drawn? */
static bool among(const uint32_t *drawn, uint32_t n, uint32_t who)
{
    for (uint32_t i = 0; i < n; i++)
        if (drawn[i] == who)
            return true;
    return false;
}

/* Four different members, best first. */
static void draw_round(hw_lane *lane, const member *all, uint32_t n, uint32_t *drawn)
{
    for (uint32_t i = 0; i < ROUND; i++) {
        uint32_t who, at = i;
        do {
            who = (uint32_t)hw_rng_below(lane->rng, n);
        } while (among(drawn, i, who));
        for (; at > 0 && hw_ratio_compare(all[drawn[at - 1]].ratio, all[who].ratio) < 0; at--)
            drawn[at] = drawn[at - 1];
        drawn[at] = who;
    }
}

static void breed(hw_lane *lane, const member *all, const uint32_t *drawn, hw_genome *child)
{
    const hw_genome *a = &all[drawn[0]].genome, *b = &all[drawn[1]].genome;
    bool crossed = hw_rng_below(lane->rng, 3) == 0 &&
                   hw_space_cross(&lane->search->space, lane->rng, a, b, child);
    if (!crossed)
        *child = *a;
    if (!crossed || hw_rng_below(lane->rng, 2))
        (void)hw_lane_change(lane, child);
}

static void evolve(hw_lane *lane, member *all, uint32_t n)
{
    hw_ratio top = {0, 1};
    hw_genome child;
    hw_ratio ratio;
    uint32_t drawn[ROUND];
    uint64_t patience = (uint64_t)PATIENCE * n;
    for (uint64_t idle = 0; idle < patience; idle++) {
        draw_round(lane, all, n, drawn);
        breed(lane, all, drawn, &child);
        if (!hw_lane_rate(lane, &child, &ratio))
            return;
        uint32_t place = hw_rng_below(lane->rng, SPREAD) ? drawn[0] : drawn[ROUND - 1];
        if (hw_ratio_compare(ratio, all[place].ratio) >= 0)
            all[place] = (member){child, ratio};
        if (hw_ratio_compare(ratio, top) > 0) {
            top = ratio;
            idle = 0;
        }
    }
}

void hw_lane_evolve(hw_lane *lane)
{
    uint32_t n = population_size(lane);
    member *all = HW_NEW(member, n);
    if (!all) {
        lane->code = hw_fail_memory(lane->err, "a population");
        return;
    }
    for (bool changed = false; populate(lane, all, n, changed); changed = true)
        evolve(lane, all, n);
    free(all);
}
