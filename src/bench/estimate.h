/* What a sweep will take: from a sample that is run, or from earlier results. */
#ifndef HW_BENCH_ESTIMATE_H
#define HW_BENCH_ESTIMATE_H

#include "bench/bench.h"
#include "bench/results.h"

/* A section of the suite, as far as it is chosen. */
typedef struct hw_estimate_section {
    uint64_t instances, units, runs;
    uint64_t sampled;    /* units that were run, or stood in the results      */
    uint64_t unfinished; /* of these: cut off when the sampling ended        */
    double unit_seconds; /* mean of a worker's time for a unit; NaN: unknown */
    double seconds;      /* of all units                                     */
} hw_estimate_section;

typedef struct hw_estimate {
    hw_estimate_section *sections; /* as the suite has them */
    size_t n_sections;
    uint64_t units, runs;
    double seconds;        /* of workers, all sections; NaN: nothing is known */
    bool is_least;         /* of a section no unit has ended: it takes longer */
    uint64_t sampled;      /* units */
    double sample_seconds; /* that sampling took; 0: from results */
    double bytes;          /* of the results; NaN: unknown        */
} hw_estimate;

/*
 * Run units of the choice for `seconds`, at most, on `jobs` processors, each
 * section for an equal share of them, and write nothing.  *out is released by
 * hw_estimate_free().  HW_STOPPED by *stop; other errors as hw_bench_run().
 */
hw_code hw_estimate_by_sample(const hw_suite *suite, const hw_plan_choice *choice, unsigned jobs,
                              double seconds, const volatile sig_atomic_t *stop, hw_estimate *out,
                              hw_error *err);

/*
 * From results of this suite or of one with the same sections and families:
 * what solvers took there on a unit of the same parameters, else on one of the
 * section; checking orders and the like come on top.
 * O(results log sources).
 */
hw_code hw_estimate_by_results(const hw_suite *suite, const hw_plan_choice *choice,
                               const hw_results *results, uint64_t bytes, hw_estimate *out,
                               hw_error *err);

void hw_estimate_free(hw_estimate *e);

#endif
