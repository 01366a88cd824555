/*
 * Goals: what counts as a rating, and what does not.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "adversary/goal.h"
#include "support_draft.h"
#include "support_solve.h"

enum { GRAPHS = 200 };

static hw_goal goal_of(const char *solver, const char *against, bool hard)
{
    hw_goal goal;
    hw_error err = {0};
    if (hw_goal_parse(solver, against, hard, &goal, &err) != HW_OK)
        fail_msg("%s", err.message);
    return goal;
}

static hw_rating rate(const hw_goal *goal, const hw_graph *g)
{
    hw_rating rating;
    hw_error err = {0};
    if (hw_goal_rate(goal, g, &rating, &err) != HW_OK)
        fail_msg("%s", err.message);
    return rating;
}

/* Both peaks against solvers called by hand; greedy-listing stalls on some. */
static void test_peaks(void **state)
{
    (void)state;
    static const char *const solvers[] = {"greedy", "level", "greedy-listing", "dfs"};
    hw_goal against = goal_of("greedy", "level", false);
    size_t counted = 0, stalled = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = draft_graph(seed, 2 + seed % 7, seed % 2 ? DRAW_PLAIN : DRAW_RICH);
        assert_non_null(g);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            hw_model *m = test_model(g, (hw_accounting)a, false);
            hw_answer best = test_solve(m, "dp");
            for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
                hw_goal gap = goal_of(solvers[i], NULL, false);
                gap.accounting = (hw_accounting)a;
                hw_rating r = rate(&gap, g);
                hw_answer own = test_solve(m, solvers[i]);
                assert_int_equal(r.counts, own.has_order);
                stalled += !own.has_order;
                if (own.has_order) {
                    assert_true(r.peak == own.peak && r.reference == best.peak);
                    assert_true(r.ratio.over == r.peak && r.ratio.under == r.reference);
                    counted++;
                }
                hw_answer_clear(&own);
            }
            against.accounting = (hw_accounting)a;
            hw_rating r = rate(&against, g);
            hw_answer greedy = test_solve(m, "greedy"), level = test_solve(m, "level");
            assert_true(r.counts && r.peak == greedy.peak && r.reference == level.peak);
            hw_answer_clear(&greedy);
            hw_answer_clear(&level);
            hw_answer_clear(&best);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(counted > GRAPHS);
    assert_true(stalled > 0);
}

/* An optimum that a limit keeps from its proof is no optimum. */
static void test_unproven_counts_not(void **state)
{
    (void)state;
    hw_goal goal = goal_of("greedy", NULL, false), hard = goal_of("dp", NULL, true);
    goal.limits.states = hard.limits.states = 30; /* greedy ends, a search does not */
    size_t unproven = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = draft_graph(seed, 20, DRAW_PLAIN);
        assert_non_null(g);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_param_value values[HW_PARAM_LIMIT];
        hw_answer limited;
        memcpy(values, goal.other_values, sizeof values);
        hw_request request = {.params = values, .limits = goal.limits};
        assert_int_equal(hw_solve(m, goal.other, &request, &limited, NULL), HW_OK);
        hw_rating r = rate(&goal, g), h = rate(&hard, g);
        assert_int_equal(r.counts, limited.status == HW_OPTIMAL);
        unproven += !r.counts;
        hw_answer free_run = test_solve(m, "dp");
        assert_int_equal(h.counts, free_run.states <= 30);
        if (h.counts)
            assert_true(h.ratio.over == free_run.states && h.ratio.under == 1);
        hw_answer_clear(&free_run);
        hw_answer_clear(&limited);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(unproven > 0);
}

/* A solver that refuses the graph, and a stop, are no failures. */
static void test_refusal_and_stop(void **state)
{
    (void)state;
    static volatile sig_atomic_t stop = 1;
    hw_graph *g = draft_graph(5, 8, DRAW_PLAIN);
    hw_goal goal = goal_of("liu", NULL, false);
    hw_rating r = rate(&goal, g);
    assert_false(r.counts);
    goal = goal_of("greedy", NULL, false);
    assert_true(rate(&goal, g).counts);
    goal.stop = &stop;
    assert_false(rate(&goal, g).counts);
    goal = goal_of("greedy", "level", false); /* both end before they look */
    assert_true(rate(&goal, g).counts);
    goal.stop = &stop;
    assert_false(rate(&goal, g).counts);
    hw_graph_free(g);
}

static void test_refused_goals(void **state)
{
    (void)state;
    hw_goal goal;
    hw_error err = {0};
    assert_int_equal(hw_goal_parse("gredy", NULL, false, &goal, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "greedy"));
    assert_int_equal(hw_goal_parse("bound-mincut", NULL, false, &goal, &err), HW_USAGE);
    assert_int_equal(hw_goal_parse("greedy", "bound-mincut", false, &goal, &err), HW_USAGE);
    assert_int_equal(hw_goal_parse("greedy", NULL, true, &goal, &err), HW_USAGE);
    assert_int_equal(hw_goal_parse("exact", "dp", true, &goal, &err), HW_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peaks), cmocka_unit_test(test_unproven_counts_not),
        cmocka_unit_test(test_refusal_and_stop), cmocka_unit_test(test_refused_goals)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
