/*
 * What proofs cost: share settled, times and states by groups of results; and
 * a table with a row a unit.
 */
#ifndef HW_BENCH_EFFORT_H
#define HW_BENCH_EFFORT_H

#include "bench/grid.h"
#include "bench/groups.h"

/*
 * A run is settled when it answers `optimal` or `infeasible` itself.  In the
 * medians a run that is not settled counts as endless; NaN: that many are not,
 * or nothing is known.  The greatest values are over the settled runs.
 */
typedef struct hw_effort {
    const hw_record *first; /* stands for the fields of the group */
    hw_share settled;       /* of all runs                        */
    double median_seconds, most_seconds;
    double median_states, most_states;
    double most_memory_bytes;  /* over all runs, the program itself included      */
    double worst_open_percent; /* gap of an unsettled run to its own bound; NaN: none */
} hw_effort;

/*
 * Group n records by fields, in the order in which groups appear first.
 * *efforts is freed by the caller.  O(n log n).  HW_NO_MEMORY.
 */
hw_code hw_efforts_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                        hw_effort **efforts, size_t *n_efforts, hw_error *err);

/* A row a group.  Write errors stay in the stream.  HW_NO_MEMORY. */
hw_code hw_efforts_write(const hw_effort *efforts, size_t n, const hw_field *fields,
                         size_t n_fields, hw_table_format format, FILE *out, hw_error *err);

/*
 * The same for people, the values of the last field side by side: in a cell
 * the share settled, the median time and in parentheses the longest.
 * n_fields >= 2.  HW_NO_MEMORY.
 */
hw_code hw_efforts_write_across(const hw_effort *efforts, size_t n, const hw_field *fields,
                                size_t n_fields, hw_table_format format, FILE *out, hw_error *err);

/*
 * A row a unit: the peak of every heuristic, and of every exact solver peak,
 * bound, gap between them in per cent, status, states and seconds.
 * HW_NO_MEMORY.  O(n log n + units x solvers).
 */
hw_code hw_units_write(const hw_record *records, size_t n, hw_table_format format, FILE *out,
                       hw_error *err);

#endif
