/*
 * The engine of the exact search against the definitions: both directions, the
 * rules in all combinations, both accountings, on random graphs rich in
 * everything.  Bounds and heuristics of the solver stand in front of the engine
 * and answer many small graphs by themselves; here it is asked directly.
 *
 * HW_EXACT_GRAPHS says how many graphs are drawn, HW_EXACT_FIRST from which
 * number of the series on; `make check-long` sets them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <string.h>

#include "model/sim.h"
#include "solvers/exact_engine.h"
#include "tests/support_exact.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

/* The switches of the rules as one row, so that new ones join by themselves. */
enum { N_RULES = sizeof(exact_rules) / sizeof(bool), SPREAD = 4 };

static exact_rules rules_of(uint32_t bits)
{
    bool on[N_RULES];
    exact_rules rules;
    for (uint32_t i = 0; i < N_RULES; i++)
        on[i] = bits >> i & 1;
    memcpy(&rules, on, sizeof rules);
    return rules;
}

/* An engine on a whole model. */
typedef struct asked {
    const hw_model *m;
    exact_map map;
    exact_problem *p;
    exact_engine engine;
    hw_request request;
    hw_meter meter;
} asked;

/* Decide a budget, `states` prefixes a call; an order found must keep to it. */
static bool decide(asked *a, uint64_t budget, uint64_t states)
{
    uint32_t order[64], local[64];
    exact_outcome outcome;
    do
        outcome = exact_engine_run(&a->engine, budget, states, &a->meter);
    while (outcome == EXACT_PAUSED);
    if (outcome == EXACT_FOUND) {
        uint64_t peak;
        exact_engine_order(&a->engine, local);
        for (uint32_t i = 0; i < a->p->n; i++)
            order[i] = a->p->node[local[i]];
        assert_int_equal(hw_peak(a->m, order, &peak, NULL), HW_OK);
        assert_true(peak <= budget);
    } else {
        assert_int_equal(outcome, EXACT_NONE);
    }
    return outcome == EXACT_FOUND;
}

/* One engine, a budget at the optimum or above, falling to below it. */
static void fall(asked *a, bool reverse, uint32_t bits, uint64_t optimum, uint64_t *state,
                 uint64_t number)
{
    exact_rules rules = rules_of(bits);
    bool pauses = random_chance(state, 0.2);
    uint64_t memory = random_chance(state, 0.3) ? 256 : 0, budget = optimum;
    uint64_t states = pauses ? 1 + random_below(state, 4) : UINT64_MAX / 2;
    assert_int_equal(exact_engine_init(&a->engine, a->p, reverse, &rules, memory, NULL), HW_OK);
    if (random_chance(state, 0.4))
        budget += random_below(state, 40);
    bool found = decide(a, budget, states), below = false;
    while (found && budget > optimum) {
        budget -= 1 + random_u64(state) % (budget - optimum);
        found = decide(a, budget, states);
    }
    if (found && optimum > 0)
        below = decide(a, optimum - 1, states);
    exact_engine_free(&a->engine);
    if (!found || below)
        fail_msg("graph %" PRIu64 ", %s, pin %d, reverse %d, rules %u: optimum %" PRIu64
                 ", %s at %" PRIu64,
                 number, hw_accounting_name(a->m->accounting), a->m->pin_inputs, reverse, bits,
                 optimum, found ? "an order" : "no order", below ? optimum - 1 : budget);
}

/* Both directions: all rules, all but one, and two draws. */
static uint32_t compare(const hw_model *m, uint64_t optimum, uint64_t *state, uint64_t number)
{
    asked a = {.m = m};
    uint32_t order[64], runs = 0, all = (1U << N_RULES) - 1;
    assert_true(m->legal == (optimum != UINT64_MAX));
    if (!m->legal)
        return 0;
    assert_int_equal(hw_graph_level_order(m->graph, order, NULL), HW_OK);
    assert_int_equal(exact_map_init(&a.map, m, NULL), HW_OK);
    assert_int_equal(
        exact_problem_new(m, order, 0, m->n_nodes, m->live_empty, 0, &a.map, &a.p, NULL), HW_OK);
    assert_true(a.p->live_end == m->live_full);
    hw_meter_start(&a.meter, &a.request);
    for (int reverse = 0; reverse < 2; reverse++) {
        const uint32_t turns[] = {all, all ^ 1U << random_below(state, N_RULES),
                                  (uint32_t)random_u64(state) & all,
                                  (uint32_t)random_u64(state) & all};
        for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++, runs++)
            fall(&a, reverse, turns[i], optimum, state, number);
    }
    exact_problem_free(a.p);
    exact_map_free(&a.map);
    return runs;
}

static void sweep(const char *what, uint64_t wanted, bool windows, uint32_t most)
{
    uint64_t number = SPREAD * environment_number("HW_EXACT_FIRST", 0);
    uint64_t graphs = 0, runs = 0, state;
    for (; graphs < wanted; number++) {
        hw_graph *g = series_graph(number, 1, most, windows, &state);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (m) /* else a must-in-place pair on a pinned input */
                runs += compare(m, defined_optimum(g, free_first, pin), &state, number);
            hw_model_free(m);
        }
        hw_graph_free(g);
        graphs++;
    }
    print_message("# %s: %" PRIu64 " graphs, %" PRIu64 " engines, all right\n", what, graphs, runs);
}

static void rules_agree_with_the_definitions(void **unused)
{
    (void)unused;
    sweep("rules", environment_number("HW_EXACT_GRAPHS", 5000), false, 10);
}

static void windows_agree_with_the_definitions(void **unused)
{
    (void)unused;
    sweep("rules, windows", environment_number("HW_EXACT_GRAPHS", 5000) / 4, true, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_agree_with_the_definitions),
        cmocka_unit_test(windows_agree_with_the_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
