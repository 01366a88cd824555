/*
 * All experiments of `highwater claims` at quick effort: each decides, says the
 * same as the committed full run (results/claims.json), tells what its schema
 * promises, and gives examples that are what they are said to be, by solvers
 * whose orders the independent checker sees.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claims/claims.h"
#include "core/rng.h"
#include "io/io.h"
#include "replay/replay.h"
#include "solve/solver.h"
#include "support_sanitized.h"

enum { MOST = 32 };

/* The sanitizer's malloc is not the C library's, which C27 looks at. */
static bool can_run(const hw_claim_row *row)
{
    return !SANITIZED || strcmp(row->id, "C27") != 0;
}

typedef struct whole {
    char folder[64]; /* of the examples */
    hw_claim_finding finding[MOST];
    size_t n;
    json_t *report;
} whole;

static json_t *report_of(const hw_claim_finding *finding, size_t n, bool timeless)
{
    char *text = NULL;
    size_t length = 0;
    hw_error err = {.code = HW_OK};
    hw_claims_report r = {.finding = finding, .n = n, .seed = HW_DEFAULT_SEED, .quick = true};
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(hw_claims_write(&r, HW_CLAIMS_JSON, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    json_t *root = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(root);
    size_t i;
    json_t *claim;
    json_array_foreach(json_object_get(root, "claims"), i, claim)
    {
        if (!timeless)
            break;
        json_object_del(claim, "seconds");
        json_object_del(claim, "measured");
    }
    return root;
}

static void run_rows(const hw_claim_row *const *rows, size_t n, unsigned jobs, const char *folder,
                     hw_claim_finding *finding)
{
    hw_claims_options o = {
        .seed = HW_DEFAULT_SEED, .quick = true, .jobs = jobs, .examples = folder};
    hw_error err = {.code = HW_OK};
    if (hw_claims_run(rows, n, &o, finding, &err) != HW_OK)
        fail_msg("%s", err.message);
}

static int start(void **state)
{
    whole *w = calloc(1, sizeof *w);
    const hw_claim_row *rows[MOST];
    assert_non_null(w);
    assert_true(hw_n_claim_rows <= MOST);
    (void)snprintf(w->folder, sizeof w->folder, "/tmp/highwater-claims-XXXXXX");
    assert_non_null(mkdtemp(w->folder));
    for (size_t i = 0; i < hw_n_claim_rows; i++)
        if (can_run(&hw_claim_rows[i]))
            rows[w->n++] = &hw_claim_rows[i];
    run_rows(rows, w->n, 2, w->folder, w->finding);
    w->report = report_of(w->finding, w->n, false);
    *state = w;
    return 0;
}

static void example_path(const whole *w, const hw_claim_sample *s, char *path, size_t room)
{
    (void)snprintf(path, room, "%s/%s.json", w->folder, s->name);
}

static int finish(void **state)
{
    whole *w = *state;
    for (size_t i = 0; i < w->n; i++) {
        for (size_t k = 0; k < w->finding[i].n_samples; k++) {
            char path[200];
            example_path(w, &w->finding[i].samples[k], path, sizeof path);
            (void)unlink(path);
        }
        hw_claim_finding_clear(&w->finding[i]);
    }
    json_decref(w->report);
    int left = rmdir(w->folder); /* fails where an experiment left something else there */
    free(w);
    return left;
}

static void test_every_experiment_decides(void **state)
{
    const whole *w = *state;
    for (size_t i = 0; i < w->n; i++) {
        const hw_claim_finding *f = &w->finding[i];
        if (f->code != HW_OK)
            fail_msg("%s: %s", f->row->id, f->message);
        assert_int_not_equal(f->verdict, HW_VERDICT_OPEN);
        assert_true(f->figure && strlen(f->figure) > 20);
        assert_true(f->n_tried > 0 && f->n_values > 0);
    }
    assert_int_equal(hw_claims_count(w->finding, w->n).undecided, 0);
}

static void test_verdicts_are_those_of_the_full_run(void **state)
{
    const whole *w = *state;
    json_error_t where;
    json_t *full = json_load_file("results/claims.json", 0, &where);
    if (!full)
        fail_msg("results/claims.json: %s", where.text);
    json_t *claims = json_object_get(full, "claims");
    assert_string_equal(json_string_value(json_object_get(full, "effort")), "full");
    assert_int_equal(json_array_size(claims), hw_n_claim_rows);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = (size_t)(w->finding[i].row - hw_claim_rows);
        json_t *claim = json_array_get(claims, at);
        const char *verdict = json_string_value(json_object_get(claim, "verdict"));
        if (strcmp(verdict, hw_claim_verdict_name(w->finding[i].verdict)) != 0)
            fail_msg("%s: %s in results/claims.json, %s at quick effort", w->finding[i].row->id,
                     verdict, hw_claim_verdict_name(w->finding[i].verdict));
    }
    json_decref(full);
}

static void check_numbers(json_t *numbers)
{
    const char *name;
    json_t *number;
    assert_true(json_is_object(numbers));
    json_object_foreach(numbers, name, number)
    {
        assert_int_equal(json_object_size(number), 2);
        assert_true(json_is_number(json_object_get(number, "value")));
        assert_true(json_string_length(json_object_get(number, "unit")) > 0);
    }
}

/* Every {name} of a sentence is a number of the claim. */
static void check_sentence(json_t *claim, const char *sentence)
{
    for (const char *at = sentence; (at = strchr(at, '{'));) {
        char name[80];
        size_t length = strcspn(++at, "}");
        assert_true(length < sizeof name && at[length] == '}');
        memcpy(name, at, length);
        name[length] = '\0';
        if (!json_object_get(json_object_get(claim, "measured"), name) &&
            !json_object_get(json_object_get(claim, "numbers"), name))
            fail_msg("no number {%s}: %s", name, sentence);
    }
}

static void test_schema(void **state)
{
    const whole *w = *state;
    static const char *const texts[] = {"id",         "section", "claim",
                                        "experiment", "verdict", "figure"};
    size_t i, k;
    json_t *claim, *reading;
    assert_string_equal(json_string_value(json_object_get(w->report, "format")),
                        "highwater-claims");
    json_array_foreach(json_object_get(w->report, "claims"), i, claim)
    {
        assert_int_equal(json_object_size(claim), 13);
        for (k = 0; k < sizeof texts / sizeof texts[0]; k++)
            assert_true(json_string_length(json_object_get(claim, texts[k])) > 0);
        bool only_if =
            strcmp(json_string_value(json_object_get(claim, "verdict")), "holds only if") == 0;
        assert_true(json_is_string(json_object_get(claim, "condition")) == only_if);
        assert_true(json_is_null(json_object_get(claim, "error")));
        assert_true(json_is_array(json_object_get(claim, "examples")));
        assert_true(json_is_real(json_object_get(claim, "seconds")));
        check_numbers(json_object_get(claim, "numbers"));
        check_numbers(json_object_get(claim, "measured"));
        check_sentence(claim, json_string_value(json_object_get(claim, "figure")));
        json_array_foreach(json_object_get(claim, "readings"), k, reading)
        {
            const char *outcome = json_string_value(json_object_get(reading, "outcome"));
            assert_non_null(outcome);
            assert_true(json_is_boolean(json_object_get(reading, "holds")));
            check_sentence(claim, outcome);
            assert_null(strstr(outcome, "nan"));
        }
    }
}

static void check_showing(const hw_graph *g, const hw_claim_showing *s, const char *name)
{
    const hw_solver_row *row = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_request request = {.params = values, .seed = HW_DEFAULT_SEED};
    hw_answer answer = {0};
    hw_model *m = NULL;
    hw_error err = {.code = HW_OK};
    if (hw_model_new(g, s->accounting, s->pinned, &m, &err) != HW_OK ||
        hw_solver_parse(s->spec, &row, values, &err) != HW_OK ||
        hw_solve(m, row, &request, &answer, &err) != HW_OK)
        fail_msg("%s: %s", name, err.message);
    if (!answer.has_order || answer.peak != s->peak)
        fail_msg("%s: %s reaches %" PRIu64 ", not %" PRIu64, name, s->spec, answer.peak, s->peak);
    if (row->kind == HW_SOLVER_EXACT)
        assert_int_equal(answer.status, HW_OPTIMAL);
    hw_answer_clear(&answer);
    hw_model_free(m);
}

static void test_examples_are_what_they_show(void **state)
{
    const whole *w = *state;
    size_t shown = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->finding[i].n_samples; k++) {
            const hw_claim_sample *s = &w->finding[i].samples[k];
            hw_graph *g = NULL;
            hw_error err = {.code = HW_OK};
            char path[200];
            example_path(w, s, path, sizeof path);
            if (hw_graph_load(path, &g, &err) != HW_OK)
                fail_msg("%s: %s", s->name, err.message);
            if (s->n_shows == 0)
                fail_msg("%s shows nothing", s->name);
            for (size_t j = 0; j < s->n_shows; j++, shown++)
                check_showing(g, &s->shows[j], s->name);
            hw_graph_free(g);
        }
    assert_true(shown > 20);
}

/* Whatever runs beside it, an experiment says the same but for what is measured. */
static void test_again(void **state)
{
    const whole *w = *state;
    static const size_t again[] = {0, 1, 2, 5, 6, 8};
    enum { N = sizeof again / sizeof again[0] };
    hw_claim_finding finding[N], first[N];
    const hw_claim_row *rows[N];
    for (size_t i = 0; i < N; i++) {
        rows[i] = &hw_claim_rows[again[i]];
        first[i] = w->finding[again[i]];
    }
    run_rows(rows, N, 3, NULL, finding);
    json_t *one = report_of(first, N, true), *two = report_of(finding, N, true);
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
    for (size_t i = 0; i < N; i++)
        hw_claim_finding_clear(&finding[i]);
}

/* Processes end without a look at what they hold: here each runs in this one. */
static void test_nothing_leaks(void **state)
{
    const whole *w = *state;
    const hw_claims_options o = {.seed = HW_DEFAULT_SEED, .quick = true};
    if (!SANITIZED)
        skip();
    for (size_t i = 0; i < w->n; i++) {
        hw_claim_finding f;
        hw_claims_run_one(w->finding[i].row, &o, &f);
        assert_int_equal(f.code, HW_OK);
        hw_claim_finding_clear(&f);
    }
}

int main(int argc, char **argv)
{
    int status;
    if (hw_replay_child(argc, argv, &status)) /* C27 starts its program anew */
        return status;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_experiment_decides),
        cmocka_unit_test(test_verdicts_are_those_of_the_full_run),
        cmocka_unit_test(test_schema),
        cmocka_unit_test(test_examples_are_what_they_show),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
