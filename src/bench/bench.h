/*
 * The evaluator: a suite is run by processes, each result is a line.
 *
 * Worker processes run units (suite.h); their parent collects, judges and
 * writes.  Units are taken in an order drawn by the campaign seed, and so are
 * the solvers of a unit (plan.h).  Lines are written in the order of the
 * units, those of a unit by one write(2) to a file opened for appending, so
 * that the file is the same for any number of jobs but for times and memory.
 * In the end, when nothing is missing, its lines are put into the order of the
 * plan.
 * A worker that dies, or is killed after its time, costs the run in which it
 * was; the sweep goes on.
 */
#ifndef HW_BENCH_BENCH_H
#define HW_BENCH_BENCH_H

#include <signal.h>

#include "bench/plan.h"

typedef struct hw_bench_counts {
    uint64_t runs_total, runs_done; /* of those chosen; with an outcome   */
    uint64_t runs_kept;             /* of these: stood in the file before */
    uint64_t lines_dropped;         /* broken ones, moved aside           */
    uint64_t lines_of_others;       /* of the file: runs not of the suite */
    uint64_t crashed, timeouts, out_of_memory, wrong, failed, refused;
    uint64_t left_out;        /* of these: the graph is too large for them */
    uint64_t conflicts;       /* units whose runs contradict each other    */
    uint64_t warnings;        /* sentences handed to `warn`                */
    uint64_t lines, bytes;    /* written                                   */
    double seconds;           /* since the sweep began                     */
    char first_conflict[512]; /* "" when there was none */
    char first_failure[512];
    char untidy[512]; /* why lines are left in the order of the sweep; "" when they are not */
} hw_bench_counts;

/* A unit that has been run: which, and the seconds that a worker spent on it. */
typedef struct hw_bench_unit {
    size_t unit;
    double seconds;
    bool finished; /* false: the sweep was stopped meanwhile */
    uint64_t lines, bytes;
} hw_bench_unit;

typedef struct hw_bench_options {
    const char *output;    /* NULL or "-": standard output                       */
    bool discard;          /* write nothing at all                               */
    bool resume;           /* the file may exist: lines that it holds stay, their
                              runs are left out, a torn last line is removed     */
    bool drop_broken;      /* with it: other broken lines are moved aside        */
    bool overwrite;        /* the file may exist: it is emptied                  */
    unsigned jobs;         /* processes at work, at least 1                      */
    hw_plan_choice choice; /* of the units; zeros: all                           */
    const size_t *units;   /* these instead, n_units, in this order; NULL: no   */
    size_t n_units;
    double seconds;                    /* stop after so long; 0: never                       */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never    */

    /* Called several times a second and at the end; NULL: never. */
    void (*progress)(void *context, const hw_bench_counts *counts);
    void *progress_context;

    /* Hears what makes the times doubtful, a sentence each; NULL: nobody. */
    void (*warn)(void *context, const char *sentence);
    void *warn_context;

    /* Hears of each unit that was run; NULL: nobody. */
    void (*unit_done)(void *context, const hw_bench_unit *unit);
    void *unit_context;
} hw_bench_options;

/*
 * Run a suite.  HW_CHECK_FAILED: the sweep is complete, but two proofs
 * disagree, or an order beats a proven optimum or bound, or an instance could
 * not be made; *counts and the message tell the first.  HW_STOPPED: the units
 * that were finished are written.  HW_USAGE: the file exists, another sweep
 * writes it, no such part.  HW_IO: it cannot be read or written, no process
 * can be started.  HW_BAD_INPUT: it cannot be resumed from (kept.h).
 * HW_NO_MEMORY.
 */
hw_code hw_bench_run(const hw_suite *suite, const hw_bench_options *options,
                     hw_bench_counts *counts, hw_error *err);

/* "gcc 12.2.0": the compiler of this program, a column of the results. */
const char *hw_compiler_name(void);

#endif
