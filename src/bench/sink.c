/* Appending lines.  See sink.h. */
#include "bench/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/folder.h"

hw_code hw_sink_failed(const hw_sink *sink, int cause, hw_error *err)
{
    const char *cure = "";
    if (sink->owned && (cause == ENOSPC || cause == EDQUOT))
        cure = ": make room; the lines written so far are whole, --resume goes on behind them";
    else if (sink->owned && cause == EFBIG)
        cure = ": raise the limit of file sizes (ulimit -f); the lines written so far are whole, "
               "--resume goes on behind them";
    return hw_fail(err, HW_IO, "%s: cannot write: %s%s", sink->name, strerror(cause), cure);
}

/* The file of the name is still the one that is open: not replaced by a sweep that had it. */
static bool is_current(const hw_sink *sink)
{
    struct stat own, named;
    return fstat(sink->file, &own) == 0 && stat(sink->name, &named) == 0 &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
}

static hw_code open_path(hw_sink *sink, hw_error *err)
{
    struct stat status;
    /* Who reads a pipe himself waits for no reader, and never learns that there is none. */
    if (stat(sink->name, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        sink->file = open(sink->name, O_WRONLY | O_APPEND | O_CLOEXEC);
    else
        sink->file = open(sink->name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (sink->file < 0) {
        int cause = errno;
        hw_code code = cause == ENOENT ? hw_folder_above(sink->name, err) : HW_OK;
        return code == HW_OK ? hw_sink_failed(sink, cause, err) : code;
    }
    sink->owned = true;
    if (fstat(sink->file, &status) != 0)
        return hw_sink_failed(sink, errno, err);
    sink->regular = S_ISREG(status.st_mode);
    return HW_OK;
}

/*
 * A sweep that was killed may leave its workers alive for some milliseconds,
 * and one that has just been forked holds the file.  Where a file system knows
 * no locks, there are none.
 */
static hw_code open_locked(hw_sink *sink, hw_error *err)
{
    enum { TRIES = 20 };
    const struct timespec pause = {.tv_nsec = 50000000};
    for (int i = 0; i < TRIES; i++) {
        hw_code code = open_path(sink, err);
        if (code != HW_OK || !sink->regular)
            return code;
        bool locked = flock(sink->file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
        if (locked && is_current(sink))
            return HW_OK;
        (void)close(sink->file);
        sink->owned = false;
        (void)nanosleep(&pause, NULL);
    }
    return hw_fail(err, HW_USAGE,
                   "%s: another sweep is writing it: wait for its end, or give another file",
                   sink->name);
}

static hw_code open_file(hw_sink *sink, const char *path, hw_sink_mode mode, hw_error *err)
{
    struct stat status;
    sink->name = path;
    hw_code code = open_locked(sink, err);
    if (code != HW_OK || !sink->regular)
        return code;
    if (mode == HW_SINK_NEW && (fstat(sink->file, &status) != 0 || status.st_size > 0))
        return hw_fail(err, HW_USAGE,
                       "%s exists: --resume runs what is missing in it, --overwrite begins anew",
                       path);
    if (mode == HW_SINK_OVERWRITE && ftruncate(sink->file, 0) != 0)
        return hw_sink_failed(sink, errno, err);
    return HW_OK;
}

hw_code hw_sink_open(const char *path, hw_sink_mode mode, hw_sink *sink, hw_error *err)
{
    *sink = (hw_sink){.file = STDOUT_FILENO, .name = "standard output"};
    if (!path || strcmp(path, "-") == 0) {
        struct stat status;
        sink->regular = fstat(sink->file, &status) == 0 && S_ISREG(status.st_mode);
        return HW_OK;
    }
    hw_code code = open_file(sink, path, mode, err);
    if (code != HW_OK)
        (void)hw_sink_close(sink, NULL);
    return code;
}

hw_code hw_sink_write(hw_sink *sink, const char *lines, size_t length, hw_error *err)
{
    struct stat status;
    bool known = sink->regular && fstat(sink->file, &status) == 0;
    size_t written = 0;
    while (written < length) {
        ssize_t n = write(sink->file, lines + written, length - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int cause = errno;
            if (known && written && ftruncate(sink->file, status.st_size) != 0)
                cause = errno;
            return hw_sink_failed(sink, cause, err);
        }
        written += (size_t)n;
    }
    return HW_OK;
}

hw_code hw_sink_close(hw_sink *sink, hw_error *err)
{
    bool owned = sink->owned, regular = sink->regular;
    sink->owned = false;
    if (!owned)
        return HW_OK;
    /* A disk of another machine may say only now that it is full. */
    int cause = regular && fsync(sink->file) != 0 ? errno : 0;
    if (close(sink->file) != 0 && cause == 0)
        cause = errno;
    sink->owned = owned;
    hw_code code = cause ? hw_sink_failed(sink, cause, err) : HW_OK;
    sink->owned = false;
    return code;
}
