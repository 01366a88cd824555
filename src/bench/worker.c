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

/* ---- In the worker. ---- */

static bool send_report(void *context, const hw_report *report)
{
    const int *pipe = context;
    const unsigned char *bytes = (const unsigned char *)report;
    size_t sent = 0;
    while (sent < sizeof *report) {
        ssize_t n = write(*pipe, bytes + sent, sizeof *report - sent);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false; /* the parent is gone */
        sent += (size_t)n;
    }
    return true;
}

/* Ctrl-C reaches all processes of a terminal: the parent decides what ends. */
void hw_worker_set_signals(void)
{
    (void)signal(SIGINT, SIG_IGN);
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

/* While no run is under way, the section's time holds for making the instance. */
static double kill_after(const hw_worker *w)
{
    const hw_suite_section *section = w->state->section;
    const hw_suite_limits *limits =
        w->running ? &section->solvers[w->solver].limits : &section->limits;
    return limits->kill_after_seconds;
}

static void set_deadline(hw_worker *w)
{
    double seconds = kill_after(w);
    w->deadline = seconds > 0 ? hw_wall_seconds() + seconds : 0;
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

hw_code hw_worker_start(hw_worker *w, const hw_suite *suite, hw_unit_state *state, hw_error *err)
{
    pid_t pid = -1;
    int end;
    hw_code code = hw_worker_fork(&pid, &end, err);
    if (code != HW_OK)
        return code;
    if (pid == 0) {
        hw_worker_set_signals();
        hw_unit_run(suite, &suite->units[state->unit], state->run, send_report, &end);
        _exit(0); /* the parent's buffers and handlers are not this process's */
    }
    *w = (hw_worker){.state = state, .pid = pid, .pipe = end};
    state->busy = true;
    set_deadline(w);
    return HW_OK;
}

static void settle(hw_worker *w, uint32_t solver, const hw_run *run)
{
    w->state->run[solver] = *run;
    w->state->n_open--;
    w->running = false;
}

static void take_report(hw_worker *w, const hw_report *r)
{
    bool sane = r->solver < w->state->section->n_solvers;
    if (r->kind == HW_REPORT_INSTANCE) {
        w->state->facts = r->facts;
    } else if (r->kind == HW_REPORT_START && sane) {
        w->running = true;
        w->solver = r->solver;
    } else if (sane && w->state->run[r->solver].fate == HW_FATE_OPEN) {
        settle(w, r->solver, &r->run);
    }
    set_deadline(w);
}

/* Wait for a process that has closed its pipe; its status. */
static int reap(const hw_worker *w)
{
    int status = 0;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* A worker that ends with runs still open has died in one of them. */
static void bury(hw_worker *w, int status)
{
    hw_unit_state *state = w->state;
    uint32_t solver = w->solver;
    if (!w->running)
        for (solver = 0; state->run[solver].fate != HW_FATE_OPEN;)
            solver++;
    hw_run run = {.wall_seconds = -1, .cpu_seconds = -1};
    run.fate = w->killed ? HW_FATE_TIMEOUT : HW_FATE_CRASHED;
    if (w->killed)
        (void)snprintf(run.message, sizeof run.message, "killed after %g seconds", kill_after(w));
    else if (WIFSIGNALED(status))
        (void)snprintf(run.message, sizeof run.message, "the worker was ended by signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)snprintf(run.message, sizeof run.message, "the worker ended with exit status %d",
                       WEXITSTATUS(status));
    settle(w, solver, &run);
}

void hw_worker_read(hw_worker *w, bool *ended)
{
    *ended = false;
    ssize_t n = read(w->pipe, w->buffer + w->filled, sizeof w->buffer - w->filled);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n > 0) {
        w->filled += (size_t)n;
        size_t at = 0;
        for (; w->filled - at >= sizeof(hw_report); at += sizeof(hw_report)) {
            hw_report report;
            memcpy(&report, w->buffer + at, sizeof report);
            take_report(w, &report);
        }
        w->filled -= at;
        memmove(w->buffer, w->buffer + at, w->filled);
        return;
    }
    (void)close(w->pipe);
    int status = reap(w);
    if (w->state->n_open > 0)
        bury(w, status);
    w->state->busy = false;
    *ended = true;
}

void hw_worker_check_deadline(hw_worker *w, double now)
{
    if (w->deadline > 0 && now >= w->deadline && !w->killed) {
        w->killed = true;
        (void)kill(w->pid, SIGKILL);
    }
}

void hw_worker_abandon(hw_worker *w)
{
    (void)kill(w->pid, SIGKILL);
    (void)close(w->pipe);
    (void)reap(w);
    w->state = NULL;
}
