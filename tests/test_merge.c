/*
 * Parts of a sweep joined: the same whatever the parts, and what does not fit
 * together is told.
 */
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

/* Two sections with some instances in common, and solvers that draw. */
static const char plain[] = "name = t\nsolver = level\nsolver = greedy\nsolver = random:n=20\n"
                            "[a]\noptimum = enumerate\noptimum = dp\n"
                            "family = layered:n=6..8 x3\nfamily = tree:n=7 x4\n"
                            "[b]\noptimum = dp\nfamily = layered:n=7 x5\n";

static hw_suite *suite;
static char told[TOLD_BYTES];
static hw_merge_counts counts;
static hw_error err;

static int enter(void **state)
{
    if (enter_sweep_folder(state) != 0)
        return -1;
    suite = suite_of_text("t.suite", plain);
    run_sweep(suite, "ran.jsonl");
    /* In plan order; a sweep writes in an order of its own. */
    return merge_files(suite, "ran.jsonl", "one.jsonl", told, &counts, &err) == HW_OK ? 0 : -1;
}

static int leave(void **state)
{
    hw_suite_free(suite);
    return leave_sweep_folder(state);
}

static void assert_merges(const char *paths)
{
    if (merge_files(suite, paths, "out.jsonl", told, &counts, &err) != HW_OK)
        fail_msg("%s: %s%s", paths, told, err.message);
    assert_same_files("out.jsonl", "one.jsonl");
    assert_int_equal(counts.runs, suite->n_runs);
}

static void assert_contradiction(const char *paths, const char *words)
{
    assert_int_equal(merge_files(suite, paths, "out.jsonl", told, &counts, &err), HW_CHECK_FAILED);
    if (!strstr(told, words))
        fail_msg("'%s' is not in: %s", words, told);
}

static void test_same_for_any_parts(void **state)
{
    (void)state;
    size_t size;
    char *text = file_bytes("one.jsonl", &size);
    size_t lines = 0;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    assert_int_equal(lines, suite->n_runs);
    free(text);
    cut_sweep(suite, "ran.jsonl", 1);
    assert_merges("part-1.jsonl");
    cut_sweep(suite, "ran.jsonl", 2);
    assert_merges("part-1.jsonl part-2.jsonl");
    assert_merges("part-2.jsonl part-1.jsonl");
    cut_sweep(suite, "ran.jsonl", 7);
    assert_merges("part-7.jsonl part-1.jsonl part-3.jsonl part-5.jsonl part-2.jsonl "
                  "part-6.jsonl part-4.jsonl");
    assert_int_equal(counts.duplicates + counts.rejudged + counts.conflicts, 0);
    assert_int_equal(counts.lines, suite->n_runs);
}

/* A unit of which a part of the runs knew nothing of the proofs of the others. */
static void test_verdicts_are_renewed(void **state)
{
    (void)state;
    hw_record r;
    char *copy, *line;
    size_t size, length;
    char *text = file_bytes("one.jsonl", &size), *rest = NULL;
    FILE *out[2] = {fopen("with.jsonl", "w"), fopen("without.jsonl", "w")};
    assert_true(text && out[0] && out[1]);
    for (char *at = strtok_r(text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
        copy = strdup(at);
        assert_int_equal(hw_record_parse(copy, strlen(copy), &r, &err), HW_OK);
        r.optimum.known = r.best_bound.known = false;
        r.optimum_by = NULL;
        assert_int_equal(hw_record_format(&r, &line, &length, &err), HW_OK);
        bool heuristic = !r.exact;
        if (heuristic)
            (void)fputs(line, out[1]);
        else
            (void)fprintf(out[0], "%s\n", at);
        free(line);
        free(copy);
    }
    assert_int_equal(fclose(out[0]) + fclose(out[1]), 0);
    free(text);
    assert_merges("without.jsonl with.jsonl");
    assert_true(counts.rejudged > 0);
    assert_int_equal(merge_files(suite, "without.jsonl", "out.jsonl", told, &counts, &err), HW_OK);
    assert_true(counts.runs < suite->n_runs);
}

static void test_twice(void **state)
{
    (void)state;
    edit_line("one.jsonl", "slow.jsonl", 0, "\"wall_seconds\":", "\"wall_seconds\":9");
    assert_merges("one.jsonl ran.jsonl");
    assert_int_equal(counts.duplicates, suite->n_runs);
    assert_int_equal(counts.cut_short, 0);
    /* Which of two lines stays, that differ in their times alone, is always the same. */
    assert_int_equal(merge_files(suite, "slow.jsonl one.jsonl", "x.jsonl", told, &counts, &err),
                     HW_OK);
    assert_int_equal(merge_files(suite, "one.jsonl slow.jsonl", "y.jsonl", told, &counts, &err),
                     HW_OK);
    assert_int_equal(counts.duplicates, suite->n_runs);
    assert_same_files("x.jsonl", "y.jsonl");
}

static void test_contradictions(void **state)
{
    (void)state;
    /* The same run with two peaks, in two files and in one. */
    size_t greedy = line_with("one.jsonl", "\"solver\":\"greedy\"", 3);
    edit_line("one.jsonl", "bad.jsonl", greedy, "\"peak\":", "\"peak\":9");
    edit_line("bad.jsonl", "bad.jsonl", greedy, "\"checked_peak\":", "\"checked_peak\":9");
    char words[120];
    (void)snprintf(words, sizeof words, "one.jsonl:%zu and bad.jsonl:%zu: greedy on ", greedy,
                   greedy);
    assert_contradiction("one.jsonl bad.jsonl", words);
    assert_contradiction("one.jsonl bad.jsonl", "peak is ");
    assert_contradiction("bad.jsonl one.jsonl", "there");
    assert_non_null(strstr(err.message, "1 contradiction between"));
    edit_line("one.jsonl", "bad.jsonl", greedy, "\"states\":", "\"states\":9");
    assert_contradiction("one.jsonl bad.jsonl", "states is ");
    /* Fields of one line that do not fit each other. */
    edit_line("one.jsonl", "bad.jsonl", greedy, "\"peak\":", "\"peak\":9");
    assert_contradiction("bad.jsonl", "its peak is not the checked one");
    edit_line("one.jsonl", "bad.jsonl", greedy, "\"key\":\"", "\"key\":\"f");
    assert_contradiction("bad.jsonl", "where graph, solver, limits and version give");
    /* An instance that is another graph, in another run, in another unit, in all of it. */
    edit_line("one.jsonl", "bad.jsonl", greedy, "\"graph\":\"", "\"graph\":\"ff");
    edit_line("bad.jsonl", "bad.jsonl", greedy, "\"key\":\"", "\"older\":\"");
    assert_contradiction("bad.jsonl", "the graph is ");
    assert_contradiction("one.jsonl bad.jsonl", "the graph is ");
}

/* A whole unit on another graph: only the other accounting of the instance tells. */
static void test_other_graph_in_a_unit(void **state)
{
    (void)state;
    edit_line("one.jsonl", "bad.jsonl", 6, "\"graph\":\"", "\"graph\":\"ff");
    for (size_t i = 7; i <= 10; i++)
        edit_line("bad.jsonl", "bad.jsonl", i, "\"graph\":\"", "\"graph\":\"ff");
    for (size_t i = 6; i <= 10; i++)
        edit_line("bad.jsonl", "bad.jsonl", i, "\"key\":\"", "\"older\":\"");
    assert_contradiction("bad.jsonl", "in the lines of the other accounting or pinning");
}

/* layered:n=7#0 stands in both sections: greedy has one answer, random:n=20 as well. */
static void test_one_key_two_places(void **state)
{
    (void)state;
    static const char *const solvers[] = {"greedy", "random:n=20"};
    for (size_t i = 0; i < 2; i++) {
        char what[200], words[200];
        (void)snprintf(what, sizeof what, "\"solver\":\"%s\"", solvers[i]);
        size_t line = line_with("one.jsonl", "\"section\":\"b\"", 1) + 1 + i;
        assert_true(line_with("one.jsonl", what, 1) <= line);
        edit_line("one.jsonl", "bad.jsonl", line, "\"states\":", "\"states\":9");
        (void)snprintf(words, sizeof words, "and bad.jsonl:%zu: one graph, one solver (%s on ",
                       line, solvers[i]);
        assert_contradiction("bad.jsonl", words);
    }
}

/* The same run, ended by a clock in one file. */
static void test_cut_short(void **state)
{
    (void)state;
    size_t dp = line_with("one.jsonl", "\"solver\":\"dp\"", 2);
    edit_line("one.jsonl", "cut.jsonl", dp, "\"status\":\"optimal\"", "\"status\":\"timeout\"");
    edit_line("cut.jsonl", "cut.jsonl", dp, "\"peak\":", "\"peak\":null,\"was\":");
    edit_line("cut.jsonl", "cut.jsonl", dp, "\"checked_peak\":", "\"checked_peak\":null,\"saw\":");
    assert_merges("one.jsonl cut.jsonl");
    assert_int_equal(counts.cut_short, 1);
    assert_merges("cut.jsonl one.jsonl");
    /* Yet a bound that it has proven stands: here above the other's order. */
    edit_line("cut.jsonl", "bad.jsonl", dp, "\"bound\":", "\"bound\":99999999");
    assert_contradiction("one.jsonl bad.jsonl", "below the bound that the other proves");
    /* A conflict inside a unit is no contradiction between lines: it is written. */
    edit_line("one.jsonl", "bad.jsonl", dp, "\"bound\":", "\"bound\":99999999");
    assert_int_equal(merge_files(suite, "bad.jsonl", "out.jsonl", told, &counts, &err), HW_OK);
    assert_int_equal(counts.conflicts, 1);
    assert_true(line_with("out.jsonl", "\"conflict\":true", 5) > 0);
}

static void assert_refused(const char *paths, const hw_merge_options *o, hw_code code,
                           const char *words)
{
    hw_merge *m;
    assert_int_equal(merge_open(suite, paths, o, told, &m, &err), code);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
}

static void assert_left_out(const char *paths, const hw_merge_options *o, uint64_t broken,
                            uint64_t foreign)
{
    hw_merge *m;
    if (merge_open(suite, paths, o, told, &m, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hw_merge_count(m)->broken, broken);
    assert_int_equal(hw_merge_count(m)->foreign, foreign);
    hw_merge_close(m);
}

static void test_lines_that_do_not_belong(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *words;
    } edits[] = {
        {"\"suite\":\"t\"", "\"suite\":\"u\"", "bad.jsonl:4: not in the suite: suite u, not t"},
        {"\"seed\":\"0x", "\"seed\":\"0x1", "seed "},
        {"\"section\":\"a\"", "\"section\":\"c\"", "it has no section c"},
        {"\"params\":\"n=6\"", "\"params\":\"n=9\"", "section a has no layered:n=9"},
        {"\"index\":0", "\"index\":30", "has 3 instances, and this is number 30"},
        {"\"accounting\":\"alloc-first\"", "\"accounting\":\"free\"", "is not run under free"},
        {"\"pinned\":false", "\"pinned\":true", "inputs pinned"},
        {"\"solver\":\"enumerate\"", "\"solver\":\"exact\"", "section a has no solver exact"},
        {"\"state_limit\":null", "\"state_limit\":7", "with other limits (7 states, 0 s, 0 bytes"},
    };
    const hw_merge_options only = {.only_plan = true}, skip = {.skip_broken = true};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        edit_line("one.jsonl", "bad.jsonl", 4, edits[i].old, edits[i].new);
        assert_refused("bad.jsonl", NULL, HW_BAD_INPUT, edits[i].words);
        assert_left_out("bad.jsonl", &only, 0, 1);
    }
    edit_line("one.jsonl", "bad.jsonl", 4, "\"version\":\"", "\"version\":\"9.");
    assert_refused("bad.jsonl", NULL, HW_BAD_INPUT, "bad.jsonl:4: of highwater 9.");
    edit_line("one.jsonl", "bad.jsonl", 5, "{", "[");
    assert_refused("bad.jsonl", NULL, HW_BAD_INPUT, "bad.jsonl:5: no line of results: column 1:");
    assert_left_out("bad.jsonl", &skip, 1, 0);
    /* A torn line. */
    size_t size;
    char *text = file_bytes("one.jsonl", &size);
    text[size - 30] = '\0';
    assert_true(write_text("bad.jsonl", text));
    free(text);
    assert_refused("bad.jsonl", NULL, HW_BAD_INPUT, "mend it by `highwater bench --resume`");
    assert_left_out("bad.jsonl", &skip, 1, 0);
    assert_refused("none.jsonl", NULL, HW_IO, "none.jsonl: cannot read");
    assert_refused(".", NULL, HW_IO, "regular file");
}

static void test_missing(void **state)
{
    (void)state;
    hw_merge *m;
    hw_missing missing;
    cut_sweep(suite, "ran.jsonl", 7);
    assert_int_equal(merge_open(suite,
                                "part-2.jsonl part-1.jsonl part-4.jsonl part-5.jsonl "
                                "part-6.jsonl part-7.jsonl",
                                NULL, told, &m, &err),
                     HW_OK);
    assert_int_equal(hw_merge_missing(m, 7, &missing, &err), HW_OK);
    assert_int_equal(missing.runs, suite->n_runs - hw_merge_count(m)->runs);
    assert_true(missing.runs > 0 && missing.units > 0);
    uint64_t sum = 0;
    for (size_t k = 0; k < suite->n_sections; k++)
        sum += missing.by_section[k];
    assert_int_equal(sum, missing.runs);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(missing.by_part[i], i == 2 ? missing.runs : 0);
    assert_null(missing.file_of_part[2]);
    assert_string_equal(missing.file_of_part[1], "part-2.jsonl");
    hw_missing_clear(&missing);
    hw_merge_close(m);

    drop_line("one.jsonl", "less.jsonl", 13);
    assert_int_equal(merge_open(suite, "less.jsonl", NULL, told, &m, &err), HW_OK);
    assert_int_equal(hw_merge_missing(m, 0, &missing, &err), HW_OK);
    assert_int_equal(missing.runs, 1);
    assert_int_equal(missing.units, 1);
    assert_int_equal(missing.first_unit, 2);
    assert_int_equal(missing.first_solver, 2);
    hw_merged_unit unit;
    assert_int_equal(hw_merge_unit(m, 2, &unit, &err), HW_OK);
    assert_false(unit.complete);
    assert_int_equal(unit.n, 4);
    hw_missing_clear(&missing);
    hw_merge_close(m);
}

/* Runs that the suite leaves out are not missing, also where no line tells the size. */
static void test_left_out(void **state)
{
    (void)state;
    hw_suite *s = suite_of_text("s.suite", "name = s\nsolver = level\noptimum = dp\n"
                                           "most-nodes dp = 6\n[a]\nfamily = layered:n=6..7 x2\n"
                                           "[b]\nmost-nodes = 6\nfamily = tree:n=6..7 x2\n");
    run_sweep(s, "s.jsonl");
    hw_merge *m;
    hw_missing missing;
    assert_int_equal(merge_open(s, "s.jsonl", NULL, told, &m, &err), HW_OK);
    assert_true(hw_merge_count(m)->runs < s->n_runs);
    assert_int_equal(hw_merge_missing(m, 3, &missing, &err), HW_OK);
    assert_int_equal(missing.runs, 0);
    hw_missing_clear(&missing);
    hw_merge_close(m);
    drop_line("s.jsonl", "less.jsonl", line_with("s.jsonl", "\"family\":\"tree\"", 1));
    assert_int_equal(merge_open(s, "less.jsonl", NULL, told, &m, &err), HW_OK);
    assert_int_equal(hw_merge_missing(m, 0, &missing, &err), HW_OK);
    assert_int_equal(missing.runs, 1);
    for (size_t k = 0; k < s->n_sections; k++)
        assert_int_equal(missing.by_section[k], strcmp(s->sections[k].name, "b") == 0);
    hw_missing_clear(&missing);
    hw_merge_close(m);
    hw_suite_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_for_any_parts),
        cmocka_unit_test(test_verdicts_are_renewed),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_other_graph_in_a_unit),
        cmocka_unit_test(test_one_key_two_places),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_lines_that_do_not_belong),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, enter, leave) != 0;
}
