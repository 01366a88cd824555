/* Quantiles and exact intervals, by GSL.  See stats.h. */
#include "bench/stats.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const double tail = 0.025; /* of 95 %, on either side */
enum { HALVINGS = 64 };           /* of an interval, down to the last bit */

/*
 * The chance of at least k successes in n trials of chance p, for p < k / n:
 * there the terms fall from k on, and those behind the last digit are left out.
 * GSL's own inverse of the beta law gives NaN or does not end for tens of
 * thousands of trials.
 */
static double at_least(uint64_t k, uint64_t n, double p)
{
    double sum = 0,
           term = exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
                      (double)k * log(p) + (double)(n - k) * log1p(-p));
    for (uint64_t i = k; i <= n && term > sum * 1e-17; i++) {
        sum += term;
        term *= (double)(n - i) / (double)(i + 1) * (p / (1 - p));
    }
    return sum;
}

/* The chance at which k successes or more of n are as rare as the tail; k > 0. */
static double least_chance(uint64_t k, uint64_t n)
{
    if (k == n)
        return pow(tail, 1 / (double)n);
    double low = 0, high = (double)k / (double)n;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || at_least(k, n, middle) < tail)
            low = middle;
        else
            high = middle;
    }
    return low;
}

hw_share hw_share_of(uint64_t k, uint64_t n)
{
    hw_share s = {.k = k, .n = n, .share = NAN, .low = 0, .high = 1};
    if (n == 0)
        return s;
    s.share = (double)k / (double)n;
    if (k > 0)
        s.low = least_chance(k, n);
    if (k < n)
        s.high = 1 - least_chance(n - k, n);
    return s;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void hw_sort_reals(double *values, size_t n)
{
    if (n)
        qsort(values, n, sizeof *values, compare);
}

double hw_quantile(const double *sorted, size_t n, double q)
{
    if (n == 0)
        return NAN;
    double place = q * (double)(n - 1);
    size_t below = (size_t)place;
    if ((double)below >= place || below + 1 >= n)
        return sorted[below];
    if (isinf(sorted[below + 1])) /* the straight line would be 0 times infinity, or worse */
        return sorted[below + 1];
    return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}
