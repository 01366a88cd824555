/* JSON text to values, with messages in the project's words (jansson). */
#ifndef HW_IO_JSON_PARSE_H
#define HW_IO_JSON_PARSE_H

#include <jansson.h>
#include <stdbool.h>

#include "core/error.h"
#include "io/input.h"

/*
 * json_loadb() that tells a lack of memory: jansson takes some for bad JSON, and
 * drops bytes of long words without a sign of others.  *lacked: memory ran out,
 * and NULL is returned.  It counts failures of malloc() only: a program that
 * gave jansson functions of its own (json_set_alloc_funcs) keeps those.
 */
json_t *hw_json_load(const char *bytes, size_t n, json_error_t *problem, bool *lacked);

/* json_dumps() in the same way, compact: NULL: out of memory.  Released by free(). */
char *hw_json_dump(const json_t *value);

/*
 * Parse the rest of `in` as one JSON object; *out is released by json_decref().
 * HW_NO_MEMORY; HW_BAD_INPUT with file, line, cause and cure: no JSON, truncated, a key
 * twice, an integer beyond 2^63-1, NUL bytes, bad UTF-8, deep nesting, no
 * object at the top.
 */
hw_code hw_json_parse(hw_input *in, json_t **out, hw_error *err);

/*
 * Check that `format` is `wanted` and `version` 1; says which versions this
 * program reads.  HW_BAD_INPUT.
 */
hw_code hw_json_check_version(const json_t *root, const char *file, const char *wanted,
                              hw_error *err);

/* "an object", "a string", ... for messages. */
const char *hw_json_type(const json_t *value);

/* A non-negative integer; or what is wrong with the value, as a sentence in
 * text[] that begins with "is" ("is -4, ..."). */
enum { HW_JSON_COMPLAINT = 128 };
bool hw_json_u64(const json_t *value, uint64_t *out, char text[HW_JSON_COMPLAINT]);

#endif
