/*
 * Paired tests, corrections, intervals and fits against published values.
 *
 *   [1] Hollander and Wolfe 1973, p. 29, as the example of wilcox.test in R:
 *       V = 40, one-sided p = 0.01953.
 *   [2] Darwin 1876, maize, as the example of scipy.stats.wilcoxon:
 *       statistic 24, p = 0.041259765625.
 *   [3] scipy/stats/tests/test_morestats.py, test_accuracy_wilcoxon and
 *       test_wilcoxon_tie: values of R, and of Pratt's treatment of zeros.
 *   [4] R, p.adjust(method = "holm"); the p-values of Neuhaus et al. in
 *       Benjamini and Hochberg 1995, of which Holm rejects three at 5 %.
 *   [5] R's boot with a million draws: scipy/stats/tests/test_resampling.py,
 *       test_bootstrap_against_R.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fit.h"
#include "bench/pairs.h"
#include "core/rng.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.12g is not %.12g", value, wanted);
}

static hw_signed_rank rank_test(const double *d, size_t n, size_t most_exact)
{
    hw_error err = {.code = HW_OK};
    hw_signed_rank r;
    assert_int_equal(hw_signed_rank_test(d, n, most_exact, &r, &err), HW_OK);
    return r;
}

static void test_exact_values(void **state)
{
    (void)state;
    const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double d[9];
    for (size_t i = 0; i < 9; i++)
        d[i] = before[i] - after[i];
    hw_signed_rank r = rank_test(d, 9, HW_SIGNED_RANK_EXACT);
    near(r.positive, 40, 0); /* [1] */
    near(r.negative, 5, 0);
    near(r.p / 2, 0.01953125, 1e-12);
    assert_true(r.exact);

    const double maize[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    r = rank_test(maize, 15, HW_SIGNED_RANK_EXACT);
    near(fmin(r.positive, r.negative), 24, 0); /* [2] */
    near(r.p, 0.041259765625, 1e-12);
}

static void test_normal_values(void **state)
{
    (void)state;
    static const int count[] = {1, 4, 16, 15, 8, 4, 5, 1, 2}; /* of -4 .. 4 */
    double d[56];
    size_t n = 0;
    for (int v = 0; v < 9; v++)
        for (int k = 0; k < count[v]; k++)
            d[n++] = v - 4;
    assert_int_equal(n, 56);
    hw_signed_rank r = rank_test(d, n, 0);
    near(fmin(r.positive, r.negative), 423, 0); /* [3], Pratt */
    near(r.p, 0.0031724568006762576, 1e-15);
    assert_int_equal(r.zeros, 8);
    assert_false(r.exact);

    const double x[] = {120, 114, 181, 188, 180, 146, 121, 191, 132, 113, 127, 112};
    const double y[] = {133, 143, 119, 189, 112, 199, 198, 113, 115, 121, 142, 187};
    for (size_t i = 0; i < 12; i++)
        d[i] = x[i] - y[i];
    r = rank_test(d, 12, 0);
    near(fmin(r.positive, r.negative), 34, 0); /* [3], R without correction */
    near(r.p, 0.6948866, 5e-8);

    for (size_t i = 0; i < 10; i++)
        d[i] = 0.1;
    r = rank_test(d, 10, 0);
    near(r.p, 0.001565402, 5e-10); /* [3], all tied */
}

/* Every sign given to the ranks at hand, counted one by one. */
static double p_by_enumeration(const double *d, size_t n)
{
    double rank[16], least;
    size_t m = 0, fewer = 0, total = 0;
    double positive = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        double below = 0, same = 0;
        for (size_t k = 0; k < n; k++) {
            below += fabs(d[k]) < fabs(d[i]);
            same += fabs(d[k]) == fabs(d[i]);
        }
        if (d[i] == 0)
            continue;
        rank[m] = below + (same + 1) / 2;
        positive += d[i] > 0 ? rank[m] : 0;
        all += rank[m++];
    }
    least = fmin(positive, all - positive);
    for (size_t signs = 0; signs < (size_t)1 << m; signs++, total++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        fewer += sum <= least;
    }
    return m ? fmin(1, 2 * (double)fewer / (double)total) : 1;
}

static void test_exact_with_ties(void **state)
{
    (void)state;
    gsl_rng *rng = hw_rng_new(7);
    for (int round = 0; round < 300; round++) {
        double d[10];
        size_t n = 1 + hw_rng_below(rng, 10);
        for (size_t i = 0; i < n; i++)
            d[i] = (double)hw_rng_below(rng, 9) - 3; /* many ties and zeros */
        if (round == 0)
            d[0] = INFINITY;
        hw_signed_rank r = rank_test(d, n, HW_SIGNED_RANK_EXACT);
        near(r.p, p_by_enumeration(d, n), 1e-12);
        assert_true(r.exact);
    }
    gsl_rng_free(rng);
    /* Both routes meet where both are good. */
    double d[50];
    for (size_t i = 0; i < 50; i++)
        d[i] = i % 3 ? (double)i : -(double)i;
    near(rank_test(d, 50, 50).p, rank_test(d, 50, 0).p, 2e-3);
    double none[3] = {0, 0, 0};
    near(rank_test(none, 3, 50).p, 1, 0);
    near(rank_test(none, 3, 0).p, 1, 0);
    near(rank_test(NULL, 0, 50).p, 1, 0);
}

static void test_holm(void **state)
{
    (void)state;
    hw_error err = {.code = HW_OK};
    double p[] = {0.5, 0.001, NAN, 0.05, 0.01, 0.9, 0.1};
    const double wanted[] = {1, 0.006, NAN, 0.2, 0.05, 1, 0.3}; /* [4] */
    assert_int_equal(hw_holm(p, 7, &err), HW_OK);
    for (size_t i = 0; i < 7; i++)
        if (i == 2)
            assert_true(isnan(p[i]));
        else
            near(p[i], wanted[i], 1e-12);
    double neuhaus[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0};
    assert_int_equal(hw_holm(neuhaus, 15, &err), HW_OK);
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(neuhaus[i] <= 0.05, i < 3);
    double later[] = {0.02, 0.021, 0.021}; /* 0.06, 0.042 and 0.021 must not fall */
    assert_int_equal(hw_holm(later, 3, &err), HW_OK);
    for (size_t i = 0; i < 3; i++)
        near(later[i], 0.06, 1e-12);
    assert_int_equal(hw_holm(NULL, 0, &err), HW_OK);
}

static void test_bootstrap(void **state)
{
    (void)state;
    static const double x[] = {10, 12, 12.5, 12.5, 13.9, 15,  21,  22,
                               23, 34, 50,   81,   89,   121, 134, 213};
    hw_error err = {.code = HW_OK};
    hw_interval one, two;
    assert_int_equal(hw_bootstrap_mean(x, 16, 400000, 1, &one, &err), HW_OK);
    near(one.mean, 863.9 / 16, 1e-12);
    near(one.low, 32.31, 0.005 * 32.31); /* [5], BCa */
    near(one.high, 91.43, 0.005 * 91.43);
    assert_int_equal(hw_bootstrap_mean(x, 16, 1000, 5, &one, &err), HW_OK);
    assert_int_equal(hw_bootstrap_mean(x, 16, 1000, 5, &two, &err), HW_OK);
    assert_memory_equal(&one, &two, sizeof one);
    const double same[] = {3, 3, 3};
    assert_int_equal(hw_bootstrap_mean(same, 3, 1000, 5, &one, &err), HW_OK);
    near(one.low, 3, 0);
    near(one.high, 3, 0);
    assert_int_equal(hw_bootstrap_mean(x, 16, 0, 5, &one, &err), HW_OK); /* the mean alone */
    near(one.mean, 863.9 / 16, 1e-12);
    assert_true(isnan(one.low) && isnan(one.high));
    assert_int_equal(hw_bootstrap_mean(same, 0, 1000, 5, &one, &err), HW_OK);
    assert_true(isnan(one.mean));
    /* Two values: the mean of draws is -1, 0 or 1, half of them 0. */
    const double two_values[] = {-1, 1};
    assert_int_equal(hw_bootstrap_mean(two_values, 2, 1000, 5, &one, &err), HW_OK);
    near(one.low, -1, 0);
    near(one.high, 1, 0);
}

/* How often the interval holds the true mean, 0, of a skewed law. */
static void test_bootstrap_coverage(void **state)
{
    (void)state;
    enum { ROUNDS = 400, N = 60 };
    gsl_rng *rng = hw_rng_new(11);
    hw_error err = {.code = HW_OK};
    unsigned held = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        double x[N];
        for (size_t i = 0; i < N; i++)
            x[i] = -log1p(-gsl_rng_uniform(rng)) - 1;
        hw_interval interval;
        assert_int_equal(hw_bootstrap_mean(x, N, 400, round, &interval, &err), HW_OK);
        held += interval.low <= 0 && interval.high >= 0;
    }
    gsl_rng_free(rng);
    near((double)held / ROUNDS, 0.95, 0.04);
}

static void test_power_law(void **state)
{
    (void)state;
    const double x[] = {1000, 10000, 100000, 1000000, 0, 7};
    double y[6];
    for (size_t i = 0; i < 4; i++)
        y[i] = 3e-7 * pow(x[i], 1.25);
    y[4] = 1;
    y[5] = -1; /* a failed run */
    hw_power_law law = hw_power_law_of(x, y, 6);
    assert_int_equal(law.n, 4);
    near(law.exponent, 1.25, 1e-12);
    near(law.factor, 3e-7, 1e-15);
    near(law.error, 0, 1e-10);
    /* By hand: log y over log x at (0,0), (1,1), (2,1) has slope 1/2 and
     * residuals -1/6, 1/3, -1/6, so the error is sqrt((1/6) / 2). */
    const double e = exp(1), u[] = {1, e, e * e}, v[] = {1, e, e};
    law = hw_power_law_of(u, v, 3);
    near(law.exponent, 0.5, 1e-12);
    near(law.error, sqrt(1.0 / 12), 1e-12);
    law = hw_power_law_of(u, v, 2);
    near(law.exponent, 1, 1e-12);
    assert_true(isnan(law.error));
    law = hw_power_law_of(u, v, 1);
    assert_true(isnan(law.exponent));
    const double flat[] = {2, 2, 2};
    assert_true(isnan(hw_power_law_of(flat, v, 3).exponent));
}

/* ---- Pairs of solvers. ---- */

static hw_record made(uint64_t index, const char *accounting, const char *solver, bool exact,
                      uint64_t peak)
{
    return (hw_record){.suite = "s",
                       .section = "all",
                       .family = "tree",
                       .params = "n=4",
                       .index = index,
                       .accounting = accounting,
                       .solver = solver,
                       .exact = exact,
                       .status = "feasible",
                       .checked_peak = {peak != UINT64_MAX, peak}};
}

static void test_pairs(void **state)
{
    (void)state;
    const hw_record r[] = {
        made(0, "alloc-first", "a", false, 100), made(0, "alloc-first", "b", false, 200),
        made(0, "alloc-first", "c", true, 100),  made(0, "free-first", "a", false, 7),
        made(0, "free-first", "b", false, 7),    made(1, "alloc-first", "a", false, 400),
        made(1, "alloc-first", "b", false, 200), made(2, "alloc-first", "a", false, 100),
        made(2, "alloc-first", "b", false, 400), made(3, "alloc-first", "a", false, 0),
        made(3, "alloc-first", "b", false, 5),   made(4, "alloc-first", "a", false, UINT64_MAX),
        made(4, "alloc-first", "b", false, 5),   made(2, "alloc-first", "a", false, 200),
    };
    enum { N = sizeof r / sizeof r[0] };
    const hw_field by[] = {HW_FIELD_ACCOUNTING};
    hw_pairs_options o = {.fields = by, .n_fields = 1, .resamples = 200, .seed = 1};
    hw_error err = {.code = HW_OK};
    hw_pair *pairs;
    size_t n;
    assert_int_equal(hw_pairs_make(r, N, &o, &pairs, &n, &err), HW_OK);
    assert_int_equal(n, 2); /* a and b under either accounting; c proves */
    assert_string_equal(pairs[0].solver, "a");
    assert_string_equal(pairs[0].against, "b");
    assert_int_equal(pairs[0].n, 4); /* not unit 4; the later run of a on unit 2 */
    assert_int_equal(pairs[0].better, 3);
    assert_int_equal(pairs[0].worse, 1);
    near(pairs[0].log_ratio.value, -log(2) / 3, 1e-12); /* without the unit of peak 0 */
    near(pairs[0].test.positive, 2, 0);                 /* three sizes tie below the infinite one */
    near(pairs[0].test.negative, 8, 0);
    near(pairs[0].test.p, 0.5, 1e-12); /* 4 of 16: {}, one of the three alone */
    near(pairs[0].p_holm, 1, 1e-12);
    assert_int_equal(pairs[1].n, 1);
    assert_int_equal(pairs[1].better + pairs[1].worse, 0);
    near(pairs[1].test.p, 1, 0);
    free(pairs);
    o.against = "c";
    assert_int_equal(hw_pairs_make(r, N, &o, &pairs, &n, &err), HW_OK);
    assert_int_equal(n, 4);
    assert_string_equal(pairs[1].solver, "b");
    assert_int_equal(pairs[1].worse, 1);
    near(pairs[1].log_ratio.low, log(2), 1e-12);
    assert_int_equal(pairs[2].n, 0);
    assert_true(isnan(pairs[2].p_holm));
    free(pairs);
    o.against = "d";
    assert_int_equal(hw_pairs_make(r, N, &o, &pairs, &n, &err), HW_USAGE);
    assert_null(pairs);
    o.against = NULL;
    assert_int_equal(hw_pairs_make(r, 0, &o, &pairs, &n, &err), HW_OK);
    assert_int_equal(n, 0);
    free(pairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_values),    cmocka_unit_test(test_normal_values),
        cmocka_unit_test(test_exact_with_ties), cmocka_unit_test(test_holm),
        cmocka_unit_test(test_bootstrap),       cmocka_unit_test(test_bootstrap_coverage),
        cmocka_unit_test(test_power_law),       cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
