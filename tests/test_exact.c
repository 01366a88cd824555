/*
 * The solver `exact`, the beam and the node bounds against backtracking by the
 * definitions and against `dp`: optimum, budgets at and below it, every switch
 * on and off in turn, limits.
 *
 * HW_EXACT_GRAPHS, HW_EXACT_DP_GRAPHS and HW_EXACT_WINDOWS say how many graphs
 * are compared, HW_EXACT_FIRST from which number of the series on, and
 * HW_EXACT_TURNS=1 that each is solved in all ways, not in two.  `make
 * check-long` sets them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "tests/support_exact.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"
#include "support_sanitized.h"

/* Numbers of the series kept for each graph compared: some are refused. */
enum { SPREAD = 4 };

/* What is known of the bounds and of the beam beside the optimum. */
static void check_bounds(const hw_model *m, uint64_t optimum)
{
    hw_answer cut = test_solve(m, "bound-mincut"), plain = test_solve(m, "bound-footprint");
    assert_true(plain.bound <= cut.bound && cut.bound <= optimum);
    hw_answer beam = test_solve(m, "beam:width=4");
    assert_true(!beam.has_order || beam.peak >= optimum);
    hw_answer_clear(&cut);
    hw_answer_clear(&plain);
    hw_answer_clear(&beam);
}

/* The solver in all ways, or with its defaults and one way that is drawn. */
static uint32_t check_model(const hw_model *m, uint64_t optimum, uint64_t number, uint64_t *state)
{
    char where[64];
    (void)snprintf(where, sizeof where, "graph %" PRIu64, number);
    uint32_t turns = exact_turns(), drawn = 1 + random_below(state, turns - 1), done = 0;
    bool all = environment_number("HW_EXACT_TURNS", 0) != 0;
    for (uint32_t turn = 0; turn < turns; turn++)
        if (all || turn == 0 || turn == drawn) {
            exact_agrees(m, optimum, turn, state, where);
            done++;
        }
    if (m->legal)
        check_bounds(m, optimum);
    return done;
}

static void tell(const char *what, uint64_t graphs, uint64_t models, uint64_t runs)
{
    print_message("# %s: %" PRIu64 " graphs, %" PRIu64 " with an accounting, %" PRIu64
                  " ways of solving one, all right\n",
                  what, graphs, models, runs);
}

/* Against backtracking: live and usage come from the tensors alone. */
static void small_graphs(void **unused)
{
    (void)unused;
    uint64_t wanted = environment_number("HW_EXACT_GRAPHS", FEWER(2000));
    uint64_t number = SPREAD * environment_number("HW_EXACT_FIRST", 0);
    uint64_t graphs = 0, models = 0, runs = 0, state;
    uint32_t most = environment_number("HW_EXACT_TURNS", 0) ? 11 : 9;
    for (; graphs < wanted; number++) {
        hw_graph *g = series_graph(number, 1, most, false, &state);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (!m)
                continue; /* a must-in-place pair on a pinned input */
            runs += check_model(m, defined_optimum(g, free_first, pin), number, &state);
            models++;
            hw_model_free(m);
        }
        hw_graph_free(g);
        graphs++;
    }
    tell("backtracking", graphs, models, runs);
}

/* Against `dp`, as far as it proves its optimum within some states. */
static void compare_with_dp(const char *what, uint64_t wanted, uint32_t least, uint32_t most,
                            bool windows, uint64_t states)
{
    uint64_t number = SPREAD * environment_number("HW_EXACT_FIRST", 0);
    uint64_t graphs = 0, models = 0, runs = 0, state;
    for (; graphs < wanted; number++) {
        hw_graph *g = series_graph(number, least, most, windows, &state);
        uint32_t proven = 0;
        for (int free_first = 0; g && free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
            hw_request request = {.limits = {.states = states}};
            hw_answer a = test_solve_with(m, "dp", request);
            if (a.status == HW_OPTIMAL || a.status == HW_INFEASIBLE) {
                uint64_t optimum = a.status == HW_OPTIMAL ? a.peak : UINT64_MAX;
                runs += check_model(m, optimum, number, &state);
                proven++;
            }
            hw_answer_clear(&a);
            hw_model_free(m);
        }
        hw_graph_free(g);
        models += proven;
        graphs += proven > 0;
    }
    tell(what, graphs, models, runs);
}

static void larger_graphs_agree_with_dp(void **unused)
{
    (void)unused;
    bool all = environment_number("HW_EXACT_TURNS", 0) != 0;
    compare_with_dp("dp", environment_number("HW_EXACT_DP_GRAPHS", FEWER(100)), 12, all ? 24 : 20,
                    false, all ? 500000 : 50000);
}

static void windows_agree_with_dp(void **unused)
{
    (void)unused;
    compare_with_dp("dp, windows", environment_number("HW_EXACT_WINDOWS", FEWER(400)), 1, 14, true,
                    50000);
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
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_request limited = {.limits = {.states = 300}};
        hw_answer full = test_solve(m, "exact");
        hw_answer one = test_solve_with(m, "exact", limited);
        hw_answer two = test_solve_with(m, "exact", limited);
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
        cmocka_unit_test(windows_agree_with_dp),
        cmocka_unit_test(limits_are_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
