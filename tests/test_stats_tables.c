/*
 * What `highwater stats` computes, on results made by hand whose figures are
 * worked out beside them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fit.h"
#include "gen/family.h"
#include "io/io.h"
#include "stats/tables.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/* Peak 0: no order.  Optimum 0: none proven. */
static hw_record made(uint64_t index, const char *accounting, const char *solver, uint64_t peak,
                      uint64_t optimum, double seconds)
{
    bool exact = strcmp(solver, "exact") == 0 || strcmp(solver, "dp") == 0;
    return (hw_record){.suite = "s",
                       .section = "all",
                       .family = "tree",
                       .params = "n=4",
                       .index = index,
                       .graph = "g",
                       .n_nodes = 4,
                       .accounting = accounting,
                       .solver = solver,
                       .exact = exact,
                       .status = peak == 0 ? "limit"
                                 : exact   ? "optimal"
                                           : "feasible",
                       .checked_peak = {peak > 0, peak},
                       .optimum = {optimum > 0, optimum},
                       .wall_seconds = seconds};
}

static const hw_field by_accounting[] = {HW_FIELD_ACCOUNTING};

typedef hw_code (*make_figures)(const hw_strata *s, const hw_stats_options *o, hw_figures *f,
                                hw_error *err);

static hw_figures figures_of(make_figures make, const hw_record *records, size_t n)
{
    const hw_stats_options o = {.resamples = 200, .seed = 1, .shift_seconds = 1};
    hw_strata s;
    hw_figures f;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_strata_make(records, n, by_accounting, 1, &s, &err), HW_OK);
    assert_int_equal(make(&s, &o, &f, &err), HW_OK);
    hw_strata_free(&s);
    return f;
}

static size_t column_of(const hw_figures *f, const char *key)
{
    for (size_t c = 0; c < f->n_columns; c++)
        if (strcmp(f->columns[c].key, key) == 0)
            return c;
    fail_msg("no column %s", key);
    return 0;
}

/* Under alloc-first, where every row of these tests is. */
static size_t row_of(const hw_figures *f, const char *solver)
{
    for (size_t row = 0; row < f->n_rows; row++)
        if (strcmp(f->row[row].solver, solver) == 0 &&
            strcmp(f->row[row].first->accounting, "alloc-first") == 0)
            return row;
    fail_msg("no row of %s", solver);
    return 0;
}

static double value(const hw_figures *f, const char *solver, const char *key)
{
    return f->value[row_of(f, solver) * f->n_columns + column_of(f, key)];
}

static void test_latest(void **state)
{
    (void)state;
    hw_record r[] = {made(0, "alloc-first", "a", 5, 5, 1), made(0, "alloc-first", "b", 6, 5, 1),
                     made(0, "alloc-first", "a", 7, 5, 1), made(0, "free-first", "a", 8, 5, 1)};
    size_t n = 4, replaced;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_records_latest(r, &n, &replaced, &err), HW_OK);
    assert_int_equal(n, 3);
    assert_int_equal(replaced, 1);
    assert_int_equal(r[0].checked_peak.value, 6);
    assert_int_equal(r[1].checked_peak.value, 7);
}

static void test_strata(void **state)
{
    (void)state;
    const hw_record r[] = {
        made(0, "alloc-first", "a", 5, 5, 1), made(0, "free-first", "b", 6, 5, 1),
        made(1, "alloc-first", "a", 7, 5, 1), made(0, "alloc-first", "b", 8, 5, 1)};
    hw_strata s;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_strata_make(r, 4, by_accounting, 1, &s, &err), HW_OK);
    assert_int_equal(s.n_strata, 2);
    assert_int_equal(s.n_solvers, 2);
    assert_int_equal(s.n_units, 3);
    assert_int_equal(s.n_instances, 2); /* one graph, whatever the accounting */
    assert_int_equal(s.instance[0], s.instance[1]);
    assert_int_equal(hw_strata_filled(&s), 3);
    size_t cell = hw_cell(&s, 0, 0);
    assert_int_equal(s.start[cell + 1] - s.start[cell], 2);
    assert_int_equal(s.member[s.start[cell] + 1], 2);
    hw_strata_free(&s);
}

/* Numbers ascend, words come as they appear, the first field first. */
static void test_order_of_strata(void **state)
{
    (void)state;
    static const struct {
        uint64_t nodes;
        const char *accounting;
    } given[] = {{10, "free-first"}, {9, "free-first"}, {10, "alloc-first"}, {9, "alloc-first"}};
    static const size_t wanted[] = {1, 3, 0, 2};
    hw_record r[8];
    for (size_t i = 0; i < 8; i++) {
        r[i] = made(i / 2, given[i / 2].accounting, i % 2 ? "b" : "a", 5, 5, 1);
        r[i].n_nodes = given[i / 2].nodes;
    }
    const hw_field fields[] = {HW_FIELD_NODES, HW_FIELD_ACCOUNTING};
    const hw_stats_options o = {.resamples = 10, .seed = 1, .shift_seconds = 1};
    hw_strata s;
    hw_figures f;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_strata_make(r, 8, fields, 2, &s, &err), HW_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(s.first[i], &r[2 * wanted[i]]);
        assert_int_equal(s.stratum[2 * wanted[i] + 1], i);
    }
    assert_int_equal(hw_stats_tests(&s, &o, &f, &err), HW_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_ptr_equal(f.row[i].first, &r[2 * wanted[i]]);
        assert_int_equal(f.row[i].stratum, i);
    }
    hw_figures_free(&f);
    hw_strata_free(&s);
}

static void test_gaps(void **state)
{
    (void)state;
    hw_record r[] = {
        made(0, "alloc-first", "a", 100, 100, 1), made(1, "alloc-first", "a", 105, 100, 1),
        made(2, "alloc-first", "a", 120, 100, 1), made(3, "alloc-first", "a", 121, 100, 1),
        made(4, "alloc-first", "a", 0, 100, 1), /* no order         */
        made(5, "alloc-first", "a", 9, 0, 1),   /* nothing proven   */
        made(6, "alloc-first", "a", 3, 0, 1),   /* above 0: endless */
        made(0, "free-first", "a", 50, 50, 1)};
    r[6].optimum.known = true;
    hw_figures f = figures_of(hw_stats_gaps, r, sizeof r / sizeof r[0]);
    assert_int_equal(f.n_rows, 2);
    near(value(&f, "a", "runs"), 7, 0);
    near(value(&f, "a", "solved"), 6, 0);
    assert_true(f.dagger[row_of(&f, "a") * f.n_columns + column_of(&f, "solved")]);
    near(value(&f, "a", "proven"), 5, 0);
    near(value(&f, "a", "optimal_share"), 0.2, 1e-12);
    near(value(&f, "a", "within_5_share"), 0.4, 1e-12);    /* 0 and exactly 5 */
    near(value(&f, "a", "above_20_share"), 0.4, 1e-12);    /* 21 and endless, not 20 */
    near(value(&f, "a", "mean_gap_percent"), 11.5, 1e-12); /* 0, 5, 20, 21 */
    assert_true(f.dagger[row_of(&f, "a") * f.n_columns + column_of(&f, "mean_gap_percent")]);
    near(value(&f, "a", "p50_gap_percent"), 20, 1e-12);
    assert_true(isinf(value(&f, "a", "p90_gap_percent")));
    assert_true(isinf(value(&f, "a", "max_gap_percent")));
    assert_true(value(&f, "a", "mean_gap_low") > 0 && value(&f, "a", "mean_gap_high") < 21);
    assert_string_equal(f.text[row_of(&f, "a") * f.n_columns + column_of(&f, "worst_instance")],
                        "tree:n=4#6");
    hw_figures_free(&f);
}

static void test_times(void **state)
{
    (void)state;
    hw_record r[] = {
        made(0, "alloc-first", "exact", 5, 5, 1), made(1, "alloc-first", "exact", 5, 5, 3),
        made(2, "alloc-first", "exact", 0, 0, 4), /* unsolved, limit 10 */
        made(0, "alloc-first", "dp", 5, 5, 2),    made(1, "alloc-first", "dp", 5, 5, 1),
        made(2, "alloc-first", "dp", 5, 5, 6),    made(3, "alloc-first", "dp", 0, 0, 1),
        made(0, "alloc-first", "a", 5, 5, 7),     made(1, "alloc-first", "a", 0, 5, 2),
    };
    for (size_t i = 0; i < 6; i++)
        r[i].time_limit = 10;
    r[6].status = "refused";
    hw_figures f = figures_of(hw_stats_times, r, sizeof r / sizeof r[0]);
    near(value(&f, "exact", "runs"), 3, 0);
    near(value(&f, "exact", "solved"), 2, 0);
    near(value(&f, "exact", "limit_seconds"), 10, 0);
    near(value(&f, "exact", "median_seconds"), 3, 0); /* of 1, 3, endless */
    near(value(&f, "exact", "par2_seconds"), (1 + 3 + 20) / 3.0, 1e-12);
    near(value(&f, "exact", "geometric_mean_seconds"), cbrt(2 * 4 * 11) - 1, 1e-12);
    assert_true(f.dagger[row_of(&f, "exact") * f.n_columns + column_of(&f, "par2_seconds")]);
    near(value(&f, "dp", "runs"), 3, 0); /* without the refusal */
    near(value(&f, "dp", "par2_seconds"), 3, 1e-12);
    near(value(&f, "dp", "geometric_mean_seconds"), cbrt(3 * 2 * 7) - 1, 1e-12);
    assert_false(f.dagger[row_of(&f, "dp") * f.n_columns + column_of(&f, "par2_seconds")]);
    /* No time limit: the longest time of the stratum, 7, counts as one. */
    near(value(&f, "a", "limit_seconds"), 7, 0);
    near(value(&f, "a", "par2_seconds"), (7 + 14) / 2.0, 1e-12);
    assert_true(isnan(value(&f, "a", "median_seconds"))); /* half is endless */
    assert_true(isnan(value(&f, "a", "fastest_share")));  /* proves nothing  */
    /* The virtual best takes 1, 1, 6; without dp 1, 3, 20, without exact 2, 1, 6. */
    near(value(&f, "virtual-best", "par2_seconds"), 8 / 3.0, 1e-12);
    near(value(&f, "dp", "fastest_share"), 2 / 3.0, 1e-12);
    near(value(&f, "dp", "contribution_seconds"), (24 - 8) / 3.0, 1e-12);
    near(value(&f, "exact", "contribution_seconds"), (9 - 8) / 3.0, 1e-12);
    hw_figures_free(&f);
}

/* Nobody is the fastest to a proof that nobody has. */
static void test_fastest(void **state)
{
    (void)state;
    hw_record r[] = {
        made(0, "alloc-first", "exact", 5, 5, 2),
        made(0, "alloc-first", "dp", 0, 0, 1),
        made(1, "alloc-first", "exact", 0, 0, 3),
        made(1, "alloc-first", "dp", 0, 0, 3),
    };
    hw_figures f = figures_of(hw_stats_times, r, sizeof r / sizeof r[0]);
    near(value(&f, "exact", "fastest_share"), 0.5, 0);
    near(value(&f, "exact", "fastest_alone_share"), 0.5, 0);
    near(value(&f, "dp", "fastest_share"), 0, 0);
    near(value(&f, "virtual-best", "par2_seconds"), (2 + 6) / 2.0, 1e-12);
    near(value(&f, "exact", "contribution_seconds"), (6 - 2) / 2.0, 1e-12);
    hw_figures_free(&f);
}

static void test_best(void **state)
{
    (void)state;
    const hw_record r[] = {
        made(0, "alloc-first", "a", 110, 100, 1), made(0, "alloc-first", "b", 120, 100, 1),
        made(0, "alloc-first", "c", 150, 100, 1), made(0, "alloc-first", "exact", 100, 100, 1),
        made(1, "alloc-first", "a", 130, 100, 1), made(1, "alloc-first", "b", 130, 100, 1),
        made(1, "alloc-first", "c", 140, 100, 1), made(2, "alloc-first", "a", 160, 100, 1),
        made(2, "alloc-first", "b", 0, 100, 1),   made(2, "alloc-first", "c", 120, 100, 1),
        made(3, "alloc-first", "a", 0, 100, 1),   made(3, "alloc-first", "c", 200, 100, 1),
        made(4, "alloc-first", "a", 7, 0, 1),
    };
    hw_figures f = figures_of(hw_stats_best, r, sizeof r / sizeof r[0]);
    assert_int_equal(f.n_rows, 5); /* a, b, c, single-best, virtual-best */
    near(value(&f, "a", "units"), 4, 0);
    near(value(&f, "a", "answered"), 3, 0);
    near(value(&f, "a", "mean_gap_percent"), 100 / 3.0, 1e-12);
    near(value(&f, "a", "best_share"), 0.5, 0);   /* units 0 and, with b, 1 */
    near(value(&f, "a", "alone_share"), 0.25, 0); /* unit 0 */
    near(value(&f, "b", "best_share"), 0.25, 0);
    near(value(&f, "b", "alone_share"), 0, 0);
    near(value(&f, "c", "alone_share"), 0.5, 0); /* units 2 and 3 */
    near(value(&f, "virtual-best", "mean_gap_percent"), (10 + 30 + 20 + 100) / 4.0, 1e-12);
    /* Without a unit 0 is b's, with 20. */
    near(value(&f, "a", "contribution_percent"), 10 / 4.0, 1e-12);
    near(value(&f, "b", "contribution_percent"), 0, 1e-12);
    /* Without c unit 2 is a's, with 60; unit 3 has nothing else and is left out. */
    near(value(&f, "c", "contribution_percent"), 40 / 3.0, 1e-12);
    near(value(&f, "c", "only"), 1, 0);
    near(value(&f, "a", "only"), 0, 0);
    assert_string_equal(f.text[row_of(&f, "single-best") * f.n_columns + column_of(&f, "which")],
                        "c"); /* four orders; the others have fewer */
    near(value(&f, "single-best", "mean_gap_percent"), 210 / 4.0, 1e-12);
    hw_figures_free(&f);
}

static void test_tests(void **state)
{
    (void)state;
    /* Seven pairs, a the smaller by far in all but the closest one. */
    static const uint64_t a[] = {100, 100, 100, 100, 100, 100, 101};
    static const uint64_t b[] = {110, 120, 130, 140, 150, 160, 100};
    hw_record r[14];
    for (size_t i = 0; i < 7; i++) {
        r[2 * i] = made(i, "alloc-first", "a", a[i], 100, 1);
        r[2 * i + 1] = made(i, "alloc-first", "b", b[i], 100, 1);
    }
    hw_figures f = figures_of(hw_stats_tests, r, 14);
    assert_int_equal(f.n_rows, 1);
    assert_string_equal(f.row[0].against, "b");
    near(value(&f, "a", "better"), 6, 0);
    near(value(&f, "a", "worse"), 1, 0);
    near(value(&f, "a", "better_ranks"), 27, 0); /* 2 to 7 */
    near(value(&f, "a", "rank_biserial"), 26 / 28.0, 1e-12);
    near(value(&f, "a", "p"), 2 * 2 / 128.0, 1e-12); /* sums 0 and 1 */
    near(value(&f, "a", "p_holm"), 2 * 2 / 128.0, 1e-12);
    /* Gaps 0 six times and 1 against 10 .. 60 and 0: of 49 pairs b has the
     * greater gap in 7 x 6, six tie, one is the other way round. */
    near(value(&f, "a", "a12"), (42 + 6 / 2.0) / 49, 1e-12);
    double mean = log(101.0 / 100);
    for (size_t i = 0; i < 6; i++)
        mean -= log((double)b[i] / 100);
    near(value(&f, "a", "ratio_percent"), 100 * expm1(mean / 7), 1e-9);
    hw_figures_free(&f);
}

/* Every graph under both accountings with the same outcome: nothing more is
 * known than of one, so the intervals are no narrower. */
static void test_intervals_by_instance(void **state)
{
    (void)state;
    enum { N = 40 };
    hw_record r[4 * N];
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < 4; k++) /* the first 2 N are those under one accounting */
            r[(k / 2) * 2 * N + 2 * i + k % 2] =
                made(i, k / 2 ? "free-first" : "alloc-first", k % 2 ? "b" : "a",
                     100 + (k % 2 ? i * i % 17 : i * 7 % 23), 100, 1);
    const hw_field suite[] = {HW_FIELD_SUITE};
    const hw_stats_options o = {.resamples = 400, .seed = 1, .shift_seconds = 1};
    const struct {
        make_figures make;
        const char *low, *high;
    } tables[] = {{hw_stats_gaps, "mean_gap_low", "mean_gap_high"},
                  {hw_stats_gaps, "p50_gap_low", "p50_gap_high"},
                  {hw_stats_tests, "ratio_low", "ratio_high"}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        double low[2], high[2];
        for (size_t both = 0; both < 2; both++) {
            hw_strata s;
            hw_figures f;
            hw_error err = {.code = HW_OK};
            assert_int_equal(hw_strata_make(r, (both + 1) * 2 * N, suite, 1, &s, &err), HW_OK);
            assert_int_equal(tables[t].make(&s, &o, &f, &err), HW_OK);
            low[both] = value(&f, "a", tables[t].low);
            high[both] = value(&f, "a", tables[t].high);
            hw_figures_free(&f);
            hw_strata_free(&s);
        }
        assert_true(high[0] > low[0]);
        near(low[1], low[0], 1e-9);
        near(high[1], high[0], 1e-9);
    }
}

static void test_growth_laws(void **state)
{
    (void)state;
    double x[] = {4, 6, 8, 10, 12, 14, -1, 5}, y[8];
    for (size_t i = 0; i < 6; i++)
        y[i] = 1e-7 * pow(2, 0.75 * x[i]);
    y[6] = 1;
    y[7] = NAN;
    hw_growth g = hw_growth_of(x, y, 8);
    assert_int_equal(g.n, 6);
    near(g.rate, 0.75, 1e-12);
    near(g.rate_error, 0, 1e-9);
    assert_true(g.aic_difference < -100);
    assert_string_equal(hw_growth_law(&g), "exponential");
    double u[] = {10, 20, 40, 80}, v[4];
    for (size_t i = 0; i < 4; i++)
        v[i] = 3 * pow(u[i], 2.5);
    g = hw_growth_of(u, v, 4);
    near(g.exponent, 2.5, 1e-12);
    assert_string_equal(hw_growth_law(&g), "power");
    /* By hand: (0, 0), (1, 1), (2, 1) on log axes of x: slope 1/2, residuals
     * -1/6, 1/3, -1/6 with squares of 1/6 and standard error sqrt(1/12).  On the
     * plain axis x is 1, e, e^2: the squares of that line are worked out here. */
    const double e = exp(1);
    double p[] = {1, e, e * e}, q[] = {1, e, e};
    double mean = (1 + e + e * e) / 3, sxx = 0, sxy = 0, syy = 0;
    const double lx[] = {1, e, e * e}, ly[] = {0, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        sxx += (lx[i] - mean) * (lx[i] - mean);
        sxy += (lx[i] - mean) * (ly[i] - 2 / 3.0);
        syy += (ly[i] - 2 / 3.0) * (ly[i] - 2 / 3.0);
    }
    g = hw_growth_of(p, q, 3);
    near(g.exponent, 0.5, 1e-12);
    near(g.exponent_error, sqrt(1.0 / 12), 1e-12);
    near(g.aic_difference, 3 * log((syy - sxy * sxy / sxx) * 6), 1e-9);
    double two[] = {1, 2}, ones[] = {1, 1};
    g = hw_growth_of(two, ones, 2);
    assert_true(isnan(g.aic_difference) && isnan(g.exponent_error));
    assert_null(hw_growth_law(&g));
    double same[] = {3, 3, 3}, any[] = {1, 2, 3};
    g = hw_growth_of(same, any, 3);
    assert_true(isnan(g.exponent) && isnan(g.rate) && isnan(g.aic_difference));
}

static void test_growth(void **state)
{
    (void)state;
    /* Three runs at each size; at 32 two of them are unsolved, so it drops out. */
    hw_record r[12];
    static const uint64_t nodes[] = {4, 8, 16, 32};
    for (size_t i = 0; i < 12; i++) {
        r[i] = made(i, "alloc-first", "exact", i < 10 ? 5 : 0, 5, 0);
        r[i].n_nodes = nodes[i / 3];
        double middle = 1e-6 * pow((double)r[i].n_nodes, 3);
        r[i].wall_seconds = i % 3 == 0 ? middle : i % 3 == 1 ? middle / 9 : middle * 70;
        r[i].states = (hw_maybe_u64){true, 10 * r[i].n_nodes};
    }
    hw_figures f = figures_of(hw_stats_growth, r, 12);
    near(value(&f, "exact", "least_nodes"), 4, 0);
    near(value(&f, "exact", "most_nodes"), 32, 0);
    near(value(&f, "exact", "time_sizes"), 3, 0);
    near(value(&f, "exact", "time_exponent"), 3, 1e-9);
    near(value(&f, "exact", "states_exponent"), 1, 1e-9);
    assert_string_equal(f.text[row_of(&f, "exact") * f.n_columns + column_of(&f, "time_law")],
                        "power");
    hw_figures_free(&f);
}

/* A run on a graph that is made here, so that its hash is known. */
static hw_record run_on(const char *family, const char *params, uint64_t index,
                        char hash[HW_HASH_TEXT])
{
    char spec[64];
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g;
    hw_error err = {.code = HW_OK};
    (void)snprintf(spec, sizeof spec, "%s:%s", family, params);
    assert_int_equal(hw_family_parse(spec, &row, values, &err), HW_OK);
    assert_int_equal(hw_generate(row, values, 5, index, &g, &err), HW_OK);
    assert_int_equal(hw_graph_hash(g, hash, &err), HW_OK);
    hw_record r = made(index, "alloc-first", "a", 5, 5, 1);
    r.family = family;
    r.params = params;
    r.seed = 5;
    r.graph = hash;
    r.n_nodes = g->n_nodes;
    hw_graph_free(g);
    return r;
}

/* Of a fork of w nodes and its join: w! orders, 2^w + 2 down-sets, width w. */
static void test_counts(void **state)
{
    (void)state;
    static const char *const params[] = {"n=17,width=15", "n=6,width=4", "n=7,width=5",
                                         "n=18,width=16"};
    char hash[7][HW_HASH_TEXT];
    hw_record r[10];
    size_t n = 0;
    for (size_t i = 0; i < 4; i++)
        r[n++] = run_on("fan", params[i], i, hash[i]);
    r[n] = r[1]; /* the same instance under the other accounting */
    r[n++].accounting = "free-first";
    r[n++] = run_on("fan", params[1], 9, hash[4]);
    r[n++] = run_on("fan", params[0], 11, hash[5]);
    r[n++] = run_on("fan", "n=17,width=2", 12, hash[6]); /* an easy one of that size */
    r[n] = r[1]; /* what another version of the program made */
    r[n].graph = "0123";
    r[n++].index = 10;
    r[n] = r[1];
    r[n].family = "file";
    r[n].params = "a.json";
    r[n++].n_nodes = 3;
    const hw_field suite[] = {HW_FIELD_SUITE};
    const hw_stats_options o = {.resamples = 0};
    hw_strata s;
    hw_figures f;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_strata_make(r, n, suite, 1, &s, &err), HW_OK);
    assert_int_equal(hw_stats_counts(&s, &o, &f, &err), HW_OK);
    hw_strata_free(&s);
    assert_int_equal(f.n_rows, 4); /* 6, 7, 17 and 18 nodes */
    const double *row[4];
    for (size_t i = 0; i < 4; i++)
        row[i] = f.value + i * f.n_columns;
    near(row[0][column_of(&f, "graphs")], 2, 0);
    near(row[0][column_of(&f, "orders_p50")], 24, 0);
    near(row[0][column_of(&f, "down_sets_max")], 18, 0);
    near(row[0][column_of(&f, "width_p25")], 4, 0);
    near(row[1][column_of(&f, "orders_max")], 120, 0);
    near(row[1][column_of(&f, "down_sets_p50")], 34, 0);
    near(row[2][column_of(&f, "width_p50")], 15, 0);
    assert_true(isnan(row[2][column_of(&f, "orders_p50")])); /* 32,770 down-sets */
    near(row[2][column_of(&f, "down_sets_known")], 1, 0);
    assert_true(isnan(row[2][column_of(&f, "down_sets_max")]));
    near(row[3][column_of(&f, "down_sets_known")], 0, 0);
    near(row[3][column_of(&f, "width_p50")], 16, 0);
    hw_figures_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latest),
        cmocka_unit_test(test_strata),
        cmocka_unit_test(test_order_of_strata),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_fastest),
        cmocka_unit_test(test_best),
        cmocka_unit_test(test_tests),
        cmocka_unit_test(test_intervals_by_instance),
        cmocka_unit_test(test_growth_laws),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
