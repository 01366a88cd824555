/*
 * ONNX models against the graphs that a run of the same models under another
 * engine gave, in the folder $HW_SHARED: node for node and byte for byte.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/onnx.h"
#include "model/model.h"
#include "model/sim.h"
#include "tests/support_io.h"
#include "tests/support_onnx.h"

/* Figures of a graph, in the order of `figure_name`. */
enum { FIGURES = 12 };
static const char *const figure_name[FIGURES] = {"nodes",
                                                 "tensors",
                                                 "edges",
                                                 "total",
                                                 "resident",
                                                 "in-place pairs",
                                                 "views",
                                                 "dead outputs",
                                                 "alloc-first",
                                                 "free-first",
                                                 "alloc-first, plain",
                                                 "free-first, plain"};

static uint64_t source_peak(const hw_graph *g, hw_accounting accounting)
{
    hw_model *m = NULL;
    hw_sim sim;
    assert_int_equal(hw_model_new(g, accounting, false, &m, NULL), HW_OK);
    assert_int_equal(hw_sim_init(&sim, m, NULL), HW_OK);
    assert_true(g->source_order_legal_edges);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        (void)hw_sim_step(&sim, v);
    uint64_t peak = sim.peak;
    hw_sim_free(&sim);
    hw_model_free(m);
    return peak;
}

static void measure(const hw_graph *g, uint64_t figure[FIGURES])
{
    hw_import_report r = {0};
    hw_graph *plain = NULL;
    assert_int_equal(hw_import_report_count(&r, g, NULL), HW_OK);
    assert_int_equal(hw_graph_strip(g, true, true, &plain, NULL), HW_OK);
    const uint64_t found[FIGURES] = {r.nodes,
                                     r.tensors,
                                     r.edges,
                                     hw_graph_total_bytes(g),
                                     r.resident_bytes,
                                     r.inplace_pairs,
                                     r.views,
                                     r.dead_outputs,
                                     source_peak(g, HW_ALLOC_FIRST),
                                     source_peak(g, HW_FREE_FIRST),
                                     source_peak(plain, HW_ALLOC_FIRST),
                                     source_peak(plain, HW_FREE_FIRST)};
    memcpy(figure, found, sizeof found);
    hw_graph_free(plain);
}

/* Two models of one origin: the same figures, and the same nodes one by one. */
static void compare(const char *folder, const char *model, const char *graph)
{
    char *paths[2] = {path_in(folder, model), path_in(folder, graph)};
    hw_graph *g[2] = {NULL, NULL};
    uint64_t figure[2][FIGURES];
    hw_error err = {0};
    for (int i = 0; i < 2; i++) {
        if (hw_import_load(paths[i], NULL, NULL, &g[i], &err) != HW_OK)
            fail_msg("%s", err.message);
        measure(g[i], figure[i]);
        free(paths[i]);
    }
    for (int i = 0; i < FIGURES; i++) {
        if (figure[0][i] != figure[1][i])
            fail_msg("%s: %s: %" PRIu64 " instead of %" PRIu64, model, figure_name[i], figure[0][i],
                     figure[1][i]);
    }
    for (uint32_t v = 0; v < g[0]->n_nodes; v++) {
        const hw_graph *a = g[0], *b = g[1];
        assert_string_equal(hw_node_op(a, v), hw_node_op(b, v));
        assert_int_equal(a->outputs.offset[v + 1] - a->outputs.offset[v],
                         b->outputs.offset[v + 1] - b->outputs.offset[v]);
        for (uint32_t i = 0; i < a->outputs.offset[v + 1] - a->outputs.offset[v]; i++)
            assert_true(a->tensor_size[a->outputs.item[a->outputs.offset[v] + i]] ==
                        b->tensor_size[b->outputs.item[b->outputs.offset[v] + i]]);
    }
    hw_graph_free(g[0]);
    hw_graph_free(g[1]);
}

static void test_shared_models(void **state)
{
    static const char *const pairs[][2] = {
        {"onnx/light_squeezenet.onnx", "graphs/onnx-squeezenet.json"},
        {"onnx/light_resnet50.onnx", "graphs/onnx-resnet50.json"},
        {"onnx/light_inception_v1.onnx", "graphs/onnx-inception-v1.json"},
        {"onnx/light_shufflenet.onnx", "graphs/onnx-shufflenet.json"}};
    const char *shared = getenv("HW_SHARED");
    (void)state;
    if (!shared || !hw_onnx_readable || onnx_cannot_infer()) {
        print_message("skipped: %s\n", shared ? "built without ONNX" : "HW_SHARED is not set");
        skip();
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        compare(shared, pairs[i][0], pairs[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_models),
    };
    return cmocka_run_group_tests_name("import_onnx", tests, NULL, NULL) != 0;
}
