/*
 * How the exact solvers search: what they answer, the states that they count
 * on the way and the order that they end with are functions of the question.
 * A rule that prunes less, a choice made otherwise, a limit seen too late all
 * leave the optimum as it is; here they show.
 *
 * tests/search_course.tsv holds the questions, a line each, and what came out.
 * After a change that is meant to search otherwise,
 *
 *   HW_RECORD=1 build/tests/test_search_course
 *
 * writes the answers anew: read what has become of the states.  Peaks that are
 * proven must not change.  Columns: solver, graph, how it is asked; status, peak,
 * bound (0: none), states, a sum over the order and the proof.
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

#include "tests/support_exact.h"
#include "tests/support_generate.h"
#include "tests/support_io.h"
#include "tests/support_sanitized.h"
#include "tests/support_solve.h"

static const char path[] = "tests/search_course.tsv";

enum { MOST_LINE = 512, QUESTIONS = 3, MOST_TOLD = 10 };

/*
 * "FAMILY:params#index"; "rich#i" or "windows#i", graph i of the series of
 * support_exact.h; or the path of a file.
 */
static hw_graph *graph_of(const char *name)
{
    char spec[MOST_LINE];
    const char *mark = strchr(name, '#');
    hw_graph *g = NULL;
    uint64_t state = 0;
    (void)snprintf(spec, sizeof spec, "%.*s", mark ? (int)(mark - name) : 0, name);
    if (!mark)
        assert_int_equal(hw_graph_load(name, &g, NULL), HW_OK);
    else if (strcmp(spec, "rich") == 0 || strcmp(spec, "windows") == 0)
        g = series_graph(strtoull(mark + 1, NULL, 10), 14, 40, spec[0] == 'w', &state);
    else
        g = test_instance(spec, strtoull(mark + 1, NULL, 10));
    assert_non_null(g);
    return g;
}

/* FNV-1a over bytes, going on from another sum. */
static uint32_t sum_of(uint32_t sum, const void *bytes, size_t n)
{
    for (const unsigned char *at = bytes; n; n--)
        sum = (sum ^ *at++) * 16777619u;
    return sum;
}

/* The least byte of each place first, whatever the machine's order. */
static uint32_t sum_of_order(const uint32_t *order, uint32_t n)
{
    uint32_t sum = 2166136261u;
    for (uint32_t i = 0; i < n; i++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            sum = sum_of(sum, &(unsigned char){(unsigned char)(order[i] >> shift & 0xff)}, 1);
    return sum;
}

static uint64_t number_behind(const char *text, const char *word)
{
    const char *found = strstr(text, word);
    return found ? strtoull(found + strlen(word), NULL, 10) : 0;
}

/* Solver, graph, and how it is asked: words of "free-first pinned states=N memory=N budget=N
 * proof". */
static void answer_line(char question[QUESTIONS][MOST_LINE], char *line)
{
    const char *how = question[2];
    hw_graph *g = graph_of(question[1]);
    hw_model *m = test_model(g, strstr(how, "free-first") ? HW_FREE_FIRST : HW_ALLOC_FIRST,
                             strstr(how, "pinned") != NULL);
    char *proof = NULL;
    size_t n_proof = 0;
    hw_request request = {.limits = {.states = number_behind(how, "states="),
                                     .memory_bytes = number_behind(how, "memory=")},
                          .has_budget = strstr(how, "budget=") != NULL,
                          .budget_bytes = number_behind(how, "budget="),
                          .proof = strstr(how, "proof") ? open_memstream(&proof, &n_proof) : NULL};
    assert_non_null(m);
    hw_answer a = test_solve_with(m, question[0], request);
    if (request.proof)
        assert_int_equal(fclose(request.proof), 0);
    uint32_t sum = a.has_order ? sum_of_order(a.order, m->n_nodes) : 0;
    int n = snprintf(
        line, MOST_LINE, "%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%08" PRIx32 "\n",
        question[0], question[1], how, hw_status_name(a.status), a.has_order ? a.peak : 0,
        a.has_bound ? a.bound : 0, a.states, n_proof ? sum_of(sum, proof, n_proof) : sum);
    assert_true(n < MOST_LINE);
    free(proof);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

static void courses(void **unused)
{
    (void)unused;
    size_t n_bytes, length = 0;
    char *bytes = file_bytes(path, &n_bytes), *all = NULL;
    assert_non_null(bytes);
    FILE *out = open_memstream(&all, &length);
    assert_non_null(out);
    unsigned n = 0, others = 0, n_lines = 0;
    bool record = getenv("HW_RECORD") != NULL;
    char *rest;
    for (char *line = strtok_r(bytes, "\n", &rest); line && (record || others < MOST_TOLD);
         line = strtok_r(NULL, "\n", &rest)) {
        char question[QUESTIONS][MOST_LINE], answer[MOST_LINE];
        if (SANITIZED && !record && n_lines++ % 5) /* the plain build asks them all */
            continue;
        if (*line == '#') {
            (void)fprintf(out, "%s\n", line);
            continue;
        }
        assert_int_equal(
            sscanf(line, "%511[^\t]\t%511[^\t]\t%511[^\t]", question[0], question[1], question[2]),
            QUESTIONS);
        answer_line(question, answer);
        (void)fputs(answer, out);
        n++;
        if (strlen(answer) != strlen(line) + 1 || strncmp(answer, line, strlen(line)) != 0) {
            others++;
            print_message("was %s\nis  %s", line, answer);
        }
    }
    assert_int_equal(fclose(out), 0);
    free(bytes);
    if (record)
        assert_true(write_text(path, all));
    else if (others)
        fail_msg("%u of the first %u searches went otherwise: %s says what to do", others, n,
                 __FILE__);
    free(all);
    assert_true(n > 0);
}

/* A budget that the order of a rule just keeps is met without a search. */
static void budgets_that_rules_keep(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dp", "exact"};
    hw_graph *g = graph_of("erdos:n=24#1");
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    uint64_t least = UINT64_MAX;
    static const char *const rules[] = {"greedy-reverse", "greedy"};
    for (size_t i = 0; i < 2; i++) {
        hw_answer a = test_solve(m, rules[i]);
        least = a.peak < least ? a.peak : least;
        hw_answer_clear(&a);
    }
    for (size_t i = 0; i < 2; i++) {
        hw_answer best = test_solve(m, solvers[i]);
        assert_true(best.status == HW_OPTIMAL && best.peak < least && best.states > 0);
        hw_answer_clear(&best);
        hw_answer a =
            test_solve_with(m, solvers[i], (hw_request){.has_budget = true, .budget_bytes = least});
        assert_int_equal(a.status, HW_FEASIBLE);
        assert_true(a.peak <= least);
        assert_int_equal(a.states, 0);
        hw_answer_clear(&a);
    }
    hw_model_free(m);
    hw_graph_free(g);
}

/* Limits that are far away change nothing: neither the answer nor the way to it. */
static void limits_that_are_far(void **state)
{
    (void)state;
    static const char *const solvers[] = {"dp", "exact", "backtrack"};
    hw_request far = {.limits = {.seconds = 60, .states = UINT64_MAX / 2}};
    for (unsigned i = 0; i < FEWER(48); i++) {
        char name[MOST_LINE];
        (void)snprintf(name, sizeof name, "%s#%u", i % 2 ? "erdos:n=22" : "randwire:n=24", i / 2);
        hw_graph *g = graph_of(name);
        hw_model *m = test_model(g, i % 3 ? HW_ALLOC_FIRST : HW_FREE_FIRST, false);
        for (size_t k = 0; k < sizeof solvers / sizeof solvers[0]; k++) {
            hw_answer a = test_solve(m, solvers[k]), b = test_solve_with(m, solvers[k], far);
            assert_true(a.has_order && b.has_order && !b.limit_reached);
            assert_int_equal(a.status, b.status);
            assert_int_equal(a.peak, b.peak);
            assert_int_equal(a.states, b.states);
            assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(courses),
                                       cmocka_unit_test(budgets_that_rules_keep),
                                       cmocka_unit_test(limits_that_are_far)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
