/*
 * Digests of results: small enough to keep, enough to tell whether a later run
 * finds the same (highwater-results(5), DIGESTS).
 *
 * A unit has twelve hexadecimal digits: the first 48 bits of SHA-256 over the
 * lines of its runs in the order of the plan, stripped of times, memory, key
 * and version (strip.h).  Runs that a clock, memory or a signal ended are left
 * out and named, and then so are the columns of the verdict.
 */
#ifndef HW_MERGE_DIGEST_H
#define HW_MERGE_DIGEST_H

#include <stdio.h>

#include "merge/merge.h"

/*
 * Write the digests of all units, in the order of the plan, a JSON object a
 * source.  HW_CHECK_FAILED where lines of an instance tell of several graphs
 * comes by hw_merge_end().  Errors of `out` stay in it.  HW_IO, HW_NO_MEMORY,
 * HW_STOPPED.  O(size of the results).
 */
typedef struct hw_digest_writer hw_digest_writer;
hw_code hw_digest_begin(const hw_suite *suite, const hw_merge *merge, FILE *out,
                        hw_digest_writer **writer, hw_error *err);

/* The next unit, in the order of the plan, each once. */
hw_code hw_digest_unit(hw_digest_writer *writer, const hw_merged_unit *unit, hw_error *err);

/* After the last unit; the writer is released.  Also before it, to give up. */
void hw_digest_end(hw_digest_writer *writer);

typedef struct hw_digests hw_digests;

/*
 * Read what hw_digest_unit() wrote.  *out is released by hw_digests_free().
 * HW_BAD_INPUT: another file, another suite or seed, sections whose solvers or
 * limits have changed since; the message names the line.  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_digests_load(const char *path, const hw_suite *suite, hw_digests **out, hw_error *err);
void hw_digests_free(hw_digests *digests);

/* The version of highwater that made them. */
const char *hw_digests_version(const hw_digests *digests);

typedef enum hw_likeness {
    HW_ALIKE,
    HW_UNLIKE,
    HW_NO_DIGEST,   /* the file has none of this unit                           */
    HW_INCOMPLETE,  /* the unit lacks runs here                                 */
    HW_NOT_SETTLED, /* a run was cut short here that was not then: a slower or
                       smaller machine                                          */
    HW_N_LIKENESSES
} hw_likeness;

/* Compare a unit; *n_runs are those that were compared.  HW_NO_MEMORY. */
hw_code hw_digests_compare(const hw_digests *digests, const hw_merged_unit *unit,
                           hw_likeness *likeness, size_t *n_runs, hw_error *err);

#endif
