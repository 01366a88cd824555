/*
 * ONNX models with graphs inside of nodes and with functions of their own.
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

/* The larger branch, alone, in the order of the file: 4 + 8 floats at its peak. */
static const char branches[] = "input x float 4\ninput c bool -\n"
                               "init w float 4\n"
                               "node Relu x -> a\nvalue a float 4\n"
                               "node If:if c -> y\n"
                               "graph then_branch\n"
                               " node Relu a -> t\n output t float 4\n"
                               "end\n"
                               "graph else_branch\n"
                               " init u float 4\n"
                               " node Concat a,w -> wide\n value wide float 8\n"
                               " node Reduce wide,u -> e\n output e float 4\n"
                               "end\n"
                               "node Add:last y,a -> z\nvalue y float 4\noutput z float 4\n";

static void test_branches(void **state)
{
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(branches, NULL, &r);
    uint32_t v = onnx_node_named(g, "if");
    (void)state;
    assert_int_equal(g->n_nodes, 3);
    assert_int_equal(hw_node_workspace(g, v), 32 + 16);
    onnx_expect_inputs(g, "if", "c a a w u ");
    assert_int_equal(r.resident_bytes, 32);
    assert_true(onnx_has_note(&r, "2 graphs inside of nodes"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

/* A graph in a graph in a graph; what it reads far outside goes through all of them. */
static void test_nested(void **state)
{
    static const char text[] = "input x float 4\ninput c bool -\n"
                               "node If:outer c -> y\n"
                               "graph then_branch\n"
                               " node Relu x -> p\n value p float 4\n"
                               " node If:inner c -> q\n"
                               " graph then_branch\n"
                               "  node RandomNormalLike x -> n1\n value n1 float 4\n"
                               "  node Concat n1,p -> n2\n value n2 float 8\n"
                               "  node Reduce n2 -> n3\n output n3 float 4\n"
                               " end\n"
                               " graph else_branch\n"
                               "  node Neg p -> m\n output m float 4\n"
                               " end\n"
                               " value q float 4\n"
                               " node Add p,q -> s\n output s float 4\n"
                               "end\n"
                               "graph else_branch\n"
                               " node Abs x -> t\n output t float 4\n"
                               "end\n"
                               "output y float 4\n";
    hw_graph *g = onnx_graph(text, NULL, NULL);
    (void)state;
    assert_int_equal(g->n_nodes, 1);
    /* inner: n2 and n3, or n1 and n2: 48; outer: p, q and inner's 48 */
    assert_int_equal(hw_node_workspace(g, 0), 16 + 16 + 48);
    onnx_expect_inputs(g, "outer", "c x c x ");
    assert_true(g->node_flags[0] & HW_NODE_LOCKED); /* it draws random numbers inside */
    hw_graph_free(g);
}

/* What folds away inside of a branch leaves one constant, the result. */
static void test_constants_of_branches(void **state)
{
    hw_graph *g = onnx_graph("input c bool -\ninit w float 4\ninput x float 4\n"
                             "node If:if c -> y\n"
                             "graph then_branch\n"
                             " node Neg w -> n\n value n float 4\n"
                             " node Add n,x -> t\n output t float 4\n"
                             "end\n"
                             "graph else_branch\n"
                             " node Constant - -> k\n tensor value float 4\n value k float 4\n"
                             " node Identity k -> e\n output e float 4\n"
                             "end\n"
                             "output y float 4\n",
                             NULL, NULL);
    (void)state;
    onnx_expect_inputs(g, "if", "c x n e ");
    assert_int_equal(hw_graph_resident_bytes(g), 32);
    hw_graph_free(g);
}

/* A loop: its body's own inputs live as long as they are read. */
static void test_loop(void **state)
{
    static const char text[] = "input n int64 -\ninput go bool -\ninput v float 100\n"
                               "node Loop:loop n,go,v -> last\n"
                               "graph body\n"
                               " input i int64 -\n input on bool -\n input in float 100\n"
                               " node Mul in,in -> sq\n value sq float 100\n"
                               " node Add sq,in -> out\n"
                               " output on bool -\n output out float 100\n"
                               "end\n"
                               "output last float 100\n";
    hw_graph *g = onnx_graph(text, NULL, NULL);
    (void)state;
    /* i is read by nobody; on 1; Mul: in + sq; Add: in + sq, in place */
    assert_int_equal(hw_node_workspace(g, 0), 1 + 400 + 400);
    hw_graph_free(g);
}

/* Functions of the model stand for their nodes. */
static void test_functions(void **state)
{
    static const char text[] =
        "input x float 4\n"
        "function Twice@own a -> b\n"
        " node Once@own a -> m\n"
        " node Once@own m -> b\n"
        "end\n"
        "function Once@own p -> q\n"
        " node Relu p -> t\n"
        " node Neg t -> q\n"
        "end\n"
        "node Twice:first@own x -> y\nnode Once:second@own y -> z\noutput z float 4\n";
    (void)state;
    if (onnx_cannot_infer())
        skip();
    hw_import_report r = {0};
    hw_graph *g = onnx_graph(text, NULL, &r);
    assert_int_equal(g->n_nodes, 6);
    for (uint32_t v = 0; v < 6; v++)
        assert_string_equal(hw_node_op(g, v), v % 2 ? "Neg" : "Relu");
    onnx_expect_tensor(g, "y", 16, HW_ACTIVATION);
    assert_true(onnx_has_note(&r, "functions"));
    hw_import_report_clear(&r);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_constants_of_branches),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_functions),
    };
    if (!hw_onnx_readable) {
        printf("1..0 # SKIP built without ONNX\n");
        return 0;
    }
    return cmocka_run_group_tests_name("import_onnx_inside", tests, NULL, NULL) != 0;
}
