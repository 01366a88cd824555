/*
 * A cursor over one line of the line format: words, numbers and texts, and
 * messages that tell FILE:LINE.  Functions that return a code fail with
 * HW_BAD_INPUT; `what` names the field in the message.
 */
#ifndef HW_IO_LINE_SCAN_H
#define HW_IO_LINE_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"
#include "io/input.h"

typedef struct hw_scan {
    hw_input *in;
    hw_error *err;
    char *at, *end; /* what is left of the line; *end may be written to */
} hw_scan;

/* Put FILE:LINE before the message of HW_BAD_INPUT; returns code. */
hw_code hw_scan_code(const hw_scan *s, hw_code code);
hw_code hw_scan_fail(const hw_scan *s, const char *what);

void hw_scan_blanks(hw_scan *s);

/* Length of the word at the cursor, up to a blank or the end. */
size_t hw_scan_word(const hw_scan *s);

/* Digits at the cursor, whatever follows them. */
hw_code hw_scan_digits(hw_scan *s, const char *what, uint64_t *out);

/* Blanks, then a number that is a whole word. */
hw_code hw_scan_number(hw_scan *s, const char *what, uint64_t *out);

/* The cursor stands at a blank or the end; at the end. */
hw_code hw_scan_word_end(const hw_scan *s, const char *what);
hw_code hw_scan_line_end(hw_scan *s);

/*
 * Undo the escapes of n bytes at text, which become a string in place: the
 * byte after them, a blank or the end of the line, may be overwritten.
 */
hw_code hw_scan_text(const hw_scan *s, char *text, size_t n);

/* The last word of the line, a name; NULL: there is none. */
hw_code hw_scan_name(hw_scan *s, char **name);

#endif
