/* Measuring growth, a process a run.  See scale.h. */
#include "bench/scale.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bench/resident.h"
#include "bench/worker.h"
#include "core/memory.h"
#include "model/check.h"
#include "model/sim.h"

/* Runs are repeated until they took so long together. */
static const double enough_seconds = 0.25;
enum {
    LOOK_MS = 100,
    MOST_REPEATS = 2000,
    APART = 5 /* sizes whose times have little in common */
};

/* ---- In the worker. ---- */

/* What the generator gave back to the allocator is no part of the graph. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
    (void)malloc_trim(0);
#endif
}

static hw_maybe_u64 above(hw_maybe_u64 bytes, hw_maybe_u64 base)
{
    bool known = bytes.known && base.known;
    return (hw_maybe_u64){known, known && bytes.value > base.value ? bytes.value - base.value : 0};
}

static void fail(hw_scale_run *run, hw_code code, const hw_error *err)
{
    run->fate = code == HW_USAGE      ? HW_FATE_REFUSED
                : code == HW_INTERNAL ? HW_FATE_INVALID
                                      : HW_FATE_FAILED;
    (void)snprintf(run->message, sizeof run->message, "%.*s", (int)sizeof run->message - 1,
                   err->message);
}

/*
 * The least time so far, 0: none yet.  Where the machine is one of several on
 * another, its CPU clock may stand still for a while: that is no time.
 */
static void keep_least(double *least, double seconds)
{
    if (seconds > 0 && (*least == 0 || seconds < *least))
        *least = seconds;
}

/* One call and one simulation of its order; the times into *run, if they are less. */
static hw_code call(const hw_model *m, const hw_suite_solver *solver, uint64_t seed,
                    hw_answer *answer, hw_scale_run *run, hw_error *err)
{
    hw_request request = {.params = solver->values, .limits = solver->limits.solver, .seed = seed};
    *answer = (hw_answer){.order = answer->order};
    double start = hw_cpu_seconds();
    hw_code code = solver->row->solve(m, &request, answer, err);
    double solved = hw_cpu_seconds();
    run->repeats++;
    keep_least(&run->solve_seconds, solved - start + answer->cpu_seconds);
    if (code != HW_OK || !answer->has_order)
        return code;
    uint64_t peak = 0;
    code = hw_peak(m, answer->order, &peak, err);
    keep_least(&run->simulate_seconds, hw_cpu_seconds() - solved);
    if (code == HW_OK && peak != answer->peak)
        return hw_fail(err, HW_INTERNAL,
                       "it claims peak %" PRIu64 ", the simulation finds %" PRIu64, answer->peak,
                       peak);
    return code;
}

static hw_code check(const hw_model *m, const hw_answer *answer, hw_scale_run *run, hw_error *err)
{
    hw_check c;
    double start = hw_cpu_seconds();
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                  answer->order, m->n_nodes, &c, err);
    run->check_seconds = hw_cpu_seconds() - start;
    if (code == HW_OK && c.verdict != HW_ORDER_LEGAL) {
        char what[HW_RUN_MESSAGE_BYTES];
        hw_check_message(m->graph, &c, what, sizeof what);
        return hw_fail(err, HW_INTERNAL, "%s", what);
    }
    if (code == HW_OK && c.peak != answer->peak)
        return hw_fail(err, HW_INTERNAL, "it claims peak %" PRIu64 ", the checker finds %" PRIu64,
                       answer->peak, c.peak);
    return code;
}

/* A parent that is gone shows here, and ends the process. */
static void send(int pipe, const void *message, size_t bytes)
{
    if (!hw_worker_send(pipe, message, bytes))
        _exit(1);
}

static void solve(const hw_model *m, const hw_suite_solver *solver, uint64_t seed,
                  hw_maybe_u64 base, int pipe, hw_scale_run *run)
{
    hw_error err = {.code = HW_OK};
    hw_answer answer = {.order = HW_NEW(uint32_t, m->n_nodes)};
    hw_code code = hw_solver_takes(solver->row, m, &err);
    if (code == HW_OK && !answer.order)
        code = hw_fail_memory(&err, "an order");
    double start = hw_cpu_seconds();
    send(pipe, &start, sizeof start);
    bool counted = hw_resident_reset();
    if (code == HW_OK)
        code = call(m, solver, seed, &answer, run, &err);
    if (counted)
        run->solve_bytes = above(hw_resident_peak_bytes(), base);
    while (code == HW_OK && run->repeats < MOST_REPEATS &&
           hw_cpu_seconds() - start + run->solve_seconds < enough_seconds)
        code = call(m, solver, seed, &answer, run, &err);
    if (code == HW_OK && answer.has_order)
        code = check(m, &answer, run, &err);
    if (code == HW_OK) {
        run->fate = HW_FATE_ANSWERED;
        run->limit_reached = answer.limit_reached;
        run->peak = (hw_maybe_u64){answer.has_order, answer.peak};
        if (answer.has_order && answer.status == HW_OPTIMAL &&
            solver->row->kind == HW_SOLVER_EXACT) /* the driver would say so */
            (void)hw_answer_bound(m, &answer, answer.peak);
        run->bound = hw_known(answer.has_bound && answer.bound > m->simple_bound ? answer.bound
                                                                                 : m->simple_bound);
    } else {
        fail(run, code, &err);
    }
    free(answer.order);
}

static void work(const hw_suite *suite, const hw_suite_unit *unit, const hw_suite_solver *solver,
                 int pipe)
{
    hw_scale_run own = {.fate = HW_FATE_OPEN}, *run = &own;
    const hw_suite_source *source = &suite->sources[unit->source];
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_error err = {.code = HW_OK};
    hw_maybe_u64 base = hw_resident_bytes();
    bool counted = hw_resident_reset();
    double start = hw_cpu_seconds();
    hw_code code = source->family ? hw_generate(source->family, source->values, suite->seed,
                                                unit->index, &g, &err)
                                  : hw_graph_load(source->path, &g, &err);
    double generated = hw_cpu_seconds();
    if (counted)
        run->generate_bytes = above(hw_resident_peak_bytes(), base);
    give_back_memory();
    double begun = hw_cpu_seconds();
    if (code == HW_OK)
        (void)hw_model_new(g, (hw_accounting)unit->accounting, unit->pinned, &m, &err);
    run->generate_seconds = generated - start;
    run->model_seconds = hw_cpu_seconds() - begun;
    if (m) {
        give_back_memory();
        run->graph_bytes = above(hw_resident_bytes(), base);
        run->n_nodes = g->n_nodes;
        run->n_edges = g->n_edges;
        solve(m, solver, suite->seed, base, pipe, run);
    } else {
        double none = 0; /* of the solver */
        send(pipe, &none, sizeof none);
        fail(run, HW_BAD_INPUT, &err);
    }
    if (counted)
        run->process_bytes = hw_resident_peak_bytes();
    send(pipe, run, sizeof *run);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- In the parent. ---- */

typedef struct watched {
    pid_t pid;
    int pipe;
    double limit;     /* CPU seconds; 0: none */
    double cpu_from;  /* CPU time at which the limit begins to count */
    double wall_from; /* a worker that sleeps for good has a limit too */
    bool killed;
} watched;

static double cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec now;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &now) != 0)
        return 0;
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/*
 * The parent looks at the clock of the worker: a limit of the kernel's
 * (RLIMIT_CPU) would make that clock coarse for the worker itself.
 */
static void kill_late(watched *w)
{
    bool late = w->limit > 0 && (cpu_of(w->pid) - w->cpu_from > w->limit ||
                                 hw_wall_seconds() - w->wall_from > 60 + 20 * w->limit);
    if (late && !w->killed) {
        w->killed = true;
        (void)kill(w->pid, SIGKILL);
    }
}

/* Bytes from the worker, whole; false: it has closed its end. */
static bool receive(watched *w, void *message, size_t bytes)
{
    size_t filled = 0;
    while (filled < bytes) {
        struct pollfd polled = {.fd = w->pipe, .events = POLLIN};
        if (poll(&polled, 1, LOOK_MS) <= 0) {
            kill_late(w);
            continue;
        }
        ssize_t n = read(w->pipe, (unsigned char *)message + filled, bytes - filled);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        filled += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void bury(hw_scale_run *run, const watched *w, int status)
{
    *run = (hw_scale_run){.fate = w->killed ? HW_FATE_TIMEOUT : HW_FATE_CRASHED};
    if (w->killed)
        (void)snprintf(run->message, sizeof run->message, "over %g seconds of CPU", w->limit);
    else if (WIFSIGNALED(status))
        (void)snprintf(run->message, sizeof run->message, "ended by signal %d (%s)",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        (void)snprintf(run->message, sizeof run->message, "ended with exit status %d",
                       WEXITSTATUS(status));
}

static hw_code run_apart(const hw_suite *suite, const hw_suite_unit *unit,
                         const hw_suite_solver *solver, hw_scale_run *run, hw_error *err)
{
    pid_t pid;
    int end;
    hw_code code = hw_worker_fork(&pid, &end, err);
    if (code != HW_OK)
        return code;
    if (pid == 0) {
        work(suite, unit, solver, end);
        _exit(0);
    }
    watched w = {.pid = pid,
                 .pipe = end,
                 .limit = solver->limits.kill_after_seconds,
                 .wall_from = hw_wall_seconds()};
    double start;
    bool whole = receive(&w, &start, sizeof start);
    w.cpu_from = whole ? start : 0;
    whole = whole && receive(&w, run, sizeof *run);
    (void)close(end);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!whole)
        bury(run, &w, status);
    return HW_OK;
}

/* The parameter n of the family, or 0. */
static uint64_t size_of(const hw_suite_source *source)
{
    for (size_t i = 0; source->family && i < source->family->n_params; i++)
        if (strcmp(source->family->params[i].name, "n") == 0)
            return (uint64_t)source->values[i].i;
    return 0;
}

/* Was a much smaller graph of this section already too much? */
static bool is_hopeless(const hw_scale_point *points, size_t n, const hw_scale_point *next)
{
    for (size_t i = 0; i < n; i++)
        if (points[i].section == next->section && points[i].solver == next->solver &&
            points[i].run.fate == HW_FATE_TIMEOUT && points[i].n * APART <= next->n)
            return true;
    return false;
}

static void find_bound(hw_scale_point *unit, size_t n)
{
    hw_maybe_u64 best = {false, 0};
    for (size_t i = 0; i < n; i++)
        if (unit[i].run.bound.known && (!best.known || unit[i].run.bound.value > best.value))
            best = unit[i].run.bound;
    for (size_t i = 0; i < n; i++)
        unit[i].best_bound = best;
}

static hw_code judge(const hw_scale_point *points, size_t n, hw_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const hw_scale_point *p = &points[i];
        if (p->run.fate == HW_FATE_INVALID)
            return hw_fail(err, HW_CHECK_FAILED, "%s on %s: %s", p->solver->spec, p->source->label,
                           p->run.message);
        if (p->run.peak.known && p->best_bound.known && p->run.peak.value < p->best_bound.value)
            return hw_fail(err, HW_CHECK_FAILED,
                           "%s on %s: an order of peak %" PRIu64 " is below the bound %" PRIu64,
                           p->solver->spec, p->source->label, p->run.peak.value,
                           p->best_bound.value);
    }
    return HW_OK;
}

hw_code hw_scale_measure(const hw_suite *suite, void (*tell)(void *, const hw_scale_point *),
                         void *context, hw_scale_point **points, size_t *n_points, hw_error *err)
{
    hw_scale_point *made = HW_NEW0(hw_scale_point, suite->n_runs);
    size_t n = 0;
    *points = NULL;
    *n_points = 0;
    if (!made)
        return hw_fail_memory(err, "a sweep over sizes");
    hw_code code = HW_OK;
    for (size_t u = 0; code == HW_OK && u < suite->n_units; u++) {
        const hw_suite_source *source = &suite->sources[suite->units[u].source];
        const hw_suite_section *section = &suite->sections[source->section];
        size_t first = n;
        for (size_t i = 0; code == HW_OK && i < section->n_solvers; i++) {
            hw_scale_point *p = &made[n];
            *p = (hw_scale_point){.section = section,
                                  .source = source,
                                  .solver = &section->solvers[i],
                                  .n = size_of(source)};
            if (p->solver->limits.most_nodes && p->n > p->solver->limits.most_nodes)
                continue;
            if (!is_hopeless(made, n, p))
                code = run_apart(suite, &suite->units[u], p->solver, &p->run, err);
            if (tell)
                tell(context, p);
            n++;
        }
        find_bound(made + first, n - first);
    }
    if (code != HW_OK) {
        free(made);
        return code;
    }
    *points = made;
    *n_points = n;
    return judge(made, n, err);
}

/* ---- Derived figures. ---- */

double hw_scale_rate(const hw_scale_point *p)
{
    bool known = p->run.fate == HW_FATE_ANSWERED && p->run.solve_seconds > 0;
    return known ? p->run.n_nodes / p->run.solve_seconds : NAN;
}

double hw_scale_simulations(const hw_scale_point *p)
{
    bool known = p->run.peak.known && p->run.simulate_seconds > 0;
    return known ? p->run.solve_seconds / p->run.simulate_seconds : NAN;
}

double hw_scale_gap_percent(const hw_scale_point *p)
{
    bool known = p->run.peak.known && p->best_bound.known;
    return known ? hw_gap_percent(p->run.peak.value, p->best_bound.value) : NAN;
}

const char *hw_scale_fate(const hw_scale_run *run)
{
    switch (run->fate) {
    case HW_FATE_OPEN:
        return "not tried";
    case HW_FATE_ANSWERED:
        return run->limit_reached ? "limit" : "answered";
    case HW_FATE_REFUSED:
        return "refused";
    case HW_FATE_TIMEOUT:
        return "timeout";
    case HW_FATE_CRASHED:
        return "crashed";
    case HW_FATE_LEFT_OUT:
    case HW_FATE_FAILED:
    case HW_FATE_INVALID:
    case HW_FATE_NO_MEMORY:
        break;
    }
    return "error";
}
