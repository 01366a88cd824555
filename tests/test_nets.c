/*
 * The nets against what others published or derived: numbers of trained
 * weights, and peaks of independently derived graphs (tests/graphs/peaks.tsv).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "tests/support_generate.h"
#include "tests/support_io.h"

/* Trained weights: every one is updated, so it has a tensor "NAME.new". */
static uint64_t trained_bytes(const hw_graph *g)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT && strstr(hw_tensor_name(g, t), ".new"))
            sum += g->tensor_size[t];
    return sum;
}

static void test_weights(void **state)
{
    (void)state;
    static const struct {
        const char *net;
        uint64_t weights;  /* published, or counted by frameworks */
        uint64_t channels; /* of all batch norms: mean and variance each */
    } row[] = {
        {"resnet50", 25557032, 26560},    {"mobilenet-v1", 4231976, 10944},
        {"mobilenet-v2", 3504872, 17056}, {"densenet121", 7978856, 41824},
        {"inception-v1", 6998552, 0},     {"unet", 31037698, 5888},
        {"gpt2", 124439808, 0},           {"darts-cifar10", 3349342, 20196},
        {"gpt2-heads", 124439808, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char spec[128];
        (void)snprintf(spec, sizeof spec, "nets:mode=training,optimizer=sgd,net=%s", row[i].net);
        hw_graph *g = test_instance(spec, 0);
        if (trained_bytes(g) != 4 * row[i].weights)
            fail_msg("%s trains %llu weights", row[i].net,
                     (unsigned long long)trained_bytes(g) / 4);
        assert_int_equal(hw_graph_resident_bytes(g), 0);
        hw_graph_free(g);
        (void)snprintf(spec, sizeof spec, "nets:net=%s", row[i].net);
        g = test_instance(spec, 0);
        if (hw_graph_resident_bytes(g) != 4 * (row[i].weights + 2 * row[i].channels))
            fail_msg("%s holds %llu constants", row[i].net,
                     (unsigned long long)hw_graph_resident_bytes(g) / 4);
        hw_graph_free(g);
    }
}

static uint64_t source_peak(const hw_graph *g, hw_accounting accounting)
{
    hw_error err = {0};
    hw_model *m = NULL;
    uint64_t peak = 0;
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    assert_non_null(order);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        order[v] = v;
    assert_int_equal(hw_model_new(g, accounting, false, &m, &err), HW_OK);
    assert_int_equal(hw_peak(m, order, &peak, &err), HW_OK);
    free(order);
    hw_model_free(m);
    return peak;
}

/* The row of a graph in peaks.tsv: nodes, tensors, resident, four peaks. */
static void find_peaks(const char *table, const char *name, unsigned long long field[7])
{
    const char *line = table;
    size_t n = strlen(name);
    while (line && (strncmp(line, name, n) != 0 || line[n] != '\t')) {
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!line)
        fail_msg("peaks.tsv has no %s", name);
    for (unsigned i = 0; line && i < 7; i++) {
        char *end = NULL;
        field[i] = strtoull(i ? line : line + n, &end, 10);
        line = end;
    }
}

/* Whether both graphs have the same edges between nodes of the same numbers, and
 * nodes that make the same bytes. */
static bool same_wiring(const hw_graph *a, const hw_graph *b)
{
    if (a->n_nodes != b->n_nodes || a->n_edges != b->n_edges)
        return false;
    for (uint32_t v = 0; v < a->n_nodes; v++) {
        uint64_t made[2] = {0, 0};
        for (uint32_t i = a->outputs.offset[v]; i < a->outputs.offset[v + 1]; i++)
            made[0] += a->tensor_size[a->outputs.item[i]];
        for (uint32_t i = b->outputs.offset[v]; i < b->outputs.offset[v + 1]; i++)
            made[1] += b->tensor_size[b->outputs.item[i]];
        for (uint32_t i = a->succs.offset[v]; i < a->succs.offset[v + 1]; i++)
            if (!has_edge(b, v, a->succs.item[i]))
                return false;
        if (made[0] != made[1])
            return false;
    }
    return true;
}

static void check_wiring(const char *name, const hw_graph *g)
{
    char path[128];
    hw_graph *derived = NULL;
    hw_error err = {0};
    (void)snprintf(path, sizeof path, "tests/graphs/%s.json", name);
    if (hw_graph_load(path, &derived, &err) != HW_OK)
        fail_msg("%s", err.message);
    if (!same_wiring(g, derived))
        fail_msg("the wiring of %s differs", name);
    hw_graph_free(derived);
}

/* Peaks of the source order, as it stands and with views and in-place off. */
static void test_peaks(void **state)
{
    (void)state;
    static const struct {
        const char *graph, *spec;
        unsigned further; /* nodes: the flattening, or the softmax, that the graph leaves out */
    } row[] = {
        {"train-resnet50-b2", "net=resnet50,mode=training,batch=2", 2},
        {"train-resnet50-b32", "net=resnet50,mode=training,batch=32", 2},
        {"train-resnet20-cifar-b128", "net=resnet-cifar,mode=training,batch=128", 2},
        {"train-mlp-mnist-b128-sgdm", "net=mlp,mode=training,batch=128", 0},
        {"train-mlp-wide-b32-adam",
         "net=mlp,mode=training,batch=32,width=4096,layers=4,optimizer=adam", 0},
        {"train-transformer-block-b8-t512",
         "net=transformer-block,mode=training,batch=8,optimizer=adam", 0},
        {"train-gpt2-2layer-b4-t512",
         "net=gpt2,mode=training,batch=4,layers=2,sequence=512,optimizer=adam", 0},
        {"darts-imagenet-normal-cell", "net=darts-normal-cell,norm=folded", 0},
        {"darts-imagenet-reduction-cell", "net=darts-reduction-cell,norm=folded", 0},
        {"nasnet-a-mobile-normal-cell", "net=nasnet-a-normal-cell,norm=folded", 0},
        {"darts-v2-cifar10", "net=darts-cifar10,norm=folded", 1},
    };
    size_t bytes = 0;
    char *table = file_bytes("tests/graphs/peaks.tsv", &bytes);
    assert_non_null(table);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        unsigned long long field[7] = {0};
        find_peaks(table, row[i].graph, field);
        for (unsigned plain = 0; plain < 2; plain++) {
            char spec[160];
            (void)snprintf(spec, sizeof spec, "nets:%s%s", row[i].spec,
                           plain ? ",views=no,inplace=no" : "");
            hw_graph *g = test_instance(spec, 0);
            uint64_t alloc = source_peak(g, HW_ALLOC_FIRST), free = source_peak(g, HW_FREE_FIRST);
            if (g->n_nodes != field[0] + row[i].further || alloc != field[3 + 2 * plain] ||
                free != field[4 + 2 * plain])
                fail_msg("%s: %u nodes, peaks %llu and %llu", spec, g->n_nodes,
                         (unsigned long long)alloc, (unsigned long long)free);
            if (!row[i].further)
                check_wiring(row[i].graph, g);
            hw_graph_free(g);
        }
    }
    free(table);
}

/* These graphs stay outside the repository: conversions, and a large one. */
static void test_shared_peaks(void **state)
{
    (void)state;
    const char *folder = getenv("HW_SHARED");
    if (!folder || !*folder) {
        print_message(
            "skip: HW_SHARED is not set, so there are no shared graphs to compare with\n");
        skip();
        return;
    }
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/graphs/peaks.tsv", folder);
    size_t bytes = 0;
    unsigned long long field[7] = {0};
    char *table = file_bytes(path, &bytes);
    assert_non_null(table);
    find_peaks(table, "onnx-resnet50", field);
    hw_graph *g = test_instance("nets:net=resnet50", 0);
    assert_int_equal(g->n_nodes, field[0]);
    assert_int_equal(hw_graph_resident_bytes(g) + 16, field[2]); /* a shape of 16 bytes */
    assert_int_equal(source_peak(g, HW_ALLOC_FIRST), field[3]);
    assert_int_equal(source_peak(g, HW_FREE_FIRST), field[4]);
    hw_graph_free(g);
    find_peaks(table, "train-gpt2-small-b4-t1024", field);
    g = test_instance("nets:net=gpt2,mode=training,batch=4,optimizer=adam", 0);
    assert_int_equal(g->n_nodes, field[0]);
    assert_int_equal(source_peak(g, HW_ALLOC_FIRST), field[3]);
    assert_int_equal(source_peak(g, HW_FREE_FIRST), field[4]);
    hw_graph_free(g);
    find_peaks(table, "onnx-inception-v1", field);
    g = test_instance("nets:net=inception-v1", 0);
    assert_int_equal(g->n_nodes + 1, field[0]); /* a dropout, which does nothing */
    assert_int_equal(hw_graph_resident_bytes(g) + 16, field[2]);
    hw_graph_free(g);
    free(table);
}

static uint32_t tensor_named(const hw_graph *g, const char *name)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (strcmp(hw_tensor_name(g, t), name) == 0)
            return t;
    fail_msg("no tensor %s", name);
    return 0;
}

/* Spot checks of shape arithmetic, by hand. */
static void test_shapes(void **state)
{
    (void)state;
    hw_graph *g = test_instance("nets:net=inception-v1", 0);
    assert_int_equal(g->tensor_size[tensor_named(g, "conv_1")], 112 * 112 * 64 * 4);
    assert_int_equal(g->tensor_size[tensor_named(g, "maxpool_1")], 56 * 56 * 64 * 4);
    assert_int_equal(g->tensor_size[tensor_named(g, "maxpool_2")], 28 * 28 * 192 * 4);
    assert_int_equal(g->tensor_size[tensor_named(g, "concat_1")], 28 * 28 * 256 * 4);
    assert_int_equal(g->tensor_size[tensor_named(g, "concat_9")], 7 * 7 * 1024 * 4);
    hw_graph_free(g);
    g = test_instance("nets:net=unet,resolution=64,batch=3", 0);
    assert_int_equal(g->tensor_size[tensor_named(g, "maxpool_4")], 3 * 4 * 4 * 512 * 4);
    assert_int_equal(g->tensor_size[tensor_named(g, "concat_1")], 3 * 8 * 8 * 1024 * 4);
    hw_graph_free(g);
    g = test_instance("nets:net=densenet121", 0);
    assert_int_equal(g->tensor_size[tensor_named(g, "averagepool_3")], 7 * 7 * 512 * 4);
    hw_graph_free(g);
    g = test_instance("nets:net=nasnet-a-reduction-cell", 0);
    assert_int_equal(g->tensor_size[tensor_named(g, "concat_1")], 14 * 14 * 4 * 88 * 4);
    hw_graph_free(g);
}

/* In training every weight has one gradient and one update, whatever the net;
 * the optimiser's state comes in and goes out once. */
static void test_training(void **state)
{
    (void)state;
    static const char *const net[] = {
        "inception-v1", "densenet121", "unet", "darts-cifar10", "nasnet-a-reduction-cell",
        "mobilenet-v2"};
    static const char *const optimizer[] = {"sgd", "momentum", "adam"};
    for (size_t i = 0; i < sizeof net / sizeof net[0]; i++)
        for (unsigned o = 0; o < 3; o++) {
            char spec[128];
            (void)snprintf(spec, sizeof spec, "nets:mode=training,net=%s,optimizer=%s", net[i],
                           optimizer[o]);
            hw_graph *g = test_instance(spec, 0);
            uint32_t weights = 0, updates = 0, outputs = 0;
            for (uint32_t v = 0; v < g->n_nodes; v++)
                updates += strstr(hw_node_name(g, v), ".update") != NULL;
            for (uint32_t t = 0; t < g->n_tensors; t++) {
                const char *name = hw_tensor_name(g, t);
                size_t n = strlen(name);
                weights +=
                    g->tensor_kind[t] == HW_INPUT &&
                    ((n > 2 && (!strcmp(name + n - 2, ".W") || !strcmp(name + n - 2, ".b"))) ||
                     (n > 6 && !strcmp(name + n - 6, ".gamma")) ||
                     (n > 5 && !strcmp(name + n - 5, ".beta")));
                outputs += g->tensor_kind[t] == HW_OUTPUT;
            }
            assert_true(weights > 0);
            assert_int_equal(updates, weights);
            assert_int_equal(outputs, weights * (o + 1) + 1); /* and the loss */
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),      cmocka_unit_test(test_peaks),
        cmocka_unit_test(test_shared_peaks), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_training),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
