/*
 * What is computed of results, each as figures by solver and stratum.
 *
 * All take strata, whose records must outlive the figures, and fill *f, to be
 * released by hw_figures_free().  HW_NO_MEMORY; HW_USAGE where said.
 */
#ifndef HW_STATS_TABLES_H
#define HW_STATS_TABLES_H

#include "stats/figures.h"
#include "stats/strata.h"

typedef struct hw_stats_options {
    size_t resamples; /* of the bootstrap over instances                             */
    uint64_t seed;
    const char *against;  /* pairs: every solver against this one; NULL: all pairs   */
    double shift_seconds; /* of the shifted geometric mean                           */
} hw_stats_options;

enum { HW_STATS_RESAMPLES = 1000 };

/*
 * Gaps to proven optima: shares with Clopper-Pearson intervals, quantiles, mean
 * and median with bootstrap intervals over instances (resample.h).  An infinite
 * gap, above an optimum of 0, counts in shares and quantiles, not in the means.
 * O(n log n + resamples * n).
 */
hw_code hw_stats_gaps(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err);

#endif
