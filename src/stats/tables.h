/*
 * What is computed of results, each as figures by solver and stratum.
 *
 * All take strata, whose records must outlive the figures, and fill *f, to be
 * released by hw_figures_free().  HW_NO_MEMORY; HW_USAGE where said.
 */
#ifndef HW_STATS_TABLES_H
#define HW_STATS_TABLES_H

#include <signal.h>

#include "stats/figures.h"
#include "stats/strata.h"

typedef struct hw_stats_options {
    size_t resamples; /* of the bootstrap over instances                             */
    uint64_t seed;
    const char *against;               /* tests: every solver against this one; NULL: all pairs   */
    double shift_seconds;              /* of the shifted geometric mean; > 0                      */
    const volatile sig_atomic_t *stop; /* not 0: give up (HW_STOPPED); NULL: never */
} hw_stats_options;

enum { HW_STATS_RESAMPLES = 1000 };

/*
 * Gaps to proven optima: shares with Clopper-Pearson intervals, quantiles, mean
 * and median with bootstrap intervals over instances (resample.h).  An infinite
 * gap, above an optimum of 0, counts in shares and quantiles, not in the means.
 * O(n log n + resamples * n).
 */
hw_code hw_stats_gaps(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err);

/*
 * Solvers two by two on the units for which both have an order (pairs.h):
 * Wilcoxon's test with Holm's correction over all rows, and how large the
 * difference is: the mean ratio of peaks; the matched-pairs rank-biserial
 * correlation, which belongs to the test (paired.h); and A of Vargha and
 * Delaney on gaps to proven optima, a chance that needs no scale (Cliff's delta
 * is 2 A - 1, the same in other words).  HW_USAGE as of hw_pairs_make().
 */
hw_code hw_stats_tests(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err);

/*
 * Seconds: median with an unsolved run as endless, PAR2, shifted geometric
 * mean; and among the solvers that prove the virtual best, which takes of each
 * unit the fastest.  Where none has its proof, none is the fastest.
 *
 * The limit of a run is its time limit; where it has none (limits of states
 * alone) the longest time that any run of the stratum took.  PAR2 is the mean
 * of times with an unsolved run as twice its limit; the geometric mean takes it
 * as its limit: exp(mean log(t + shift)) - shift.  Refused runs do not count.
 * O(n log n).
 */
hw_code hw_stats_times(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err);

/*
 * What a portfolio of the solvers that do not prove would be worth, over the
 * units with a proven optimum other than 0 for which one of them has an order:
 * the virtual best takes the best order of each unit, the single best is the
 * solver with the most orders and then the smallest mean gap; how often a
 * solver has the best order, and alone; its marginal contribution: the mean gap
 * of the virtual best without it, less that with it, over the units for which
 * another has an order.  O(n).
 */
hw_code hw_stats_best(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err);

/*
 * Growth of time and states with the number of nodes n: of the medians at each
 * n, where an unsolved run counts as endless, the least squares fits of n^a and
 * of 2^(c n) on log axes (fit.h).  O(n log n).
 */
hw_code hw_stats_growth(const hw_strata *s, const hw_stats_options *o, hw_figures *f,
                        hw_error *err);

/*
 * Orders, down-sets and width (structure.h) of generated graphs, by stratum and
 * number of nodes: of each at most forty, evenly among them, made anew
 * (remake.h).  A quantile that falls among graphs with too many down-sets to
 * count is unknown; behind a size where the median is, orders and down-sets are
 * not counted.  Rows have no solver.  A second for each stratum at most.
 */
hw_code hw_stats_counts(const hw_strata *s, const hw_stats_options *o, hw_figures *f,
                        hw_error *err);

#endif
