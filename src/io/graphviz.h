/*
 * Running dot, the layout program of graphviz, on a script in its language.
 *
 * The script is passed on standard input to `dot -Tsvg`, -Tpdf or -Tpng, by the
 * ending of the file, started with an argument vector (no shell).
 */
#ifndef HW_IO_GRAPHVIZ_H
#define HW_IO_GRAPHVIZ_H

#include <stddef.h>
#include <stdio.h>

#include "io/program.h"

/*
 * Render `script` into the file `path`, which appears whole or not at all.
 * watch may be NULL: dot may take as long as it wants.  HW_USAGE: unknown
 * ending; HW_IO: dot is missing or failed (its complaint is in the message) or
 * the file cannot be written; HW_LIMIT: the watch ended it; HW_NO_MEMORY.
 */
hw_code hw_graphviz_render(const char *script, const char *path, const hw_program_watch *watch,
                           hw_error *err);

/*
 * Write `text` for use inside an HTML-like label, where names mean nothing but
 * themselves: &, <, > and quotes become entities, backslashes
 * are doubled, what is no character '?'.  Of
 * more than `columns` characters the middle is left out.
 */
void hw_graphviz_put_text(FILE *out, const char *text, size_t columns);

#endif
