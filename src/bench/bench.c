/*
 * Running a suite: slots of workers, a window of units, lines in plan order.
 * See bench.h.
 */
#include "bench/bench.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plan.h"
#include "bench/sink.h"
#include "bench/worker.h"
#include "core/memory.h"

enum {
    WINDOW = 1024, /* units that may be ahead of the first unwritten one */
    POLL_MS = 100, /* how soon a stop, a deadline, a second are seen     */
    MOST_JOBS = 1024
};

typedef struct sweep {
    const hw_suite *suite;
    const hw_bench_options *options;
    hw_bench_counts *counts;
    hw_sink sink;
    hw_worker *worker;
    struct pollfd *polled;
    unsigned n_workers, n_running;
    size_t next;                   /* unit to start                                       */
    size_t written;                /* units before it are in the file                     */
    hw_unit_state *window[WINDOW]; /* unit u at u % WINDOW; NULL: not begun */
    double start_seconds, shown_seconds;
} sweep;

const char *hw_compiler_name(void)
{
#if defined __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

/* ---- The state of a unit. ---- */

static void free_state(hw_unit_state *state)
{
    if (!state)
        return;
    free(state->run);
    free(state->kept);
    free(state);
}

/* What a line of an earlier sweep says, as far as judging needs it. */
static hw_run run_of_record(const hw_record *r)
{
    hw_run run = {.fate = HW_FATE_FAILED, .wall_seconds = -1, .cpu_seconds = -1};
    for (unsigned s = HW_UNKNOWN; s <= HW_STALLED; s++)
        if (strcmp(r->status, hw_status_name((hw_status)s)) == 0) {
            run.fate = HW_FATE_ANSWERED;
            run.status = (hw_status)s;
        }
    if (strcmp(r->status, "wrong") == 0) {
        run.fate = HW_FATE_INVALID;
        (void)snprintf(run.message, sizeof run.message, "%.*s", (int)sizeof run.message - 1,
                       r->message ? r->message : "the checker disagrees");
    }
    run.peak = r->peak;
    run.checked_peak = r->checked_peak;
    run.bound = r->bound;
    return run;
}

static hw_code new_state(sweep *s, size_t unit, hw_unit_state **out, hw_error *err)
{
    const hw_suite *suite = s->suite;
    const hw_suite_unit *u = &suite->units[unit];
    const hw_suite_section *section = &suite->sections[suite->sources[u->source].section];
    hw_unit_state *state = HW_NEW0(hw_unit_state, 1);
    if (!state)
        return hw_fail_memory(err, "a unit");
    *state = (hw_unit_state){.unit = unit,
                             .section = section,
                             .run = HW_NEW0(hw_run, section->n_solvers),
                             .kept = HW_NEW0(bool, section->n_solvers)};
    if (!state->run || !state->kept) {
        free_state(state);
        return hw_fail_memory(err, "a unit");
    }
    for (size_t i = 0; i < section->n_solvers; i++) {
        hw_record key = hw_plan_run(suite, unit, i);
        const hw_record *before = hw_sink_find(&s->sink, &key);
        state->kept[i] = before != NULL;
        if (before)
            state->run[i] = run_of_record(before);
        state->n_open += !before;
        s->counts->runs_kept += before != NULL;
        s->counts->runs_done += before != NULL;
    }
    *out = state;
    return HW_OK;
}

/* ---- Writing a finished unit. ---- */

static void count_run(sweep *s, const hw_unit_state *state, size_t i)
{
    hw_bench_counts *c = s->counts;
    const hw_run *run = &state->run[i];
    c->crashed += run->fate == HW_FATE_CRASHED;
    c->timeouts += run->fate == HW_FATE_TIMEOUT;
    c->out_of_memory += run->fate == HW_FATE_NO_MEMORY;
    c->wrong += run->fate == HW_FATE_INVALID;
    c->refused += run->fate == HW_FATE_REFUSED;
    c->failed += run->fate == HW_FATE_FAILED;
    if (run->fate == HW_FATE_FAILED && !c->first_failure[0]) {
        char name[200];
        hw_unit_name(s->suite, &s->suite->units[state->unit], name, sizeof name);
        (void)snprintf(c->first_failure, sizeof c->first_failure, "%s: %s: %s", name,
                       state->section->solvers[i].spec, run->message);
    }
}

static hw_code write_run(sweep *s, const hw_unit_state *state, const hw_unit_verdict *verdict,
                         size_t i, hw_error *err)
{
    const hw_run *run = &state->run[i];
    hw_record r = hw_plan_run(s->suite, state->unit, i);
    char key[HW_KEY_TEXT];
    if (state->facts.known) {
        hw_plan_key(s->suite, state->unit, i, state->facts.hash, HW_VERSION, key);
        r.key = key;
        r.graph = state->facts.hash;
        r.features = state->facts.features;
        r.n_nodes = state->facts.n_nodes;
        r.n_edges = state->facts.n_edges;
        r.n_tensors = state->facts.n_tensors;
    }
    r.status = hw_run_status(run);
    r.peak = run->peak;
    r.checked_peak = run->checked_peak;
    r.bound = run->bound;
    r.optimum = verdict->optimum;
    if (verdict->optimum.known)
        r.optimum_by = state->section->solvers[verdict->optimum_by].spec;
    r.best_bound = verdict->best_bound;
    r.states = run->states;
    r.orders = run->orders;
    r.limit_reached = run->limit_reached;
    r.wall_seconds = run->wall_seconds;
    r.cpu_seconds = run->cpu_seconds;
    r.repeats = run->repeats;
    r.peak_memory_bytes = run->memory_bytes;
    r.version = HW_VERSION;
    r.compiler = hw_compiler_name();
    r.conflict = verdict->conflict;
    r.message = run->message[0] ? run->message : verdict->conflict ? verdict->message : NULL;
    char *line;
    size_t length;
    hw_code code = hw_record_format(&r, &line, &length, err);
    if (code == HW_OK)
        code = hw_sink_write(&s->sink, line, length, err);
    free(line);
    return code;
}

static hw_code write_unit(sweep *s, const hw_unit_state *state, hw_error *err)
{
    hw_unit_verdict verdict = hw_unit_judge(state->section, state->run);
    if (verdict.conflict && s->counts->conflicts++ == 0) {
        char name[200];
        hw_unit_name(s->suite, &s->suite->units[state->unit], name, sizeof name);
        (void)snprintf(s->counts->first_conflict, sizeof s->counts->first_conflict, "%s: %s", name,
                       verdict.message);
    }
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < state->section->n_solvers; i++)
        if (state->run[i].fate == HW_FATE_LEFT_OUT) {
            s->counts->left_out++;
        } else if (!state->kept[i]) {
            code = write_run(s, state, &verdict, i, err);
            count_run(s, state, i);
        }
    return code;
}

/* Write the finished units that no unfinished one stands before. */
static hw_code write_ready(sweep *s, hw_error *err)
{
    while (s->written < s->next) {
        hw_unit_state **state = &s->window[s->written % WINDOW];
        if ((*state)->n_open > 0 || (*state)->busy)
            break;
        hw_code code = write_unit(s, *state, err);
        if (code != HW_OK)
            return code;
        free_state(*state);
        *state = NULL;
        s->written++;
    }
    return HW_OK;
}

/* After a stop: write the finished units behind unfinished ones as well. */
static hw_code write_rest(sweep *s, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t u = s->written; code == HW_OK && u < s->next; u++)
        if (s->window[u % WINDOW]->n_open == 0)
            code = write_unit(s, s->window[u % WINDOW], err);
    return code;
}

/* ---- The loop. ---- */

static bool stop_wanted(const sweep *s)
{
    return s->options->stop && *s->options->stop;
}

static void show_progress(sweep *s, bool always)
{
    double now = hw_wall_seconds();
    s->counts->seconds = now - s->start_seconds;
    if (!s->options->progress || (!always && now - s->shown_seconds < POLL_MS / 1000.0))
        return;
    s->shown_seconds = now;
    s->options->progress(s->options->progress_context, s->counts);
}

static hw_code start_worker(sweep *s, hw_worker *w, hw_unit_state *state, hw_error *err)
{
    hw_code code = hw_worker_start(w, s->suite, state, err);
    s->n_running += code == HW_OK;
    return code;
}

/* Give free slots the next units. */
static hw_code fill_slots(sweep *s, hw_error *err)
{
    for (unsigned i = 0; i < s->n_workers; i++) {
        while (!s->worker[i].state && s->next < s->suite->n_units &&
               s->next < s->written + WINDOW) {
            hw_unit_state **state = &s->window[s->next % WINDOW];
            hw_code code = new_state(s, s->next, state, err);
            if (code != HW_OK)
                return code;
            s->next++;
            if ((*state)->n_open > 0)
                code = start_worker(s, &s->worker[i], *state, err);
            else
                code = write_ready(s, err);
            if (code != HW_OK)
                return code;
        }
    }
    return HW_OK;
}

static hw_code read_worker(sweep *s, hw_worker *w, hw_error *err)
{
    hw_unit_state *state = w->state;
    size_t before = state->n_open;
    bool ended;
    hw_worker_read(w, &ended);
    s->counts->runs_done += before - state->n_open;
    if (!ended)
        return HW_OK;
    w->state = NULL;
    s->n_running--;
    /* A worker that died leaves runs to a fresh one. */
    return state->n_open > 0 ? start_worker(s, w, state, err) : write_ready(s, err);
}

static hw_code wait_for_workers(sweep *s, hw_error *err)
{
    for (unsigned i = 0; i < s->n_workers; i++)
        s->polled[i] =
            (struct pollfd){.fd = s->worker[i].state ? s->worker[i].pipe : -1, .events = POLLIN};
    int n = poll(s->polled, s->n_workers, POLL_MS);
    if (n < 0 && errno != EINTR)
        return hw_fail(err, HW_IO, "cannot wait for the workers: %s", strerror(errno));
    double now = hw_wall_seconds();
    hw_code code = HW_OK;
    for (unsigned i = 0; code == HW_OK && i < s->n_workers && !stop_wanted(s); i++) {
        if (!s->worker[i].state)
            continue;
        if (n > 0 && s->polled[i].revents)
            code = read_worker(s, &s->worker[i], err);
        else
            hw_worker_check_deadline(&s->worker[i], now);
    }
    return code;
}

static hw_code run_all(sweep *s, hw_error *err)
{
    while (!stop_wanted(s)) {
        hw_code code = fill_slots(s, err);
        if (code != HW_OK)
            return code;
        if (s->n_running == 0)
            return HW_OK;
        code = wait_for_workers(s, err);
        if (code != HW_OK)
            return code;
        show_progress(s, false);
    }
    return hw_fail(err, HW_STOPPED, "stopped by a signal");
}

static void clear(sweep *s)
{
    for (unsigned i = 0; s->worker && i < s->n_workers; i++)
        if (s->worker[i].state)
            hw_worker_abandon(&s->worker[i]);
    for (size_t i = 0; i < WINDOW; i++)
        free_state(s->window[i]);
    free(s->worker);
    free(s->polled);
    free(s);
}

/* What a complete sweep ends with. */
static hw_code conclude(const hw_bench_counts *c, hw_error *err)
{
    if (c->conflicts)
        return hw_fail(err, HW_CHECK_FAILED,
                       "%" PRIu64 " of the instances show a bug in a solver; the first: %s",
                       c->conflicts, c->first_conflict);
    if (c->failed)
        return hw_fail(err, HW_CHECK_FAILED, "%" PRIu64 " runs failed; the first: %s", c->failed,
                       c->first_failure);
    return HW_OK;
}

static hw_code run_sweep(sweep *s, hw_error *err)
{
    const hw_bench_options *o = s->options;
    s->n_workers = o->jobs < 1 ? 1 : o->jobs > MOST_JOBS ? MOST_JOBS : o->jobs;
    s->worker = HW_NEW0(hw_worker, s->n_workers);
    s->polled = HW_NEW0(struct pollfd, s->n_workers);
    if (!s->worker || !s->polled)
        return hw_fail_memory(err, "the workers of a sweep");
    hw_code code = hw_sink_open(o->output, o->resume, o->overwrite, &s->sink, err);
    if (code != HW_OK)
        return code;
    code = run_all(s, err);
    hw_error late = {.code = HW_OK};
    if (code == HW_STOPPED) {
        hw_code rest = write_rest(s, &late);
        hw_bench_counts *c = s->counts;
        if (rest == HW_OK)
            (void)hw_fail(err, code,
                          "stopped by a signal; the units that were finished are in %s%s",
                          s->sink.name, s->sink.owned ? ", --resume runs the others" : "");
        else
            *err = late;
        code = rest == HW_OK ? code : rest;
        c->seconds = hw_wall_seconds() - s->start_seconds;
    }
    show_progress(s, true);
    hw_code closed = hw_sink_close(&s->sink, &late);
    if (code == HW_OK && closed != HW_OK) {
        *err = late;
        code = closed;
    }
    return code == HW_OK ? conclude(s->counts, err) : code;
}

hw_code hw_bench_run(const hw_suite *suite, const hw_bench_options *options,
                     hw_bench_counts *counts, hw_error *err)
{
    *counts = (hw_bench_counts){.runs_total = suite->n_runs};
    sweep *s = HW_NEW0(sweep, 1);
    if (!s)
        return hw_fail_memory(err, "a sweep");
    s->suite = suite;
    s->options = options;
    s->counts = counts;
    s->start_seconds = hw_wall_seconds();
    hw_code code = run_sweep(s, err);
    clear(s);
    return code;
}
