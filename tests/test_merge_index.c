/* The SQLite file: every run, every column, numbers of any size. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "merge/index.h"
#include "support_io.h"
#include "support_merge.h"

static hw_suite *suite;
static char told[TOLD_BYTES];
static hw_error err;

static int enter(void **state)
{
    if (enter_sweep_folder(state) != 0)
        return -1;
    hw_merge_counts counts;
    suite = suite_of_text("t.suite", "name = t\nsolver = level\nsolver = greedy\noptimum = dp\n"
                                     "[a]\nfamily = layered:n=6..7 x3\n"
                                     "[b]\npin-inputs = both\nfamily = tree:n=7 x2\n");
    run_sweep(suite, "ran.jsonl");
    return merge_files(suite, "ran.jsonl", "one.jsonl", told, &counts, &err) == HW_OK ? 0 : -1;
}

static int leave(void **state)
{
    hw_suite_free(suite);
    return leave_sweep_folder(state);
}

static uint64_t write_index(const char *paths, const char *to)
{
    hw_merge *m;
    hw_index *x;
    (void)remove(to);
    assert_int_equal(merge_open(suite, paths, NULL, told, &m, &err), HW_OK);
    if (hw_index_open(to, to, suite, &x, &err) != HW_OK)
        fail_msg("%s", err.message);
    for (size_t u = 0; u < suite->n_units; u++) {
        hw_merged_unit unit;
        assert_int_equal(hw_merge_unit(m, u, &unit, &err), HW_OK);
        assert_int_equal(hw_index_unit(x, &unit, &err), HW_OK);
    }
    if (hw_index_finish(x, m, &err) != HW_OK)
        fail_msg("%s", err.message);
    uint64_t large = hw_index_large(x);
    hw_index_close(x);
    hw_merge_close(m);
    return large;
}

/* The one value that a query gives, as text ("(null)"). */
static void assert_query(const char *file, const char *query, const char *expected)
{
    sqlite3 *db;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    if (strcmp(text ? text : "(null)", expected) != 0)
        fail_msg("%s gives %s, not %s", query, text ? text : "(null)", expected);
    assert_int_equal(sqlite3_step(statement), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void test_all_runs(void **state)
{
    (void)state;
    char number[32];
    assert_int_equal(write_index("one.jsonl", "t.db"), 0);
    assert_query("t.db", "PRAGMA integrity_check", "ok");
    assert_query("t.db", "SELECT count(*) FROM pragma_foreign_key_check", "0");
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)suite->n_runs);
    assert_query("t.db", "SELECT count(*) FROM runs", number);
    assert_query("t.db", "SELECT count(*) FROM results", number);
    assert_query("t.db", "SELECT value FROM meta WHERE name = 'runs'", number);
    assert_query("t.db", "SELECT value FROM meta WHERE name = 'suite'", "t");
    /* 6 + 2 instances, one row each, however many units they have. */
    assert_query("t.db", "SELECT count(*) FROM instances", "8");
    assert_query("t.db", "SELECT count(DISTINCT instance) FROM runs", "8");
    assert_query("t.db", "SELECT count(*) FROM runs WHERE checked_peak < optimum", "0");
    assert_query("t.db", "SELECT sum(gap_percent = 0) FROM runs WHERE solver = 'dp'", "20");
    assert_query("t.db", "SELECT typeof(peak) FROM runs WHERE run = 1", "integer");
}

/* Every key of a line has a column of its name (index, a word of SQL, is idx), with its value;
 * but for the seal, which is of the line as it stands in a file. */
static void test_all_columns(void **state)
{
    (void)state;
    hw_record r;
    size_t size;
    char *text = file_bytes("one.jsonl", &size), *rest = NULL, query[200], expected[80];
    (void)write_index("one.jsonl", "t.db");
    for (const char *at = strstr(text, "\""); at && at < strchr(text, '\n');
         at = strstr(at, ",\"") ? strstr(at, ",\"") + 1 : NULL) {
        char key[40];
        (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
        if (strcmp(key, "suite") == 0 || strcmp(key, "seed") == 0 || strcmp(key, "seal") == 0)
            continue;
        (void)snprintf(query, sizeof query,
                       "SELECT count(*) FROM (SELECT * FROM pragma_table_info('results')) WHERE "
                       "name = '%s'",
                       strcmp(key, "index") == 0 ? "idx" : key);
        assert_query("t.db", query, "1");
    }
    uint64_t run = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        assert_int_equal(hw_record_parse(line, strlen(line), &r, &err), HW_OK);
        (void)snprintf(query, sizeof query,
                       "SELECT solver || peak || graph || accounting || pinned || idx || key FROM "
                       "results WHERE run = %llu",
                       (unsigned long long)++run);
        char all[400];
        (void)snprintf(all, sizeof all, "%s%llu%s%s%d%llu%s", r.solver,
                       (unsigned long long)r.peak.value, r.graph, r.accounting, r.pinned,
                       (unsigned long long)r.index, r.key);
        assert_query("t.db", query, all);
        (void)snprintf(query, sizeof query,
                       "SELECT ifnull(gap_percent, -1) FROM runs WHERE run = %llu",
                       (unsigned long long)run);
        double gap = hw_gap_percent(r.checked_peak.value, r.optimum.value);
        (void)snprintf(expected, sizeof expected, "%.1f", gap);
        if (gap * 10 == (double)(int)(gap * 10))
            assert_query("t.db", query, expected);
    }
    assert_int_equal(run, suite->n_runs);
    free(text);
}

static void test_large_numbers(void **state)
{
    (void)state;
    size_t level = line_with("one.jsonl", "\"solver\":\"level\"", 1);
    edit_line("one.jsonl", "x.jsonl", level,
              "\"states\":", "\"states\":18446744073709551615,\"was\":");
    edit_line("x.jsonl", "y.jsonl", level + 1,
              "\"states\":", "\"states\":9223372036854775808,\"was\":");
    edit_line("y.jsonl", "x.jsonl", level + 2,
              "\"states\":", "\"states\":9223372036854775807,\"was\":");
    assert_int_equal(write_index("x.jsonl", "t.db"), 2);
    assert_query("t.db", "SELECT value FROM meta WHERE name = 'numbers_as_text'", "2");
    assert_query("t.db", "SELECT states FROM runs ORDER BY states DESC LIMIT 1",
                 "18446744073709551615");
    assert_query("t.db", "SELECT states FROM runs ORDER BY states DESC LIMIT 1 OFFSET 1",
                 "09223372036854775808");
    assert_query("t.db", "SELECT typeof(states) FROM runs WHERE states = '09223372036854775808'",
                 "text");
    assert_query("t.db", "SELECT states FROM runs ORDER BY states DESC LIMIT 1 OFFSET 2",
                 "9223372036854775807");
}

static void test_not_written(void **state)
{
    (void)state;
    hw_index *x;
    assert_int_equal(hw_index_open("no-such-folder/t.db", "name.db", suite, &x, &err), HW_IO);
    assert_non_null(strstr(err.message, "name.db: cannot write: unable to open"));
    assert_true(write_text("text.db", "no database, but some lines of text that are here\n"
                                      "so that the file is longer than the head of one would "
                                      "be: one hundred bytes.\n"));
    assert_int_equal(hw_index_open("text.db", "text.db", suite, &x, &err), HW_IO);
    assert_non_null(strstr(err.message, "text.db: cannot write: file is not a database"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_runs),
        cmocka_unit_test(test_all_columns),
        cmocka_unit_test(test_large_numbers),
        cmocka_unit_test(test_not_written),
    };
    return cmocka_run_group_tests(tests, enter, leave) != 0;
}
