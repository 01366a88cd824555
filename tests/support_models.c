/* Models of random graphs.  See support_models.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "model/builder.h"
#include "support_exact.h"
#include "support_lines.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

void each_model(uint64_t graphs, uint64_t n_most, unsigned features,
                void (*visit)(const hw_model *m))
{
    uint64_t first = environment_number("HW_MODELS_FIRST", 0);
    uint64_t end = first + environment_number("HW_MODELS_GRAPHS", FEWER(graphs));
    for (uint64_t seed = first; seed < end; seed++) {
        uint64_t state = seed * 2 + 1;
        size_t n = 1 + (size_t)draft_below(&state, n_most);
        hw_graph *g = draft_graph(seed, n, seed % 2 ? DRAW_PLAIN | DRAW_ZERO : features);
        assert_non_null(g);
        for (int accounting = 0; accounting < 2; accounting++) {
            hw_model *m = test_model(g, (hw_accounting)accounting, seed % 5 == 0);
            if (m && m->legal)
                visit(m);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

void expect_order(const hw_model *m, const char *spec, const uint32_t *order)
{
    hw_answer answer = test_solve(m, spec);
    assert_true(answer.has_order);
    for (uint32_t i = 0; i < m->n_nodes; i++)
        if (answer.order[i] != order[i])
            fail_msg("%s: step %u runs node %u, not %u", spec, i, answer.order[i], order[i]);
    hw_answer_clear(&answer);
}

void expect_lines_order(const char *lines, const char *spec, const uint32_t *order)
{
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    expect_order(m, spec, order);
    hw_model_free(m);
    hw_graph_free(g);
}

/* What a node of a shape reads; returns how many. */
static size_t draw_reads(shape s, uint32_t n, uint32_t v, uint64_t *reads)
{
    uint32_t side = 1;
    size_t count = 0;
    while (side * side < n / 2)
        side++;
    switch (s) {
    case SHAPE_PATH:
        reads[count] = v - 1;
        return v ? 1 : 0;
    case SHAPE_FAN_OUT:
        reads[count] = 0;
        return v ? 1 : 0;
    case SHAPE_FAN_IN:
        for (uint32_t u = 0; v + 1 == n && u < v; u++)
            reads[count++] = u;
        return count;
    case SHAPE_SEESAW: /* three sources, then the node that reads them */
        for (uint32_t u = v - v % 4; v % 4 == 3 && u < v; u++)
            reads[count++] = u;
        return count;
    case SHAPE_TWINS: /* `side` makers, `side` readers of all of them */
        for (uint32_t u = 0; v >= side && v < 2 * side && u < side; u++)
            reads[count++] = u;
        return count;
    default:
        return 0;
    }
}

/* Sources of the see-saw take workspace, so that the room left goes up and down. */
static hw_code add_node(hw_builder *b, shape s, uint32_t n, uint32_t v, uint64_t *reads,
                        hw_error *err)
{
    uint64_t id = v;
    hw_node_spec spec = {.id = v, .inputs = reads, .outputs = &id, .n_outputs = 1};
    spec.n_inputs = draw_reads(s, n, v, reads);
    spec.workspace = s == SHAPE_SEESAW && v % 4 != 3 ? 40 : 0;
    return hw_builder_node(b, &spec, err);
}

hw_graph *shape_graph(shape s, uint32_t n)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    hw_builder *b = hw_builder_new();
    uint64_t *reads = calloc(n, sizeof *reads);
    assert_true(b && reads && n >= 8);
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < n; v++) {
        uint64_t size = s == SHAPE_SEESAW ? (v % 4 == 3 ? 0 : 10) : 1 + v * UINT64_C(7919) % 1000;
        bool kept = s == SHAPE_ISOLATED && v % 2;
        code = hw_builder_tensor(b, v, size, kept ? HW_OUTPUT : HW_ACTIVATION, NULL, &err);
    }
    for (uint32_t v = 0; code == HW_OK && v < n; v++)
        code = add_node(b, s, n, v, reads, &err);
    if (code == HW_OK)
        code = hw_builder_finish(b, &g, &err);
    hw_builder_free(b);
    free(reads);
    if (code != HW_OK)
        fail_msg("%s of %u nodes: %s", shape_name(s), n, err.message);
    return g;
}

const char *shape_name(shape s)
{
    static const char *const names[N_SHAPES] = {"path",   "isolated", "fan-out",
                                                "fan-in", "see-saw",  "twins"};
    return names[s];
}

void expect_shapes_solved(const char *const *specs, size_t n_specs, uint32_t n)
{
    for (int s = 0; s < N_SHAPES; s++) {
        hw_graph *g = shape_graph((shape)s, n);
        for (int accounting = 0; accounting < 2; accounting++) {
            hw_model *m = test_model(g, (hw_accounting)accounting, false);
            for (size_t i = 0; i < n_specs; i++) {
                hw_answer answer = test_solve(m, specs[i]);
                assert_true(answer.has_order);
                if (n >= 1000000)
                    print_message("%-9s %-11s %-14s %6.2f s\n", shape_name((shape)s),
                                  hw_accounting_name(m->accounting), specs[i], answer.seconds);
                hw_answer_clear(&answer);
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}
