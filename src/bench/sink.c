/* Appending lines, and finding those of an earlier sweep.  See sink.h. */
#include "bench/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

static hw_code cannot_write(const hw_sink *sink, int cause, hw_error *err)
{
    return hw_fail(err, HW_IO, "%s: cannot be written: %s%s", sink->name, strerror(cause),
                   cause == ENOSPC && sink->owned
                       ? ": make room; the lines written so far are whole, --resume "
                         "goes on behind them"
                       : "");
}

/* ---- What was there before. ---- */

static int compare_slots(const void *a, const void *b)
{
    return hw_record_compare_keys(*(const hw_record *const *)a, *(const hw_record *const *)b);
}

const hw_record *hw_sink_find(const hw_sink *sink, const hw_record *like)
{
    if (!sink->before || sink->before->n_records == 0)
        return NULL;
    const hw_record *const *found = bsearch(&like, sink->by_key, sink->before->n_records,
                                            sizeof(const hw_record *), compare_slots);
    return found ? *found : NULL;
}

/* ---- Opening. ---- */

/* Read what is there, but for a torn last line, which is cut off. */
static hw_code read_before(hw_sink *sink, hw_error *err)
{
    hw_code code = hw_results_load(sink->name, true, &sink->before, err);
    if (code != HW_OK)
        return code;
    const hw_results *before = sink->before;
    bool only_torn = before->torn_end && before->n_broken == 1;
    if (before->n_broken && !only_torn)
        return hw_fail(err, HW_BAD_INPUT, "%s", before->broken.message);
    /* A last line may be whole but for its newline: it is written again. */
    size_t n = before->n_records;
    if (before->torn_end && !before->n_broken)
        n--;
    sink->before->n_records = n;
    if (before->torn_end && ftruncate(sink->file, (off_t)before->whole_bytes) != 0)
        return cannot_write(sink, errno, err);
    sink->by_key = HW_NEW(const hw_record *, n);
    if (!sink->by_key)
        return hw_fail_memory(err, "results");
    for (size_t i = 0; i < n; i++)
        sink->by_key[i] = &before->records[i];
    qsort((void *)sink->by_key, n, sizeof(const hw_record *), compare_slots);
    return HW_OK;
}

static hw_code open_file(hw_sink *sink, const char *path, bool resume, bool overwrite,
                         hw_error *err)
{
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (overwrite ? O_TRUNC : 0);
    sink->name = path;
    sink->file = open(path, flags, 0666);
    if (sink->file < 0)
        return cannot_write(sink, errno, err);
    sink->owned = true;
    struct stat status;
    if (fstat(sink->file, &status) != 0)
        return cannot_write(sink, errno, err);
    if (!S_ISREG(status.st_mode) || status.st_size == 0)
        return HW_OK;
    if (!resume)
        return hw_fail(err, HW_USAGE,
                       "%s exists: --resume runs what is missing in it, --overwrite begins anew",
                       path);
    return read_before(sink, err);
}

hw_code hw_sink_open(const char *path, bool resume, bool overwrite, hw_sink *sink, hw_error *err)
{
    *sink = (hw_sink){.file = STDOUT_FILENO, .name = "standard output"};
    if (!path || strcmp(path, "-") == 0)
        return HW_OK;
    hw_code code = open_file(sink, path, resume, overwrite, err);
    if (code != HW_OK)
        (void)hw_sink_close(sink, NULL);
    return code;
}

/* ---- Writing. ---- */

hw_code hw_sink_write(hw_sink *sink, const char *line, size_t length, hw_error *err)
{
    struct stat status;
    bool regular = fstat(sink->file, &status) == 0 && S_ISREG(status.st_mode);
    size_t written = 0;
    while (written < length) {
        ssize_t n = write(sink->file, line + written, length - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int cause = errno;
            if (regular && written && ftruncate(sink->file, status.st_size) != 0)
                cause = errno;
            return cannot_write(sink, cause, err);
        }
        written += (size_t)n;
    }
    return HW_OK;
}

hw_code hw_sink_close(hw_sink *sink, hw_error *err)
{
    hw_results_free(sink->before);
    free((void *)sink->by_key);
    sink->before = NULL;
    sink->by_key = NULL;
    bool owned = sink->owned;
    sink->owned = false;
    if (owned && close(sink->file) != 0)
        return cannot_write(sink, errno, err);
    return HW_OK;
}
