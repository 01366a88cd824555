/*
 * Valleys over several moves, and profiles of pieces from both ends, against
 * all prefixes of small graphs.
 *
 * HW_EXACT_PIECES sets how many graphs are drawn, HW_EXACT_SEED from which seed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solver.h"
#include "model/sim.h"
#include "solvers/exact_commit.h"
#include "solvers/exact_profile.h"
#include "tests/support_lines.h"
#include "tests/support_exact.h"
#include "tests/support_prefixes.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"
#include "support_sanitized.h"

enum { MOST_NODES = 9 };

/* The prefix of the whole graph after the first `count` moves of a walk. */
static uint32_t prefix_after(const exact_walk *w, uint32_t count)
{
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; i++)
        moved |= 1U << w->p->node[w->trail[i]];
    return w->reverse ? (1U << w->p->n) - 1 - moved : moved;
}

/* Random walks: is every prefix on the way told rightly from a valley? */
static void check_commits(const prefixes *all, bool reverse, uint64_t *state)
{
    exact_problem *p = prefixes_problem(all);
    exact_walk w;
    exact_commit c;
    assert_int_equal(exact_walk_init(&w, p, reverse, NULL), HW_OK);
    assert_int_equal(exact_commit_init(&c, p, NULL), HW_OK);
    while (w.count < p->n) {
        uint32_t skip = random_below(state, (uint32_t)__builtin_popcountll(*w.ready));
        uint64_t bits = *w.ready;
        for (; skip; skip--)
            bits &= bits - 1;
        exact_walk_do(&w, (uint32_t)__builtin_ctzll(bits));
        for (uint32_t count = 0; count <= w.count; count++) {
            uint32_t here = prefix_after(&w, w.count), there = prefix_after(&w, count);
            uint32_t low = reverse ? here : there, high = reverse ? there : here;
            bool least = true;
            for (uint32_t set = 0; set < 1U << p->n && least; set++)
                least = !all->legal[set] || (set & low) != low || (set | high) != high ||
                        all->live[set] >= all->live[here];
            assert_true(exact_commit_is_valley(&c, &w, count) == least);
        }
    }
    exact_commit_free(&c);
    exact_walk_free(&w);
    exact_problem_free(p);
}

/*
 * The lowest prefix that can be reached within the budget from an end of the
 * graph; UINT64_MAX when the end itself is above it.
 */
static uint64_t lowest_within(const prefixes *all, bool reverse, uint64_t budget)
{
    static bool reached[PREFIX_SETS];
    uint32_t n = all->m->n_nodes, sets = 1U << n;
    uint64_t lowest = UINT64_MAX;
    memset(reached, 0, sizeof reached);
    reached[reverse ? sets - 1 : 0] = all->live[reverse ? sets - 1 : 0] <= budget;
    for (uint32_t i = 0; i < sets; i++) {
        uint32_t set = reverse ? sets - 1 - i : i;
        if (!reached[set])
            continue;
        if (all->live[set] < lowest)
            lowest = all->live[set];
        for (uint32_t v = 0; v < n; v++) {
            uint32_t next = set ^ 1U << v, from = reverse ? next : set;
            bool ahead = (set >> v & 1) == reverse;
            if (ahead && all->legal[next] && all->usage[from][v] <= budget)
                reached[next] = true;
        }
    }
    return lowest;
}

/* Hills are the least budgets, valleys the lowest prefixes that they reach. */
static void check_answer(const prefixes *all, exact_profile_ask ask, bool deep, bool cuts,
                         uint64_t optimum)
{
    const hw_model *m = all->m;
    hw_request request = {0};
    hw_meter meter;
    exact_map map;
    uint32_t order[MOST_NODES];
    exact_options options = {.rules = {true, true, true, true, deep}};
    exact_profiler c = {m, order, &map, &options, cuts, &meter, 0};
    exact_profile found;
    uint64_t low = ask.low_hill, least = optimum > low ? optimum : low;
    hw_meter_start(&meter, &request);
    memcpy(order, all->order, m->n_nodes * sizeof *order);
    assert_int_equal(exact_map_init(&map, m, NULL), HW_OK);
    exact_outcome outcome = exact_profile_find(&c, &ask, &found);
    assert_int_equal(outcome, optimum <= ask.high_hill ? EXACT_FOUND : EXACT_NONE);
    uint64_t valley = ask.live, hill = 0;
    for (size_t i = 0; i < found.count; i++) {
        const exact_segment *s = &found.segment[i];
        assert_true(s->hill >= low && s->hill <= ask.high_hill);
        assert_true(s->hill > hill && s->valley < valley);
        assert_true(lowest_within(all, ask.reverse, s->hill) == s->valley);
        if (s->hill > low)
            assert_true(lowest_within(all, ask.reverse, s->hill - 1) >= valley);
        hill = s->hill;
        valley = s->valley;
    }
    if (outcome == EXACT_FOUND) { /* nothing lower is left, and the order keeps to it */
        uint64_t peak = exact_profile_peak(&found), used;
        assert_true(lowest_within(all, ask.reverse, UINT64_MAX) == valley);
        assert_true((peak > low ? peak : low) == least);
        assert_int_equal(hw_peak(m, order, &used, NULL), HW_OK);
        assert_true(used <= least);
    } else { /* blocked: nothing lower is within reach */
        assert_true(lowest_within(all, ask.reverse, ask.high_hill) == valley);
    }
    exact_profile_free(&found);
    exact_map_free(&map);
}

static void check_profile(const prefixes *all, bool reverse, uint64_t optimum, uint64_t *state)
{
    const hw_model *m = all->m;
    uint64_t live = reverse ? m->live_full : m->live_empty;
    uint64_t high = random_chance(state, 0.4) ? optimum + random_below(state, 3) - 1 : UINT64_MAX;
    if (high < live || optimum == 0)
        high = UINT64_MAX;
    uint64_t low = live + (random_chance(state, 0.5) ? 0 : random_below(state, 20));
    check_answer(all,
                 (exact_profile_ask){0, m->n_nodes, reverse, live, low > high ? live : low, high},
                 random_chance(state, 0.5), random_chance(state, 0.7), optimum);
}

static void profiles_agree_with_all_prefixes(void **unused)
{
    (void)unused;
    static prefixes all;
    uint64_t graphs = environment_number("HW_EXACT_PIECES", FEWER(2500));
    uint64_t seed = environment_number("HW_EXACT_SEED", 1);
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = seed + i * 1000003;
        hw_graph *g = prefixes_graph(&state, MOST_NODES);
        if (!g)
            continue;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
            if (!m)
                continue;
            prefixes_lay(&all, m);
            uint64_t optimum = prefixes_best(&all, NULL, 0);
            for (int reverse = 0; reverse < 2; reverse++) {
                check_commits(&all, reverse, &state);
                check_profile(&all, reverse, optimum, &state);
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

/*
 * A profile that ends at a hill it may not pass has all valleys before that
 * hill: {6, 7} climbs as a whole to above 147, yet taking 7 off leads down.
 */
static void blocked_profiles_go_as_far_as_they_can(void **unused)
{
    (void)unused;
    static const uint64_t limits[] = {90, 96, 97, UINT64_MAX};
    static prefixes all;
    hw_graph *g = lines_graph("t 0 18 a; t 1 35 a; t 2 3 a; t 3 10 o; t 4 20 o; t 5 29 a; t 6 5 a; "
                              "t 7 37 a; t 8 3 a; t 9 5 a; t 10 21 o; t 11 38 a; t 12 17 a; "
                              "t 13 9 o; t 14 10 a; t 15 30 o; v 0 - > 0,1,2; v 1 - > 3,4; "
                              "v 2 - > 5; v 3 5 > 6,7; v 4 - > 8,9,10; v 5 8,10 > 11; "
                              "v 6 5,6 > 12,13; v 7 13 > 14,15; v 8 5,6,7,12 > -");
    hw_model *m = test_model(g, HW_FREE_FIRST, false);
    prefixes_lay(&all, m);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        check_answer(&all, (exact_profile_ask){0, m->n_nodes, true, m->live_full, 90, limits[i]},
                     true, true, prefixes_best(&all, NULL, 0));
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocked_profiles_go_as_far_as_they_can),
        cmocka_unit_test(profiles_agree_with_all_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
