/*
 * Campaigns whose file of results something has happened to: broken and foreign
 * lines, graphs that changed, two sweeps at once, a limit of file sizes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support_bench.h"

static void put_file(const char *path, const char *mode, const char *text)
{
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

static char *get_file(const char *path)
{
    FILE *in = fopen(path, "r"), *out;
    char *text;
    size_t size;
    assert_non_null(in);
    out = open_memstream(&text, &size);
    assert_non_null(out);
    for (int c; (c = fgetc(in)) != EOF;)
        (void)fputc(c, out);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void check_refused(const hw_suite *suite, const char *path, hw_code want, const char *words)
{
    hw_bench_counts counts;
    hw_error err = {.code = HW_OK};
    char *before = get_file(path);
    hw_code code = hw_bench_run(
        suite, &(hw_bench_options){.output = path, .jobs = 2, .resume = true}, &counts, &err);
    assert_int_equal(code, want);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
    char *after = get_file(path);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* Replace the first `from` by `to`, of the same length. */
static void alter(const char *path, const char *from, const char *to)
{
    char *text = get_file(path), *at = strstr(text, from);
    assert_non_null(at);
    assert_int_equal(strlen(from), strlen(to));
    memcpy(at, to, strlen(to));
    put_file(path, "w", text);
    free(text);
}

static void test_broken_lines(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "b.jsonl", .jobs = 2, .overwrite = true};
    support_run_well(suite, &o, &counts);
    char *whole = support_content("b.jsonl");
    alter("b.jsonl", "\"status\":", "\"stutas\":");
    /* The last line lacks its newline and nothing else: the broken one is the first all the same.
     */
    char *text = get_file("b.jsonl");
    text[strlen(text) - 1] = '\0';
    put_file("b.jsonl", "w", text);
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "b.jsonl:1: ");
    put_file("b.jsonl", "a", "\n");
    free(text);
    put_file("b.jsonl", "a", "{\"suite\":\"t\",\"torn");
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "b.jsonl:1: ");
    check_refused(suite, "b.jsonl", HW_BAD_INPUT, "--drop-broken");
    o = (hw_bench_options){.output = "b.jsonl", .jobs = 2, .resume = true, .drop_broken = true};
    support_run_well(suite, &o, &counts);
    assert_int_equal(counts.lines_dropped, 2);
    assert_int_equal(counts.runs_kept, suite->n_runs - 1);
    char *aside = get_file("b.jsonl.broken");
    assert_non_null(strstr(aside, "stutas"));
    assert_non_null(strstr(aside, "torn\n"));
    free(aside);
    support_same_lines(whole, support_content("b.jsonl"));
    hw_suite_free(suite);
}

/* A file of another kind is no torn line of results, and not to be emptied. */
static void test_other_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"format\":\"highwater-order\",\"order\":[1]}",
                                        "{\"format\":\"highwater-graph\",\n\"version\":1}\n",
                                        "Dear reader", "{\"format\"", "{ \"key\":\"12\""};
    hw_suite *suite = support_suite(support_plain_suite);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        put_file("other", "w", texts[i]);
        check_refused(suite, "other", HW_BAD_INPUT, "other:1: no line of results: ");
        check_refused(suite, "other", HW_BAD_INPUT, "is this the right file?");
    }
    /* What is the beginning of a line of results is taken for one. */
    static const char *const torn[] = {"{", "{\"k", "{\"key\":\"12ab", "{\"suite\":\"t\",\"sec"};
    for (size_t i = 0; i < sizeof torn / sizeof torn[0]; i++) {
        hw_bench_counts counts;
        put_file("torn", "w", torn[i]);
        support_run_well(suite, &(hw_bench_options){.output = "torn", .jobs = 2, .resume = true},
                         &counts);
        assert_int_equal(counts.runs_done, suite->n_runs);
        assert_int_equal(counts.runs_kept, 0);
    }
    hw_suite_free(suite);
}

static void test_lines_that_do_not_fit(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "f.jsonl", .jobs = 2, .overwrite = true};
    support_run_well(suite, &o, &counts);
    char *whole = get_file("f.jsonl");
    alter("f.jsonl", "\"version\":\"0", "\"version\":\"9");
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "its seal does not fit");
    support_unseal(whole);
    put_file("f.jsonl", "w", whole);
    alter("f.jsonl", "\"version\":\"0", "\"version\":\"9");
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "f.jsonl:1: written by version 9");
    char *key = whole + strlen("{\"key\":\""), of_key = *key;
    *key = *key == '9' ? '1' : '9';
    put_file("f.jsonl", "w", whole);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "f.jsonl:1: key ");
    *key = of_key;
    /* One run twice: the same answer is no matter, another is. */
    char *end = strchr(whole, '\n');
    assert_non_null(end);
    put_file("f.jsonl", "w", whole);
    char first[2048];
    (void)snprintf(first, sizeof first, "%.*s", (int)(end + 1 - whole), whole);
    put_file("f.jsonl", "a", first);
    o = (hw_bench_options){.output = "f.jsonl", .jobs = 2, .resume = true};
    support_run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_kept, suite->n_runs);
    char *digit = strstr(first, "\"checked_peak\":");
    assert_non_null(digit);
    digit += strlen("\"checked_peak\":");
    *digit = *digit == '9' ? '1' : (char)(*digit + 1);
    put_file("f.jsonl", "w", whole);
    put_file("f.jsonl", "a", first);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "the line was changed");
    (void)snprintf(first, sizeof first, "%.*s", (int)(end + 1 - whole), whole);
    char *status = strstr(first, "\"status\":\"");
    assert_non_null(status);
    status += strlen("\"status\":\"");
    assert_int_equal(strncmp(status, "feasible", strlen("feasible")), 0);
    memcpy(status, "optimal", strlen("optimal"));
    memmove(status + strlen("optimal"), status + strlen("feasible"),
            strlen(status + strlen("feasible")) + 1);
    put_file("f.jsonl", "w", whole);
    put_file("f.jsonl", "a", first);
    check_refused(suite, "f.jsonl", HW_BAD_INPUT, "give the same run");
    free(whole);
    hw_suite_free(suite);
}

/* A graph file that is another by now: whether its unit is whole in the results or not. */
static void test_changed_graph(void **state)
{
    (void)state;
    hw_bench_counts counts;
    for (int whole = 0; whole < 2; whole++) {
        put_file("g.dot", "w", "digraph { a [size=1]; b [size=2]; c [size=3]; a -> b; a -> c }\n");
        hw_suite *suite = support_suite("name = t\nsolver = level\nsolver = dfs\ngraph = g.dot\n");
        hw_bench_options o = {.output = "g.jsonl", .jobs = 2, .overwrite = true};
        support_run_well(suite, &o, &counts);
        o = (hw_bench_options){.output = "g.jsonl", .jobs = 2, .resume = true};
        support_run_well(suite, &o, &counts);
        assert_int_equal(counts.runs_kept, 4);
        if (!whole) {
            char *text = get_file("g.jsonl"), *last = strrchr(text, '{');
            *last = '\0';
            put_file("g.jsonl", "w", text);
            free(text);
        }
        put_file("g.dot", "w", "digraph { a [size=1]; b [size=2]; c [size=4]; a -> b; a -> c }\n");
        check_refused(suite, "g.jsonl", HW_BAD_INPUT, "it has changed since");
        hw_suite_free(suite);
    }
}

static void test_two_sweeps(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    put_file("two.jsonl", "w", "");
    int other = open("two.jsonl", O_RDWR);
    assert_true(other >= 0);
    assert_int_equal(flock(other, LOCK_EX), 0);
    check_refused(suite, "two.jsonl", HW_USAGE, "another sweep is writing it");
    assert_int_equal(close(other), 0);
    hw_bench_counts counts;
    support_run_well(suite, &(hw_bench_options){.output = "two.jsonl", .jobs = 1, .resume = true},
                     &counts);
    hw_suite_free(suite);
}

/* No more than so many bytes fit: what is written is whole lines, and the rest comes later. */
static void test_file_size_limit(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    hw_bench_options o = {.output = "z.jsonl", .jobs = 2, .overwrite = true};
    support_run_well(suite, &o, &counts);
    char *whole = support_content("z.jsonl");
    size_t *units, n;
    assert_int_equal(hw_plan_choose(suite, NULL, &units, &n, NULL), HW_OK);
    struct rlimit before, low;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    o.output = "y.jsonl";
    for (rlim_t bytes = 1000; bytes < 30000; bytes = bytes * 3 + 77) {
        hw_error err = {.code = HW_OK};
        low.rlim_cur = bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
        hw_code code = hw_bench_run(suite, &o, &counts, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(code, HW_IO);
        assert_non_null(strstr(err.message, "limit of file sizes"));
        /* Whole units, in the order of the sweep. */
        hw_results *r = support_results("y.jsonl");
        assert_true(r->n_records % 5 == 0 && r->n_records < suite->n_runs);
        for (size_t i = 0; i < r->n_records; i++) {
            hw_record want = hw_plan_run(suite, units[i / 5], i % 5);
            assert_int_equal(hw_record_compare_keys(&want, &r->records[i]), 0);
        }
        hw_results_free(r);
        o.overwrite = false;
        o.resume = true;
    }
    support_run_well(suite, &o, &counts);
    char *again = support_content("y.jsonl");
    assert_string_equal(whole, again);
    free(units);
    free(whole);
    free(again);
    hw_suite_free(suite);
}

/* Lines of other runs stay, behind those of the plan; what a killed sweep left beside is removed.
 */
static void test_other_lines(void **state)
{
    (void)state;
    hw_suite *suite = support_suite(support_plain_suite);
    hw_bench_counts counts;
    suite->seed = 5;
    hw_bench_options o = {.output = "x.jsonl", .jobs = 2, .overwrite = true};
    support_run_well(suite, &o, &counts);
    char *other = support_content("x.jsonl");
    suite->seed = 6;
    o = (hw_bench_options){.output = "x.jsonl", .jobs = 2, .resume = true};
    put_file("x.jsonl.12345-0.tmp", "w", "half a file");
    support_run_well(suite, &o, &counts);
    assert_int_equal(counts.runs_kept, 0);
    assert_int_equal(access("x.jsonl.12345-0.tmp", F_OK), -1);
    char *both = support_content("x.jsonl");
    assert_int_equal(strlen(both) > strlen(other), 1);
    assert_string_equal(both + strlen(both) - strlen(other), other);
    free(both);
    free(other);
    hw_suite_free(suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broken_lines),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_lines_that_do_not_fit),
        cmocka_unit_test(test_changed_graph),
        cmocka_unit_test(test_two_sweeps),
        cmocka_unit_test(test_file_size_limit),
        cmocka_unit_test(test_other_lines),
    };
    return cmocka_run_group_tests(tests, support_bench_enter, support_bench_leave) != 0;
}
