/*
 * Paired comparisons: is one solver better than another on the same graphs,
 * by how much, and how sure is that when many pairs are looked at?
 */
#ifndef HW_BENCH_PAIRED_H
#define HW_BENCH_PAIRED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/*
 * Wilcoxon's signed rank test that differences are symmetric about 0
 * (Wilcoxon 1945).  Zero differences are ranked with the others and their
 * ranks then left out (Pratt 1959): dropping them first can turn the verdict
 * when a difference is added.  Equal sizes share the mean of their ranks.
 */
typedef struct hw_signed_rank {
    size_t n, zeros;
    double positive, negative; /* sums of the ranks of either sign    */
    double p;                  /* two-sided; 1 when all differences are 0 */
    bool exact;                /* from the exact distribution         */
} hw_signed_rank;

/* With so many non-zero differences at most the distribution is computed. */
enum { HW_SIGNED_RANK_EXACT = 50 };

/*
 * `differences` may be infinite, not NaN.  With at most `most_exact` non-zero
 * ones p is exact: the distribution over all signs of the very ranks at hand,
 * ties and zeros included; otherwise it is that of the normal law with the
 * variance of these ranks (which holds the corrections for ties and zeros),
 * without correction for continuity.  HW_NO_MEMORY.
 * O(n log n), exact O(most_exact^2 n) more at worst.
 */
hw_code hw_signed_rank_test(const double *differences, size_t n, size_t most_exact,
                            hw_signed_rank *out, hw_error *err);

/*
 * Step-down correction for n tests at once (Holm 1979): p[i] becomes the least
 * level of the whole family at which test i is rejected.  NaN: no test, stays
 * and does not count.  HW_NO_MEMORY.  O(n log n).
 */
hw_code hw_holm(double *p, size_t n, hw_error *err);

/*
 * The matched-pairs rank-biserial correlation (Kerby 2014), from -1 to 1: the
 * share of the ranks that speak for a greater first value less the share that
 * speaks against, among the differences that are not 0.  0 when all are.
 */
double hw_rank_biserial(const hw_signed_rank *test);

/*
 * The chance that a value drawn from a is greater than one drawn from b, ties
 * counting half: A of Vargha and Delaney (2000).  Both ascending, infinity
 * allowed; NaN when either has none.  O(n + m).
 */
double hw_a12(const double *a, size_t n, const double *b, size_t m);

/* A mean and the 95 % interval around it. */
typedef struct hw_interval {
    double mean, low, high; /* NaN when n is 0; low and high also without draws */
} hw_interval;

/*
 * The BCa bootstrap interval of a mean (bias-corrected and accelerated, Efron
 * 1987): `resamples` draws of n values with replacement by a generator of the
 * seed; values that equal the mean of all count half in the bias.  One value,
 * or none that differs, gives an interval of length 0.  HW_NO_MEMORY.
 * O(resamples * n).
 */
hw_code hw_bootstrap_mean(const double *values, size_t n, size_t resamples, uint64_t seed,
                          hw_interval *out, hw_error *err);

#endif
