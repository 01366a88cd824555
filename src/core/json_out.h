/*
 * A small writer of JSON: straight to a stream, numbers in plain digits.
 *
 * Peaks are unsigned 64-bit numbers, which the usual libraries cannot write.
 * Every call takes the key under which the value stands, or NULL inside an
 * array (and for the outermost value).  Write errors stay in the stream: ask
 * ferror() or commit the output at the end.
 *
 *     hw_json_out j = hw_json_on(stdout);
 *     hw_json_open(&j, NULL, '{');
 *     hw_json_put_u64(&j, "peak", peak);
 *     hw_json_open(&j, "order", '[');
 *     hw_json_put_u64(&j, NULL, 7);
 *     hw_json_close(&j, ']');
 *     hw_json_close(&j, '}');
 *     hw_json_line(&j);
 */
#ifndef HW_CORE_JSON_OUT_H
#define HW_CORE_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a document stands; begun by hw_json_on(), nothing to release. */
typedef struct hw_json_out {
    FILE *out;        /* the caller's                                 */
    unsigned depth;   /* open objects and arrays                      */
    bool need_comma;  /* a value stands before the next one           */
    bool break_items; /* each item of the outermost array on its line */
} hw_json_out;

/* A writer at the start of a document. */
hw_json_out hw_json_on(FILE *out);

/* Begin an object ('{') or an array ('['). */
void hw_json_open(hw_json_out *j, const char *key, char bracket);

/* End it, with the bracket that closes it: '}' or ']'. */
void hw_json_close(hw_json_out *j, char bracket);

/* End the document with a newline; another may follow. */
void hw_json_line(hw_json_out *j);

/* A number in plain digits, of all 64 bits. */
void hw_json_put_u64(hw_json_out *j, const char *key, uint64_t value);

/* The same with a sign. */
void hw_json_put_i64(hw_json_out *j, const char *key, int64_t value);

/* The shortest digits that read back as `value`; null when not finite. */
void hw_json_put_real(hw_json_out *j, const char *key, double value);

/* true or false. */
void hw_json_put_bool(hw_json_out *j, const char *key, bool value);

/* null: not known, or without meaning here. */
void hw_json_put_null(hw_json_out *j, const char *key);

/* A number that is longer than 64 bits, given by its digits. */
void hw_json_put_digits(hw_json_out *j, const char *key, const char *digits);

/* NULL is written as null.  Control characters are escaped; bytes that are
 * not UTF-8 become U+FFFD, so that the document stays valid. */
void hw_json_put_string(hw_json_out *j, const char *key, const char *text);

/* "0x…": for seeds, which JSON libraries would cut to 63 bits. */
void hw_json_put_hex(hw_json_out *j, const char *key, uint64_t value);

/* value, or null where `known` is false. */
void hw_json_put_u64_or_null(hw_json_out *j, const char *key, bool known, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
