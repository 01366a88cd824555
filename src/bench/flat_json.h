/*
 * One flat JSON object: strings, numbers, true, false, null; no nesting.
 *
 * Peaks are unsigned 64-bit numbers, which the usual libraries cannot read.
 */
#ifndef HW_BENCH_FLAT_JSON_H
#define HW_BENCH_FLAT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef enum hw_flat_type {
    HW_FLAT_NULL,
    HW_FLAT_BOOL,
    HW_FLAT_NUMBER,
    HW_FLAT_STRING
} hw_flat_type;

typedef struct hw_flat_field {
    const char *key;
    const char *text; /* of a string, unescaped; of a number, its digits */
    hw_flat_type type;
    bool truth; /* of a boolean */
} hw_flat_field;

/*
 * Cut a line of `length` bytes into at most `most` fields.  The line is
 * changed, must be followed by one byte that may be changed too, and must
 * outlive the fields.  HW_BAD_INPUT with the column: no such object, a key twice, text that is
 * not UTF-8.
 */
hw_code hw_flat_parse(char *line, size_t length, hw_flat_field *fields, size_t most,
                      size_t *n_fields, hw_error *err);

#endif
