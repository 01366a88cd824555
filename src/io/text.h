/*
 * Text out, piece by piece, into a file or a hash, and the small codecs that
 * the formats share.
 */
#ifndef HW_IO_TEXT_H
#define HW_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

/* A buffer before a function that takes bytes; lives on the caller's stack. */
typedef struct hw_sink {
    bool (*write)(void *context, const char *bytes, size_t n);
    void *context;
    bool failed;
    int failure; /* errno of the first failed write */
    size_t used;
    char buffer[1 << 15];
} hw_sink;

void hw_sink_start(hw_sink *s, bool (*write)(void *, const char *, size_t), void *context);
void hw_sink_to_file(hw_sink *s, FILE *out);

void hw_put(hw_sink *s, const char *bytes, size_t n);
void hw_put_text(hw_sink *s, const char *text);
void hw_put_u64(hw_sink *s, uint64_t number);

static inline void hw_put_char(hw_sink *s, char c)
{
    hw_put(s, &c, 1);
}

/* A JSON string with its quotes; bytes above 127 stand as they are (UTF-8). */
void hw_put_json(hw_sink *s, const char *text);

/*
 * Text with '%', control bytes and (blanks) spaces as %XX, so that it stays
 * one word of a line, or one that XML can carry.
 */
void hw_put_percent(hw_sink *s, const char *text, bool blanks);

/* Hand the rest on.  False: some write failed. */
bool hw_sink_end(hw_sink *s);

/* End and flush a sink to a file.  HW_IO: disk full, closed pipe, ... */
hw_code hw_sink_end_file(hw_sink *s, FILE *out, hw_error *err);

/*
 * Undo hw_put_percent() in place: *length becomes the new length; no NUL is
 * added.  Returns NULL, or what is wrong with the text (a bad escape, a NUL,
 * bytes that are not UTF-8).
 */
const char *hw_percent_decode(char *text, size_t *length);

/* Whether n bytes are UTF-8: no overlong forms, no surrogates.  O(n). */
bool hw_is_utf8(const char *text, size_t n);

enum { HW_QUOTE_BYTES = 48 };

/* Words of a file for a message: cut, control bytes replaced.  Returns out. */
const char *hw_quote(const char *text, size_t n, char out[HW_QUOTE_BYTES]);

#endif
