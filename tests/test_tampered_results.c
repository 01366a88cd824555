/*
 * One byte of a file of results, or of its digests, changed: what reads it
 * refuses it or tells, or finds in every column what was written.
 *
 * HW_TAMPERED: every byte in every way (support_tamper.h); without it, each
 * byte in one way.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/results.h"
#include "bench/seal.h"
#include "support_bench.h"
#include "support_io.h"
#include "support_merge.h"
#include "tests/support_exact.h"
#include "tests/support_tamper.h"

/* Runs that answer, prove, refuse and reach a limit; names with what has to be escaped. */
static const char suite_text[] =
    "name = a \"b\" \\ c\nsolver = greedy\nsolver = liu\noptimum = dp\n"
    "state-limit = 40\naccounting = alloc-first\n"
    "family = tree:n=6\nfamily = erdos:n=9\n";

static hw_suite *suite;
static char *text; /* of the results */
static size_t size;
static hw_results *whole;

static int enter(void **state)
{
    if (enter_sweep_folder(state) != 0)
        return -1;
    hw_error err = {.code = HW_OK};
    suite = suite_of_text("t.suite", suite_text);
    run_sweep(suite, "r.jsonl");
    text = file_bytes("r.jsonl", &size);
    return text && hw_results_load("r.jsonl", false, &whole, &err) == HW_OK ? 0 : -1;
}

static int leave(void **state)
{
    free(text);
    hw_results_free(whole);
    hw_suite_free(suite);
    return leave_sweep_folder(state);
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *out = fopen(path, "wb");
    assert_true(out && fwrite(bytes, 1, n, out) == n);
    assert_int_equal(fclose(out), 0);
}

/* Every column, by writing both again; the gaps are written from the peaks, so compared as read. */
static bool same_columns(const hw_record *a, const hw_record *b)
{
    char *one, *other;
    size_t n_one, n_other;
    assert_int_equal(hw_record_format(a, &one, &n_one, NULL), HW_OK);
    assert_int_equal(hw_record_format(b, &other, &n_other, NULL), HW_OK);
    bool same = n_one == n_other && memcmp(one, other, n_one) == 0;
    free(one);
    free(other);
    const double gap[] = {a->gap_percent, a->gap_bound_percent};
    const double gap_of_b[] = {b->gap_percent, b->gap_bound_percent};
    for (int i = 0; i < 2; i++)
        same = same && isnan(gap[i]) == isnan(gap_of_b[i]) &&
               (isnan(gap[i]) || fabs(gap[i] - gap_of_b[i]) <= 0);
    return same;
}

/* Nothing but the first records of the file, as they were: all of them, or cut after a whole line.
 */
static bool same_records(const hw_results *r, bool cut)
{
    bool same = cut ? r->n_records <= whole->n_records : r->n_records == whole->n_records;
    for (size_t i = 0; same && i < r->n_records; i++)
        same = same_columns(&r->records[i], &whole->records[i]);
    return same;
}

static tamper_walk walk_through(const char *bytes, size_t n, uint64_t *state)
{
    return environment_number("HW_TAMPERED", 0) ? tamper_all(bytes, n)
                                                : tamper_some(bytes, n, state);
}

static void tell(const char *what, uint64_t refused, uint64_t same, uint64_t cut)
{
    print_message("%s: %" PRIu64 " changes: %" PRIu64 " refused or told, %" PRIu64
                  " the same in every column, %" PRIu64 " cut behind a line, 0 others\n",
                  what, refused + same + cut, refused, same, cut);
}

static void test_lines(void **unused)
{
    (void)unused;
    uint64_t state = 1, refused = 0, same = 0, cut = 0;
    tamper_walk w = walk_through(text, size, &state);
    while (tamper_next(&w)) {
        hw_results *r;
        hw_error err = {.code = HW_OK};
        write_bytes("x.jsonl", w.out, w.n_out);
        hw_code code = hw_results_load("x.jsonl", false, &r, &err);
        if (code != HW_OK) {
            assert_int_equal(code, HW_BAD_INPUT);
            assert_non_null(strstr(err.message, "x.jsonl:"));
            refused++;
            continue;
        }
        bool ends = w.n_out < size && memcmp(w.out, text, w.n_out) == 0;
        if (!same_records(r, ends))
            fail_msg("taken for results: %.*s", (int)w.n_out, w.out);
        same += r->n_records == whole->n_records;
        cut += r->n_records < whole->n_records;
        hw_results_free(r);
    }
    tell("lines", refused, same, cut);
    assert_true(refused > 50 * same);
}

/* A merge and a resumed sweep end with the lines that were written, or with an error. */
static void test_merged_and_resumed(void **unused)
{
    (void)unused;
    enum { BETWEEN = 97 }; /* one in so many changes: either of the two takes its time */
    uint64_t state = 2, step = environment_number("HW_TAMPERED", 0) ? BETWEEN / 8 : BETWEEN;
    uint64_t k = 0, refused = 0, same = 0, completed = 0;
    char *right = support_content("r.jsonl"), told[TOLD_BYTES];
    tamper_walk w = walk_through(text, size, &state);
    while (tamper_next(&w)) {
        if (k++ % step != 0)
            continue;
        hw_error err = {.code = HW_OK};
        hw_merge *m;
        write_bytes("x.jsonl", w.out, w.n_out);
        bool merged = merge_open(suite, "x.jsonl", NULL, told, &m, &err) == HW_OK;
        bool all = merged && hw_merge_count(m)->runs == whole->n_records;
        if (merged)
            hw_merge_close(m);
        hw_bench_counts counts;
        hw_bench_options o = {.output = "x.jsonl", .jobs = 1, .resume = true};
        bool resumed = hw_bench_run(suite, &o, &counts, &err) == HW_OK;
        if (resumed) {
            char *found = support_content("x.jsonl");
            assert_string_equal(found, right);
            free(found);
        }
        refused += !resumed;
        same += resumed && all;
        completed += resumed && !all;
    }
    free(right);
    print_message("merged and resumed: %" PRIu64 " changes: %" PRIu64 " refused, %" PRIu64
                  " the same, %" PRIu64 " run again to the same lines, 0 others\n",
                  refused + same + completed, refused, same, completed);
    assert_true(refused > 0);
}

static void write_digests(const char *path)
{
    char told[TOLD_BYTES];
    hw_error err = {.code = HW_OK};
    hw_merge *m;
    hw_digest_writer *writer;
    assert_int_equal(merge_open(suite, "r.jsonl", NULL, told, &m, &err), HW_OK);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(hw_digest_begin(suite, m, out, &writer, &err), HW_OK);
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        assert_int_equal(hw_merge_unit(m, u, &unit, &err), HW_OK);
        assert_int_equal(hw_digest_unit(writer, &unit, &err), HW_OK);
    }
    hw_digest_end(writer);
    assert_int_equal(fclose(out), 0);
    hw_merge_close(m);
}

/* Units of the results that are alike by these digests, and the runs compared for it. */
static size_t units_alike(hw_merge *m, const hw_digests *d, size_t *runs)
{
    size_t alike = 0;
    *runs = 0;
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        hw_likeness likeness;
        size_t n = 0;
        assert_int_equal(hw_merge_unit(m, u, &unit, NULL), HW_OK);
        assert_int_equal(hw_digests_compare(d, &unit, &likeness, &n, NULL), HW_OK);
        alike += likeness == HW_ALIKE;
        *runs += likeness == HW_ALIKE ? n : 0;
    }
    return alike;
}

static void test_digests(void **unused)
{
    (void)unused;
    uint64_t state = 3, refused = 0, same = 0, missed = 0;
    size_t n, runs, all_runs;
    char told[TOLD_BYTES];
    hw_merge *m;
    hw_digests *d;
    hw_error err = {.code = HW_OK};
    write_digests("digests");
    char *bytes = file_bytes("digests", &n);
    assert_int_equal(merge_open(suite, "r.jsonl", NULL, told, &m, &err), HW_OK);
    assert_int_equal(hw_digests_load("digests", suite, &d, &err), HW_OK);
    assert_int_equal(units_alike(m, d, &all_runs), suite->n_units);
    hw_digests_free(d);
    tamper_walk w = walk_through(bytes, n, &state);
    while (tamper_next(&w)) {
        write_bytes("x", w.out, w.n_out);
        if (hw_digests_load("x", suite, &d, &err) != HW_OK) {
            refused++;
            continue;
        }
        bool all = units_alike(m, d, &runs) == suite->n_units;
        same += all && runs == all_runs;
        missed += !all;
        if (all && runs != all_runs)
            fail_msg("fewer runs compared, and nothing told: %.*s", (int)w.n_out, w.out);
        hw_digests_free(d);
    }
    hw_merge_close(m);
    free(bytes);
    print_message("digests: %" PRIu64 " changes: %" PRIu64 " refused, %" PRIu64
                  " units differ or have none, %" PRIu64 " the same, 0 others\n",
                  refused + same + missed, refused, missed, same);
    assert_true(refused > 0 && missed > 0);
}

/* The seal alone: nothing that reads columns is needed to tell. */
static void test_seals(void **unused)
{
    (void)unused;
    size_t length = (size_t)(strchr(text, '\n') - text);
    char *line = calloc(length + 2, 1);
    assert_non_null(line);
    assert_int_equal(hw_seal_check(text, length), HW_SEAL_FITS);
    const char *seal = strstr(text, ",\"seal\":\"");
    for (size_t at = 0; at < length; at++)
        for (unsigned way = 0; way < TAMPER_WAYS; way++) {
            size_t n = tampered(text, length, at, way, line);
            bool in_key = at >= (size_t)(seal - text) && at < (size_t)(seal - text) + 26;
            if (n != SIZE_MAX && way != TAMPER_CUT && !in_key)
                assert_int_equal(hw_seal_check(line, n), HW_SEAL_BROKEN);
            else if (n != SIZE_MAX)
                assert_true(hw_seal_check(line, n) != HW_SEAL_FITS);
        }
    /* Sealed anew it fits; without a key nothing is written. */
    memcpy(line, text, length);
    line[0] = ' ';
    hw_seal_set(line, length);
    assert_int_equal(hw_seal_check(line, length), HW_SEAL_FITS);
    memcpy(line, "{\"a\":1}", 7);
    hw_seal_set(line, 7);
    assert_int_equal(hw_seal_check(line, 7), HW_SEAL_NONE);
    assert_memory_equal(line, "{\"a\":1}", 7);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seals), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_merged_and_resumed),
                                       cmocka_unit_test(test_digests)};
    return cmocka_run_group_tests(tests, enter, leave) != 0;
}
