/* Running another program.  See program.h. */
#include "io/program.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/memory.h"

extern char **environ;

bool hw_program_present(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":"), size = length + strlen(name) + 3;
        char *file = HW_NEW(char, size);
        if (!file)
            return false;
        (void)snprintf(file, size, "%.*s/%s", length ? (int)length : 1, length ? path : ".", name);
        found = access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}

/* The caller's environment with LC_ALL=C and without GNUTERM; freed by free(). */
static char **plain_environment(void)
{
    static char locale[] = "LC_ALL=C";
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = HW_NEW(char *, n + 2);
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0 && strncmp(environ[i], "GNUTERM=", 8) != 0)
            list[kept++] = environ[i];
    list[kept++] = locale;
    list[kept] = NULL;
    return list;
}

static hw_code cannot_start(const char *name, const char *package, int cause, hw_error *err)
{
    if (cause == ENOENT)
        return hw_fail(err, HW_IO, "%s is not installed or not in PATH: install it (package %s)",
                       name, package);
    return hw_fail(err, HW_IO, "cannot start %s: %s", name, strerror(cause));
}

/* posix_spawnp() takes char *const * for historic reasons and changes nothing. */
static char **copied(const char *const *argument)
{
    size_t n = 0;
    while (argument[n])
        n++;
    return hw_copy(argument, n + 1, sizeof *argument);
}

hw_code hw_program_run(const char *const *argument, const char *package, const int file[3],
                       int *status, hw_error *err)
{
    char **arguments = copied(argument), **environment = plain_environment();
    posix_spawn_file_actions_t actions;
    if (!arguments || !environment || posix_spawn_file_actions_init(&actions) != 0) {
        free((void *)arguments);
        free((void *)environment);
        return hw_fail_memory(err, "starting a program");
    }
    pid_t child = 0;
    int failed = 0;
    for (int i = 0; !failed && i < 3; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, file[i], i);
    if (!failed)
        failed = posix_spawnp(&child, argument[0], &actions, NULL, arguments, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    free((void *)arguments);
    free((void *)environment);
    if (failed)
        return cannot_start(argument[0], package, failed, err);
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return hw_fail(err, HW_IO, "lost sight of %s: %s", argument[0], strerror(errno));
    return HW_OK;
}
