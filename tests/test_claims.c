/*
 * The frame of `highwater claims`: what an experiment tells comes out as it was
 * told, whatever else goes wrong beside it.  The experiments themselves are
 * tested in test_claims_all.c.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "claims/claims.h"
#include "claims/sentence.h"
#include "claims/tools.h"
#include "solve/solver.h"

/* ---- Experiments that do and do not what they should. ---- */

static hw_code fine(hw_claim_run *run, hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    uint64_t peak = 0;
    hw_code code = hw_claim_generate("erdos:n=6,degree=1", hw_claim_seed(run), 0, &g, err);
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_peak(run, m[0], "greedy", &peak, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "drawn", g, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m[0], "greedy", peak, err);
    if (code == HW_OK)
        code = hw_claim_number(run, "share-a", 0.25, "share", err);
    if (code == HW_OK)
        code = hw_claim_number(run, "time-a", 0.002, "seconds", err);
    if (code == HW_OK)
        code = hw_claim_measured(run, "ratio-a", 1.5, "times", err);
    if (code == HW_OK)
        code = hw_claim_reading(run, "as printed", false, err, "%d, in {time-a}", 42);
    if (code == HW_OK)
        code = hw_claim_condition(run, err, "n is below %d", 10);
    if (code == HW_OK)
        code = hw_claim_conclude(run, HW_VERDICT_HOLDS_ONLY_IF, err,
                                 "{share-a} of %d & {nothing} in {time-a}", 4);
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}

static hw_code silent(hw_claim_run *run, hw_error *err)
{
    (void)run;
    (void)err;
    return HW_OK;
}

static hw_code unconditional(hw_claim_run *run, hw_error *err)
{
    return hw_claim_conclude(run, HW_VERDICT_HOLDS_ONLY_IF, err, "sometimes");
}

static hw_code superfluous(hw_claim_run *run, hw_error *err)
{
    hw_code code = hw_claim_condition(run, err, "the moon is full");
    return code == HW_OK ? hw_claim_conclude(run, HW_VERDICT_HOLDS, err, "always") : code;
}

static hw_code twice(hw_claim_run *run, hw_error *err)
{
    hw_code code = hw_claim_conclude(run, HW_VERDICT_HOLDS, err, "yes");
    return code == HW_OK ? hw_claim_conclude(run, HW_VERDICT_FAILS, err, "no") : code;
}

static hw_code infinite(hw_claim_run *run, hw_error *err)
{
    return hw_claim_number(run, "endless", INFINITY, "count", err);
}

static hw_code repeated(hw_claim_run *run, hw_error *err)
{
    hw_code code = hw_claim_number(run, "one", 1, "count", err);
    return code == HW_OK ? hw_claim_number(run, "one", 2, "count", err) : code;
}

static hw_code torn(hw_claim_run *run, hw_error *err)
{
    hw_code code = hw_claim_conclude(run, HW_VERDICT_HOLDS, err, "half of it");
    return code == HW_OK ? hw_fail(err, HW_CHECK_FAILED, "too few graphs: %d", 3) : code;
}

static hw_code dies(hw_claim_run *run, hw_error *err)
{
    (void)run;
    (void)err;
    _exit(7);
}

static const hw_claim_row rows[] = {
    {"X01", "1", "Fine.", "It tells all.", fine},
    {"X02", "1", "Silent.", "-", silent},
    {"X03", "1", "Without condition.", "-", unconditional},
    {"X04", "1", "With one too many.", "-", superfluous},
    {"X05", "1", "Twice.", "-", twice},
    {"X06", "1", "Infinite.", "-", infinite},
    {"X07", "1", "Repeated.", "-", repeated},
    {"X08", "1", "Torn.", "-", torn},
    {"X09", "1", "Dies.", "-", dies},
    {"X10", "1", "Fine as well.", "-", fine},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

static void run_rows(unsigned jobs, hw_claim_finding finding[N_ROWS])
{
    const hw_claim_row *list[N_ROWS];
    hw_claims_options o = {.seed = 5, .quick = true, .jobs = jobs};
    hw_error err = {.code = HW_OK};
    for (size_t i = 0; i < N_ROWS; i++)
        list[i] = &rows[i];
    if (hw_claims_run(list, N_ROWS, &o, finding, &err) != HW_OK)
        fail_msg("%s", err.message);
}

static void clear_rows(hw_claim_finding finding[N_ROWS])
{
    for (size_t i = 0; i < N_ROWS; i++)
        hw_claim_finding_clear(&finding[i]);
}

static char *write_rows(const hw_claim_finding finding[N_ROWS], hw_claims_format format)
{
    char *text = NULL;
    size_t length = 0;
    hw_error err = {.code = HW_OK};
    hw_claims_report r = {.finding = finding, .n = N_ROWS, .seed = 5, .quick = true};
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(hw_claims_write(&r, format, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void test_faults_cost_their_own_verdict(void **state)
{
    (void)state;
    static const char *const why[N_ROWS] = {
        NULL,    "without a verdict", "does not tell", "needs none", "concludes twice", "taken",
        "taken", "few graphs: 3",     "exit status 7", NULL};
    hw_claim_finding finding[N_ROWS];
    run_rows(2, finding);
    for (size_t i = 0; i < N_ROWS; i++) {
        assert_ptr_equal(finding[i].row, &rows[i]);
        if (why[i]) {
            assert_int_not_equal(finding[i].code, HW_OK);
            assert_int_equal(finding[i].verdict, HW_VERDICT_OPEN);
            if (!strstr(finding[i].message, why[i]))
                fail_msg("%s says \"%s\"", rows[i].id, finding[i].message);
        } else {
            assert_int_equal(finding[i].code, HW_OK);
            assert_int_equal(finding[i].verdict, HW_VERDICT_HOLDS_ONLY_IF);
            assert_string_equal(finding[i].condition, "n is below 10");
            assert_int_equal(finding[i].n_tried, 1);
            assert_int_equal(finding[i].n_values, 3);
            assert_int_equal(finding[i].n_samples, 1);
            assert_int_equal(finding[i].samples[0].n_shows, 1);
        }
    }
    hw_claims_counts counts = hw_claims_count(finding, N_ROWS);
    assert_int_equal(counts.holds_only_if, 2);
    assert_int_equal(counts.undecided, N_ROWS - 2);
    clear_rows(finding);
}

/* But for times, the report is the same in any number of processes. */
static void test_jobs_change_nothing(void **state)
{
    (void)state;
    hw_claim_finding one[N_ROWS], many[N_ROWS];
    run_rows(1, one);
    run_rows(5, many);
    for (size_t i = 0; i < N_ROWS; i++)
        one[i].seconds = many[i].seconds = 0;
    for (int format = HW_CLAIMS_TEXT; format <= HW_CLAIMS_MACROS; format++) {
        char *a = write_rows(one, (hw_claims_format)format);
        char *b = write_rows(many, (hw_claims_format)format);
        assert_string_equal(a, b);
        free(a);
        free(b);
    }
    clear_rows(one);
    clear_rows(many);
}

static void test_formats(void **state)
{
    (void)state;
    hw_claim_finding finding[N_ROWS];
    run_rows(2, finding);
    char *json = write_rows(finding, HW_CLAIMS_JSON);
    json_t *root = json_loads(json, 0, NULL);
    json_t *first = json_array_get(json_object_get(root, "claims"), 0);
    assert_int_equal(json_array_size(json_object_get(root, "claims")), N_ROWS);
    assert_string_equal(json_string_value(json_object_get(first, "verdict")), "holds only if");
    /* What is measured stays out of sentences and out of `numbers`. */
    assert_string_equal(json_string_value(json_object_get(first, "figure")),
                        "{share-a} of 4 & {nothing} in {time-a}");
    assert_int_equal(json_object_size(json_object_get(first, "numbers")), 1);
    assert_int_equal(json_object_size(json_object_get(first, "measured")), 2);
    json_decref(root);
    free(json);

    char *text = write_rows(finding, HW_CLAIMS_TEXT);
    assert_non_null(strstr(text, "25.0 % of 4 & {nothing} in 2.00 ms"));
    assert_non_null(
        strstr(text, "10 claims: 0 hold, 2 hold only under a condition, 0 fail, 8 und"));
    free(text);
    char *latex = write_rows(finding, HW_CLAIMS_LATEX);
    assert_non_null(strstr(latex, "25.0\\,\\% of 4 \\& \\{nothing\\} in 2.00 ms"));
    free(latex);
    char *macros = write_rows(finding, HW_CLAIMS_MACROS);
    assert_non_null(strstr(macros, "hwclaim@X01@share-a\\endcsname{25.0\\,\\%}"));
    assert_non_null(strstr(macros, "hwclaim@all@undecided\\endcsname{8}"));
    free(macros);
    clear_rows(finding);
}

/* Every shorter prefix of what a process tells is refused, and leaks nothing. */
static void test_torn_bytes(void **state)
{
    (void)state;
    hw_claims_options o = {.seed = 5};
    hw_claim_finding finding;
    char *bytes = NULL;
    size_t length = 0;
    hw_error err;
    hw_claims_run_one(&rows[0], &o, &finding);
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    hw_claim_finding_send(&finding, out);
    assert_int_equal(fclose(out), 0);
    hw_claim_finding_clear(&finding);
    for (size_t n = 0; n <= length; n++) {
        assert_int_equal(hw_claim_finding_receive(bytes, n, &finding, &err),
                         n == length ? HW_OK : HW_INTERNAL);
        hw_claim_finding_clear(&finding);
    }
    static const char huge[] = "1:0-1:1-"
                               "-"
                               "4:0x0p"
                               "9:999999999";
    assert_int_equal(hw_claim_finding_receive(huge, strlen(huge), &finding, &err), HW_INTERNAL);
    hw_claim_finding_clear(&finding);
    free(bytes);
}

static void test_table(void **state)
{
    (void)state;
    const hw_claim_row *row = NULL;
    hw_error err;
    assert_int_equal(hw_n_claim_rows, 29);
    for (size_t i = 0; i < hw_n_claim_rows; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "C%02u", (unsigned)(i + 1) % 100);
        assert_string_equal(hw_claim_rows[i].id, id);
    }
    assert_int_equal(hw_claim_row_find("c7", &row, &err), HW_OK);
    assert_ptr_equal(row, &hw_claim_rows[6]);
    static const char *const none[] = {"", "C", "C0", "C30", "C1x", "C001", "7", "C-1"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_int_equal(hw_claim_row_find(none[i], &row, &err), HW_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_faults_cost_their_own_verdict),
        cmocka_unit_test(test_jobs_change_nothing),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_torn_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
