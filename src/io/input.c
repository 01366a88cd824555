/* Bytes in.  See input.h. */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

enum { BLOCK_BYTES = 1 << 18 };

static bool set_name(hw_input *in, const char *name)
{
    memset(in, 0, sizeof *in);
    in->fd = -1;
    in->name = hw_copy(name, strlen(name) + 1, 1);
    return in->name != NULL;
}

hw_code hw_input_open(hw_input *in, const char *path, hw_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    if (!set_name(in, standard ? "standard input" : path))
        return hw_fail_memory(err, "opening a file");
    in->fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    hw_code code = HW_OK;
    if (in->fd < 0 || fstat(in->fd, &about) != 0)
        code = hw_fail(err, HW_IO, "%s: cannot open: %s: name a readable file, or - for a pipe",
                       in->name, strerror(errno));
    else if (S_ISDIR(about.st_mode))
        code = hw_fail(err, HW_IO, "%s: is a folder: name a file in it", in->name);
    if (code != HW_OK)
        hw_input_close(in);
    return code;
}

hw_code hw_input_memory(hw_input *in, const char *bytes, size_t n, const char *name, hw_error *err)
{
    if (!set_name(in, name))
        return hw_fail_memory(err, "reading from memory");
    in->buffer = hw_copy(bytes, n, 1);
    in->capacity = in->end = n;
    in->at_end = true;
    if (in->buffer)
        return HW_OK;
    hw_input_close(in);
    return hw_fail_memory(err, "reading from memory");
}

void hw_input_close(hw_input *in)
{
    if (in->fd > STDIN_FILENO)
        (void)close(in->fd);
    free(in->name);
    free(in->buffer);
    memset(in, 0, sizeof *in);
    in->fd = -1;
}

hw_code hw_input_more(hw_input *in, hw_error *err)
{
    if (in->at_end)
        return HW_OK;
    if (in->start > 0) {
        memmove(in->buffer, in->buffer + in->start, in->end - in->start);
        in->end -= in->start;
        in->start = 0;
    }
    const uint64_t most = in->most ? in->most : HW_INPUT_MOST;
    if (in->end >= most)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: after %" PRIu64 " lines, %" PRIu64
                       " bytes without an end: that is more "
                       "than is read at once; is this the right file?",
                       in->name, in->line, most);
    if (in->end + BLOCK_BYTES / 2 > in->capacity &&
        !hw_grow((void **)&in->buffer, &in->capacity, in->end + BLOCK_BYTES, 1))
        return hw_fail_memory(err, "a line or a file of this length");
    ssize_t got = read(in->fd, in->buffer + in->end, in->capacity - in->end);
    if (got < 0 && errno == EINTR)
        return hw_fail(err, HW_STOPPED, "%s: a signal came while reading", in->name);
    if (got < 0)
        return hw_fail(err, HW_IO, "%s: cannot read: %s", in->name, strerror(errno));
    in->at_end = got == 0;
    in->end += (size_t)got;
    return HW_OK;
}

/* Bytes that a plain file holds from where it stands; 0: it is none. */
static uint64_t left_in_file(int fd)
{
    struct stat about;
    off_t here = lseek(fd, 0, SEEK_CUR);
    if (here < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= here)
        return 0;
    return (uint64_t)(about.st_size - here);
}

hw_code hw_input_skip(hw_input *in, uint64_t n, uint64_t *passed, hw_error *err)
{
    hw_code code = HW_OK;
    *passed = 0;
    while (code == HW_OK && *passed < n) {
        uint64_t wanted = n - *passed, have = in->end - in->start;
        uint64_t step = have < wanted ? have : wanted;
        in->start += (size_t)step;
        *passed += step;
        if (step == wanted || in->at_end)
            break;
        wanted -= step;
        have = left_in_file(in->fd);
        step = have < wanted ? have : wanted;
        if (step > 0 && lseek(in->fd, (off_t)step, SEEK_CUR) >= 0)
            *passed += step;
        else
            code = hw_input_more(in, err);
    }
    return code;
}

hw_code hw_input_all(hw_input *in, hw_error *err)
{
    hw_code code = HW_OK;
    while (code == HW_OK && !in->at_end)
        code = hw_input_more(in, err);
    return code;
}

size_t hw_input_mark(const char *bytes, size_t n)
{
    static const char mark[HW_INPUT_MARK_BYTES] = "\xef\xbb\xbf";
    return n >= sizeof mark && memcmp(bytes, mark, sizeof mark) == 0 ? sizeof mark : 0;
}

hw_code hw_input_line(hw_input *in, char **line, size_t *length, hw_error *err)
{
    size_t searched = 0;
    for (;;) {
        size_t unread = in->end - in->start;
        char *from = unread ? in->buffer + in->start : NULL; /* there may be no buffer yet */
        char *feed = unread > searched ? memchr(from + searched, '\n', unread - searched) : NULL;
        if (feed) {
            size_t n = (size_t)(feed - from);
            in->start += n + 1;
            size_t mark = in->line++ == 0 ? hw_input_mark(from, n) : 0;
            from += mark;
            n -= mark;
            *line = from;
            *length = n > 0 && from[n - 1] == '\r' ? n - 1 : n;
            return HW_OK;
        }
        searched = unread;
        if (in->at_end)
            break;
        hw_code code = hw_input_more(in, err);
        if (code != HW_OK)
            return code;
    }
    *line = NULL;
    *length = 0;
    if (searched == 0)
        return HW_OK;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": the file ends in the middle of a line: it is truncated; get "
                   "it whole, or end its last line",
                   in->name, in->line + 1);
}

hw_code hw_input_ended(FILE *in, const char *path, hw_error *err)
{
    int cause = errno;
    if (ferror(in))
        return hw_fail(err, HW_IO, "%s: cannot be read: %s", path, strerror(cause));
    return feof(in) ? HW_OK : hw_fail_memory(err, "a line of a file");
}
