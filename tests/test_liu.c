/*
 * liu: optimal on every forest it takes, against `exact` and against the
 * definitions; what it refuses, and why; shapes with a known optimum.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "support_exact.h"
#include "support_forest.h"
#include "support_lines.h"
#include "support_random.h"
#include "support_solve.h"
#include "support_sanitized.h"

static const unsigned every_feature = DRAW_RICH & ~(unsigned)DRAW_LOCKS;

static hw_code ask(const hw_model *m, hw_answer *answer, hw_error *err)
{
    const hw_request request = {0};
    return hw_solve(m, hw_solver_find("liu", 3), &request, answer, err);
}

static hw_graph *forest_graph(uint64_t seed, size_t nodes, forest_kind kind, unsigned features)
{
    hw_graph *g = NULL;
    hw_error err;
    draft *d = draft_forest(seed, nodes, kind, features);
    assert_non_null(d);
    if (draft_build(d, &g, &err) != HW_OK)
        fail_msg("forest %llu: %s", (unsigned long long)seed, err.message);
    free(d);
    return g;
}

/* Taken if and only if it is a forest; then optimal.  True: taken. */
static bool check(const hw_graph *g, int way, bool by_definition)
{
    hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
    hw_answer answer;
    hw_error err;
    if (!m)
        return false;
    bool forest = defined_forest(m);
    hw_code code = ask(m, &answer, &err);
    if (forest ? code != HW_OK : m->legal && code != HW_USAGE)
        fail_msg("%s: %s", forest ? "a forest" : "no forest", code ? err.message : "taken");
    if (forest) {
        assert_int_equal(answer.status, HW_OPTIMAL);
        uint64_t optimum;
        if (by_definition) {
            optimum = defined_optimum(g, way % 2, way >= 2);
        } else {
            hw_answer proven = test_solve(m, "exact");
            assert_int_equal(proven.status, HW_OPTIMAL);
            optimum = proven.peak;
            hw_answer_clear(&proven);
        }
        if (answer.peak != optimum)
            fail_msg("liu %llu, optimum %llu", (unsigned long long)answer.peak,
                     (unsigned long long)optimum);
    }
    if (code == HW_OK)
        hw_answer_clear(&answer);
    hw_model_free(m);
    return forest;
}

/* In-trees of every tensor one consumer, then trees and forests with everything. */
static void optimal_on_in_trees(void **unused)
{
    (void)unused;
    uint64_t trees = environment_number("HW_LIU_TREES", FEWER(10000));
    uint64_t first = environment_number("HW_LIU_FIRST", 0);
    for (uint64_t i = first; i < first + trees; i++) {
        hw_graph *g = forest_graph(i, 4 + i % 21, FOREST_IN, i % 2 ? DRAW_PLAIN : DRAW_WORKSPACE);
        assert_true(check(g, (int)(i / 2 % 2), false));
        hw_graph_free(g);
    }
}

static void optimal_on_forests(void **unused)
{
    (void)unused;
    uint64_t forests = environment_number("HW_LIU_FORESTS", FEWER(6000));
    uint64_t first = environment_number("HW_LIU_FIRST", 0), taken = 0;
    for (uint64_t i = first; i < first + forests; i++) {
        hw_graph *g = forest_graph(i, i % 10, (forest_kind)(i % 3), every_feature);
        taken += check(g, (int)(i % 4), true);
        hw_graph_free(g);
    }
    for (uint64_t i = first; i < first + forests / 10; i++) {
        hw_graph *g = forest_graph(i + (UINT64_C(1) << 32), 10 + i % 40, (forest_kind)(i % 3),
                                   every_feature & ~(unsigned)DRAW_INPLACE);
        taken += check(g, (int)(i % 4), false);
        hw_graph_free(g);
    }
    print_message("# liu: %llu graphs, %llu taken\n", (unsigned long long)(forests + forests / 10),
                  (unsigned long long)taken);
    assert_true(taken > forests * 9 / 10);
}

/* The same forests in larger units, so large that all bytes together just fit. */
static void units_do_not_matter(void **unused)
{
    (void)unused;
    for (uint64_t i = 0; i < 1000; i++) {
        draft *d = draft_forest(i, 1 + i % 30, (forest_kind)(i % 3), every_feature);
        hw_graph *small = NULL, *large = NULL;
        assert_non_null(d);
        assert_int_equal(draft_build(d, &small, NULL), HW_OK);
        uint64_t sum = 1, most = 1;
        for (size_t t = 0; t < d->n_tensors; t++) {
            sum += d->tensor[t].size;
            most = d->tensor[t].size > most ? d->tensor[t].size : most;
        }
        for (size_t v = 0; v < d->n_nodes; v++) {
            sum += d->node[v].workspace;
            most = d->node[v].workspace > most ? d->node[v].workspace : most;
        }
        uint64_t unit = UINT64_MAX / sum < INT64_MAX / most ? UINT64_MAX / sum : INT64_MAX / most;
        for (size_t t = 0; t < d->n_tensors; t++)
            d->tensor[t].size *= unit;
        for (size_t v = 0; v < d->n_nodes; v++)
            d->node[v].workspace *= unit;
        assert_int_equal(draft_build(d, &large, NULL), HW_OK);
        hw_model *a = lines_model(small, (hw_accounting)(i % 2), false);
        hw_model *b = lines_model(large, (hw_accounting)(i % 2), false);
        if (defined_forest(a)) {
            hw_answer x = test_solve(a, "liu"), y = test_solve(b, "liu");
            assert_true(y.status == HW_OPTIMAL && y.peak == x.peak * unit);
            assert_memory_equal(x.order, y.order, a->n_nodes * sizeof *x.order);
            hw_answer_clear(&x);
            hw_answer_clear(&y);
        }
        hw_model_free(a);
        hw_model_free(b);
        hw_graph_free(small);
        hw_graph_free(large);
        free(d);
    }
}

/* Small graphs of all kinds: which are forests is defined by all paths. */
static void takes_forests_only(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_LIU_FORESTS", FEWER(6000)), taken = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        hw_graph *g = draft_graph(i, i % 8, i % 2 ? DRAW_ALL : DRAW_PLAIN);
        assert_non_null(g);
        taken += check(g, (int)(i % 4), true);
        hw_graph_free(g);
    }
    assert_true(taken > graphs / 20 && taken < graphs * 19 / 20);
}

static void refused(const char *lines, const char *message)
{
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_answer answer;
    hw_error err = {0};
    assert_int_equal(ask(m, &answer, &err), HW_USAGE);
    if (!strstr(err.message, message))
        fail_msg("%s", err.message);
    hw_model_free(m);
    hw_graph_free(g);
}

static void says_why_not(void **unused)
{
    (void)unused;
    refused("t 7 1 a; v 3 - > 7; v 4 7 > -; v 5 7 > -",
            "tensor 7 is read by nodes 4 and 5, either of which may be the last");
    refused("t 7 1 i; v 4 7 > -; v 5 7 > -",
            "tensor 7 is read by nodes 4 and 5, either of which may be the last");
    refused("t 7 1 a; t 8 1 a; v 3 - > 7; v 4 7 > -; v 5 7 > 8; v 6 7,8 > -", /* 5 is never last */
            "tensor 7 is read by nodes 4 and 6, either of which may be the last");
    refused("t 0 1 a; t 1 1 a; t 2 1 a; t 3 1 a; v 5 - > 0,1; v 6 0 > 2; v 7 1 > 3; v 8 2,3 > -",
            "node 5 leads to two nodes that do not need each other, and node 8 of the same");
    refused("t 0 1 o; t 1 1 o; v 5 - > 0; v 6 - > 1 window=0", "no windows, but node 6 has one");
}

static uint64_t bytes(const hw_graph *g, hw_accounting accounting, const char *solver)
{
    hw_model *m = lines_model(g, accounting, false);
    hw_answer answer = test_solve(m, solver);
    assert_true(answer.has_order);
    uint64_t peak = answer.peak;
    hw_answer_clear(&answer);
    hw_model_free(m);
    return peak;
}

static void small_cases_are_right(void **unused)
{
    (void)unused;
    /* A window that leaves out nothing; views and inputs read along a branch. */
    hw_graph *g = lines_graph("t 0 9 i; t 1 4 a; t 2 4 a; t 3 2 o; v 0 0 > 1 window=2; "
                              "v 1 1 > 2 view; v 2 0,2 > 3");
    assert_int_equal(bytes(g, HW_ALLOC_FIRST, "liu"), 15);
    assert_int_equal(bytes(g, HW_FREE_FIRST, "liu"), 13);
    hw_graph_free(g);
    /* The tree that falls goes first, though the other climbs less. */
    g = lines_graph("t 0 10 i; t 1 1 o; t 2 3 a; t 3 0 o; v 0 - > 1; v 1 - > 2; v 2 0,2 > 3");
    assert_int_equal(bytes(g, HW_ALLOC_FIRST, "liu"), 13);
    hw_graph_free(g);
    /* Bytes near 2^63, of which two can be together. */
    g = lines_graph("t 0 9223372036854775807 a; t 1 9223372036854775807 a; t 2 1 a; v 0 - > 0; "
                    "v 1 0 > 2; v 2 - > 1; v 3 1,2 > -");
    assert_true(bytes(g, HW_ALLOC_FIRST, "liu") == UINT64_C(9223372036854775808));
    hw_graph_free(g);
}

static void limits_and_budgets_hold(void **unused)
{
    (void)unused;
    hw_graph *g = forest_graph(3, 40, FOREST_IN, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer cut = test_solve_with(m, "liu", (hw_request){.limits = {.states = 39}});
    assert_true(cut.limit_reached && !cut.has_order && cut.states == 39);
    assert_int_equal(cut.status, HW_UNKNOWN);
    hw_answer whole = test_solve_with(m, "liu", (hw_request){.limits = {.states = 40}});
    assert_true(!whole.limit_reached && whole.status == HW_OPTIMAL);
    hw_request below = {.has_budget = true, .budget_bytes = whole.peak - 1};
    hw_answer none = test_solve_with(m, "liu", below);
    assert_int_equal(none.status, HW_INFEASIBLE);
    hw_answer_clear(&cut);
    hw_answer_clear(&whole);
    hw_answer_clear(&none);
    hw_model_free(m);
    hw_graph_free(g);
}

typedef uint32_t (*parent_function)(uint32_t n, uint32_t v); /* n: none */

/*
 * A forest of n nodes in which one tensor of 1 byte leads from each node to its
 * parent, and from a root to the outside; the mirror image if `out`.
 */
static hw_graph *unit_forest(uint32_t n, parent_function parent, bool out)
{
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    uint64_t *child = malloc(n * sizeof *child);
    uint32_t *first = calloc((size_t)n + 2, sizeof *first);
    assert_true(b && child && first);
    for (uint32_t v = 0; v < n; v++) {
        bool root = parent(n, v) == n;
        hw_kind kind = !root ? HW_ACTIVATION : out ? HW_INPUT : HW_OUTPUT;
        assert_int_equal(hw_builder_tensor(b, v, 1, kind, NULL, NULL), HW_OK);
        if (!root)
            first[parent(n, v) + 2]++;
    }
    for (uint32_t v = 2; v <= n; v++)
        first[v] += first[v - 1];
    for (uint32_t v = 0; v < n; v++)
        if (parent(n, v) < n)
            child[first[parent(n, v) + 1]++] = v;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t *children = child + first[v];
        size_t count = first[v + 1] - first[v];
        hw_node_spec spec = {.id = v,
                             .inputs = out ? &v : children,
                             .n_inputs = out ? 1 : count,
                             .outputs = out ? children : &v,
                             .n_outputs = out ? count : 1};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    free(child);
    free(first);
    return g;
}

static uint32_t along_path(uint32_t n, uint32_t v)
{
    (void)n;
    return v + 1;
}

static uint32_t into_star(uint32_t n, uint32_t v)
{
    return v < n - 1 ? n - 1 : n;
}

static uint32_t to_nobody(uint32_t n, uint32_t v)
{
    (void)v;
    return n;
}

/* Leaves are even, the spine odd. */
static uint32_t into_caterpillar(uint32_t n, uint32_t v)
{
    uint32_t p = v % 2 ? v + 2 : v + 1;
    return p < n ? p : n;
}

/* Heap numbering from the end: the root is last. */
static uint32_t into_binary(uint32_t n, uint32_t v)
{
    uint32_t k = n - 1 - v;
    return k ? n - 1 - (k - 1) / 2 : n;
}

/* HW_LIU_LEVELS=20: a million nodes. */
static void large_shapes_have_known_optima(void **unused)
{
    (void)unused;
    const uint32_t levels = (uint32_t)environment_number("HW_LIU_LEVELS", 15);
    const uint32_t n = (UINT32_C(1) << levels) - 1;
    const struct {
        parent_function parent;
        uint64_t peak[2];
    } shapes[] = {
        {along_path, {2, 1}},
        {into_star, {n, n - 1}},
        {to_nobody, {n, n}},
        {into_caterpillar, {3, 2}},
        {into_binary, {levels + 1, levels}}, /* one more a level: Strahler's number */
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int out = 0; out < 2; out++) {
            hw_graph *g = unit_forest(n, shapes[i].parent, out);
            for (int a = 0; a < 2; a++) {
                uint64_t peak = bytes(g, (hw_accounting)a, "liu");
                if (peak != shapes[i].peak[a])
                    fail_msg("shape %zu, %s, %s: %llu", i, out ? "out" : "in",
                             hw_accounting_name((hw_accounting)a), (unsigned long long)peak);
                /* With equal sizes a post-order is best (Sethi and Ullman 1970). */
                assert_true(bytes(g, (hw_accounting)a, "best-postorder") == peak);
            }
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases_are_right),   cmocka_unit_test(says_why_not),
        cmocka_unit_test(limits_and_budgets_hold), cmocka_unit_test(large_shapes_have_known_optima),
        cmocka_unit_test(units_do_not_matter),     cmocka_unit_test(takes_forests_only),
        cmocka_unit_test(optimal_on_forests),      cmocka_unit_test(optimal_on_in_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
