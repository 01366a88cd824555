/*
 * A file of results as merging needs it: its lines one after another, and any
 * of them again later, without the whole file in memory.
 */
#ifndef HW_MERGE_PART_H
#define HW_MERGE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hw_part {
    const char *path; /* the caller's */
    int fd;
    char *buffer;
    size_t capacity, start, end; /* unread bytes of the buffer            */
    uint64_t offset;             /* in the file, of the byte at `start`   */
    uint64_t line;               /* number of the line handed out last    */
    bool at_end;                 /* of the file: nothing follows `end`    */
} hw_part;

/* One line, without its end.  `text` may be changed, with the byte behind it. */
typedef struct hw_part_line {
    char *text; /* NULL: there are no more; valid until the next call */
    size_t length;
    uint64_t offset; /* of its first byte in the file                 */
    bool torn;       /* the file ends without a newline               */
} hw_part_line;

/* HW_IO: cannot be read; no regular file (lines are read twice). */
hw_code hw_part_open(const char *path, hw_part *part, hw_error *err);
void hw_part_close(hw_part *part);

/* The next line.  HW_IO; HW_BAD_INPUT: a line longer than any result; HW_NO_MEMORY. */
hw_code hw_part_next(hw_part *part, hw_part_line *line, hw_error *err);

/*
 * The `length` bytes at `offset` once more, into `text`.  HW_IO, also where the
 * file became shorter.
 */
hw_code hw_part_again(const hw_part *part, uint64_t offset, size_t length, char *text,
                      hw_error *err);

#endif
