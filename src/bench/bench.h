/*
 * The evaluator: a suite is run by processes, each result is a line.
 *
 * A worker process runs one unit (suite.h); its parent collects, judges and
 * writes.  Lines are written in the order of the plan, each by one write(2) to
 * a file opened for appending, so that the file is the same for any number of
 * jobs but for times and memory.  A worker that dies, or is killed after its
 * time, costs the run in which it was; the sweep goes on.
 */
#ifndef HW_BENCH_BENCH_H
#define HW_BENCH_BENCH_H

#include <signal.h>

#include "bench/suite.h"

typedef struct hw_bench_counts {
    uint64_t runs_total, runs_done; /* in the plan; with an outcome       */
    uint64_t runs_kept;             /* of these: stood in the file before */
    uint64_t crashed, timeouts, out_of_memory, wrong, failed, refused;
    uint64_t left_out;                            /* of these: the graph is too large for them */
    uint64_t conflicts;                           /* units whose runs contradict each other */
    double seconds;                               /* since the sweep began                  */
    char first_conflict[512], first_failure[512]; /* "" when there was none */
} hw_bench_counts;

typedef struct hw_bench_options {
    const char *output;                /* NULL or "-": standard output                       */
    bool resume;                       /* the file may exist: lines that it holds stay, their
                                          runs are left out, a torn last line is removed     */
    bool overwrite;                    /* the file may exist: it is emptied                  */
    unsigned jobs;                     /* processes at work, at least 1                      */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never    */

    /* Called several times a second and at the end; NULL: never. */
    void (*progress)(void *context, const hw_bench_counts *counts);
    void *progress_context;
} hw_bench_options;

/*
 * Run a suite.  HW_CHECK_FAILED: the sweep is complete, but two proofs
 * disagree, or an order beats a proven optimum or bound, or an instance could
 * not be made; *counts and the message tell the first.  HW_STOPPED: the units
 * that were finished are written.  HW_USAGE: the file exists.  HW_IO: it
 * cannot be read or written, no process can be started.  HW_BAD_INPUT: resume
 * from a file that holds other lines.  HW_NO_MEMORY.
 */
hw_code hw_bench_run(const hw_suite *suite, const hw_bench_options *options,
                     hw_bench_counts *counts, hw_error *err);

/* "gcc 12.2.0": the compiler of this program, a column of the results. */
const char *hw_compiler_name(void);

#endif
