/*
 * What an experiment on one claim of the seed article is and says.
 *
 * An experiment is a function of (seed, effort, graphs of the user) that runs
 * what decides its claim and tells what it found: readings that were tried,
 * numbers, examples, and at its end a verdict with the figure that it rests
 * on.  To add one: a file src/claims/cNN_name.c with a function of type
 * hw_claim_function, and its name in the row of table.h.
 *
 * Two runs with the same seed must find the same, but for what is measured on
 * a clock or on a process.  So no sentence holds a measured number: it names it
 * in braces, "count all in {time-8}", and the writers put it there.
 */
#ifndef HW_CLAIMS_CLAIM_H
#define HW_CLAIMS_CLAIM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

typedef enum hw_claim_verdict {
    HW_VERDICT_OPEN = 0, /* not decided */
    HW_VERDICT_HOLDS,
    HW_VERDICT_HOLDS_ONLY_IF, /* under a condition, which hw_claim_condition() tells */
    HW_VERDICT_FAILS
} hw_claim_verdict;

/* One experiment under way: what it found so far. */
typedef struct hw_claim_run hw_claim_run;

/*
 * HW_OK, after hw_claim_conclude(); HW_CHECK_FAILED: it could not decide, with
 * why in err (never a verdict by default); HW_STOPPED; any other failure.
 */
typedef hw_code (*hw_claim_function)(hw_claim_run *run, hw_error *err);

typedef struct hw_claim_row {
    const char *id, *section; /* "C01", "1.3"                             */
    const char *claim;        /* one sentence of what the article says     */
    const char *experiment;   /* one sentence: what decides it here        */
    hw_claim_function run;
} hw_claim_row;

/* ---- What it tells.  All copy their texts; HW_NO_MEMORY. ---- */

/*
 * Once an experiment, at its end: the verdict and the figure that it rests on,
 * a sentence with computed numbers.  HW_INTERNAL: told before, no verdict, or
 * a condition that is missing (there must be one with HOLDS_ONLY_IF alone).
 */
hw_code hw_claim_conclude(hw_claim_run *run, hw_claim_verdict verdict, hw_error *err,
                          const char *figure, ...) __attribute__((format(printf, 4, 5)));

/* Under what it holds: a half-sentence after "holds only if".  Before hw_claim_conclude(). */
hw_code hw_claim_condition(hw_claim_run *run, hw_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One tested reading, what came out under it, and whether that is the article's figure. */
hw_code hw_claim_reading(hw_claim_run *run, const char *reading, bool holds, hw_error *err,
                         const char *outcome, ...) __attribute__((format(printf, 5, 6)));

/*
 * A number by name ("greedy-within-5": letters, digits and dashes, each name
 * once), for JSON and for LaTeX.  unit: "share" (0 to 1), "bytes", "count",
 * "per cent", ...; one of "seconds" is measured.  HW_INTERNAL: the name is
 * none or taken, or the value is not finite.
 */
hw_code hw_claim_number(hw_claim_run *run, const char *name, double value, const char *unit,
                        hw_error *err);

/* The same for what differs from run to run in another unit: ratios of times, resident bytes. */
hw_code hw_claim_measured(hw_claim_run *run, const char *name, double value, const char *unit,
                          hw_error *err);

/*
 * An example or counter-example: written as DIR/C06-NAME.json when a folder was
 * asked for; the name stands in the output anyway.  HW_IO.
 */
hw_code hw_claim_example(hw_claim_run *run, const char *name, const hw_graph *graph, hw_error *err);

/*
 * What the last example shows, so that anyone can check it anew: the solver of
 * `spec` reaches `peak` on it under that accounting, inputs pinned or not.
 */
hw_code hw_claim_shows(hw_claim_run *run, const hw_model *m, const char *spec, uint64_t peak,
                       hw_error *err);

/* ---- What it may ask. ---- */

uint64_t hw_claim_seed(const hw_claim_run *run); /* of this claim: drawn from the seed and the id */

/* So many graphs, states, ...: `quick` in quick runs, `full` otherwise. */
uint32_t hw_claim_effort(const hw_claim_run *run, uint32_t quick, uint32_t full);

/* A signal came: return HW_STOPPED soon. */
bool hw_claim_stopped(const hw_claim_run *run);

/* The same for hw_request.stop; may be NULL. */
const volatile sig_atomic_t *hw_claim_stop_flag(const hw_claim_run *run);

/* Folder of graph files beyond the families; NULL: none was given. */
const char *hw_claim_graphs(const hw_claim_run *run);

#endif
