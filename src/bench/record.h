/*
 * A result: one run of one solver on one instance, one JSON object a line.
 *
 * The keys and their meaning are documented in highwater-results(5).  What a
 * line holds is a function of the suite and the program alone, but for times
 * and memory.
 */
#ifndef HW_BENCH_RECORD_H
#define HW_BENCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* A number that may be unknown (null in the file). */
typedef struct hw_maybe_u64 {
    bool known;
    uint64_t value;
} hw_maybe_u64;

static inline hw_maybe_u64 hw_known(uint64_t value)
{
    return (hw_maybe_u64){true, value};
}

/* Strings belong to whoever made the record; NULL is null in the file. */
typedef struct hw_record {
    const char *key; /* digest of what decides the answer (plan.h); NULL: no instance */
    const char *suite, *section, *family, *params;
    uint64_t index, seed;
    const char *graph; /* hash; NULL: the instance could not be made */
    uint64_t n_nodes, n_edges, n_tensors;
    const char *sizes;    /* law of the tensor sizes; NULL: it follows none              */
    const char *features; /* "inputs+views", "" for a plain graph; NULL: unknown (unit.h) */
    const char *accounting;
    bool pinned;
    const char *solver;
    const char *command, *command_digest; /* of a foreign solver; NULL: none, none of its words
                                             names a file */
    bool exact;                           /* the solver is one that proves */
    const char *status; /* as hw_status_name(), or refused, crashed, timeout, out-of-memory,
                           wrong, error */
    hw_maybe_u64 peak, checked_peak, bound, optimum;
    const char *optimum_by;                /* the solver whose proof it was */
    hw_maybe_u64 best_bound;               /* the largest bound of the unit */
    double gap_percent, gap_bound_percent; /* as they were read, NaN: null; what is written follows
                                              from the peaks */
    hw_maybe_u64 states, orders;
    bool limit_reached;
    uint64_t state_limit, memory_limit; /* 0: none */
    double time_limit;                  /* 0: none */
    double wall_seconds, cpu_seconds;   /* of one call; negative: unknown         */
    hw_maybe_u64 repeats;               /* calls over which these were averaged */
    hw_maybe_u64 peak_memory_bytes;
    const char *version, *compiler;
    const char *message; /* why a run has no answer; what a conflict is about */
    bool conflict;       /* this unit contradicts itself: a bug in a solver   */
    uint64_t line;       /* of the file that it was read from; 0: of none     */
} hw_record;

/* (peak - optimum) / optimum in per cent, 0 when both are 0 (highwater-model(7)). */
double hw_gap_percent(uint64_t peak, uint64_t optimum);

/* Write the line of a record with its newline; write errors stay in the stream.  HW_NO_MEMORY. */
hw_code hw_record_put(const hw_record *record, FILE *out, hw_error *err);

/*
 * The line of a record with its newline, sealed (seal.h), as *length bytes to
 * be freed.  HW_NO_MEMORY.
 */
hw_code hw_record_format(const hw_record *record, char **line, size_t *length, hw_error *err);

/*
 * Order of two records by all that decides what a run is: suite, section,
 * family, params, index, seed, accounting, pinning, solver and its limits.  0:
 * the same run, whatever it answered.
 */
int hw_record_compare_keys(const hw_record *a, const hw_record *b);

/*
 * Read one line of `length` bytes, without its end.  Strings are cut from it
 * in place, so it must outlive the record and is changed.  Unknown keys are
 * left out; key, sizes, features and repeats, which older files do not have,
 * may be missing and are unknown then, and so may the seal.  HW_BAD_INPUT: not
 * one flat JSON object, another key is missing or one is of another type, no
 * such status, a seal that does not fit; the message names the column or the
 * key, not the file.
 */
hw_code hw_record_parse(char *line, size_t length, hw_record *record, hw_error *err);

/* Does the message begin with the solver's name, so that it need not be said before it? */
bool hw_message_names(const char *message, const char *solver);

#endif
