/*
 * A picture drawn by another program (gnuplot, dot), which reads a script on
 * its standard input and draws to its standard output.
 *
 * The script is an unnamed temporary file and the drawing a temporary one
 * beside `path`, renamed when it is whole: no name passes through a script or a
 * shell, so none needs quoting, and no pipe can fill up.
 */
#ifndef HW_IO_DRAWING_H
#define HW_IO_DRAWING_H

#include <stdio.h>

#include "io/program.h"

enum { HW_COMPLAINT_BYTES = 300 };

typedef struct hw_drawer {
    const char *const *argument; /* the program and its arguments, NULL at the end */
    const char *package;         /* that has it                                    */

    /* The line of its complaints that tells the cause, "" where none does. */
    void (*read_complaint)(FILE *complaints, char text[HW_COMPLAINT_BYTES]);

    /* Changes the whole drawing before it gets its name; NULL: nothing.  HW_IO. */
    hw_code (*finish)(int drawing, const char *path, hw_error *err);

    const hw_program_watch *watch; /* NULL: it may take as long as it wants */
} hw_drawer;

/* The ending of a path's last part with its dot, "" where it has none. */
const char *hw_drawing_ending(const char *path);

/* HW_USAGE: a picture cannot be written to a file of this ending. */
hw_code hw_drawing_check_ending(const char *path, hw_error *err);

/* An unnamed temporary file, closed by fclose(); NULL: HW_IO is in err. */
FILE *hw_drawing_scratch(hw_error *err);

/*
 * Run the drawer on `script`, which is flushed and rewound here, into `path`,
 * which appears whole or not at all.  HW_IO: the program is missing or failed
 * (its complaint is in the message), or the file cannot be written; HW_LIMIT:
 * the watch ended it; HW_NO_MEMORY.
 */
hw_code hw_drawing_make(const hw_drawer *drawer, FILE *script, const char *path, hw_error *err);

#endif
