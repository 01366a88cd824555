/* Words and signs of the DOT language, one after the other. */
#ifndef HW_IMPORT_DOT_SCAN_H
#define HW_IMPORT_DOT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef enum hw_dot_token {
    HW_DOT_END,
    HW_DOT_ID,    /* a name, a number, a quoted text; its text in `text` */
    HW_DOT_ARROW, /* ->                                                  */
    HW_DOT_LINE,  /* --                                                  */
    HW_DOT_SIGN   /* one of { } [ ] ; , = :                              */
} hw_dot_token;

enum { HW_DOT_BRIEF_BYTES = 16 }; /* longer than any keyword */

typedef struct hw_dot_scan {
    const char *file; /* for messages */
    const char *at, *end;
    uint64_t line; /* of the token at hand */
    hw_dot_token token;
    char sign;
    bool quoted; /* the text stood in quotes: no keyword */
    char *text;  /* a string of `length` bytes, released by hw_dot_scan_clear() */
    size_t length, room;
    bool brief; /* set by the caller: texts end early, and take no memory */
    char begin[HW_DOT_BRIEF_BYTES];
} hw_dot_scan;

void hw_dot_scan_clear(hw_dot_scan *s);

/*
 * Take in the next token.  Comments (//, between slashes and stars, lines that begin with #) are
 * passed over; an HTML text is an ID with its brackets.  HW_BAD_INPUT: a text without end, a NUL
 * byte, a sign that DOT has not.  HW_NO_MEMORY.
 */
hw_code hw_dot_next(hw_dot_scan *s, hw_error *err);

/* Is the token at hand this sign; this keyword, whatever its case? */
bool hw_dot_is_sign(const hw_dot_scan *s, char sign);
bool hw_dot_is_word(const hw_dot_scan *s, const char *word);

/* HW_BAD_INPUT with FILE:LINE: what is wrong at the token at hand. */
hw_code hw_dot_fail(const hw_dot_scan *s, hw_error *err, const char *what);

#endif
