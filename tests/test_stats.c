/*
 * Statistics against published values, grouping, and the writers of tables.
 *
 * Intervals: Newcombe 1998, "Two-sided confidence intervals for the single
 * proportion", table I, exact (Clopper-Pearson) column.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/table.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.9g is not %.9g", value, wanted);
}

static void test_shares(void **state)
{
    (void)state;
    static const struct {
        uint64_t k, n;
        double low, high;
    } rows[] = {{81, 263, 0.2527, 0.3676},
                {15, 148, 0.0578, 0.1617},
                {0, 20, 0.0000, 0.1684},
                {1, 29, 0.0009, 0.1776}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hw_share s = hw_share_of(rows[i].k, rows[i].n);
        near(s.low, rows[i].low, 5e-5);
        near(s.high, rows[i].high, 5e-5);
        near(s.share, (double)rows[i].k / (double)rows[i].n, 1e-15);
        hw_share other = hw_share_of(rows[i].n - rows[i].k, rows[i].n);
        near(other.low, 1 - s.high, 1e-12);
        near(other.high, 1 - s.low, 1e-12);
    }
    /* All of n: the lower end is the n-th root of the tail. */
    near(hw_share_of(10, 10).low, pow(0.025, 0.1), 1e-12);
    near(hw_share_of(10, 10).high, 1, 0);
    hw_share none = hw_share_of(0, 0);
    assert_true(isnan(none.share));
    /* The ends are what defines them, by another route to the tails. */
    for (uint64_t n = 1; n <= 1000000; n = n * 3 + 1)
        for (uint64_t part = 1; part <= 20; part++) {
            uint64_t k = n * part / 20;
            hw_share s = hw_share_of(k, n);
            if (k > 0)
                near(gsl_cdf_binomial_Q((unsigned)k - 1, s.low, (unsigned)n), 0.025, 1e-7);
            if (k < n)
                near(gsl_cdf_binomial_P((unsigned)k, s.high, (unsigned)n), 0.025, 1e-7);
        }
    near(none.low, 0, 0);
    near(none.high, 1, 0);
}

static void test_quantiles(void **state)
{
    (void)state;
    double values[] = {9, 3, 1, 10, 2, 4, 8, 5, 7, 6};
    hw_sort_reals(values, 10);
    /* Type 7 of Hyndman and Fan on 1 .. 10. */
    near(hw_quantile(values, 10, 0.25), 3.25, 1e-12);
    near(hw_quantile(values, 10, 0.5), 5.5, 1e-12);
    near(hw_quantile(values, 10, 0.95), 9.55, 1e-12);
    near(hw_quantile(values, 10, 0), 1, 0);
    near(hw_quantile(values, 10, 1), 10, 0);
    near(hw_quantile(values, 1, 0.3), 1, 0);
    assert_true(isnan(hw_quantile(values, 0, 0.5)));
    /* An endless neighbour does not spoil the places before it. */
    const double endless[] = {1, 3, INFINITY, INFINITY};
    near(hw_quantile(endless, 3, 0.5), 3, 0);
    near(hw_quantile(endless, 4, 0.25), 2.5, 1e-12);
    assert_true(isinf(hw_quantile(endless, 3, 0.75)));
    assert_true(isinf(hw_quantile(endless, 4, 0.9)));
    assert_true(isinf(hw_quantile(endless, 4, 1)));
    hw_sort_reals(NULL, 0);
}

static void test_gaps(void **state)
{
    (void)state;
    near(hw_gap_percent(0, 0), 0, 0);
    near(hw_gap_percent(21, 20), 5, 0);
    near(hw_gap_percent(300, 200), 50, 0);
    assert_true(isinf(hw_gap_percent(1, 0)));
    near(hw_gap_percent(UINT64_MAX, UINT64_MAX), 0, 0);
}

/* P(X >= k) of the binomial law, summed up term by term. */
static double at_least(uint64_t k, uint64_t n, double p)
{
    double sum = 0;
    for (uint64_t i = k; i <= n; i++) {
        double term =
            exp(lgamma((double)n + 1) - lgamma((double)i + 1) - lgamma((double)(n - i) + 1) +
                (double)i * log(p) + (double)(n - i) * log1p(-p));
        sum += term;
        if (term < 1e-18 && (double)i > (double)n * p)
            break;
    }
    return sum;
}

/*
 * What defines the ends: at the lower one so many successes or more come once
 * in forty, at the upper one so many or fewer.
 */
static void test_share_definition(void **state)
{
    (void)state;
    static const uint64_t of[] = {7, 50, 1000, 2382, 20000, 1000000};
    static const double part[] = {0.0001, 0.02, 0.098, 0.3, 0.5, 0.77, 0.985, 0.99999};
    for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
        for (size_t j = 0; j < sizeof part / sizeof part[0]; j++) {
            uint64_t n = of[i], k = (uint64_t)(part[j] * (double)n);
            hw_share s = hw_share_of(k, n);
            if (k > 0)
                near(at_least(k, n, s.low), 0.025, 1e-7);
            if (k < n)
                near(1 - at_least(k + 1, n, s.high), 0.025, 1e-7);
        }
    /* A place where GSL's inverse of the beta law has no answer. */
    hw_share s = hw_share_of(233, 2382);
    assert_true(s.low > 0.086 && s.low < 0.087 && s.high > 0.110 && s.high < 0.111);
}

/* ---- A small file of results, made by hand. ---- */

static hw_record made(const char *family, uint64_t index, const char *accounting,
                      const char *solver, uint64_t peak, uint64_t optimum)
{
    return (hw_record){.suite = "s",
                       .section = "all",
                       .family = family,
                       .params = "n=4",
                       .index = index,
                       .graph = index % 2 ? "odd" : "even",
                       .n_nodes = 4 + index % 3,
                       .accounting = accounting,
                       .solver = solver,
                       .exact = strcmp(solver, "dp") == 0,
                       .status = strcmp(solver, "dp") == 0 ? "optimal" : "feasible",
                       .peak = hw_known(peak),
                       .checked_peak = hw_known(peak),
                       .optimum = {optimum > 0, optimum},
                       .states = hw_known(100),
                       .wall_seconds = 1e-6 * (double)(index + 1),
                       .cpu_seconds = 0,
                       .version = "1",
                       .compiler = "cc"};
}

enum { N_MADE = 9 };

static void make_records(hw_record r[N_MADE])
{
    r[0] = made("tree", 0, "alloc-first", "greedy", 100, 100);
    r[1] = made("tree", 0, "alloc-first", "dp", 100, 100);
    r[2] = made("tree", 0, "free-first", "greedy", 130, 100);
    r[3] = made("tree", 0, "free-first", "dp", 100, 100);
    r[4] = made("tree", 1, "alloc-first", "greedy", 105, 100);
    r[5] = made("tree", 2, "alloc-first", "greedy", 121, 100);
    r[6] = made("layered", 0, "alloc-first", "greedy", 120, 100);
    r[7] = made("layered", 1, "alloc-first", "greedy", 500, 0); /* nothing proven */
    r[8] = made("layered", 2, "alloc-first", "greedy", 1, 1);
    r[8].checked_peak.known = false; /* no order */
    r[8].status = "crashed";
    r[8].wall_seconds = -1;
}

static void test_groups(void **state)
{
    (void)state;
    hw_record r[N_MADE];
    make_records(r);
    hw_field fields[HW_N_FIELDS];
    size_t n_fields, n;
    hw_group *g;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_fields_parse("solver,accounting", fields, &n_fields, &err), HW_OK);
    assert_int_equal(hw_groups_make(r, N_MADE, fields, n_fields, &g, &n, &err), HW_OK);
    assert_int_equal(n, 4);
    assert_string_equal(g[0].first->solver, "greedy"); /* in order of appearance */
    assert_string_equal(g[1].first->solver, "dp");
    assert_string_equal(g[2].first->accounting, "free-first");
    assert_int_equal(g[0].runs, 6);
    assert_int_equal(g[0].answered, 5);
    assert_int_equal(g[0].proven, 4);
    assert_int_equal(g[0].optimal.k, 1);
    assert_int_equal(g[0].within_5.k, 2); /* 0 and exactly 5 per cent */
    assert_int_equal(g[0].above_20.k, 1); /* 21, not 20 */
    near(g[0].median_gap, 12.5, 1e-12);
    near(g[0].worst_gap, 21, 1e-12);
    assert_ptr_equal(g[0].worst, &r[5]);
    near(g[0].median_seconds, 2e-6, 1e-18);
    near(g[0].states_per_second, 500 / 9e-6, 1);
    free(g);
    assert_int_equal(hw_groups_make(r, 0, fields, n_fields, &g, &n, &err), HW_OK);
    assert_int_equal(n, 0);
    free(g);
}

static void test_choice(void **state)
{
    (void)state;
    hw_record r[N_MADE];
    make_records(r);
    hw_condition c[3];
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_condition_parse("family=tree", &c[0], &err), HW_OK);
    assert_int_equal(hw_condition_parse("nodes=4", &c[1], &err), HW_OK);
    assert_int_equal(hw_condition_parse("nodes=6", &c[2], &err), HW_OK);
    assert_int_equal(hw_records_choose(r, N_MADE, c, 3), 5);
    assert_int_equal(hw_records_choose(r, 5, c, 2), 4);
    make_records(r);
    assert_int_equal(hw_condition_parse("nodes=5..6", &c[0], &err), HW_OK);
    assert_int_equal(hw_records_choose(r, N_MADE, c, 1), 4);
    const char *const no_ranges[] = {"nodes=..5", "nodes=5..", "nodes=6..5", "nodes=4..5x",
                                     "nodes=4..99999999999999999999"};
    for (size_t i = 0; i < sizeof no_ranges / sizeof no_ranges[0]; i++) {
        assert_int_equal(hw_condition_parse(no_ranges[i], &c[0], &err), HW_USAGE);
        assert_non_null(strstr(err.message, "write nodes=1..255"));
    }
    assert_int_equal(hw_condition_parse("colour=red", &c[0], &err), HW_USAGE);
    assert_int_equal(hw_condition_parse("solver", &c[0], &err), HW_USAGE);
    hw_field fields[HW_N_FIELDS];
    size_t n;
    assert_int_equal(hw_fields_parse("solver,solver", fields, &n, &err), HW_USAGE);
    assert_int_equal(hw_fields_parse("", fields, &n, &err), HW_USAGE);
    assert_int_equal(hw_fields_parse("solver,", fields, &n, &err), HW_USAGE);
    assert_int_equal(hw_fields_parse("solvr", fields, &n, &err), HW_USAGE);
    assert_non_null(strstr(err.message, "'solver'"));
}

/* ---- Writers. ---- */

static char *table_text(const hw_record *r, size_t n_records, const char *by,
                        hw_table_format format)
{
    hw_field fields[HW_N_FIELDS];
    size_t n_fields, n, size;
    hw_group *g;
    char *text;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_fields_parse(by, fields, &n_fields, &err), HW_OK);
    assert_int_equal(hw_groups_make(r, n_records, fields, n_fields, &g, &n, &err), HW_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hw_table_write(g, n, fields, n_fields, format, out, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    free(g);
    return text;
}

static void expect(char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_formats(void **state)
{
    (void)state;
    hw_record r[N_MADE];
    make_records(r);
    r[0].solver = "gre_edy|\"a,b\"%\\~^";
    char *text = table_text(r, N_MADE, "solver,family", HW_TABLE_TEXT);
    expect(text, "solver");
    expect(text, "tree:n=4#0");
    expect(text, "\xC2\xB5s");
    free(text);
    r[0].family = "a\x1b[2Jb\n";
    text = table_text(r, N_MADE, "family", HW_TABLE_TEXT); /* no command reaches a terminal */
    expect(text, "a?[2Jb? ");
    free(text);
    r[0].family = "tree";
    text = table_text(r, N_MADE, "solver,nodes", HW_TABLE_CSV);
    expect(text, "solver,nodes,runs,answered,proven,optimal_share,optimal_low");
    expect(text, "\n\"gre_edy|\"\"a,b\"\"%\\~^\",4,1,1,1,1,");
    free(text);
    text = table_text(r, N_MADE, "solver", HW_TABLE_MARKDOWN);
    expect(text, "| gre\\_edy\\|\"a,b\"%\\\\~^ |");
    expect(text, "| --- | ---: |");
    free(text);
    text = table_text(r, N_MADE, "solver", HW_TABLE_LATEX);
    expect(text, "\\toprule\nsolver & {runs}");
    expect(text, "gre\\_edy\\textbar{}\\textquotedbl{}a,b\\textquotedbl{}\\%\\textbackslash{}"
                 "\\textasciitilde{}\\textasciicircum{} & 1");
    expect(text, "\\textmu{}s");
    expect(text, "tree:n=4\\#0");
    free(text);
    text = table_text(r, N_MADE, "solver", HW_TABLE_JSON);
    expect(text, "\"solver\":\"dp\",\"runs\":2");
    expect(text, "\"worst_instance\":null");
    free(text);
    text = table_text(r + 7, 2, "solver", HW_TABLE_TEXT); /* nothing proven: dashes */
    expect(text, "-  ");
    free(text);
}

static void test_durations(void **state)
{
    (void)state;
    char text[HW_DURATION_TEXT];
    hw_duration_text(12.34e-9, text);
    assert_string_equal(text, "12.3 ns");
    hw_duration_text(1.5e-3, text);
    assert_string_equal(text, "1.50 ms");
    hw_duration_text(123, text);
    assert_string_equal(text, "123 s");
    hw_duration_text(NAN, text);
    assert_string_equal(text, "-");
}

static char *summary_text(const hw_record *r, size_t n, bool wanted)
{
    char *text;
    size_t size;
    bool agree = !wanted;
    hw_error err = {.code = HW_OK};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hw_summary_write(r, n, out, &agree, &err), HW_OK);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(agree, wanted);
    return text;
}

static void test_summary(void **state)
{
    (void)state;
    hw_record r[N_MADE + 1];
    make_records(r);
    char *text = summary_text(r, N_MADE, true);
    expect(text, "no graph was settled by two exact solvers");
    expect(text, "no order beats a proven optimum");
    expect(text, "1 runs crashed");
    free(text);
    r[N_MADE] = made("tree", 0, "free-first", "enumerate", 100, 100);
    r[N_MADE].exact = true;
    r[N_MADE].status = "optimal";
    text = summary_text(r, N_MADE + 1, true);
    expect(text, "dp and enumerate agree on all 1 graphs");
    free(text);
    r[N_MADE].checked_peak = hw_known(101);
    text = summary_text(r, N_MADE + 1, false);
    expect(text,
           "dp and enumerate DISAGREE on 1 of 1 proofs; the first: tree:n=4#0 under free-first");
    free(text);
    r[0].checked_peak = hw_known(99);
    text = summary_text(r, N_MADE, false);
    expect(text, "1 orders BEAT a proven optimum");
    free(text);
    r[0].checked_peak = hw_known(100);
    r[4].conflict = true;
    text = summary_text(r, N_MADE, false);
    expect(text, "1 runs are in CONFLICT");
    free(text);
    free(summary_text(r, 0, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),    cmocka_unit_test(test_share_definition),
        cmocka_unit_test(test_quantiles), cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_groups),    cmocka_unit_test(test_choice),
        cmocka_unit_test(test_formats),   cmocka_unit_test(test_durations),
        cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
