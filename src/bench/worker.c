/* Worker processes.  See worker.h. */
#include "bench/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/broken_pipe.h"

bool hw_worker_send(int pipe, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    size_t sent = 0;
    hw_broken_pipe quiet;
    hw_broken_pipe_begin(&quiet);
    while (sent < n) {
        ssize_t done = write(pipe, from + sent, n - sent);
        if (done < 0 && errno != EINTR)
            break;
        sent += done > 0 ? (size_t)done : 0;
    }
    hw_broken_pipe_end(&quiet);
    return sent == n;
}

/* ---- In the worker. ---- */

/* Ctrl-C and a hangup reach all processes of a terminal: the parent decides what ends. */
void hw_worker_set_signals(void)
{
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGTERM, SIG_DFL);
#ifdef __linux__
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static volatile sig_atomic_t told_to_end;

static void note_end(int signal)
{
    (void)signal;
    told_to_end = 1;
}

const volatile sig_atomic_t *hw_worker_heed_end(void)
{
    struct sigaction action = {.sa_handler = note_end};
    hw_worker_set_signals();
    (void)sigaction(SIGTERM, &action, NULL);
    return &told_to_end;
}

/* ---- In the parent. ---- */

enum { LOOKS = 100, LOOK_NANOSECONDS = 5000000 };

void hw_worker_end(pid_t pid)
{
    const struct timespec pause = {.tv_nsec = LOOK_NANOSECONDS};
    pid_t gone = 0;
    (void)kill(pid, SIGTERM);
    for (int i = 0; gone == 0 && i < LOOKS; i++) {
        gone = waitpid(pid, NULL, WNOHANG);
        if (gone < 0 && errno == EINTR)
            gone = 0;
        if (gone == 0)
            (void)nanosleep(&pause, NULL);
    }
    if (gone == 0) {
        (void)kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

hw_code hw_worker_fork(pid_t *pid, int *end, hw_error *err)
{
    int ends[2];
    if (pipe(ends) != 0)
        return hw_fail(err, HW_IO, "cannot make a pipe to a worker: %s", strerror(errno));
    *pid = fork();
    if (*pid < 0) {
        int cause = errno;
        (void)close(ends[0]);
        (void)close(ends[1]);
        return hw_fail(err, HW_IO, "cannot start a worker process: %s: run fewer at once",
                       strerror(cause));
    }
    bool child = *pid == 0;
    (void)close(ends[child ? 0 : 1]);
    *end = ends[child ? 1 : 0];
    return HW_OK;
}
