/*
 * Bootstrap intervals and effect sizes against published values.
 *
 *   [1] Efron and Tibshirani 1993, "An Introduction to the Bootstrap", spatial
 *       test data A (table 14.1) and the variance: acceleration 0.061, and the
 *       90 % BCa interval from 115.8 to 259.6 (table 14.2, 2,000 draws).
 *   [2] Efron's law school data (Efron 1987; [1], table 3.1): the correlation of
 *       15 schools is 0.776.
 *   [3] Kerby 2014, r = f - u, on the ten pairs that Lowry's textbook and many
 *       after it use: ranks of 27 against 18, r = 0.2.
 *   [4] Hogarty and Kromrey 1999, as in the manual of R's effsize, cliff.delta:
 *       delta -0.25, so A = 0.375.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/paired.h"
#include "bench/resample.h"
#include "core/rng.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/* ---- BCa of any figure. ---- */

typedef double (*figure)(const size_t *pick, size_t n);

static const double spatial[] = {48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6,
                                 0,  33, 28, 34, 4,  32, 24, 47, 41, 24, 26, 30, 41};

static double variance(const size_t *pick, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += spatial[pick[i]];
    for (size_t i = 0; i < n; i++)
        squares += pow(spatial[pick[i]] - sum / (double)n, 2);
    return squares / (double)n;
}

static double correlation(const size_t *pick, size_t n)
{
    static const double lsat[] = {576, 635, 558, 578, 666, 580, 555, 661,
                                  651, 605, 653, 575, 545, 572, 594};
    static const double gpa[] = {3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43,
                                 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96};
    double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < n; i++) {
        x += lsat[pick[i]] / (double)n;
        y += gpa[pick[i]] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double a = lsat[pick[i]] - x, b = gpa[pick[i]] - y;
        xx += a * a;
        yy += b * b;
        xy += a * b;
    }
    return xy / sqrt(xx * yy);
}

static void bca(figure of, size_t n, double tail, double *low, double *high)
{
    enum { DRAWS = 100000, MOST = 32 };
    static double draws[DRAWS];
    double influence[MOST];
    size_t pick[MOST];
    gsl_rng *rng = hw_rng_new(3);
    for (size_t b = 0; b < DRAWS; b++) {
        for (size_t i = 0; i < n; i++)
            pick[i] = hw_rng_below(rng, n);
        draws[b] = of(pick, n);
    }
    gsl_rng_free(rng);
    for (size_t left = 0; left < n; left++) {
        size_t m = 0;
        for (size_t i = 0; i < n; i++)
            if (i != left)
                pick[m++] = i;
        influence[left] = -of(pick, m);
    }
    for (size_t i = 0; i < n; i++)
        pick[i] = i;
    hw_bca(draws, DRAWS, of(pick, n), influence, n, tail, low, high);
}

static void test_bca(void **state)
{
    (void)state;
    double low, high;
    size_t all[26];
    for (size_t i = 0; i < 26; i++)
        all[i] = i;
    near(variance(all, 26), 171.5, 0.05);
    bca(variance, 26, 0.05, &low, &high);
    near(low, 115.8, 0.02 * 115.8); /* [1] */
    near(high, 259.6, 0.02 * 259.6);
    near(correlation(all, 15), 0.776, 0.0005); /* [2] */
    bca(correlation, 15, 0.025, &low, &high);
    /* The law is skewed to the left: BCa reaches further down than up. */
    assert_true(0.776 - low > 2 * (high - 0.776));
    near(low, 0.32, 0.02); /* recomputed by a program of its own */
    near(high, 0.940, 0.01);
}

/* ---- Samples of clusters. ---- */

static void test_one_value_a_cluster(void **state)
{
    (void)state;
    double x[] = {10, 12, 12.5, 12.5, 13.9, 15, 21, 22, 23, 34, 50, 81, 89, 121, 134, 213};
    size_t cluster[16];
    for (size_t i = 0; i < 16; i++)
        cluster[i] = i;
    const hw_sample sample = {x, cluster, 16};
    hw_error err = {.code = HW_OK};
    hw_estimate mean, median;
    hw_interval same;
    assert_int_equal(hw_bootstrap_samples(&sample, 1, 16, 4000, 9, &mean, &median, &err), HW_OK);
    assert_int_equal(hw_bootstrap_mean(x, 16, 4000, 9, &same, &err), HW_OK);
    near(mean.value, same.mean, 1e-12); /* the same draws, another route */
    near(mean.low, same.low, 1e-9);
    near(mean.high, same.high, 1e-9);
    near(median.value, 22.5, 0);
    /* Order statistics 4 and 13 hold the median with 97.9 %, 5 and 12 with 92.3 %. */
    assert_true(median.low >= 12.5 && median.low <= 15);
    assert_true(median.high >= 81 && median.high <= 121);
}

/* Twice each value, as under two accountings: no more is known than before. */
static void test_copies_add_nothing(void **state)
{
    (void)state;
    double x[30], twice[60];
    size_t one[30], two[60], apart[60];
    for (size_t i = 0; i < 30; i++) {
        x[i] = (double)(i * i % 17);
        one[i] = i;
        twice[2 * i] = twice[2 * i + 1] = x[i];
        two[2 * i] = two[2 * i + 1] = i;
        apart[2 * i] = 2 * i;
        apart[2 * i + 1] = 2 * i + 1;
    }
    const hw_sample samples[] = {{x, one, 30}, {twice, two, 60}};
    const hw_sample wrong = {twice, apart, 60};
    hw_error err = {.code = HW_OK};
    hw_estimate mean[2], median[2], narrow;
    assert_int_equal(hw_bootstrap_samples(samples, 2, 30, 1000, 4, mean, median, &err), HW_OK);
    near(mean[1].value, mean[0].value, 1e-12);
    near(mean[1].low, mean[0].low, 1e-9);
    near(mean[1].high, mean[0].high, 1e-9);
    near(median[1].value, median[0].value, 0);
    near(median[1].low, median[0].low, 0);
    near(median[1].high, median[0].high, 0);
    assert_int_equal(hw_bootstrap_samples(&wrong, 1, 60, 1000, 4, &narrow, NULL, &err), HW_OK);
    double ratio = (narrow.high - narrow.low) / (mean[0].high - mean[0].low);
    near(ratio, sqrt(0.5), 0.06);
}

static void test_medians_under_draws(void **state)
{
    (void)state;
    /* 500 values over several chunks: the interval of a median against the law
     * of order statistics, 250 -+ 1.96 sqrt(500) / 2. */
    double x[500];
    size_t cluster[500];
    for (size_t i = 0; i < 500; i++) {
        x[i] = (double)(i * 263 % 500);
        cluster[i] = i;
    }
    const hw_sample sample = {x, cluster, 500};
    hw_error err = {.code = HW_OK};
    hw_estimate median;
    assert_int_equal(hw_bootstrap_samples(&sample, 1, 500, 4000, 1, NULL, &median, &err), HW_OK);
    near(median.value, 249.5, 0);
    near(median.low, 250 - 21.9, 2.5);
    near(median.high, 250 + 21.9, 2.5);
    /* One cluster: every draw holds both values, and their middle. */
    double two[] = {10, 0};
    size_t one[] = {0, 0};
    const hw_sample pair = {two, one, 2};
    assert_int_equal(hw_bootstrap_samples(&pair, 1, 1, 50, 1, NULL, &median, &err), HW_OK);
    near(median.value, 5, 0);
    near(median.low, 5, 0);
    near(median.high, 5, 0);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    double x[] = {3, 3, 3};
    size_t cluster[] = {0, 1, 1};
    const hw_sample samples[] = {{x, cluster, 0}, {x, cluster, 3}, {x, cluster, 1}};
    hw_error err = {.code = HW_OK};
    hw_estimate mean[3], median[3];
    assert_int_equal(hw_bootstrap_samples(samples, 3, 2, 100, 1, mean, median, &err), HW_OK);
    assert_true(isnan(mean[0].value) && isnan(median[0].low));
    near(mean[1].low, 3, 0);
    near(mean[1].high, 3, 0);
    near(mean[2].value, 3, 0); /* in a quarter of the draws it has no value at all */
    near(median[2].high, 3, 0);
    assert_int_equal(hw_bootstrap_samples(samples, 3, 2, 0, 1, mean, median, &err), HW_OK);
    near(mean[1].value, 3, 0);
    assert_true(isnan(mean[1].low) && isnan(median[1].high));
    assert_int_equal(hw_bootstrap_samples(samples, 1, 0, 100, 1, mean, NULL, &err), HW_OK);
    assert_true(isnan(mean[0].value));
}

/* ---- Effect sizes. ---- */

static void test_rank_biserial(void **state)
{
    (void)state;
    const double d[] = {15, -7, 5, 20, -9, 17, -12, 5, -10};
    hw_error err = {.code = HW_OK};
    hw_signed_rank r;
    assert_int_equal(hw_signed_rank_test(d, 9, HW_SIGNED_RANK_EXACT, &r, &err), HW_OK);
    near(r.positive, 27, 0); /* [3] */
    near(r.negative, 18, 0);
    near(hw_rank_biserial(&r), 0.2, 1e-12);
    const double all[] = {1, 2, 0};
    assert_int_equal(hw_signed_rank_test(all, 3, HW_SIGNED_RANK_EXACT, &r, &err), HW_OK);
    near(hw_rank_biserial(&r), 1, 0);
    assert_int_equal(hw_signed_rank_test(all + 2, 1, HW_SIGNED_RANK_EXACT, &r, &err), HW_OK);
    near(hw_rank_biserial(&r), 0, 0);
}

static void test_a12(void **state)
{
    (void)state;
    const double treatment[] = {10, 10, 20, 20, 20, 30, 30, 30, 40, 50};
    const double control[] = {10, 20, 30, 40, 40, 50};
    near(hw_a12(treatment, 10, control, 6), 0.375, 1e-12); /* [4] */
    near(hw_a12(control, 6, treatment, 10), 0.625, 1e-12);
    const double endless[] = {1, INFINITY};
    near(hw_a12(endless, 2, endless, 2), 0.5, 0);
    assert_true(isnan(hw_a12(endless, 0, endless, 2)));
    assert_true(isnan(hw_a12(endless, 2, endless, 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bca),
        cmocka_unit_test(test_one_value_a_cluster),
        cmocka_unit_test(test_copies_add_nothing),
        cmocka_unit_test(test_medians_under_draws),
        cmocka_unit_test(test_nothing_to_draw),
        cmocka_unit_test(test_rank_biserial),
        cmocka_unit_test(test_a12),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
