/*
 * portfolio: at least as good as every rule, the optimum where it can be
 * proven, repeatable under a limit of states, true to budgets.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support_draft.h"
#include "support_solve.h"

enum { N_GRAPHS = 150 };

static hw_model *model_of_seed(uint64_t seed, size_t n, hw_graph **g)
{
    *g = draft_graph(seed, n, seed % 3 ? DRAW_ALL : DRAW_PLAIN);
    return test_model(*g, seed % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
}

static void proves_the_optimum_of_small_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < N_GRAPHS; seed++) {
        hw_graph *g;
        hw_model *m = model_of_seed(seed, 4 + seed % 20, &g);
        if (m && m->legal) {
            hw_answer a = test_solve(m, "portfolio"), b = test_solve(m, "exact");
            assert_int_equal(a.status, HW_OPTIMAL);
            assert_true(a.peak == b.peak && a.bound == b.peak);
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* Under a limit that proves little: no worse than any heuristic that decides by a rule. */
static void is_no_worse_than_a_rule(void **state)
{
    (void)state;
    hw_param_value values[HW_PARAM_LIMIT];
    for (uint64_t seed = 0; seed < 40; seed++) {
        hw_graph *g;
        hw_model *m = model_of_seed(seed, 60, &g);
        if (m && m->legal) {
            hw_request few = {.limits = {.states = 20000}};
            hw_answer a = test_solve_with(m, "portfolio", few);
            assert_true(a.has_order && a.bound <= a.peak);
            for (size_t i = 0; i < hw_n_solvers; i++) {
                const hw_solver_row *row = hw_solvers[i];
                hw_request request = {.params = values};
                hw_answer b;
                hw_error err;
                hw_params_preset(row->params, row->n_params, values);
                if (row->kind != HW_SOLVER_HEURISTIC || strcmp(row->counts, "steps") != 0 ||
                    row->random || hw_solve(m, row, &request, &b, &err) != HW_OK)
                    continue;
                if (b.has_order && b.peak < a.peak)
                    fail_msg("%s has a lower peak at seed %llu", row->name,
                             (unsigned long long)seed);
                hw_answer_clear(&b);
            }
            hw_answer_clear(&a);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void repeats_under_a_limit_of_states(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        hw_graph *g;
        hw_model *m = model_of_seed(seed, 64, &g);
        for (uint64_t states = 100; m && m->legal && states < 100000; states *= 7) {
            hw_request request = {.limits = {.states = states}, .seed = 5};
            hw_answer a = test_solve_with(m, "portfolio", request);
            hw_answer b = test_solve_with(m, "portfolio", request);
            assert_int_equal(a.status, b.status);
            assert_true(a.states == b.states && a.peak == b.peak && a.bound == b.bound);
            assert_int_equal(a.has_order, b.has_order);
            if (a.has_order)
                assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void decides_budgets(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hw_graph *g;
        hw_model *m = model_of_seed(seed, 12, &g);
        if (m && m->legal) {
            hw_answer best = test_solve(m, "exact");
            hw_request fits = {.has_budget = true, .budget_bytes = best.peak};
            hw_answer a = test_solve_with(m, "portfolio", fits);
            assert_true(a.has_order && a.peak == best.peak);
            hw_answer_clear(&a);
            if (best.peak > 0) {
                fits.budget_bytes = best.peak - 1;
                a = test_solve_with(m, "portfolio", fits);
                assert_int_equal(a.status, HW_INFEASIBLE);
                hw_answer_clear(&a);
            }
            hw_answer_clear(&best);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void begins_with_a_given_order(void **state)
{
    (void)state;
    hw_graph *g = draft_graph(4, 64, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer good = test_solve_with(m, "exact", (hw_request){.limits = {.states = 50000}});
    assert_true(good.has_order);
    static const char *const improve[] = {"portfolio", "exact", "lns", "anneal", "backtrack"};
    for (size_t i = 0; i < sizeof improve / sizeof improve[0]; i++) {
        hw_answer a = test_solve_with(m, improve[i],
                                      (hw_request){.start = good.order, .limits = {.states = 1}});
        if (!a.has_order || a.peak > good.peak)
            fail_msg("%s does not begin with the order that it is given", improve[i]);
        hw_answer_clear(&a);
    }
    hw_answer_clear(&good);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proves_the_optimum_of_small_graphs),
        cmocka_unit_test(is_no_worse_than_a_rule),
        cmocka_unit_test(repeats_under_a_limit_of_states),
        cmocka_unit_test(decides_budgets),
        cmocka_unit_test(begins_with_a_given_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
