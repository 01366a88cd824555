/* A suite while it is read: shared by suite.c, suite_values.c, suite_sources.c. */
#ifndef HW_BENCH_SUITE_INTERNAL_H
#define HW_BENCH_SUITE_INTERNAL_H

#include "bench/suite.h"

typedef enum hw_suite_limit_key {
    HW_SUITE_STATE_LIMIT,
    HW_SUITE_TIME_LIMIT,
    HW_SUITE_MEMORY_LIMIT,
    HW_SUITE_KILL_AFTER,
    HW_SUITE_CPU_LIMIT,
    HW_SUITE_MEMORY_KILL,
    HW_SUITE_MEASURE_FOR,
    HW_SUITE_MOST_NODES
} hw_suite_limit_key;

/* A line "time-limit dp = 10": the limit of one solver. */
typedef struct hw_suite_own_limit {
    uint32_t section;
    hw_suite_limit_key key;
    const char *name; /* of the key */
    char *spec;
    hw_suite_limits value; /* only what the key names */
    unsigned line;
    bool used;    /* a section that it is for has the solver, so named */
    bool is_name; /* of no solver of ours: a foreign one has to be called so */
} hw_suite_own_limit;

typedef struct hw_suite_reader {
    hw_suite *suite;
    const char *file; /* for messages                           */
    char *folder;     /* of the file, with "/" at its end, or "" */
    unsigned line;
    size_t sections_capacity, sources_capacity, notes_capacity;
    hw_suite_own_limit *own; /* in the order of the file */
    size_t n_own, own_capacity;
} hw_suite_reader;

/* "file:line: " and the message; returns code. */
hw_code hw_suite_fail(const hw_suite_reader *r, hw_code code, hw_error *err, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));

/* Keep a sentence for the user about something skipped. */
hw_code hw_suite_note(hw_suite_reader *r, hw_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Values, in the words of highwater-results(5); HW_BAD_INPUT. */
hw_code hw_suite_count(const hw_suite_reader *r, const char *key, const char *text, uint64_t *value,
                       hw_error *err);
hw_code hw_suite_seconds(const hw_suite_reader *r, const char *key, const char *text, double *value,
                         hw_error *err);
hw_code hw_suite_bytes(const hw_suite_reader *r, const char *key, const char *text, uint64_t *value,
                       hw_error *err);
/*
 * A limit of a section or, with a solver's spec, of one solver in it;
 * spec is "" for the section.  name, of the key, must outlive the reader.  HW_BAD_INPUT.
 */
hw_code hw_suite_set_limit(hw_suite_reader *r, uint32_t section, hw_suite_limit_key key,
                           const char *name, const char *spec, const char *value, hw_error *err);

/*
 * Give every solver of every section its limits; after the last line.
 * HW_BAD_INPUT: a limit is of a solver that is not run where it holds.
 */
hw_code hw_suite_settle_limits(hw_suite_reader *r, hw_error *err);
void hw_suite_forget_limits(hw_suite_reader *r);

hw_code hw_suite_accountings(const hw_suite_reader *r, char *text, bool accounting[2],
                             hw_error *err); /* changes text */
hw_code hw_suite_pinned(const hw_suite_reader *r, const char *text, bool pinned[2], hw_error *err);

/* "layered:n=6..10,degree=1|2 x20": one source for each set of parameters. */
hw_code hw_suite_add_families(hw_suite_reader *r, uint32_t section, char *text, hw_error *err);

/*
 * "PATTERN", a glob: one source a file, in the order of strcmp.  A first part
 * "$NAME" stands for an environment variable.  `optional`: what is absent is
 * noted and skipped.
 */
hw_code hw_suite_add_files(hw_suite_reader *r, uint32_t section, const char *pattern, bool optional,
                           hw_error *err);

/*
 * Fill suite->units, after the last line.  HW_BAD_INPUT: sources that nothing
 * tells apart, a section without solvers, no units or far too many.
 */
hw_code hw_suite_make_plan(const hw_suite_reader *r, hw_error *err);

#endif
