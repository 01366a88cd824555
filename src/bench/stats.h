/*
 * Statistics of sweeps: quantiles, and shares with exact intervals.
 *
 * Gaps are summed up by medians, quantiles and shares, over proven optima
 * alone; never by the mean of ratios.
 */
#ifndef HW_BENCH_STATS_H
#define HW_BENCH_STATS_H

#include <stddef.h>
#include <stdint.h>

/* k of n, and the 95 % interval of the share behind it, all from 0 to 1. */
typedef struct hw_share {
    uint64_t k, n;
    double share, low, high; /* NaN, 0 and 1 when n is 0 */
} hw_share;

/*
 * The Clopper-Pearson interval (Clopper and Pearson 1934): exact, by quantiles
 * of the beta distribution; 0 of n begins at 0, n of n ends at 1.
 */
hw_share hw_share_of(uint64_t k, uint64_t n);

/* Sort ascending, in place; O(n log n). */
void hw_sort_reals(double *values, size_t n);

/*
 * The quantile q (0 to 1) of n ascending values, between neighbours by
 * straight lines (type 7 of Hyndman and Fan 1996); infinite anywhere below an
 * infinite neighbour; NaN when n is 0.
 */
double hw_quantile(const double *sorted, size_t n, double q);

#endif
