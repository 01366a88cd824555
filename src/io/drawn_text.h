/* Names of unknown content on their way into pictures. */
#ifndef HW_IO_DRAWN_TEXT_H
#define HW_IO_DRAWN_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Characters of a text in UTF-8; a byte that is not UTF-8 counts as one. */
size_t hw_drawn_characters(const char *text);

/*
 * Hand the characters of `text` to put(), `length` bytes each, for it to
 * escape.  Control characters and bytes that are not UTF-8 become '?'.  Of
 * more than `columns` characters the middle is left out, since the ends of
 * names tell more.
 */
void hw_drawn_put(FILE *out, const char *text, size_t columns,
                  void (*put)(FILE *out, const char *character, size_t length));

#endif
