/*
 * Two routes to every optimum: `enumerate`, with and without pruning, and `dp`
 * against each other on random graphs rich in everything, and against a search
 * over all permutations that knows only the checker.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "model/builder.h"
#include "model/check.h"
#include "support_draft.h"
#include "support_solve.h"

static bool next_permutation(uint32_t *p, uint32_t n)
{
    uint32_t i = n, j = n;
    while (i > 1 && p[i - 2] > p[i - 1])
        i--;
    if (i <= 1)
        return false;
    while (p[j - 1] < p[i - 2])
        j--;
    uint32_t held = p[i - 2];
    p[i - 2] = p[j - 1];
    p[j - 1] = held;
    for (uint32_t a = i - 1, b = n - 1; a < b; a++, b--) {
        held = p[a];
        p[a] = p[b];
        p[b] = held;
    }
    return true;
}

/* The number of legal orders and their least peak, by the checker alone. */
static uint64_t try_permutations(const hw_model *m, uint64_t *least)
{
    uint32_t order[DRAFT_NODES];
    uint64_t legal = 0;
    hw_check check;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        order[v] = v;
    do {
        assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                        order, m->n_nodes, &check, NULL),
                         HW_OK);
        if (check.verdict != HW_ORDER_LEGAL)
            continue;
        if (legal++ == 0 || check.peak < *least)
            *least = check.peak;
    } while (next_permutation(order, m->n_nodes));
    return legal;
}

/* Call visit on models of random graphs, both accountings, some of them pinned. */
static void each_model(uint64_t graphs, uint64_t n_least, uint64_t n_most, unsigned features,
                       void (*visit)(const hw_model *m, uint64_t seed))
{
    for (uint64_t seed = 0; seed < graphs; seed++) {
        size_t n = (size_t)(n_least + seed % (n_most - n_least + 1));
        hw_graph *g = draft_graph(seed * 31 + features, n, features);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            hw_model *m = test_model(g, (hw_accounting)a, seed % 3 == 0);
            if (m)
                visit(m, seed);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

static void compare_naive(const hw_model *m, uint64_t seed)
{
    uint64_t least = 0, orders = try_permutations(m, &least);
    static const char *const specs[] = {"enumerate:prune=no", "enumerate", "dp"};
    for (size_t i = 0; i < 3; i++) {
        hw_answer a = test_solve(m, specs[i]);
        if (orders == 0)
            assert_int_equal(a.status, HW_INFEASIBLE);
        else if (a.status != HW_OPTIMAL || a.peak != least)
            fail_msg("seed %u: %s says %s %u, the optimum is %u", (unsigned)seed, specs[i],
                     hw_status_name(a.status), (unsigned)a.peak, (unsigned)least);
        if (i == 0 && m->legal)
            assert_int_equal(a.orders, orders);
        hw_answer_clear(&a);
    }
}

static void agree_with_all_permutations(void **state)
{
    (void)state;
    each_model(2000, 1, 5, DRAW_ALL, compare_naive);
    each_model(500, 6, 6, DRAW_RICH, compare_naive);
    each_model(300, 6, 6, DRAW_ALL, compare_naive);
}

static void compare_routes(const hw_model *m, uint64_t seed)
{
    hw_answer pruned = test_solve(m, "enumerate"), dp = test_solve(m, "dp");
    if (pruned.status != dp.status || pruned.peak != dp.peak)
        fail_msg("seed %u: enumerate says %s %u, dp says %s %u", (unsigned)seed,
                 hw_status_name(pruned.status), (unsigned)pruned.peak, hw_status_name(dp.status),
                 (unsigned)dp.peak);
    assert_int_equal(dp.status, m->legal ? HW_OPTIMAL : HW_INFEASIBLE);
    if (m->n_nodes <= 7) {
        hw_answer all = test_solve(m, "enumerate:prune=no");
        assert_int_equal(all.status, dp.status);
        assert_int_equal(all.peak, dp.peak);
        assert_true(all.orders >= pruned.orders && all.states >= pruned.states);
        hw_answer_clear(&all);
    }
    hw_answer_clear(&pruned);
    hw_answer_clear(&dp);
}

static void agree_with_each_other(void **state)
{
    (void)state;
    each_model(4000, 1, 9, DRAW_ALL, compare_routes);
    each_model(4000, 5, 9, DRAW_RICH, compare_routes);
    each_model(4000, 5, 9, DRAW_PLAIN | DRAW_DEAD | DRAW_WORKSPACE, compare_routes);
}

static void compare_budgets(const hw_model *m, uint64_t seed)
{
    static const char *const specs[] = {"enumerate:prune=no", "enumerate", "dp"};
    const uint64_t room = seed % 40;
    hw_answer best = test_solve(m, "dp");
    for (size_t i = 0; i < 3; i++) {
        hw_request request = {.has_budget = true, .budget_bytes = best.peak + room};
        hw_answer fits = test_solve_with(m, specs[i], request);
        if (best.status == HW_OPTIMAL) {
            assert_true(fits.status == HW_FEASIBLE || fits.status == HW_OPTIMAL);
            assert_true(fits.has_order && fits.peak >= best.peak && fits.peak <= best.peak + room);
        } else {
            assert_int_equal(fits.status, HW_INFEASIBLE);
        }
        hw_answer_clear(&fits);
        if (best.peak == 0)
            continue;
        request.budget_bytes = best.peak - 1;
        hw_answer exceeds = test_solve_with(m, specs[i], request);
        assert_int_equal(exceeds.status, HW_INFEASIBLE);
        hw_answer_clear(&exceeds);
    }
    hw_answer_clear(&best);
}

static void decide_budgets(void **state)
{
    (void)state;
    each_model(600, 1, 7, DRAW_ALL, compare_budgets);
}

/* What a limit leaves: an order no better than the optimum, a bound no greater. */
static void check_cut(const hw_model *m, const char *spec, hw_request request, uint64_t optimum)
{
    hw_answer a = test_solve_with(m, spec, request);
    if (a.has_order)
        assert_true(a.peak >= optimum);
    if (a.has_bound)
        assert_true(a.bound <= optimum);
    if (a.status == HW_OPTIMAL)
        assert_int_equal(a.peak, optimum);
    if (request.limits.states)
        assert_true(a.states <= request.limits.states + 16);
    assert_true(a.status == HW_OPTIMAL || a.limit_reached);
    hw_answer_clear(&a);
}

static void compare_limits(const hw_model *m, uint64_t seed)
{
    if (!m->legal)
        return;
    hw_answer best = test_solve(m, "dp");
    for (uint64_t limit = 1; limit < 4000; limit = 3 * limit + seed % 3) {
        hw_request request = {.limits = {.states = limit}};
        check_cut(m, "enumerate", request, best.peak);
        check_cut(m, "enumerate:prune=no", request, best.peak);
        check_cut(m, "dp", request, best.peak);
        request.limits = (hw_limits){.memory_bytes = 256 * limit};
        check_cut(m, "dp", request, best.peak);
    }
    hw_answer_clear(&best);
}

static void leave_proven_bounds_at_limits(void **state)
{
    (void)state;
    each_model(300, 7, 14, DRAW_RICH - DRAW_LOCKS, compare_limits);
    each_model(100, 7, 14, DRAW_ALL, compare_limits);
}

/* The graph of a draft with n_pad nodes without tensors, a chain, in its midst. */
static hw_graph *pad(const draft *d, uint64_t n_pad)
{
    const uint64_t first = UINT64_C(1) << 30;
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    assert_non_null(b);
    for (size_t t = 0; t < d->n_tensors; t++) {
        const draft_tensor *own = &d->tensor[t];
        assert_int_equal(hw_builder_tensor(b, own->id, own->size, own->kind, NULL, NULL), HW_OK);
    }
    for (size_t v = 0; v <= d->n_nodes; v++) {
        for (uint64_t i = 0; v == d->n_nodes / 2 && i < n_pad; i++) {
            hw_node_spec spec = {.id = first + i};
            assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
            if (i)
                assert_int_equal(hw_builder_control(b, first + i - 1, first + i, NULL), HW_OK);
        }
        if (v == d->n_nodes)
            break;
        const draft_node *node = &d->node[v];
        hw_node_spec spec = {.id = node->id,
                             .inputs = node->input,
                             .n_inputs = node->n_inputs,
                             .outputs = node->output,
                             .n_outputs = node->n_outputs,
                             .inplace = node->pair,
                             .n_inplace = node->n_pairs,
                             .workspace = node->workspace,
                             .view = node->view};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

/* Sets of two, three and nine words give what sets of one give. */
static void agree_at_every_set_width(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 60, 130, 500};
    static const unsigned features[] = {DRAW_OUTPUTS | DRAW_DEAD | DRAW_WORKSPACE,
                                        DRAW_RICH - DRAW_LOCKS - DRAW_REQUIRED - DRAW_CONTROL};
    for (uint64_t seed = 0; seed < 60; seed++) {
        draft *d = draft_random(seed, 4 + seed % 5, features[seed % 2]);
        assert_non_null(d);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            uint64_t optimum = 0;
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                hw_graph *g = pad(d, sizes[i]);
                hw_model *m = test_model(g, (hw_accounting)a, false);
                hw_answer best = test_solve(m, "dp");
                assert_int_equal(best.status, HW_OPTIMAL);
                optimum = i ? optimum : best.peak;
                assert_int_equal(best.peak, optimum);
                hw_answer_clear(&best);
                hw_model_free(m);
                hw_graph_free(g);
            }
        }
        free(d);
    }
}

/* Independent nodes in windows of w places; w = 0 allows the source order alone. */
static hw_graph *windowed(uint32_t n, uint64_t w, uint64_t seed)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    assert_non_null(b);
    for (uint64_t v = 0; v < n; v++) {
        uint64_t in = 2 * v, out = 2 * v + 1, size = draft_below(&seed, 50);
        assert_int_equal(hw_builder_tensor(b, in, size, HW_INPUT, NULL, NULL), HW_OK);
        size = draft_below(&seed, 50);
        assert_int_equal(hw_builder_tensor(b, out, size, HW_OUTPUT, NULL, NULL), HW_OK);
        hw_node_spec spec = {.id = v,
                             .inputs = &in,
                             .n_inputs = 1,
                             .outputs = &out,
                             .n_outputs = 1,
                             .has_window = true,
                             .window = w};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

static void keep_windows_at_every_set_width(void **state)
{
    (void)state;
    for (uint32_t n = 10; n <= 200; n = 2 * n + 3) {
        hw_graph *g = windowed(n, 0, n);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer source = test_solve(m, "source"), dp = test_solve(m, "dp");
        assert_int_equal(dp.status, HW_OPTIMAL);
        assert_int_equal(dp.peak, source.peak);
        hw_answer_clear(&source);
        hw_answer_clear(&dp);
        hw_model_free(m);
        hw_graph_free(g);
    }
    for (uint64_t seed = 1; seed < 20; seed++) { /* swaps of neighbours: Fibonacci */
        hw_graph *g = windowed(16, 1, seed);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer all = test_solve(m, "enumerate:prune=no"), dp = test_solve(m, "dp");
        assert_int_equal(all.orders, 1597);
        assert_int_equal(dp.peak, all.peak);
        hw_answer_clear(&all);
        hw_answer_clear(&dp);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void repeat_themselves(void **state)
{
    (void)state;
    hw_graph *g = draft_graph(77, 24, DRAW_RICH - DRAW_LOCKS);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "dp"), b = test_solve(m, "dp");
    assert_int_equal(a.status, HW_OPTIMAL);
    assert_int_equal(a.states, b.states);
    assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
    hw_answer_clear(&a);
    hw_answer_clear(&b);
    hw_model_free(m);
    hw_graph_free(g);
}

typedef struct seen {
    uint64_t calls, peak, bound, states;
} seen;

static void note(void *context, const hw_progress *p)
{
    seen *s = context;
    assert_true(p->has_order && p->seconds >= 0 && p->bound <= p->peak);
    assert_true(s->calls == 0 || (p->peak <= s->peak && p->bound >= s->bound));
    assert_true(p->states >= s->states);
    *s = (seen){s->calls + 1, p->peak, p->bound, p->states};
}

static void trace_better_orders_and_bounds(void **state)
{
    (void)state;
    static const char *const specs[] = {"enumerate", "dp"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        hw_graph *g = draft_graph(seed, 9, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < 2; i++) {
            seen s = {0};
            hw_answer a =
                test_solve_with(m, specs[i], (hw_request){.trace = note, .trace_context = &s});
            assert_true(s.calls > 0);
            assert_int_equal(s.peak, a.peak);
            hw_answer_clear(&a);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agree_with_all_permutations),
        cmocka_unit_test(agree_with_each_other),
        cmocka_unit_test(decide_budgets),
        cmocka_unit_test(leave_proven_bounds_at_limits),
        cmocka_unit_test(agree_at_every_set_width),
        cmocka_unit_test(keep_windows_at_every_set_width),
        cmocka_unit_test(repeat_themselves),
        cmocka_unit_test(trace_better_orders_and_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
