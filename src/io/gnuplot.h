/*
 * Running gnuplot, an external program, on a script.
 *
 * The script is passed on standard input to `gnuplot -d -` started with an
 * argument vector (no shell), LC_ALL=C and GNUTERM unset.  The terminal is
 * chosen by the ending of the file: .svg, .pdf or .png.
 */
#ifndef HW_IO_GNUPLOT_H
#define HW_IO_GNUPLOT_H

#include "core/error.h"

/* HW_USAGE: a plot cannot be written to a file of this ending. */
hw_code hw_gnuplot_check_ending(const char *path, hw_error *err);

/*
 * Render `script` (everything after `set terminal` and `set output`) into the
 * file `path`, which appears whole or not at all.  Width and height are CSS
 * pixels (96 to the inch) for every terminal.  HW_USAGE: unknown ending;
 * HW_IO: gnuplot is missing or failed (its first line of complaint is in the
 * message) or the file cannot be written.
 */
hw_code hw_gnuplot_render(const char *script, unsigned width_px, unsigned height_px,
                          const char *path, hw_error *err);

#endif
