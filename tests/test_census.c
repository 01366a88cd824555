/*
 * The census: all unlabelled acyclic digraphs of up to 6 nodes, from nauty's
 * tools (an outside oracle: 1, 2, 6, 31, 302, 5984 of them), times three size
 * vectors, times both accountings.  `enumerate` and `dp` agree on each, and no
 * solver of the registry goes below their optimum or proves what is not so
 * (milp on a part of them).  Under the sanitizers a graph of 6 nodes takes one
 * of the vectors in turn: they are after memory, not optima.
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

#include "model/builder.h"
#include "support_draft.h"
#include "support_sanitized.h"
#include "support_solve.h"

enum { MOST_NODES = 6, LINE_BYTES = 256, N_VECTORS = 3, SHARE_OF_PROGRAMS = 97 };

typedef struct dag {
    uint32_t n;
    bool arc[MOST_NODES][MOST_NODES];
} dag;

/* "n arcs u v u v ..." */
static bool read_dag(FILE *in, dag *d)
{
    char line[LINE_BYTES];
    if (!fgets(line, sizeof line, in))
        return false;
    char *at = line;
    *d = (dag){.n = (uint32_t)strtoul(at, &at, 10)};
    assert_true(d->n >= 1 && d->n <= MOST_NODES);
    for (unsigned long arcs = strtoul(at, &at, 10); arcs > 0; arcs--) {
        unsigned long u = strtoul(at, &at, 10), v = strtoul(at, &at, 10);
        assert_true(u < d->n && v < d->n);
        d->arc[u][v] = true;
    }
    return true;
}

static bool is_sink(const dag *d, uint32_t u)
{
    for (uint32_t v = 0; v < d->n; v++)
        if (d->arc[u][v])
            return false;
    return true;
}

/*
 * Node u makes tensor u, which its successors consume.  Vector 0: equal sizes;
 * 1: powers of two; 2: small random sizes and workspace, and outputs of sinks
 * that nobody keeps.
 */
static hw_graph *graph_of(const dag *d, int vector, uint64_t seed)
{
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    assert_non_null(b);
    for (uint32_t u = 0; u < d->n; u++) {
        uint64_t size = vector == 0   ? 1
                        : vector == 1 ? UINT64_C(1) << ((u * 5 + 2) % d->n)
                                      : draft_below(&seed, 10);
        hw_kind kind = is_sink(d, u) && vector < 2 ? HW_OUTPUT : HW_ACTIVATION;
        assert_int_equal(hw_builder_tensor(b, u, size, kind, NULL, NULL), HW_OK);
    }
    for (uint64_t v = 0; v < d->n; v++) {
        uint64_t inputs[MOST_NODES];
        hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = &v, .n_outputs = 1};
        for (uint32_t u = 0; u < d->n; u++)
            if (d->arc[u][v])
                inputs[spec.n_inputs++] = u;
        spec.workspace = vector == 2 ? draft_below(&seed, 6) : 0;
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

static void check_solver(const hw_model *m, const hw_solver_row *row, uint64_t optimum)
{
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer a;
    hw_error err = {0};
    hw_params_preset(row->params, row->n_params, values);
    hw_request request = {.params = values, .seed = 1};
    hw_code code = hw_solve(m, row, &request, &a, &err);
    if (code == HW_USAGE)
        return; /* a solver for another kind of graph */
    if (code != HW_OK)
        fail_msg("%s: %s", row->name, err.message);
    bool right = !a.has_order || a.peak >= optimum;
    right = right && (!a.has_bound || a.bound <= optimum);
    right = right && a.status != HW_INFEASIBLE;
    right = right && (a.status != HW_OPTIMAL || (a.has_order && a.peak == optimum));
    right = right && (row->kind != HW_SOLVER_EXACT || a.status == HW_OPTIMAL);
    if (!right)
        fail_msg("%s says %s, peak %" PRIu64 ", bound %" PRIu64 "; the optimum is %" PRIu64,
                 row->name, hw_status_name(a.status), a.peak, a.bound, optimum);
    hw_answer_clear(&a);
}

/*
 * Enumeration first: everything is held against its optimum.  milp starts a
 * program at each call, tens of milliseconds: half an hour for all graphs.
 */
static void check_graph(const hw_graph *g, bool with_programs)
{
    for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
        hw_model *m = test_model(g, (hw_accounting)a, false);
        hw_answer best = test_solve(m, "enumerate:prune=no"), dp = test_solve(m, "dp");
        assert_int_equal(best.status, HW_OPTIMAL);
        assert_int_equal(dp.status, HW_OPTIMAL);
        assert_int_equal(dp.peak, best.peak);
        for (size_t i = 0; i < hw_n_solvers; i++)
            if (with_programs || strcmp(hw_solvers[i]->name, "milp") != 0)
                check_solver(m, hw_solvers[i], best.peak);
        hw_answer_clear(&best);
        hw_answer_clear(&dp);
        hw_model_free(m);
    }
}

static void take_census(uint32_t n, uint64_t expected)
{
    char command[128];
    if (system("command -v nauty-geng >/dev/null 2>&1 && "
               "command -v nauty-directg >/dev/null 2>&1") != 0) {
        print_message("skip: nauty-geng and nauty-directg are missing (package nauty)\n");
        skip();
    }
    (void)snprintf(command, sizeof command, "nauty-geng -q %" PRIu32 " | nauty-directg -q -o -a -T",
                   n);
    FILE *in = popen(command, "r");
    assert_non_null(in);
    uint64_t count = 0;
    for (dag d; read_dag(in, &d); count++) {
        assert_int_equal(d.n, n);
        for (int vector = 0; vector < N_VECTORS; vector++) {
            /* One of a dozen: each fourth graph, the vectors by turns. */
            if (SANITIZED && n == MOST_NODES && (uint64_t)vector * 4 != count % (4 * N_VECTORS))
                continue;
            hw_graph *g = graph_of(&d, vector, count);
            check_graph(g, n <= 3 || count % SHARE_OF_PROGRAMS == 0);
            hw_graph_free(g);
        }
    }
    assert_int_equal(pclose(in), 0);
    assert_int_equal(count, expected);
}

static void one_node(void **state)
{
    (void)state;
    take_census(1, 1);
}

static void two_nodes(void **state)
{
    (void)state;
    take_census(2, 2);
}

static void three_nodes(void **state)
{
    (void)state;
    take_census(3, 6);
}

static void four_nodes(void **state)
{
    (void)state;
    take_census(4, 31);
}

static void five_nodes(void **state)
{
    (void)state;
    take_census(5, 302);
}

static void six_nodes(void **state)
{
    (void)state;
    take_census(6, 5984);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_node),   cmocka_unit_test(two_nodes),  cmocka_unit_test(three_nodes),
        cmocka_unit_test(four_nodes), cmocka_unit_test(five_nodes), cmocka_unit_test(six_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
