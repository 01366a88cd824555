/* Folders and what is in them.  See folder.h. */
#include "io/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"

char *hw_folder_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = HW_NEW(char, size);
    if (path)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

hw_code hw_folder_next(DIR *folder, const char *name, const struct dirent **entry, hw_error *err)
{
    errno = 0; /* alone tells the end from a failure */
    *entry = readdir(folder);
    if (*entry || errno == 0)
        return HW_OK;
    return hw_fail(err, HW_IO, "%s: cannot read the folder: %s", name, strerror(errno));
}

static hw_code check_inside(const char *path, const char *folder, hw_error *err)
{
    if (access(folder, W_OK | X_OK) != 0)
        return hw_fail(err, HW_IO, "%s: cannot write in the folder '%s': %s", path, folder,
                       strerror(errno));
    return HW_OK;
}

static hw_code check_above(const char *path, const char *folder, hw_error *err)
{
    struct stat about;
    if (stat(folder, &about) != 0 && errno == ENOENT)
        return hw_fail(err, HW_IO, "%s: cannot write: there is no folder '%s': make it first", path,
                       folder);
    if (stat(folder, &about) != 0)
        return hw_fail(err, HW_IO, "%s: cannot write: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return hw_fail(err, HW_IO, "%s: cannot write: '%s' is no folder: name another", path,
                       folder);
    return check_inside(path, folder, err);
}

hw_code hw_folder_above(const char *path, hw_error *err)
{
    size_t n = strlen(path);
    char *folder = HW_NEW(char, n + 2); /* room for "." */
    if (!folder)
        return hw_fail_memory(err, "a file name");
    memcpy(folder, path, n);
    while (n > 1 && folder[n - 1] == '/')
        n--;
    while (n > 0 && folder[n - 1] != '/')
        n--;
    while (n > 1 && folder[n - 1] == '/')
        n--;
    if (n == 0)
        folder[n++] = '.';
    folder[n] = '\0';
    hw_code code = check_above(path, folder, err);
    free(folder);
    return code;
}

hw_code hw_folder_check(const char *path, hw_error *err)
{
    struct stat about;
    if (!path)
        return HW_OK;
    if (stat(path, &about) != 0)
        return lstat(path, &about) == 0
                   ? hw_fail(err, HW_IO, "%s: is a link to no folder: name one, or a new one", path)
                   : hw_folder_above(path, err);
    if (!S_ISDIR(about.st_mode))
        return hw_fail(err, HW_IO, "%s: is no folder: name one, or a new one", path);
    return check_inside(path, path, err);
}

hw_code hw_folder_make(const char *path, hw_error *err)
{
    hw_code code = hw_folder_check(path, err);
    if (code == HW_OK && mkdir(path, 0777) != 0 && errno != EEXIST)
        code = hw_fail(err, HW_IO, "%s: cannot make the folder: %s", path, strerror(errno));
    return code;
}

int hw_folder_fresh(const char *path, char **name)
{
    enum { TRIES = 100, NUMBERS = 64 };
    size_t size = strlen(path) + NUMBERS;
    int file = -1;
    *name = HW_NEW(char, size);
    if (!*name) {
        errno = ENOMEM;
        return -1;
    }
    for (int i = 0; file < 0 && i < TRIES; i++) {
        (void)snprintf(*name, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        file = open(*name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0) {
        int cause = errno;
        free(*name);
        *name = NULL;
        errno = cause;
    }
    return file;
}

hw_code hw_folder_append(const char *path, int *file, hw_error *err)
{
    /* A pipe that nobody reads would be waited for. */
    const int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    struct stat about;
    *file = open(path, flags, 0666);
    const int cause = errno;
    const bool plain = *file >= 0 && fstat(*file, &about) == 0 && S_ISREG(about.st_mode);
    if (plain)
        return HW_OK;
    if (*file >= 0)
        (void)close(*file);
    if (*file >= 0 || cause == ELOOP || cause == ENXIO)
        (void)hw_fail(err, HW_IO, "%s: is a link, a pipe or a device: remove it", path);
    else
        (void)hw_fail(err, HW_IO, "%s: cannot write: %s", path, strerror(cause));
    *file = -1;
    return HW_IO;
}
