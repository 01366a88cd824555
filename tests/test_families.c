/* The shape of each family: counts, degrees, reach, and what its name says. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "tests/support_generate.h"
#include "tests/support_series_parallel.h"

/* Edges of instances 0 .. count-1, together. */
static double sum_edges(const char *spec, uint64_t count)
{
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        hw_graph *g = test_instance(spec, i);
        sum += g->n_edges;
        hw_graph_free(g);
    }
    return sum;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

static uint32_t longest_edge(const hw_graph *g)
{
    uint32_t longest = 0;
    for (uint32_t u = 0; u < g->n_nodes; u++)
        for (uint32_t i = g->succs.offset[u]; i < g->succs.offset[u + 1]; i++)
            if (g->succs.item[i] - u > longest)
                longest = g->succs.item[i] - u;
    return longest;
}

/* Binomial counts within five deviations; every pair equally often. */
static void test_erdos(void **state)
{
    (void)state;
    assert_near(sum_edges("erdos:n=100,degree=3", 100), 30000, 5 * sqrt(30000 * (1 - 6.0 / 99)));
    assert_near(sum_edges("erdos:n=40,p=0.3", 100), 23400, 5 * sqrt(23400 * 0.7));
    assert_near(sum_edges("erdos:n=200,degree=2.5,span=9", 50), 25000, 5 * sqrt(25000 * 0.72));
    unsigned count[5][5] = {{0}};
    for (uint64_t i = 0; i < 2000; i++) {
        hw_graph *g = test_instance("erdos:n=5,p=0.4", i);
        for (uint32_t v = 1; v < 5; v++)
            for (uint32_t u = 0; u < v; u++)
                count[u][v] += has_edge(g, u, v);
        hw_graph_free(g);
    }
    for (uint32_t v = 1; v < 5; v++)
        for (uint32_t u = 0; u < v; u++)
            assert_near(count[u][v], 800, 5 * sqrt(800 * 0.6));
    hw_graph *g = test_instance("erdos:n=5000,degree=2.5,span=100", 0);
    assert_int_equal(longest_edge(g), 100);
    hw_graph_free(g);
    g = test_instance("erdos:n=50,degree=0", 0);
    assert_int_equal(g->n_edges, 0);
    hw_graph_free(g);
}

static void test_layered(void **state)
{
    (void)state;
    hw_graph *g = test_instance("layered:n=10000,width=10,degree=2.5,skip=3", 0);
    assert_int_equal(g->n_nodes, 10000);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        bool near = v < 10;
        assert_int_equal(count_preds(g, v) == 0, v < 10);
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++) {
            uint32_t layers = v / 10 - g->preds.item[i] / 10;
            assert_in_range(layers, 1, 3);
            near |= layers == 1;
        }
        assert_true(near);
    }
    /* 9 or 19 or 29 further candidates with the mean 1.5 */
    assert_near(g->n_edges, 9990 * 2.5, 5 * sqrt(9990 * 1.5));
    hw_graph_free(g);

    g = test_instance("layered:n=1000,width=5,p=0.05,skip=5", 0); /* p alone would miss */
    for (uint32_t v = 5; v < 1000; v++)
        assert_true(g->preds.item[g->preds.offset[v + 1] - 1] / 5 == v / 5 - 1);
    hw_graph_free(g);

    g = test_instance("layered:n=12,layers=4,p=1,skip=2", 0);
    assert_int_equal(g->n_edges, 3 * 9 + 2 * 9);
    hw_graph_free(g);
    g = test_instance("layered:n=12,layers=4,degree=1000", 0);
    assert_int_equal(g->n_edges, 3 * 9);
    hw_graph_free(g);
    g = test_instance("layered:n=30,width=30", 0);
    assert_int_equal(g->n_edges, 0);
    hw_graph_free(g);
}

/* Edges a node are the same at every n: nothing densifies by accident. */
static void test_no_densifying(void **state)
{
    (void)state;
    static const char *const spec[] = {"layered:degree=2.5,n=",
                                       "layered:width=10,degree=2.5,n=",
                                       "erdos:degree=2.5,n=",
                                       "series-parallel:n=",
                                       "randwire:n=",
                                       "randwire:model=ba,n=",
                                       "fan:n=",
                                       "chains:n=",
                                       "tree:n="};
    for (size_t i = 0; i < sizeof spec / sizeof spec[0]; i++) {
        char small[64], large[64];
        (void)snprintf(small, sizeof small, "%s1000", spec[i]);
        (void)snprintf(large, sizeof large, "%s100000", spec[i]);
        double few = sum_edges(small, 20) / 20000, many = sum_edges(large, 1) / 100000;
        assert_near(many / few, 1, 0.05);
    }
}

static void test_tree(void **state)
{
    (void)state;
    static const char *const in[] = {"tree:n=500", "tree:n=500,arity=2", "tree:n=500,reach=5",
                                     "tree:n=500,arity=3,reach=7", "tree:n=500,shape=complete"};
    static const uint32_t most[] = {500, 2, 500, 3, 2};
    for (size_t k = 0; k < sizeof in / sizeof in[0]; k++) {
        hw_graph *g = test_instance(in[k], 0);
        assert_int_equal(g->n_edges, 499);
        for (uint32_t v = 0; v < 500; v++) {
            assert_int_equal(count_succs(g, v), v < 499); /* one consumer a tensor */
            assert_true(count_preds(g, v) <= most[k]);
        }
        hw_graph_free(g);
    }
    hw_graph *g = test_instance("tree:n=500,direction=out", 0);
    for (uint32_t v = 0; v < 500; v++)
        assert_int_equal(count_preds(g, v), v > 0);
    assert_int_equal(g->n_tensors, 500);
    hw_graph_free(g);
    g = test_instance("tree:n=50,reach=1", 0);
    assert_int_equal(longest_edge(g), 1);
    hw_graph_free(g);
    g = test_instance("tree:n=13,shape=complete,arity=3,direction=out", 0);
    for (uint32_t v = 1; v < 13; v++)
        assert_true(has_edge(g, (v - 1) / 3, v));
    hw_graph_free(g);
}

static bool *reachable(const hw_graph *g) /* [u * n + v]: a path of 1 edge or more */
{
    uint32_t n = g->n_nodes;
    bool *reach = HW_NEW0(bool, (size_t)n *n);
    assert_non_null(reach);
    for (uint32_t u = n; u-- > 0;)
        for (uint32_t i = g->succs.offset[u]; i < g->succs.offset[u + 1]; i++) {
            uint32_t v = g->succs.item[i];
            reach[(size_t)u * n + v] = true;
            for (uint32_t w = 0; w < n; w++)
                reach[(size_t)u * n + w] |= reach[(size_t)v * n + w];
        }
    return reach;
}

/* Cover edges only; 1 of 2^(d-1) pairs related. */
static void test_random_order(void **state)
{
    (void)state;
    for (unsigned dimension = 2; dimension <= 4; dimension++) {
        double related = 0;
        char spec[64];
        (void)snprintf(spec, sizeof spec, "random-order:n=80,dimension=%u", dimension);
        for (uint64_t i = 0; i < 40; i++) {
            hw_graph *g = test_instance(spec, i);
            bool *reach = reachable(g);
            for (uint32_t u = 0; u < 80; u++)
                for (uint32_t v = 0; v < 80; v++) {
                    related += reach[u * 80 + v];
                    if (!has_edge(g, u, v))
                        continue;
                    for (uint32_t w = 0; w < 80; w++)
                        assert_false(reach[u * 80 + w] && reach[w * 80 + v]);
                }
            free(reach);
            hw_graph_free(g);
        }
        assert_near(related / (40 * 80 * 79 / 2.0) * (1 << (dimension - 1)), 1, 0.08);
    }
    hw_graph *g = test_instance("random-order:n=30,dimension=1", 0);
    assert_int_equal(g->n_edges, 29);
    assert_int_equal(longest_edge(g), 1);
    hw_graph_free(g);
}

/* Two-terminal series-parallel: contracting inner nodes of one edge in and one
 * out, and merging double edges, leaves a single edge. */
static void assert_series_parallel(const hw_graph *g)
{
    enum { MOST = 128 };
    unsigned char edge[MOST][MOST] = {{0}};
    uint32_t n = g->n_nodes;
    assert_true(n <= MOST);
    assert_int_equal(count_sources(g), 1);
    assert_int_equal(count_sinks(g), 1);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            edge[u][v] = has_edge(g, u, v);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t w = 1; w + 1 < n; w++) {
            uint32_t in = 0, out = 0, u = 0, v = 0;
            for (uint32_t x = 0; x < n; x++) {
                if (edge[x][w]) {
                    in++;
                    u = x;
                }
                if (edge[w][x]) {
                    out++;
                    v = x;
                }
            }
            if (in == 1 && out == 1) {
                edge[u][w] = edge[w][v] = 0;
                edge[u][v] = 1;
                changed = true;
            }
        }
    }
    unsigned left = 0;
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            left += edge[u][v];
    assert_int_equal(left, 1);
    assert_true(edge[0][n - 1]);
}

static void test_series_parallel(void **state)
{
    (void)state;
    static const char *const spec[] = {"series-parallel:n=100", "series-parallel:n=60,parallel=1",
                                       "series-parallel:n=2", "fan:n=90,nest=3",
                                       "fan:n=90,stages=4,width=3"};
    for (size_t k = 0; k < sizeof spec / sizeof spec[0]; k++)
        for (uint64_t i = 0; i < 10; i++) {
            hw_graph *g = test_instance(spec[k], i);
            assert_series_parallel(g);
            hw_graph_free(g);
        }
    assert_near(sum_edges("series-parallel:n=1000,parallel=0.3", 20), 20 * (1 + 998 * 1.3), 400);
    assert_near(sum_edges("series-parallel:n=50,parallel=0", 1), 49, 0);
}

/* No N among the nodes, every edge wanted is there, one consumer a tensor. */
static void test_series_parallel_order(void **state)
{
    (void)state;
    static const char *const spec[] = {
        "series-parallel-order:n=30,share=no", "series-parallel-order:n=24,extra=2,share=no",
        "series-parallel-order:n=26,dense=1000,share=no", "series-parallel-order:n=1,share=no"};
    for (size_t k = 0; k < sizeof spec / sizeof spec[0]; k++)
        for (uint64_t i = 0; i < 10; i++) {
            hw_graph *g = test_instance(spec[k], i);
            uint32_t after[32];
            nodes_after(g, after);
            assert_false(has_pattern(after, g->n_nodes));
            hw_graph_free(g);
        }
    hw_graph *g = test_instance("series-parallel-order:n=50,parallel=1", 0);
    assert_int_equal(g->n_edges, 0);
    hw_graph_free(g);
    g = test_instance("series-parallel-order:n=50,parallel=0", 0);
    assert_int_equal(g->n_edges, 49);
    hw_graph_free(g);
    g = test_instance("series-parallel-order:n=50,parallel=0,extra=50,span=7", 0);
    for (uint32_t u = 0; u < 50; u++)
        for (uint32_t v = 0; v < 50; v++)
            assert_true(!has_edge(g, u, v) || (v > u && v - u <= 7));
    assert_true(g->n_edges > 49 * 3);
    hw_graph_free(g);
}

static void test_fan_and_chains(void **state)
{
    (void)state;
    hw_graph *g = test_instance("fan:n=22,width=5,lengths=equal", 0);
    assert_int_equal(count_succs(g, 0), 5);
    assert_int_equal(count_preds(g, 21), 5);
    assert_int_equal(g->n_edges, 5 * 5); /* branches of 4 nodes */
    hw_graph_free(g);
    g = test_instance("fan:n=26,width=3,nest=2,lengths=equal", 0);
    assert_int_equal(count_succs(g, 1), 3); /* a fork of the second level */
    hw_graph_free(g);
    g = test_instance("chains:n=22,branches=5,fork=yes,lengths=equal", 0);
    assert_int_equal(count_succs(g, 0), 5);
    assert_int_equal(count_preds(g, 21), 5);
    assert_int_equal(g->n_edges, 5 * 5);
    hw_graph_free(g);
    g = test_instance("chains:n=200,branches=7,join=no", 0);
    assert_int_equal(count_sources(g), 7);
    assert_int_equal(count_sinks(g), 7);
    assert_int_equal(g->n_edges, 193);
    hw_graph_free(g);
    g = test_instance("chains:n=200,branches=7", 0);
    assert_int_equal(count_preds(g, 199), 7);
    assert_int_equal(count_sinks(g), 1);
    hw_graph_free(g);
}

static void test_daggen(void **state)
{
    (void)state;
    hw_graph *g = test_instance("daggen:n=50,fat=0", 0);
    assert_int_equal(longest_edge(g), 1);
    assert_int_equal(g->n_edges, 49);
    hw_graph_free(g);
    g = test_instance("daggen:n=1000,fat=0.5,regularity=1,density=1,jump=2,max-parents=4", 0);
    for (uint32_t v = 0; v < 1000; v++) { /* levels of 32 nodes */
        assert_true(count_preds(g, v) <= 4);
        assert_int_equal(count_preds(g, v) == 0, v < 32);
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            assert_in_range(v / 32 - g->preds.item[i] / 32, 1, 2);
    }
    hw_graph_free(g);
}

static void test_randwire(void **state)
{
    (void)state;
    assert_near(sum_edges("randwire:n=32,k=6", 10), 10 * 32 * 3, 0);
    assert_near(sum_edges("randwire:n=32,rewire=0", 10), 10 * 32 * 2, 0);
    assert_near(sum_edges("randwire:n=32,model=ba", 10), 10 * (15 + 26 * 5), 0);
    assert_near(sum_edges("randwire:n=32,model=er", 100), 9920, 5 * sqrt(9920 * 0.8));
    hw_graph *g = test_instance("randwire:n=20,rewire=0", 0); /* the ring lattice */
    for (uint32_t u = 0; u < 20; u++)
        for (uint32_t v = u + 1; v < 20; v++)
            assert_int_equal(has_edge(g, u, v), v - u <= 2 || v - u >= 18);
    hw_graph_free(g);

    g = test_instance("randwire:n=32,ops=4,ends=yes,stages=3", 0);
    assert_int_equal(g->n_nodes, 3 * (32 * 4 + 2));
    assert_int_equal(count_sources(g), 1);
    assert_int_equal(count_sinks(g), 1);
    assert_true(has_edge(g, 129, 130));
    assert_string_equal(hw_node_op(g, 129), "Mean");
    assert_string_equal(hw_node_op(g, 130), "Input");
    for (uint32_t i = 0; i < 32; i++) {
        assert_string_equal(hw_node_op(g, 1 + 4 * i), "Aggregate");
        assert_string_equal(hw_node_op(g, 4 + 4 * i), "BatchNorm");
        for (uint32_t k = 1; k < 4; k++) {
            assert_int_equal(count_preds(g, 1 + 4 * i + k), 1);
            assert_true(has_edge(g, 4 * i + k, 1 + 4 * i + k));
        }
    }
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_erdos),
        cmocka_unit_test(test_layered),
        cmocka_unit_test(test_no_densifying),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_random_order),
        cmocka_unit_test(test_series_parallel),
        cmocka_unit_test(test_series_parallel_order),
        cmocka_unit_test(test_fan_and_chains),
        cmocka_unit_test(test_daggen),
        cmocka_unit_test(test_randwire),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
