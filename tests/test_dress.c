/* Sizes and tensors of random families: laws, sharing, inputs, workspace,
 * views and in-place pairs (gen/dress.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "tests/support_generate.h"

enum { N = 20000 };

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

/* Share of tensors of lowest .. highest bytes. */
static double share(const hw_graph *g, uint64_t lowest, uint64_t highest)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        count += g->tensor_size[t] >= lowest && g->tensor_size[t] <= highest;
    return (double)count / g->n_tensors;
}

static void test_laws(void **state)
{
    (void)state;
    hw_graph *g = test_instance("tree:n=20000,sizes=constant,median=77", 0);
    assert_near(share(g, 77, 77), 1, 0);
    hw_graph_free(g);
    g = test_instance("tree:n=20000,low=5,high=24", 0);
    for (uint64_t size = 5; size <= 24; size++)
        assert_near(share(g, size, size), 0.05, 5 * sqrt(0.05 / N));
    hw_graph_free(g);
    g = test_instance("tree:n=20000,sizes=lognormal,median=1000,sigma=0.5", 0);
    assert_near(share(g, 0, 1000), 0.5, 0.02);
    assert_near(share(g, 0, 1649), 0.841, 0.02); /* one deviation: 1000 * exp(0.5) */
    hw_graph_free(g);
    g = test_instance("tree:n=20000,sizes=pareto,low=100,alpha=2", 0);
    assert_near(share(g, 100, UINT64_MAX), 1, 0);
    assert_near(share(g, 200, UINT64_MAX), 0.25, 0.02); /* (100 / 200)^2 */
    hw_graph_free(g);
    g = test_instance("tree:n=20000,sizes=bimodal,low=100,high=10000,mix=0.3,sigma=0.4", 0);
    assert_near(share(g, 60, 165), 0.7, 0.02);
    assert_near(share(g, 6000, 16500), 0.3, 0.02);
    hw_graph_free(g);
    g = test_instance("tree:n=20000,sizes=bimodal,low=100,high=10000,sigma=0", 0);
    assert_near(share(g, 100, 100) + share(g, 10000, 10000), 1, 0);
    hw_graph_free(g);
    g = test_instance("tree:n=20000,sizes=pareto,alpha=0.1", 0); /* capped at 2^40 */
    assert_true(share(g, UINT64_C(1) << 40, UINT64_C(1) << 40) > 0);
    assert_near(share(g, 1, UINT64_C(1) << 40), 1, 0);
    hw_graph_free(g);
    g = test_instance("tree:n=20000,low=1099511627776,high=1099511627776", 0);
    assert_near(share(g, UINT64_C(1) << 40, UINT64_C(1) << 40), 1, 0);
    hw_graph_free(g);
}

static void count_consumers(const hw_graph *g, uint32_t *consumers)
{
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        consumers[g->inputs.item[i]]++;
}

static uint32_t count_kind(const hw_graph *g, hw_kind kind)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        count += g->tensor_kind[t] == kind;
    return count;
}

static void test_sharing(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=1000,degree=3", 0);
    assert_int_equal(g->n_tensors, 1000);
    assert_int_equal(g->inputs.offset[1000], g->n_edges);
    assert_int_equal(count_kind(g, HW_OUTPUT), count_sinks(g));
    hw_graph_free(g);

    g = test_instance("erdos:n=1000,degree=3,share=no", 0);
    assert_int_equal(g->n_tensors, g->n_edges + count_sinks(g));
    uint32_t *consumers = HW_NEW0(uint32_t, g->n_tensors);
    assert_non_null(consumers);
    count_consumers(g, consumers);
    for (uint32_t t = 0; t < g->n_tensors; t++)
        assert_int_equal(consumers[t], g->tensor_kind[t] != HW_OUTPUT);
    free(consumers);
    hw_graph_free(g);

    g = test_instance("erdos:n=1000,degree=3,outputs=discarded", 0);
    assert_int_equal(count_kind(g, HW_ACTIVATION), 1000);
    hw_graph_free(g);
}

static void test_inputs(void **state)
{
    (void)state;
    static const char *const spec[] = {"erdos:n=1000,inputs=none", "erdos:n=1000,inputs=own",
                                       "erdos:n=1000,inputs=shared"};
    for (unsigned k = 0; k < 3; k++) {
        hw_graph *g = test_instance(spec[k], 0);
        uint32_t sources = count_sources(g), without = 0;
        assert_true(sources > 10);
        assert_int_equal(count_kind(g, HW_INPUT), k == 0 ? 0 : k == 1 ? sources : 1);
        for (uint32_t v = 0; v < 1000; v++)
            without += g->inputs.offset[v] == g->inputs.offset[v + 1];
        assert_int_equal(without, k == 0 ? sources : 0);
        hw_graph_free(g);
    }
}

static void test_extras(void **state)
{
    (void)state;
    hw_graph *g = test_instance(
        "layered:n=20000,workspace=0.3,workspace-sizes=constant,inplace=0.25,views=0.2,share=no",
        0);
    uint32_t workspace = 0, pairs = 0, views = 0, readers = 0;
    for (uint32_t v = 0; v < N; v++) {
        bool view = g->node_flags[v] & HW_NODE_VIEW;
        uint32_t own = g->inplace_offset[v + 1] - g->inplace_offset[v];
        assert_true(own <= 1 && !(own && view));
        workspace += hw_node_workspace(g, v) == 20;
        assert_true(hw_node_workspace(g, v) == 20 || hw_node_workspace(g, v) == 0);
        readers += count_preds(g, v) > 0;
        pairs += own;
        views += view;
        for (uint32_t i = g->outputs.offset[v]; view && i < g->outputs.offset[v + 1]; i++)
            assert_int_equal(g->tensor_size[g->outputs.item[i]],
                             g->tensor_size[g->inputs.item[g->inputs.offset[v]]]);
    }
    assert_near(workspace, 0.3 * N, 5 * sqrt(0.21 * N));
    assert_near(views, 0.2 * readers, 5 * sqrt(0.16 * N));
    assert_near(pairs, 0.8 * 0.25 * readers, 5 * sqrt(0.16 * N));
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_extras),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
