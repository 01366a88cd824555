/*
 * The second route to cycles and topological orders: igraph against ours.
 *
 * Random digraphs, about half of them cyclic, are built as computation graphs
 * (node u makes tensor u, an edge u -> v is a consumption or a control edge).
 * The builder refuses exactly those that igraph calls cyclic; where it accepts,
 * igraph's order is legal for the checker, and our level order points forward
 * along igraph's edges.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <igraph.h>
#include <stdlib.h>

#include "core/rng.h"
#include "model/builder.h"
#include "model/check.h"
#include "support_sanitized.h"

enum { MOST_NODES = 12, GRAPHS = FEWER(4000) };

typedef struct digraph {
    uint32_t n, n_edges;
    uint32_t from[MOST_NODES * MOST_NODES], to[MOST_NODES * MOST_NODES];
    bool control[MOST_NODES * MOST_NODES];
} digraph;

static void draw(gsl_rng *rng, digraph *d)
{
    d->n = 1 + (uint32_t)hw_rng_below(rng, MOST_NODES);
    d->n_edges = 0;
    bool acyclic = hw_rng_below(rng, 2);
    uint64_t density = 1 + hw_rng_below(rng, 4);
    for (uint32_t u = 0; u < d->n; u++)
        for (uint32_t v = 0; v < d->n; v++) {
            if (u == v || (acyclic && u > v) || hw_rng_below(rng, 10) >= density)
                continue;
            d->from[d->n_edges] = u;
            d->to[d->n_edges] = v;
            d->control[d->n_edges++] = hw_rng_below(rng, 4) == 0;
        }
}

static hw_code build(const digraph *d, hw_graph **g, hw_error *err)
{
    hw_builder *b = hw_builder_new();
    assert_non_null(b);
    for (uint32_t u = 0; u < d->n; u++)
        assert_int_equal(hw_builder_tensor(b, u, u + 1, HW_ACTIVATION, NULL, err), HW_OK);
    for (uint32_t v = 0; v < d->n; v++) {
        uint64_t inputs[MOST_NODES], output = v;
        size_t n_inputs = 0;
        for (uint32_t e = 0; e < d->n_edges; e++)
            if (d->to[e] == v && !d->control[e])
                inputs[n_inputs++] = d->from[e];
        hw_node_spec spec = {
            .id = v, .inputs = inputs, .n_inputs = n_inputs, .outputs = &output, .n_outputs = 1};
        assert_int_equal(hw_builder_node(b, &spec, err), HW_OK);
    }
    for (uint32_t e = 0; e < d->n_edges; e++)
        if (d->control[e])
            assert_int_equal(hw_builder_control(b, d->from[e], d->to[e], err), HW_OK);
    hw_code code = hw_builder_finish(b, g, err);
    hw_builder_free(b);
    return code;
}

static void to_igraph(const digraph *d, igraph_t *out)
{
    igraph_vector_int_t ends;
    assert_int_equal(igraph_vector_int_init(&ends, 2 * (igraph_integer_t)d->n_edges), 0);
    for (uint32_t e = 0; e < d->n_edges; e++) {
        VECTOR(ends)[2 * e] = d->from[e];
        VECTOR(ends)[2 * e + 1] = d->to[e];
    }
    assert_int_equal(igraph_create(out, &ends, (igraph_integer_t)d->n, IGRAPH_DIRECTED), 0);
    igraph_vector_int_destroy(&ends);
}

static void check_orders(const digraph *d, const igraph_t *twin, const hw_graph *g)
{
    hw_error err;
    hw_check check;
    uint32_t order[MOST_NODES], position[MOST_NODES];
    igraph_vector_int_t sorted;
    assert_int_equal(igraph_vector_int_init(&sorted, 0), 0);
    assert_int_equal(igraph_topological_sorting(twin, &sorted, IGRAPH_OUT), 0);
    assert_int_equal(igraph_vector_int_size(&sorted), d->n);
    for (uint32_t i = 0; i < d->n; i++)
        order[i] = (uint32_t)VECTOR(sorted)[i];
    igraph_vector_int_destroy(&sorted);
    assert_int_equal(hw_check_order(g, false, false, order, d->n, &check, &err), HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);

    assert_int_equal(hw_graph_level_order(g, order, &err), HW_OK);
    hw_order_positions(order, d->n, position);
    for (uint32_t e = 0; e < d->n_edges; e++)
        assert_true(position[d->from[e]] < position[d->to[e]]);
    assert_int_equal(g->n_edges, d->n_edges);
}

static void cycles_and_orders_agree(void **state)
{
    (void)state;
    gsl_rng *rng = hw_rng_new(7);
    assert_non_null(rng);
    unsigned cyclic = 0;
    for (int i = 0; i < GRAPHS; i++) {
        digraph d;
        draw(rng, &d);
        igraph_t twin;
        to_igraph(&d, &twin);
        igraph_bool_t is_dag;
        assert_int_equal(igraph_is_dag(&twin, &is_dag), 0);
        hw_graph *g = NULL;
        hw_error err;
        hw_code code = build(&d, &g, &err);
        assert_int_equal(code, is_dag ? HW_OK : HW_BAD_INPUT);
        if (is_dag)
            check_orders(&d, &twin, g);
        cyclic += !is_dag;
        hw_graph_free(g);
        igraph_destroy(&twin);
    }
    gsl_rng_free(rng);
    assert_in_range(cyclic, GRAPHS / 5, 4 * GRAPHS / 5); /* both answers were tried */
}

int main(void)
{
    igraph_set_error_handler(igraph_error_handler_ignore);
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_and_orders_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
