/*
 * Graphs that can be changed: out of a graph and back nothing is lost, and what
 * is taken out takes with it what leans on it, no more.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "model/builder.h"
#include "model/edit.h"
#include "support_random.h"
#include "support_sanitized.h"

enum { GRAPHS = FEWER(3000) };

/* A graph with a bit of everything, or NULL where the draw was refused. */
static hw_graph *any_graph(uint64_t seed)
{
    random_shape shape = random_any_shape(&seed, 1, 14);
    shape.windows = random_chance(&seed, 0.3);
    return random_graph(&seed, &shape);
}

static void same_rows(const hw_rows *a, const hw_rows *b, uint32_t n)
{
    assert_memory_equal(a->offset, b->offset, (n + 1) * sizeof *a->offset);
    assert_memory_equal(a->item, b->item, a->offset[n] * sizeof *a->item);
}

static void same_graph(const hw_graph *a, const hw_graph *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_int_equal(a->n_tensors, b->n_tensors);
    assert_int_equal(a->n_control, b->n_control);
    assert_memory_equal(a->tensor_size, b->tensor_size, a->n_tensors * sizeof *a->tensor_size);
    assert_memory_equal(a->tensor_kind, b->tensor_kind, a->n_tensors * sizeof *a->tensor_kind);
    assert_memory_equal(a->node_flags, b->node_flags, a->n_nodes * sizeof *a->node_flags);
    same_rows(&a->inputs, &b->inputs, a->n_nodes);
    same_rows(&a->outputs, &b->outputs, a->n_nodes);
    for (uint32_t v = 0; v < a->n_nodes; v++) {
        assert_true(hw_node_workspace(a, v) == hw_node_workspace(b, v));
        assert_int_equal(a->node_window ? a->node_window[v] : HW_NONE,
                         b->node_window ? b->node_window[v] : HW_NONE);
        assert_string_equal(hw_node_name(a, v), hw_node_name(b, v));
        assert_string_equal(hw_node_op(a, v), hw_node_op(b, v));
    }
    assert_int_equal(!a->inplace_offset, !b->inplace_offset);
    if (a->inplace_offset) {
        assert_memory_equal(a->inplace_offset, b->inplace_offset,
                            (a->n_nodes + 1) * sizeof *a->inplace_offset);
        assert_memory_equal(a->inplace_pair, b->inplace_pair,
                            a->inplace_offset[a->n_nodes] * sizeof *a->inplace_pair);
    }
    if (a->n_control)
        assert_memory_equal(a->control, b->control, a->n_control * sizeof *a->control);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = any_graph(seed), *back;
        hw_edit e, copy = {0};
        hw_error err = {0};
        if (!g)
            continue;
        assert_int_equal(hw_edit_open(&e, g, &err), HW_OK);
        assert_int_equal(hw_edit_copy(&copy, &e, &err), HW_OK);
        hw_edit_clear(&e);
        hw_edit_sweep(&copy); /* with nothing gone nothing goes */
        if (hw_edit_graph(&copy, g->name, &back, &err) != HW_OK)
            fail_msg("%s", err.message);
        same_graph(g, back);
        hw_edit_clear(&copy);
        hw_graph_free(back);
        hw_graph_free(g);
    }
}

/* How often tensor t is named by nodes that stay. */
static uint32_t reads_left(const hw_graph *g, const bool *gone, uint32_t t, uint32_t *before)
{
    uint32_t left = 0;
    *before = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            if (g->inputs.item[i] == t) {
                ++*before;
                left += !gone[v];
            }
    return left;
}

/* Is every output of t's maker that is still wanted a result of the sweep?  See edit.h. */
static void check_tensors(const hw_graph *g, const hw_edit *e, const bool *gone)
{
    bool stays[64] = {false};
    uint32_t makes[64] = {0};
    for (size_t t = 0; t < e->n_tensors; t++) {
        stays[e->tensor[t].origin] = true;
        if (e->tensor[t].maker != HW_NONE)
            makes[e->tensor[t].maker]++;
    }
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t before, left = reads_left(g, gone, t, &before);
        uint32_t maker = g->tensor_producer[t];
        if (maker != HW_NONE && gone[maker])
            assert_false(stays[t]);
        else if (left || !before || g->tensor_kind[t] == HW_OUTPUT)
            assert_true(stays[t]);
        else if (maker == HW_NONE)
            assert_false(stays[t]);
    }
    for (size_t v = 0; v < e->n_nodes; v++) { /* who made something still does */
        uint32_t old = e->node[v].origin;
        bool made = g->outputs.offset[old] < g->outputs.offset[old + 1];
        assert_int_equal(makes[v] > 0, made);
    }
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->keeps_results && !e->tensor[t].readers && e->tensor[t].maker != HW_NONE)
            assert_int_equal(e->tensor[t].kind, HW_OUTPUT);
}

static void test_drop_nodes(void **state)
{
    (void)state;
    unsigned built = 0, refused = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        uint64_t draw = seed;
        hw_graph *g = any_graph(seed), *less;
        hw_edit e;
        hw_error err = {0};
        bool gone[64] = {false};
        if (!g || g->n_tensors > 64) {
            hw_graph_free(g);
            continue;
        }
        assert_int_equal(hw_edit_open(&e, g, &err), HW_OK);
        size_t stay = 0, reads = 0;
        for (uint32_t v = 0; v < g->n_nodes; v++) {
            gone[v] = e.node[v].gone = random_chance(&draw, 0.3);
            stay += !gone[v];
        }
        for (uint32_t v = 0; v < g->n_nodes; v++)
            for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
                uint32_t maker = g->tensor_producer[g->inputs.item[i]];
                reads += !gone[v] && (maker == HW_NONE || !gone[maker]);
            }
        hw_edit_sweep(&e);
        assert_int_equal(e.n_nodes, stay);
        assert_int_equal(e.n_reads, reads);
        check_tensors(g, &e, gone);
        hw_code code = hw_edit_graph(&e, "less", &less, &err);
        built += code == HW_OK;
        refused += code == HW_BAD_INPUT; /* a pair that must overwrite what is kept now */
        assert_true(code == HW_OK || code == HW_BAD_INPUT);
        hw_graph_free(less);
        hw_edit_clear(&e);
        hw_graph_free(g);
    }
    assert_true(built > 50 * refused);
}

/* a -> b -> c, and a redirect of who reads a to what b makes: b would read itself. */
static void test_redirect(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        uint64_t draw = seed;
        hw_graph *g = any_graph(seed);
        hw_edit e;
        hw_error err = {0};
        if (!g)
            continue;
        assert_int_equal(hw_edit_open(&e, g, &err), HW_OK);
        if (e.n_tensors >= 2) {
            uint32_t from = random_below(&draw, (uint32_t)e.n_tensors);
            uint32_t to = random_below(&draw, (uint32_t)e.n_tensors - 1);
            to += to >= from;
            size_t n = e.n_reads;
            hw_edit_redirect(&e, from, to);
            assert_int_equal(e.n_reads, n);
            for (uint32_t v = 0; v < g->n_nodes; v++)
                assert_false(hw_edit_reads(&e, v, from));
            for (size_t i = 0; i < n; i++) {
                uint32_t was = g->inputs.item[i];
                if (was != from)
                    assert_int_equal(e.read[i].tensor, was);
                else
                    assert_true(hw_edit_reads(&e, e.read[i].node, to));
            }
        }
        hw_edit_clear(&e);
        hw_graph_free(g);
    }
}

/* x must be overwritten by y of the second node; the third reads y and, as a view, shares it. */
static hw_graph *small_graph(void)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    hw_error err = {0};
    const uint64_t x = 0, y = 1, z = 2, pair[2] = {0, 1};
    for (uint64_t t = 0; t < 3; t++)
        assert_int_equal(hw_builder_tensor(b, t, 5, t < 2 ? HW_ACTIVATION : HW_OUTPUT, NULL, &err),
                         HW_OK);
    const hw_node_spec nodes[3] = {
        {.id = 0, .outputs = &x, .n_outputs = 1},
        {.id = 1,
         .inputs = &x,
         .n_inputs = 1,
         .outputs = &y,
         .n_outputs = 1,
         .inplace = pair,
         .n_inplace = 1,
         .inplace_required = true},
        {.id = 2, .inputs = &y, .n_inputs = 1, .outputs = &z, .n_outputs = 1, .view = true},
    };
    for (int v = 0; v < 3; v++)
        assert_int_equal(hw_builder_node(b, &nodes[v], &err), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, &err), HW_OK);
    hw_builder_free(b);
    return g;
}

/* What hangs on a pair, on a first input and on a last reader goes with them. */
static void test_what_leans(void **state)
{
    enum { PAIR_GONE, INPUT_UNREAD, OUTPUT_MOVED, BASE_GONE, N_CASES };
    (void)state;
    hw_graph *g = small_graph();
    for (int k = 0; k < N_CASES; k++) {
        hw_edit e;
        hw_graph *built;
        hw_error err = {0};
        assert_int_equal(hw_edit_open(&e, g, &err), HW_OK);
        assert_true(e.keeps_results);
        if (k == PAIR_GONE)
            e.pair[0].gone = true;
        else if (k == INPUT_UNREAD)
            e.read[0].gone = true;
        else if (k == OUTPUT_MOVED)
            e.tensor[1].maker = 0;
        else
            e.read[1].gone = true;
        hw_edit_sweep(&e);
        bool paired = k == BASE_GONE;
        assert_int_equal(e.n_pairs, paired);
        assert_int_equal(e.node[1].flags, paired ? HW_NODE_INPLACE_REQUIRED : 0);
        assert_int_equal(e.node[2].flags, k == BASE_GONE ? 0 : HW_NODE_VIEW);
        assert_int_equal(e.tensor[0].kind, k == INPUT_UNREAD ? HW_OUTPUT : HW_ACTIVATION);
        assert_int_equal(e.tensor[1].kind, k == BASE_GONE ? HW_OUTPUT : HW_ACTIVATION);
        if (hw_edit_graph(&e, "g", &built, &err) != HW_OK)
            fail_msg("%s", err.message);
        hw_graph_free(built);
        hw_edit_clear(&e);
    }
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_drop_nodes),
        cmocka_unit_test(test_redirect),
        cmocka_unit_test(test_what_leans),
    };
    return cmocka_run_group_tests_name("graph_edit", tests, NULL, NULL) != 0;
}
