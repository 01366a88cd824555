/*
 * tflite-tools: equal to `dp` on random graphs rich in everything, to the
 * recursion of the paper on graphs that the paper knows; honest under limits.
 *
 * HW_TFLITE_GRAPHS graphs (3000) from seed HW_TFLITE_FIRST (0), each four ways.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "model/builder.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_lines.h"
#include "support_solve.h"
#include "support_sanitized.h"

static void equals_dp(void **state)
{
    (void)state;
    const uint64_t first = environment_number("HW_TFLITE_FIRST", 0),
                   graphs = environment_number("HW_TFLITE_GRAPHS", FEWER(3000));
    uint64_t models = 0, windows = 0, reuse = 0, illegal = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = draft_graph(seed, seed % 14, seed % 3 ? DRAW_ALL : DRAW_RICH);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            if (!m)
                continue;
            hw_answer a = test_solve(m, "tflite-tools"), b = test_solve(m, "dp");
            if (a.status != b.status || a.has_order != b.has_order || a.peak != b.peak)
                fail_msg("seed %llu, way %d: %s %llu, dp says %s %llu", (unsigned long long)seed,
                         way, hw_status_name(a.status), (unsigned long long)a.peak,
                         hw_status_name(b.status), (unsigned long long)b.peak);
            assert_true(!a.limit_reached);
            models++;
            illegal += !m->legal;
            windows += m->earliest && m->legal;
            reuse += m->reuse_offset != NULL;
            hw_answer_clear(&a);
            hw_answer_clear(&b);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# tflite: %llu graphs, %llu models, %llu with windows, %llu with reuse, %llu "
                  "without a legal order\n",
                  (unsigned long long)graphs, (unsigned long long)models,
                  (unsigned long long)windows, (unsigned long long)reuse,
                  (unsigned long long)illegal);
    if (graphs >= 1000)
        assert_true(windows > 500 && reuse > 500);
}

/* ---- The recursion as printed, over sets of tensors, nothing kept. ---- */

enum { MOST_TENSORS = 40 };

typedef struct printed {
    uint32_t n_tensors;
    uint64_t size[MOST_TENSORS], inputs[MOST_TENSORS]; /* of the producer, as a set */
    uint64_t ancestors[MOST_TENSORS];
    bool given[MOST_TENSORS]; /* no producer */
} printed;

static uint64_t bytes_of(const printed *p, uint64_t set)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < p->n_tensors; t++)
        sum += set >> t & 1 ? p->size[t] : 0;
    return sum;
}

/* NOLINTNEXTLINE(misc-no-recursion): the rule as it is printed */
static uint64_t mem(const printed *p, uint64_t set)
{
    uint64_t given = 0, least = UINT64_MAX, needed = 0;
    for (uint32_t t = 0; t < p->n_tensors; t++) {
        given |= set >> t & 1 && p->given[t] ? UINT64_C(1) << t : 0;
        needed |= set >> t & 1 ? p->ancestors[t] : 0;
    }
    if (given)
        return bytes_of(p, given) + mem(p, set & ~given);
    if (!set)
        return 0;
    for (uint32_t t = 0; t < p->n_tensors; t++) {
        const uint64_t own = UINT64_C(1) << t;
        if (!(set & own) || needed & own)
            continue;
        const uint64_t before = (set & ~own) | p->inputs[t];
        const uint64_t first = mem(p, before), step = bytes_of(p, before | own);
        const uint64_t peak = first > step ? first : step;
        least = peak < least ? peak : least;
    }
    return least;
}

/*
 * One output a node, every node leads to an output; an input is read by one
 * node, or with `shared` by several.  Tensors 0 .. n - 1 are those of the nodes.
 */
static draft *tool_draft(uint64_t seed, size_t n, bool shared)
{
    uint64_t state = seed;
    draft *d = calloc(1, sizeof *d);
    bool consumed[DRAFT_NODES] = {false};
    assert_non_null(d);
    d->n_nodes = n;
    d->n_tensors = n;
    for (size_t v = 0; v < n; v++) {
        draft_node *node = &d->node[v];
        *node = (draft_node){.id = v, .n_outputs = 1, .output = {v}};
        for (size_t u = 0; u < v && node->n_inputs < 4; u++)
            if (draft_below(&state, v) < 2) {
                node->input[node->n_inputs++] = u;
                consumed[u] = true;
            }
        if (draft_below(&state, 3) == 0)
            node->input[node->n_inputs++] = d->n_tensors++;
        else if (shared && d->n_tensors > n && draft_below(&state, 2))
            node->input[node->n_inputs++] = d->n_tensors - 1;
    }
    for (size_t t = 0; t < d->n_tensors; t++) {
        hw_kind kind = t >= n ? HW_INPUT : consumed[t] ? HW_ACTIVATION : HW_OUTPUT;
        if (t < n && draft_below(&state, 6) == 0)
            kind = HW_OUTPUT;
        d->tensor[t] = (draft_tensor){.id = t, .size = draft_below(&state, 10), .kind = kind};
    }
    return d;
}

static uint64_t printed_peak(const draft *d)
{
    printed p = {.n_tensors = (uint32_t)d->n_tensors};
    uint64_t outputs = 0;
    for (size_t t = 0; t < d->n_tensors; t++) {
        p.size[t] = d->tensor[t].size;
        p.given[t] = t >= d->n_nodes;
        outputs |= d->tensor[t].kind == HW_OUTPUT ? UINT64_C(1) << t : 0;
    }
    for (size_t v = 0; v < d->n_nodes; v++) /* in topological order */
        for (size_t i = 0; i < d->node[v].n_inputs; i++) {
            const uint64_t t = d->node[v].input[i];
            p.inputs[v] |= UINT64_C(1) << t;
            p.ancestors[v] |= UINT64_C(1) << t | p.ancestors[t];
        }
    return mem(&p, outputs);
}

static void equals_the_printed_recursion(void **state)
{
    (void)state;
    uint32_t twice = 0;
    for (uint64_t seed = 0; seed < FEWER(1000); seed++) {
        const bool shared = seed % 4 == 0;
        draft *d = tool_draft(seed, 1 + seed % 8, shared);
        hw_graph *g = NULL;
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer a = test_solve(m, "tflite-tools");
        const uint64_t told = printed_peak(d);
        /* There an input may be counted once more for each further reader. */
        if (shared ? a.peak > told : a.peak != told)
            fail_msg("seed %llu: %llu, as printed %llu", (unsigned long long)seed,
                     (unsigned long long)a.peak, (unsigned long long)told);
        twice += a.peak < told;
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    assert_true(twice > FEWER(20));
}

/*
 * An input of 5 read by two nodes in a row: it lives through both steps and is
 * 5 of 5 + 1, then of 5 + 1 + 1.  As printed it comes twice: 5 + (5 + 1).
 */
static void shared_inputs_count_once(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 5 i; t 1 1 a; t 2 1 o; v 0 0 > 1; v 1 0,1 > 2");
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "tflite-tools");
    assert_int_equal(a.peak, 7);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
    const printed p = {.n_tensors = 3,
                       .size = {5, 1, 1},
                       .inputs = {0, 1, 3},
                       .ancestors = {0, 1, 3},
                       .given = {true}};
    assert_int_equal(mem(&p, 4), 11);
}

/* ---- Limits, budgets, depth. ---- */

static void limits_are_honest(void **state)
{
    (void)state;
    uint32_t cut_short = 0, with_order = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        hw_graph *g = draft_graph(seed, 14, DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        hw_answer whole = test_solve(m, "tflite-tools");
        uint64_t before = UINT64_MAX;
        for (uint64_t limit = 1; limit <= 2 * whole.states; limit += 1 + limit / 2) {
            hw_answer a =
                test_solve_with(m, "tflite-tools", (hw_request){.limits = {.states = limit}});
            assert_true(a.states <= limit);
            assert_true(a.limit_reached || a.status == HW_OPTIMAL);
            assert_true(limit > whole.states ? !a.limit_reached : true);
            assert_true(!a.has_order || (a.peak >= whole.peak && a.peak <= before));
            assert_true(a.has_order || limit <= m->n_nodes);
            before = a.has_order ? a.peak : before;
            cut_short += a.limit_reached;
            with_order += a.limit_reached && a.has_order;
            hw_answer_clear(&a);
        }
        hw_answer_clear(&whole);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(cut_short > 100 && with_order > 50);
}

static void memory_is_kept(void **state)
{
    (void)state;
    hw_graph *g = draft_graph(3, 40, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    uint64_t before = 0;
    for (uint64_t bytes = 1 << 12; bytes <= 1 << 18; bytes *= 2) {
        hw_answer a =
            test_solve_with(m, "tflite-tools", (hw_request){.limits = {.memory_bytes = bytes}});
        assert_true(a.limit_reached && a.status != HW_INFEASIBLE);
        assert_true(a.states >= before && a.states <= bytes / 20);
        before = a.states;
        hw_answer_clear(&a);
    }
    assert_true(before > 1000);
    hw_model_free(m);
    hw_graph_free(g);
}

static void budgets_end_it(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        hw_graph *g = draft_graph(seed, 10, DRAW_RICH);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer best = test_solve(m, "tflite-tools");
        hw_request request = {.has_budget = true, .budget_bytes = best.peak};
        hw_answer fits = test_solve_with(m, "tflite-tools", request);
        assert_true(fits.has_order && fits.peak == best.peak && fits.states <= best.states);
        if (best.peak) {
            request.budget_bytes = best.peak - 1;
            hw_answer none = test_solve_with(m, "tflite-tools", request);
            assert_int_equal(none.status, HW_INFEASIBLE);
            hw_answer_clear(&none);
        }
        hw_answer_clear(&best);
        hw_answer_clear(&fits);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* As many states as there are down-sets but the empty one: nothing is pruned. */
static void solves_every_down_set_once(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 10, DRAW_RICH);
        hw_model *m = test_model(g, HW_FREE_FIRST, false);
        hw_answer a = test_solve(m, "tflite-tools");
        uint64_t sets = 0;
        for (uint32_t set = 1; set < UINT32_C(1) << g->n_nodes; set++) {
            bool closed = true;
            for (uint32_t v = 0; v < g->n_nodes; v++)
                for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
                    closed = closed && (!(set >> v & 1) || set >> g->preds.item[i] & 1);
            sets += closed;
        }
        assert_true(a.states == sets);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* A path is as deep as it is long. */
static void depth_needs_no_recursion(void **state)
{
    (void)state;
    const uint64_t n = 10000;
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint64_t v = 0; v < n; v++) {
        const uint64_t in = v - 1;
        hw_node_spec spec = {
            .id = v, .inputs = &in, .n_inputs = v > 0, .outputs = &v, .n_outputs = 1};
        assert_int_equal(
            hw_builder_tensor(b, v, 3, v + 1 < n ? HW_ACTIVATION : HW_OUTPUT, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "tflite-tools");
    assert_true(a.status == HW_OPTIMAL && a.peak == 6 && a.states == n);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_dp),
        cmocka_unit_test(equals_the_printed_recursion),
        cmocka_unit_test(shared_inputs_count_once),
        cmocka_unit_test(limits_are_honest),
        cmocka_unit_test(memory_is_kept),
        cmocka_unit_test(budgets_end_it),
        cmocka_unit_test(solves_every_down_set_once),
        cmocka_unit_test(depth_needs_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
