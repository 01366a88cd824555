/* Digests: alike where nothing but the machine differs, unlike where an answer does. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support_io.h"
#include "support_merge.h"

static const char plain[] = "name = t\nsolver = level\nsolver = greedy\noptimum = dp\n"
                            "[a]\nfamily = layered:n=6..7 x3\nfamily = tree:n=7 x40\n"
                            "[b]\npin-inputs = both\nfamily = layered:n=7 x2\n";

static hw_suite *suite;
static char told[TOLD_BYTES];
static hw_error err;

/* The digests of the results of `paths`, into `to`. */
static void write_digests(const char *paths, const char *to)
{
    hw_merge *m;
    hw_digest_writer *w;
    FILE *out = fopen(to, "w");
    assert_non_null(out);
    if (merge_open(suite, paths, NULL, told, &m, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hw_digest_begin(suite, m, out, &w, &err), HW_OK);
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        assert_int_equal(hw_merge_unit(m, u, &unit, &err), HW_OK);
        assert_int_equal(hw_digest_unit(w, &unit, &err), HW_OK);
    }
    hw_digest_end(w);
    assert_int_equal(fclose(out), 0);
    hw_merge_close(m);
}

/* Units by likeness. */
static void compare(const char *paths, const char *digests, size_t n[HW_N_LIKENESSES])
{
    hw_merge *m;
    hw_digests *d;
    if (hw_digests_load(digests, suite, &d, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_string_equal(hw_digests_version(d), HW_VERSION);
    assert_int_equal(merge_open(suite, paths, NULL, told, &m, &err), HW_OK);
    memset(n, 0, HW_N_LIKENESSES * sizeof *n);
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        hw_likeness likeness;
        size_t runs;
        assert_int_equal(hw_merge_unit(m, u, &unit, &err), HW_OK);
        assert_int_equal(hw_digests_compare(d, &unit, &likeness, &runs, &err), HW_OK);
        n[likeness]++;
    }
    hw_merge_close(m);
    hw_digests_free(d);
}

static int enter(void **state)
{
    if (enter_sweep_folder(state) != 0)
        return -1;
    hw_merge_counts counts;
    suite = suite_of_text("t.suite", plain);
    run_sweep(suite, "ran.jsonl");
    if (merge_files(suite, "ran.jsonl", "one.jsonl", told, &counts, &err) != HW_OK)
        return -1;
    write_digests("one.jsonl", "digests");
    return 0;
}

static int leave(void **state)
{
    hw_suite_free(suite);
    return leave_sweep_folder(state);
}

static void assert_likeness(const char *paths, const char *digests, size_t alike, size_t unlike)
{
    size_t n[HW_N_LIKENESSES];
    compare(paths, digests, n);
    assert_int_equal(n[HW_ALIKE], alike);
    assert_int_equal(n[HW_UNLIKE], unlike);
}

static void test_alike(void **state)
{
    (void)state;
    size_t all = suite->n_units, size;
    assert_likeness("ran.jsonl", "digests", all, 0);
    /* Another sweep of the same suite; other times, another compiler, another version. */
    run_sweep(suite, "again.jsonl");
    assert_likeness("again.jsonl", "digests", all, 0);
    edit_line("one.jsonl", "x.jsonl", 0, "\"wall_seconds\":", "\"wall_seconds\":1");
    edit_line("x.jsonl", "x.jsonl", 0, "\"version\":\"", "\"version\":\"9.");
    edit_line("x.jsonl", "x.jsonl", 0, "\",\"compiler\":\"", " "); /* into the version */
    edit_line("x.jsonl", "x.jsonl", 0, "\"key\":\"", "\"key\":null,\"compiler\":\"other ");
    assert_likeness("x.jsonl", "digests", all, 0);
    /* Small: what is not a digest is a few bytes a source. */
    free(file_bytes("digests", &size));
    assert_true(size < 14 * all + 1000);
    /* A part of it. */
    size_t n[HW_N_LIKENESSES];
    cut_sweep(suite, "ran.jsonl", 3);
    compare("part-2.jsonl", "digests", n);
    assert_int_equal(n[HW_UNLIKE] + n[HW_NO_DIGEST], 0);
    assert_int_equal(n[HW_ALIKE] + n[HW_INCOMPLETE], all);
    assert_true(n[HW_ALIKE] >= all / 3);
    /* Digests of a part. */
    write_digests("part-2.jsonl", "some");
    size_t known = n[HW_ALIKE];
    compare("one.jsonl", "some", n);
    assert_int_equal(n[HW_ALIKE], known);
    assert_int_equal(n[HW_NO_DIGEST], all - known);
}

static void test_unlike(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
    } edits[] = {
        {"\"states\":", "\"states\":9"},
        {"\"nodes\":", "\"nodes\":1"},
        {"\"features\":\"", "\"features\":\"views"},
        {"\"limit_reached\":false", "\"limit_reached\":true"},
    };
    size_t line = line_with("one.jsonl", "\"solver\":\"greedy\"", 2);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        edit_line("one.jsonl", "x.jsonl", line, edits[i].old, edits[i].new);
        assert_likeness("x.jsonl", "digests", suite->n_units - 1, 1);
    }
    /* A worse order of greedy's: its gap follows. */
    edit_line("one.jsonl", "x.jsonl", line, "\"peak\":", "\"peak\":9");
    edit_line("x.jsonl", "x.jsonl", line, "\"checked_peak\":", "\"checked_peak\":9");
    assert_likeness("x.jsonl", "digests", suite->n_units - 1, 1);
    /* A digest that was changed. */
    size_t size;
    char *text = file_bytes("digests", &size), *at = strstr(text, "\"alloc-first\":\"");
    assert_non_null(at);
    at += strlen("\"alloc-first\":\"");
    *at = *at == '0' ? '1' : '0';
    assert_true(write_text("changed", text));
    free(text);
    assert_likeness("one.jsonl", "changed", suite->n_units - 1, 1);
}

/* Runs that a clock ended are no part of the digest, whichever of the two was slower. */
static void test_cut_short(void **state)
{
    (void)state;
    size_t dp = line_with("one.jsonl", "\"solver\":\"dp\"", 2), n[HW_N_LIKENESSES];
    edit_line("one.jsonl", "cut.jsonl", dp, "\"status\":\"optimal\"", "\"status\":\"timeout\"");
    edit_line("cut.jsonl", "cut.jsonl", dp, "\"states\":", "\"states\":5");
    edit_line("cut.jsonl", "cut.jsonl", dp, "\"peak\":", "\"peak\":null,\"was\":");
    edit_line("cut.jsonl", "cut.jsonl", dp, "\"checked_peak\":", "\"checked_peak\":null,\"saw\":");
    write_digests("cut.jsonl", "digests of cut");
    assert_likeness("cut.jsonl", "digests of cut", suite->n_units, 0);
    assert_likeness("one.jsonl", "digests of cut", suite->n_units, 0);
    compare("cut.jsonl", "digests", n);
    assert_int_equal(n[HW_ALIKE], suite->n_units - 1);
    assert_int_equal(n[HW_NOT_SETTLED], 1);
    /* The others of its unit are compared. */
    edit_line("one.jsonl", "x.jsonl", dp - 1, "\"states\":", "\"states\":9");
    assert_likeness("x.jsonl", "digests of cut", suite->n_units - 1, 1);
    edit_line("one.jsonl", "x.jsonl", dp, "\"states\":", "\"states\":9");
    assert_likeness("x.jsonl", "digests of cut", suite->n_units, 0);
}

static void assert_refused(const hw_suite *s, const char *text, const char *words)
{
    hw_digests *d;
    assert_true(write_text("bad", text));
    hw_code code = hw_digests_load("bad", s, &d, &err);
    assert_int_equal(code, HW_BAD_INPUT);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
}

static void test_refused(void **state)
{
    (void)state;
    static const char head[] = "{\"format\":\"highwater-digests\",\"version\":1,\"suite\":\"t\","
                               "\"seed\":\"0x134d765\",\"highwater\":\"0.1.0\"}\n";
    static const struct {
        const char *line, *words;
    } bad[] = {
        {"[]\n", "bad:2: no line of digests: column 1"},
        {"{\"section\":\"a\"}\n", "without section, family and params"},
        {"{\"section\":\"a\",\"solvers\":\"0123456789ab\"}\n", "other solvers or limits by now"},
        {"{\"section\":\"a\",\"family\":\"layered\",\"params\":\"n=6\",\"alloc-first\":\"\"}\n",
         "fewer digests than"},
        {"{\"section\":\"a\",\"family\":\"layered\",\"params\":\"n=6\",\"alloc-first\":"
         "\"- - - -\"}\n",
         "more digests than"},
        {"{\"section\":\"a\",\"family\":\"layered\",\"params\":\"n=6\",\"alloc-first\":"
         "\"- 0123456789 -\"}\n",
         "no digest: '0123456789'"},
        {"{\"section\":\"a\",\"family\":\"layered\",\"params\":\"n=6\",\"free-first\":"
         "\"- 0123456789ab~1,x -\"}\n",
         "no digest: '0123456789ab~1,x'"},
        {"{\"section\":\"a\",\"family\":\"layered\",\"params\":\"n=6\",\"sideways\":\"-\"}\n",
         "more digests than"},
        {"{\"section\":\"a\"", "the file was cut"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[500];
        (void)snprintf(text, sizeof text, "%s%s", head, bad[i].line);
        assert_refused(suite, text, bad[i].words);
    }
    assert_refused(suite, "", "holds no digests");
    assert_refused(suite, "{}\n", "no digests of version 1");
    size_t size;
    char *text = file_bytes("digests", &size);
    suite->seed++;
    assert_refused(suite, text, "digests of another seed");
    suite->seed--;
    hw_suite *other = suite_of_text("other.suite", "name = o\nsolver = level\nfamily = tree:n=5\n");
    assert_refused(other, text, "digests of another suite");
    hw_suite_free(other);
    /* Other limits, and the same solvers in another order. */
    other = suite_of_text("other.suite", "name = t\nsolver = level\nsolver = greedy\n"
                                         "optimum = dp\nstate-limit = 1000\n"
                                         "[a]\nfamily = layered:n=6..7 x3\n");
    assert_refused(other, text, "in section 'a'");
    hw_suite_free(other);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_unlike),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave) != 0;
}
