/*
 * milp: the optimum of `dp` by every program that is there, from LP and MPS
 * files; budgets, limits, and programs that are missing, late or wrong.
 *
 * HW_MILP_ORDERS, HW_MILP_GLPSOL, HW_MILP_FIRST: how many random graphs of up to
 * 12 nodes for cbc (default 30) and for glpsol (10), and the first of them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ilp.h"
#include "io/ilp_read.h"
#include "solvers/milp_model.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_io.h"
#include "support_lines.h"
#include "support_solve.h"

static void need(hw_ilp_program program)
{
    if (!hw_ilp_present(program)) {
        print_message("skip: %s is not installed\n", hw_ilp_name(program));
        skip();
    }
}

/* ---- Against dp. ---- */

static void expect_optimum(const hw_model *m, const char *spec, uint64_t seed)
{
    hw_answer known = test_solve(m, "dp"), a = test_solve(m, spec);
    if (a.status != known.status || a.peak != known.peak || a.limit_reached)
        fail_msg("seed %" PRIu64 ", %s, %s: %s %" PRIu64 ", not %s %" PRIu64, seed, spec,
                 hw_accounting_name(m->accounting), hw_status_name(a.status), a.peak,
                 hw_status_name(known.status), known.peak);
    if (known.status == HW_OPTIMAL && seed % 4 == 0) {
        hw_request fits = {.has_budget = true, .budget_bytes = known.peak};
        hw_answer b = test_solve_with(m, spec, fits);
        assert_true(b.has_order && b.peak == known.peak);
        hw_answer_clear(&b);
        if (known.peak > 0) {
            fits.budget_bytes--;
            b = test_solve_with(m, spec, fits);
            assert_int_equal(b.status, HW_INFEASIBLE);
            hw_answer_clear(&b);
        }
    }
    hw_answer_clear(&a);
    hw_answer_clear(&known);
}

static void compare(const char *const specs[2], uint64_t graphs, size_t most_nodes)
{
    uint64_t first = environment_number("HW_MILP_FIRST", 0), windows = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = draft_graph(seed, seed % (most_nodes + 1), seed % 3 ? DRAW_RICH : DRAW_ALL);
        for (int way = 0; way < 2; way++) {
            hw_model *m = test_model(g, (hw_accounting)way, seed % 5 == 0);
            if (m)
                expect_optimum(m, specs[(seed + (uint64_t)way) % 2], seed);
            windows += m && m->earliest && m->legal;
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# %s: %" PRIu64 " graphs, %" PRIu64 " models with windows\n", specs[0], graphs,
                  windows);
    assert_true(graphs < 40 || windows > graphs / 8);
}

static void cbc_proves_what_dp_proves(void **unused)
{
    (void)unused;
    need(HW_ILP_CBC);
    compare((const char *const[2]){"milp:solver=cbc", "milp:solver=cbc,file=mps"},
            environment_number("HW_MILP_ORDERS", 30), 12);
}

static void glpsol_proves_what_dp_proves(void **unused)
{
    (void)unused;
    need(HW_ILP_GLPSOL);
    compare((const char *const[2]){"milp:solver=glpsol", "milp:solver=glpsol,file=mps"},
            environment_number("HW_MILP_GLPSOL", 10), 12);
}

static void highs_and_scip_where_they_are(void **unused)
{
    (void)unused;
    if (!hw_ilp_present(HW_ILP_HIGHS) && !hw_ilp_present(HW_ILP_SCIP)) {
        print_message("skip: neither highs nor scip is installed\n");
        skip();
    }
    if (hw_ilp_present(HW_ILP_HIGHS))
        compare((const char *const[2]){"milp:solver=highs", "milp:solver=highs,file=mps"}, 20, 10);
    if (hw_ilp_present(HW_ILP_SCIP))
        compare((const char *const[2]){"milp:solver=scip", "milp:solver=scip,file=mps"}, 20, 10);
}

/* Sums that a billionth part of is a unit: an order, no proof. */
static void large_sums_prove_nothing(void **unused)
{
    (void)unused;
    need(HW_ILP_CBC);
    static const char large[] = "t 0 900000001 a; t 1 100000007 a; t 2 300000011 a; t 3 1 o;"
                                "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1,2 > 3";
    static const char units[] = "t 0 900000000 a; t 1 100000000 a; t 2 300000000 a; t 3 100000 o;"
                                "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1,2 > 3";
    static const char beyond[] = "t 0 9007199254740993 a; t 1 1 o; v 0 - > 0; v 1 0 > 1";
    hw_graph *g = lines_graph(large);
    hw_model *m = lines_model(g, HW_FREE_FIRST, false);
    hw_answer a = test_solve(m, "milp:solver=cbc");
    assert_true(a.has_order && a.status == (a.peak == m->simple_bound ? HW_OPTIMAL : HW_FEASIBLE));
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
    g = lines_graph(units);
    m = lines_model(g, HW_FREE_FIRST, false);
    a = test_solve(m, "milp:solver=cbc");
    assert_int_equal(a.status, HW_OPTIMAL);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
    g = lines_graph(beyond);
    m = lines_model(g, HW_FREE_FIRST, false);
    const hw_solver_row *row = hw_solver_find("milp", 4);
    hw_param_value values[HW_PARAM_LIMIT];
    hw_params_preset(row->params, row->n_params, values);
    hw_error err;
    assert_int_equal(hw_solve(m, row, &(hw_request){.params = values}, &a, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "2^53"));
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Programs that are not what they should be. ---- */

/* Before: the folder, with a script named `name`, is all of PATH. */
typedef struct disguise {
    char *folder, *file, *path;
} disguise;

static disguise put_on(const char *name, const char *script)
{
    disguise d = {.folder = make_folder(), .path = strdup(getenv("PATH"))};
    d.file = path_in(d.folder, name);
    assert_non_null(d.path);
    assert_true(write_text(d.file, script));
    assert_int_equal(chmod(d.file, 0700), 0);
    assert_int_equal(setenv("PATH", d.folder, 1), 0);
    return d;
}

static void take_off(disguise *d)
{
    assert_int_equal(setenv("PATH", d->path, 1), 0);
    remove_folder(d->folder);
    free(d->file);
    free(d->path);
}

static hw_code solve_with(const hw_model *m, const char *spec, hw_request request,
                          hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    assert_int_equal(hw_solver_parse(spec, &row, values, err), HW_OK);
    request.params = values;
    return hw_solve(m, row, &request, answer, err);
}

/* A graph on which greedy-reverse is not best, so that the program is asked. */
static hw_graph *small_graph(void)
{
    for (uint64_t i = 0;; i++) {
        hw_graph *g = test_instance("erdos:n=12,degree=1.5", i);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer a = test_solve(m, "greedy-reverse"), b = test_solve(m, "dp");
        bool good = a.peak > b.peak;
        hw_answer_clear(&a);
        hw_answer_clear(&b);
        hw_model_free(m);
        if (good)
            return g;
        hw_graph_free(g);
    }
}

static void missing_programs_are_named(void **unused)
{
    (void)unused;
    hw_graph *g = small_graph();
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    disguise d = put_on("nobody", "#!/bin/sh\n");
    hw_answer a;
    hw_error err;
    assert_int_equal(solve_with(m, "milp", (hw_request){0}, &a, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "coinor-cbc"));
    assert_int_equal(solve_with(m, "milp:solver=glpsol", (hw_request){0}, &a, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "glpk-utils"));
    assert_int_equal(solve_with(m, "milp:solver=highs", (hw_request){0}, &a, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "cannot run highs"));
    take_off(&d);
    hw_model_free(m);
    hw_graph_free(g);
}

/* A program that never ends is killed: at its time, or on a stop. */
static void late_programs_are_killed(void **unused)
{
    (void)unused;
    static const char endless[] = "#!/bin/sh\nwhile :; do :; done\n";
    hw_graph *g = small_graph();
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    disguise d = put_on("cbc", endless);
    hw_answer a;
    hw_error err;
    double start = hw_wall_seconds();
    hw_request in_time = {.limits = {.seconds = 0.1}};
    assert_int_equal(solve_with(m, "milp", in_time, &a, &err), HW_OK);
    assert_true(a.has_order && a.limit_reached && a.status == HW_FEASIBLE);
    hw_answer_clear(&a);
    static const volatile sig_atomic_t now = 1;
    assert_int_equal(solve_with(m, "milp", (hw_request){.stop = &now}, &a, &err), HW_OK);
    assert_true(a.limit_reached);
    hw_answer_clear(&a);
    assert_true(hw_wall_seconds() - start < 20);
    take_off(&d);
    hw_model_free(m);
    hw_graph_free(g);
}

/* "Optimal" with less than the order has, or with no values at all: not believed. */
static void wrong_claims_prove_nothing(void **unused)
{
    (void)unused;
    static const char head[] =
        "#!/bin/sh\nwhile [ \"$1\" != -solution ]; do shift; done\nprintf '%s\\n' '";
    static const struct {
        const char *solution;
        hw_code code;
        const char *words;
    } claims[] = {
        /* no y: every node as late as it may be, which is no order here */
        {"Optimal - objective value 1.0", HW_INTERNAL, "no order"},
        {"Infeasible - objective value 0.0", HW_IO, "finds no solution"},
        {"Unbounded - objective value 0.0", HW_IO, "not known here"},
    };
    hw_graph *g = small_graph();
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        char script[512];
        (void)snprintf(script, sizeof script, "%s%s' >\"$2\"\n", head, claims[i].solution);
        disguise d = put_on("cbc", script);
        hw_answer a;
        hw_error err;
        assert_int_equal(solve_with(m, "milp", (hw_request){0}, &a, &err), claims[i].code);
        if (!strstr(err.message, claims[i].words))
            fail_msg("'%s' is not in: %s", claims[i].words, err.message);
        take_off(&d);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* What cbc would write for an order, with a claim of its peak. */
static void write_solution(const milp_model *p, const uint32_t *order, uint64_t claim,
                           const char *path)
{
    uint32_t position[12], n = p->model->n_nodes;
    FILE *out = fopen(path, "w");
    assert_true(out && n == 12);
    hw_order_positions(order, n, position);
    (void)fprintf(out, "Optimal - objective value %" PRIu64 ".00000000\n", claim);
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t t = p->earliest[v] + 1; t <= p->latest[v]; t++)
            if (position[v] < t)
                (void)fprintf(out, " 0 y_%" PRIu32 "_%" PRIu32 " 1 0\n", v, t);
    assert_int_equal(fclose(out), 0);
}

/* The best order, with the peak that it has: optimal; with less: an order, no proof. */
static void claims_are_checked(void **unused)
{
    (void)unused;
    hw_graph *g = small_graph();
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer best = test_solve(m, "dp");
    milp_model *p;
    assert_int_equal(milp_model_new(m, &p, NULL), HW_OK);
    for (uint64_t less = 0; less < 2; less++) {
        char script[512], *folder = make_folder(), *file = path_in(folder, "answer");
        write_solution(p, best.order, best.peak / p->unit_bytes - less, file);
        (void)snprintf(script, sizeof script,
                       "#!/bin/sh\nwhile [ \"$1\" != -solution ]; do shift; done\n"
                       "while read -r l; do echo \"$l\"; done <'%s' >\"$2\"\n",
                       file);
        disguise d = put_on("cbc", script);
        hw_answer a;
        hw_error err;
        if (solve_with(m, "milp", (hw_request){0}, &a, &err) != HW_OK)
            fail_msg("%s", err.message);
        assert_true(a.peak == best.peak);
        assert_int_equal(a.status, less ? HW_FEASIBLE : HW_OPTIMAL);
        assert_memory_equal(a.order, best.order, sizeof(uint32_t) * m->n_nodes);
        hw_answer_clear(&a);
        take_off(&d);
        free(file);
        remove_folder(folder);
    }
    milp_model_free(p);
    hw_answer_clear(&best);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Files. ---- */

static void mps_text(void **unused)
{
    (void)unused;
    hw_graph *g = lines_graph("t 0 30 a; t 1 20 o; t 2 10 o; v 0 - > 0; v 1 0 > 1; "
                              "v 2 0 > 2 workspace=50");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    milp_model *p;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(milp_model_new(m, &p, NULL), HW_OK);
    assert_int_equal(hw_linear_write_mps(p->program, out, NULL), HW_OK);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text,
                        "NAME highwater\n"
                        "ROWS\n N obj\n E c0\n E c1\n L c2\n L c3\n G c4\n G c5\n L c6\n"
                        "COLUMNS\n"
                        " M0 'MARKER' 'INTORG'\n"
                        " P_0 obj 1\n P_0 c2 -1\n P_0 c3 -1\n P_0 c6 -1\n"
                        " y_1_2 c1 1\n y_1_2 c3 2\n y_1_2 c4 1\n"
                        " y_2_2 c1 1\n y_2_2 c3 6\n y_2_2 c5 1\n y_2_2 c6 -5\n"
                        " M1 'MARKER' 'INTEND'\n"
                        " L_0_2 c4 1\n L_0_2 c5 1\n L_0_2 c6 3\n"
                        "RHS\n RHS c1 1\n RHS c2 -3\n RHS c3 -3\n RHS c4 1\n RHS c5 1\n RHS c6 -8\n"
                        "BOUNDS\n"
                        " LO BND P_0 0\n PL BND P_0\n LO BND y_1_2 0\n UP BND y_1_2 1\n"
                        " LO BND y_2_2 0\n UP BND y_2_2 1\n LO BND L_0_2 0\n UP BND L_0_2 1\n"
                        "ENDATA\n");
    free(text);
    milp_model_free(p);
    hw_model_free(m);
    hw_graph_free(g);
}

/* a, b: columns x_0 and x_1 of a program in whose LP file x_1 is named first. */
static hw_linear *two_columns(void)
{
    hw_linear *l = hw_linear_new();
    assert_non_null(l);
    (void)hw_linear_add_column(l, 'x', 0, HW_LINEAR_NO_INDEX, 0, 9, 0, true);
    (void)hw_linear_add_column(l, 'x', 1, HW_LINEAR_NO_INDEX, 0, 9, 1, true);
    hw_linear_add_term(l, 0, 1);
    hw_linear_add_term(l, 1, 1);
    hw_linear_end_row(l, HW_LINEAR_AT_LEAST, 3);
    assert_int_equal(hw_linear_finish(l, NULL), HW_OK);
    return l;
}

static void solutions_are_read(void **unused)
{
    (void)unused;
    static const struct {
        hw_ilp_program program;
        hw_ilp_format format;
        const char *text;
        hw_ilp_status status;
        int value[2];
    } good[] = {
        {HW_ILP_CBC,
         HW_ILP_LP,
         "Optimal - objective value 1.0\n  0 x_0  2  0\n  1 x_1  1  1\n",
         HW_ILP_OPTIMAL,
         {2, 1}},
        {HW_ILP_CBC,
         HW_ILP_LP,
         "Stopped on time - objective value 3.0\n** 1 x_1  3  1\n",
         HW_ILP_FEASIBLE,
         {0, 3}},
        {HW_ILP_HIGHS,
         HW_ILP_LP,
         "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n# Columns 2\n"
         "x_0 2\nx_1 1\n# Rows 1\nc0 3\n\n# Dual solution values\nNone\n",
         HW_ILP_OPTIMAL,
         {2, 1}},
        {HW_ILP_HIGHS,
         HW_ILP_MPS,
         "Model status\nTime limit reached\n\n# Primal solution values\nFeasible\nObjective 3\n"
         "# Columns 2\nx_0 0\nx_1 3\n",
         HW_ILP_FEASIBLE,
         {0, 3}},
        {HW_ILP_HIGHS,
         HW_ILP_LP,
         "Model status\nTime limit reached\n\n# Primal solution values\nNone\n",
         HW_ILP_UNKNOWN,
         {0, 0}},
        {HW_ILP_HIGHS, HW_ILP_LP, "Model status\nInfeasible\n", HW_ILP_INFEASIBLE, {0, 0}},
        {HW_ILP_GLPSOL,
         HW_ILP_LP,
         "c Problem:\nc\ns mip 1 2 o 1\ni 1 3\nj 1 1\nj 2 2\ne o f\n",
         HW_ILP_OPTIMAL,
         {2, 1}},
        {HW_ILP_GLPSOL,
         HW_ILP_MPS,
         "s mip 1 2 f 1\ni 1 3\nj 1 2\nj 2 1\ne o f\n",
         HW_ILP_FEASIBLE,
         {2, 1}},
        {HW_ILP_GLPSOL,
         HW_ILP_LP,
         "s mip 1 2 n 0\nj 1 0\nj 2 0\ne o f\n",
         HW_ILP_INFEASIBLE,
         {0, 0}},
        {HW_ILP_GLPSOL, HW_ILP_LP, "s mip 1 2 u 0\nj 1 0\nj 2 0\ne o f\n", HW_ILP_UNKNOWN, {0, 0}},
        {HW_ILP_SCIP,
         HW_ILP_LP,
         "solution status: optimal solution found\nobjective value:    1\n"
         "x_0            2 \t(obj:0)\nx_1            1 \t(obj:1)\n",
         HW_ILP_OPTIMAL,
         {2, 1}},
        {HW_ILP_SCIP,
         HW_ILP_LP,
         "solution status: time limit reached\nobjective value:  3\nx_1  3 \t(obj:1)\n",
         HW_ILP_FEASIBLE,
         {0, 3}},
        {HW_ILP_SCIP,
         HW_ILP_LP,
         "solution status: time limit reached\nno solution available\n",
         HW_ILP_UNKNOWN,
         {0, 0}},
        {HW_ILP_SCIP,
         HW_ILP_LP,
         "solution status: infeasible\nno solution available\n",
         HW_ILP_INFEASIBLE,
         {0, 0}},
    };
    static const struct {
        hw_ilp_program program;
        const char *text;
    } bad[] = {
        {HW_ILP_CBC, ""},
        {HW_ILP_CBC, "Optimal - objective value 1.0\n  0 x_7  2  0\n"},
        {HW_ILP_HIGHS, ""},
        {HW_ILP_HIGHS, "Model status\nUnbounded\n"},
        {HW_ILP_HIGHS, "Model status\nOptimal\n\n# Primal solution values\nNone\n"},
        {HW_ILP_HIGHS, "Model status\nOptimal\n# Primal solution values\nFeasible\nObjective a\n"},
        {HW_ILP_HIGHS, "Model status\nOptimal\n# Primal solution values\nFeasible\nObjective 1\n"},
        {HW_ILP_HIGHS, "Model status\nOptimal\n# Primal solution values\nFeasible\nObjective 1\n"
                       "# Columns 2\nx_0 nan\n"},
        {HW_ILP_GLPSOL, "c nothing\n"},
        {HW_ILP_GLPSOL, "s mip 1 2 x 1\n"},
        {HW_ILP_GLPSOL, "s mip 1 2 o\n"},
        {HW_ILP_GLPSOL, "s mip 1 2 o 1\nj 3 1\n"},
        {HW_ILP_GLPSOL, "s mip 1 2 o 1\nj 1\n"},
        {HW_ILP_SCIP, ""},
        {HW_ILP_SCIP, "solution status: unbounded\n"},
        {HW_ILP_SCIP, "solution status: optimal solution found\nno solution available\n"},
        {HW_ILP_SCIP, "solution status: optimal solution found\nobjective value: 1\nx_0\n"},
    };
    hw_linear *l = two_columns();
    hw_ilp_answer a;
    hw_error err;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        FILE *in = fmemopen((void *)(uintptr_t)good[i].text, strlen(good[i].text), "r");
        assert_non_null(in);
        a = (hw_ilp_answer){.status = HW_ILP_UNKNOWN};
        assert_int_equal(hw_ilp_read(good[i].program, good[i].format, in, l, &a, &err), HW_OK);
        assert_int_equal(a.status, good[i].status);
        assert_true((a.value != NULL) == (a.status <= HW_ILP_FEASIBLE));
        for (int k = 0; a.value && k < 2; k++)
            assert_int_equal((int)(a.value[k] + 0.5), good[i].value[k]);
        if (a.value)
            assert_int_equal((int)(a.objective + 0.5), good[i].value[1]);
        free(a.value);
        (void)fclose(in);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t length = strlen(bad[i].text);
        FILE *in =
            fmemopen((void *)(uintptr_t)(length ? bad[i].text : "\n"), length ? length : 1, "r");
        assert_non_null(in);
        a = (hw_ilp_answer){.status = HW_ILP_UNKNOWN};
        if (hw_ilp_read(bad[i].program, HW_ILP_LP, in, l, &a, &err) != HW_IO || a.value)
            fail_msg("'%s' was read", bad[i].text);
        (void)fclose(in);
    }
    hw_linear_free(l);
}

/* The arguments that reach a program, one a line. */
static void programs_are_told_the_limit(void **unused)
{
    (void)unused;
    static const char *const expected[HW_ILP_PROGRAMS] = {[HW_ILP_CBC] = "-seconds 7.5",
                                                          [HW_ILP_HIGHS] = "--time_limit 7.5",
                                                          [HW_ILP_GLPSOL] = "--tmlim 8",
                                                          [HW_ILP_SCIP] = "set limits time 7.5"};
    hw_linear *l = two_columns();
    for (int k = 0; k < HW_ILP_PROGRAMS; k++) {
        disguise d = put_on(hw_ilp_name((hw_ilp_program)k), "#!/bin/sh\necho \"$*\"\nexit 1\n");
        hw_ilp_answer a;
        hw_error err;
        assert_int_equal(hw_ilp_solve((hw_ilp_program)k, HW_ILP_MPS, l, 7.5, NULL, &a, &err),
                         HW_IO);
        if (!strstr(err.message, expected[k]) || !strstr(err.message, "model.mps") ||
            !strstr(err.message, "solution.txt"))
            fail_msg("%s", err.message);
        take_off(&d);
    }
    hw_linear_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mps_text),
        cmocka_unit_test(solutions_are_read),
        cmocka_unit_test(programs_are_told_the_limit),
        cmocka_unit_test(missing_programs_are_named),
        cmocka_unit_test(late_programs_are_killed),
        cmocka_unit_test(wrong_claims_prove_nothing),
        cmocka_unit_test(claims_are_checked),
        cmocka_unit_test(cbc_proves_what_dp_proves),
        cmocka_unit_test(glpsol_proves_what_dp_proves),
        cmocka_unit_test(highs_and_scip_where_they_are),
        cmocka_unit_test(large_sums_prove_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
