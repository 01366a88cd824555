/* Where lines go: a file opened for appending, or a pipe. */
#ifndef HW_BENCH_SINK_H
#define HW_BENCH_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "core/error.h"

typedef struct hw_sink {
    int file;
    const char *name; /* for messages */
    bool owned;       /* close it     */
    bool regular;     /* a file that can be cut */
} hw_sink;

typedef enum hw_sink_mode {
    HW_SINK_NEW,       /* a file that exists and is not empty is HW_USAGE */
    HW_SINK_OVERWRITE, /* it is emptied                                   */
    HW_SINK_APPEND     /* lines come behind those that it has             */
} hw_sink_mode;

/*
 * Open `path` (NULL or "-": standard output).  A regular file is locked
 * against other sweeps until it is closed: HW_USAGE while one has it.  HW_IO.
 */
hw_code hw_sink_open(const char *path, hw_sink_mode mode, hw_sink *sink, hw_error *err);

/*
 * Write lines by one write(2).  HW_IO: on a full disk lines that got there in
 * part are taken back, so that the file stays readable.
 */
hw_code hw_sink_write(hw_sink *sink, const char *lines, size_t length, hw_error *err);

/* HW_IO: closing shows that something was not written. */
hw_code hw_sink_close(hw_sink *sink, hw_error *err);

/* HW_IO with the message of a failed write. */
hw_code hw_sink_failed(const hw_sink *sink, int cause, hw_error *err);

#endif
