/*
 * A third route to the optimum: the integer program of the order, written as an
 * LP file and solved by CBC, against `exact` and `dp`; every order that CBC
 * finds goes through the checker.
 *
 * HW_MILP_GRAPHS: how many small random graphs (default 60).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ilp.h"
#include "model/check.h"
#include "solvers/milp_model.h"
#include "tests/support_generate.h"
#include "tests/support_io.h"
#include "tests/support_lines.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

static void need_cbc(void)
{
    if (!hw_ilp_present(HW_ILP_CBC)) {
        print_message("skip: cbc is not installed (package coinor-cbc)\n");
        skip();
    }
}

static milp_model *program_of(const hw_model *m)
{
    milp_model *p;
    hw_error err = {.code = HW_OK};
    if (milp_model_new(m, &p, &err) != HW_OK)
        fail_msg("%s", err.message);
    return p;
}

static hw_ilp_answer solved(const milp_model *p)
{
    hw_ilp_answer a;
    hw_error err = {.code = HW_OK};
    if (hw_ilp_solve(HW_ILP_CBC, HW_ILP_LP, p->program, 0, NULL, &a, &err) != HW_OK)
        fail_msg("%s", err.message);
    return a;
}

/* What CBC proves, after the checker has agreed with its order. */
static uint64_t optimum_by_cbc(const hw_model *m)
{
    milp_model *p = program_of(m);
    hw_ilp_answer a = solved(p);
    assert_int_equal(a.status, HW_ILP_OPTIMAL);
    uint64_t peak = p->unit_bytes * (uint64_t)llround(a.objective);
    uint32_t *order = calloc(m->n_nodes, sizeof *order);
    assert_non_null(order);
    hw_error err = {.code = HW_OK};
    hw_check check;
    if (milp_model_order(p, a.value, order, &err) != HW_OK)
        fail_msg("%s", err.message);
    if (hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, order, m->n_nodes,
                       &check, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    if (check.peak != peak)
        fail_msg("cbc says %" PRIu64 " of an order with peak %" PRIu64, peak, check.peak);
    free(order);
    free(a.value);
    milp_model_free(p);
    return peak;
}

/* The three routes on one model; windows that no order fits are settled before. */
static void compare(const hw_model *m)
{
    static const char *const others[] = {"exact", "dp"};
    if (!m->legal)
        return;
    uint64_t peak = optimum_by_cbc(m);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        hw_answer a = test_solve(m, others[i]);
        assert_int_equal(a.status, HW_OPTIMAL);
        if (a.peak != peak)
            fail_msg("%s proves %" PRIu64 ", cbc %" PRIu64, others[i], a.peak, peak);
        hw_answer_clear(&a);
    }
}

static void compare_graph(const hw_graph *g, bool pin_inputs)
{
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, pin_inputs);
        if (m)
            compare(m);
        hw_model_free(m);
    }
}

/* Views, in-place pairs, workspace, control edges, locks, windows, pins. */
static void test_small_graphs(void **unused)
{
    (void)unused;
    need_cbc();
    const char *text = getenv("HW_MILP_GRAPHS");
    uint64_t graphs = text ? strtoull(text, NULL, 10) : 60, met = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = 4099 + i * 1000003;
        random_shape shape = random_any_shape(&state, 1, 9);
        shape.windows = random_chance(&state, 0.25);
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        compare_graph(g, random_chance(&state, 0.25));
        met++;
        hw_graph_free(g);
    }
    assert_true(met > graphs / 2);
}

static void test_families(void **unused)
{
    (void)unused;
    need_cbc();
    static const char *const specs[] = {
        "layered:n=12",
        "erdos:n=12,degree=2",
        "erdos:n=12,degree=1.5,inputs=own,workspace=0.3,inplace=0.5,views=0.2",
        "series-parallel:n=14",
        "tree:n=11,direction=in",
        "tree:n=9,direction=out,outputs=discarded",
        "erdos:n=15,degree=3,inplace=0.7,sizes=lognormal",
        "randwire:n=15,sizes=lognormal",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 0);
        compare_graph(g, false);
        hw_graph_free(g);
    }
}

/* No order below the optimum: CBC finds the program with such a bound infeasible. */
static void test_below_the_optimum(void **unused)
{
    (void)unused;
    need_cbc();
    hw_graph *g = test_instance("erdos:n=9,degree=2,inplace=0.5,sizes=lognormal", 1);
    for (int accounting = HW_ALLOC_FIRST; accounting <= HW_FREE_FIRST; accounting++) {
        hw_model *m = test_model(g, (hw_accounting)accounting, false);
        milp_model *p = program_of(m);
        hw_ilp_answer a = solved(p);
        assert_int_equal(a.status, HW_ILP_OPTIMAL);
        free(a.value);
        p->program->column[p->peak].high = llround(a.objective);
        a = solved(p);
        assert_int_equal(a.status, HW_ILP_OPTIMAL);
        free(a.value);
        p->program->column[p->peak].high--;
        a = solved(p);
        assert_int_equal(a.status, HW_ILP_INFEASIBLE);
        assert_null(a.value);
        milp_model_free(p);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

/* ---- Without CBC. ---- */

static char *lp_text(const hw_linear *l)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_linear_write_lp(l, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/*
 * a makes x (30) that b and c consume; b keeps 20, c keeps 10 and has workspace
 * 50.  The unit is 10; a is first, b and c change places.
 */
static void test_text(void **unused)
{
    (void)unused;
    hw_graph *g = lines_graph("t 0 30 a; t 1 20 o; t 2 10 o; v 0 - > 0; v 1 0 > 1; "
                              "v 2 0 > 2 workspace=50");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    milp_model *p = program_of(m);
    assert_true(p->unit_bytes == 10);
    char *text = lp_text(p->program);
    assert_string_equal(text, "Minimize\n obj: + 1 P_0\n"
                              "Subject To\n"
                              " c0: + 0 P_0 = 0\n"             /* one step done: a */
                              " c1: + 1 y_1_2 + 1 y_2_2 = 1\n" /* two: a, and b or c */
                              " c2: - 1 P_0 <= -3\n"
                              " c3: + 2 y_1_2 + 6 y_2_2 - 1 P_0 <= -3\n"
                              " c4: + 1 L_0_2 + 1 y_1_2 >= 1\n"
                              " c5: + 1 L_0_2 + 1 y_2_2 >= 1\n"
                              " c6: - 5 y_2_2 + 3 L_0_2 - 1 P_0 <= -8\n"
                              "Bounds\n P_0 >= 0\n 0 <= L_0_2 <= 1\n"
                              "Generals\n P_0\nBinaries\n y_1_2\n y_2_2\nEnd\n");
    free(text);
    milp_model_free(p);
    hw_model_free(m);
    hw_graph_free(g);
}

static void test_refusals(void **unused)
{
    (void)unused;
    milp_model *p;
    hw_error err = {.code = HW_OK};
    hw_graph *g = lines_graph("t 0 9007199254740993 a; t 1 1 o; v 0 - > 0; v 1 0 > 1");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    assert_int_equal(milp_model_new(m, &p, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "2^53"));
    hw_model_free(m);
    hw_graph_free(g);
    g = lines_graph("t 0 9007199254740992 a; t 1 4503599627370496 o; v 0 - > 0; v 1 0 > 1");
    m = lines_model(g, HW_ALLOC_FIRST, false);
    p = program_of(m); /* large, but in a large unit */
    assert_true(p->unit_bytes == UINT64_C(1) << 52);
    double values[1] = {3};
    uint32_t order[2];
    assert_int_equal(milp_model_order(p, values, order, &err), HW_OK);
    assert_true(order[0] == 0 && order[1] == 1); /* no choice is left */
    milp_model_free(p);
    hw_model_free(m);
    hw_graph_free(g);
    g = test_instance("chains:n=2001", 0);
    m = test_model(g, HW_FREE_FIRST, false);
    assert_int_equal(milp_model_new(m, &p, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "2000 nodes"));
    hw_model_free(m);
    hw_graph_free(g);
}

/* Values that are those of no order are noticed. */
static void test_no_order(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("erdos:n=6,degree=0", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    milp_model *p = program_of(m);
    double *values = calloc(p->program->n_columns, sizeof *values);
    uint32_t order[6];
    hw_error err = {.code = HW_OK};
    assert_non_null(values);
    assert_int_equal(milp_model_order(p, values, order, &err), HW_INTERNAL);
    free(values);
    milp_model_free(p);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- A program named cbc that answers what it is told. ---- */

/* The answer to an LP of one column, when `cbc` writes `solution` and ends with `status`. */
static hw_code answered(const char *solution, int status, hw_ilp_answer *a, hw_error *err)
{
    char script[512], *folder = make_folder(), *file = path_in(folder, "cbc");
    char *path = getenv("PATH"), *before = path ? strdup(path) : NULL;
    assert_non_null(before);
    /* The name of the solution is what follows -solution. */
    (void)snprintf(script, sizeof script,
                   "#!/bin/sh\nwhile [ \"$1\" != -solution ]; do shift; done\n"
                   "echo some reason\n%s%s%s\nexit %d\n",
                   solution ? "printf '" : "", solution ? solution : "",
                   solution ? "' >\"$2\"" : "", status);
    assert_true(write_text(file, script));
    assert_int_equal(chmod(file, 0700), 0);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    hw_linear *l = hw_linear_new();
    assert_non_null(l);
    (void)hw_linear_add_column(l, 'x', 0, HW_LINEAR_NO_INDEX, 0, 5, 1, true);
    assert_int_equal(hw_linear_finish(l, err), HW_OK);
    hw_code code = hw_ilp_solve(HW_ILP_CBC, HW_ILP_LP, l, 1, NULL, a, err);
    assert_int_equal(setenv("PATH", before, 1), 0);
    hw_linear_free(l);
    free(before);
    free(file);
    remove_folder(folder);
    return code;
}

static void test_answers(void **unused)
{
    (void)unused;
    hw_ilp_answer a;
    hw_error err = {.code = HW_OK};
    assert_int_equal(
        answered("Stopped on time - objective value 2.0\\n  0 x_0  2  1\\n", 0, &a, &err), HW_OK);
    assert_true(a.status == HW_ILP_FEASIBLE && a.value[0] > 1.9 && a.objective > 1.9);
    free(a.value);
    assert_int_equal(answered("Optimal - objective value 0.0\\n", 0, &a, &err), HW_OK);
    assert_true(a.status == HW_ILP_OPTIMAL && fabs(a.value[0]) < 1e-9); /* 0 is left out */
    free(a.value);
    static const char none[] =
        "Stopped on time (no integer solution - continuous used) - objective "
        "value 1.5\\n";
    assert_int_equal(answered(none, 0, &a, &err), HW_OK);
    assert_true(a.status == HW_ILP_UNKNOWN && !a.value);
    static const struct {
        const char *solution, *words;
        int status;
    } bad[] = {
        {NULL, "cbc failed: some reason", 0},
        {"Optimal - objective value 1\\n", "cbc failed: some reason", 3},
        {"", "empty solution", 0},
        {"Unbounded - objective value 0\\n", "not known here", 0},
        {"Optimal\\n", "without a value", 0},
        {"Optimal - objective value 2\\n 0 x_9 2 1\\n", "column x_9", 0},
        {"Optimal - objective value 2\\n 0 x_0 two 1\\n", "column x_0", 0},
        {"Optimal - objective value 2\\n 0 x_0\\n", "column x_0", 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(answered(bad[i].solution, bad[i].status, &a, &err), HW_IO);
        if (!strstr(err.message, bad[i].words))
            fail_msg("'%s' is not in: %s", bad[i].words, err.message);
        assert_null(a.value);
    }
}

/* Without cbc, or a folder for its files. */
static void test_missing(void **unused)
{
    (void)unused;
    hw_ilp_answer a;
    hw_error err = {.code = HW_OK};
    char *path = strdup(getenv("PATH")), *folder = make_folder(), *root = getenv("TMPDIR");
    root = root ? strdup(root) : NULL;
    hw_linear *l = hw_linear_new();
    assert_true(path && l);
    assert_int_equal(setenv("PATH", folder, 1), 0);
    assert_false(hw_ilp_present(HW_ILP_CBC));
    assert_int_equal(hw_ilp_solve(HW_ILP_CBC, HW_ILP_LP, l, 1, NULL, &a, &err), HW_IO);
    assert_non_null(strstr(err.message, "install it (package coinor-cbc)"));
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_int_equal(setenv("TMPDIR", "/nowhere", 1), 0);
    assert_int_equal(hw_ilp_solve(HW_ILP_CBC, HW_ILP_LP, l, 1, NULL, &a, &err), HW_IO);
    assert_non_null(strstr(err.message, "temporary files"));
    assert_int_equal(root ? setenv("TMPDIR", root, 1) : unsetenv("TMPDIR"), 0);
    free(root);
    hw_linear_free(l);
    remove_folder(folder);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_answers),  cmocka_unit_test(test_missing),
        cmocka_unit_test(test_no_order), cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_families), cmocka_unit_test(test_below_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
