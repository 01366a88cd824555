/* Units of a sweep: what was kept of them, their lines.  See bench_internal.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_internal.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "solve/called.h"

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

const char *hw_compiler_name(void)
{
#if defined __clang__
    /* __clang_version__ ends in a space, or in where its sources came from. */
    return "clang " TEXT(__clang_major__) "." TEXT(__clang_minor__) "." TEXT(__clang_patchlevel__);
#else
    return "gcc " __VERSION__;
#endif
}

/* ---- The state of a unit. ---- */

void hw_sweep_free_state(hw_unit_state *state)
{
    if (!state)
        return;
    free(state->run);
    free(state->kept);
    free(state);
}

/* The first unit of a graph file that stands in results: its file may be another by now. */
static bool may_have_changed(const hw_sweep *s, size_t unit)
{
    const hw_suite_unit *u = &s->suite->units[unit];
    return !s->suite->sources[u->source].family &&
           (unit == 0 || s->suite->units[unit - 1].source != u->source);
}

static const hw_record *kept_run(const hw_sweep *s, size_t unit, size_t solver)
{
    return s->kept.run ? s->kept.run[hw_plan_position(s->plan, unit, solver)] : NULL;
}

hw_code hw_sweep_new_state(hw_sweep *s, size_t unit, hw_unit_state **out, hw_error *err)
{
    const hw_suite *suite = s->suite;
    const hw_suite_section *section =
        &suite->sections[suite->sources[suite->units[unit].source].section];
    hw_unit_state *state = HW_NEW0(hw_unit_state, 1);
    if (!state)
        return hw_fail_memory(err, "a unit");
    *state = (hw_unit_state){.unit = unit,
                             .section = section,
                             .first = HW_NONE,
                             .run = HW_NEW0(hw_run, section->n_solvers),
                             .kept = HW_NEW0(bool, section->n_solvers)};
    if (!state->run || !state->kept) {
        hw_sweep_free_state(state);
        return hw_fail_memory(err, "a unit");
    }
    for (size_t i = 0; i < section->n_solvers; i++) {
        const hw_record *before = kept_run(s, unit, i);
        state->kept[i] = before != NULL;
        if (before)
            state->run[i] = hw_run_of_record(before);
        state->n_open += !before;
        s->counts->runs_kept += before != NULL;
        s->counts->runs_done += before != NULL;
    }
    state->n_told = state->n_open;
    state->only_facts = state->n_open == 0 && may_have_changed(s, unit);
    *out = state;
    return HW_OK;
}

/* ---- Writing a finished unit. ---- */

static void count_run(hw_sweep *s, const hw_unit_state *state, size_t i)
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
        const hw_suite_solver *solver = &state->section->solvers[i];
        char name[200], called[HW_FOREIGN_NAME];
        const char *by = solver->row->foreign ? hw_solver_short(solver->row, solver->values, called)
                                              : solver->spec;
        bool named = hw_message_names(run->message, by);
        hw_unit_name(s->suite, &s->suite->units[state->unit], name, sizeof name);
        (void)snprintf(c->first_failure, sizeof c->first_failure, "%s: %s%s%s", name,
                       named ? "" : by, named ? "" : ": ", run->message);
    }
}

static hw_code put_run(const hw_sweep *s, const hw_unit_state *state,
                       const hw_unit_verdict *verdict, size_t i, FILE *out, hw_error *err)
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
    return hw_record_put(&r, out, err);
}

/* The lines of a finished unit, in the order of the plan. */
static hw_code put_unit(hw_sweep *s, const hw_unit_state *state, FILE *out, uint64_t *lines,
                        hw_error *err)
{
    hw_code code = HW_OK;
    hw_unit_verdict verdict = hw_unit_judge(state->section, state->run);
    if (verdict.conflict && s->counts->conflicts++ == 0) {
        char name[200];
        hw_unit_name(s->suite, &s->suite->units[state->unit], name, sizeof name);
        (void)snprintf(s->counts->first_conflict, sizeof s->counts->first_conflict, "%s: %s", name,
                       verdict.message);
    }
    for (size_t i = 0; code == HW_OK && i < state->section->n_solvers; i++) {
        if (state->run[i].fate == HW_FATE_LEFT_OUT) {
            s->counts->left_out++;
            continue;
        }
        count_run(s, state, i);
        if (!state->kept[i]) {
            code = put_run(s, state, &verdict, i, out, err);
            hw_weather_note_run(&s->weather, &state->run[i]);
            ++*lines;
        }
    }
    return code;
}

static hw_code check_graph(const hw_sweep *s, const hw_unit_state *state, hw_error *err)
{
    for (size_t i = 0; i < state->section->n_solvers; i++) {
        const hw_record *r = kept_run(s, state->unit, i);
        if (r)
            return hw_kept_check_graph(r, s->sink.name,
                                       state->facts.known ? state->facts.hash : NULL, err);
    }
    return HW_OK;
}

hw_code hw_sweep_write_unit(hw_sweep *s, const hw_unit_state *state, hw_error *err)
{
    char *text = NULL;
    size_t length = 0;
    hw_bench_unit told = {.unit = state->unit, .seconds = state->seconds, .finished = true};
    if (state->facts.known || state->only_facts) {
        hw_code code = check_graph(s, state, err);
        if (code != HW_OK)
            return code;
    }
    FILE *out = hw_text_stream(&text, &length);
    if (!out)
        return hw_fail_memory(err, "lines of results");
    hw_code code = put_unit(s, state, out, &told.lines, err);
    bool failed = ferror(out) != 0;
    if ((fclose(out) != 0 || failed) && code == HW_OK)
        code = hw_fail_memory(err, "lines of results");
    if (code == HW_OK && !s->options->discard)
        code = hw_sink_write(&s->sink, text, length, err);
    free(text);
    told.bytes = length;
    s->counts->lines += told.lines;
    s->counts->bytes += told.bytes;
    if (code == HW_OK && s->options->unit_done && state->seconds > 0)
        s->options->unit_done(s->options->unit_context, &told);
    return code;
}

bool hw_sweep_is_finished(const hw_unit_state *state)
{
    return state->n_open == 0 && !state->busy && (state->seen || !state->only_facts);
}
