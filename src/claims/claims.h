/*
 * All experiments: the table, the run in processes, the report.
 *
 * Each experiment has a process of its own, so that one that dies or eats
 * memory costs its own verdict alone, and its time is its own.
 */
#ifndef HW_CLAIMS_CLAIMS_H
#define HW_CLAIMS_CLAIMS_H

#include "claims/finding.h"

/* All rows, in the order of table.h. */
extern const hw_claim_row hw_claim_rows[];
extern const size_t hw_n_claim_rows;

/* The row of an id ("C05", "c5"); HW_USAGE with what there is. */
hw_code hw_claim_row_find(const char *id, const hw_claim_row **row, hw_error *err);

typedef struct hw_claims_options {
    uint64_t seed;
    bool quick;
    unsigned jobs;        /* processes at work, at least 1           */
    const char *examples; /* folder of examples, which exists; NULL  */
    const char *graphs;   /* folder of further graph files, or NULL  */
    const volatile sig_atomic_t *stop;

    /* Called several times a second: `done` of all; `running` names those at work.  NULL: never. */
    void (*progress)(void *context, size_t done, const char *running);
    void *progress_context;
} hw_claims_options;

/*
 * Run the experiments of n rows into finding[0 .. n), in the order of the
 * rows; findings are the caller's, to be cleared also after a failure.
 * Whether each could decide is in its own `code`.  HW_STOPPED: a signal.
 * HW_IO: no process can be started.  HW_NO_MEMORY.
 */
hw_code hw_claims_run(const hw_claim_row *const *rows, size_t n, const hw_claims_options *o,
                      hw_claim_finding *finding, hw_error *err);

/* One experiment in this process.  Never fails: what went wrong is in finding->code. */
void hw_claims_run_one(const hw_claim_row *row, const hw_claims_options *o,
                       hw_claim_finding *finding);

/* ---- The report. ---- */

typedef struct hw_claims_counts {
    size_t holds, holds_only_if, fails, undecided;
} hw_claims_counts;
hw_claims_counts hw_claims_count(const hw_claim_finding *finding, size_t n);

const char *hw_claim_verdict_name(hw_claim_verdict verdict); /* "holds only if"; "undecided" */

typedef enum hw_claims_format {
    HW_CLAIMS_TEXT,
    HW_CLAIMS_JSON,
    HW_CLAIMS_MARKDOWN,
    HW_CLAIMS_LATEX, /* a longtable (booktabs)                          */
    HW_CLAIMS_MACROS /* \hwclaim{C10}{within-5}: every number, by name  */
} hw_claims_format;

/* What is told about the run as a whole. */
typedef struct hw_claims_report {
    const hw_claim_finding *finding;
    size_t n;
    uint64_t seed;
    bool quick;
    const char *graphs; /* as in the options */
} hw_claims_report;

/* Write errors stay in the stream.  HW_NO_MEMORY. */
hw_code hw_claims_write(const hw_claims_report *r, hw_claims_format format, FILE *out,
                        hw_error *err);

#endif
