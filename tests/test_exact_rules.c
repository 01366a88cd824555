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
#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "solvers/exact_engine.h"
#include "tests/support_exact.h"
#include "tests/support_generate.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"
#include "support_sanitized.h"

/* The switches of the rules as one row, so that new ones join by themselves. */
enum { N_RULES = sizeof(exact_rules) / sizeof(bool), SPREAD = 4, MOST_NODES = 160 };

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
    bool roomy; /* never without room for dead prefixes */
    exact_engine engine;
    hw_request request;
    hw_meter meter;
} asked;

/* Decide a budget, `states` prefixes a call; an order found must keep to it. */
static bool decide(asked *a, uint64_t budget, uint64_t states)
{
    uint32_t order[MOST_NODES], local[MOST_NODES];
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
    uint64_t memory = random_chance(state, 0.3) && !a->roomy ? 256 : 0, budget = optimum;
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

static void ask_about(asked *a)
{
    uint32_t order[MOST_NODES];
    const hw_model *m = a->m;
    assert_int_equal(hw_graph_level_order(m->graph, order, NULL), HW_OK);
    assert_int_equal(exact_map_init(&a->map, m, NULL), HW_OK);
    assert_int_equal(
        exact_problem_new(m, order, 0, m->n_nodes, m->live_empty, 0, &a->map, &a->p, NULL), HW_OK);
    assert_true(a->p->live_end == m->live_full);
    hw_meter_start(&a->meter, &a->request);
}

static void leave(asked *a)
{
    exact_problem_free(a->p);
    exact_map_free(&a->map);
}

/* Both directions: all rules, all but one, and two draws. */
static uint32_t compare(const hw_model *m, uint64_t optimum, uint64_t *state, uint64_t number)
{
    asked a = {.m = m};
    uint32_t runs = 0, all = (1U << N_RULES) - 1;
    a.roomy = m->n_nodes > 64;
    assert_true(m->legal == (optimum != UINT64_MAX));
    if (!m->legal)
        return 0;
    ask_about(&a);
    for (int reverse = 0; reverse < 2; reverse++) {
        const uint32_t turns[] = {all, all ^ 1U << random_below(state, N_RULES),
                                  (uint32_t)random_u64(state) & all,
                                  (uint32_t)random_u64(state) & all};
        for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++, runs++)
            fall(&a, reverse, turns[i], optimum, state, number);
    }
    leave(&a);
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
    sweep("rules", environment_number("HW_EXACT_GRAPHS", FEWER(5000)), false, 10);
}

static void windows_agree_with_the_definitions(void **unused)
{
    (void)unused;
    sweep("rules, windows", environment_number("HW_EXACT_GRAPHS", FEWER(5000)) / 4, true, 8);
}

/*
 * Small graphs on which a wrong version of a rule answers wrong, yet which are
 * drawn too seldom: all combinations of rules.
 */
static const char *const pitfalls[] = {
    /* All is pure at {0}, but 1 and 2 free what 0 made before 3 runs. */
    "t 0 100 a; t 1 10 o; t 2 10 o; t 3 50 o; v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 - > 3",
    /* 2 overwrites both inputs only if the nodes that add to what is live ran before. */
    "t 0 10 i; t 1 10 i; t 2 1 o; t 3 1 o; t 4 10 o; t 5 10 o; v 0 0 > 2; v 1 1 > 3; "
    "v 2 0,1 > 4,5 inplace=0:4,1:5",
};

static void avoid(const char *pitfall, uint64_t number)
{
    uint64_t state = 3;
    hw_graph *g = lines_graph(pitfall);
    for (int free_first = 0; free_first < 2; free_first++) {
        hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
        uint64_t optimum = defined_optimum(g, free_first, false);
        asked a = {.m = m};
        ask_about(&a);
        for (uint32_t bits = 0; bits < 2U << N_RULES; bits++)
            fall(&a, bits & 1, bits >> 1, optimum, &state, number);
        leave(&a);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

static void pitfalls_are_avoided(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof pitfalls / sizeof pitfalls[0]; i++)
        avoid(pitfalls[i], i);
}

/*
 * A node frees the last of its inputs, the large one, only if the other node
 * ran before: macro-steps name inputs by the bits of a word, and run out of them.
 */
static void nodes_with_many_inputs(void **unused)
{
    (void)unused;
    for (unsigned n = 30; n < 36; n++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        for (unsigned i = 0; i < n; i++)
            (void)fprintf(out, "t %u %u i; ", i, i + 1 < n ? 1 : 100);
        (void)fprintf(out, "t %u 10 o; t %u 50 o; v 0 %u > %u; v 1 ", n, n + 1, n - 1, n);
        for (unsigned i = 0; i < n; i++)
            (void)fprintf(out, "%s%u", i ? "," : "", i);
        (void)fprintf(out, " > %u", n + 1);
        assert_int_equal(fclose(out), 0);
        avoid(text, n);
        free(text);
    }
}

/* Sets of more than one word: graphs that are long and narrow enough for `dp`. */
static void long_graphs_agree_with_dp(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"layered:n=80,width=3", "layered:n=130,width=3",
                                        "erdos:n=90,span=3,degree=2", "fan:n=100,width=3",
                                        "layered:n=72,width=3,workspace=0.3,inplace=0.5,views=0.2"};
    uint64_t state = 5;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_graph *g = test_instance(specs[i], 0);
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
            hw_answer a = test_solve(m, "dp");
            assert_int_equal(a.status, HW_OPTIMAL);
            (void)compare(m, a.peak, &state, i);
            hw_answer_clear(&a);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_agree_with_the_definitions),
        cmocka_unit_test(windows_agree_with_the_definitions),
        cmocka_unit_test(pitfalls_are_avoided),
        cmocka_unit_test(nodes_with_many_inputs),
        cmocka_unit_test(long_graphs_agree_with_dp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
