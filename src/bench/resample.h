/*
 * Bootstrap intervals of many figures under the same draws, with values that
 * belong together kept together.
 */
#ifndef HW_BENCH_RESAMPLE_H
#define HW_BENCH_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A figure and its 95 % interval; NaN: nothing is known of it. */
typedef struct hw_estimate {
    double value, low, high;
} hw_estimate;

/* Values of one figure, each of a cluster: what is drawn as a whole. */
typedef struct hw_sample {
    double *value; /* finite                           */
    size_t *cluster;
    size_t n;
} hw_sample;

/*
 * Mean and median of every sample with intervals over `resamples` draws, with
 * replacement, of n_clusters out of n_clusters (Davison and Hinkley 1997,
 * section 3.8: values of a cluster come and go together).  The draws are those
 * of a generator of the seed, the same for all samples, so that figures may be
 * compared.  A draw that leaves a sample empty does not count for it.
 *
 * Means: BCa, the acceleration by leaving out one cluster after the other.
 * Medians: percentiles (for BCa the jackknife of a median is no guide, Efron
 * 1982).  mean or median may be NULL.  HW_NO_MEMORY.
 * O(resamples * (n_clusters + all values)), medians n log n more.
 */
hw_code hw_bootstrap_samples(const hw_sample *samples, size_t n_samples, size_t n_clusters,
                             size_t resamples, uint64_t seed, hw_estimate *mean,
                             hw_estimate *median, hw_error *err);

/*
 * The BCa interval of an estimate (Efron 1987) that leaves `tail` out on either
 * side: draws are sorted in place; draws that equal the estimate count half in
 * the bias.  influence[i] is by how much unit i lifts the estimate, but for a
 * constant and a positive factor: the values of a mean, less the estimate with
 * unit i left out of any other figure.  n_draws >= 1.  O(n_draws log n_draws + n).
 */
void hw_bca(double *draws, size_t n_draws, double estimate, const double *influence, size_t n,
            double tail, double *low, double *high);

#endif
