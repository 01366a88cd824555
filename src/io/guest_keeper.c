/*
 * The keeper of a program.  See guest_keeper.h.
 *
 * It is forked by a process that may have threads, so everything here is safe
 * after a fork: no memory, no locks, no streams.
 */
#define _GNU_SOURCE /* ppoll, wait4, close_range */
#include "io/guest_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where its own two pipes stand, behind the three of the program. */
enum { REPORT = 3, LIFELINE = 4, FILES = 5, APART = 16 };

static void ignore_nothing(int number)
{
    (void)number;
}

/* Everything but the first `kept` files. */
static void close_others(unsigned kept)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, kept, ~0U, 0U) == 0)
        return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (long file = kept; file < most; file++)
        (void)close((int)file);
}

/* Ends of pipes to the numbers from 0; 0 or errno. */
static int place_files(const hw_keeper *k)
{
    int file[FILES] = {k->standard[0], k->standard[1], k->standard[2], k->report, k->lifeline};
    for (int i = 0; i < FILES; i++) { /* out of each other's way first */
        file[i] = fcntl(file[i], F_DUPFD, APART);
        if (file[i] < 0)
            return errno;
    }
    for (int i = 0; i < FILES; i++)
        if (dup2(file[i], i) < 0)
            return errno;
    close_others(FILES);
    (void)fcntl(REPORT, F_SETFD, FD_CLOEXEC);
    (void)fcntl(LIFELINE, F_SETFD, FD_CLOEXEC);
    return 0;
}

static void tell(const hw_keeper_report *report)
{
    while (write(REPORT, report, sizeof *report) < 0 && errno == EINTR)
        continue;
}

_Noreturn static void give_up(int cause)
{
    const hw_keeper_report report = {.cause = cause};
    tell(&report);
    _exit(0);
}

/* As a shell would start it: nothing ignored, nothing blocked. */
static void set_signals_free(void)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        (void)sigaction(number, &usual, NULL);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void limit_data(uint64_t bytes)
{
    struct rlimit limit;
    if (bytes == 0 || getrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)
        limit.rlim_cur = (rlim_t)bytes;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > bytes)
        limit.rlim_max = (rlim_t)bytes;
    (void)setrlimit(RLIMIT_DATA, &limit);
}

/* In the program's process: become it, or tell the keeper why not. */
_Noreturn static void become(const hw_keeper *k, pid_t keeper, int why)
{
    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != keeper)
        _exit(127); /* it died before this one could hear of it */
    set_signals_free();
    limit_data(k->data_bytes);
    (void)execve(k->file, k->argument, k->environment);
    int cause = errno;
    while (write(why, &cause, sizeof cause) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

/* 0 once the program runs, else why it does not. */
static int start(const hw_keeper *k, pid_t *child)
{
    int why[2], cause = 0;
    if (pipe2(why, O_CLOEXEC) != 0)
        return errno;
    pid_t own = getpid();
    *child = fork();
    if (*child < 0)
        cause = errno;
    else if (*child == 0)
        become(k, own, why[1]);
    (void)close(why[1]);
    for (int i = 0; i < 3; i++)
        (void)close(i); /* or its end would not be seen by who reads */
    if (*child > 0) {
        (void)setpgid(*child, *child);
        ssize_t got;
        while ((got = read(why[0], &cause, sizeof cause)) < 0 && errno == EINTR)
            continue;
        if (got > 0)
            while (waitpid(*child, NULL, 0) < 0 && errno == EINTR)
                continue;
    }
    (void)close(why[0]);
    return cause;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The program has ended: end what is left of its group while its number is its own, and tell. */
_Noreturn static void conclude(pid_t child)
{
    hw_keeper_report report = {.started = true};
    struct rusage used = {.ru_maxrss = 0};
    (void)kill(-child, SIGKILL);
    while (wait4(child, &report.status, 0, &used) < 0 && errno == EINTR)
        continue;
    report.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    report.memory_bytes = (uint64_t)used.ru_maxrss * 1024;
    tell(&report);
    _exit(0);
}

static bool has_ended(pid_t child, int options)
{
    siginfo_t gone = {.si_pid = 0};
    int failed;
    while ((failed = waitid(P_PID, (id_t)child, &gone, WEXITED | WNOWAIT | options)) < 0 &&
           errno == EINTR)
        continue;
    return failed == 0 && gone.si_pid != 0;
}

void hw_keeper_live(const hw_keeper *keeper)
{
    /* What a terminal sends to all is the caller's to decide. */
    static const int deaf_to[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE};
    const struct sigaction ignore = {.sa_handler = SIG_IGN}, wake = {.sa_handler = ignore_nothing};
    sigset_t child_ends, others;
    pid_t child = 0;
    (void)setpgid(0, 0);
    int cause = place_files(keeper);
    if (cause)
        _exit(0);
    for (size_t i = 0; i < sizeof deaf_to / sizeof *deaf_to; i++)
        (void)sigaction(deaf_to[i], &ignore, NULL);
    (void)sigaction(SIGCHLD, &wake, NULL);
    (void)sigemptyset(&child_ends);
    (void)sigaddset(&child_ends, SIGCHLD);
    (void)sigprocmask(SIG_SETMASK, &child_ends, NULL); /* heard in ppoll() alone */
    (void)sigemptyset(&others);
    cause = start(keeper, &child);
    if (cause)
        give_up(cause);
    for (;;) {
        struct pollfd line = {.fd = LIFELINE, .events = POLLIN};
        char word;
        if (has_ended(child, WNOHANG))
            conclude(child);
        if (ppoll(&line, 1, NULL, &others) <= 0)
            continue;
        ssize_t got = read(LIFELINE, &word, 1);
        if (got == 1) {
            (void)kill(-child, SIGTERM);
        } else if (got == 0) {
            (void)kill(-child, SIGKILL);
            (void)has_ended(child, 0);
        }
    }
}
