/* Where the lines of a sweep go: a file opened for appending, or a pipe. */
#ifndef HW_BENCH_SINK_H
#define HW_BENCH_SINK_H

#include "bench/results.h"

typedef struct hw_sink {
    int file;
    const char *name;         /* for messages */
    bool owned;               /* close it     */
    hw_results *before;       /* with resume: what the file held */
    const hw_record **by_key; /* its records, sorted */
} hw_sink;

/*
 * Open `path` (NULL or "-": standard output).  A file that exists and is not
 * empty is HW_USAGE, unless it is to be resumed (then it is read, and a torn
 * last line cut off) or overwritten.
 */
hw_code hw_sink_open(const char *path, bool resume, bool overwrite, hw_sink *sink, hw_error *err);

/* The line that the file held for the same run as `like`, or NULL. */
const hw_record *hw_sink_find(const hw_sink *sink, const hw_record *like);

/*
 * Write one line by one write(2).  HW_IO: on a full disk a line that got there
 * in part is taken back, so that the file stays readable.
 */
hw_code hw_sink_write(hw_sink *sink, const char *line, size_t length, hw_error *err);

/* HW_IO when closing shows that something was not written. */
hw_code hw_sink_close(hw_sink *sink, hw_error *err);

#endif
