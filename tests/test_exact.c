/*
 * The solver `exact`, the beam and the node bounds against the definitions and
 * against `dp`: optimum, budgets at and below it, ablation, limits.
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
#include "tests/support_random.h"

extern const hw_solver_row hw_solver_exact, hw_solver_beam, hw_solver_bound_mincut,
    hw_solver_bound_footprint, hw_solver_dp;

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static hw_answer run(const hw_model *m, const hw_solver_row *row, const char *params,
                     const uint64_t *budget, uint64_t states)
{
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {HW_OK, ""};
    hw_params_preset(row->params, row->n_params, values);
    if (params)
        assert_int_equal(
            hw_params_parse(row->params, row->n_params, row->name, params, values, &err), HW_OK);
    hw_request request = {.params = values, .limits = {.states = states}};
    if (budget) {
        request.has_budget = true;
        request.budget_bytes = *budget;
    }
    hw_answer answer;
    if (hw_solve(m, row, &request, &answer, &err) != HW_OK)
        fail_msg("%s: %s", row->name, err.message);
    return answer;
}

static const char *const ablations[] = {NULL,
                                        "r1=no",
                                        "r1r=no",
                                        "r2=no",
                                        "r3=no",
                                        "r4=no",
                                        "beam=0",
                                        "direction=forward",
                                        "direction=reverse"};

/* Everything that must hold of the solvers on one model. */
static void check_model(const hw_model *m, uint64_t optimum, uint64_t *state)
{
    const char *ablation = ablations[random_below(state, 9)];
    hw_answer a = run(m, &hw_solver_exact, ablation, NULL, 0);
    if (optimum == UINT64_MAX) {
        assert_int_equal(a.status, HW_INFEASIBLE);
        hw_answer_clear(&a);
        return;
    }
    assert_int_equal(a.status, HW_OPTIMAL);
    assert_true(a.peak == optimum);
    hw_answer_clear(&a);
    uint64_t below = optimum - 1;
    a = run(m, &hw_solver_exact, ablation, &optimum, 0);
    assert_true(a.status == HW_FEASIBLE || a.status == HW_OPTIMAL);
    hw_answer_clear(&a);
    if (optimum) {
        a = run(m, &hw_solver_exact, ablation, &below, 0);
        assert_int_equal(a.status, HW_INFEASIBLE);
        hw_answer_clear(&a);
    }
    a = run(m, &hw_solver_bound_mincut, NULL, NULL, 0);
    uint64_t cut = a.bound;
    assert_true(cut <= optimum);
    hw_answer_clear(&a);
    a = run(m, &hw_solver_bound_footprint, NULL, NULL, 0);
    assert_true(a.bound <= cut);
    hw_answer_clear(&a);
    a = run(m, &hw_solver_beam, "width=4", NULL, 0);
    assert_true(!a.has_order || a.peak >= optimum);
    hw_answer_clear(&a);
}

static void small_graphs(void **unused)
{
    (void)unused;
    uint64_t graphs = from_environment("HW_EXACT_GRAPHS", 3000);
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = 77 + i * 1000003;
        random_shape shape = random_any_shape(&state, 1, 9);
        shape.windows = random_chance(&state, 0.2);
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m;
            assert_int_equal(
                hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false, &m, NULL),
                HW_OK);
            check_model(m, defined_optimum(g, free_first, false), &state);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

static void larger_graphs_agree_with_dp(void **unused)
{
    (void)unused;
    uint64_t graphs = from_environment("HW_EXACT_DP_GRAPHS", 150);
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = 99 + i * 1000003;
        random_shape shape = random_any_shape(&state, 12, 20);
        shape.edge = shape.edge < 0.1 ? 0.1 : shape.edge;
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m;
            assert_int_equal(
                hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false, &m, NULL),
                HW_OK);
            hw_answer a = run(m, &hw_solver_dp, NULL, NULL, 300000);
            uint64_t optimum = a.peak;
            bool proven = a.status == HW_OPTIMAL;
            hw_answer_clear(&a);
            if (proven)
                check_model(m, optimum, &state);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

/* A limit gives the same answer twice, and an honest one. */
static void limits_are_deterministic(void **unused)
{
    (void)unused;
    for (uint64_t i = 0; i < 40; i++) {
        uint64_t state = 5 + i;
        random_shape shape = {.nodes = 40, .edge = 0.04, .largest = 100};
        hw_graph *g = random_graph(&state, &shape);
        assert_non_null(g);
        hw_model *m;
        assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
        hw_answer full = run(m, &hw_solver_exact, NULL, NULL, 0);
        hw_answer one = run(m, &hw_solver_exact, NULL, NULL, 300);
        hw_answer two = run(m, &hw_solver_exact, NULL, NULL, 300);
        assert_int_equal(full.status, HW_OPTIMAL);
        assert_true(one.has_order && one.peak >= full.peak && one.bound <= full.peak);
        assert_true(one.status == two.status && one.peak == two.peak && one.bound == two.bound &&
                    one.states == two.states);
        assert_memory_equal(one.order, two.order, m->n_nodes * sizeof *one.order);
        hw_answer_clear(&full);
        hw_answer_clear(&one);
        hw_answer_clear(&two);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(larger_graphs_agree_with_dp),
        cmocka_unit_test(limits_are_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
