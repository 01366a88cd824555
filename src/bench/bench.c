/*
 * Running a suite: workers, a window of units, lines in the order of the sweep.
 * See bench.h.
 */
#include "bench/bench.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_internal.h"
#include "bench/tidy.h"
#include "core/memory.h"

enum {
    POLL_MS = 100, /* how soon a stop, a deadline, a second are seen */
    MOST_JOBS = 1024
};

/* ---- Units that are finished. ---- */

/* Write the finished units that no unfinished one stands before. */
static hw_code write_ready(hw_sweep *s, hw_error *err)
{
    while (s->written < s->next) {
        hw_unit_state **state = &s->window[s->written % HW_SWEEP_WINDOW];
        if (!hw_sweep_is_finished(*state))
            break;
        hw_code code = hw_sweep_write_unit(s, *state, err);
        if (code != HW_OK)
            return code;
        hw_sweep_free_state(*state);
        *state = NULL;
        s->written++;
    }
    return HW_OK;
}

/* After a stop: write the finished units behind unfinished ones as well. */
static hw_code write_rest(hw_sweep *s, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t p = s->written; code == HW_OK && p < s->next; p++) {
        const hw_unit_state *state = s->window[p % HW_SWEEP_WINDOW];
        if (hw_sweep_is_finished(state))
            code = hw_sweep_write_unit(s, state, err);
        else if (s->options->unit_done && state->seconds > 0)
            s->options->unit_done(s->options->unit_context,
                                  &(hw_bench_unit){.unit = state->unit, .seconds = state->seconds});
    }
    return code;
}

/* ---- The loop. ---- */

static bool stop_wanted(const hw_sweep *s)
{
    const hw_bench_options *o = s->options;
    return (o->stop && *o->stop) ||
           (o->seconds > 0 && hw_wall_seconds() - s->start_seconds >= o->seconds);
}

static void show_progress(hw_sweep *s, bool always)
{
    double now = hw_wall_seconds();
    s->counts->seconds = now - s->start_seconds;
    if (!s->options->progress || (!always && now - s->shown_seconds < POLL_MS / 1000.0))
        return;
    s->shown_seconds = now;
    s->options->progress(s->options->progress_context, s->counts);
}

static void warn(hw_sweep *s, const char *sentence)
{
    s->counts->warnings++;
    if (s->options->warn)
        s->options->warn(s->options->warn_context, sentence);
}

static void look_at_weather(hw_sweep *s, bool last)
{
    double cpu = 0;
    char sentence[HW_WEATHER_TEXT];
    if (!last && !hw_weather_due(&s->weather))
        return;
    for (unsigned i = 0; i < s->n_workers; i++)
        cpu += hw_worker_cpu(&s->worker[i]);
    while (hw_weather_look(&s->weather, cpu, last, sentence))
        warn(s, sentence);
}

/* The next unit for a worker, or NULL: none is to be had now. */
static hw_code next_state(hw_sweep *s, hw_unit_state **out, hw_error *err)
{
    *out = NULL;
    if (s->n_back > 0) {
        *out = s->back[--s->n_back];
        return HW_OK;
    }
    while (s->next < s->n_order && s->next < s->written + HW_SWEEP_WINDOW) {
        hw_unit_state **state = &s->window[s->next % HW_SWEEP_WINDOW];
        hw_code code = hw_sweep_new_state(s, s->order[s->next], state, err);
        if (code != HW_OK)
            return code;
        s->next++;
        if ((*state)->n_open > 0 || (*state)->only_facts) {
            *out = *state;
            return HW_OK;
        }
        code = write_ready(s, err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code give(hw_sweep *s, hw_worker *w, hw_unit_state *state, hw_error *err)
{
    s->at_work++;
    return hw_worker_give(w, s->suite, state, s->sink.owned ? s->sink.file : -1, err);
}

/* Give every worker a unit, and then one to lie ready, while there are many left. */
static hw_code fill_desks(hw_sweep *s, hw_error *err)
{
    for (unsigned load = 0; load < HW_DESKS; load++)
        for (unsigned i = 0; i < s->n_workers; i++) {
            bool many = s->n_order - s->next > (size_t)2 * HW_DESKS * s->n_workers;
            hw_unit_state *state;
            if (hw_worker_load(&s->worker[i]) != load || (load > 0 && !many))
                continue;
            hw_code code = next_state(s, &state, err);
            if (code == HW_OK && state)
                code = give(s, &s->worker[i], state, err);
            if (code != HW_OK || !state)
                return code;
        }
    return HW_OK;
}

static hw_code take_back(hw_sweep *s, hw_worker *w, hw_unit_state *state, hw_error *err)
{
    s->at_work--;
    if (hw_sweep_is_finished(state))
        return write_ready(s, err);
    /* A worker died on it: the next begins with what it died on. */
    if (state->again && w->pid == 0 && hw_worker_load(w) == 0)
        return give(s, w, state, err);
    if (!hw_grow((void **)&s->back, &s->back_capacity, s->n_back + 1, sizeof(hw_unit_state *)))
        return hw_fail_memory(err, "the units of a sweep");
    s->back[s->n_back++] = state;
    return HW_OK;
}

static hw_code read_worker(hw_sweep *s, hw_worker *w, hw_error *err)
{
    for (;;) {
        hw_unit_state *state;
        hw_worker_take(w, &state);
        if (!state)
            return HW_OK;
        s->counts->runs_done += state->n_told - state->n_open;
        state->n_told = state->n_open;
        hw_code code = take_back(s, w, state, err);
        if (code != HW_OK)
            return code;
    }
}

static hw_code wait_for_workers(hw_sweep *s, hw_error *err)
{
    for (unsigned i = 0; i < s->n_workers; i++)
        s->polled[i] =
            (struct pollfd){.fd = s->worker[i].pid ? s->worker[i].reports : -1, .events = POLLIN};
    int n = poll(s->polled, s->n_workers, POLL_MS);
    if (n < 0 && errno != EINTR)
        return hw_fail(err, HW_IO, "cannot wait for the workers: %s", strerror(errno));
    double now = hw_wall_seconds();
    hw_code code = HW_OK;
    for (unsigned i = 0; code == HW_OK && i < s->n_workers && !stop_wanted(s); i++)
        if (n > 0 && s->polled[i].revents)
            code = read_worker(s, &s->worker[i], err);
        else
            hw_worker_watch(&s->worker[i], now);
    return code;
}

static hw_code run_all(hw_sweep *s, hw_error *err)
{
    while (!stop_wanted(s)) {
        hw_code code = fill_desks(s, err);
        if (code == HW_OK && s->at_work == 0 && s->n_back == 0 && s->written == s->n_order)
            return HW_OK;
        if (code == HW_OK)
            code = wait_for_workers(s, err);
        if (code != HW_OK)
            return code;
        show_progress(s, false);
        look_at_weather(s, false);
    }
    return hw_fail(err, HW_STOPPED, "stopped by a signal");
}

/* Kill what is at work, noting how long it has been. */
static void abandon_all(hw_sweep *s)
{
    for (unsigned i = 0; s->worker && i < s->n_workers; i++)
        hw_worker_abandon(&s->worker[i]);
}

static void clear(hw_sweep *s)
{
    for (unsigned i = 0; s->worker && i < s->n_workers; i++)
        hw_worker_release(&s->worker[i]);
    for (size_t i = 0; i < HW_SWEEP_WINDOW; i++)
        hw_sweep_free_state(s->window[i]);
    hw_kept_free(&s->kept);
    hw_plan_free(s->plan);
    free(s->chosen);
    free((void *)s->back);
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

static size_t most_solvers(const hw_suite *suite)
{
    size_t most = 1;
    for (size_t i = 0; i < suite->n_sections; i++)
        if (suite->sections[i].n_solvers > most)
            most = suite->sections[i].n_solvers;
    return most;
}

static hw_code hire(hw_sweep *s, hw_error *err)
{
    unsigned jobs = s->options->jobs;
    unsigned n = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
    s->worker = HW_NEW0(hw_worker, n);
    s->polled = HW_NEW0(struct pollfd, n);
    if (!s->worker || !s->polled)
        return hw_fail_memory(err, "the workers of a sweep");
    hw_code code = HW_OK;
    for (; code == HW_OK && s->n_workers < n; s->n_workers++)
        code = hw_worker_equip(&s->worker[s->n_workers], most_solvers(s->suite), err);
    return code;
}

static hw_code choose_units(hw_sweep *s, hw_error *err)
{
    const hw_bench_options *o = s->options;
    s->order = o->units;
    s->n_order = o->n_units;
    if (!o->units) {
        hw_code code = hw_plan_choose(s->suite, &o->choice, &s->chosen, &s->n_order, err);
        if (code != HW_OK)
            return code;
        s->order = s->chosen;
    }
    for (size_t p = 0; p < s->n_order; p++)
        s->counts->runs_total +=
            s->suite->sections[s->suite->sources[s->suite->units[s->order[p]].source].section]
                .n_solvers;
    return hw_plan_new(s->suite, &s->plan, err);
}

static hw_code open_output(hw_sweep *s, hw_error *err)
{
    const hw_bench_options *o = s->options;
    if (o->discard)
        return HW_OK;
    hw_code code = hw_sink_open(o->output,
                                o->overwrite ? HW_SINK_OVERWRITE
                                : o->resume  ? HW_SINK_APPEND
                                             : HW_SINK_NEW,
                                &s->sink, err);
    if (code == HW_OK && s->sink.owned && s->sink.regular && o->output)
        hw_tidy_remove_leftovers(&s->sink);
    if (code == HW_OK && o->resume && s->sink.owned && s->sink.regular)
        code = hw_kept_load(&s->sink, s->plan, s->suite, o->drop_broken, &s->kept, err);
    s->counts->lines_dropped = s->kept.n_dropped;
    s->counts->lines_of_others = s->kept.n_others;
    return code;
}

static hw_code finish(hw_sweep *s, hw_code code, hw_error *err)
{
    hw_error late = {.code = HW_OK};
    abandon_all(s);
    if (code == HW_STOPPED) {
        hw_code rest = write_rest(s, &late);
        if (rest != HW_OK)
            *err = late;
        else if (!s->options->discard)
            (void)hw_fail(err, code,
                          "stopped by a signal; the units that were finished are in %s%s",
                          s->sink.name, s->sink.owned ? ", --resume runs the others" : "");
        code = rest == HW_OK ? code : rest;
    }
    look_at_weather(s, true);
    show_progress(s, true);
    if (code == HW_OK && s->sink.owned && s->sink.regular &&
        hw_tidy(&s->sink, s->plan, &late) != HW_OK)
        (void)snprintf(s->counts->untidy, sizeof s->counts->untidy, "%.*s",
                       (int)sizeof s->counts->untidy - 1, late.message);
    hw_code closed = s->options->discard ? HW_OK : hw_sink_close(&s->sink, &late);
    if (code == HW_OK && closed != HW_OK) {
        *err = late;
        code = closed;
    }
    return code == HW_OK ? conclude(s->counts, err) : code;
}

static hw_code run_sweep(hw_sweep *s, hw_error *err)
{
    hw_code code = choose_units(s, err);
    if (code == HW_OK)
        code = hire(s, err);
    if (code == HW_OK)
        code = open_output(s, err);
    if (code != HW_OK) {
        if (s->sink.owned)
            (void)hw_sink_close(&s->sink, NULL);
        return code;
    }
    hw_weather_begin(&s->weather, s->n_workers);
    return finish(s, run_all(s, err), err);
}

hw_code hw_bench_run(const hw_suite *suite, const hw_bench_options *options,
                     hw_bench_counts *counts, hw_error *err)
{
    *counts = (hw_bench_counts){.runs_total = 0};
    hw_sweep *s = HW_NEW0(hw_sweep, 1);
    if (!s)
        return hw_fail_memory(err, "a sweep");
    s->suite = suite;
    s->options = options;
    s->counts = counts;
    s->start_seconds = hw_wall_seconds();
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    /* A limit of file sizes is an error of write(2) like others. */
    bool changed = sigaction(SIGXFSZ, &ignore, &before) == 0;
    hw_code code = run_sweep(s, err);
    clear(s);
    if (changed)
        (void)sigaction(SIGXFSZ, &before, NULL);
    return code;
}
