/*
 * Running gnuplot, an external program, on a script.
 *
 * The script is passed on standard input to `gnuplot -d -` started with an
 * argument vector (no shell), LC_ALL=C and GNUTERM unset.  The terminal is
 * chosen by the ending of the file: .svg, .pdf or .png.
 */
#ifndef HW_IO_GNUPLOT_H
#define HW_IO_GNUPLOT_H

#include <stdio.h>

#include "core/error.h"

/* HW_USAGE: a plot cannot be written to a file of this ending. */
hw_code hw_gnuplot_check_ending(const char *path, hw_error *err);

/*
 * The style of all plots, as commands of gnuplot: colours and palette, line
 * styles 1 to 96 for series, 100 for grids, axes and key.  The head of
 * gnuplot_style.c says why they are as they are.
 */
void hw_gnuplot_put_style(FILE *out);

/*
 * Render `script` (everything after `set terminal`, `set output` and the style)
 * into the file `path`, which appears whole or not at all.  Width and height are CSS
 * pixels (96 to the inch) for every terminal.  Equal scripts give equal bytes:
 * the date that a PDF carries is that of SOURCE_DATE_EPOCH (seconds, UTC), or
 * 1970-01-01.  HW_USAGE: unknown ending;
 * HW_IO: gnuplot is missing or failed (its first line of complaint is in the
 * message) or the file cannot be written.
 */
hw_code hw_gnuplot_render(const char *script, unsigned width_px, unsigned height_px,
                          const char *path, hw_error *err);

#endif
