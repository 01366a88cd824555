/*
 * series-parallel: recognition against the definition on all small DAGs,
 * optima against the exact solver and the definitions, refusals.
 *
 * HW_SP_GRAPHS sets how many random graphs are solved (10,000), HW_SP_FIRST
 * the first of them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "solvers/series_parallel_tree.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_random.h"
#include "support_series_parallel.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* ---- Recognition. ---- */

/* The tree tells the order of g, or the pattern is one. */
static bool recognised(const hw_graph *g, const uint32_t *after)
{
    sp_places p;
    sp_tree t;
    hw_meter meter;
    uint32_t pattern[4];
    hw_meter_start(&meter, &(hw_request){0});
    assert_int_equal(sp_places_open(&p, g, NULL), HW_OK);
    sp_verdict verdict = sp_tree_open(&t, &p, 0, g->n_nodes, &meter);
    if (verdict == SP_YES) {
        for (uint32_t u = 0; u < g->n_nodes; u++)
            for (uint32_t v = 0; v < g->n_nodes; v++)
                assert_true(sp_precedes(&t, p.place[u], p.place[v]) == (after[u] >> v & 1));
        sp_tree_close(&t);
    } else {
        assert_int_equal(verdict, SP_NO);
    }
    assert_int_equal(sp_find_pattern(&p, &meter, pattern), verdict);
    assert_true(verdict == SP_YES || is_pattern(after, pattern));
    sp_places_close(&p);
    return verdict == SP_YES;
}

/* Nodes 0 .. n - 1 and the edges of bits[]: bit k is the k-th pair u < v. */
static hw_graph *control_graph(uint32_t n, uint64_t bits)
{
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint32_t v = 0; v < n; v++)
        assert_int_equal(hw_builder_node(b, &(hw_node_spec){.id = v}, NULL), HW_OK);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = u + 1; v < n; v++, bits >>= 1)
            if (bits & 1)
                assert_int_equal(hw_builder_control(b, u, v, NULL), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

static bool check_recognition(const hw_graph *g)
{
    uint32_t after[32];
    nodes_after(g, after);
    bool whole = !has_pattern(after, g->n_nodes);
    assert_true(recognised(g, after) == whole);
    return whole;
}

/* All DAGs of 6 nodes in a fixed topological order, superfluous edges and all. */
static void small_orders_are_recognised(void **state)
{
    (void)state;
    uint32_t whole = 0;
    for (uint64_t bits = 0; bits < 1 << 15; bits++) {
        hw_graph *g = control_graph(6, bits);
        whole += check_recognition(g);
        hw_graph_free(g);
    }
    assert_in_range(whole, 4000, 28000);
}

static void random_orders_are_recognised(void **state)
{
    (void)state;
    uint64_t seed = 7;
    uint32_t whole = 0, others = 0;
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t n = 5 + random_below(&seed, 6), pairs = n * (n - 1) / 2;
        double share = 0.05 + 0.05 * random_below(&seed, 6);
        uint64_t bits = 0;
        for (uint32_t k = 0; k < pairs; k++)
            bits |= (uint64_t)random_chance(&seed, share) << k;
        hw_graph *g = control_graph(n, bits);
        bool is_whole = check_recognition(g);
        whole += is_whole;
        others += !is_whole;
        hw_graph_free(g);
    }
    for (uint32_t i = 0; i < 3000; i++) {
        hw_graph *g = series_parallel_graph(&seed, 1 + i % SERIES_PARALLEL_MOST, false);
        assert_true(check_recognition(g));
        hw_graph_free(g);
    }
    assert_true(whole > 500 && others > 500);
}

/* ---- Optima. ---- */

/* Solved and equal to `optimum`, or refused, as the definitions say. */
static bool check_model(const hw_model *m, const uint32_t *after, uint64_t i)
{
    const hw_solver_row *row = hw_solver_find("series-parallel", strlen("series-parallel"));
    hw_answer answer;
    hw_error err = {0};
    assert_non_null(row);
    bool taken = !has_pattern(after, m->n_nodes) && has_last_consumers(m, after);
    hw_code code = hw_solve(m, row, &(hw_request){0}, &answer, &err);
    if (code != (taken ? HW_OK : HW_USAGE))
        fail_msg("graph %" PRIu64 ": %s", i, code == HW_OK ? "taken" : err.message);
    if (!taken)
        return false;
    hw_answer exact = test_solve(m, "exact");
    assert_int_equal(exact.status, HW_OPTIMAL);
    if (answer.status != HW_OPTIMAL || answer.peak != exact.peak)
        fail_msg("graph %" PRIu64 ", %s: peak %" PRIu64 ", exact %" PRIu64, i,
                 hw_accounting_name(m->accounting), answer.peak, exact.peak);
    if (m->n_nodes <= 7)
        assert_true(answer.peak == defined_optimum(m->graph, m->accounting, m->pin_inputs));
    hw_answer_clear(&answer);
    hw_answer_clear(&exact);
    return true;
}

/* How many of the models of g were solved. */
static uint32_t check_graph(const hw_graph *g, uint64_t i)
{
    uint32_t after[32], solved = 0;
    nodes_after(g, after);
    for (int a = 0; a < 2; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, i % 3 == 0);
        solved += m && check_model(m, after, i);
        hw_model_free(m);
    }
    return solved;
}

static void optima_are_exact(void **state)
{
    (void)state;
    uint64_t graphs = environment_number("HW_SP_GRAPHS", FEWER(10000));
    uint64_t first = environment_number("HW_SP_FIRST", 0), solved = 0, views = 0;
    for (uint64_t i = first; i < first + graphs; i++) {
        uint64_t seed = i * UINT64_C(0x2545f4914f6cdd1d) + 1;
        hw_graph *g = series_parallel_graph(&seed, 1 + (uint32_t)(i % 14), false);
        uint32_t done = check_graph(g, i);
        if (done != 2)
            fail_msg("graph %" PRIu64 " is series-parallel and was refused", i);
        solved += done;
        hw_graph_free(g);
        if (i % 4 == 0) {
            g = series_parallel_graph(&seed, 1 + (uint32_t)(i % 11), true);
            views += check_graph(g, i);
            hw_graph_free(g);
        }
    }
    print_message("# series-parallel: %" PRIu64 " graphs, %" PRIu64 " models, %" PRIu64
                  " more with views\n",
                  graphs, solved, views);
    assert_true(graphs < 1000 || views > graphs / 8);
}

/* Graphs that know nothing of the solver: taken or refused as defined. */
static void any_graph_is_right_or_refused(void **state)
{
    (void)state;
    uint32_t solved = 0, models = 0;
    for (uint64_t i = 0; i < 6000; i++) {
        hw_graph *g = draft_graph(i, 1 + i % 9, i % 2 ? DRAW_RICH : DRAW_RICH & ~DRAW_LOCKS);
        solved += check_graph(g, i);
        models += 2;
        hw_graph_free(g);
    }
    assert_true(solved > 1000 && models - solved > 1000);
}

static void generated_graphs_are_exact(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "series-parallel:n=40,share=no",
        "series-parallel:n=80,share=no,sizes=lognormal,workspace=0.3,inplace=0.3",
        "series-parallel:n=120,share=no,parallel=0.7,inputs=own,outputs=discarded"};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (uint64_t i = 0; i < 10; i++)
            for (int a = 0; a < 2; a++) {
                hw_graph *g = test_instance(specs[s], i);
                hw_model *m = test_model(g, (hw_accounting)a, false);
                hw_answer exact =
                    test_solve_with(m, "exact", (hw_request){.limits = {.states = 200000}});
                hw_answer answer = test_solve(m, "series-parallel");
                assert_int_equal(answer.status, HW_OPTIMAL);
                assert_true(answer.peak <= exact.peak && answer.peak >= exact.bound);
                assert_true(exact.status != HW_OPTIMAL || answer.peak == exact.peak);
                hw_answer_clear(&exact);
                hw_answer_clear(&answer);
                hw_model_free(m);
                hw_graph_free(g);
            }
}

/* ---- Refusals and corners. ---- */

static void expect_refusal(const char *lines, const char *first, const char *second)
{
    const hw_solver_row *row = hw_solver_find("series-parallel", strlen("series-parallel"));
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer;
    hw_error err = {0};
    assert_int_equal(hw_solve(m, row, &(hw_request){0}, &answer, &err), HW_USAGE);
    if (!strstr(err.message, first) || !strstr(err.message, second))
        fail_msg("%s", err.message);
    assert_false(answer.has_order);
    hw_model_free(m);
    hw_graph_free(g);
}

static void refusals_name_what_is_in_the_way(void **state)
{
    (void)state;
    /* 10 feeds 12; 11 feeds 12 and 13. */
    expect_refusal("t 0 4 a; t 1 6 a; t 2 3 a; t 3 1 o; t 4 1 o; v 10 - > 0; v 11 - > 1,2; "
                   "v 12 0,1 > 3; v 13 2 > 4",
                   "node 10 runs before node 12, and node 11 before that one", "before node 13");
    expect_refusal("t 5 4 a; t 6 1 o; t 7 1 o; v 10 - > 5; v 11 5 > 6; v 12 5 > 7", "tensor 5",
                   "by node 11 or by node 12");
    expect_refusal("t 5 4 a; t 6 1 a; v 10 - > 5; v 11 5 > 6; v 12 5,6 > -; v 13 5 > -", "tensor 5",
                   "by node 12 or by node 13"); /* 11 is never last */
    expect_refusal(
        "t 0 4 a; t 1 1 o; t 2 1 o; v 10 - > 0; v 11 0 > 1 window=1; v 12 - > 2 window=1",
        "window of node 12", "within 1 places");
}

/* A window that lets a node go anywhere is none. */
static void idle_windows_are_taken(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 4 a; t 1 1 o; v 0 - > 0 window=1; v 1 0 > 1 window=7");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer = test_solve(m, "series-parallel");
    assert_int_equal(answer.status, HW_OPTIMAL);
    assert_true(answer.peak == 5);
    hw_answer_clear(&answer);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Two branches of which only one huge tensor fits at a time. */
static void sizes_near_the_limit(void **state)
{
    (void)state;
    const uint64_t huge = (UINT64_C(1) << 63) - 10;
    hw_graph *g = lines_graph(
        "t 0 9223372036854775798 a; t 1 3 a; t 2 9223372036854775798 a; t 3 4 a; t 4 1 o; "
        "v 0 - > 0; v 1 0 > 1; v 2 - > 2; v 3 2 > 3; v 4 1,3 > 4");
    for (int a = 0; a < 2; a++) {
        hw_model *m = lines_model(g, (hw_accounting)a, false);
        hw_answer answer = test_solve(m, "series-parallel");
        assert_int_equal(answer.status, HW_OPTIMAL);
        assert_true(answer.peak == (a == HW_ALLOC_FIRST ? huge + 7 : huge + 3));
        hw_answer_clear(&answer);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_orders_are_recognised),
        cmocka_unit_test(random_orders_are_recognised),
        cmocka_unit_test(optima_are_exact),
        cmocka_unit_test(any_graph_is_right_or_refused),
        cmocka_unit_test(generated_graphs_are_exact),
        cmocka_unit_test(refusals_name_what_is_in_the_way),
        cmocka_unit_test(idle_windows_are_taken),
        cmocka_unit_test(sizes_near_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
