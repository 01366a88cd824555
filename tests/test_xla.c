/*
 * xla-list, xla-dfs, xla-postorder and xla-best against slow twins, order for
 * order, on random graphs rich in everything, and on shapes of adversaries.
 *
 * HW_XLA_GRAPHS graphs (3000) from seed HW_XLA_FIRST (0), each four ways; shapes
 * of HW_XLA_NODES nodes (200000).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_solve.h"
#include "support_xla.h"
#include "support_sanitized.h"

typedef void (*twin_function)(const hw_model *m, uint32_t *order, xla_twin_counts *counts);

static const struct {
    const char *name;
    twin_function twin;
} pairs[] = {
    {"xla-list", xla_twin_list}, {"xla-dfs", xla_twin_dfs}, {"xla-postorder", xla_twin_postorder}};

enum { N_PAIRS = sizeof pairs / sizeof pairs[0] };

/* Peaks of the three; xla-best takes the least, of equals the first. */
static void compare(const hw_model *m, uint64_t seed, xla_twin_counts *counts)
{
    hw_answer best = test_solve(m, "xla-best");
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < N_PAIRS; i++) {
        uint32_t order[DRAFT_NODES];
        hw_answer a = test_solve(m, pairs[i].name);
        assert_true(a.has_order);
        pairs[i].twin(m, order, counts);
        for (uint32_t k = 0; k < m->n_nodes; k++)
            if (order[k] != a.order[k])
                fail_msg("%s, seed %llu, %s: step %u runs node %u, not %u", pairs[i].name,
                         (unsigned long long)seed, hw_accounting_name(m->accounting), k, a.order[k],
                         order[k]);
        if (a.peak < least) {
            least = a.peak;
            assert_true(best.peak <= least);
            if (best.peak == least)
                assert_memory_equal(best.order, a.order, m->n_nodes * sizeof *a.order);
        }
        hw_answer_clear(&a);
    }
    assert_true(best.peak == least);
    hw_answer_clear(&best);
}

/* Sizes of one or two values, so that ties decide; now and then near the limit. */
static void level_sizes(draft *d, uint64_t seed)
{
    uint64_t state = seed;
    for (size_t i = 0; i < d->n_tensors; i++) {
        if (seed % 3 == 0)
            d->tensor[i].size = 1 + draft_below(&state, 2);
        else if (seed % 31 == 1)
            d->tensor[i].size = UINT64_MAX / 2 / DRAFT_TENSORS + draft_below(&state, 3);
    }
}

static void orders_are_those_of_the_twins(void **state)
{
    (void)state;
    const uint64_t first = environment_number("HW_XLA_FIRST", 0),
                   graphs = environment_number("HW_XLA_GRAPHS", FEWER(3000));
    xla_twin_counts counts = {0};
    uint64_t compared = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = NULL;
        draft *d = draft_random(seed, 1 + seed % 24, seed % 4 ? DRAW_ALL : DRAW_RICH);
        assert_non_null(d);
        level_sizes(d, seed);
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        free(d);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            if (m && m->legal) {
                compare(m, seed, &counts);
                compared++;
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# xla: %llu graphs, %llu models, %llu keys changed, %llu steps with several, "
                  "%llu stale, %llu held back\n",
                  (unsigned long long)graphs, (unsigned long long)compared,
                  (unsigned long long)counts.refreshed, (unsigned long long)counts.crowded,
                  (unsigned long long)counts.stale, (unsigned long long)counts.turned);
    if (graphs >= 1000)
        assert_true(counts.refreshed > 1000 && counts.crowded > 100 && counts.stale > 100 &&
                    counts.turned > 1000);
}

/*
 * Sources of one byte, each read by two or three of a few nodes, listed in any
 * order: a step leaves several values with one reader, and ties decide.
 */
static draft *crowded_draft(uint64_t seed)
{
    enum { SOURCES = 18, READERS = 9, DRAWS = 3 };
    uint64_t state = seed;
    draft *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->n_nodes = d->n_tensors = SOURCES + READERS;
    for (size_t v = 0; v < d->n_nodes; v++) {
        d->node[v] = (draft_node){.id = v, .n_outputs = 1, .output = {v}};
        d->tensor[v] = (draft_tensor){v, 1, v < SOURCES ? HW_ACTIVATION : HW_OUTPUT};
    }
    for (size_t draw = 0; draw < DRAWS * SOURCES; draw++) {
        draft_node *node = &d->node[SOURCES + draft_below(&state, READERS)];
        const uint64_t source = draw < 2 * SOURCES ? draw * 7 % SOURCES : draft_below(&state, 40);
        if (node->n_inputs < DRAFT_INPUTS && source < SOURCES)
            node->input[node->n_inputs++] = source;
    }
    return d;
}

static void crowds_keep_their_order(void **state)
{
    (void)state;
    xla_twin_counts counts = {0};
    for (uint64_t seed = 0; seed < FEWER(1000); seed++) {
        hw_graph *g = NULL;
        draft *d = crowded_draft(seed);
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        free(d);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        compare(m, seed, &counts);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(counts.crowded > FEWER(1000));
}

/* Limits: an order or none, never a part of one. */
static void limits_leave_whole_orders(void **state)
{
    (void)state;
    static const char *const solvers[] = {"xla-list", "xla-dfs", "xla-postorder", "xla-best"};
    for (uint64_t seed = 0; seed < 20; seed++) {
        hw_graph *g = draft_graph(seed, 20, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < 4; i++) {
            hw_answer whole = test_solve(m, solvers[i]);
            for (uint64_t limit = 1; limit <= whole.states; limit++) {
                hw_answer cut =
                    test_solve_with(m, solvers[i], (hw_request){.limits = {.states = limit}});
                assert_true(cut.states <= limit);
                assert_true(cut.limit_reached == (limit < whole.states));
                if (!cut.limit_reached)
                    assert_memory_equal(cut.order, whole.order, 20 * sizeof *cut.order);
                assert_true(!cut.has_order || cut.peak >= whole.peak);
                hw_answer_clear(&cut);
            }
            hw_answer_clear(&whole);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* ---- Shapes of adversaries, which a quadratic method would not survive. ---- */

typedef enum shape { PATH, ISOLATED, FAN, JOIN, FAN_OF_PAIRS, N_SHAPES } shape;

/*
 * FAN: all read what node 0 makes.  JOIN: the last reads what all others make.
 * FAN_OF_PAIRS: of three nodes one makes something that both others read, and
 * these read what node 0 makes as well.  So each first reader leaves a value
 * with one: going through all readers of its operands then is quadratic.
 */
static hw_graph *build_shape(shape s, uint32_t n)
{
    uint64_t *in = calloc(n, sizeof *in);
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_true(in && b);
    for (uint64_t v = 0; v < n; v++) {
        const bool paired = s == FAN_OF_PAIRS && v > 1 && v % 3 != 1;
        hw_node_spec spec = {.id = v, .inputs = in, .outputs = &v, .n_outputs = 1};
        if ((s == FAN && v) || paired)
            in[spec.n_inputs++] = 0;
        if ((s == PATH && v) || paired)
            in[spec.n_inputs++] = s == PATH || v % 3 == 2 ? v - 1 : v - 2;
        for (uint64_t u = 0; s == JOIN && v == n - 1 && u < v; u++)
            in[spec.n_inputs++] = u;
        hw_kind kind = s == ISOLATED || (s == FAN && v) || v == n - 1 ? HW_OUTPUT : HW_ACTIVATION;
        assert_int_equal(hw_builder_tensor(b, v, 1 + v % 7, kind, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    free(in);
    return g;
}

static void large_shapes_are_fast(void **state)
{
    (void)state;
    const uint32_t n = (uint32_t)environment_number("HW_XLA_NODES", 200000);
    for (int s = 0; s < N_SHAPES; s++) {
        hw_graph *g = build_shape((shape)s, n);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer answer = test_solve(m, "xla-best");
        assert_true(answer.has_order && !answer.limit_reached);
        print_message("# shape %d: %u nodes, %.2f s\n", s, n, answer.seconds);
        if (answer.cpu_seconds > 60)
            fail_msg("shape %d took %.1f s", s, answer.cpu_seconds);
        hw_answer_clear(&answer);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_those_of_the_twins),
        cmocka_unit_test(crowds_keep_their_order),
        cmocka_unit_test(limits_leave_whole_orders),
        cmocka_unit_test(large_shapes_are_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
