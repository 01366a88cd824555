/*
 * The exact search engine against the definitions: both directions, every rule
 * on and off, both accountings, on random graphs rich in everything.
 *
 * HW_EXACT_GRAPHS sets how many graphs are drawn (HW_EXACT_SEED: from which
 * seed); the full set of `make check-long` uses 200,000.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>

#include "model/sim.h"
#include "solvers/exact_engine.h"
#include "tests/support_random.h"

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Decide one budget with a fresh engine; an order found must keep to it. */
static bool decide(const hw_model *m, const exact_problem *p, bool reverse,
                   const exact_rules *rules, uint64_t memory, uint64_t budget)
{
    exact_engine e;
    hw_request request = {0};
    hw_meter meter;
    uint32_t order[64], local[64];
    hw_meter_start(&meter, &request);
    assert_int_equal(exact_engine_init(&e, p, reverse, rules, memory, NULL), HW_OK);
    exact_outcome outcome = exact_engine_run(&e, budget, UINT64_MAX / 2, &meter);
    if (outcome == EXACT_FOUND) {
        uint64_t peak;
        exact_engine_order(&e, local);
        for (uint32_t i = 0; i < p->n; i++)
            order[i] = p->node[local[i]];
        assert_int_equal(hw_peak(m, order, &peak, NULL), HW_OK);
        assert_true(peak <= budget);
    } else {
        assert_int_equal(outcome, EXACT_NONE);
    }
    exact_engine_free(&e);
    return outcome == EXACT_FOUND;
}

static void compare(const hw_graph *g, bool free_first, bool pin, uint64_t *state, uint64_t i)
{
    hw_model *m;
    if (hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin, &m, NULL) != HW_OK)
        return; /* a must-in-place pair on a pinned input */
    uint64_t optimum = defined_optimum(g, free_first, pin);
    assert_true(m->legal == (optimum != UINT64_MAX));
    if (m->legal) {
        exact_map map;
        exact_problem *p;
        uint32_t order[64];
        assert_int_equal(hw_graph_level_order(g, order, NULL), HW_OK);
        assert_int_equal(exact_map_init(&map, m, NULL), HW_OK);
        assert_int_equal(
            exact_problem_new(m, order, 0, m->n_nodes, m->live_empty, 0, &map, &p, NULL), HW_OK);
        assert_true(p->live_end == m->live_full);
        for (int reverse = 0; reverse < 2; reverse++)
            for (int draw = 0; draw < 3; draw++) {
                uint32_t bits = draw == 0 ? 15 : random_below(state, 16);
                exact_rules rules = {bits & 1, bits & 2, bits & 4, bits & 8};
                uint64_t memory = draw == 1 ? 256 : 0;
                bool at = decide(m, p, reverse, &rules, memory, optimum);
                bool below = optimum > 0 && decide(m, p, reverse, &rules, memory, optimum - 1);
                if (!at || below)
                    fail_msg(
                        "graph %llu, %s, pin %d, reverse %d, rules %u: optimum %llu, found %d, "
                        "below %d",
                        (unsigned long long)i, free_first ? "free-first" : "alloc-first", pin,
                        reverse, bits, (unsigned long long)optimum, at, below);
            }
        exact_problem_free(p);
        exact_map_free(&map);
    }
    hw_model_free(m);
}

static void sweep(uint64_t graphs, uint64_t seed, bool windows, uint32_t most)
{
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = seed + i * 1000003;
        random_shape shape = random_any_shape(&state, 1, most);
        shape.windows = windows;
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++)
            compare(g, free_first, pin, &state, i);
        hw_graph_free(g);
    }
}

static void rules_agree_with_the_definitions(void **unused)
{
    (void)unused;
    sweep(from_environment("HW_EXACT_GRAPHS", 6000), from_environment("HW_EXACT_SEED", 1), false,
          9);
}

static void windows_agree_with_the_definitions(void **unused)
{
    (void)unused;
    sweep(from_environment("HW_EXACT_GRAPHS", 6000) / 4, from_environment("HW_EXACT_SEED", 1) + 7,
          true, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_agree_with_the_definitions),
        cmocka_unit_test(windows_agree_with_the_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
