/*
 * What all heuristics have in common (legal orders under windows, locks and
 * in-place; limits; the same answer twice; large graphs), and the rules of the
 * simple ones: level, dfs, random, by-output.
 *
 * The greedy family has its own tests: test_greedy.c, test_listing.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "io/io.h"
#include "model/builder.h"
#include "model/paths.h"
#include "model/sim.h"
#include "model/windows.h"
#include "support_draft.h"
#include "support_solve.h"
#include "support_sanitized.h"

static const char *const solvers[] = {"level",          "dfs",           "random:n=3",
                                      "by-output",      "greedy",        "greedy-mixed:weight=0.5",
                                      "greedy-reverse", "lookahead",     "lookahead:k=2,depth=2",
                                      "xla-list",       "xla-dfs",       "xla-postorder",
                                      "xla-best",       "lpmf",          "inductor-bfs",
                                      "inductor-dfs",   "inductor-best", "ort-dfs",
                                      "ort-priority",   "ort-memory"};
enum { N_SOLVERS = sizeof solvers / sizeof solvers[0] };

/* ---- Every order is legal; the driver's checker looks at each. ---- */

static void orders_are_legal(void **state)
{
    (void)state;
    uint32_t with_windows = 0;
    for (uint64_t seed = 0; seed < FEWER(1500); seed++) {
        hw_graph *g = draft_graph(seed, seed % 25, seed % 3 ? DRAW_ALL : DRAW_RICH);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            for (size_t i = 0; m && i < N_SOLVERS; i++) {
                hw_answer answer = test_solve(m, solvers[i]);
                assert_true(answer.has_order == m->legal);
                assert_true(m->legal || answer.status == HW_INFEASIBLE);
                hw_answer_clear(&answer);
            }
            with_windows += m && m->legal && m->earliest;
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    assert_true(with_windows > FEWER(2000));
}

static void window_cases_are_legal(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        char path[64];
        hw_graph *g;
        (void)snprintf(path, sizeof path, "tests/cases/random-window-%02d.json", i);
        assert_int_equal(hw_graph_load(path, &g, NULL), HW_OK);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            for (size_t k = 0; m && k < N_SOLVERS; k++) {
                hw_answer answer = test_solve(m, solvers[k]);
                assert_true(answer.has_order == m->legal);
                hw_answer_clear(&answer);
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

static bool same_order(const hw_answer *a, const hw_answer *b, uint32_t n)
{
    return a->has_order && b->has_order && a->peak == b->peak &&
           (n == 0 || memcmp(a->order, b->order, n * sizeof *a->order) == 0);
}

/* Windows that allow everything change no order, though they go another way. */
static void wide_windows_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FEWER(600); seed++) {
        hw_graph *plain, *windowed;
        draft *d = draft_random(seed, 1 + seed % 20, DRAW_RICH);
        assert_non_null(d);
        assert_int_equal(draft_build(d, &plain, NULL), HW_OK);
        for (size_t v = 0; v < d->n_nodes; v++) {
            d->node[v].has_window = true;
            d->node[v].window = d->n_nodes;
        }
        assert_int_equal(draft_build(d, &windowed, NULL), HW_OK);
        free(d);
        hw_model *a = test_model(plain, HW_ALLOC_FIRST, false);
        hw_model *b = test_model(windowed, HW_ALLOC_FIRST, false);
        assert_true(!a->earliest && b->earliest && b->legal);
        for (size_t i = 0; i < N_SOLVERS; i++) {
            hw_answer x = test_solve(a, solvers[i]), y = test_solve(b, solvers[i]);
            if (!same_order(&x, &y, a->n_nodes))
                fail_msg("%s differs at seed %u", solvers[i], (unsigned)seed);
            hw_answer_clear(&x);
            hw_answer_clear(&y);
        }
        hw_model_free(a);
        hw_model_free(b);
        hw_graph_free(plain);
        hw_graph_free(windowed);
    }
}

static void expect_order(const hw_graph *g, const char *spec, const uint32_t *order)
{
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer = test_solve(m, spec);
    assert_true(answer.has_order);
    assert_memory_equal(answer.order, order, g->n_nodes * sizeof *order);
    hw_answer_clear(&answer);
    hw_model_free(m);
}

/*
 * Hundreds of ready nodes that windows hold back, the smallest first in the
 * heap: node v's output has size 1 + (n - v) % 97, so by-output and greedy both
 * take the least size, then the least v, of those that may run.
 */
static void many_turned_away(void **state)
{
    (void)state;
    enum { N = 700, SPREAD = 97 };
    static const char *const by_size[] = {"by-output", "greedy", "lookahead:k=1"};
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint64_t v = 0; v < N; v++) {
        hw_node_spec spec = {
            .id = v, .outputs = &v, .n_outputs = 1, .has_window = true, .window = 3 + v % 400};
        assert_int_equal(hw_builder_tensor(b, v, 1 + (N - v) % SPREAD, HW_OUTPUT, NULL, NULL),
                         HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_window_search *search = hw_window_search_new(g, m->earliest, m->latest);
    static bool done[N];
    static uint32_t order[N];
    assert_non_null(search);
    memset(done, 0, sizeof done);
    for (uint32_t step = 0; step < N; step++) {
        uint32_t best = N;
        for (uint32_t v = 0; v < N; v++)
            if (!done[v] && (best == N || (N - v) % SPREAD < (N - best) % SPREAD) &&
                hw_window_allows(search, done, step, v))
                best = v;
        assert_true(best < N);
        done[best] = true;
        order[step] = best;
    }
    for (size_t i = 0; i < sizeof by_size / sizeof by_size[0]; i++)
        expect_order(g, by_size[i], order);
    hw_window_search_free(search);
    hw_model_free(m);
    hw_graph_free(g);
}

static void answers_repeat(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        hw_graph *g = draft_graph(seed, 40, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < N_SOLVERS; i++) {
            hw_request request = {.seed = seed};
            hw_answer x = test_solve_with(m, solvers[i], request);
            hw_answer y = test_solve_with(m, solvers[i], request);
            assert_true(same_order(&x, &y, m->n_nodes));
            assert_true(x.states == y.states);
            hw_answer_clear(&x);
            hw_answer_clear(&y);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* A limit below the number of steps leaves no order; the number itself is enough. */
static void limits_stop(void **state)
{
    (void)state;
    static const char *const counted[] = {"dfs",          "random:n=1",   "by-output",
                                          "greedy",       "greedy-mixed", "greedy-reverse",
                                          "lookahead:k=1"};
    hw_graph *g = draft_graph(7, 40, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        hw_answer cut = test_solve_with(m, counted[i], (hw_request){.limits = {.states = 39}});
        assert_true(cut.limit_reached && !cut.has_order);
        assert_int_equal(cut.status, HW_UNKNOWN);
        assert_true(cut.states == 39);
        hw_answer_clear(&cut);
        hw_answer whole = test_solve_with(m, counted[i], (hw_request){.limits = {.states = 40}});
        assert_true(!whole.limit_reached && whole.has_order);
        hw_answer_clear(&whole);
    }
    hw_answer cut = test_solve_with(m, "lookahead:k=4", (hw_request){.limits = {.states = 60}});
    assert_true(cut.limit_reached && !cut.has_order);
    hw_answer_clear(&cut);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- level and dfs ---- */

typedef struct arc {
    uint32_t from, to;
} arc;

/* One tensor an edge, all of `size` bytes; nodes without successors keep one. */
static hw_graph *from_arcs(uint32_t n, const arc *arcs, size_t n_arcs, uint64_t size)
{
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    uint64_t *in = calloc(n_arcs + 1, sizeof *in), *out = calloc(n_arcs + 1, sizeof *out);
    assert_true(b && in && out);
    for (size_t t = 0; t < n_arcs; t++)
        assert_int_equal(hw_builder_tensor(b, t, size, HW_ACTIVATION, NULL, NULL), HW_OK);
    for (uint32_t v = 0; v < n; v++) {
        hw_node_spec spec = {.id = v, .inputs = in, .outputs = out};
        for (size_t t = 0; t < n_arcs; t++) {
            if (arcs[t].to == v)
                in[spec.n_inputs++] = t;
            if (arcs[t].from == v)
                out[spec.n_outputs++] = t;
        }
        if (spec.n_outputs == 0) {
            out[spec.n_outputs++] = n_arcs + v;
            assert_int_equal(hw_builder_tensor(b, n_arcs + v, size, HW_OUTPUT, NULL, NULL), HW_OK);
        }
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    free(in);
    free(out);
    return g;
}

/* Two sources, 0 over 2, 3 and 1 over 4; 5 joins 3 and 4, 6 hangs under 2. */
static void level_and_dfs_orders(void **state)
{
    (void)state;
    const arc arcs[] = {{0, 2}, {0, 3}, {1, 4}, {3, 5}, {4, 5}, {2, 6}};
    hw_graph *g = from_arcs(7, arcs, 6, 1);
    expect_order(g, "level", (const uint32_t[]){0, 1, 2, 3, 4, 6, 5});
    expect_order(g, "dfs", (const uint32_t[]){0, 2, 6, 3, 1, 4, 5});
    hw_graph_free(g);
}

static void level_goes_by_depth(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FEWER(300); seed++) {
        uint32_t depth[DRAFT_NODES];
        hw_graph *g = draft_graph(seed, 1 + seed % 60, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer answer = test_solve(m, "level");
        assert_int_equal(hw_paths_up(g, depth, NULL), HW_OK);
        for (uint32_t i = 1; i < g->n_nodes; i++)
            assert_true(depth[answer.order[i - 1]] <= depth[answer.order[i]]);
        hw_answer_clear(&answer);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* Both directions by relaxing, where the source order is legal and where not. */
static void longest_paths(void **state)
{
    (void)state;
    uint32_t shuffled = 0;
    for (uint64_t seed = 0; seed < FEWER(400); seed++) {
        uint32_t down[DRAFT_NODES], up[DRAFT_NODES];
        hw_graph *g = draft_graph(seed, 1 + seed % 40, DRAW_RICH);
        assert_int_equal(hw_paths_down(g, down, NULL), HW_OK);
        assert_int_equal(hw_paths_up(g, up, NULL), HW_OK);
        shuffled += !g->source_order_legal_edges;
        for (uint32_t v = 0; v < g->n_nodes; v++) {
            uint32_t below = 0, above = 0;
            for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
                below = down[g->succs.item[i]] > below ? down[g->succs.item[i]] : below;
            for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
                above = up[g->preds.item[i]] > above ? up[g->preds.item[i]] : above;
            assert_int_equal(down[v], below + 1);
            assert_int_equal(up[v], above + 1);
        }
        hw_graph_free(g);
    }
    assert_true(shuffled > FEWER(100));
}

/* ---- by-output: small outputs first, whatever they would free. ---- */

static void by_output_orders(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {500, 4, 3, 3};
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    for (uint64_t t = 0; t < 4; t++)
        assert_int_equal(hw_builder_tensor(b, t, sizes[t], t ? HW_OUTPUT : HW_INPUT, NULL, NULL),
                         HW_OK);
    for (uint64_t v = 0; v < 3; v++) {
        const uint64_t in = 0, out = v + 1;
        hw_node_spec spec = {
            .id = v, .inputs = &in, .n_inputs = v == 0, .outputs = &out, .n_outputs = 1};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    expect_order(g, "by-output", (const uint32_t[]){1, 2, 0});
    expect_order(g, "greedy", (const uint32_t[]){0, 1, 2});
    hw_graph_free(g);
}

/* ---- random ---- */

static void random_keeps_the_best(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        hw_graph *g = draft_graph(seed, 30, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_request request = {.seed = seed};
        hw_answer one = test_solve_with(m, "random:n=1", request);
        hw_answer many = test_solve_with(m, "random:n=50", request);
        assert_true(many.peak <= one.peak);
        assert_true(many.states <= 50 * UINT64_C(30));
        request.has_budget = true;
        request.budget_bytes = one.peak;
        hw_answer fits = test_solve_with(m, "random:n=50", request);
        assert_true(same_order(&fits, &one, 30) && fits.states == one.states);
        request.has_budget = false;
        request.limits.states = 75; /* two orders and a half */
        hw_answer cut = test_solve_with(m, "random:n=50", request);
        assert_true(cut.has_order && cut.peak <= one.peak && cut.states <= 75);
        hw_answer_clear(&one);
        hw_answer_clear(&many);
        hw_answer_clear(&fits);
        hw_answer_clear(&cut);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* Three nodes without edges: six orders, each about a sixth of the draws. */
static void random_is_even(void **state)
{
    (void)state;
    hw_graph *g = from_arcs(3, NULL, 0, 1);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    uint32_t seen[27] = {0};
    for (uint64_t seed = 0; seed < 6000; seed++) {
        hw_answer a = test_solve_with(m, "random:n=1", (hw_request){.seed = seed});
        seen[a.order[0] * 9 + a.order[1] * 3 + a.order[2]]++;
        hw_answer_clear(&a);
    }
    uint32_t kinds = 0;
    for (size_t i = 0; i < 27; i++) {
        kinds += seen[i] > 0;
        assert_true(seen[i] == 0 || (seen[i] > 850 && seen[i] < 1150)); /* 5 sigma: 144 */
    }
    assert_int_equal(kinds, 6);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Large graphs: nothing recurses, nothing is quadratic. ---- */

enum { LARGE = 1000000 };

enum { CHAIN, FAN, ISOLATED };

static hw_graph *large(int shape)
{
    uint32_t n = shape == FAN ? LARGE / 2 : LARGE;
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint64_t v = 0; v < n; v++) {
        const uint64_t in = shape == FAN ? 0 : v - 1, out = v;
        hw_kind kind = shape == ISOLATED || (shape == FAN && v) ? HW_OUTPUT : HW_ACTIVATION;
        hw_node_spec spec = {.id = v,
                             .inputs = &in,
                             .n_inputs = shape != ISOLATED && v,
                             .outputs = &out,
                             .n_outputs = 1};
        assert_int_equal(hw_builder_tensor(b, out, 1 + v % 7, kind, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

static void try_large(int shape)
{
    static const char *const fast[] = {"level",          "dfs",       "random:n=1",
                                       "by-output",      "greedy",    "greedy-mixed",
                                       "greedy-reverse", "lookahead", "greedy-listing"};
    hw_graph *g = large(shape);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof fast / sizeof fast[0]; i++) {
        hw_answer answer = test_solve(m, fast[i]);
        assert_true(answer.has_order);
        if (answer.cpu_seconds > 8)
            fail_msg("%s took %.1f s", fast[i], answer.cpu_seconds);
        hw_answer_clear(&answer);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

static void large_chain(void **state)
{
    (void)state;
    try_large(CHAIN);
}

static void large_fan(void **state)
{
    (void)state;
    try_large(FAN);
}

static void large_isolated(void **state)
{
    (void)state;
    try_large(ISOLATED);
}

/* ---- The heap, against a plain array. ---- */

enum { ITEMS = 60 };

static void heap_is_a_sorted_list(void **state)
{
    (void)state;
    uint32_t position[ITEMS] = {0};
    hw_key key[ITEMS] = {0}; /* 0: not in the heap */
    uint64_t draw = 1;
    hw_heap h;
    assert_true(hw_heap_init(&h, ITEMS, position));
    for (int round = 0; round < 200000; round++) {
        uint32_t item = (uint32_t)draft_below(&draw, ITEMS), least = ITEMS, count = 0;
        hw_key fresh = (hw_key)(1 + draft_below(&draw, 50)) << 64 | item;
        for (uint32_t i = 0; i < ITEMS; i++) {
            count += key[i] != 0;
            if (key[i] && (least == ITEMS || key[i] < key[least]))
                least = i;
        }
        assert_int_equal(h.count, count);
        assert_true(hw_heap_holds(&h, item) == (key[item] != 0));
        if (key[item] == 0) {
            if (count && draft_below(&draw, 3) == 0) { /* take the top, put this one instead */
                assert_true(hw_heap_open(&h) == key[least]);
                key[least] = 0;
                hw_heap_fill(&h, fresh);
            } else {
                hw_heap_push(&h, fresh);
            }
            key[item] = fresh;
            continue;
        }
        assert_true(hw_heap_key(&h, item) == key[item]);
        if (draft_below(&draw, 4) == 0) {
            hw_heap_remove(&h, item);
            key[item] = 0;
        } else if (draft_below(&draw, 4) == 0) {
            assert_true(hw_heap_pop(&h) == key[least]);
            key[least] = 0;
        } else if (fresh < key[item]) {
            hw_heap_lower(&h, fresh);
            key[item] = fresh;
        } else {
            hw_heap_raise(&h, fresh);
            key[item] = fresh;
        }
    }
    hw_heap_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_legal),
        cmocka_unit_test(window_cases_are_legal),
        cmocka_unit_test(wide_windows_change_nothing),
        cmocka_unit_test(many_turned_away),
        cmocka_unit_test(answers_repeat),
        cmocka_unit_test(limits_stop),
        cmocka_unit_test(level_and_dfs_orders),
        cmocka_unit_test(level_goes_by_depth),
        cmocka_unit_test(longest_paths),
        cmocka_unit_test(by_output_orders),
        cmocka_unit_test(random_keeps_the_best),
        cmocka_unit_test(random_is_even),
        cmocka_unit_test(large_chain),
        cmocka_unit_test(large_fan),
        cmocka_unit_test(large_isolated),
        cmocka_unit_test(heap_is_a_sorted_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
