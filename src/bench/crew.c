/* Workers, their desks, their ends.  See crew.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "bench/crew.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench/cage.h"
#include "bench/machine.h"
#include "bench/resident.h"
#include "bench/worker.h"

/* What goes through the pipes: the number of a desk, or a word. */
enum { GO_HOME = 255, LEAVING = 128 };

/* A process makes place for a fresh one after so many units, or when it has grown so much. */
enum { MOST_UNITS = 512 };
static const uint64_t most_growth_bytes = UINT64_C(8) << 20;

/* ---- In the worker. ---- */

typedef struct bench_work {
    hw_desk *desk;
    atomic_bool *done;
    uint64_t base_bytes;
} bench_work;

/* So that the next run is not charged for what this one had. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

static bool note_report(void *context, const hw_report *report)
{
    const bench_work *work = context;
    hw_desk *desk = work->desk;
    switch (report->kind) {
    case HW_REPORT_INSTANCE:
        desk->facts = report->facts;
        atomic_store(&desk->made, true);
        break;
    case HW_REPORT_START:
        atomic_store(&desk->since, hw_wall_seconds());
        atomic_store(&desk->running, report->solver + 1);
        break;
    case HW_REPORT_RUN:
        desk->run[report->solver] = report->run;
        atomic_store(&work->done[report->solver], true);
        atomic_store(&desk->running, 0);
        if (report->run.memory_bytes.value > work->base_bytes + most_growth_bytes)
            give_back_memory();
        break;
    }
    return true;
}

static bool get_order(int pipe, unsigned char *order)
{
    ssize_t n;
    do
        n = read(pipe, order, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 && *order < HW_DESKS;
}

static void work_for_good(const hw_worker *w, const hw_suite *suite, int orders, int reports)
{
    uint64_t base = hw_resident_bytes().value;
    unsigned char order;
    for (unsigned n = 1; get_order(orders, &order); n++) {
        bench_work work = {w->desk[order], w->done[order], base};
        double start = hw_wall_seconds();
        atomic_store(&work.desk->begin, start);
        atomic_store(&work.desk->since, start);
        atomic_store(&work.desk->begun, true);
        hw_unit_run(suite, work.desk->unit, work.desk->run, work.desk->first, note_report, &work);
        bool leaves = n == MOST_UNITS || hw_resident_bytes().value > base + most_growth_bytes;
        if (leaves)
            order |= LEAVING;
        if (!hw_worker_send(reports, &order, 1) || leaves)
            break;
    }
    _exit(0); /* the parent's buffers and handlers are not this process's */
}

/* ---- Desks. ---- */

hw_code hw_worker_equip(hw_worker *w, size_t most, hw_error *err)
{
    size_t desk_bytes = (sizeof(hw_desk) + most * sizeof(hw_run) + 63) / 64 * 64;
    size_t flag_bytes = (most * sizeof(atomic_bool) + 63) / 64 * 64;
    size_t bytes = HW_DESKS * (desk_bytes + flag_bytes);
    *w = (hw_worker){.orders = -1, .reports = -1};
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return hw_fail_memory(err, "the workers of a sweep");
    w->memory = memory;
    w->memory_bytes = bytes;
    for (unsigned d = 0; d < HW_DESKS; d++) {
        unsigned char *at = w->memory + d * (desk_bytes + flag_bytes);
        w->desk[d] = (hw_desk *)(void *)at;
        w->done[d] = (atomic_bool *)(void *)(at + desk_bytes);
    }
    return HW_OK;
}

unsigned hw_worker_load(const hw_worker *w)
{
    return (w->state[0] ? 1U : 0U) + (w->state[1] ? 1U : 0U);
}

static void lay_desk(hw_worker *w, unsigned d, hw_unit_state *state)
{
    hw_desk *desk = w->desk[d];
    desk->unit = state->unit;
    desk->first = state->again ? state->first : HW_NONE;
    atomic_store(&desk->made, false);
    atomic_store(&desk->begun, false);
    atomic_store(&desk->running, 0);
    atomic_store(&desk->since, 0.0);
    atomic_store(&desk->begin, 0.0);
    for (size_t i = 0; i < state->section->n_solvers; i++) {
        desk->run[i] = (hw_run){.fate = state->run[i].fate};
        atomic_store(&w->done[d][i], false);
    }
    w->state[d] = state;
    state->busy = true;
}

/* The time that has gone into the unit goes to its state. */
static void count_time(hw_worker *w, unsigned d)
{
    if (atomic_load(&w->desk[d]->begun))
        w->state[d]->seconds += hw_wall_seconds() - atomic_load(&w->desk[d]->begin);
}

/* Take what is done; how many runs. */
static size_t clear_desk(hw_worker *w, unsigned d)
{
    hw_desk *desk = w->desk[d];
    hw_unit_state *state = w->state[d];
    size_t taken = 0;
    if (atomic_load(&desk->made))
        state->facts = desk->facts;
    for (size_t i = 0; i < state->section->n_solvers; i++)
        if (state->run[i].fate == HW_FATE_OPEN && atomic_load(&w->done[d][i])) {
            state->run[i] = desk->run[i];
            state->n_open--;
            taken++;
        }
    state->busy = false;
    w->state[d] = NULL;
    return taken;
}

/* ---- Beginning. ---- */

static hw_code start_process(hw_worker *w, const hw_suite *suite, int close_file, hw_error *err)
{
    int orders[2], reports;
    pid_t pid = -1, own = getpid();
    if (pipe(orders) != 0)
        return hw_fail(err, HW_IO, "cannot make a pipe to a worker: %s", strerror(errno));
    hw_code code = hw_worker_fork(&pid, &reports, err);
    if (code != HW_OK) {
        (void)close(orders[0]);
        (void)close(orders[1]);
        return code;
    }
    if (pid == 0) {
        (void)setpgid(0, 0);
        hw_worker_set_signals();
        if (getppid() != own)
            _exit(0); /* it has died before this one could hear of it */
        (void)signal(SIGPROF, SIG_DFL);
        (void)signal(SIGXFSZ, SIG_DFL);
        (void)close(orders[1]);
        (void)fcntl(orders[0], F_SETFD, FD_CLOEXEC);
        (void)fcntl(reports, F_SETFD, FD_CLOEXEC);
        if (close_file >= 0)
            (void)close(close_file); /* and with it the lock on it */
        work_for_good(w, suite, orders[0], reports);
    }
    (void)setpgid(pid, pid); /* whoever comes first */
    (void)close(orders[0]);
    (void)fcntl(orders[1], F_SETFD, FD_CLOEXEC);
    (void)fcntl(reports, F_SETFD, FD_CLOEXEC);
    (void)fcntl(reports, F_SETFL, O_NONBLOCK);
    w->pid = pid;
    w->orders = orders[1];
    w->reports = reports;
    w->settled = 0;
    w->killed = false;
    w->starved = hw_machine_starved();
    return HW_OK;
}

hw_code hw_worker_give(hw_worker *w, const hw_suite *suite, hw_unit_state *state, int close_file,
                       hw_error *err)
{
    if (w->pid == 0) {
        hw_code code = start_process(w, suite, close_file, err);
        if (code != HW_OK)
            return code;
    }
    unsigned char d = (unsigned char)(w->state[w->at] ? 1 - w->at : w->at);
    lay_desk(w, d, state);
    /* One that has just died does not hear this: its end is seen soon, and the unit comes back. */
    if (!hw_worker_send(w->orders, &d, 1) && errno != EPIPE)
        return hw_fail(err, HW_IO, "cannot write to a worker: %s", strerror(errno));
    return HW_OK;
}

/* ---- Ending. ---- */

/* A folder as mkdtemp() makes it, and what it holds; no link to another, nobody else's. */
static void remove_folder(int parent, const char *name)
{
    struct stat status;
    DIR *inside = NULL;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0)
        inside = fdopendir(folder);
    if (!inside) {
        (void)close(folder);
        return;
    }
    for (const struct dirent *item; (item = readdir(inside)) != NULL;)
        (void)unlinkat(folder, item->d_name, 0);
    (void)closedir(inside);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* Temporary folders of programs that a solver ran (src/io/ilp.c): DIR/highwater-NAME-PID-XXXXXX. */
static void remove_leftovers(pid_t pid)
{
    const char *root = getenv("TMPDIR");
    char pattern[64];
    DIR *folder = opendir(root && *root ? root : "/tmp");
    if (!folder)
        return;
    (void)snprintf(pattern, sizeof pattern, "highwater-*-%ld-??????", (long)pid);
    for (const struct dirent *item; (item = readdir(folder)) != NULL;)
        if (fnmatch(pattern, item->d_name, 0) == 0)
            remove_folder(dirfd(folder), item->d_name);
    (void)closedir(folder);
}

/* Wait for its end, and end what it may have left behind; its status. */
static int reap(hw_worker *w)
{
    int status = 0;
    siginfo_t unused;
    /* Its group is ended while its number is still its own. */
    while (waitid(P_PID, (id_t)w->pid, &unused, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    (void)kill(-w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        remove_leftovers(w->pid);
    (void)close(w->orders);
    (void)close(w->reports);
    w->orders = w->reports = -1;
    w->pid = 0;
    return status;
}

static void kill_all(const hw_worker *w)
{
    (void)kill(-w->pid, SIGKILL);
    (void)kill(w->pid, SIGKILL);
}

void hw_worker_abandon(hw_worker *w)
{
    const unsigned char go_home = GO_HOME;
    bool idle = hw_worker_load(w) == 0;
    if (w->pid == 0)
        return;
    if (!idle && w->state[w->at])
        count_time(w, w->at);
    if (idle && !hw_worker_send(w->orders, &go_home, 1))
        idle = false;
    if (!idle)
        kill_all(w);
    (void)reap(w);
    w->state[0] = w->state[1] = NULL;
}

void hw_worker_release(hw_worker *w)
{
    hw_worker_abandon(w);
    if (w->memory)
        (void)munmap(w->memory, w->memory_bytes);
    w->memory = NULL;
}

/* While no run is under way, the section's limits hold for making the instance. */
static const hw_suite_limits *limits_in(const hw_unit_state *state, uint32_t running)
{
    return running ? &state->section->solvers[running - 1].limits : &state->section->limits;
}

static hw_run verdict_of_end(const hw_worker *w, const hw_suite_limits *limits, bool killed,
                             int status)
{
    hw_run run = {.fate = HW_FATE_CRASHED, .wall_seconds = -1, .cpu_seconds = -1};
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (killed) {
        run.fate = HW_FATE_TIMEOUT;
        (void)snprintf(run.message, sizeof run.message, "killed after %g seconds",
                       limits->kill_after_seconds);
    } else if (limits->cpu_seconds > 0 && hw_cage_ended_by(number)) {
        run.fate = HW_FATE_TIMEOUT;
        hw_cpu_message(limits->cpu_seconds, run.message);
    } else if (number == SIGKILL && hw_machine_starved() > w->starved) {
        run.fate = HW_FATE_NO_MEMORY;
        (void)snprintf(run.message, sizeof run.message,
                       "killed by the system, whose memory ran out");
    } else if (number) {
        (void)snprintf(run.message, sizeof run.message, "the worker was ended by signal %d (%s)",
                       number, strsignal(number));
    } else {
        (void)snprintf(run.message, sizeof run.message, "the worker ended with exit status %d",
                       WEXITSTATUS(status));
    }
    return run;
}

/* The unit at which a worker died: the run has its outcome, or is to be made again. */
static void bury(hw_worker *w, int status)
{
    unsigned d = w->at;
    hw_unit_state *state = w->state[d];
    bool begun = atomic_load(&w->desk[d]->begun);
    uint32_t running = atomic_load(&w->desk[d]->running);
    if (running && atomic_load(&w->done[d][running - 1]))
        running = 0; /* it died just behind that run */
    count_time(w, d);
    bool fresh = clear_desk(w, d) == 0 && w->settled == 0;
    if (!begun && !fresh)
        return;
    state->seen = true;
    if (state->n_open == 0)
        return;
    bool killed = w->killed && w->killed_in == running;
    hw_run run = verdict_of_end(w, limits_in(state, running), killed, status);
    uint32_t suspect = running ? running - 1 : HW_NONE;
    if (w->killed && !killed)
        return; /* it was killed for the run before, which got there in time after all */
    if (run.fate == HW_FATE_TIMEOUT || fresh || (state->again && state->first == suspect)) {
        uint32_t solver = running ? running - 1 : 0;
        while (state->run[solver].fate != HW_FATE_OPEN)
            solver++;
        state->run[solver] = run;
        state->n_open--;
        state->again = false;
    } else {
        state->again = true;
        state->first = suspect;
    }
}

void hw_worker_take(hw_worker *w, hw_unit_state **back)
{
    unsigned char d;
    *back = NULL;
    if (w->pid == 0) { /* what lay ready for a worker that has ended */
        unsigned other = w->state[w->at] ? w->at : 1 - w->at;
        *back = w->state[other];
        if (*back)
            (void)clear_desk(w, other);
        return;
    }
    ssize_t n = read(w->reports, &d, 1);
    if (n < 0)
        return;
    *back = w->state[w->at];
    if (n == 0) {
        int status = reap(w);
        if (*back)
            bury(w, status);
        w->at = 1 - w->at;
        if (!*back)
            hw_worker_take(w, back);
        return;
    }
    count_time(w, w->at);
    (*back)->seen = true;
    (void)clear_desk(w, w->at);
    w->at = 1 - w->at;
    w->settled++;
}

void hw_worker_watch(hw_worker *w, double now)
{
    const hw_unit_state *state = w->state[w->at];
    siginfo_t gone = {.si_pid = 0};
    if (w->pid == 0)
        return;
    /* What it has started may hold its pipe open, so that its end would not be heard of. */
    if (waitid(P_PID, (id_t)w->pid, &gone, WEXITED | WNOWAIT | WNOHANG) == 0 && gone.si_pid != 0)
        kill_all(w);
    if (!state || w->killed)
        return;
    const hw_desk *desk = w->desk[w->at];
    double since = atomic_load(&desk->since);
    uint32_t running = atomic_load(&desk->running);
    double limit = limits_in(state, running)->kill_after_seconds;
    /* A run that began between the two looks has time left by the second. */
    if (since > 0 && limit > 0 && now >= since + limit && atomic_load(&desk->running) == running) {
        w->killed = true;
        w->killed_in = running;
        kill_all(w);
    }
}

double hw_worker_cpu(const hw_worker *w)
{
    return w->pid ? hw_machine_cpu_of(w->pid) : 0;
}
