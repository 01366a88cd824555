/* One graph at several sizes: what varies is read right, and nothing else varies. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "import/scale.h"
#include "import/sweep.h"
#include "model/builder.h"
#include "support_io.h"
#include "support_lines.h"
#include "support_onnx.h"
#include "support_random.h"
#include "support_sanitized.h"

static void expect_values(const char *text, const uint64_t *value, size_t n)
{
    hw_sweep_axis axis;
    hw_error err = {0};
    if (hw_sweep_axis_read(text, &axis, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(axis.n_values, n);
    for (size_t i = 0; i < n; i++)
        assert_true(axis.value[i] == value[i]);
    hw_sweep_axis_clear(&axis);
}

static void test_axis(void **state)
{
    (void)state;
    expect_values("H=224:320:32", (const uint64_t[]){224, 256, 288, 320}, 4);
    expect_values("H=1:10:4", (const uint64_t[]){1, 5, 9}, 3);
    expect_values("H=3:5", (const uint64_t[]){3, 4, 5}, 3);
    expect_values("H=512,1:3,7", (const uint64_t[]){1, 2, 3, 7, 512}, 5);
    expect_values("H,W=9223372036854775807", (const uint64_t[]){INT64_MAX}, 1);
    expect_values("a=b=4", (const uint64_t[]){4}, 1);
    static const char *const wrong[] = {"",
                                        "H",
                                        "H=",
                                        "=4",
                                        "H=4:",
                                        "H=:4",
                                        "H=4:2",
                                        "H=1:4:0",
                                        "H=1:2:3:4",
                                        "H=1,",
                                        "H=-1",
                                        "H=1,1",
                                        "H=1:3,2",
                                        "H=9223372036854775808",
                                        "H=1:1025",
                                        "H,H=1",
                                        ",H=1",
                                        "H,=1",
                                        "H= 1",
                                        "H=1 ",
                                        "H=0:9223372036854775807",
                                        "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hw_sweep_axis axis;
        hw_error err = {0};
        if (hw_sweep_axis_read(wrong[i], &axis, &err) != HW_USAGE)
            fail_msg("'%s' was read", wrong[i]);
        assert_true(strlen(err.message) > 0);
    }
    assert_true(hw_sweep_is_axis("H=1:2"));
    assert_true(hw_sweep_is_axis("H,W=1,2"));
    assert_false(hw_sweep_is_axis("H,W=1"));
    assert_false(hw_sweep_is_axis("H:1"));
}

/* Every tensor of a net grows with the square of the resolution, up to borders of a stride. */
static void test_family(void **state)
{
    (void)state;
    hw_sweep_axis axis;
    hw_sweep *s = NULL;
    hw_error err = {0};
    hw_graph *at[3] = {NULL};
    assert_int_equal(hw_sweep_axis_read("resolution=256,512,1024", &axis, &err), HW_OK);
    hw_sweep_request request = {.source = "nets:net=unet", .axis = &axis, .seed = 1};
    if (hw_sweep_open(&request, NULL, &s, &err) != HW_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 3; i++)
        if (hw_sweep_graph(s, i, &at[i], &err) != HW_OK)
            fail_msg("%s", err.message);
    const hw_graph *first = hw_sweep_first(s);
    assert_memory_equal(first->tensor_size, at[0]->tensor_size,
                        first->n_tensors * sizeof *first->tensor_size);
    for (uint32_t t = 0; t < first->n_tensors; t++) {
        uint64_t times = first->tensor_kind[t] == HW_CONSTANT ? 1 : 4;
        assert_true(at[1]->tensor_size[t] == times * at[0]->tensor_size[t]);
        assert_true(at[2]->tensor_size[t] == times * at[1]->tensor_size[t]);
    }
    assert_non_null(strstr(at[2]->name, " resolution=1024"));
    for (size_t i = 0; i < 3; i++)
        hw_graph_free(at[i]);
    hw_sweep_close(s);
    hw_sweep_axis_clear(&axis);
}

/* The code of a sweep that cannot be, over all its sizes. */
static hw_code sweep_all(const char *source, const char *dims, const char *scale,
                         const hw_import_options *options, hw_error *err)
{
    hw_sweep_axis axis;
    hw_sweep *s = NULL;
    hw_graph *g = NULL;
    assert_int_equal(hw_sweep_axis_read(dims, &axis, err), HW_OK);
    hw_sweep_request request = {
        .source = source, .axis = &axis, .options = options, .seed = 1, .scale = scale};
    hw_code code = hw_sweep_open(&request, NULL, &s, err);
    for (size_t i = 0; code == HW_OK && i < axis.n_values; i++) {
        code = hw_sweep_graph(s, i, &g, err);
        hw_graph_free(g);
    }
    hw_sweep_close(s);
    hw_sweep_axis_clear(&axis);
    return code;
}

static void expect_refused(const char *source, const char *dims, const char *scale, hw_code code,
                           const char *words)
{
    hw_error err = {0};
    hw_code got = sweep_all(source, dims, scale, NULL, &err);
    if (got != code || !strstr(err.message, words))
        fail_msg("%s %s: %d '%s', not '%s'", source, dims, (int)got, err.message, words);
}

static void test_refused(void **state)
{
    (void)state;
    expect_refused("nets:net=gpt2", "layers=1:3", NULL, HW_BAD_INPUT, "differ in more than sizes");
    expect_refused("layered", "n=4:6", NULL, HW_BAD_INPUT, "nodes here and");
    expect_refused("nets:net=unet", "height=1:3", NULL, HW_USAGE, "no parameter 'height'");
    expect_refused("nets:net=gpt2", "resolution=1:3", NULL, HW_USAGE, "no meaning");
    expect_refused("nets:net=nothing", "batch=1:3", NULL, HW_USAGE, "net=nothing");
    expect_refused("no-such-file", "batch=1:3", NULL, HW_IO, "no-such-file");
    expect_refused("tests/cases/random-rich-05.json", "H=1:3", NULL, HW_USAGE, "fixed numbers");
    expect_refused("tests/cases/random-rich-05.json", "H=1:3", "some=2", HW_USAGE, "no share");
    expect_refused("tests/cases/random-rich-05.json", "H=1:3", "alll", HW_USAGE, "no rule");
    expect_refused("tests/cases/random-rich-05.json", "H=0:3", "all", HW_USAGE, "from 1 to");
    expect_refused("tests/cases/random-rich-05.json", "H=1,9223372036854775807", "all", HW_USAGE,
                   "from 1 to");
    expect_refused("tests/cases/exact-above-2-53.json", "H=1,4294967295", "all", HW_BAD_INPUT,
                   "pass 2^63-1");
    expect_refused("-", "H=1:3", NULL, HW_USAGE, "standard input");
}

static char *write_onnx(const char *folder, const char *text)
{
    size_t n;
    char *bytes = onnx_bytes(text, &n), *path = path_in(folder, "model.onnx");
    assert_true(bytes && path);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    assert_int_equal(fclose(out), 0);
    free(bytes);
    return path;
}

/* Symbolic dimensions of a model: two that vary together, one that is fixed. */
static void test_model(void **state)
{
    (void)state;
    char *folder = make_folder();
    char *path = write_onnx(folder, "input x float N,H,W\nvalue y float N,H,W\n"
                                    "output z float N,H,W\n"
                                    "node Relu x -> y\nnode Sigmoid y -> z\n");
    hw_error err = {0};
    hw_sweep_axis axis;
    hw_sweep *s = NULL;
    const hw_dim batch = {"N", 3};
    hw_import_options options = {.dims = &batch, .n_dims = 1};
    assert_int_equal(hw_sweep_axis_read("H,W=2,5,8", &axis, &err), HW_OK);
    hw_sweep_request request = {.source = path, .axis = &axis, .options = &options};
    if (hw_sweep_open(&request, NULL, &s, &err) != HW_OK)
        fail_msg("%s", err.message);
    for (size_t i = 0; i < 3; i++) {
        hw_graph *g = NULL;
        if (hw_sweep_graph(s, i, &g, &err) != HW_OK)
            fail_msg("%s", err.message);
        assert_int_equal(g->n_tensors, 3);
        for (uint32_t t = 0; t < 3; t++)
            assert_true(g->tensor_size[t] == 4 * 3 * axis.value[i] * axis.value[i]);
        hw_graph_free(g);
    }
    hw_sweep_close(s);
    hw_sweep_axis_clear(&axis);
    assert_int_equal(sweep_all(path, "H=2,5", NULL, &options, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "W"));
    assert_int_equal(sweep_all(path, "N=2,5", NULL, &options, &err), HW_USAGE);
    free(path);

    /* at 1 the second input is as large as the output, and may be overwritten too */
    path = write_onnx(folder, "input x float H,4\ninput b float 1,4\nvalue y float H,4\n"
                              "value c float 1,4\noutput z float H,4\n"
                              "node Relu x -> y\nnode Relu b -> c\nnode Add y,c -> z\n");
    assert_int_equal(sweep_all(path, "H=2,5", NULL, NULL, &err), HW_OK);
    assert_int_equal(sweep_all(path, "H=1,5", NULL, NULL, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "in-place pairs"));
    free(path);
    remove_folder(folder);
}

/* A family's other parameters may come as fixed dimensions. */
static void test_fixed_dimension(void **state)
{
    (void)state;
    hw_error err = {0};
    const hw_dim batch = {"batch", 2}, unknown = {"depth", 2};
    hw_import_options options = {.dims = &batch, .n_dims = 1};
    assert_int_equal(sweep_all("nets:net=unet", "resolution=256,512", NULL, &options, &err), HW_OK);
    options.dims = &unknown;
    assert_int_equal(sweep_all("nets:net=unet", "resolution=256,512", NULL, &options, &err),
                     HW_USAGE);
}

/* Each part of a graph that is not a size makes a difference, which is named. */
static void test_same(void **state)
{
    (void)state;
    static const char base[] = "t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1; v 1 1 > 2 inplace=1:2";
    static const struct {
        const char *lines, *words;
    } other[] = {
        {"t 0 9 i; t 1 0 a; t 2 7 o; v 0 0 > 1 workspace=3; v 1 1 > 2 inplace=1:2", NULL},
        {"t 0 8 i; t 1 8 a; t 2 8 o; t 3 8 i; v 0 0 > 1; v 1 1 > 2 inplace=1:2", "tensors here"},
        {"t 0 8 i; t 1 8 a; t 2 8 a; v 0 0 > 1; v 1 1 > 2 inplace=1:2", "kind"},
        {"t 0 8 i; t 1 8 a; t 4 8 o; v 0 0 > 1; v 1 1 > 4 inplace=1:4", "id"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 1 1 > 2 inplace=1:2; v 0 0 > 1", "producer"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1; v 7 1 > 2 inplace=1:2", "another id"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1; v 1 1,0 > 2 inplace=1:2", "reads other"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1; v 1 1 > 2", "in-place pairs"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1 locked; v 1 1 > 2 inplace=1:2", "flags"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1 window=1; v 1 1 > 2 inplace=1:2", "window"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1 op=Conv; v 1 1 > 2 inplace=1:2", "operator type"},
        {"t 0 8 i; t 1 8 a; t 2 8 o; v 0 0 > 1; v 1 1 > 2 inplace=1:2; e 0 1", "control edges"},
    };
    hw_graph *g = lines_graph(base);
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        char text[HW_SWEEP_DIFFERENCE];
        hw_graph *h = lines_graph(other[i].lines);
        bool same = hw_sweep_same(g, h, text);
        if (same != !other[i].words || (!same && !strstr(text, other[i].words)))
            fail_msg("row %zu: '%s'", i, text);
        hw_graph_free(h);
    }
    hw_graph_free(g);
}

static void test_bytes(void **state)
{
    (void)state;
    uint64_t out;
    assert_true(hw_scale_bytes(10, HW_GROWTH_LINEAR, 4, 6, &out) && out == 15);
    assert_true(hw_scale_bytes(10, HW_GROWTH_LINEAR, 4, 5, &out) && out == 13);
    assert_true(hw_scale_bytes(10, HW_GROWTH_QUADRATIC, 4, 6, &out) && out == 23);
    assert_true(hw_scale_bytes(10, HW_GROWTH_FIXED, 4, 6, &out) && out == 10);
    assert_true(
        hw_scale_bytes(INT64_MAX, HW_GROWTH_QUADRATIC, HW_SCALE_MOST, HW_SCALE_MOST, &out) &&
        out == INT64_MAX);
    assert_false(hw_scale_bytes(INT64_MAX, HW_GROWTH_LINEAR, 1, 2, &out));
    assert_false(hw_scale_bytes(INT64_MAX, HW_GROWTH_QUADRATIC, 1, HW_SCALE_MOST, &out));
}

/* What scaling keeps: everything but sizes; twice the base is twice each size. */
static void test_all(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FEWER(2000); seed++) {
        uint64_t draw = seed;
        hw_error err = {0};
        hw_scale rule;
        char text[HW_SWEEP_DIFFERENCE];
        random_shape shape = random_any_shape(&draw, 1, 12);
        shape.windows = random_chance(&draw, 0.3);
        hw_graph *g = random_graph(&draw, &shape), *twice = NULL;
        if (!g)
            continue;
        assert_int_equal(hw_scale_new(g, "all", 1, &rule, &err), HW_OK);
        assert_int_equal(hw_scale_graph(g, &rule, 7, 14, &twice, &err), HW_OK);
        assert_true(hw_sweep_same(g, twice, text));
        for (uint32_t t = 0; t < g->n_tensors; t++) {
            uint32_t root = g->storage_root[g->tensor_storage[t]];
            uint64_t times = g->tensor_kind[root] == HW_CONSTANT ? 1 : 2;
            assert_true(twice->tensor_size[t] == times * g->tensor_size[t]);
        }
        for (uint32_t v = 0; v < g->n_nodes; v++)
            assert_true(hw_node_workspace(twice, v) == 2 * hw_node_workspace(g, v));
        hw_graph_free(twice);
        hw_graph_free(g);
        hw_scale_clear(&rule);
    }
}

/* A share of the storages, views with their roots, pairs of equal sizes together. */
static void test_some(void **state)
{
    (void)state;
    uint64_t grow = 0, stay = 0, square = 0;
    for (uint64_t seed = 0; seed < FEWER(2000); seed++) {
        uint64_t draw = seed;
        hw_error err = {0};
        hw_scale rule, again;
        random_shape shape = random_any_shape(&draw, 1, 12);
        hw_graph *g = random_graph(&draw, &shape);
        if (!g)
            continue;
        assert_int_equal(hw_scale_new(g, "some=0.25", seed, &rule, &err), HW_OK);
        assert_int_equal(hw_scale_new(g, "some=1/4", seed, &again, &err), HW_OK);
        assert_memory_equal(rule.tensor, again.tensor, g->n_tensors);
        assert_int_equal(rule.parted, 0);
        for (uint32_t t = 0; t < g->n_tensors; t++) {
            uint32_t root = g->storage_root[g->tensor_storage[t]];
            assert_int_equal(rule.tensor[t], rule.tensor[root]);
            square += rule.tensor[t] == HW_GROWTH_QUADRATIC;
        }
        grow += rule.grow;
        stay += rule.stay;
        hw_graph_free(g);
        hw_scale_clear(&rule);
        hw_scale_clear(&again);
    }
    assert_in_range(100 * grow / (grow + stay), 20, 30);
    assert_in_range(100 * square / grow, 40, 60);
}

static void test_rule_file(void **state)
{
    (void)state;
    char *folder = make_folder();
    assert_non_null(folder);
    char *path = path_in(folder, "rules");
    hw_error err = {0};
    hw_scale rule;
    assert_true(write_text(path, "# how it grows\n"
                                 "\n"
                                 "tensor mask  fixed   # first line that matches\n"
                                 "op     Mat*  quadratic\n"
                                 "node   b?d   linear\n"
                                 "kind   input linear\n"));
    hw_graph *g = lines_graph("t 0 8 i x; t 1 8 a y; t 2 8 a mask; t 3 8 o z; "
                              "t 4 8 c w; v 0 0,4 > 1 op=MatMul workspace=5; "
                              "v 1 1 > 2 op=MatMul; v 2 2 > 3 name=bad workspace=3 op=Relu");
    assert_int_equal(hw_scale_new(g, path, 1, &rule, &err), HW_OK);
    assert_memory_equal(rule.tensor, ((uint8_t[]){1, 2, 0, 1, 0}), 5);
    assert_memory_equal(rule.workspace, ((uint8_t[]){2, 2, 1}), 3);
    assert_int_equal(rule.grow, 3);
    assert_int_equal(rule.stay, 1);
    hw_scale_clear(&rule);
    static const char *const wrong[] = {"op Conv\n",          "op Conv cubic\n", "Conv linear\n",
                                        "op Conv linear x\n", "# nothing\n",     "",
                                        "op Conv linear"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_true(write_text(path, wrong[i]));
        if (hw_scale_new(g, path, 1, &rule, &err) != HW_BAD_INPUT)
            fail_msg("'%s' was read", wrong[i]);
        assert_non_null(strstr(err.message, path));
    }
    hw_graph_free(g);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axis),
        cmocka_unit_test(test_family),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_fixed_dimension),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_some),
        cmocka_unit_test(test_rule_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
