/* Reading files of results line by line.  See part.h. */
#include "merge/part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

/* A line has about a kilobyte; what passes the other is no file of results. */
enum { READ_BYTES = 1 << 20, MOST_LINE_BYTES = 1 << 26 };

static const char read_twice[] =
    "it is no regular file, and its lines are read twice: write them into one first";

static hw_code cannot_read(const char *path, const char *why, hw_error *err)
{
    return hw_fail(err, HW_IO, "%s: cannot read: %s", path, why);
}

hw_code hw_part_open(const char *path, hw_part *part, hw_error *err)
{
    *part = (hw_part){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct stat status;
    if (part->fd < 0 && errno == ENOENT && strcmp(path, "-") == 0)
        return cannot_read("standard input", read_twice, err);
    if (part->fd < 0 && errno == EMFILE)
        return hw_fail(err, HW_IO,
                       "%s: cannot open: more files than a process may have: raise the limit "
                       "(ulimit -n), or merge some of them first (--partial -o)",
                       path);
    if (part->fd < 0 || fstat(part->fd, &status) != 0) {
        hw_code code = cannot_read(path, strerror(errno), err);
        hw_part_close(part);
        return code;
    }
    if (!S_ISREG(status.st_mode)) {
        hw_part_close(part);
        return cannot_read(path, read_twice, err);
    }
    return HW_OK;
}

void hw_part_close(hw_part *part)
{
    if (part->fd >= 0)
        (void)close(part->fd);
    part->fd = -1;
    free(part->buffer);
    part->buffer = NULL;
}

/* Read on behind `end`, with room for one byte more than was read. */
static hw_code read_more(hw_part *part, hw_error *err)
{
    if (part->start > 0) {
        memmove(part->buffer, part->buffer + part->start, part->end - part->start);
        part->end -= part->start;
        part->start = 0;
    }
    if (part->end > MOST_LINE_BYTES)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": a line of more than %d bytes: this is no file of results",
                       part->path, part->line + 1, MOST_LINE_BYTES);
    if (!hw_grow((void **)&part->buffer, &part->capacity, part->end + READ_BYTES + 1, 1))
        return hw_fail_memory(err, "a line of results");
    ssize_t n;
    do
        n = read(part->fd, part->buffer + part->end, READ_BYTES);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return cannot_read(part->path, strerror(errno), err);
    part->end += (size_t)n;
    part->at_end = n == 0;
    return HW_OK;
}

hw_code hw_part_next(hw_part *part, hw_part_line *line, hw_error *err)
{
    *line = (hw_part_line){.text = NULL};
    char *stop = NULL;
    size_t searched = 0; /* bytes behind `start` that hold no newline */
    while (!stop && !part->at_end) {
        if (part->end - part->start > searched)
            stop = memchr(part->buffer + part->start + searched, '\n',
                          part->end - part->start - searched);
        searched = part->end - part->start;
        hw_code code = stop ? HW_OK : read_more(part, err);
        if (code != HW_OK)
            return code;
    }
    if (!stop && part->start == part->end)
        return HW_OK;
    line->text = part->buffer + part->start;
    line->length = stop ? (size_t)(stop - line->text) : part->end - part->start;
    line->offset = part->offset;
    line->torn = stop == NULL;
    size_t taken = line->length + (stop ? 1 : 0);
    part->start += taken;
    part->offset += taken;
    part->line++;
    return HW_OK;
}

hw_code hw_part_again(const hw_part *part, uint64_t offset, size_t length, char *text,
                      hw_error *err)
{
    size_t got = 0;
    while (got < length) {
        ssize_t n = pread(part->fd, text + got, length - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return cannot_read(part->path, strerror(errno), err);
        if (n == 0)
            return cannot_read(part->path, "it became shorter while it was read", err);
        got += (size_t)n;
    }
    return HW_OK;
}
