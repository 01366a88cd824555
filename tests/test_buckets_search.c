/*
 * How much one order for two sizes can cost: a small seeded search over the
 * sizes of two branches that meet, every order tried; and the case that it
 * led to, which is kept in tests/cases.
 *
 * What counts is the order that does best at its worse size, so no choice
 * among equally good orders could save it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "buckets/cuts.h"
#include "import/scale.h"
#include "model/check.h"
#include "model/sim.h"
#include "tests/support_exact.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_sweep.h"

enum { NODES = 5, MOST_ORDERS = 120, STEPS = 300, STALE = 100, LARGEST = 20 };

typedef struct orders {
    size_t n;
    uint32_t order[MOST_ORDERS][NODES];
} orders;

static void list_orders(const hw_graph *g, uint32_t *now, uint32_t n, uint32_t done, orders *all)
{
    if (n == g->n_nodes) {
        memcpy(all->order[all->n++], now, n * sizeof *now);
        return;
    }
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        bool ready = !(done >> v & 1);
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            ready = ready && (done >> g->preds.item[i] & 1);
        now[n] = v;
        if (ready)
            list_orders(g, now, n + 1, done | 1u << v, all);
    }
}

/* The least over the orders of the larger of peak / best at the two sizes; best[] on request. */
static hw_ratio best_of_both(const hw_graph *const g[2], const orders *all, uint64_t best[2])
{
    uint64_t peak[2][MOST_ORDERS];
    hw_ratio least = {1, 0};
    for (int side = 0; side < 2; side++) {
        best[side] = UINT64_MAX;
        for (size_t i = 0; i < all->n; i++) {
            hw_check check = checked(g[side], all->order[i]);
            assert_int_equal(check.verdict, HW_ORDER_LEGAL);
            peak[side][i] = check.peak;
            best[side] = check.peak < best[side] ? check.peak : best[side];
        }
    }
    for (size_t i = 0; i < all->n; i++) {
        hw_ratio one = {peak[0][i], best[0]}, two = {peak[1][i], best[1]};
        hw_ratio worse = hw_ratio_compare(one, two) > 0 ? one : two;
        least = hw_ratio_compare(worse, least) < 0 ? worse : least;
    }
    return least;
}

/* Sizes at 1, and how they grow to 4. */
typedef struct draw {
    uint64_t size[NODES];
    uint8_t growth[NODES];
} draw;

static hw_ratio rate(const hw_graph *shape, const orders *all, draw *d)
{
    hw_scale scale = {.tensor = d->growth, .workspace = (uint8_t[NODES]){0}};
    hw_graph *g[2];
    hw_error err = {0};
    uint64_t best[2];
    assert_int_equal(hw_graph_resized(shape, d->size, NULL, &g[0], &err), HW_OK);
    assert_int_equal(hw_scale_graph(g[0], &scale, 1, 4, &g[1], &err), HW_OK);
    hw_ratio ratio = best_of_both((const hw_graph *const *)g, all, best);
    hw_graph_free(g[0]);
    hw_graph_free(g[1]);
    return ratio;
}

static void change(uint64_t *state, draw *d, uint32_t t)
{
    if (random_chance(state, 0.5))
        d->size[t] = random_below(state, LARGEST + 1);
    else
        d->growth[t] = (uint8_t)random_below(state, 3);
}

/* From a draw uphill, one tensor at a time. */
static hw_ratio climb(const hw_graph *shape, const orders *all, uint64_t *state, draw *d)
{
    for (uint32_t t = 0; t < NODES; t++) {
        d->size[t] = random_below(state, LARGEST + 1);
        d->growth[t] = (uint8_t)random_below(state, 3);
    }
    hw_ratio ratio = rate(shape, all, d);
    for (unsigned step = 0, stale = 0; step < STEPS && stale < STALE; step++) {
        draw other = *d;
        change(state, &other, random_below(state, NODES));
        hw_ratio changed = rate(shape, all, &other);
        stale = hw_ratio_compare(changed, ratio) > 0 ? 0 : stale + 1;
        if (hw_ratio_compare(changed, ratio) >= 0) {
            *d = other;
            ratio = changed;
        }
    }
    return ratio;
}

static void test_search(void **state)
{
    (void)state;
    uint64_t seed = 1, climbs = environment_number("HW_BUCKETS_CLIMBS", 30);
    hw_graph *shape =
        lines_graph("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 a; t 4 1 o; v 0 - > 0; v 1 0 > 1; v 2 - > 2; "
                    "v 3 2 > 3; v 4 1,3 > 4");
    orders all = {.n = 0};
    list_orders(shape, (uint32_t[NODES]){0}, 0, 0, &all);
    assert_int_equal(all.n, 6);
    hw_ratio worst = {1, 1};
    for (uint64_t i = 0; i < climbs; i++) {
        draw d;
        hw_ratio ratio = climb(shape, &all, &seed, &d);
        if (hw_ratio_compare(ratio, worst) <= 0)
            continue;
        worst = ratio;
        print_message("%.4f:", hw_ratio_value(ratio));
        for (uint32_t t = 0; t < NODES; t++)
            print_message(" %u^%u", (unsigned)d.size[t], d.growth[t]);
        print_message("\n");
    }
    assert_true(hw_ratio_compare(worst, (hw_ratio){3, 2}) >= 0);
    hw_graph_free(shape);
}

/* The case: the best order of either size needs over 60 % more at the other; brute force. */
static void test_case(void **state)
{
    (void)state;
    hw_graph *g = NULL, *at[2];
    hw_error err = {0};
    hw_sweep_axis axis;
    hw_sweep *sweep = NULL;
    orders all = {.n = 0};
    uint64_t best[2];
    assert_int_equal(hw_graph_load("tests/cases/sizes-two-branches.json", &g, &err), HW_OK);
    assert_int_equal(hw_sweep_axis_read("H=1,4", &axis, &err), HW_OK);
    hw_sweep_request request = {.source = "tests/cases/sizes-two-branches.json",
                                .axis = &axis,
                                .scale = "tests/cases/sizes-two-branches.rules"};
    if (hw_sweep_open(&request, NULL, &sweep, &err) != HW_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(hw_sweep_graph(sweep, i, &at[i], &err), HW_OK);
    list_orders(g, (uint32_t[NODES]){0}, 0, 0, &all);
    hw_ratio both = best_of_both((const hw_graph *const *)at, &all, best);
    assert_true(hw_ratio_compare(both, (hw_ratio){37, 23}) == 0);
    for (size_t i = 0; i < 2; i++)
        assert_true(best[i] == defined_optimum(at[i], false, false));
    assert_true(best[0] == 23 && best[1] == 97);

    sweep_bench b = {.axis = axis, .sweep = sweep};
    hw_regret r = sweep_regret(&b, "exact", HW_ALLOC_FIRST, false);
    hw_cuts_table cuts;
    assert_int_equal(hw_cuts_find(&r, HW_GOAL_WORST, 2, NULL, &cuts, &err), HW_OK);
    assert_true(hw_ratio_compare(cuts.row[0].cost.ratio, both) == 0);
    assert_int_equal(cuts.least_free, 2);
    hw_cuts_clear(&cuts);
    hw_regret_clear(&r);
    for (size_t i = 0; i < 2; i++)
        hw_graph_free(at[i]);
    hw_graph_free(g);
    hw_sweep_close(sweep);
    hw_sweep_axis_clear(&axis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_search), cmocka_unit_test(test_case)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
