/*
 * Steps of transform: what each does to small graphs by hand, laws that hold
 * on random ones, and what is refused, with its reason.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/support_draft.h"
#include "tests/support_io.h"
#include "tests/support_solve.h"
#include "transform/record.h"
#include "transform/relabel.h"
#include "transform/steps.h"

enum { GRAPHS = 400 };

static hw_graph *parse(const char *text)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (parse_text(text, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    return g;
}

/* The graph after a step; g is freed. */
static hw_graph *after(hw_graph *g, const char *text)
{
    hw_operators *operators = hw_operators_new();
    hw_step_context context = {.operators = operators, .seed = 5};
    hw_step step;
    hw_graph *out = NULL;
    hw_error err = {0};
    if (hw_step_parse(text, &step, &err) || hw_step_run(&step, g, &context, &out, &err))
        fail_msg("%s: %s", text, err.message);
    hw_operators_free(operators);
    hw_graph_free(g);
    return out;
}

static void becomes(const char *from, const char *step, const char *wanted)
{
    hw_graph *g = after(parse(from), step);
    size_t n;
    char *bytes = graph_bytes(g, HW_FORMAT_LINE, &n);
    assert_string_equal(bytes, wanted);
    free(bytes);
    hw_graph_free(g);
}

static void test_fuse_by_hand(void **state)
{
    (void)state;
    /* convolution, bias, activation; the workspace of the greediest; the tail's id and name */
    becomes("p highwater 1 5 3 0\nt 0 8 i\nt 1 3 c\nt 2 8 a\nt 3 8 a\nt 4 8 o\n"
            "v 7 0,1 > 2 workspace=5 op=Conv name=a\nv 8 2,1 > 3 workspace=2 op=Add\n"
            "v 9 3 > 4 op=Relu name=c\n",
            "fuse",
            "p highwater 1 3 1 0\nt 0 8 i\nt 1 3 c\nt 4 8 o\n"
            "v 9 0,1 > 4 workspace=5 op=Conv+Add+Relu name=c\n");
    /* the other operand of the addition is no constant: on request alone */
    const char *residual = "p highwater 1 4 2 0\nt 0 8 i\nt 1 8 i\nt 2 8 a\nt 3 8 o\n"
                           "v 0 0 > 2 op=Conv\nv 1 2,1 > 3 inplace=1:3,2:3 op=Add\n";
    becomes(residual, "fuse", residual);
    becomes(
        residual, "fuse:residual=yes",
        "p highwater 1 3 1 0\nt 0 8 i\nt 1 8 i\nt 3 8 o\nv 1 0,1 > 3 inplace=1:3 op=Conv+Add\n");
    /* a view inside is passed over, at the ends it stays; pairs do not reach through it */
    becomes("p highwater 1 5 4 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 a\nt 4 8 o\n"
            "v 0 0 > 1 inplace=0:1 op=Relu\nv 1 1 > 2 view op=Reshape\n"
            "v 2 2 > 3 inplace=2:3 op=Relu\nv 3 3 > 4 view op=Reshape\n",
            "fuse",
            "p highwater 1 3 2 0\nt 0 8 i\nt 3 8 a\nt 4 8 o\nv 2 0 > 3 op=Relu+Reshape+Relu\n"
            "v 3 3 > 4 view op=Reshape\n");
    /* in place all the way */
    becomes("p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
            "v 0 0 > 1 inplace=0:1 op=Relu\nv 1 1 > 2 inplace=1:2 op=Relu\n"
            "v 2 2 > 3 inplace=2:3 op=Relu\n",
            "fuse",
            "p highwater 1 2 1 0\nt 0 8 i\nt 3 8 o\nv 2 0 > 3 inplace=0:3 op=Relu+Relu+Relu\n");
    /* at most two a group */
    becomes("p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
            "v 1 1 > 2 op=Relu\nv 2 2 > 3 op=Relu\n",
            "fuse:most=2",
            "p highwater 1 3 2 0\nt 0 8 i\nt 2 8 a\nt 3 8 o\nv 1 0 > 2 op=Relu+Relu\n"
            "v 2 2 > 3 op=Relu\n");
    /* attention, on request: the scores vanish */
    const char *heads = "p highwater 1 6 3 0\nt 0 8 i\nt 1 8 i\nt 2 8 i\nt 3 64 a\nt 4 64 a\n"
                        "t 5 8 o\nv 0 0,1 > 3 op=MatMul\nv 1 3 > 4 inplace=3:4 op=Softmax\n"
                        "v 2 4,2 > 5 op=MatMul\n";
    becomes(heads, "fuse", heads);
    becomes(heads, "fuse:attention=yes",
            "p highwater 1 4 1 0\nt 0 8 i\nt 1 8 i\nt 2 8 i\nt 5 8 o\n"
            "v 2 0,1,2 > 5 op=MatMul+Softmax+MatMul\n");
    /* two branches run into one addition: the later one goes on */
    becomes("p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
            "v 1 0 > 2 op=Tanh\nv 2 1,2 > 3 op=Add\n",
            "fuse",
            "p highwater 1 3 2 0\nt 0 8 i\nt 1 8 a\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
            "v 2 0,1 > 3 op=Tanh+Add\n");
}

/* What stands in the way of a fusion: each graph comes out as it went in. */
static void test_not_fused(void **state)
{
    (void)state;
    static const char *const graphs[] = {
        /* a second reader */
        "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 o\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2 op=Relu\nv 2 1 > 3 op=Softmax\n",
        /* the tensor between is kept */
        "p highwater 1 3 2 0\nt 0 8 i\nt 1 8 o\nt 2 8 o\nv 0 0 > 1 op=Relu\nv 1 1 > 2 op=Relu\n",
        /* locked */
        "p highwater 1 3 2 0\nt 0 8 i\nt 1 8 a\nt 2 8 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2 locked op=Relu\n",
        /* has to work in place */
        "p highwater 1 3 2 0\nt 0 8 i\nt 1 8 a\nt 2 8 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2 inplace=1:2 inplace_required op=Relu\n",
        /* a control edge leaves the first */
        "p highwater 1 4 3 1\nt 0 8 i\nt 1 8 a\nt 2 8 o\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2 op=Relu\nv 2 0 > 3 op=Softmax\ne 0 2\n",
        /* nothing but a control edge between */
        "p highwater 1 3 2 1\nt 0 8 i\nt 1 8 o\nt 2 8 o\nv 0 0 > 1 op=Relu\nv 1 0 > 2 op=Relu\n"
        "e 0 1\n",
        /* a view that shows a part */
        "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 4 a\nt 3 4 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2 view op=Slice\nv 2 2 > 3 op=Relu\n",
        /* a view with an image that is kept */
        "p highwater 1 5 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 4 8 o\nt 3 8 o\nv 0 0 > 1 op=Relu\n"
        "v 1 1 > 2,4 view op=Reshape\nv 2 2 > 3 op=Relu\n",
        /* no operator of the table */
        "p highwater 1 3 2 0\nt 0 8 i\nt 1 8 a\nt 2 8 o\nv 0 0 > 1 op=Mine\nv 1 1 > 2\n",
    };
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++)
        becomes(graphs[i], "fuse", graphs[i]);
}

static void test_sources_by_hand(void **state)
{
    (void)state;
    const char *graph = "p highwater 1 5 2 1\nt 0 8 i x\nt 1 3 c w\nt 2 8 a\nt 3 8 o\nt 4 9 c\n"
                        "v 4 0 > 2\nv 5 2,1 > 3\ne 4 5\n";
    becomes(graph, "split-constants",
            "p highwater 1 5 3 1\nt 0 8 i x\nt 1 3 a w\nt 2 8 a\nt 3 8 o\nt 4 9 c\nv 4 0 > 2\n"
            "v 6 - > 1 op=load-constant name=w\nv 5 2,1 > 3\ne 4 5\n");
    becomes(graph, "split-constants:place=start",
            "p highwater 1 5 3 1\nt 0 8 i x\nt 1 3 a w\nt 2 8 a\nt 3 8 o\nt 4 9 c\n"
            "v 6 - > 1 op=load-constant name=w\nv 4 0 > 2\nv 5 2,1 > 3\ne 4 5\n");
    becomes(graph, "live-constants",
            "p highwater 1 5 2 1\nt 0 8 i x\nt 1 3 i w\nt 2 8 a\nt 3 8 o\nt 4 9 i\n"
            "v 4 0 > 2\nv 5 2,1 > 3\ne 4 5\n");
    becomes(graph, "stage-in",
            "p highwater 1 5 3 1\nt 0 8 a x\nt 1 3 c w\nt 2 8 a\nt 3 8 o\nt 4 9 c\n"
            "v 6 - > 0 op=stage-in name=x\nv 4 0 > 2\nv 5 2,1 > 3\ne 4 5\n");
    becomes(graph, "relabel:names=drop",
            "p highwater 1 5 2 1\nt 0 8 i\nt 1 3 c\nt 2 8 a\nt 3 8 o\nt 4 9 c\n"
            "v 0 0 > 2\nv 1 2,1 > 3\ne 0 1\n");
    /* past the greatest id there is room in the gaps alone */
    becomes("p highwater 1 2 1 0\nt 0 8 i\nt 1 8 o\nv 4294967295 0 > 1\n", "stage-in",
            "p highwater 1 2 2 0\nt 0 8 a\nt 1 8 o\nv 0 - > 0 op=stage-in\nv 4294967295 0 > 1\n");
    /* weights cannot be overwritten, a copy that was loaded can */
    const char *pair = "p highwater 1 2 1 0\nt 0 8 c\nt 1 8 o\nv 0 0 > 1 inplace=0:1\n";
    becomes(pair, "live-constants", "p highwater 1 2 1 0\nt 0 8 i\nt 1 8 o\nv 0 0 > 1\n");
    becomes(pair, "split-constants",
            "p highwater 1 2 2 0\nt 0 8 a\nt 1 8 o\nv 1 - > 0 op=load-constant\n"
            "v 0 0 > 1 inplace=0:1\n");
}

static void test_views_by_hand(void **state)
{
    (void)state;
    const char *graph = "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
                        "v 0 0 > 1 inplace=0:1\nv 1 1 > 2 view\nv 2 2 > 3 inplace=2:3 locked\n";
    becomes(graph, "strip-views",
            "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
            "v 0 0 > 1 inplace=0:1\nv 1 1 > 2\nv 2 2 > 3 inplace=2:3 locked\n");
    becomes(graph, "strip-views:outputs=nothing",
            "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 0 a\nt 3 8 o\n"
            "v 0 0 > 1 inplace=0:1\nv 1 1 > 2\nv 2 2 > 3 inplace=2:3 locked\n");
    becomes(graph, "strip-inplace",
            "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
            "v 0 0 > 1\nv 1 1 > 2 view\nv 2 2 > 3 locked\n");
    becomes(graph, "strip-locks",
            "p highwater 1 4 3 0\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
            "v 0 0 > 1 inplace=0:1\nv 1 1 > 2 view\nv 2 2 > 3 inplace=2:3\n");
}

static uint64_t optimum(const hw_graph *g, hw_accounting accounting)
{
    hw_model *m = test_model(g, accounting, false);
    hw_answer answer = test_solve(m, "dp");
    assert_int_equal(answer.status, HW_OPTIMAL);
    uint64_t peak = answer.peak;
    hw_answer_clear(&answer);
    hw_model_free(m);
    return peak;
}

static void must_not_exceed(const hw_graph *g, const char *step, uint64_t more)
{
    size_t n;
    char *bytes = graph_bytes(g, HW_FORMAT_LINE, &n);
    hw_graph *other = after(parse(bytes), step);
    free(bytes);
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
        assert_true(optimum(other, (hw_accounting)a) <= optimum(g, (hw_accounting)a) + more);
    hw_graph_free(other);
}

/*
 * Loading a constant right before its use, or having it from the start, costs
 * at most what all constants are; bringing in inputs late costs nothing;
 * another numbering changes nothing.
 */
static void test_laws(void **state)
{
    (void)state;
    const unsigned features = DRAW_RICH - DRAW_REQUIRED;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = draft_graph(seed, 2 + seed % 6, features);
        assert_non_null(g);
        uint64_t resident = hw_graph_resident_bytes(g);
        must_not_exceed(g, "split-constants", resident);
        must_not_exceed(g, "live-constants", resident);
        must_not_exceed(g, "stage-in", 0);
        must_not_exceed(g, "relabel:ids=random,order=random,names=drop", 0);
        must_not_exceed(g, "strip-locks", 0);
        hw_graph_free(g);
    }
}

/* Out and back by the inverse permutation is the same graph, whatever the ids. */
static void test_relabel(void **state)
{
    (void)state;
    hw_error err = {0};
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 20, DRAW_RICH - DRAW_SHUFFLED), *there, *back;
        uint32_t order[64], inverse[64];
        char hash[3][HW_HASH_TEXT];
        if (!g->source_order_legal_edges) { /* the way back would not be legal */
            hw_graph_free(g);
            continue;
        }
        hw_graph *dense = NULL;
        const hw_relabel_options none = {0};
        assert_int_equal(hw_relabel(g, &none, &dense, &err), HW_OK);
        assert_int_equal(hw_random_order(g, seed, order, &err), HW_OK);
        const hw_relabel_options out = {.order = order};
        if (hw_relabel(dense, &out, &there, &err))
            fail_msg("%s", err.message);
        hw_order_positions(order, g->n_nodes, inverse);
        const hw_relabel_options in = {.order = inverse};
        if (hw_relabel(there, &in, &back, &err))
            fail_msg("%s", err.message);
        assert_int_equal(hw_graph_hash(dense, hash[0], &err), HW_OK);
        assert_int_equal(hw_graph_hash(there, hash[1], &err), HW_OK);
        assert_int_equal(hw_graph_hash(back, hash[2], &err), HW_OK);
        assert_string_equal(hash[0], hash[2]);
        bool moved = false;
        for (uint32_t v = 0; v < g->n_nodes; v++)
            moved = moved || order[v] != v;
        if (!moved)
            assert_string_equal(hash[0], hash[1]);
        hw_graph_free(dense);
        hw_graph_free(there);
        hw_graph_free(back);
        hw_graph_free(g);
    }
}

static void refused(const char *graph, const char *text, const char *reason)
{
    hw_operators *operators = hw_operators_new();
    const hw_step_context context = {.operators = operators};
    hw_graph *g = parse(graph), *out = NULL;
    hw_step step;
    hw_error err = {0};
    hw_code code = hw_step_parse(text, &step, &err);
    if (code == HW_OK)
        code = hw_step_run(&step, g, &context, &out, &err);
    assert_int_not_equal(code, HW_OK);
    assert_null(out);
    if (!strstr(err.message, reason))
        fail_msg("'%s' lacks '%s'", err.message, reason);
    hw_graph_free(g);
    hw_operators_free(operators);
}

static void test_refused(void **state)
{
    (void)state;
    const char *windowed = "p highwater 1 2 2 0\nt 0 8 i\nt 1 8 o\nv 0 0 > 1 window=1\nv 9 - > -\n";
    refused(windowed, "fuse", "node 0 has a window");
    refused(windowed, "stage-in", "put strip-windows before this step");
    refused(windowed, "relabel:order=random", "has a window");
    refused(windowed, "fuze", "did you mean 'fuse'?");
    refused(windowed, "", "no step is named ''");
    refused(windowed, "fuse:most=1", "give 2 to");
    refused(windowed, "strip-locks:x=1", "takes no parameters");
    becomes(windowed, "strip-windows",
            "p highwater 1 2 2 0\nt 0 8 i\nt 1 8 o\nv 0 0 > 1\nv 9 - > -\n");
    hw_graph *g = parse("p highwater 1 1 2 0\nt 0 8 a\nv 3 - > 0\nv 4 0 > -\n"), *out;
    const uint32_t backwards[2] = {1, 0}, twice[2] = {0, 0};
    hw_error err = {0};
    const hw_relabel_options wrong[2] = {{.order = backwards}, {.order = twice}};
    assert_int_equal(hw_relabel(g, &wrong[0], &out, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "node 4 before node 3"));
    assert_int_equal(hw_relabel(g, &wrong[1], &out, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "no permutation"));
    hw_graph_free(g);
}

static void test_patterns(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"Conv Relu", "write NAME: ITEM"},      {": Conv Relu", "write NAME: ITEM"},
        {"a b: Conv Relu", "write NAME: ITEM"}, {"a: Conv", "no two nodes can match"},
        {"a:", "no two nodes can match"},       {"a: <conv> Relu", "no class '<conv>'"},
        {"a: Conv Relu|", "is no item"},        {"a: Conv |", "is no item"},
        {"a: Conv ??", "is no item"},           {"b: Conv Relu", "is there already"},
    };
    hw_patterns *p = hw_patterns_new();
    hw_error err = {0};
    assert_int_equal(hw_patterns_add(p, " b : Conv|CONV2D Relu? <any>*", NULL, &err), HW_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(hw_patterns_add(p, wrong[i][0], "F: line 3", &err), HW_BAD_INPUT);
        if (!strstr(err.message, wrong[i][1]) || strncmp(err.message, "F: line 3: ", 11) != 0)
            fail_msg("'%s' lacks '%s'", err.message, wrong[i][1]);
    }
    assert_int_equal(hw_patterns_count(p), 1);
    assert_string_equal(hw_pattern_name(p, 0), "b");
    assert_int_equal(hw_pattern_fits(p, 0, "conv2d", 0, false), 1 | 4);
    assert_int_equal(hw_pattern_fits(p, 0, "Conv2", 0, false), 4);
    assert_int_equal(hw_pattern_fits(p, 0, "relu", 0, false), 2 | 4);
    assert_int_equal(hw_pattern_first(p, 0), 1);
    assert_int_equal(hw_pattern_after(p, 0, 1), 2 | 4);
    assert_int_equal(hw_pattern_after(p, 0, 2 | 4), 4);
    assert_true(hw_pattern_ends(p, 0, 1));
    char *line;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    assert_non_null(out);
    (void)fputs("long:", out);
    for (int i = 0; i < HW_PATTERN_ITEMS + 1; i++)
        (void)fputs(" Relu", out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(hw_patterns_add(p, line, NULL, &err), HW_BAD_INPUT);
    free(line);
    hw_patterns_free(p);
}

/* ---- Records that were changed. ---- */

static const char original[] = "p highwater 1 4 3 1\nt 0 8 i\nt 1 8 a\nt 2 8 a\nt 3 8 o\n"
                               "v 0 0 > 1 op=Relu\nv 1 1 > 2 op=Relu\nv 2 2 > 3 op=Softmax\n"
                               "e 1 2\n";

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    assert_non_null(at);
    size_t size = strlen(text) + strlen(to) + 1;
    char *out = malloc(size);
    assert_non_null(out);
    (void)snprintf(out, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

static void test_records(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"highwater-fusion", "highwater-graph", "highwater-fusion"},
        {"\"version\":1", "\"version\":2", "version"},
        {"\"position\":1", "\"position\":0", "two nodes or tensors on one position"},
        {"\"position\":1", "\"position\":4294967294", "one beyond the end"},
        {"\"position\":1", "\"position\":-1", "-1"},
        {"\"position\":1", "\"position\":99999999999", "beyond the graph"},
        {"\"fusions\":[", "\"fusions\":[{\"node\":1,\"nodes\":[],\"tensors\":[]},", "two nodes"},
        {"\"fusions\":", "\"fusion\":", "fusions is missing"},
        {"\"original\":\"", "\"original\":\"0", "is no hash"},
        {"\"fused\":\"", "\"fused\":7,\"x\":\"", "is no hash"},
        {"\"control\":[[1,2]]", "\"control\":[[0]]", "no pair"},
        {"\"control\":[[1,2]]", "\"control\":[]", "not the graph that went in"},
        {"\"control\":[[1,2]]", "\"control\":[[2,0]]", "cycle"},
        {"\"parts\":{", "\"parts\":{\"tensors\":[],", "tensors"},
        {"\"parts\":{", "\"parts\":3,\"x\":{", "parts is"},
        {"{\"node\":1", "{\"node\":7", "names a node that the graph has not"},
    };
    hw_operators *operators = hw_operators_new();
    hw_patterns *patterns = hw_fuse_patterns(0);
    hw_graph *g = parse(original), *fused = NULL;
    hw_fusion *f = NULL;
    char *folder = make_folder(), *path = path_in(folder, "record");
    hw_error err = {0};
    assert_int_equal(hw_fuse_plan(g, patterns, operators, 256, NULL, &f, &err), HW_OK);
    assert_int_equal(f->n_groups, 1);
    assert_int_equal(hw_fuse(g, f, &fused, &err), HW_OK);
    FILE *out = fopen(path, "w");
    assert_int_equal(hw_record_write(g, f, fused, patterns, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    size_t n;
    char *record = file_bytes(path, &n);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *back = replaced(record, wrong[i][0], wrong[i][1]);
        hw_record *r = NULL;
        hw_graph *undone = NULL;
        assert_true(write_text(path, back));
        hw_code code = hw_record_load(path, &r, &err);
        if (code == HW_OK)
            code = hw_unfuse(fused, r, &undone, &err);
        assert_int_equal(code, HW_BAD_INPUT);
        assert_null(undone);
        if (!strstr(err.message, wrong[i][2]))
            fail_msg("%zu: '%s' lacks '%s'", i, err.message, wrong[i][2]);
        hw_record_free(r);
        free(back);
    }
    /* every cut of the file is refused, too */
    for (size_t length = 0; length + 1 < n; length += 1 + length / 40) {
        hw_record *r = NULL;
        char keep = record[length];
        record[length] = '\0';
        assert_true(write_text(path, record));
        record[length] = keep;
        assert_int_not_equal(hw_record_load(path, &r, &err), HW_OK);
    }
    free(record);
    free(path);
    remove_folder(folder);
    hw_graph_free(fused);
    hw_graph_free(g);
    hw_fusion_free(f);
    hw_patterns_free(patterns);
    hw_operators_free(operators);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuse_by_hand),
        cmocka_unit_test(test_not_fused),
        cmocka_unit_test(test_sources_by_hand),
        cmocka_unit_test(test_views_by_hand),
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_relabel),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
