/*
 * Traces: how runs got on, as `highwater solve --trace-out` writes them
 * (highwater-results(5), TRACES).
 */
#ifndef HW_BENCH_TRACE_H
#define HW_BENCH_TRACE_H

#include "bench/record.h"

/* One line; strings point into the trace. */
typedef struct hw_trace_line {
    const char *graph, *hash, *accounting, *solver;
    bool pinned;
    size_t run; /* number of the run, from 0 */
    uint64_t ticks;
    double seconds;
    hw_maybe_u64 best;
    uint64_t bound;
    const char *status; /* NULL but in the last line of a run */
} hw_trace_line;

typedef struct hw_trace {
    char **texts; /* of the files */
    size_t n_texts;
    hw_trace_line *lines;
    size_t n_lines, n_runs;
} hw_trace;

/*
 * Read files, one after the other; "-" is standard input.  A run ends with its
 * status, with its file, and where another graph or solver begins.  *out is
 * released by hw_trace_free().  HW_BAD_INPUT with file, line and cause; HW_IO,
 * HW_NO_MEMORY.  O(size of the files).
 */
hw_code hw_trace_load(const char *const *paths, size_t n_paths, hw_trace **out, hw_error *err);
void hw_trace_free(hw_trace *trace);

#endif
