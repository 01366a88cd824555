/* `enumerate` counts the orders of posets whose counts are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "model/builder.h"
#include "support_solve.h"

/* n nodes that make one kept output of 1 byte each; edges are control edges. */
static hw_graph *poset(uint32_t n, const uint32_t (*edge)[2], size_t n_edges)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    assert_non_null(b);
    for (uint64_t v = 0; v < n; v++) {
        hw_node_spec spec = {.id = v, .outputs = &v, .n_outputs = 1};
        assert_int_equal(hw_builder_tensor(b, v, 1, HW_OUTPUT, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    for (size_t i = 0; i < n_edges; i++)
        assert_int_equal(hw_builder_control(b, edge[i][0], edge[i][1], NULL), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

/* Releases g. */
static void check_count(hw_graph *g, uint64_t orders)
{
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, false);
        hw_answer all = test_solve(m, "enumerate:prune=no"), pruned = test_solve(m, "enumerate");
        assert_int_equal(all.status, HW_OPTIMAL);
        assert_true(all.has_orders);
        assert_int_equal(all.orders, orders);
        assert_int_equal(all.peak, m->live_full);
        assert_int_equal(pruned.status, HW_OPTIMAL);
        assert_true(pruned.states <= all.states && pruned.orders <= all.orders);
        hw_answer_clear(&all);
        hw_answer_clear(&pruned);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

static void antichains_have_n_factorial(void **state)
{
    (void)state;
    uint64_t factorial = 1;
    for (uint32_t n = 1; n <= 9; n++) {
        factorial *= n;
        check_count(poset(n, NULL, 0), factorial);
    }
}

static void chains_have_one(void **state)
{
    (void)state;
    uint32_t edge[64][2];
    for (uint32_t n = 1; n <= 64; n += 9) {
        for (uint32_t v = 1; v < n; v++) {
            edge[v - 1][0] = v - 1;
            edge[v - 1][1] = v;
        }
        check_count(poset(n, (const uint32_t(*)[2])edge, n - 1), 1);
    }
}

static void grids_of_two_rows_have_catalan(void **state)
{
    (void)state;
    static const uint64_t catalan[] = {1, 1, 2, 5, 14, 42, 132, 429, 1430};
    uint32_t edge[64][2];
    for (uint32_t n = 1; n <= 8; n++) { /* rows 0 .. n-1 and n .. 2n-1 */
        size_t count = 0;
        for (uint32_t v = 0; v < n; v++) {
            for (uint32_t row = 0; v && row < 2; row++, count++) {
                edge[count][0] = row * n + v - 1;
                edge[count][1] = row * n + v;
            }
            edge[count][0] = v;
            edge[count++][1] = n + v;
        }
        check_count(poset(2 * n, (const uint32_t(*)[2])edge, count), catalan[n]);
    }
}

/* A node that waits for more than three others: the walk with all bit planes. */
static void wide_joins_are_counted(void **state)
{
    (void)state;
    uint32_t edge[6][2];
    for (uint32_t v = 0; v < 6; v++) {
        edge[v][0] = v;
        edge[v][1] = 6;
    }
    check_count(poset(7, (const uint32_t(*)[2])edge, 6), 720);
}

static void stops_on_request(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    hw_graph *g = poset(40, NULL, 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve_with(m, "enumerate:prune=no", (hw_request){.stop = &stop});
    assert_true(a.limit_reached && a.has_order);
    hw_answer_clear(&a);
    a = test_solve_with(m, "enumerate:prune=no", (hw_request){.limits = {.seconds = 0.05}});
    assert_true(a.limit_reached && a.has_order && a.seconds < 5);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

static void more_than_64_nodes_are_refused(void **state)
{
    (void)state;
    hw_graph *g = poset(65, NULL, 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_answer answer;
    assert_int_equal(hw_solver_parse("enumerate", &row, values, &err), HW_OK);
    hw_request request = {.params = values};
    assert_int_equal(hw_solve(m, row, &request, &answer, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "64"));
    hw_answer_clear(&answer);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(antichains_have_n_factorial),
        cmocka_unit_test(chains_have_one),
        cmocka_unit_test(grids_of_two_rows_have_catalan),
        cmocka_unit_test(wide_joins_are_counted),
        cmocka_unit_test(stops_on_request),
        cmocka_unit_test(more_than_64_nodes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
