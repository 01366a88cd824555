/*
 * Bytes in: a file, standard input or memory behind one buffer, with lines of
 * any length up to what is held at once.
 */
#ifndef HW_IO_INPUT_H
#define HW_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A longer line, or a longer file that has to be read whole, is refused. */
#define HW_INPUT_MOST (UINT64_C(1) << 32)

/* What is read, and how far; opened by one of the calls below, closed by hw_input_close(). */
typedef struct hw_input {
    int fd;                      /* -1: memory, or closed                           */
    char *name;                  /* for messages                                    */
    char *buffer;                /* of `capacity` bytes                          */
    size_t capacity, start, end; /* unread bytes: start .. end      */
    uint64_t most;               /* that it may come to hold unread; 0: HW_INPUT_MOST */
    bool at_end;                 /* nothing follows `end`           */
    uint64_t line;               /* number of the line handed out last */
} hw_input;

/* "-" is standard input.  HW_IO: missing, unreadable, a folder. */
hw_code hw_input_open(hw_input *in, const char *path, hw_error *err);

/* Over a copy of n bytes; `name` stands for a file in messages. */
hw_code hw_input_memory(hw_input *in, const char *bytes, size_t n, const char *name, hw_error *err);

/* Close the file and release name and buffer; once more does nothing. */
void hw_input_close(hw_input *in);

/*
 * Read at least one byte more, or set at_end.  Pointers into the buffer become
 * void.  HW_IO: a read failed; HW_STOPPED: a signal came while waiting;
 * HW_BAD_INPUT: `most` bytes are there already.
 */
hw_code hw_input_more(hw_input *in, hw_error *err);

/*
 * Pass over n bytes; *passed is less only at the end.  A file that can be
 * sought in is not read for it.  Errors as of hw_input_more().
 */
hw_code hw_input_skip(hw_input *in, uint64_t n, uint64_t *passed, hw_error *err);

/* Read everything that is left into the buffer. */
hw_code hw_input_all(hw_input *in, hw_error *err);

enum { HW_INPUT_MARK_BYTES = 3 };

/*
 * Bytes of the byte order mark of UTF-8 that n bytes begin with, or 0.  Some
 * editors begin a file with it; it says nothing in any format.
 */
size_t hw_input_mark(const char *bytes, size_t n);

/*
 * The next line, without its end (LF or CRLF) and, the first, without such a
 * mark, as *length bytes at *line that may be changed, with the byte after
 * them; *line is NULL at the end.
 * HW_BAD_INPUT: the last line has no end, so the file may have been cut.
 */
hw_code hw_input_line(hw_input *in, char **line, size_t *length, hw_error *err);

/*
 * Once getline() gives no more: was that the end of the file?  Else HW_IO, or
 * HW_NO_MEMORY: for getline() a line that memory has no room for is an end, too.
 */
hw_code hw_input_ended(FILE *in, const char *path, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
