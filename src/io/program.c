/* Running another program.  See program.h. */
#define _GNU_SOURCE /* dladdr() */
#include "io/program.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"

#ifndef HW_LIBEXECDIR
#define HW_LIBEXECDIR "/usr/local/libexec" /* the Makefile's libexecdir */
#endif

extern char **environ;

char *hw_program_in_path(const char *name)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? hw_copy(name, strlen(name) + 1, 1) : NULL;
    while (path && *path) {
        size_t length = strcspn(path, ":"), size = length + strlen(name) + 3;
        char *file = HW_NEW(char, size);
        if (!file)
            return NULL;
        (void)snprintf(file, size, "%.*s/%s", length ? (int)length : 1, length ? path : ".", name);
        if (access(file, X_OK) == 0)
            return file;
        free(file);
        path += length + (path[length] == ':');
    }
    errno = ENOENT;
    return NULL;
}

/* The file `name` in `folder` as seen from beside `own`; NULL: not there, or no memory. */
static char *find_beside(const char *own, const char *folder, const char *name)
{
    const char *slash = strrchr(own, '/');
    size_t length = slash ? (size_t)(slash - own) + 1 : 0;
    size_t size = length + strlen(folder) + strlen(name) + 1;
    char *file = slash ? HW_NEW(char, size) : NULL;
    if (!file)
        return NULL;
    (void)snprintf(file, size, "%.*s%s%s", (int)length, own, folder, name);
    if (access(file, X_OK) == 0)
        return file;
    free(file);
    return NULL;
}

/* Beside the program that runs: as built, as installed. */
static char *find_beside_program(const char *name)
{
    static const char *const folders[] = {"", "../libexec/highwater/", "../lib/highwater/", "../"};
    enum { PATH_BYTES = 4096 };
    char own[PATH_BYTES], *file = NULL;
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = '\0';
    for (size_t i = 0; !file && i < sizeof folders / sizeof folders[0]; i++)
        file = find_beside(own, folders[i], name);
    return file;
}

/* Beside the library, where the program that runs is another's (an interpreter): lib, lib/TRIPLET.
 */
static char *find_beside_library(const char *name)
{
    static const char *const folders[] = {"", "../libexec/highwater/", "../../libexec/highwater/",
                                          "highwater/", "../highwater/"};
    static const char here; /* an address inside the library */
    Dl_info own;
    char *file = NULL;
    if (dladdr(&here, &own) == 0 || !own.dli_fname)
        return NULL;
    for (size_t i = 0; !file && i < sizeof folders / sizeof folders[0]; i++)
        file = find_beside(own.dli_fname, folders[i], name);
    return file;
}

char *hw_program_find(const char *name)
{
    char *file = find_beside_program(name);
    if (!file)
        file = find_beside_library(name);
    if (!file)
        file = find_beside(HW_LIBEXECDIR "/highwater/", "", name);
    return file ? file : hw_program_in_path(name);
}

bool hw_program_present(const char *name)
{
    char *file = hw_program_in_path(name);
    free(file);
    return file != NULL || errno == ENOMEM; /* starting it will tell */
}

/* The caller's environment with LC_ALL=C, TZ=UTC0 and without GNUTERM; freed by free(). */
static char **plain_environment(void)
{
    static char locale[] = "LC_ALL=C", zone[] = "TZ=UTC0"; /* PDFs carry the time */
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = HW_NEW(char *, n + 3);
    if (!list)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0 && strncmp(environ[i], "GNUTERM=", 8) != 0 &&
            strncmp(environ[i], "TZ=", 3) != 0)
            list[kept++] = environ[i];
    list[kept++] = locale;
    list[kept++] = zone;
    list[kept] = NULL;
    return list;
}

static hw_code cannot_start(const char *name, const char *package, int cause, hw_error *err)
{
    if (cause == ENOENT)
        return hw_fail(err, HW_IO, "%s is not installed or not in PATH: install it (package %s)",
                       name, package);
    if (cause == ENOMEM)
        return hw_fail_memory(err, "starting a program");
    return hw_fail(err, HW_IO, "cannot start %s: %s", name, strerror(cause));
}

/* execve() takes char *const * for historic reasons and changes nothing. */
static char **copied(const char *const *argument)
{
    size_t n = 0;
    while (argument[n])
        n++;
    return hw_copy(argument, n + 1, sizeof *argument);
}

/*
 * In the child, where only what is safe after a fork may be called: become the
 * program, which ends when its caller does (a solver may be killed), or tell
 * why not.
 */
static void become(const char *file, char **argument, char **environment, const int standard[3],
                   int tell)
{
    int failed = 0;
    sigset_t none; /* the thread that runs it may let no signal in (solve/session.c) */
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    for (int i = 0; failed == 0 && i < 3; i++)
        failed = dup2(standard[i], i) < 0 ? errno : 0;
    if (failed == 0) {
        (void)execve(file, argument, environment);
        failed = errno;
    }
    while (write(tell, &failed, sizeof failed) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

/* 0 once the program runs, else why it does not. */
static int fork_program(const char *file, char **argument, char **environment,
                        const int standard[3], pid_t *child)
{
    int ends[2], failed = 0;
    if (pipe(ends) != 0)
        return errno;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    *child = fork();
    if (*child < 0)
        failed = errno;
    else if (*child == 0)
        become(file, argument, environment, standard, ends[1]);
    (void)close(ends[1]);
    ssize_t got = 0;
    while (failed == 0 && (got = read(ends[0], &failed, sizeof failed)) < 0 && errno == EINTR)
        continue;
    (void)close(ends[0]);
    if (got > 0)
        while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
            continue;
    return failed;
}

static hw_code start(const char *const *argument, const char *package, const int file[3],
                     pid_t *child, hw_error *err)
{
    char *program = hw_program_in_path(argument[0]);
    if (!program)
        return cannot_start(argument[0], package, errno, err);
    char **arguments = copied(argument), **environment = plain_environment();
    int failed = arguments && environment
                     ? fork_program(program, arguments, environment, file, child)
                     : ENOMEM;
    free(program);
    free((void *)arguments);
    free((void *)environment);
    return failed ? cannot_start(argument[0], package, failed, err) : HW_OK;
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
