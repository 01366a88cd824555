/*
 * Every row of the table of solvers: it is described, it has a known answer
 * here, and it says the same twice.
 *
 * The graph is tests/cases/random-plain-05.json (13 nodes), whose optima are
 * 279 (alloc-first) and 221 (free-first) bytes by expected.tsv; the peaks of
 * the heuristics were taken from a run and are here so that a rule never
 * changes silently.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "core/rng.h"
#include "io/ilp.h"
#include "io/io.h"
#include "support_solve.h"

typedef struct known {
    const char *solver;
    hw_status status[2]; /* by accounting */
    uint64_t peak[2];    /* 0: no order; of a bound solver, the bound */
} known;

static const known table[] = {
    {"source", {HW_FEASIBLE, HW_FEASIBLE}, {446, 390}},
    {"level", {HW_FEASIBLE, HW_FEASIBLE}, {425, 364}},
    {"dfs", {HW_FEASIBLE, HW_FEASIBLE}, {388, 327}},
    {"random", {HW_FEASIBLE, HW_FEASIBLE}, {316, 255}},
    {"kahn-random", {HW_FEASIBLE, HW_FEASIBLE}, {316, 255}},
    {"best-of", {HW_FEASIBLE, HW_FEASIBLE}, {316, 255}},
    {"by-output", {HW_FEASIBLE, HW_FEASIBLE}, {400, 331}},
    {"greedy", {HW_FEASIBLE, HW_FEASIBLE}, {371, 302}},
    {"greedy-listing", {HW_STALLED, HW_STALLED}, {0, 0}}, /* its nodes read graph inputs */
    {"greedy-mixed", {HW_FEASIBLE, HW_FEASIBLE}, {371, 302}},
    {"greedy-reverse", {HW_FEASIBLE, HW_FEASIBLE}, {413, 352}},
    {"lpmf", {HW_FEASIBLE, HW_FEASIBLE}, {400, 302}},
    {"inductor-bfs", {HW_FEASIBLE, HW_FEASIBLE}, {401, 340}},
    {"inductor-dfs", {HW_FEASIBLE, HW_FEASIBLE}, {406, 364}},
    {"inductor-best", {HW_FEASIBLE, HW_FEASIBLE}, {400, 302}},
    {"ort-dfs", {HW_FEASIBLE, HW_FEASIBLE}, {518, 476}},
    {"ort-priority", {HW_FEASIBLE, HW_FEASIBLE}, {446, 390}},
    {"ort-memory", {HW_FEASIBLE, HW_FEASIBLE}, {518, 476}},
    {"lookahead", {HW_FEASIBLE, HW_FEASIBLE}, {333, 280}},
    {"xla-list", {HW_FEASIBLE, HW_FEASIBLE}, {371, 302}},
    {"xla-dfs", {HW_FEASIBLE, HW_FEASIBLE}, {290, 221}},
    {"xla-postorder", {HW_OPTIMAL, HW_FEASIBLE}, {279, 236}},
    {"xla-best", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}},
    {"enumerate", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"dp", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"milp", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},   /* where a program for it is installed */
    {"hmcos", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}}, /* 279 meets its bound */
    {"serenity", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"tflite-tools", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"beam", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}}, /* 279 meets its bound */
    {"portfolio", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"beam-reverse", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}},
    {"best-of-both", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}},
    {"backtrack", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}}, /* 279 meets its bound */
    {"anneal", {HW_OPTIMAL, HW_FEASIBLE}, {279, 221}},    /* 279 meets its bound */
    {"lns", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},        /* a window may be all */
    {"exact", {HW_OPTIMAL, HW_OPTIMAL}, {279, 221}},
    {"bound-footprint", {HW_UNKNOWN, HW_UNKNOWN}, {279, 218}},
    {"bound-mincut", {HW_UNKNOWN, HW_UNKNOWN}, {279, 218}},
};

/* Solvers that take some graphs only, and what they say to this one. */
static const struct {
    const char *solver, *message;
} refusals[] = {
    {"best-postorder", "node 0 leads to two nodes that do not need each other"},
    {"liu", "node 0 leads to two nodes that do not need each other"},
    {"series-parallel", "(the pattern N)"},
    {"external", "write external:command=PROGRAM"}, /* its answers: test_external.c */
};

enum {
    N_KNOWN = sizeof table / sizeof table[0],
    N_REFUSALS = sizeof refusals / sizeof refusals[0]
};

static const known *find(const char *name)
{
    for (size_t i = 0; i < N_KNOWN; i++)
        if (strcmp(table[i].solver, name) == 0)
            return &table[i];
    return NULL;
}

static const char *find_refusal(const char *name)
{
    for (size_t i = 0; i < N_REFUSALS; i++)
        if (strcmp(refusals[i].solver, name) == 0)
            return refusals[i].message;
    return NULL;
}

static void rows_are_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < hw_n_solvers; i++) {
        const hw_solver_row *row = hw_solvers[i];
        if (!find(row->name) && !find_refusal(row->name))
            fail_msg("solver %s has no line in the table of known answers: write one, with the "
                     "peaks that `highwater solve` prints for the graph of this test",
                     row->name);
        assert_true(row->help && *row->help && strchr(row->help, '\n') == NULL);
        assert_true(row->source && *row->source);
        assert_true(row->counts && *row->counts);
        assert_non_null(row->solve);
        assert_true(row->n_params <= HW_PARAM_LIMIT);
        assert_ptr_equal(hw_solver_find(row->name, strlen(row->name)), row);
        for (size_t k = 0; k < row->n_params; k++) {
            const hw_param_row *p = &row->params[k];
            assert_true(p->help && *p->help);
            if (p->type == HW_PARAM_INT || p->type == HW_PARAM_REAL)
                assert_true(p->low <= p->preset && p->preset <= p->high);
            size_t choices = p->type == HW_PARAM_BOOL ? 2 : p->type == HW_PARAM_CHOICE ? 1 : 0;
            for (const char *c = p->choices; c && *c && p->type == HW_PARAM_CHOICE; c++)
                choices += *c == '|';
            if (choices) { /* indices */
                assert_true(p->low == 0 && p->high == (double)choices - 1);
                assert_true(p->preset >= 0 && p->preset <= p->high);
            }
        }
    }
    for (size_t i = 0; i < N_KNOWN + N_REFUSALS; i++) {
        const char *name = i < N_KNOWN ? table[i].solver : refusals[i - N_KNOWN].solver;
        if (!hw_solver_find(name, strlen(name)))
            fail_msg("there is a line of %s, which is no solver: is it in solvers/registry.c?",
                     name);
    }
    assert_int_equal(hw_n_solvers, N_KNOWN + N_REFUSALS); /* no line twice */
}

static void canonical_text_reads_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < hw_n_solvers; i++) {
        const hw_solver_row *row = hw_solvers[i], *found;
        hw_param_value preset[HW_PARAM_LIMIT], values[HW_PARAM_LIMIT];
        char text[1024], again[1024], spec[1200];
        if (row->foreign) /* nothing by its defaults */
            continue;
        hw_params_preset(row->params, row->n_params, preset);
        (void)hw_params_text(row->params, row->n_params, preset, text, sizeof text);
        (void)snprintf(spec, sizeof spec, "%s%s%s", row->name, *text ? ":" : "", text);
        hw_error err;
        assert_int_equal(hw_solver_parse(spec, &found, values, &err), HW_OK);
        assert_ptr_equal(found, row);
        (void)hw_params_text(row->params, row->n_params, values, again, sizeof again);
        assert_string_equal(text, again);
    }
}

static void wrong_names_are_refused_with_the_nearest(void **state)
{
    (void)state;
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_error err;
    assert_int_equal(hw_solver_parse("greddy", &row, values, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "did you mean 'greedy'?"));
    assert_int_equal(hw_solver_parse("", &row, values, &err), HW_USAGE);
    assert_int_equal(hw_solver_parse("lookahead:q=1", &row, values, &err), HW_USAGE);
    assert_int_equal(hw_solver_parse("lookahead:k=0", &row, values, &err), HW_USAGE);
    assert_int_equal(hw_solver_parse("lookahead:k=3x", &row, values, &err), HW_USAGE);
    assert_int_equal(hw_solver_parse("lookahead:k", &row, values, &err), HW_USAGE);
    assert_int_equal(hw_solver_parse("greedy:k=1", &row, values, &err), HW_USAGE);
}

static void expect_refusal(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                           const char *message)
{
    hw_answer answer;
    hw_error err;
    assert_int_equal(hw_solve(m, row, request, &answer, &err), HW_USAGE);
    assert_non_null(strstr(err.message, row->name));
    if (!strstr(err.message, message))
        fail_msg("%s: %s", row->name, err.message);
    assert_false(answer.has_order);
}

static bool can_run_milp(void)
{
    for (int k = 0; k < HW_ILP_PROGRAMS; k++)
        if (hw_ilp_present((hw_ilp_program)k))
            return true;
    print_message("milp: skipped, no program that solves integer programs is installed\n");
    return false;
}

static void answers_are_known_and_repeat(void **state)
{
    (void)state;
    hw_graph *g;
    hw_error err;
    assert_int_equal(hw_graph_load("tests/cases/random-plain-05.json", &g, &err), HW_OK);
    for (int a = 0; a < 2; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, false);
        for (size_t i = 0; i < hw_n_solvers; i++) {
            const hw_solver_row *row = hw_solvers[i];
            const known *k = find(row->name);
            const char *refusal = find_refusal(row->name);
            if ((k == NULL) == (refusal == NULL))
                fail_msg("%s: %s", row->name,
                         k ? "both known and refused" : "what it should answer is not known here");
            if (strcmp(row->name, "milp") == 0 && !can_run_milp())
                continue;
            hw_param_value values[HW_PARAM_LIMIT];
            hw_params_preset(row->params, row->n_params, values);
            hw_request request = {.params = values, .seed = HW_DEFAULT_SEED};
            if (refusal) {
                expect_refusal(m, row, &request, refusal);
                continue;
            }
            hw_answer first = test_solve_with(m, row->name, request);
            hw_answer second = test_solve_with(m, row->name, request);
            uint64_t figure = row->kind == HW_SOLVER_BOUND ? first.bound
                              : first.has_order            ? first.peak
                                                           : 0;
            if (first.status != k->status[a] || figure != k->peak[a])
                fail_msg("%s, %s: %s %llu, not %s %llu", row->name,
                         hw_accounting_name((hw_accounting)a), hw_status_name(first.status),
                         (unsigned long long)figure, hw_status_name(k->status[a]),
                         (unsigned long long)k->peak[a]);
            if (second.status != first.status || second.has_order != first.has_order ||
                second.peak != first.peak || second.states != first.states ||
                second.bound != first.bound ||
                (first.has_order &&
                 memcmp(first.order, second.order, m->n_nodes * sizeof *first.order) != 0))
                fail_msg("%s, %s: another answer the second time: %s %llu after %llu, not %s %llu "
                         "after %llu, or another order",
                         row->name, hw_accounting_name((hw_accounting)a),
                         hw_status_name(second.status), (unsigned long long)second.peak,
                         (unsigned long long)second.states, hw_status_name(first.status),
                         (unsigned long long)first.peak, (unsigned long long)first.states);
            hw_answer_clear(&first);
            hw_answer_clear(&second);
        }
        hw_model_free(m);
    }
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_described),
        cmocka_unit_test(canonical_text_reads_back),
        cmocka_unit_test(wrong_names_are_refused_with_the_nearest),
        cmocka_unit_test(answers_are_known_and_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
