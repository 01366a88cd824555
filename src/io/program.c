/* Running another program.  See program.h. */
#include "io/program.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
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

static hw_code start(const char *const *argument, const char *package, const int file[3],
                     pid_t *child, hw_error *err)
{
    char **arguments = copied(argument), **environment = plain_environment();
    posix_spawn_file_actions_t actions;
    if (!arguments || !environment || posix_spawn_file_actions_init(&actions) != 0) {
        free((void *)arguments);
        free((void *)environment);
        return hw_fail_memory(err, "starting a program");
    }
    int failed = 0;
    for (int i = 0; !failed && i < 3; i++)
        failed = posix_spawn_file_actions_adddup2(&actions, file[i], i);
    if (!failed)
        failed = posix_spawnp(child, argument[0], &actions, NULL, arguments, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    free((void *)arguments);
    free((void *)environment);
    if (failed)
        return cannot_start(argument[0], package, failed, err);
    return HW_OK;
}

/* Wait a little longer each time: short programs are not kept waiting. */
static void rest(long *nanoseconds)
{
    enum { MOST = 20000000 };
    struct timespec pause = {.tv_nsec = *nanoseconds};
    (void)nanosleep(&pause, NULL);
    if (*nanoseconds < MOST)
        *nanoseconds *= 2;
}

hw_code hw_program_run_watched(const char *const *argument, const char *package, const int file[3],
                               const hw_program_watch *watch, int *status, bool *killed,
                               hw_error *err)
{
    pid_t child = 0;
    long wait_ns = 100000;
    *killed = false;
    hw_code code = start(argument, package, file, &child, err);
    if (code != HW_OK)
        return code;
    for (;;) {
        bool polls = watch && !*killed;
        pid_t ended = waitpid(child, status, polls ? WNOHANG : 0);
        if (ended == child)
            return HW_OK;
        if (ended < 0 && errno != EINTR)
            return hw_fail(err, HW_IO, "lost sight of %s: %s", argument[0], strerror(errno));
        if (ended != 0 || !polls)
            continue;
        if (watch->over(watch->context)) {
            (void)kill(child, SIGKILL);
            *killed = true;
        } else {
            rest(&wait_ns);
        }
    }
}

hw_code hw_program_run(const char *const *argument, const char *package, const int file[3],
                       int *status, hw_error *err)
{
    bool killed;
    return hw_program_run_watched(argument, package, file, NULL, status, &killed, err);
}
