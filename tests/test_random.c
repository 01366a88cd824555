/*
 * random, kahn-random, best-of: one stream of orders, cut where asked.
 * (test_heuristics.c has the chances of the draws and the limits of random.)
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "support_draft.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_solve.h"

static bool same(const hw_answer *a, const hw_answer *b, uint32_t n)
{
    return a->has_order && b->has_order && a->peak == b->peak &&
           memcmp(a->order, b->order, n * sizeof *a->order) == 0;
}

static void one_stream(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 40, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_request request = {.seed = seed};
        hw_answer one = test_solve_with(m, "kahn-random", request);
        hw_answer first = test_solve_with(m, "random:n=1", request);
        hw_answer hundred = test_solve_with(m, "random", request);
        hw_answer best = test_solve_with(m, "best-of:n=100", request);
        hw_answer more = test_solve_with(m, "best-of:n=300", request);
        assert_true(same(&one, &first, m->n_nodes) && same(&hundred, &best, m->n_nodes));
        assert_true(hundred.peak <= one.peak && more.peak <= hundred.peak);
        /* Until a limit of states: the same as so many orders. */
        request.limits.states = 100 * (uint64_t)m->n_nodes;
        hw_answer until = test_solve_with(m, "best-of:n=0", request);
        assert_true(same(&until, &best, m->n_nodes) && until.states <= request.limits.states);
        assert_true(until.limit_reached == (until.status != HW_OPTIMAL));
        hw_answer_clear(&one);
        hw_answer_clear(&first);
        hw_answer_clear(&hundred);
        hw_answer_clear(&best);
        hw_answer_clear(&more);
        hw_answer_clear(&until);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* Without a limit there would be no end. */
static void no_limit_is_refused(void **state)
{
    (void)state;
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_answer answer;
    hw_graph *g = draft_graph(1, 10, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    assert_int_equal(hw_solver_parse("best-of:n=0", &row, values, &err), HW_OK);
    hw_request request = {.params = values};
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "--time-limit"));
    request.limits.seconds = 0.05;
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_OK);
    assert_true(answer.has_order);
    hw_answer_clear(&answer);
    hw_model_free(m);
    hw_graph_free(g);
}

static void orders_are_legal(void **state)
{
    (void)state;
    static const char *const specs[] = {"kahn-random", "best-of:n=3", "best-of:n=3,by=depth-first"};
    uint32_t with_windows = 0;
    for (uint64_t seed = 0; seed < 800; seed++) {
        hw_graph *g = draft_graph(seed, seed % 13, seed % 3 ? DRAW_ALL : DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed / 2 % 2), false);
        hw_answer best = test_solve(m, "dp");
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            hw_answer a = test_solve_with(m, specs[i], (hw_request){.seed = seed});
            assert_true(a.has_order == m->legal && (!a.has_order || a.peak >= best.peak));
            hw_answer_clear(&a);
        }
        with_windows += m->legal && m->earliest;
        hw_answer_clear(&best);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(with_windows > 150);
}

/* Two chains of three: depth first runs either whole before the other, as often. */
static void depth_first_ends_branches(void **state)
{
    (void)state;
    hw_graph *g;
    hw_error err = {0};
    assert_int_equal(lines_parse("t 0 1 a; t 1 1 a; t 2 1 o; t 3 1 a; t 4 1 a; t 5 1 o; v 0 - > 0; "
                                 "v 1 0 > 1; v 2 1 > 2; v 3 - > 3; v 4 3 > 4; v 5 4 > 5",
                                 &g, &err),
                     HW_OK);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    uint32_t begins_with_0 = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        hw_answer a = test_solve_with(m, "best-of:n=1,by=depth-first", (hw_request){.seed = seed});
        uint32_t first = a.order[0];
        assert_true(first == 0 || first == 3);
        for (uint32_t i = 0; i < 6; i++)
            assert_int_equal(a.order[i], (first + i) % 6);
        begins_with_0 += first == 0;
        hw_answer_clear(&a);
    }
    assert_in_range(begins_with_0, 150, 250); /* 5 sigma: 50 */
    hw_model_free(m);
    hw_graph_free(g);
}

/* On trees branches that end early are worth much. */
static void depth_first_suits_trees(void **state)
{
    (void)state;
    double kahn = 0, depth = 0;
    for (uint64_t index = 0; index < 20; index++) {
        hw_graph *g = test_instance("tree:n=60,direction=in", index);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer a = test_solve(m, "best-of:n=100");
        hw_answer b = test_solve(m, "best-of:n=100,by=depth-first");
        kahn += (double)a.peak;
        depth += (double)b.peak;
        hw_answer_clear(&a);
        hw_answer_clear(&b);
        hw_model_free(m);
        hw_graph_free(g);
    }
    print_message("# in-trees, 60 nodes, best of 100: depth first %.2f of Kahn\n", depth / kahn);
    assert_true(depth < 0.9 * kahn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stream),
        cmocka_unit_test(no_limit_is_refused),
        cmocka_unit_test(orders_are_legal),
        cmocka_unit_test(depth_first_ends_branches),
        cmocka_unit_test(depth_first_suits_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
