/*
 * The first wrong turn of an order against the definitions: every prefix of
 * the order is completed by backtracking.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>

#include "model/sim.h"
#include "solvers/exact_reach.h"
#include "tests/support_draft.h"
#include "tests/support_generate.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

static const exact_options all_rules = {.rules = {true, true, true, true, true},
                                        .memory_bytes = 1 << 26};

static exact_reach reach(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                         uint64_t budget, const exact_options *options, uint64_t states,
                         bool *limited)
{
    hw_request request = {.limits = {.states = states}};
    hw_meter meter;
    hw_error err = {0};
    exact_reach r;
    hw_meter_start(&meter, &request);
    if (exact_reach_find(m, order, witness, budget, options, &meter, &r, limited, &err) != HW_OK)
        fail_msg("%s", err.message);
    return r;
}

/* Nodes of the longest reachable prefix, by the definitions. */
static uint32_t defined_reach(const hw_model *m, const uint64_t *least, const uint32_t *order,
                              uint64_t budget)
{
    uint32_t set = 0, kept = 0;
    bool before = true;
    hw_sim s;
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        before = before && hw_sim_step(&s, order[i]) <= budget;
        set |= UINT32_C(1) << order[i];
        if (before && least[set] <= budget) {
            assert_true(kept == i); /* it falls only once */
            kept = i + 1;
        }
    }
    hw_sim_free(&s);
    return kept;
}

typedef struct counts {
    uint32_t models, wrong_turns, within, late;
} counts;

static void compare(const hw_model *m, const uint64_t *least, uint64_t *state, counts *c)
{
    uint32_t order[64], n = m->n_nodes;
    bool limited;
    hw_answer best = test_solve(m, "dp");
    assert_true(best.status == HW_OPTIMAL && best.peak == least[0]);
    for (int draw = 0; draw < 3; draw++) {
        uint64_t peak, budget = best.peak;
        assert_true(draft_order(m, state, order));
        assert_int_equal(hw_peak(m, order, &peak, NULL), HW_OK);
        if (draw == 2) /* above the optimum */
            budget += (peak - best.peak) / 2;
        exact_options options = all_rules;
        options.direction = (exact_direction)random_below(state, 3);
        exact_reach r = reach(m, order, best.order, budget, &options, 0, &limited);
        uint32_t kept = defined_reach(m, least, order, budget);
        assert_true(!limited && r.kept == kept && r.lost == kept + 1);
        assert_true((kept == n) == (peak <= budget));
        /* Ended early, the answer is an interval that holds the truth. */
        exact_reach some = reach(m, order, best.order, budget, &options, 1, &limited);
        assert_true(some.kept <= kept && some.lost > kept);
        assert_true(limited || some.lost == some.kept + 1);
        c->wrong_turns += kept < n;
        c->within += kept == n;
        c->late += kept > 0 && kept < n;
    }
    c->models++;
    hw_answer_clear(&best);
}

static void sweep(bool windows, counts *c)
{
    for (uint64_t i = 0; i < 2500; i++) {
        uint64_t state = 31 + i * 1000003;
        random_shape shape = random_any_shape(&state, 1, 9);
        shape.windows = windows;
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (m && m->legal) {
                uint64_t *least = defined_completions(g, free_first, pin);
                compare(m, least, &state, c);
                free(least);
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

static void plain_graphs(void **unused)
{
    (void)unused;
    counts c = {0};
    sweep(false, &c);
    assert_true(c.models > 3000 && c.within > 1000 && c.wrong_turns > 3000 && c.late > 2000);
}

static void graphs_with_windows(void **unused)
{
    (void)unused;
    counts c = {0};
    sweep(true, &c);
    assert_true(c.models > 1000 && c.within > 300 && c.wrong_turns > 300 && c.late > 100);
}

/* Beyond what definitions can do: limits are kept and the answer stays honest. */
static void large_graph(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("randwire:n=96", 2);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer best = test_solve(m, "exact"), greedy = test_solve(m, "greedy-reverse");
    bool limited;
    assert_int_equal(best.status, HW_OPTIMAL);
    assert_true(greedy.peak > best.peak);
    exact_reach r = reach(m, greedy.order, best.order, best.peak, &all_rules, 0, &limited);
    assert_true(!limited && r.lost == r.kept + 1 && r.kept > 0 && r.lost <= m->n_nodes);
    /* An order within the budget has no wrong turn. */
    exact_reach same = reach(m, best.order, best.order, best.peak, &all_rules, 0, &limited);
    assert_true(same.kept == m->n_nodes && same.lost == m->n_nodes + 1);
    exact_options small = all_rules; /* no room for any piece: nothing is decided */
    small.memory_bytes = 2;
    exact_reach some = reach(m, greedy.order, best.order, best.peak, &small, 0, &limited);
    assert_true(limited && some.kept <= r.kept && some.lost >= r.lost);
    /* A witness above the budget proves nothing. */
    hw_request none = {0};
    hw_meter meter;
    hw_error err = {0};
    hw_meter_start(&meter, &none);
    assert_int_equal(exact_reach_find(m, best.order, greedy.order, best.peak, &all_rules, &meter,
                                      &some, &limited, &err),
                     HW_USAGE);
    hw_answer_clear(&best);
    hw_answer_clear(&greedy);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_graphs),
        cmocka_unit_test(graphs_with_windows),
        cmocka_unit_test(large_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
