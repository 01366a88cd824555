/*
 * Rank correlations, exact odds ratios and logistic regression against
 * published values and slow twins.
 *
 *   [1] Spearman's measure worked out in the encyclopedia Wikipedia, article
 *       "Spearman's rank correlation coefficient" (IQ and hours of television):
 *       rho = -29/165, p = 0.627188.
 *   [2] Documentation of scipy.stats.spearmanr: 0.8207826816681233,
 *       p = 0.08858700531354381; of scipy.stats.kendalltau:
 *       -0.47140452079103173, p = 0.2827454599327748.
 *   [3] Hollander and Wolfe 1973, p. 187 (tuna and Hunter L measure), as the
 *       example of cor.test in R: S = 16, tau = 4/9; by the normal law
 *       z = 16 / sqrt(92).
 *   [4] Fisher 1935 (tea) and Fisher 1962 (convictions), as the examples of
 *       fisher.test in R: p = 0.4857, ratio 6.408309, and p = 0.0005367, ratio
 *       0.04693661, interval 0.003325764 to 0.363182271.
 *   [5] Wikipedia, article "Logistic regression" (hours of study and passing):
 *       -4.0777 (1.7610), 1.5046 (0.6287), log likelihood -8.02988.
 *   [6] R, glm(am ~ wt, binomial, mtcars): 12.040 (4.510), -4.024 (1.436),
 *       null deviance 43.230, residual deviance 19.176.
 *   [7] Firth 1993: in a saturated model of a binary column the penalty adds
 *       one half to each cell.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "bench/logistic.h"
#include "bench/odds.h"
#include "bench/rank.h"
#include "core/rng.h"
#include "support_random.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.12g is not %.12g", value, wanted);
}

static hw_rank_correlation correlate(const double *x, const double *y, size_t n, size_t resamples)
{
    hw_rank_correlation c;
    assert_int_equal(hw_rank_correlate(x, y, n, resamples, 1, &c, NULL), HW_OK);
    return c;
}

/* ---- Rank correlation. ---- */

static void test_published_ranks(void **state)
{
    (void)state;
    const double iq[] = {106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
    const double tv[] = {7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
    hw_rank_correlation c = correlate(iq, tv, 10, 0);
    near(c.rho.value, -29 / 165.0, 1e-12); /* [1] */
    near(c.rho.p, 0.627188, 1e-6);
    assert_true(isnan(c.rho.low) && isnan(c.tau_b.high)); /* no draws, no interval */

    const double a[] = {1, 2, 3, 4, 5}, b[] = {5, 6, 7, 8, 7};
    c = correlate(a, b, 5, 0);
    near(c.rho.value, 0.8207826816681233, 1e-12); /* [2] */
    near(c.rho.p, 0.08858700531354381, 1e-12);
    const double d[] = {12, 2, 1, 12, 2}, e[] = {1, 4, 7, 1, 0};
    c = correlate(d, e, 5, 0);
    near(c.tau_b.value, -0.47140452079103173, 1e-12);
    near(c.tau_b.p, 0.2827454599327748, 1e-12);

    const double hunter[] = {44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1};
    const double panel[] = {2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8};
    c = correlate(hunter, panel, 9, 0);
    near(c.tau_b.value, 4 / 9.0, 1e-12); /* [3] */
    near(c.tau_b.p, erfc(16 / sqrt(92) / sqrt(2)), 1e-12);
}

static double rank_of(const double *v, size_t n, size_t i)
{
    double rank = 0.5;
    for (size_t k = 0; k < n; k++)
        rank += v[k] < v[i] ? 1 : v[k] == v[i] ? 0.5 : 0;
    return rank;
}

static int sign(double x)
{
    return (x > 0) - (x < 0);
}

/* Ranks and pairs by counting, for values with many ties. */
static void test_rank_twins(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 200; round++) {
        size_t n = 3 + random_below(&seed, 20);
        double x[23], y[23], xy = 0, xx = 0, yy = 0, s = 0, ux = 0, uy = 0;
        for (size_t i = 0; i < n; i++) {
            x[i] = random_below(&seed, 6);
            y[i] = x[i] * (round % 3 - 1) + random_below(&seed, 5);
        }
        for (size_t i = 0; i < n; i++) {
            double a = rank_of(x, n, i) - ((double)n + 1) / 2;
            double b = rank_of(y, n, i) - ((double)n + 1) / 2;
            xy += a * b;
            xx += a * a;
            yy += b * b;
            for (size_t k = 0; k < i; k++) {
                s += sign(x[i] - x[k]) * sign(y[i] - y[k]);
                ux += x[i] != x[k];
                uy += y[i] != y[k];
            }
        }
        hw_rank_correlation c = correlate(x, y, n, 0);
        if (xx == 0 || yy == 0) {
            assert_true(isnan(c.rho.value) && isnan(c.rho.p) && isnan(c.tau_b.value));
            continue;
        }
        near(c.rho.value, xy / sqrt(xx * yy), 1e-12);
        near(c.tau_b.value, s / sqrt(ux * uy), 1e-12);
    }
}

/* Of independent figures the interval is about 2 / sqrt(n) to either side, and holds the value. */
static void test_rank_intervals(void **state)
{
    (void)state;
    enum { N = 2000 };
    uint64_t seed = 9;
    static double x[N], y[N];
    for (size_t i = 0; i < N; i++) {
        x[i] = i == 7 ? (double)NAN : (double)random_below(&seed, 1000);
        y[i] = random_below(&seed, 40);
    }
    hw_rank_correlation c = correlate(x, y, N, 300), again = correlate(x, y, N, 300);
    assert_int_equal(c.n, N - 1);
    assert_true(c.rho.low < c.rho.value && c.rho.value < c.rho.high);
    assert_true(c.tau_b.low < c.tau_b.value && c.tau_b.value < c.tau_b.high);
    near((c.rho.high - c.rho.low) * sqrt(N), 2 * 1.96, 0.6);
    /* Kendall's has about two thirds of the deviation. */
    near((c.tau_b.high - c.tau_b.low) * sqrt(N), 2 * 1.96 * 2 / 3, 0.5);
    assert_true(c.rho.low == again.rho.low && c.tau_b.high == again.tau_b.high);

    for (size_t i = 0; i < N; i++)
        y[i] = 3 * x[i];
    c = correlate(x, y, N, 20);
    assert_true(c.rho.value == 1 && c.rho.p == 0);
    near(c.rho.low, 1, 1e-9);
    near(c.tau_b.low, 1, 1e-9);
    c = correlate(x, y, 0, 20);
    assert_true(c.n == 0 && isnan(c.rho.value));
}

static void test_auc(void **state)
{
    (void)state;
    const double score[] = {1, 2, 3, 4, 3};
    const unsigned char yes[] = {0, 1, 0, 1, 1}, all[] = {1, 1, 1, 1, 1};
    double auc;
    assert_int_equal(hw_auc(score, yes, 5, &auc, NULL), HW_OK);
    near(auc, (1 + 2 + 1.5) / 6, 1e-12);
    assert_int_equal(hw_auc(score, all, 5, &auc, NULL), HW_OK);
    assert_true(isnan(auc));
}

/* ---- Odds ratios. ---- */

static hw_odds odds(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    hw_odds o;
    assert_int_equal(hw_odds_of(a, b, c, d, &o, NULL), HW_OK);
    return o;
}

static void test_published_odds(void **state)
{
    (void)state;
    hw_odds o = odds(3, 1, 1, 3);
    near(o.p, 34 / 70.0, 1e-12);   /* [4] */
    near(o.ratio, 6.408309, 2e-5); /* R finds these to about 1e-4 */
    o = odds(2, 15, 10, 3);
    near(o.p, 0.0005367, 5e-8);
    near(o.ratio, 0.04693661, 1e-7);
    near(o.low, 0.003325764, 2e-5);
    near(o.high, 0.363182271, 2e-4);
}

static double choose(uint64_t n, uint64_t k)
{
    double c = 1;
    for (uint64_t i = 0; i < k; i++)
        c = c * (double)(n - i) / (double)(i + 1);
    return k > n ? 0 : c;
}

/* Chance of at least (or at most) `both` under an odds ratio, table by table. */
static double tail_of(const hw_odds *o, double ratio, bool least)
{
    uint64_t first = o->both + o->first_only, others = o->second_only + o->neither;
    uint64_t second = o->both + o->second_only;
    double sum = 0, part = 0;
    for (uint64_t x = 0; x <= first && x <= second; x++) {
        double chance = choose(first, x) * choose(others, second - x) * pow(ratio, (double)x);
        sum += chance;
        part += (least ? x >= o->both : x <= o->both) ? chance : 0;
    }
    return part / sum;
}

static void test_odds_by_definition(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < 300; i++) {
        uint64_t t[4];
        for (int k = 0; k < 4; k++)
            t[k] = random_below(&seed, 9);
        hw_odds o = odds(t[0], t[1], t[2], t[3]);
        if (o.low > 0)
            near(tail_of(&o, o.low, true), 0.025, 1e-9);
        if (isfinite(o.high))
            near(tail_of(&o, o.high, false), 0.025, 1e-9);
        if (!isnan(o.ratio))
            assert_true(o.low <= o.ratio && o.ratio <= o.high && o.p > 0 && o.p <= 1);
        assert_true(isnan(o.ratio) ==
                    (t[0] + t[1] == 0 || t[2] + t[3] == 0 || t[0] + t[2] == 0 || t[1] + t[3] == 0));
        assert_true((o.ratio == 0) == (!isnan(o.ratio) && (t[0] == 0 || t[3] == 0)));
    }
    hw_odds large = odds(3000, 100, 2000, 1900);
    near(large.ratio, 3000.0 * 1900 / (100.0 * 2000), 0.2);
    assert_true(large.low > 20 && large.high < 40 && large.p < 1e-100);
}

/* ---- Logistic regression. ---- */

static hw_logistic fit(const double *x, const unsigned char *yes, size_t n, size_t k)
{
    hw_logistic l;
    assert_int_equal(hw_logistic_fit(x, yes, n, k, &l, NULL), HW_OK);
    return l;
}

static void test_published_fits(void **state)
{
    (void)state;
    const double hours[] = {0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50,
                            2.75, 3.00, 3.25, 3.50, 4.00, 4.25, 4.50, 4.75, 5.00, 5.50};
    const unsigned char pass[] = {0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1};
    hw_logistic l = fit(hours, pass, 20, 1);
    assert_true(l.converged && !l.penalised);
    near(l.coefficient[0], -4.0777, 5e-5); /* [5] */
    near(l.coefficient[1], 1.5046, 5e-5);
    near(l.error[0], 1.7610, 5e-5);
    near(l.error[1], 0.6287, 5e-5);
    near(l.deviance, 2 * 8.02988, 1e-5);
    near(l.null_deviance, 40 * log(2), 1e-12);
    near(hw_logistic_r2(&l), 1 - 8.02988 / (20 * log(2)), 1e-6);
    near(hw_logistic_score(&l, &hours[15]), l.coefficient[0] + 4.25 * l.coefficient[1], 1e-12);
    hw_logistic_clear(&l);

    const double weight[] = {2.620, 2.875, 2.320, 3.215, 3.440, 3.460, 3.570, 3.190,
                             3.150, 3.440, 3.440, 4.070, 3.730, 3.780, 5.250, 5.424,
                             5.345, 2.200, 1.615, 1.835, 2.465, 3.520, 3.435, 3.840,
                             3.845, 1.935, 2.140, 1.513, 3.170, 2.770, 3.570, 2.780};
    const unsigned char manual[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                    0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1};
    l = fit(weight, manual, 32, 1);
    near(l.coefficient[0], 12.040, 5e-4); /* [6] */
    near(l.coefficient[1], -4.024, 5e-4);
    near(l.error[0], 4.510, 5e-4);
    near(l.error[1], 1.436, 1e-3); /* of the step before the last, in R */
    near(l.null_deviance, 43.230, 5e-4);
    near(l.deviance, 19.176, 5e-4);
    hw_logistic_clear(&l);
}

/* At a maximum of the likelihood each column's residuals add up to 0. */
static void test_fit_at_rest(void **state)
{
    (void)state;
    enum { N = 400, K = 4 };
    uint64_t seed = 11;
    static double x[N * K];
    static unsigned char yes[N];
    for (size_t i = 0; i < N; i++) {
        for (size_t c = 0; c < 2; c++)
            x[i * K + c] = random_below(&seed, 1000) / 250.0 - 2;
        x[i * K + 2] = 3 * x[i * K] - x[i * K + 1] + 7; /* nothing new */
        x[i * K + 3] = 5;                               /* never changes */
        double chance = 1 / (1 + exp(-(0.5 + x[i * K] - 2 * x[i * K + 1])));
        yes[i] = random_chance(&seed, chance);
    }
    hw_logistic l = fit(x, yes, N, K);
    assert_true(l.converged && !l.penalised);
    assert_true(isnan(l.coefficient[3]) && isnan(l.coefficient[4]) && isnan(l.error[4]));
    near(l.coefficient[1], 1, 3 * l.error[1]);
    near(l.coefficient[2], -2, 3 * l.error[2]);
    double sum[3] = {0};
    for (size_t i = 0; i < N; i++) {
        double residual = yes[i] - 1 / (1 + exp(-hw_logistic_score(&l, &x[i * K])));
        sum[0] += residual;
        sum[1] += residual * x[i * K];
        sum[2] += residual * x[i * K + 1];
    }
    for (int c = 0; c < 3; c++)
        near(sum[c], 0, 1e-6);
    hw_logistic_clear(&l);
}

/* Separated cases: Firth's estimates, which for one binary column are known. */
static void test_separation(void **state)
{
    (void)state;
    static const struct {
        size_t cell[2][2]; /* by column, by answer */
    } cases[] = {{{{7, 3}, {0, 5}}}, {{{4, 0}, {0, 6}}}, {{{0, 9}, {2, 1}}}};
    for (size_t t = 0; t < sizeof cases / sizeof cases[0]; t++) {
        double x[20];
        unsigned char yes[20];
        size_t n = 0;
        for (size_t column = 0; column < 2; column++)
            for (size_t answer = 0; answer < 2; answer++)
                for (size_t i = 0; i < cases[t].cell[column][answer]; i++) {
                    x[n] = (double)column;
                    yes[n++] = (unsigned char)answer;
                }
        hw_logistic l = fit(x, yes, n, 1);
        assert_true(l.penalised && l.converged);
        double odds0 = ((double)cases[t].cell[0][1] + 0.5) / ((double)cases[t].cell[0][0] + 0.5);
        double odds1 = ((double)cases[t].cell[1][1] + 0.5) / ((double)cases[t].cell[1][0] + 0.5);
        near(l.coefficient[0], log(odds0), 1e-6); /* [7] */
        near(l.coefficient[1], log(odds1 / odds0), 1e-6);
        hw_logistic_clear(&l);
    }
    /* As many parameters as cases: the score of each is y - q + 1/2 - q = 0. */
    enum { SATURATED = 4 };
    const double corner[SATURATED * (SATURATED - 1)] = {0, 0, 0, 1, 0.1, 0, 1, 1, 0.1, 0.2, 1, 1};
    const unsigned char answer[SATURATED] = {0, 1, 1, 0};
    hw_logistic s = fit(corner, answer, SATURATED, SATURATED - 1);
    assert_true(s.penalised && s.converged);
    for (size_t i = 0; i < SATURATED; i++)
        near(hw_logistic_score(&s, corner + i * (SATURATED - 1)), answer[i] ? log(3) : -log(3),
             1e-6);
    hw_logistic_clear(&s);
    /* A wide margin: the steps come to rest slowly. */
    const double far[] = {-1.2, -1.1, -1, -0.9, 0.9, 1, 1.1, 1.2, 1.3};
    const unsigned char side[] = {0, 0, 0, 0, 1, 1, 1, 1, 1};
    s = fit(far, side, sizeof side, 1);
    assert_true(s.penalised && s.converged);
    hw_logistic_clear(&s);
    /* One answer only: the intercept alone is without end, too. */
    const double x[] = {1, 2, 3};
    const unsigned char yes[] = {1, 1, 1};
    hw_logistic l = fit(x, yes, 3, 0);
    assert_true(l.penalised && l.converged);
    near(l.coefficient[0], log(3.5 / 0.5), 1e-6);
    assert_true(isnan(hw_logistic_r2(&l)));
    hw_logistic_clear(&l);
    l = fit(x, yes, 0, 1);
    assert_true(isnan(l.coefficient[0]) && !l.converged);
    hw_logistic_clear(&l);
}

static void test_standardise(void **state)
{
    (void)state;
    double x[] = {1, 7, 2, 7, 3, 7, 6, 7};
    hw_standardise(x, 4, 2, 0);
    hw_standardise(x, 4, 2, 1);
    double deviation = sqrt(14 / 3.0);
    near(x[0], -2 / deviation, 1e-12);
    near(x[6], 3 / deviation, 1e-12);
    assert_true(x[1] == 0 && x[7] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_ranks), cmocka_unit_test(test_rank_twins),
        cmocka_unit_test(test_rank_intervals),  cmocka_unit_test(test_auc),
        cmocka_unit_test(test_published_odds),  cmocka_unit_test(test_odds_by_definition),
        cmocka_unit_test(test_published_fits),  cmocka_unit_test(test_fit_at_rest),
        cmocka_unit_test(test_separation),      cmocka_unit_test(test_standardise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
