/*
 * What an ONNX model may hold, one thing a test, with figures that follow from
 * the shapes written beside it.
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
#include "tests/support_onnx.h"

/* Weights among the inputs, as the first versions had them, and beside them, as later ones do. */
static void test_weights(void **state)
{
    static const char old[] = "ir 3\n"
                              "input x float 1,4\ninput w float 4,8\ninit w float 4,8\n"
                              "node MatMul x,w -> y\noutput y float 1,8\n";
    static const char later[] = "ir 8\n"
                                "input x float 1,4\ninit w float 4,8\ninit idle float 100\n"
                                "node MatMul x,w -> y\noutput y float 1,8\n";
    static const char given[] = "ir 8\n"
                                "input x float 1,4\ninput w float 4,8\ninit w float 4,8\n"
                                "node MatMul x,w -> y\noutput y float 1,8\n";
    const char *const models[] = {old, later, given};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        hw_import_report r = {0};
        hw_graph *g = onnx_graph(models[i], NULL, &r);
        assert_int_equal(g->n_tensors, 3);
        assert_int_equal(g->n_nodes, 1);
        onnx_expect_tensor(g, "x", 16, HW_INPUT);
        onnx_expect_tensor(g, "w", 128, HW_CONSTANT);
        onnx_expect_tensor(g, "y", 32, HW_OUTPUT);
        assert_int_equal(r.resident_bytes, 128);
        assert_int_equal(onnx_has_note(&r, "have a value in the file"), i == 2);
        hw_import_report_clear(&r);
        hw_graph_free(g);
    }
}

/* Names: of nodes their own, else of their first output; of the graph that of the file. */
static void test_names(void **state)
{
    hw_graph *g = onnx_graph("input x float 2\nnode Relu:first x -> a\nnode Abs a -> b\n"
                             "output b float 2\nvalue a float 2\n",
                             NULL, NULL);
    (void)state;
    assert_string_equal(hw_node_name(g, 0), "first");
    assert_string_equal(hw_node_op(g, 0), "Relu");
    assert_string_equal(hw_node_name(g, 1), "b");
    assert_string_equal(g->name, "test");
    hw_graph_free(g);
}

/* Constants and what is made of constants alone are resident, as far as somebody reads them. */
static void test_folding(void **state)
{
    static const char text[] = "input x float 1,16\n"
                               "init half float 16\n"
                               "node Constant - -> shape\ntensor value int64 1 = 16\n"
                               "node ConstantOfShape shape -> ones\n"
                               "value ones float 16\n"
                               "node Add ones,half -> sum\nvalue sum float 16\n" /* of constants */
                               "node Neg sum -> idle\nvalue idle float 16\n" /* nobody reads it */
                               "node Mul x,sum -> y\noutput y float 1,16\n";
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(text, NULL, &r);
    (void)state;
    assert_int_equal(g->n_nodes, 1);
    assert_int_equal(r.folded, 4);
    onnx_expect_tensor(g, "sum", 64, HW_CONSTANT);
    assert_int_equal(r.resident_bytes, 64); /* half and ones are gone with the addition */
    onnx_expect_inputs(g, "y", "x sum ");
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* Nodes without inputs: random ones do not fold, nor do operators that nobody knows. */
static void test_not_folded(void **state)
{
    hw_graph *g = onnx_graph("init w float 4\n"
                             "node RandomNormal - -> noise\nvalue noise float 4\n"
                             "node Sensor@acme - -> z\nvalue z float 4\n"
                             "node Blend@acme w -> u\nvalue u float 4\n"
                             "node RandomNormalLike w -> v\nvalue v float 4\n"
                             "node Sum noise,z,u,v -> y\noutput y float 4\n",
                             NULL, NULL);
    (void)state;
    assert_int_equal(g->n_nodes, 5);
    assert_true(g->node_flags[0] & HW_NODE_LOCKED);
    assert_false(g->node_flags[1] & HW_NODE_LOCKED);
    assert_int_equal(hw_graph_resident_bytes(g), 16);
    hw_graph_free(g);
}

/* Inputs left out, repeated ones, outputs that are consumed, dead ones, nodes out of order. */
static void test_shapes_of_use(void **state)
{
    static const char text[] = "input x float 8\ninput hi float -\n"
                               "node Add:late a,x -> b\n"
                               "node Clip x,_,hi -> a\n"
                               "node Mul b,b -> c\n"
                               "node Split:parts c -> d,_,e,f\nvalue d float 2\nvalue e float 2\n"
                               "value f float 2\nvalue a float 8\nvalue b float 8\n"
                               "output c float 8\noutput d float 2\n";
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(text, NULL, &r);
    (void)state;
    assert_false(g->source_order_legal_edges);
    onnx_expect_inputs(g, "a", "x hi ");
    onnx_expect_inputs(g, "c", "b b ");
    onnx_expect_tensor(g, "c", 32, HW_OUTPUT);
    onnx_expect_tensor(g, "e", 8, HW_ACTIVATION);
    assert_int_equal(g->outputs.offset[onnx_node_named(g, "parts") + 1] -
                         g->outputs.offset[onnx_node_named(g, "parts")],
                     3);
    assert_int_equal(r.dead_outputs, 2);
    assert_int_equal(onnx_pairs(g, "late"), 2); /* either operand */
    assert_int_equal(onnx_pairs(g, "c"), 1);    /* one tensor, named twice */
    assert_int_equal(onnx_pairs(g, "a"), 1);    /* a scalar is no place for eight */
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* Statistics of BatchNormalization and the mask of Dropout, which early inference passes over. */
static void test_dead_outputs(void **state)
{
    static const char text[] = "opset 7\n"
                               "input x float 1,4,8\n"
                               "init s float 4\ninit b float 4\ninit m float 4\ninit v float 4\n"
                               "node BatchNormalization:bn x,s,b,m,v -> y,m2,v2,m3,v3\n"
                               "value y float 1,4,8\n"
                               "node Dropout:drop y -> z,mask\nvalue z float 1,4,8\n"
                               "node Relu z -> out\noutput out float 1,4,8\n";
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(text, NULL, &r);
    (void)state;
    onnx_expect_tensor(g, "m3", 16, HW_ACTIVATION);
    onnx_expect_tensor(g, "mask", 128, HW_ACTIVATION);
    assert_int_equal(onnx_pairs(g, "bn"), 0); /* statistics of this batch: all of x comes first */
    assert_true(onnx_is_view(g, "drop"));
    assert_int_equal(r.dead_outputs, 5);
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* A Dropout whose mask is read makes something: it is no view. */
static void test_read_mask(void **state)
{
    hw_graph *g = onnx_graph("input x float 8\nnode Dropout:drop x -> z,mask\nvalue z float 8\n"
                             "value mask bool 8\n"
                             "node Where mask,z,z -> out\noutput out float 8\n",
                             NULL, NULL);
    (void)state;
    assert_false(onnx_is_view(g, "drop"));
    assert_int_equal(onnx_pairs(g, "drop"), 1);
    onnx_expect_tensor(g, "mask", 8, HW_ACTIVATION);
    hw_graph_free(g);
}

/* Dropout that is told to train is no identity, whatever reads its mask. */
static void test_training_mode(void **state)
{
    static const char *const modes[] = {"init t bool -",
                                        "node Constant - -> t\ntensor value bool -",
                                        "external t bool -", "input t bool -"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "input x float 8\ninit r float -\n%s\n"
                       "node Dropout:drop x,r,t -> y\noutput y float 8\n",
                       modes[i]);
        hw_graph *g = onnx_graph(text, NULL, NULL);
        assert_int_equal(onnx_is_view(g, "drop"), i < 2); /* false, twice; not known, twice */
        assert_int_equal((g->node_flags[0] & HW_NODE_LOCKED) != 0, i > 1);
        hw_graph_free(g);
    }
    for (int i = 0; i < 2; i++) {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "input x float 1,4,8\n"
                       "init s float 4\ninit b float 4\ninit m float 4\ninit v float 4\n"
                       "node BatchNormalization:bn x,s,b,m,v -> y\nint training_mode %d\n"
                       "output y float 1,4,8\n",
                       i);
        hw_graph *g = onnx_graph(text, NULL, NULL);
        assert_int_equal(onnx_pairs(g, "bn"), i ? 0 : 1);
        hw_graph_free(g);
    }
}

/* The output of a Constant needs no inference: its attribute tells its size. */
static void test_constants_alone(void **state)
{
    hw_graph *g = onnx_graph("input x float 2\n"
                             "node Constant - -> a\ntensor value float 5\n"
                             "node Constant - -> b\nints value_ints 7,8,9\n"
                             "node Constant - -> c\nint value_int 7\n"
                             "node Concat x,a,b,c -> y\noutput y float 11\n",
                             NULL, NULL);
    (void)state;
    onnx_expect_tensor(g, "a", 20, HW_CONSTANT);
    onnx_expect_tensor(g, "b", 24, HW_CONSTANT);
    onnx_expect_tensor(g, "c", 8, HW_CONSTANT);
    hw_graph_free(g);
}

/* A sum of hundreds: as many in-place choices as are kept, and a note. */
static void test_crowd(void **state)
{
    enum { INPUTS = 300 };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    hw_import_report r = {0};
    (void)state;
    assert_non_null(out);
    for (int i = 0; i < INPUTS; i++)
        (void)fprintf(out, "input x%d float 1\n", i);
    (void)fputs("node Sum:s ", out);
    for (int i = 0; i < INPUTS; i++)
        (void)fprintf(out, "%sx%d", i ? "," : "", i);
    (void)fputs(" -> y\noutput y float 1\n", out);
    assert_int_equal(fclose(out), 0);
    hw_graph *g = onnx_graph(text, NULL, &r);
    assert_int_equal(onnx_pairs(g, "s"), 256);
    assert_true(onnx_has_note(&r, "more than 256 inputs"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
    free(text);
}

/* Versions of the format and of the operators that came after the library at hand. */
static void test_later_versions(void **state)
{
    (void)state;
    if (onnx_cannot_infer())
        skip();
    hw_graph *g = onnx_graph(
        "ir 13\nopset 25\ninput x bfloat16 N,6\n"
        "node Gelu@com.microsoft x -> g\nvalue g bfloat16 2,6\n"
        "node Split g -> a,b\nint axis 1\nint num_outputs 2\n"
        "node Mul a,b -> y\noutput y bfloat16 2,3\n"
        "value a bfloat16 2,3\nvalue b bfloat16 2,3\n",
        &(hw_import_options){.dims = &(hw_dim){.name = "N", .value = 2}, .n_dims = 1}, NULL);
    onnx_expect_tensor(g, "a", 12, HW_ACTIVATION);
    hw_graph_free(g);
    g = onnx_graph("ir 13\nopset 25\ninput x float 2,6\nnode Relu x -> a\n"
                   "node Transpose a -> y\noutput y\n",
                   NULL, NULL);
    onnx_expect_tensor(g, "y", 48, HW_OUTPUT);
    hw_graph_free(g);
}

static void test_views(void **state)
{
    static const char text[] = "input x float 2,8\n"
                               "node Reshape:r x,shape -> a\nvalue a float 16\n"
                               "init shape int64 1 = 16\n"
                               "node Unsqueeze:u a,axis -> b\nvalue b float 1,16\n"
                               "init axis int64 1 = 0\n"
                               "node Transpose:t b -> c\nvalue c float 16,1\n"
                               "node Identity:i c -> out\noutput out float 16,1\n";
    static const char *const asked[] = {"transpose"};
    const hw_import_options options = {.views = asked, .n_views = 1};
    (void)state;
    for (int i = 0; i < 2; i++) {
        hw_graph *g = onnx_graph(text, i ? &options : NULL, NULL);
        assert_true(onnx_is_view(g, "r") && onnx_is_view(g, "u") && onnx_is_view(g, "i"));
        assert_int_equal(onnx_is_view(g, "t"), i);
        assert_int_equal(hw_graph_total_bytes(g), i ? 64 : 128);
        hw_graph_free(g);
    }
}

/* What makes another size than it reads is no view, whatever its type, asked for or not. */
static void test_no_views(void **state)
{
    static const char text[] = "input x float 2,8\ninput c bool -\nexternal shape int64 1\n"
                               "node Reshape:r x,shape -> a\nvalue a float 32\n"
                               "node Concat:k a,a -> b\nvalue b float 64\n"
                               "node If:if c -> y\ngraph then_branch\n"
                               " node Reshape x,shape -> t\n output t float 32\nend\n"
                               "graph else_branch\n"
                               " node Identity x -> e\n output e float 2,8\nend\n"
                               "output b float 64\noutput y float 32\n";
    static const char *const asked[] = {"Concat"};
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(text, &(hw_import_options){.views = asked, .n_views = 1}, &r);
    (void)state;
    assert_false(onnx_is_view(g, "r") || onnx_is_view(g, "k"));
    assert_int_equal(hw_node_workspace(g, onnx_node_named(g, "if")), 128);
    assert_true(onnx_has_note(&r, "make another size than they read"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* In place only where bytes and type agree. */
static void test_inplace(void **state)
{
    hw_graph *g = onnx_graph("input x float 8\ninput n int32 8\ninput s float 1,8\n"
                             "node Cast:cast x -> a\nvalue a int32 8\n"
                             "node Less:less x,s -> c\nvalue c bool 1,8\n"
                             "node Add:add a,n -> d\nvalue d int32 8\n"
                             "node Conv:conv s -> e\nvalue e float 1,8\n"
                             "node Max:max x,s,e -> f\nvalue f float 1,8\n"
                             "node Softmax:soft f -> h\noutput h float 1,8\noutput d\noutput c\n",
                             NULL, NULL);
    (void)state;
    assert_int_equal(onnx_pairs(g, "cast"), 0);
    assert_int_equal(onnx_pairs(g, "less"), 0);
    assert_int_equal(onnx_pairs(g, "add"), 2);
    assert_int_equal(onnx_pairs(g, "conv"), 0);
    assert_int_equal(onnx_pairs(g, "max"), 3);
    assert_int_equal(onnx_pairs(g, "soft"), 1);
    hw_graph_free(g);
}

/* An input that is an output stays to the end; a weight that is one is resident anyhow. */
static void test_outputs_that_nothing_makes(void **state)
{
    hw_import_report r = {0};
    hw_graph *g = onnx_graph("input x float 8\ninit w float 4\nnode Relu x -> y\n"
                             "output y float 8\noutput x float 8\noutput w float 4\n",
                             NULL, &r);
    hw_model *m = NULL;
    (void)state;
    assert_int_equal(g->n_nodes, 2);
    assert_int_equal(hw_graph_resident_bytes(g), 16);
    assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
    assert_int_equal(m->live_full, 64); /* x and y: x was not freed */
    assert_true(onnx_has_note(&r, "1 inputs are outputs too"));
    hw_model_free(m);
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* Sizes of types, by number; 7 elements. */
static void test_types(void **state)
{
    static const struct {
        const char *type;
        uint64_t bytes;
    } rows[] = {{"1", 28},  {"2", 7},   {"3", 7},   {"4", 14},  {"5", 14},  {"6", 28},  {"7", 56},
                {"9", 7},   {"10", 14}, {"11", 56}, {"12", 28}, {"13", 56}, {"14", 56}, {"15", 112},
                {"16", 14}, {"17", 7},  {"18", 7},  {"19", 7},  {"20", 7},  {"21", 4},  {"22", 4},
                {"23", 4},  {"24", 7},  {"25", 2},  {"26", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text,
                       "input x %s 7\nexternal w %s 7\nnode Sum x,w -> y\noutput y %s 7\n",
                       rows[i].type, rows[i].type, rows[i].type);
        hw_import_report r = {0};
        hw_graph *g = onnx_graph(text, NULL, &r);
        onnx_expect_tensor(g, "x", rows[i].bytes, HW_INPUT);
        onnx_expect_tensor(g, "w", rows[i].bytes, HW_CONSTANT);
        assert_true(onnx_has_note(&r, "1 weights lie in other files"));
        hw_import_report_clear(&r);
        hw_graph_free(g);
    }
}

static void test_sparse(void **state)
{
    hw_import_report r = {0};
    hw_graph *g = onnx_graph("input x float 1,100\nsparse w float 100,100 5\n"
                             "node MatMul x,w -> y\noutput y float 1,100\n",
                             NULL, &r);
    (void)state;
    onnx_expect_tensor(g, "w", 5 * 4 + 5 * 8, HW_CONSTANT);
    assert_true(onnx_has_note(&r, "sparse"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* A tensor without elements is one of 0 bytes. */
static void test_empty_tensor(void **state)
{
    hw_graph *g = onnx_graph("input x float 1,4\ninit roi float 0\ninit scales float 2\n"
                             "node Resize x,roi,scales -> y\noutput y float 2,4\n",
                             NULL, NULL);
    (void)state;
    onnx_expect_tensor(g, "roi", 0, HW_CONSTANT);
    hw_graph_free(g);
}

/* What is missing is inferred, in any order of the nodes, after dimensions have their values. */
static void test_dims(void **state)
{
    static const char text[] = "input x float N,3,8,8\n"
                               "node Relu a -> b\n"
                               "node Conv x,w -> a\ninit w float 64,3,3,3\n"
                               "output b float N,64,6,6\n";
    hw_dim dims[] = {{.name = "N", .value = 5}};
    hw_import_options options = {.dims = dims, .n_dims = 1};
    (void)state;
    if (onnx_cannot_infer())
        skip();
    hw_graph *g = onnx_graph(text, &options, NULL);
    onnx_expect_tensor(g, "x", UINT64_C(4) * 5 * 3 * 8 * 8, HW_INPUT);
    onnx_expect_tensor(g, "a", UINT64_C(4) * 5 * 64 * 6 * 6, HW_ACTIVATION);
    onnx_expect_tensor(g, "b", UINT64_C(4) * 5 * 64 * 6 * 6, HW_OUTPUT);
    hw_graph_free(g);
}

/* Dimensions without a name have one: of the input and the place. */
static void test_unnamed_dims(void **state)
{
    hw_dim dims[] = {{.name = "x[0]", .value = 2}, {.name = "x[1]", .value = 3}};
    const hw_import_options options = {.dims = dims, .n_dims = 2};
    (void)state;
    if (onnx_cannot_infer())
        skip();
    hw_graph *g =
        onnx_graph("input x float ?,-1\nnode Relu x -> y\noutput y float ?,?\n", &options, NULL);
    onnx_expect_tensor(g, "y", 24, HW_OUTPUT);
    hw_graph_free(g);
}

/* Where an input says 0 for a dimension that is not known, a 0 elsewhere is no size either. */
static void test_dims_of_nothing(void **state)
{
    hw_dim dims[] = {{.name = "x[0]", .value = 4}};
    const hw_import_options options = {.dims = dims, .n_dims = 1};
    static const char *const texts[] = {
        "input x float 0,3\nnode Relu x -> a\nvalue a float 0,3\nnode Neg a -> y\n"
        "output y float 0,3\n",
        "input x float -1,3\nnode Relu x -> a\nvalue a float -1,3\nnode Neg a -> y\n"
        "output y float -1,3\n"};
    (void)state;
    if (onnx_cannot_infer())
        skip();
    for (int i = 0; i < 2; i++) {
        hw_graph *g = onnx_graph(texts[i], &options, NULL);
        onnx_expect_tensor(g, "a", 48, HW_ACTIVATION);
        onnx_expect_tensor(g, "y", 48, HW_OUTPUT);
        hw_graph_free(g);
    }
}

/* Symbols that the inference makes up can be given values too; then more follows. */
static void test_made_up_dims(void **state)
{
    static const char text[] = "input x float 10\n"
                               "node NonZero x -> places\n" /* as many as there are */
                               "node Cast places -> c\nint to 1\n"
                               "node Relu c -> y\noutput y float 1,M\n";
    hw_error err = {0};
    hw_graph *g = NULL;
    size_t n;
    (void)state;
    if (onnx_cannot_infer())
        skip();
    char *bytes = onnx_bytes(text, &n);
    assert_int_equal(onnx_read(bytes, n, NULL, NULL, &g, &err), HW_BAD_INPUT);
    char *name = strstr(err.message, "--dim '");
    assert_non_null(name);
    name += strlen("--dim '");
    *strchr(name, '=') = '\0';
    hw_dim dims[] = {{.name = name, .value = 4}, {.name = "M", .value = 4}};
    const hw_import_options options = {.dims = dims, .n_dims = 2};
    hw_error again = {0};
    if (onnx_read(bytes, n, &options, NULL, &g, &again) != HW_OK)
        fail_msg("%s; %s", name, again.message);
    onnx_expect_tensor(g, "places", 32, HW_ACTIVATION);
    onnx_expect_tensor(g, "y", 16, HW_OUTPUT);
    hw_graph_free(g);
    free(bytes);
}

static void test_training(void **state)
{
    hw_import_report r = {0};
    hw_graph *g =
        onnx_graph("training\ninput x float 4\nnode Relu x -> y\noutput y float 4\n", NULL, &r);
    (void)state;
    assert_true(onnx_has_note(&r, "training"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_folding),
        cmocka_unit_test(test_not_folded),
        cmocka_unit_test(test_shapes_of_use),
        cmocka_unit_test(test_dead_outputs),
        cmocka_unit_test(test_read_mask),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_no_views),
        cmocka_unit_test(test_training_mode),
        cmocka_unit_test(test_constants_alone),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_later_versions),
        cmocka_unit_test(test_inplace),
        cmocka_unit_test(test_outputs_that_nothing_makes),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_empty_tensor),
        cmocka_unit_test(test_dims),
        cmocka_unit_test(test_unnamed_dims),
        cmocka_unit_test(test_dims_of_nothing),
        cmocka_unit_test(test_made_up_dims),
        cmocka_unit_test(test_training),
    };
    if (!hw_onnx_readable) {
        printf("1..0 # SKIP built without ONNX\n");
        return 0;
    }
    return cmocka_run_group_tests_name("import_onnx_parts", tests, NULL, NULL) != 0;
}
