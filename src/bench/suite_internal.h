/* A suite while it is read: shared by suite.c, suite_values.c, suite_sources.c. */
#ifndef HW_BENCH_SUITE_INTERNAL_H
#define HW_BENCH_SUITE_INTERNAL_H

#include "bench/suite.h"

typedef struct hw_suite_reader {
    hw_suite *suite;
    const char *file; /* for messages                           */
    char *folder;     /* of the file, with "/" at its end, or "" */
    unsigned line;
    size_t sections_capacity, sources_capacity, notes_capacity;
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

#endif
