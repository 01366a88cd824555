/*
 * Regret against the definitions: optima by brute force at every size, peaks
 * by the checker; zero where all tensors are scaled alike.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "buckets/cuts.h"
#include "model/check.h"
#include "tests/support_exact.h"
#include "tests/support_generate.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_sweep.h"
#include "support_sanitized.h"

static hw_graph *draw_graph(uint64_t seed, uint32_t most)
{
    uint64_t state = seed;
    random_shape shape = random_any_shape(&state, 1, most);
    shape.windows = random_chance(&state, 0.2);
    return random_graph(&state, &shape);
}

/* Every figure of r from the graphs themselves. */
static void expect_defined(const sweep_bench *b, const hw_regret *r, bool free_first)
{
    for (size_t i = 0; i < r->n_sizes; i++) {
        hw_graph *g = NULL;
        hw_error err = {0};
        assert_int_equal(hw_sweep_graph(b->sweep, i, &g, &err), HW_OK);
        uint64_t least = defined_optimum(g, free_first, false);
        assert_true(r->size[i].best == least);
        assert_true(r->size[i].bound == least);
        assert_int_equal(r->size[i].status, HW_OPTIMAL);
        assert_true(hw_regret_bytes(r, r->size[i].order, i) == 0);
        for (size_t o = 0; o < r->n_orders; o++) {
            hw_check check;
            assert_int_equal(
                hw_check_order(g, free_first, false, r->order[o], g->n_nodes, &check, &err), HW_OK);
            assert_int_equal(check.verdict, HW_ORDER_LEGAL);
            assert_true(hw_regret_peak(r, o, i) == check.peak);
            assert_true(hw_regret_bytes(r, o, i) == check.peak - least);
        }
        hw_graph_free(g);
    }
}

static void test_defined(void **state)
{
    (void)state;
    uint64_t graphs = environment_number("HW_BUCKETS_GRAPHS", FEWER(150)), some = 0;
    for (uint64_t seed = 0; seed < graphs; seed++) {
        hw_graph *g = draw_graph(seed, 9);
        sweep_bench b;
        if (!g || defined_optimum(g, false, false) == UINT64_MAX) {
            hw_graph_free(g);
            continue;
        }
        sweep_open(&b, g, "H=1,2,3,7", "some=0.5", seed);
        hw_regret r = sweep_regret(&b, "exact", (hw_accounting)(seed % 2), false);
        expect_defined(&b, &r, seed % 2);
        for (size_t i = 0; i < r.n_sizes; i++)
            some += hw_regret_bytes(&r, r.size[0].order, i) > 0;
        hw_regret_clear(&r);
        sweep_close(&b);
        hw_graph_free(g);
    }
    assert_true(some >= graphs / 20); /* or the test would say nothing of regret */
}

/*
 * Scaled alike by whole factors: peaks of every order are those of the first
 * size times the factor, so what is best there is best everywhere.
 */
static void test_alike(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        hw_graph *g = draw_graph(seed, 12);
        sweep_bench b;
        if (!g || (g->n_nodes <= 12 && defined_optimum(g, false, false) == UINT64_MAX)) {
            hw_graph_free(g);
            continue;
        }
        sweep_open(&b, g, "H=3,6,9,30", "all", seed);
        hw_regret r = sweep_regret(&b, "exact", (hw_accounting)(seed % 2), false);
        for (size_t i = 0; i < r.n_sizes; i++) {
            assert_true(r.size[i].proportional);
            assert_true(r.size[i].best == r.size[0].best * (b.axis.value[i] / 3));
            for (size_t o = 0; o < r.n_orders; o++)
                assert_true(hw_regret_bytes(&r, o, i) == 0);
        }
        hw_regret_clear(&r);
        sweep_close(&b);
        hw_graph_free(g);
    }
}

/* Rounded up to whole bytes: less than a byte for each storage and the workspace of a step. */
static void test_rounded(void **state)
{
    (void)state;
    uint64_t off = 0, regret = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        hw_graph *g = draw_graph(seed, 12);
        sweep_bench b;
        if (!g || (g->n_nodes <= 12 && defined_optimum(g, false, false) == UINT64_MAX)) {
            hw_graph_free(g);
            continue;
        }
        sweep_open(&b, g, "H=7,8,9,11", "all", seed);
        hw_regret r = sweep_regret(&b, "exact", (hw_accounting)(seed % 2), false);
        for (size_t i = 0; i < r.n_sizes; i++) {
            off += !r.size[i].proportional;
            for (size_t o = 0; o < r.n_orders; o++) {
                regret += hw_regret_bytes(&r, o, i) > 0;
                assert_true(hw_regret_bytes(&r, o, i) <= g->n_storages);
            }
        }
        hw_regret_clear(&r);
        sweep_close(&b);
        hw_graph_free(g);
    }
    assert_true(off > 100);
    assert_true(regret > 0); /* rounding does show */
}

static void test_proportional(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 8 i; t 1 4 o; t 2 9 c; v 0 0,2 > 1 workspace=2");
    static const struct {
        const char *lines;
        bool same;
    } row[] = {
        {"t 0 8 i; t 1 4 o; t 2 9 c; v 0 0,2 > 1 workspace=2", true},
        {"t 0 12 i; t 1 6 o; t 2 9 c; v 0 0,2 > 1 workspace=3", true},
        {"t 0 12 i; t 1 6 o; t 2 1 c; v 0 0,2 > 1 workspace=3", true},
        {"t 0 12 i; t 1 7 o; t 2 9 c; v 0 0,2 > 1 workspace=3", false},
        {"t 0 12 i; t 1 6 o; t 2 9 c; v 0 0,2 > 1 workspace=2", false},
        {"t 0 8 i; t 1 0 o; t 2 9 c; v 0 0,2 > 1 workspace=2", false},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        hw_graph *h = lines_graph(row[i].lines);
        assert_int_equal(hw_sizes_proportional(g, h), row[i].same);
        assert_int_equal(hw_sizes_proportional(h, g), row[i].same);
        hw_graph_free(h);
    }
    hw_graph_free(g);
}

/* A weak solver: what is best comes from wherever it was found, and bounds stand beside it. */
static void test_adopted(void **state)
{
    (void)state;
    uint64_t adopted = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        hw_graph *g = draw_graph(seed, 10);
        sweep_bench b;
        if (!g || defined_optimum(g, false, false) == UINT64_MAX) {
            hw_graph_free(g);
            continue;
        }
        sweep_open(&b, g, "H=1:6", "some=0.5", seed);
        hw_regret r = sweep_regret(&b, "greedy", HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < r.n_sizes; i++) {
            uint64_t least = UINT64_MAX;
            for (size_t o = 0; o < r.n_orders; o++)
                least = hw_regret_peak(&r, o, i) < least ? hw_regret_peak(&r, o, i) : least;
            assert_true(r.size[i].best == least);
            assert_true(hw_regret_peak(&r, r.size[i].order, i) == least);
            assert_true(r.size[i].bound <= least);
            assert_int_equal(r.size[i].status, r.size[i].bound == least ? HW_OPTIMAL : HW_FEASIBLE);
            adopted += r.size[i].adopted;
        }
        hw_regret_clear(&r);
        sweep_close(&b);
        hw_graph_free(g);
    }
    assert_true(adopted > 0);
}

/* A stop after some sizes, or before the first. */
typedef struct stopper {
    volatile sig_atomic_t stop;
    size_t after, calls;
} stopper;

static void stop_after(void *context, size_t done, size_t of)
{
    stopper *s = context;
    assert_int_equal(of, 5);
    assert_int_equal(done, ++s->calls);
    if (done >= s->after)
        s->stop = 1;
}

static void test_stopped(void **state)
{
    (void)state;
    uint64_t seed = 3;
    hw_graph *g = random_graph(&seed, &(random_shape){.nodes = 8, .edge = 0.3, .largest = 9});
    assert_non_null(g);
    sweep_bench b;
    sweep_open(&b, g, "H=1:5", "some=0.5", 1);
    hw_param_value values[HW_PARAM_LIMIT];
    stopper s = {.after = 2};
    hw_error err = {0};
    hw_regret r;
    hw_regret_request request = {.sweep = b.sweep,
                                 .axis = &b.axis,
                                 .params = values,
                                 .stop = &s.stop,
                                 .progress = stop_after,
                                 .context = &s};
    assert_int_equal(hw_solver_parse("exact", &request.solver, values, &err), HW_OK);
    assert_int_equal(hw_regret_find(&request, &r, &err), HW_OK);
    assert_true(r.cut);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(r.size[i].searched, i < 2);
        assert_true(r.size[i].order < r.n_orders);
        assert_true(r.size[i].best >= r.size[i].bound && r.size[i].bound > 0);
    }
    hw_regret_clear(&r);
    s.stop = 1;
    request.progress = NULL;
    assert_int_equal(hw_regret_find(&request, &r, &err), HW_STOPPED);
    sweep_close(&b);
    hw_graph_free(g);
}

/* Constants are a part of every figure where asked, and of no other. */
static void test_resident(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 8 i; t 1 4 o; t 2 90 c; v 0 0,2 > 1");
    sweep_bench b;
    sweep_open(&b, g, "H=1:3", "all", 1);
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_regret r;
    hw_regret_request request = {.sweep = b.sweep, .axis = &b.axis, .params = values};
    assert_int_equal(hw_solver_parse("exact", &request.solver, values, &err), HW_OK);
    for (int with = 0; with < 2; with++) {
        request.with_resident = with;
        assert_int_equal(hw_regret_find(&request, &r, &err), HW_OK);
        for (size_t i = 0; i < 3; i++) {
            uint64_t peak = 12 * (i + 1) + (with ? 90 : 0);
            assert_true(r.size[i].best == peak && r.size[i].bound == peak);
            assert_true(hw_regret_peak(&r, 0, i) == peak);
        }
        hw_regret_clear(&r);
    }
    sweep_close(&b);
    hw_graph_free(g);
}

/* The second solver never lies below the best. */
static void test_again(void **state)
{
    (void)state;
    uint64_t better = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        hw_graph *g = draw_graph(seed, 10);
        sweep_bench b;
        if (!g || defined_optimum(g, false, false) == UINT64_MAX) {
            hw_graph_free(g);
            continue;
        }
        sweep_open(&b, g, "H=1:3", "some=0.5", seed);
        hw_param_value values[HW_PARAM_LIMIT], again[HW_PARAM_LIMIT];
        hw_error err = {0};
        hw_regret r;
        hw_regret_request request = {
            .sweep = b.sweep, .axis = &b.axis, .params = values, .again_params = again};
        assert_int_equal(hw_solver_parse("by-output", &request.solver, values, &err), HW_OK);
        assert_int_equal(hw_solver_parse("exact", &request.again, again, &err), HW_OK);
        assert_int_equal(hw_regret_find(&request, &r, &err), HW_OK);
        for (size_t i = 0; i < r.n_sizes; i++) {
            hw_graph *at = NULL;
            assert_int_equal(hw_sweep_graph(b.sweep, i, &at, &err), HW_OK);
            assert_true(r.size[i].has_again);
            assert_true(r.size[i].again_peak == defined_optimum(at, false, false));
            assert_true(r.size[i].best == r.size[i].again_peak);
            hw_graph_free(at);
        }
        better += r.n_orders > 1;
        assert_true(hw_buckets_again(&r).total == 0);
        hw_regret_clear(&r);
        sweep_close(&b);
        hw_graph_free(g);
    }
    assert_true(better > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defined),  cmocka_unit_test(test_alike),
        cmocka_unit_test(test_rounded),  cmocka_unit_test(test_proportional),
        cmocka_unit_test(test_adopted),  cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_resident), cmocka_unit_test(test_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
