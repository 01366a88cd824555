/*
 * Re-solving windows: never worse, legal, optimal when the window is the whole
 * graph, the same under the same limit.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <string.h>

#include "model/sim.h"
#include "solvers/exact_window.h"
#include "tests/support_draft.h"
#include "tests/support_generate.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

static const exact_options all_rules = {.rules = {true, true, true, true, true},
                                        .memory_bytes = 1 << 26};

/* Improve a copy; the result is legal and has the peak told. */
static uint64_t improved(const hw_model *m, const exact_window_options *o, uint64_t most_states,
                         const uint32_t *start, uint32_t *order)
{
    hw_request request = {.limits = {.states = most_states}};
    hw_meter meter;
    hw_error err = {0};
    uint64_t peak = 0;
    memcpy(order, start, m->n_nodes * sizeof *order);
    hw_meter_start(&meter, &request);
    if (exact_window_improve(m, o, order, &peak, &meter, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_true(most_states == 0 || meter.states <= most_states);
    assert_true(agreed_peak(m->graph, m->accounting, m->pin_inputs, order) == peak);
    return peak;
}

static void small_graphs(void **unused)
{
    (void)unused;
    int better = 0, models = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        uint64_t state = 11 + i * 1000003;
        uint32_t start[64], order[64];
        random_shape shape = random_any_shape(&state, 1, 9);
        shape.windows = random_chance(&state, 0.3);
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false);
            if (m->legal && draft_order(m, &state, start)) {
                uint64_t before, optimum = defined_optimum(g, free_first, false);
                assert_int_equal(hw_peak(m, start, &before, NULL), HW_OK);
                exact_window_options whole = {.least = 64, .search = all_rules};
                assert_true(improved(m, &whole, 0, start, order) == optimum);
                exact_window_options narrow = {
                    .least = 2, .most = 2 + random_below(&state, 4), .search = all_rules};
                uint64_t after = improved(m, &narrow, 0, start, order);
                assert_true(after <= before && after >= optimum);
                exact_window_options bounded = {
                    .least = 2, .bound = (before + optimum) / 2, .search = all_rules};
                assert_true(improved(m, &bounded, 0, start, order) <= (before + optimum) / 2);
                assert_true(improved(m, &bounded, 3, start, order) <= before);
                better += after < before;
                models++;
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(models > 1000 && better > models / 10);
}

/* Only steps inside a window may move when that window is all that is asked. */
static void windows_stay_windows(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("erdos:n=96,degree=2", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "level");
    uint32_t order[96], moved = 0, first = 96, last = 0;
    exact_window_options o = {.least = 12, .most = 12, .search = all_rules};
    /* Stop at the first repair: the bound is just below the peak. */
    o.bound = a.peak - 1;
    uint64_t peak = improved(m, &o, 0, a.order, order);
    for (uint32_t i = 0; i < 96; i++)
        if (order[i] != a.order[i]) {
            first = moved++ ? first : i;
            last = i;
        }
    assert_true(peak < a.peak && moved >= 2 && last - first < 12);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

static void large_graphs(void **unused)
{
    (void)unused;
    static const char *const specs[] = {"erdos:n=128,degree=2", "layered:n=128", "randwire:n=128",
                                        "series-parallel:n=128"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (int accounting = 0; accounting < 2; accounting++) {
            hw_graph *g = test_instance(specs[i], 1);
            hw_model *m = test_model(g, (hw_accounting)accounting, false);
            hw_answer a = test_solve(m, "level"), beam = test_solve(m, "beam:width=16");
            uint32_t one[256], two[256];
            exact_window_options o = {.states = 300, .search = all_rules};
            uint64_t peak = improved(m, &o, 0, a.order, one);
            /* Repairs of a poor order beat a beam on these. */
            assert_true(peak < a.peak && peak <= beam.peak);
            (void)improved(m, &o, 1000, a.order, one);
            (void)improved(m, &o, 1000, a.order, two);
            assert_memory_equal(one, two, m->n_nodes * sizeof *one);
            /* No room for the sets of any window: the order stays. */
            o.search.memory_bytes = 2;
            assert_true(improved(m, &o, 0, a.order, one) == a.peak);
            hw_answer_clear(&a);
            hw_answer_clear(&beam);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs),
        cmocka_unit_test(windows_stay_windows),
        cmocka_unit_test(large_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
