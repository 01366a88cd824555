/* Names of unknown content inside gnuplot scripts. */
#ifndef HW_IO_GNUPLOT_TEXT_H
#define HW_IO_GNUPLOT_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Characters of a text in UTF-8; a byte that is not UTF-8 counts as one. */
size_t hw_gnuplot_characters(const char *text);

/*
 * Write `text` for use inside single quotes of gnuplot, where only the quote
 * itself means anything: no substitution, no escapes.  A quote becomes a
 * typographic one (U+2019), since gnuplot 5.4 does not read a doubled quote at
 * the start of a text; control characters and bytes that are not UTF-8 become
 * '?'.  Of more than `columns` characters the middle is left out, since the
 * ends of names tell more.
 */
void hw_gnuplot_put_text(FILE *out, const char *text, size_t columns);

/* The same for the label of a tic, where gnuplot reads % as the start of a format. */
void hw_gnuplot_put_tic(FILE *out, const char *text, size_t columns);

#endif
