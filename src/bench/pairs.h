/*
 * Solvers compared pair by pair on the units for which both have an order.
 */
#ifndef HW_BENCH_PAIRS_H
#define HW_BENCH_PAIRS_H

#include <signal.h>

#include "bench/grid.h"
#include "bench/groups.h"
#include "bench/paired.h"
#include "bench/resample.h"

typedef struct hw_pair {
    const hw_record *unit; /* stands for the fields of the group    */
    const char *solver, *against;
    size_t n, better, worse; /* units; with the smaller and the greater peak */

    /*
     * Mean of log(peak of solver / peak of against).  A unit in which one of
     * the two is 0, and the other not, has no finite ratio: it is left out
     * here, not in the test.
     */
    hw_estimate log_ratio;
    hw_signed_rank test; /* of the same logarithms: negative ranks are the better ones */
    double p_holm;       /* over all pairs made together; NaN: no unit */

    /*
     * A of Vargha and Delaney: the chance that a run of the solver has a
     * greater gap to the proven optimum than a run of the other, on graphs
     * drawn apart; over the proven units of both.  NaN: there are none.
     */
    double a12;
    size_t n_gaps; /* the units of `n` whose optimum is proven */
} hw_pair;

typedef struct hw_pairs_options {
    const hw_field *fields; /* pairs are made in each group of units apart */
    size_t n_fields;        /* never HW_FIELD_SOLVER                       */
    const char *against;    /* every solver against this one; NULL: against each
                               other, those that prove optima left out     */
    size_t resamples;       /* of the bootstrap over instances (numbering.h): of
                               one under two accountings both are drawn    */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* not 0: give up; NULL: never */
} hw_pairs_options;

/*
 * The pairs of n records, group by group in the order of appearance; *pairs is
 * freed by the caller.  Of two runs of a solver on a unit the later counts.
 * HW_USAGE: no run of `against`, or more than HW_PAIRS_SOLVERS solvers.
 * HW_NO_MEMORY; HW_STOPPED.  O(n + pairs x (units log units + units x resamples)).
 */
enum { HW_PAIRS_SOLVERS = 64, HW_PAIRS_RESAMPLES = 1000 };
hw_code hw_pairs_make(const hw_record *records, size_t n, const hw_pairs_options *options,
                      hw_pair **pairs, size_t *n_pairs, hw_error *err);

/* A row a pair.  Write errors stay in the stream.  HW_NO_MEMORY. */
hw_code hw_pairs_write(const hw_pair *pairs, size_t n, const hw_field *fields, size_t n_fields,
                       hw_table_format format, FILE *out, hw_error *err);

#endif
