/*
 * Certificates: what `exact` writes, highwater-check verifies.
 *
 * HW_PROOF_GRAPHS sets how many graphs are drawn (10,000 in the full run).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen/family.h"
#include "proof/proof.h"
#include "solvers/exact_proof.h"
#include "tests/support_draft.h"
#include "tests/support_exact.h"
#include "tests/support_generate.h"
#include "tests/support_proof.h"
#include "tests/support_random.h"
#include "tests/support_twins.h"
#include "support_sanitized.h"

extern const hw_solver_row hw_solver_exact;

static proof_files files;

/* What the lines of a proof hold. */
static bool mentions(const char *proof, size_t n, const char *line)
{
    size_t length = strlen(line);
    for (size_t i = 0; i + length < n; i++)
        if (proof[i] == '\n' && strncmp(proof + i + 1, line, length) == 0)
            return true;
    return false;
}

/* The answer is proven; without an order in hand its budget is what cannot be kept. */
static void expect_verified(const hw_model *m, const hw_answer *a, const hw_request *request,
                            const char *proof, size_t n, uint64_t where)
{
    uint64_t bytes = 0, claim = UINT64_MAX;
    bool optimal = a->status == HW_OPTIMAL;
    if (a->proof != HW_PROOF_COMPLETE)
        fail_msg("graph %" PRIu64 ": the proof is not complete", where);
    proof_write_bytes(&files, proof, n);
    if (optimal) {
        proof_write_order(&files, m->graph, a->order);
        claim = a->peak;
    } else if (request->has_budget) {
        claim = request->budget_bytes + 1;
    }
    proof_verdict verdict = proof_check(&files, optimal, &bytes);
    if (verdict != (optimal ? PROOF_OPTIMUM : PROOF_BOUND) || bytes != claim)
        fail_msg("graph %" PRIu64 ": the proof of %" PRIu64 " is not verified", where, claim);
}

typedef struct tally {
    uint64_t searches, bounds, windows, commits;
} tally;

static void count(tally *t, const char *proof, size_t n)
{
    t->searches += mentions(proof, n, "search ");
    t->bounds += mentions(proof, n, "bound ");
    t->windows += mentions(proof, n, "bound windows ");
    proof_parts parts;
    bool searched = proof_take_apart(proof, n, &parts);
    for (size_t i = 0; i < parts.n && searched; i++)
        t->commits += parts.record[i].kind == PROOF_COMMIT;
    proof_parts_free(&parts);
}

static void proofs_verify(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_PROOF_GRAPHS", FEWER(250));
    tally t = {0};
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = 0;
        bool large = i % 4 == 0;
        hw_graph *g =
            series_graph(i, large ? 12 : 1, large ? 40 : 10, i % 8 == 1 || i % 8 == 2, &state);
        hw_accounting accounting = i / 2 % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST;
        hw_model *m = NULL;
        hw_param_value values[HW_PARAM_LIMIT];
        if (!g || hw_model_new(g, accounting, i % 5 == 0, &m, NULL) != HW_OK) {
            hw_graph_free(g);
            continue;
        }
        exact_turn(large ? 0 : (uint32_t)(i / 4 % exact_turns()), &state, values);
        proof_write_graph(&files, g, i % 3 ? HW_FORMAT_JSON : HW_FORMAT_LINE);
        hw_request request = {0};
        hw_answer a;
        size_t n;
        char *proof = proof_solve(m, values, request, &a, &n);
        expect_verified(m, &a, &request, proof, n, i);
        count(&t, proof, n);
        free(proof);
        if (a.status == HW_OPTIMAL && a.peak > 0) { /* that one byte less is not enough */
            request.has_budget = true;
            request.budget_bytes = a.peak - 1;
            hw_answer_clear(&a);
            proof = proof_solve(m, values, request, &a, &n);
            assert_int_equal(a.status, HW_INFEASIBLE);
            expect_verified(m, &a, &request, proof, n, i);
            free(proof);
        }
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
    print_message("%" PRIu64 " graphs: %" PRIu64 " searches (with %" PRIu64 " commits), %" PRIu64
                  " bounds (%" PRIu64 " of windows)\n",
                  graphs, t.searches, t.commits, t.bounds, t.windows);
    assert_true(t.searches >= graphs / 20 && t.bounds >= graphs / 20 && t.commits);
}

/* Where windows leave no legal order, and where there are no nodes, there is nothing to search. */
static void what_needs_no_search_is_proven(void **unused)
{
    (void)unused;
    uint32_t found = 0;
    for (uint64_t i = 0; found < 30 && i < 100000; i++) {
        uint64_t state = 0;
        hw_graph *g = i ? series_graph(i, 1, 12, true, &state) : draft_graph(1, 0, DRAW_RICH);
        hw_model *m = NULL;
        if (g &&
            hw_model_new(g, i % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST, false, &m, NULL) == HW_OK &&
            (!m->legal || m->n_nodes == 0)) {
            hw_request request = {.has_budget = found % 2 == 1, .budget_bytes = i};
            hw_answer a;
            size_t n;
            char *proof = proof_solve(m, NULL, request, &a, &n);
            proof_write_graph(&files, g, HW_FORMAT_JSON);
            expect_verified(m, &a, &request, proof, n, i);
            free(proof);
            hw_answer_clear(&a);
            found++;
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_int_equal(found, 30);
}

/* Graphs with identical branches, where the solver takes prefixes that are alike as one. */
static void twins_verify(void **unused)
{
    (void)unused;
    uint64_t graphs = environment_number("HW_PROOF_GRAPHS", FEWER(250)), searches = 0;
    for (uint64_t i = 0; i < graphs; i++) {
        draft *d = draft_with_twins(i, 24, i % 2 ? DRAW_RICH : DRAW_PLAIN);
        hw_graph *g = NULL;
        hw_model *m = NULL;
        hw_error err = {0};
        hw_answer a;
        if (d)
            (void)draft_build(d, &g, &err);
        hw_accounting accounting = i / 2 % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST;
        if (!g || hw_model_new(g, accounting, false, &m, NULL) != HW_OK) {
            hw_graph_free(g);
            free(d);
            continue;
        }
        size_t n;
        hw_request request = {0};
        char *proof = proof_solve(m, NULL, request, &a, &n);
        proof_write_graph(&files, g, HW_FORMAT_JSON);
        expect_verified(m, &a, &request, proof, n, i);
        searches += mentions(proof, n, "search ");
        free(proof);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    print_message("%" PRIu64 " graphs with twins, %" PRIu64 " searches\n", graphs, searches);
    assert_true(searches * 10 > graphs);
}

/* exact_proof() under limits, its text thrown away. */
static hw_proof_state write_under(const hw_model *m, const hw_answer *a, uint64_t memory_bytes,
                                  const volatile sig_atomic_t *stop)
{
    char *bytes = NULL;
    size_t n;
    hw_proof_state state = HW_PROOF_NONE;
    hw_error err = {0};
    hw_request request = {.proof = open_memstream(&bytes, &n), .stop = stop};
    assert_non_null(request.proof);
    assert_int_equal(exact_proof(m, a->order, true, a->peak, memory_bytes, &request, &state, &err),
                     HW_OK);
    (void)fclose(request.proof);
    free(bytes);
    return state;
}

/* A limit that ends the writing leaves the answer as it is. */
static void limits_spare_the_answer(void **unused)
{
    (void)unused;
    static const volatile sig_atomic_t stop = 1;
    const hw_family_row *family;
    hw_param_value shape[HW_PARAM_LIMIT];
    hw_error err = {0};
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_answer a, b;
    size_t n;
    assert_int_equal(hw_family_parse("erdos:n=80", &family, shape, &err), HW_OK);
    assert_int_equal(hw_generate(family, shape, 3, 5, &g, &err), HW_OK);
    assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, &err), HW_OK);
    free(proof_solve(m, NULL, (hw_request){0}, &a, &n));
    assert_int_equal(a.proof, HW_PROOF_COMPLETE);
    assert_int_equal(write_under(m, &a, UINT64_C(1) << 30, NULL), HW_PROOF_COMPLETE);
    assert_int_equal(write_under(m, &a, UINT64_C(1) << 30, &stop), HW_PROOF_CUT);
    assert_int_equal(write_under(m, &a, 1, NULL), HW_PROOF_CUT);
    /* So many states are enough for the search, and then not for the writing. */
    free(proof_solve(m, NULL, (hw_request){.limits = {.states = a.states + 1}}, &b, &n));
    assert_int_equal(b.status, HW_OPTIMAL);
    assert_int_equal(b.peak, a.peak);
    assert_int_not_equal(b.proof, HW_PROOF_NONE);
    hw_answer_clear(&a);
    hw_answer_clear(&b);
    hw_model_free(m);
    hw_graph_free(g);
}

static void a_full_disk_is_told(void **unused)
{
    (void)unused;
    uint64_t state = 0;
    hw_graph *g = series_graph(1, 5, 5, false, &state);
    hw_model *m = NULL;
    hw_error err = {0};
    hw_answer a;
    hw_param_value values[HW_PARAM_LIMIT];
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        hw_graph_free(g);
        skip();
    }
    assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
    exact_turn(0, &state, values);
    hw_request request = {.params = values, .proof = full};
    assert_int_equal(hw_solve(m, &hw_solver_exact, &request, &a, &err), HW_OK);
    assert_int_equal(a.status, HW_OPTIMAL);
    assert_int_equal(a.proof, HW_PROOF_CUT);
    assert_true(ferror(full));
    assert_non_null(strstr(err.message, "proof"));
    hw_answer_clear(&a);
    (void)fclose(full);
    hw_model_free(m);
    hw_graph_free(g);
}

/* A list of prefixes of the order in hand; in front of each, turns come to their end or not. */
static char *listed(const hw_model *m, const uint32_t *order, bool late, size_t *n)
{
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, n);
    hw_proof p;
    uint64_t state = 8;
    assert_non_null(out);
    assert_int_equal(hw_proof_begin(&p, out, m, 1, NULL), HW_OK);
    assert_int_equal(hw_proof_search(&p, false, order, m->n_nodes, NULL), HW_OK);
    for (uint32_t i = 0; i < 50; i++) {
        if (late && random_chance(&state, 0.5)) {
            uint32_t turn = UINT32_MAX - 1 - i % 2;
            for (uint32_t v = 0; v < m->n_nodes; v++)
                p.mark[v] = p.mark[v] == p.turn ? turn : turn - 1;
            p.turn = turn;
        }
        hw_proof_prefix(&p, order, i * 7 % (m->n_nodes + 1), HW_PROOF_PLAIN);
    }
    assert_int_equal(hw_proof_end_search(&p, NULL), HW_OK);
    hw_proof_free(&p);
    assert_int_equal(fclose(out), 0);
    return bytes;
}

static void turns_may_end(void **unused)
{
    (void)unused;
    uint64_t state = 0;
    hw_graph *g = series_graph(1, 12, 12, false, &state);
    hw_model *m = NULL;
    hw_answer a;
    size_t n, n_late;
    assert_int_equal(hw_model_new(g, HW_ALLOC_FIRST, false, &m, NULL), HW_OK);
    free(proof_solve(m, NULL, (hw_request){0}, &a, &n));
    char *usual = listed(m, a.order, false, &n), *late = listed(m, a.order, true, &n_late);
    assert_true(n == n_late && memcmp(usual, late, n) == 0);
    free(usual);
    free(late);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

/* More prefixes than the checker's first table holds. */
static void long_lists_verify(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("erdos:n=60,degree=1.5,workspace=0.3", 1);
    hw_model *m = NULL;
    hw_request request = {0};
    hw_answer a;
    proof_parts parts;
    size_t n;
    assert_int_equal(hw_model_new(g, HW_FREE_FIRST, false, &m, NULL), HW_OK);
    char *proof = proof_solve(m, NULL, request, &a, &n);
    assert_true(proof_take_apart(proof, n, &parts) && parts.n > 3000);
    proof_parts_free(&parts);
    proof_write_graph(&files, g, HW_FORMAT_JSON);
    expect_verified(m, &a, &request, proof, n, 1);
    free(proof);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(int argc, char **argv)
{
    (void)argc;
    if (!proof_files_open(&files, argv[0]))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proofs_verify),       cmocka_unit_test(what_needs_no_search_is_proven),
        cmocka_unit_test(twins_verify),        cmocka_unit_test(limits_spare_the_answer),
        cmocka_unit_test(a_full_disk_is_told), cmocka_unit_test(turns_may_end),
        cmocka_unit_test(long_lists_verify),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    proof_files_close(&files);
    return failed != 0;
}
