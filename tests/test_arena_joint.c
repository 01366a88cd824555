/* Order and addresses together, against all orders and all addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/joint.h"
#include "io/io.h"
#include "model/check.h"
#include "model/sim.h"
#include "support_arena.h"
#include "support_random.h"
#include "support_sanitized.h"

enum { MOST = 16 };

/* What walking through all orders finds; no figure is that of the searches. */
typedef struct all_orders {
    const hw_model *m;
    uint32_t n, order[MOST], left[MOST];
    bool done[MOST];
    uint64_t least_peak;
    bool arenas;        /* second walk                                */
    uint64_t low, high; /* least and greatest arena of the least peak */
    uint64_t any, any_peak;
    uint64_t orders;
} all_orders;

static void end_of_order(all_orders *w)
{
    const hw_model *m = w->m;
    hw_check check;
    hw_error err;
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                    w->order, w->n, &check, &err),
                     HW_OK);
    if (check.verdict != HW_ORDER_LEGAL)
        return;
    if (!w->arenas) {
        w->orders++;
        w->least_peak = check.peak < w->least_peak ? check.peak : w->least_peak;
        return;
    }
    hw_arena *a;
    assert_int_equal(hw_arena_of_order(m, w->order, 1, &a, &err), HW_OK);
    uint64_t height = defined_least_height(a);
    hw_arena_free(a);
    if (check.peak == w->least_peak) {
        w->low = height < w->low ? height : w->low;
        w->high = height > w->high ? height : w->high;
    }
    if (height < w->any) {
        w->any = height;
        w->any_peak = check.peak;
    }
}

static void walk(all_orders *w, uint32_t depth)
{
    const hw_graph *g = w->m->graph;
    if (depth == w->n) {
        end_of_order(w);
        return;
    }
    for (uint32_t v = 0; v < w->n; v++) {
        if (w->done[v] || w->left[v] > 0)
            continue;
        w->order[depth] = v;
        w->done[v] = true;
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            w->left[g->succs.item[i]]--;
        walk(w, depth + 1);
        for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
            w->left[g->succs.item[i]]++;
        w->done[v] = false;
    }
}

static all_orders walk_all(const hw_model *m)
{
    all_orders w = {
        .m = m, .n = m->n_nodes, .least_peak = UINT64_MAX, .low = UINT64_MAX, .any = UINT64_MAX};
    for (uint32_t v = 0; v < w.n; v++)
        w.left[v] = m->graph->preds.offset[v + 1] - m->graph->preds.offset[v];
    walk(&w, 0);
    w.arenas = true;
    walk(&w, 0);
    return w;
}

static hw_model *case_model(const char *path, hw_graph **g)
{
    hw_model *m = NULL;
    hw_error err = {0};
    if (hw_graph_load(path, g, &err) != HW_OK ||
        hw_model_new(*g, HW_ALLOC_FIRST, false, &m, &err) != HW_OK)
        fail_msg("%s", err.message);
    return m;
}

/* Orders of the least peak, 6, of which some fit in 6 bytes and some need 7. */
static void two_orders_of_the_least_peak_differ_in_their_arena(void **state)
{
    (void)state;
    hw_graph *g;
    hw_model *m = case_model("tests/cases/arena-same-peak.json", &g);
    all_orders w = walk_all(m);
    assert_int_equal(w.least_peak, 6);
    assert_int_equal(w.low, 6);
    assert_int_equal(w.high, 7);
    hw_model_free(m);
    hw_graph_free(g);
}

/* The only order of the least peak, 12, needs 14 bytes; the other one, of peak 13, needs 13. */
static void a_higher_peak_has_a_lower_arena(void **state)
{
    (void)state;
    hw_graph *g;
    hw_model *m = case_model("tests/cases/arena-higher-peak.json", &g);
    all_orders w = walk_all(m);
    assert_int_equal(w.least_peak, 12);
    assert_int_equal(w.low, 14);
    assert_int_equal(w.high, 14);
    assert_int_equal(w.any, 13);
    assert_int_equal(w.any_peak, 13);
    hw_model_free(m);
    hw_graph_free(g);
}

/* The search from an order, which has to prove what it finds. */
static void expect_found(const hw_model *m, const uint32_t *start, uint64_t most, uint64_t bound,
                         uint64_t least)
{
    const hw_joint_request request = {.start = start,
                                      .most_peak = most,
                                      .bound = bound,
                                      .alignment = 1,
                                      .prover = &defined_allocator,
                                      .seed = 3};
    hw_joint j;
    hw_error err = {0};
    hw_check check;
    if (hw_joint_find(m, &request, &j, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(j.placement.height, least);
    assert_int_equal(j.bound, least);
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                    j.order, m->n_nodes, &check, &err),
                     HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_true(check.peak == j.peak && j.peak <= most && j.arena->load == j.peak);
    uint64_t height;
    assert_int_equal(hw_arena_check(j.arena, j.placement.offset, &height, &err), HW_OK);
    assert_int_equal(height, least);
    hw_joint_clear(&j);
}

static void expect_both(const hw_model *m, unsigned *above)
{
    uint32_t start[MOST], best[MOST];
    all_orders w = walk_all(m);
    hw_error err;
    uint64_t peak;
    if (w.orders == 0)
        return;
    /* a start of the least peak: what a proven solver hands over */
    hw_joint j;
    assert_int_equal(hw_graph_level_order(m->graph, start, &err), HW_OK);
    hw_check check;
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, start,
                                    m->n_nodes, &check, &err),
                     HW_OK);
    if (check.verdict != HW_ORDER_LEGAL)
        return;
    expect_found(m, start, UINT64_MAX, w.least_peak, w.any);
    expect_found(m, start, UINT64_MAX, 0, w.any);
    const hw_joint_request request = {
        .start = start, .most_peak = UINT64_MAX, .alignment = 1, .orders = 1};
    assert_int_equal(hw_joint_find(m, &request, &j, &err), HW_OK);
    memcpy(best, j.order, m->n_nodes * sizeof *best);
    hw_joint_clear(&j);
    assert_int_equal(hw_peak(m, best, &peak, &err), HW_OK);
    if (peak == w.least_peak)
        expect_found(m, best, w.least_peak, w.least_peak, w.low);
    *above += w.any > w.least_peak;
}

static void the_search_finds_what_all_orders_have(void **state)
{
    (void)state;
    const char *scale = getenv("HW_JOINT_GRAPHS");
    long graphs = scale ? strtol(scale, NULL, 10) : FEWER(250);
    uint64_t seed = 61;
    unsigned above = 0;
    for (long i = 0; i < graphs; i++) {
        random_shape shape = random_any_shape(&seed, 2, 5);
        shape.largest = 3;
        shape.windows = i % 4 == 0;
        hw_graph *g = random_graph(&seed, &shape);
        hw_model *m;
        hw_error err;
        if (!g)
            continue;
        if (g->n_tensors <= 12 && hw_model_new(g, i % 3 == 0 ? HW_FREE_FIRST : HW_ALLOC_FIRST,
                                               false, &m, &err) == HW_OK) {
            expect_both(m, &above);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    static const char *const cases[] = {"tests/cases/arena-same-peak.json",
                                        "tests/cases/arena-higher-peak.json"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hw_graph *g;
        hw_model *m = case_model(cases[i], &g);
        expect_both(m, &above);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(above >= 1);
}

/* Without a prover nothing is claimed but what the bound says. */
static void without_a_prover_only_the_bound_proves(void **state)
{
    (void)state;
    hw_graph *g;
    hw_model *m = case_model("tests/cases/arena-higher-peak.json", &g);
    uint32_t start[MOST];
    hw_error err;
    hw_joint j;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        start[v] = v;
    const hw_joint_request request = {
        .start = start, .most_peak = UINT64_MAX, .bound = 12, .alignment = 1, .orders = 50};
    assert_int_equal(hw_joint_find(m, &request, &j, &err), HW_OK);
    assert_true(j.bound == 12 && j.placement.height > 12 && j.orders <= 51);
    hw_joint_clear(&j);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_orders_of_the_least_peak_differ_in_their_arena),
        cmocka_unit_test(a_higher_peak_has_a_lower_arena),
        cmocka_unit_test(the_search_finds_what_all_orders_have),
        cmocka_unit_test(without_a_prover_only_the_bound_proves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
