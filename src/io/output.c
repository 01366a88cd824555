/*
 * Files that appear whole or not at all.  See io.h.
 *
 * The temporary file stands beside the target, so that rename() replaces it in
 * one step.  What is no ordinary file (a device, a pipe) is written in place:
 * a rename would put a file where the device was.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/folder.h"
#include "io/io.h"

static hw_code fail_errno(hw_error *err, const char *path, const char *what)
{
    return hw_fail(err, HW_IO, "%s: %s: %s", path, what, strerror(errno));
}

static void clear(hw_output *o)
{
    free(o->path);
    free(o->temporary);
    memset(o, 0, sizeof *o);
}

static hw_code cannot_write(const char *path, hw_error *err)
{
    return errno == ENOMEM ? hw_fail_memory(err, "a file to be written")
                           : fail_errno(err, path, "cannot write");
}

/*
 * Open o->path, `path` in messages.  old: the file there, whose permissions are
 * kept; NULL: none, or one that is to go.
 */
static hw_code open_file(const char *path, const struct stat *old, hw_output *o, hw_error *err)
{
    int fd = -1;
    if (o->path && old && !S_ISREG(old->st_mode))
        fd = open(o->path, O_WRONLY | O_CLOEXEC);
    else if (o->path)
        fd = hw_folder_fresh(o->path, &o->temporary);
    if (fd >= 0 && o->temporary && old)
        (void)fchmod(fd, old->st_mode & 0777);
    if (fd >= 0)
        o->stream = fdopen(fd, "w");
    if (o->stream)
        return HW_OK;
    hw_code code = cannot_write(path, err);
    if (fd >= 0)
        (void)close(fd);
    if (o->temporary)
        (void)unlink(o->temporary);
    clear(o);
    return code;
}

hw_code hw_output_check(const char *path, hw_error *err)
{
    struct stat old;
    if (!path || strcmp(path, "-") == 0)
        return HW_OK;
    if (!*path)
        return hw_fail(err, HW_IO, "'': cannot write a file without a name: name one, or -");
    bool exists = stat(path, &old) == 0;
    if (!exists && path[strlen(path) - 1] == '/')
        return hw_fail(err, HW_IO, "%s: is no folder: name a file, in one that is there", path);
    if (!exists && lstat(path, &old) == 0)
        return hw_fail(err, HW_IO, "%s: is a link to nothing: name a file", path);
    if (!exists)
        return hw_folder_above(path, err);
    if (S_ISDIR(old.st_mode))
        return hw_fail(err, HW_IO, "%s: is a folder: name a file in it", path);
    if (!S_ISREG(old.st_mode))
        return access(path, W_OK) == 0 ? HW_OK : fail_errno(err, path, "cannot write");
    char *own = realpath(path, NULL);
    hw_code code = own ? hw_folder_above(own, err) : cannot_write(path, err);
    free(own);
    return code;
}

hw_code hw_output_open(const char *path, hw_output *o, hw_error *err)
{
    struct stat old;
    memset(o, 0, sizeof *o);
    if (!path || strcmp(path, "-") == 0) {
        o->stream = stdout;
        return HW_OK;
    }
    hw_code code = hw_output_check(path, err);
    if (code != HW_OK)
        return code;
    /* Through a link, it is the file behind it that is replaced. */
    bool exists = stat(path, &old) == 0;
    o->path = exists ? realpath(path, NULL) : hw_copy(path, strlen(path) + 1, 1);
    return open_file(path, exists ? &old : NULL, o, err);
}

hw_code hw_output_open_inside(const char *path, hw_output *o, hw_error *err)
{
    struct stat old;
    memset(o, 0, sizeof *o);
    bool exists = lstat(path, &old) == 0;
    if (exists && S_ISDIR(old.st_mode))
        return hw_fail(err, HW_IO, "%s: is a folder: name a file in it", path);
    o->path = hw_copy(path, strlen(path) + 1, 1);
    return open_file(path, exists && S_ISREG(old.st_mode) ? &old : NULL, o, err);
}

hw_code hw_output_commit(hw_output *o, hw_error *err)
{
    const char *shown = o->path ? o->path : "standard output";
    errno = 0;
    bool failed = fflush(o->stream) != 0 || ferror(o->stream);
    hw_code code = HW_OK;
    /* Whatever stopped an earlier write stops another: of a file that goes anyway, ask for it. */
    if (failed && errno == 0 && o->temporary)
        (void)!write(fileno(o->stream), "", 1);
    if (failed)
        code = hw_fail(err, HW_IO, "%s: cannot write: %s", shown,
                       errno ? strerror(errno) : "an earlier write failed");
    if (!o->path)
        return code;
    if (fclose(o->stream) != 0 && code == HW_OK)
        code = fail_errno(err, shown, "cannot write");
    o->stream = NULL;
    if (o->temporary) {
        if (code == HW_OK && rename(o->temporary, o->path) != 0)
            code = fail_errno(err, shown, "cannot put the file in place");
        if (code != HW_OK)
            (void)unlink(o->temporary);
    }
    clear(o);
    return code;
}

void hw_output_abandon(hw_output *o)
{
    if (o->path && o->stream)
        (void)fclose(o->stream);
    if (o->temporary)
        (void)unlink(o->temporary);
    clear(o);
}
