/* Quantiles and exact intervals, by GSL.  See stats.h. */
#include "bench/stats.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static const double tail = 0.025; /* of 95 %, on either side */

hw_share hw_share_of(uint64_t k, uint64_t n)
{
    hw_share s = {.k = k, .n = n, .share = NAN, .low = 0, .high = 1};
    if (n == 0)
        return s;
    double successes = (double)k, failures = (double)(n - k);
    s.share = successes / (double)n;
    if (k > 0)
        s.low = gsl_cdf_beta_Pinv(tail, successes, failures + 1);
    if (k < n)
        s.high = gsl_cdf_beta_Qinv(tail, successes + 1, failures);
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
    return gsl_stats_quantile_from_sorted_data(sorted, 1, n, q);
}
