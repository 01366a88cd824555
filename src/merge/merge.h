/*
 * Results of the parts of a suite joined into what one sweep would have
 * written.
 *
 * Every line is given its place in the plan (bench/plan.h), whatever file it
 * comes from, so that what comes out does not depend on how many files there
 * are or in which order they are named.  Lines are read twice: once to learn
 * where each run stands and to hold runs of one content key against each other,
 * once, unit by unit, to judge the unit and hand its lines on.  Held in memory
 * are some 60 bytes a run of the plan.
 */
#ifndef HW_MERGE_MERGE_H
#define HW_MERGE_MERGE_H

#include <signal.h>

#include "bench/record.h"
#include "bench/suite.h"

typedef struct hw_merge hw_merge;

typedef struct hw_merge_options {
    bool skip_broken;                  /* leave out lines that are no results            */
    bool only_plan;                    /* leave out runs that the suite does not have    */
    bool any_version;                  /* lines may be of several versions of highwater  */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never               */

    /* Called with each contradiction, a sentence; NULL: they are only counted. */
    void (*contradiction)(void *context, const char *text);
    void *contradiction_context;

    /* Called now and then with the bytes of all files, and those read; NULL: never. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
} hw_merge_options;

typedef struct hw_merge_counts {
    uint64_t lines;            /* read, with those left out                              */
    uint64_t runs_total, runs; /* of the plan; of these: with a line                     */
    uint64_t duplicates;       /* lines of a run that another line has as well           */
    uint64_t cut_short;        /* of these: with another answer, as a clock, memory or a
                                  signal ended one of the two; the better one is kept    */
    uint64_t broken, foreign;  /* left out: no results; not in the suite                 */
    uint64_t rejudged;         /* lines with a new verdict, as runs of their unit stood
                                  in several files                                       */
    uint64_t conflicts;        /* units whose runs contradict each other: a solver's bug */
    hw_error broken_first, foreign_first, conflict_first;
} hw_merge_counts;

/*
 * Read the files.  *out is released by hw_merge_close(); suite and paths must
 * outlive it.  HW_CHECK_FAILED: lines contradict each other (the same run, or
 * runs of one content key, with other answers); the message tells how
 * many, the callback which.  HW_BAD_INPUT:
 * broken lines, lines not of this suite, of several versions, unless they are
 * to be left out.  HW_IO, HW_NO_MEMORY, HW_STOPPED.  O(size of the files).
 */
hw_code hw_merge_open(const hw_suite *suite, const char *const *paths, size_t n_paths,
                      const hw_merge_options *options, hw_merge **out, hw_error *err);
void hw_merge_close(hw_merge *merge);

const hw_merge_counts *hw_merge_count(const hw_merge *merge);

/* The version of the first line; NULL: there are no lines. */
const char *hw_merge_version(const hw_merge *merge);

/* One run of a unit. */
typedef struct hw_merged_run {
    size_t solver;    /* in its section                                */
    const char *text; /* the whole line with its newline               */
    size_t length;
    hw_record record;
    bool cut_short; /* hw_record_cut_short() */
} hw_merged_run;

/* The runs of a unit that have a line, in the order of the plan. */
typedef struct hw_merged_unit {
    size_t unit;
    hw_merged_run *run;
    size_t n;
    bool complete; /* every run that the suite wants has a line */
} hw_merged_unit;

/*
 * The lines of a unit, with the verdict of all its runs: the optimum, the
 * largest bound, a conflict.  What *out points to is the merge's, until the
 * next call.  Where lines of the instance tell of several graphs, that is a
 * contradiction, as hw_merge_end() says.  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_merge_unit(hw_merge *merge, size_t unit, hw_merged_unit *out, hw_error *err);

/* HW_CHECK_FAILED: there were contradictions; ask when all units were read. */
hw_code hw_merge_end(const hw_merge *merge, hw_error *err);

/* ---- What is missing. ---- */

typedef struct hw_missing {
    uint64_t runs, units; /* without a line; units that lack any run */
    size_t first_unit, first_solver;
    uint64_t *by_section;      /* runs                             */
    uint64_t *by_part, parts;  /* runs, of the parts; 0: not asked for */
    const char **file_of_part; /* the file whose lines are of it alone; NULL: none */
} hw_missing;

/*
 * Runs of the plan without a line, by section and, where the sweep was cut into
 * `parts` (0: it was not), by part.  A run that the suite leaves out, as the
 * graph is too large (most-nodes), is not missing.  Released by
 * hw_missing_clear().  HW_NO_MEMORY.
 */
hw_code hw_merge_missing(hw_merge *merge, uint64_t parts, hw_missing *out, hw_error *err);
void hw_missing_clear(hw_missing *missing);

#endif
