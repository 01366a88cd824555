/* Pieces of a drawing, for its two readers.  See svg_inline.h. */
#ifndef HW_REPORT_SVG_INTERNAL_H
#define HW_REPORT_SVG_INTERNAL_H

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A piece of the file. */
typedef struct hw_svg_piece {
    const char *at;
    size_t n;
} hw_svg_piece;

typedef struct hw_svg_attribute {
    hw_svg_piece name, value;
} hw_svg_attribute;

static inline bool hw_svg_is(hw_svg_piece p, const char *word)
{
    return strlen(word) == p.n && memcmp(p.at, word, p.n) == 0;
}

/* A byte of a name: of an element, an attribute, an id. */
static inline bool hw_svg_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '-' || c == '_' || c == ':' || c == '.';
}

/* Is it one of n names, which are sorted by bytes?  O(log n). */
bool hw_svg_known(hw_svg_piece p, const char *const *names, size_t n);

/*
 * Write an attribute of `element`, ids with `prefix` before them; false: it
 * may do more than draw, and stays out.
 */
bool hw_svg_put_attribute(FILE *out, const char *prefix, hw_svg_piece element,
                          const hw_svg_attribute *a);

#endif
