/* Signed ranks, Holm's correction, bootstrap intervals.  See paired.h. */
#include "bench/paired.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "bench/resample.h"
#include "core/memory.h"
#include "core/rng.h"

/* ---- Signed ranks. ---- */

/* A difference by its size; the rank doubled, so that the mean of two is whole. */
typedef struct ranked {
    double size;
    bool positive;
    uint64_t twice_rank;
} ranked;

static int compare_sizes(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    return (a->size > b->size) - (a->size < b->size);
}

static void rank_all(ranked *r, size_t n)
{
    qsort(r, n, sizeof *r, compare_sizes);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && r[end].size == r[i].size;)
            end++;
        for (size_t k = i; k < end; k++)
            r[k].twice_rank = i + 1 + end; /* ranks i+1 .. end */
    }
}

/*
 * P(sum of the ranks with positive sign <= twice_sum / 2) when every sign is a
 * fair coin: the sums are built up rank by rank.
 */
static bool exact_tail(const ranked *r, size_t n, uint64_t twice_sum, double *tail)
{
    double *chance = HW_NEW0(double, twice_sum + 1);
    if (!chance)
        return false;
    chance[0] = 1;
    for (size_t i = 0; i < n; i++)
        for (uint64_t s = twice_sum + 1; s-- > 0;) {
            double with = s >= r[i].twice_rank ? chance[s - r[i].twice_rank] : 0;
            chance[s] = (chance[s] + with) / 2;
        }
    *tail = 0;
    for (uint64_t s = 0; s <= twice_sum; s++)
        *tail += chance[s];
    free(chance);
    return true;
}

static double normal_tail(const ranked *r, size_t n, double sum)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) {
        double rank = (double)r[i].twice_rank / 2;
        mean += rank / 2;
        variance += rank * rank / 4;
    }
    return gsl_cdf_ugaussian_P((sum - mean) / sqrt(variance));
}

hw_code hw_signed_rank_test(const double *differences, size_t n, size_t most_exact,
                            hw_signed_rank *out, hw_error *err)
{
    *out = (hw_signed_rank){.n = n, .p = 1, .exact = true};
    ranked *r = HW_NEW(ranked, n);
    if (!r)
        return hw_fail_memory(err, "a signed rank test");
    for (size_t i = 0; i < n; i++)
        r[i] = (ranked){.size = fabs(differences[i]), .positive = differences[i] > 0};
    rank_all(r, n);
    uint64_t twice[2] = {0, 0}; /* sums by sign */
    while (out->zeros < n && r[out->zeros].size == 0)
        out->zeros++;
    for (size_t i = out->zeros; i < n; i++)
        twice[r[i].positive] += r[i].twice_rank;
    out->negative = (double)twice[0] / 2;
    out->positive = (double)twice[1] / 2;
    const ranked *signs = r + out->zeros;
    size_t n_signs = n - out->zeros;
    uint64_t least = twice[0] < twice[1] ? twice[0] : twice[1];
    bool fine = true;
    double tail = 0.5;
    out->exact = n_signs <= most_exact;
    if (n_signs > 0 && out->exact)
        fine = exact_tail(signs, n_signs, least, &tail);
    else if (n_signs > 0)
        tail = normal_tail(signs, n_signs, (double)least / 2);
    out->p = fmin(1, 2 * tail);
    free(r);
    return fine ? HW_OK : hw_fail_memory(err, "a signed rank test");
}

/* ---- Effect sizes. ---- */

double hw_rank_biserial(const hw_signed_rank *test)
{
    double all = test->positive + test->negative;
    return all > 0 ? (test->positive - test->negative) / all : 0;
}

double hw_a12(const double *a, size_t n, const double *b, size_t m)
{
    double wins = 0;
    size_t below = 0, up_to = 0; /* of b: less than a[i], and at most a[i] */
    for (size_t i = 0; i < n; i++) {
        while (below < m && b[below] < a[i])
            below++;
        while (up_to < m && b[up_to] <= a[i])
            up_to++;
        wins += (double)below + (double)(up_to - below) / 2;
    }
    return n && m ? wins / ((double)n * (double)m) : NAN;
}

/* ---- Holm. ---- */

static int compare_targets(const void *x, const void *y)
{
    double a = **(double *const *)x, b = **(double *const *)y;
    return (a > b) - (a < b);
}

hw_code hw_holm(double *p, size_t n, hw_error *err)
{
    double **sorted = HW_NEW(double *, n);
    size_t m = 0;
    if (!sorted)
        return hw_fail_memory(err, "a correction for many tests");
    for (size_t i = 0; i < n; i++)
        if (!isnan(p[i]))
            sorted[m++] = &p[i];
    if (m)
        qsort((void *)sorted, m, sizeof(void *), compare_targets);
    double least = 0; /* no test may come out surer than one with a smaller p */
    for (size_t i = 0; i < m; i++) {
        least = fmax(least, fmin(1, (double)(m - i) * *sorted[i]));
        *sorted[i] = least;
    }
    free((void *)sorted);
    return HW_OK;
}

/* ---- Bootstrap. ---- */

hw_code hw_bootstrap_mean(const double *values, size_t n, size_t resamples, uint64_t seed,
                          hw_interval *out, hw_error *err)
{
    *out = (hw_interval){NAN, NAN, NAN};
    if (n == 0)
        return HW_OK;
    bool differ = false;
    for (size_t i = 1; i < n; i++)
        differ |= values[i] != values[0];
    if (!differ) {
        *out = (hw_interval){values[0], values[0], values[0]};
        return HW_OK;
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    out->mean = sum / (double)n;
    if (resamples == 0)
        return HW_OK;
    double *draws = HW_NEW(double, resamples);
    gsl_rng *rng = hw_rng_new(seed);
    if (!draws || !rng) {
        free(draws);
        if (rng)
            gsl_rng_free(rng);
        return hw_fail_memory(err, "a bootstrap");
    }
    for (size_t b = 0; b < resamples; b++) {
        double drawn = 0;
        for (size_t i = 0; i < n; i++)
            drawn += values[hw_rng_below(rng, n)];
        draws[b] = drawn / (double)n;
    }
    hw_bca(draws, resamples, out->mean, values, n, 0.025, &out->low, &out->high);
    gsl_rng_free(rng);
    free(draws);
    return HW_OK;
}
