/*
 * dot from outside: every ending, every failure, nothing left behind; and the
 * pictures of explanations.  Skipped where dot is missing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explain/explain_draw.h"
#include "io/graphviz.h"
#include "tests/support_draft.h"
#include "tests/support_generate.h"
#include "tests/support_io.h"
#include "tests/support_lines.h"
#include "tests/support_solve.h"

static int make(void **state)
{
    *state = make_folder();
    return *state ? 0 : -1;
}

static int drop(void **state)
{
    remove_folder(*state);
    return 0;
}

static void need(const char *program)
{
    if (!hw_program_present(program)) {
        print_message("skip: %s is not installed\n", program);
        skip();
    }
}

/* How many entries the folder holds. */
static size_t files(const char *folder)
{
    char **paths = folder_files(folder, "");
    size_t n = 0;
    while (paths && paths[n])
        n++;
    free_paths(paths);
    return n;
}

/* The bytes of a file, NUL-terminated, released by free(). */
static char *bytes_of(const char *folder, const char *name)
{
    char *path = path_in(folder, name);
    size_t n = 0;
    char *bytes = file_bytes(path, &n);
    assert_non_null(bytes);
    free(path);
    return bytes;
}

static void expect_file(const char *folder, const char *name, const char *begin, const char *part)
{
    char *bytes = bytes_of(folder, name);
    assert_memory_equal(bytes, begin, strlen(begin));
    if (part && !strstr(bytes, part))
        fail_msg("%s lacks %s:\n%s", name, part, bytes);
    free(bytes);
}

static hw_code render(const char *folder, const char *script, const char *name,
                      const hw_program_watch *watch, hw_error *err)
{
    char *path = path_in(folder, name);
    hw_code code = hw_graphviz_render(script, path, watch, err);
    free(path);
    return code;
}

static void every_ending(void **state)
{
    const char *folder = *state;
    need("dot");
    size_t before = files(folder);
    assert_int_equal(render(folder, "digraph { a -> b }", "a.svg", NULL, NULL), HW_OK);
    assert_int_equal(render(folder, "digraph { a -> b }", "a.png", NULL, NULL), HW_OK);
    assert_int_equal(render(folder, "digraph { a -> b }", "a.pdf", NULL, NULL), HW_OK);
    assert_int_equal(render(folder, "digraph { a -> b }", "b.svg", NULL, NULL), HW_OK);
    expect_file(folder, "a.svg", "<?xml", ">b</text>");
    expect_file(folder, "a.png", "\x89PNG", NULL);
    expect_file(folder, "a.pdf", "%PDF", NULL);
    char *a = bytes_of(folder, "a.svg"), *b = bytes_of(folder, "b.svg");
    assert_string_equal(a, b);
    free(a);
    free(b);
    assert_int_equal(files(folder), before + 4);
}

static bool at_once(void *context)
{
    (void)context;
    return true;
}

static void failures(void **state)
{
    const char *folder = *state;
    const hw_program_watch watch = {at_once, NULL};
    hw_error err = {0};
    need("dot");
    size_t none = files(folder);
    assert_int_equal(render(folder, "digraph { a -> }", "old.svg", NULL, &err), HW_IO);
    assert_non_null(strstr(err.message, "dot failed: Error"));
    assert_int_equal(files(folder), none);
    assert_int_equal(render(folder, "digraph { a }", "old.svg", NULL, NULL), HW_OK);
    char *before = bytes_of(folder, "old.svg");
    assert_int_equal(render(folder, "digraph {", "old.svg", NULL, NULL), HW_IO);
    assert_int_equal(render(folder, "digraph { b }", "old.svg", &watch, &err), HW_LIMIT);
    assert_non_null(strstr(err.message, "was ended before it was done"));
    char *after = bytes_of(folder, "old.svg");
    assert_string_equal(before, after); /* a failure leaves the old file */
    free(before);
    free(after);
    assert_int_equal(render(folder, "digraph { a }", "none/x.svg", NULL, NULL), HW_IO);
    assert_int_equal(render(folder, "digraph { a }", "x.bmp", NULL, &err), HW_USAGE);
    assert_int_equal(files(folder), none + 1);
}

static void dot_may_be_missing(void **state)
{
    const char *folder = *state;
    const char *had = getenv("PATH");
    char *path = strdup(had ? had : "");
    size_t none = files(folder);
    hw_error err = {0};
    assert_non_null(path);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    hw_code code = render(folder, "digraph { a }", "x.svg", NULL, &err);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(code, HW_IO);
    assert_non_null(strstr(err.message, "package graphviz"));
    assert_int_equal(files(folder), none);
}

static void expect_text(const char *text, size_t columns, const char *expected)
{
    char *written = text_put(hw_graphviz_put_text, text, columns);
    assert_non_null(written);
    assert_string_equal(written, expected);
    free(written);
}

static void texts_inside_labels(void **state)
{
    (void)state;
    expect_text("conv", 9, "conv");
    expect_text("<b>&amp;\"\\N'", 20, "&lt;b&gt;&amp;amp;&quot;\\\\N'");
    expect_text("a\nb\x01\xff", 9, "a?b??");
    expect_text("\xc3\xa4\xc3\xb6\xc3\xbc-long-name", 6, "\xc3\xa4\xc3\xb6\xc3\xbc\xe2\x80\xa6me");
    expect_text("&&&&&&&&&&", 4, "&amp;&amp;\xe2\x80\xa6&amp;");
}

/* ---- Explanations. ---- */

static hw_explain_ask ask_for(const char *solver)
{
    hw_explain_ask ask = {.request = {.seed = 1}};
    hw_error err = {0};
    if (hw_solver_parse(solver, &ask.solver.row, ask.solver.values, &err) != HW_OK ||
        hw_solver_parse("exact", &ask.prover.row, ask.prover.values, &err) != HW_OK)
        fail_msg("%s", err.message);
    return ask;
}

/* Both pictures of a graph; *x is released by the caller. */
static hw_explanation draw(const char *folder, const hw_model *m, const hw_explain_ask *ask,
                           const char *name)
{
    const hw_explain_names names = {ask->solver.row->name, "the optimum"};
    char *path = path_in(folder, name), *curves = path_in(folder, "curves.svg");
    hw_error err = {0};
    hw_explanation x;
    if (hw_explain(m, ask, &x, &err) != HW_OK)
        fail_msg("%s", err.message);
    if (x.has_order && hw_explain_draw_graph(&x, &names, path, NULL, &err) != HW_OK)
        fail_msg("%s", err.message);
    if (x.has_order && hw_program_present("gnuplot") &&
        hw_explain_draw_curves(&x, &names, curves, &err) != HW_OK)
        fail_msg("%s", err.message);
    free(path);
    free(curves);
    return x;
}

/* Two branches; the source order begins both before it ends the first. */
#define TWO_BRANCHES                                                                               \
    "t 0 100 a; t 1 90 a; t 2 1 a; t 3 1 o;"                                                       \
    "v 0 - > 0 name=first; v 1 - > 1 name=<x>&amp%3b%22\\N; v 2 0 > 2 name=close; v 3 1,2 > 3"

static void the_wrong_turn_is_marked(void **state)
{
    const char *folder = *state;
    need("dot");
    hw_graph *g = lines_graph(TWO_BRANCHES);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    const hw_explain_ask ask = ask_for("source");
    hw_explanation x = draw(folder, m, &ask, "turn.svg");
    assert_true(x.has_turn && x.turn.kept == 1 && x.wrong.node == 1 && x.right.node == 2);
    char *svg = bytes_of(folder, "turn.svg");
    const char *wrong = strstr(svg, "fill=\"#d55e00\" stroke=\"black\""), *node;
    assert_non_null(wrong); /* the octagon, after its title, before its name */
    node = strstr(wrong, "</text>");
    assert_non_null(node);
    assert_non_null(strstr(wrong, "&lt;x&gt;&amp;amp;&quot;\\N"));
    assert_true(strstr(wrong, "&lt;x&gt;&amp;amp;&quot;\\N") < node);
    const char *right = strstr(svg, "<ellipse fill=\"#7fcfb9\"");
    assert_non_null(right);
    assert_non_null(strstr(right, ">close</text>"));
    assert_non_null(strstr(svg, "fill=\"#cfe3f2\"")); /* the shared prefix */
    assert_non_null(strstr(svg, "wrong turn at step 1 of 4"));
    free(svg);
    hw_explanation_clear(&x);
    hw_model_free(m);
    hw_graph_free(g);
}

static void large_graphs_around_the_turn(void **state)
{
    const char *folder = *state;
    need("dot");
    hw_graph *g = test_instance("layered:n=400", 1);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    const hw_explain_ask ask = ask_for("dfs");
    hw_explanation x = draw(folder, m, &ask, "large.svg");
    char drawn[80];
    (void)snprintf(drawn, sizeof drawn, "drawn: the %d nodes nearest to it of %u",
                   (int)HW_DRAW_AROUND, g->n_nodes);
    assert_true(x.has_turn);
    expect_file(folder, "large.svg", "<?xml", drawn);
    hw_explanation_clear(&x);
    hw_model_free(m);
    hw_graph_free(g);
}

#define HUGE_SIZES "t 0 9223372036854775807 i; t 1 9223372036854775807 o; v 0 0 > 1 workspace=1"

static void any_graph_can_be_drawn(void **state)
{
    const char *folder = *state;
    need("dot");
    const char *const corners[] = {"",          "t 0 5 i", "t 0 0 o; v 0 - > 0",
                                   "v 0 - > -", "t 0 5 c", HUGE_SIZES};
    static const char *const solvers[] = {"level", "dfs", "greedy-reverse"};
    uint32_t turns = 0;
    for (uint64_t i = 0; i < 26; i++) {
        bool corner = i < sizeof corners / sizeof corners[0];
        hw_graph *g =
            corner ? lines_graph(corners[i]) : draft_graph(i, 4 + i, i % 3 ? DRAW_RICH : DRAW_ALL);
        hw_model *m = test_model(g, (hw_accounting)(i & 1), i % 4 == 0);
        const hw_explain_ask ask = ask_for(solvers[i % 3]);
        if (m) {
            hw_explanation x = draw(folder, m, &ask, i % 5 ? "any.svg" : "any.png");
            turns += x.has_turn;
            hw_explanation_clear(&x);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(turns > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_ending, make, drop),
        cmocka_unit_test_setup_teardown(failures, make, drop),
        cmocka_unit_test_setup_teardown(dot_may_be_missing, make, drop),
        cmocka_unit_test(texts_inside_labels),
        cmocka_unit_test_setup_teardown(the_wrong_turn_is_marked, make, drop),
        cmocka_unit_test_setup_teardown(large_graphs_around_the_turn, make, drop),
        cmocka_unit_test_setup_teardown(any_graph_can_be_drawn, make, drop),
    };
    return cmocka_run_group_tests_name("graphviz", tests, NULL, NULL) != 0;
}
