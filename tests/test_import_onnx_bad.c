/*
 * Damaged and hostile ONNX models: an error that names the file, the cause and
 * mostly the cure, or a graph that holds together; never anything else.
 * Under the sanitizers this is also a test of every access.
 *
 * HW_ONNX_FLIPS: flips and cuts of each large model (20).
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

#include "core/rng.h"
#include "import/onnx.h"
#include "model/check.h"
#include "tests/support_io.h"
#include "tests/support_onnx.h"
#include "support_sanitized.h"

/* With every kind of thing in it, and every shape, so that nothing is inferred. */
static const char small[] = "input x int8 1,2\ninput c bool -\n"
                            "init w int8 2,2\ninit s int64 2 = 2 1\n"
                            "node MatMul:m x,w -> a\nvalue a int8 1,2\n"
                            "node Reshape a,s -> b\nvalue b int8 2,1\n"
                            "node If c -> d\n"
                            "graph then_branch\n node Relu b -> t\n output t int8 2,1\nend\n"
                            "graph else_branch\n node Neg b -> e\n output e int8 2,1\nend\n"
                            "output d int8 2,1\n";

/* Read; what comes is an error with a message, or a graph whose source order can be judged. */
static hw_code attempt(const char *bytes, size_t n, hw_error *err)
{
    hw_graph *g = NULL;
    *err = (hw_error){0};
    hw_code code = onnx_read(bytes, n, NULL, NULL, &g, err);
    if (code != HW_OK) {
        assert_null(g);
        assert_true(code == HW_BAD_INPUT);
        assert_true(strncmp(err->message, "test.onnx: ", 11) == 0);
        assert_true(strlen(err->message) > 20);
        return code;
    }
    uint32_t *order = malloc(sizeof *order * (g->n_nodes + (size_t)1));
    hw_check check;
    assert_non_null(order);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        order[v] = v;
    assert_int_equal(hw_check_order(g, false, false, order, g->n_nodes, &check, NULL), HW_OK);
    assert_true(check.verdict == HW_ORDER_LEGAL || !g->source_order_legal_edges);
    free(order);
    hw_graph_free(g);
    return HW_OK;
}

static void expect_bad(const char *text, const char *part)
{
    size_t n;
    hw_error err;
    char *bytes = onnx_bytes(text, &n);
    if (attempt(bytes, n, &err) == HW_OK)
        fail_msg("taken, but '%s' was expected", part);
    if (!strstr(err.message, part))
        fail_msg("'%s' is not in: %s", part, err.message);
    free(bytes);
}

static void test_cuts(void **state)
{
    size_t n;
    hw_error err;
    char *bytes = onnx_bytes(small, &n);
    (void)state;
    assert_int_equal(attempt(bytes, n, &err), HW_OK);
    for (size_t i = 0; i < n; i++)
        if (attempt(bytes, i, &err) == HW_OK)
            fail_msg("the first %zu of %zu bytes were taken", i, n);
    free(bytes);
}

static void test_flips(void **state)
{
    size_t n, taken = 0, refused = 0;
    hw_error err;
    char *bytes = onnx_bytes(small, &n);
    (void)state;
    for (size_t i = 0; i < 8 * n; i++) {
        bytes[i / 8] ^= (char)(1 << i % 8);
        if (attempt(bytes, n, &err) == HW_OK)
            taken++;
        else
            refused++;
        bytes[i / 8] ^= (char)(1 << i % 8);
    }
    /* Data of weights and letters of names are most of the model; structure is the rest. */
    assert_true(taken > n && refused > n);
    free(bytes);
}

/* Every byte becomes each of a few that mean much on the wire. */
static void test_bytes(void **state)
{
    static const unsigned char much[] = {0x00, 0x80, 0xff};
    size_t n;
    hw_error err;
    char *bytes = onnx_bytes(small, &n);
    (void)state;
    for (size_t i = 0; i < n; i++) {
        char before = bytes[i];
        for (size_t k = 0; k < sizeof much; k++) {
            bytes[i] = (char)much[k];
            (void)attempt(bytes, n, &err);
        }
        bytes[i] = before;
    }
    assert_int_equal(attempt(bytes, n, &err), HW_OK);
    free(bytes);
}

static void test_large_models(void **state)
{
    static const char *const models[] = {"onnx/light_squeezenet.onnx", "onnx/light_resnet50.onnx",
                                         "onnx/light_inception_v1.onnx",
                                         "onnx/light_shufflenet.onnx"};
    const char *shared = getenv("HW_SHARED"), *flips = getenv("HW_ONNX_FLIPS");
    uint64_t wanted = flips ? strtoull(flips, NULL, 10) : FEWER(20), refused = 0;
    (void)state;
    if (!shared)
        skip();
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        char *path = path_in(shared, models[i]);
        size_t n;
        char *bytes = file_bytes(path, &n);
        gsl_rng *rng = hw_rng_new(i + 1);
        hw_error err;
        assert_non_null(bytes);
        assert_non_null(rng);
        for (uint64_t k = 0; k < wanted; k++) {
            size_t at = (size_t)hw_rng_below(rng, n);
            char before = bytes[at];
            bytes[at] ^= (char)(1 << hw_rng_below(rng, 8));
            refused += attempt(bytes, n, &err) != HW_OK;
            bytes[at] = before;
            /* A cut behind the graph is the only one that could be borne. */
            assert_int_equal(attempt(bytes, at, &err), HW_BAD_INPUT);
        }
        gsl_rng_free(rng);
        free(bytes);
        free(path);
    }
    assert_true(refused > 0);
}

/* Graphs in graphs, functions that call functions: depth and numbers without end. */
static void test_depth(void **state)
{
    enum { DEEP = 200 };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    (void)fputs("input c bool -\ninput x float 4\n", out);
    for (int i = 0; i < DEEP; i++)
        (void)fputs("node If c -> y\ngraph then_branch\n", out);
    (void)fputs("node Relu x -> y\noutput y float 4\n", out);
    for (int i = 0; i < DEEP; i++)
        (void)fputs("end\noutput y float 4\n", out);
    assert_int_equal(fclose(out), 0);
    expect_bad(text, "nested more than 100 deep");
    free(text);
    expect_bad("input x float 4\nfunction F@d a -> b\n node F@d a -> b\nend\n"
               "node F@d x -> y\noutput y float 4\n",
               "calls itself");
    expect_bad("input x float 4\n"
               "function A@d a -> b\n node Abs a -> b\nend\n"
               "function Z@d a -> a\n node Abs a -> c\nend\n"
               "node Z@d x -> y\noutput y float 4\n",
               "hands its input 'a' back");
}

/* 10^10 nodes from three thousand bytes: each function calls the one before ten times. */
static void test_multiplying(void **state)
{
    enum { LEVELS = 10 };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    (void)state;
    assert_non_null(out);
    (void)fputs("input x float 4\n", out);
    for (int i = 0; i < LEVELS; i++) {
        (void)fprintf(out, "function F%d@d a -> k\n", i);
        for (int k = 0; k < 10; k++) {
            if (i)
                (void)fprintf(out, " node F%d@d %c -> %c\n", i - 1, 'a' + k, 'b' + k);
            else
                (void)fprintf(out, " node Abs %c -> %c\n", 'a' + k, 'b' + k);
        }
        (void)fputs("end\n", out);
    }
    (void)fprintf(out, "node F%d@d x -> y\noutput y float 4\n", LEVELS - 1);
    assert_int_equal(fclose(out), 0);
    expect_bad(text, "more nodes than a model can have");
    free(text);
}

static void test_names(void **state)
{
    (void)state;
    expect_bad("input x float 4\nnode Relu x -> y\nnode Neg x -> y\noutput y float 4\n",
               "'y' is made twice");
    expect_bad("input x float 4\nnode Relu x -> x\noutput x float 4\n", "'x' is made twice");
    expect_bad("input x float 4\ninput x float 4\nnode Relu x -> y\noutput y float 4\n",
               "two inputs 'x'");
    expect_bad("input x float 4\ninit w float 4\ninit w float 4\nnode Add x,w -> y\n"
               "output y float 4\n",
               "two initializers 'w'");
    expect_bad("input x float 4\nnode Add x,ghost -> y\noutput y float 4\n",
               "'ghost', which nothing makes");
    expect_bad("input x float 4\nnode Relu x -> y\noutput z float 4\n",
               "output 'z' is made by no node");
    expect_bad("input c bool -\nnode If:n c -> y\ngraph then_branch\n node Relu ghost -> t\n"
               " output t float 4\nend\noutput y float 4\n",
               "in node 'n', then_branch: node 't' reads the tensor 'ghost'");
    expect_bad("input x float 4\n", "no nodes");
    expect_bad("", "no nodes");
}

static void test_cycles(void **state)
{
    (void)state;
    expect_bad("input x float 4\nnode Add:n x,b -> a\nnode Relu:m a -> b\noutput a float 4\n"
               "value b float 4\n",
               "waits for its own outputs");
    expect_bad("input x float 4\nnode Add:n x,a -> a\noutput a float 4\n",
               "node 'n' waits for its own outputs");
    /* through what a branch reads outside */
    expect_bad("input c bool -\nnode If:n c -> y\n"
               "graph then_branch\n node Relu z -> t\n output t float 4\nend\n"
               "node Neg:m y -> z\nvalue z float 4\noutput y float 4\n",
               "waits for its own outputs");
    /* inside of a branch */
    expect_bad("input c bool -\nnode If:n c -> y\n"
               "graph then_branch\n node Relu u -> t\n node Relu t -> u\n value u float 4\n"
               " output t float 4\nend\noutput y float 4\n",
               "waits for its own outputs");
}

static void test_sizes(void **state)
{
    (void)state;
    expect_bad("input x float 4\nvalue a float -3,4\nnode Relu x -> a\nnode Neg a -> y\n"
               "output y float 4\n",
               "'a' has the dimension -3 at place 0");
    expect_bad("input x float -1,4\nnode Relu x -> y\noutput y float 1,4\n", "--dim 'x[0]=N'");
    expect_bad("input x float 4611686018427387904\nnode Relu x -> y\n"
               "output y float 4611686018427387904\n",
               "more than 2^63 - 1 bytes");
    expect_bad("input x float 4294967296,4294967296,4294967296\nnode Relu x -> y\n"
               "output y float 1\n",
               "more than 2^63 - 1 bytes");
    expect_bad("input x float 2305843009213693951\ninput z float 2305843009213693951\n"
               "input u float 2305843009213693951\nnode Sum x,z,u -> y\noutput y float 1\n",
               "2^64");
    expect_bad("input x float 4\nbare w float 1000000000\nnode Add x,w -> y\noutput y float 4\n",
               "has a shape but no data");
    expect_bad("input x float 4\nbare w float 1000000000,1000000000,1000000000\n"
               "node Add x,w -> y\noutput y float 4\n",
               "more than 2^63 - 1 bytes");
    expect_bad("input x float 4\nexternal w float -4\nnode Add x,w -> y\noutput y float 4\n",
               "dimension below 0");
    expect_bad("input x float 4\ninit w int64 3 = 1 2\nnode Add x,w -> y\noutput y float 4\n",
               "data that its shape does not fit");
}

/* A shape of 10^9 dimensions is no shape: what is made of it stays unknown. */
static void test_absurd_rank(void **state)
{
    (void)state;
    expect_bad("input x float 4\nexternal s int64 1000000000\nnode Reshape x,s -> y\noutput y\n",
               "no size");
    expect_bad("external s int64 1000000000\nnode ConstantOfShape s -> y\nnode Relu y -> z\n"
               "output z\n",
               "no size");
}

static void test_types(void **state)
{
    (void)state;
    expect_bad("input x string 4\nnode Identity x -> y\noutput y string 4\n", "strings");
    expect_bad("input x 99 4\nnode Identity x -> y\noutput y 99 4\n", "element type 99");
    expect_bad("input x float 4\nexternal w 99 4\nnode Add x,w -> y\noutput y float 4\n",
               "unknown element type");
    expect_bad("input x float 4\nexternal w 0 4\nnode Add x,w -> y\noutput y float 4\n",
               "no element type");
    expect_bad("anything x 4\nnode Length x -> y\noutput y int64 -\n", "is a sequence");
    expect_bad("anything x 5\nnode Length x -> y\noutput y int64 -\n", "is a map");
    expect_bad("anything x 9\nnode Length x -> y\noutput y int64 -\n", "is an optional");
    expect_bad("input x float none\nnode Unheard x -> y\noutput y float 4\n", "of unknown shape");
    expect_bad("input x float 4\nnode Unheard x -> y\noutput y\n",
               "'y' of Unheard of unknown type and shape: give all tensors shapes");
    expect_bad("input x float 4\nnode Unheard x -> y\noutput y float none\n",
               "'y' of Unheard float of unknown shape: give");
}

/* Dimensions that are not there, asked for. */
static void test_unknown_dims(void **state)
{
    static const char *const names[][2] = {{"batsh", "did you mean 'batch'"},
                                           {"zzzzzz", "no dimension 'zzzzzz'"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        hw_dim dims[] = {{.name = "batch", .value = 2}, {.name = names[i][0], .value = 1}};
        const hw_import_options options = {.dims = dims, .n_dims = 2};
        hw_graph *g = NULL;
        hw_error err = {0};
        size_t n;
        char *bytes =
            onnx_bytes("input x float batch,4\nnode Relu x -> y\noutput y float batch,4\n", &n);
        assert_int_equal(onnx_read(bytes, n, &options, NULL, &g, &err), HW_USAGE);
        assert_non_null(strstr(err.message, names[i][1]));
        assert_null(g);
        free(bytes);
    }
}

/* Lengths and counts that no file could hold are refused as they are met. */
static void test_wire(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *part;
    } rows[] = {
        {"\x08\x08\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 12, "truncated"},
        {"\x08\x08\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 13, "runs over"},
        {"\x08\x08\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 13, "64 bits"},
        {"\x08\x08\x3a\xff\xff\xff\x7f", 7, "truncated"},
        {"\x08\x08\x3a\x02\x0a\x05", 6, "runs over the end of its message"},
        {"\x08\x08\x3b\x00", 4, "no field of protobuf"},
        {"\x08\x08\x07", 3, "no field of protobuf"},
        {"\x08\x08\x02\x00", 4, "no field of protobuf"},
        {"\x0a\x01\x08", 3, "not of the type"},
        {"\x08\x08\x3a\x00\x3a\x00", 6, "stands twice"},
        {"\x08\x08\x12\x03\x61\x00\x62", 7, "NUL"},
        {"\x08\x08\x12\x02\xc0\xaf", 6, "UTF-8"},
        {"\x08\x08", 2, "holds no graph"},
        {"", 0, "holds no graph"},
    };
    hw_error err;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (attempt(rows[i].bytes, rows[i].n, &err) == HW_OK || !strstr(err.message, rows[i].part))
            fail_msg("row %zu: '%s' is not in: %s", i, rows[i].part, err.message);
    }
}

/* Half a million empty nodes in a megabyte. */
static void test_many_empty_nodes(void **state)
{
    enum { NODES = 500000 };
    char *bytes = malloc(2 * NODES + 16);
    size_t n = 0;
    hw_error err;
    (void)state;
    assert_non_null(bytes);
    memcpy(bytes, "\x08\x08\x42\x02\x10\x0d\x3a\xc0\x84\x3d", 10);
    n = 10;
    for (int i = 0; i < NODES; i++) {
        bytes[n++] = 0x0a;
        bytes[n++] = 0x00;
    }
    assert_int_equal(attempt(bytes, n, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "has no operator type"));
    free(bytes);
}

/* What is an ONNX model and what is not. */
static void test_tell(void **state)
{
    static const char *const others[] = {"{\"format\":\"highwater-graph\"}",
                                         "p highwater 1 2\n",
                                         "3 2\n1 2 3\n",
                                         "digraph g {}",
                                         "<graphml/>",
                                         "id,lower,upper,size\n",
                                         "",
                                         ":\nBrrr",
                                         "(((((",
                                         "\"\"\"",
                                         "\x08",
                                         "\x08\x08\x08\x08",
                                         "\x00\x00\x00"};
    size_t n;
    char *bytes = onnx_bytes(small, &n);
    (void)state;
    assert_true(hw_onnx_tell(bytes, n, true));
    assert_true(hw_onnx_tell(bytes, 20, false));
    assert_true(hw_onnx_tell(bytes, n - 1, true)); /* cut: read, and refused with the reason */
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(hw_onnx_tell(others[i], strlen(others[i]), true));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts),  cmocka_unit_test(test_flips),
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_large_models),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_multiplying),
        cmocka_unit_test(test_names), cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_absurd_rank),
        cmocka_unit_test(test_types), cmocka_unit_test(test_unknown_dims),
        cmocka_unit_test(test_wire),  cmocka_unit_test(test_many_empty_nodes),
        cmocka_unit_test(test_tell),
    };
    if (!hw_onnx_readable) {
        printf("1..0 # SKIP built without ONNX\n");
        return 0;
    }
    return cmocka_run_group_tests_name("import_onnx_bad", tests, NULL, NULL) != 0;
}
