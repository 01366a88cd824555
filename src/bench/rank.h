/*
 * Rank correlation: do large values of one figure go with large values of
 * another, whatever their scale?
 */
#ifndef HW_BENCH_RANK_H
#define HW_BENCH_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* A measure from -1 to 1; NaN where one of the figures never changes. */
typedef struct hw_correlation {
    double value;
    double low, high; /* the 95 % interval */
    double p;         /* two-sided, of no association */
} hw_correlation;

typedef struct hw_rank_correlation {
    size_t n;             /* pairs of which neither is NaN */
    hw_correlation rho;   /* Spearman 1904: of the ranks; ties share their mean rank   */
    hw_correlation tau_b; /* Kendall 1945: concordant less discordant, ties cared for */
} hw_rank_correlation;

/*
 * Both measures of n pairs x[i], y[i]; pairs with a NaN are left out.
 *
 * rho's p is that of Student's t with n - 2 degrees (NaN below 3 pairs); tau's
 * that of the normal law with the variance under ties (Kendall 1970, p. 55),
 * without correction for continuity.  The intervals are percentiles of
 * `resamples` draws of n pairs with replacement (Efron 1979) by a generator of
 * the seed; 0: none, NaN.  Draws in which a figure never changes are left out.
 * HW_NO_MEMORY.  O((1 + resamples) n log n).
 */
hw_code hw_rank_correlate(const double *x, const double *y, size_t n, size_t resamples,
                          uint64_t seed, hw_rank_correlation *out, hw_error *err);

/*
 * The chance that a score drawn from those with yes[i] exceeds one of the
 * others, ties counting half: the area under the ROC curve (Hanley and McNeil
 * 1982).  NaN without scores on both sides.  HW_NO_MEMORY.  O(n log n).
 */
hw_code hw_auc(const double *score, const unsigned char *yes, size_t n, double *auc, hw_error *err);

#endif
