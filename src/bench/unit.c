/* Making an instance and running solvers on it.  See unit.h. */
#include "bench/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cage.h"
#include "bench/plan.h"
#include "bench/resident.h"
#include "core/memory.h"
#include "import/import.h"
#include "model/check.h"

/* ---- The instance. ---- */

static bool has_kind(const hw_graph *g, hw_kind kind)
{
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (g->tensor_kind[t] == kind)
            return true;
    return false;
}

static bool has_flag(const hw_graph *g, unsigned flag)
{
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (g->node_flags[v] & flag)
            return true;
    return false;
}

static bool has_workspace(const hw_graph *g)
{
    for (uint32_t v = 0; g->node_workspace && v < g->n_nodes; v++)
        if (g->node_workspace[v])
            return true;
    return false;
}

static bool has_windows(const hw_graph *g)
{
    for (uint32_t v = 0; g->node_window && v < g->n_nodes; v++)
        if (g->node_window[v] != HW_NONE)
            return true;
    return false;
}

void hw_features_text(const hw_graph *g, char text[HW_FEATURES_TEXT])
{
    const struct {
        const char *word;
        bool used;
    } features[] = {
        {"inputs", has_kind(g, HW_INPUT)},
        {"constants", has_kind(g, HW_CONSTANT)},
        {"workspace", has_workspace(g)},
        {"inplace", g->inplace_offset && g->inplace_offset[g->n_nodes] > 0},
        {"must-inplace", has_flag(g, HW_NODE_INPLACE_REQUIRED)},
        {"views", has_flag(g, HW_NODE_VIEW)},
        {"control", g->n_control > 0},
        {"locks", has_flag(g, HW_NODE_LOCKED)},
        {"windows", has_windows(g)},
    };
    size_t at = 0;
    *text = '\0';
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (features[i].used && at < HW_FEATURES_TEXT)
            at += (size_t)snprintf(text + at, HW_FEATURES_TEXT - at, "%s%s", at ? "+" : "",
                                   features[i].word);
}

static hw_code make_instance(const hw_suite *suite, const hw_suite_unit *unit, hw_graph **g,
                             hw_model **m, hw_instance_facts *facts, hw_error *err)
{
    const hw_suite_source *source = &suite->sources[unit->source];
    *g = NULL;
    *m = NULL;
    hw_code code = source->family ? hw_generate(source->family, source->values, suite->seed,
                                                unit->index, g, err)
                                  : hw_import_load(source->path, NULL, NULL, g, err);
    if (code == HW_OK)
        code = hw_graph_hash(*g, facts->hash, err);
    if (code == HW_OK) {
        facts->known = true;
        hw_features_text(*g, facts->features);
        facts->n_nodes = (*g)->n_nodes;
        facts->n_edges = (*g)->n_edges;
        facts->n_tensors = (*g)->n_tensors;
        code = hw_model_new(*g, (hw_accounting)unit->accounting, unit->pinned, m, err);
    }
    return code;
}

/* ---- A run. ---- */

hw_fate hw_fate_of(const hw_solver_row *row, hw_code code)
{
    bool foreign = row && row->foreign;
    if (foreign && code == HW_CHECK_FAILED)
        return HW_FATE_INVALID;
    if (foreign && code == HW_CRASHED)
        return HW_FATE_CRASHED;
    if (foreign && code == HW_LIMIT)
        return HW_FATE_TIMEOUT;
    return code == HW_USAGE       ? HW_FATE_REFUSED
           : code == HW_INTERNAL  ? HW_FATE_INVALID
           : code == HW_NO_MEMORY ? HW_FATE_NO_MEMORY
                                  : HW_FATE_FAILED;
}

static void set_failure(hw_run *run, const hw_solver_row *row, hw_code code, const hw_error *err)
{
    run->fate = hw_fate_of(row, code);
    (void)snprintf(run->message, sizeof run->message, "%.*s", (int)sizeof run->message - 1,
                   err->message);
}

static void set_answer(hw_run *run, const hw_answer *answer)
{
    run->fate = HW_FATE_ANSWERED;
    run->status = answer->status;
    run->peak = (hw_maybe_u64){answer->has_order, answer->has_order ? answer->peak : 0};
    run->bound = (hw_maybe_u64){answer->has_bound, answer->has_bound ? answer->bound : 0};
    run->states = hw_known(answer->states);
    run->orders = (hw_maybe_u64){answer->has_orders, answer->has_orders ? answer->orders : 0};
    run->limit_reached = answer->limit_reached;
    run->wall_seconds = answer->seconds;
    run->cpu_seconds = answer->cpu_seconds;
    run->repeats = hw_known(1);
}

typedef enum again {
    AGAIN_SAME,
    AGAIN_OTHER, /* it does not answer what it answered before        */
    AGAIN_CUT    /* memory, a limit or a signal ended it: that tells nothing */
} again;

/* Call once more; its times are added where it gives the same. */
static again call_again(const hw_model *m, const hw_suite_solver *solver, const hw_request *request,
                        hw_run *run, double *wall, double *cpu)
{
    hw_answer answer;
    hw_error err = {.code = HW_OK};
    hw_code code = hw_solve(m, solver->row, request, &answer, &err);
    if (code == HW_NO_MEMORY || code == HW_STOPPED)
        return AGAIN_CUT;
    if (code != HW_OK)
        return AGAIN_OTHER;
    bool same = answer.status == run->status && answer.has_order == run->peak.known &&
                (!answer.has_order || answer.peak == run->peak.value) &&
                answer.states == run->states.value;
    bool cut = !same && answer.limit_reached; /* the call before reached none */
    if (same) {
        *wall += answer.seconds;
        *cpu += answer.cpu_seconds;
    }
    hw_answer_clear(&answer);
    return same ? AGAIN_SAME : cut ? AGAIN_CUT : AGAIN_OTHER;
}

/*
 * Where a call is too short to be timed: more of them, and the mean of all.  A
 * run that its one call does not bring near the time at which it is killed is
 * not brought there by its repeats.
 */
static void measure(const hw_model *m, const hw_suite_solver *solver, const hw_request *request,
                    hw_run *run)
{
    enum { MOST_REPEATS = 256 };
    const double share_of_kill = 0.25;
    double enough = solver->limits.measure_seconds, kill = solver->limits.kill_after_seconds;
    if (kill > 0 && enough > share_of_kill * kill)
        enough = share_of_kill * kill;
    double wall = run->wall_seconds, cpu = run->cpu_seconds;
    uint64_t repeats = 1;
    if (run->limit_reached)
        return;
    for (; wall < enough && repeats < MOST_REPEATS; repeats++) {
        again outcome = call_again(m, solver, request, run, &wall, &cpu);
        if (outcome == AGAIN_CUT)
            break;
        if (outcome == AGAIN_OTHER) {
            *run = (hw_run){.fate = HW_FATE_INVALID, .wall_seconds = -1, .cpu_seconds = -1};
            (void)snprintf(run->message, sizeof run->message,
                           "%s: call %" PRIu64 " on the same graph gives another answer",
                           solver->spec, repeats + 1);
            return;
        }
    }
    run->wall_seconds = wall / (double)repeats;
    run->cpu_seconds = cpu / (double)repeats;
    run->repeats = hw_known(repeats);
}

static void say_cpu_is_over(hw_run *run, double seconds)
{
    *run = (hw_run){.fate = HW_FATE_TIMEOUT, .wall_seconds = -1, .cpu_seconds = -1};
    hw_cpu_message(seconds, run->message);
}

void hw_cpu_message(double seconds, char message[HW_RUN_MESSAGE_BYTES])
{
    (void)snprintf(message, HW_RUN_MESSAGE_BYTES, "ended after %g seconds of CPU time", seconds);
}

static hw_run run_solver(const hw_model *m, const hw_suite_solver *solver, uint64_t seed)
{
    hw_run run = {.wall_seconds = -1, .cpu_seconds = -1};
    if (solver->limits.most_nodes && m->n_nodes > solver->limits.most_nodes) {
        run.fate = HW_FATE_LEFT_OUT;
        return run;
    }
    hw_error err = {.code = HW_OK};
    hw_answer answer;
    hw_request request = {.params = solver->values, .limits = solver->limits.solver, .seed = seed};
    hw_cage cage;
    bool counted = hw_resident_reset();
    hw_cage_enter(&cage, &solver->limits);
    hw_code code = hw_solve(m, solver->row, &request, &answer, &err);
    bool over = hw_cage_leave(&cage);
    if (code != HW_OK) {
        set_failure(&run, solver->row, code, &err);
        if (over) /* of a program that the solver ran: it came back with an error */
            say_cpu_is_over(&run, solver->limits.cpu_seconds);
        return run;
    }
    if (counted)
        run.memory_bytes = hw_resident_peak_bytes();
    if (run.memory_bytes.known && run.memory_bytes.value < answer.program_bytes)
        run.memory_bytes.value = answer.program_bytes;
    set_answer(&run, &answer);
    if (answer.has_order) {
        hw_check check;
        code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs, answer.order,
                              m->n_nodes, &check, &err);
        if (code != HW_OK)
            set_failure(&run, solver->row, code, &err);
        else
            run.checked_peak = hw_known(check.peak);
    }
    hw_answer_clear(&answer);
    if (run.fate == HW_FATE_ANSWERED)
        measure(m, solver, &request, &run);
    return run;
}

/* The solver that runs `at`-th: `first`, if it is one, before the others. */
static size_t solver_at(const uint32_t *order, size_t n, uint32_t first, size_t at)
{
    if (first >= n)
        return order ? order[at] : at;
    if (at == 0)
        return first;
    for (size_t i = 0, passed = 0;; i++) {
        size_t solver = order ? order[i] : i;
        passed += solver != first;
        if (passed == at)
            return solver;
    }
}

void hw_unit_run(const hw_suite *suite, size_t unit, const hw_run *run, uint32_t first,
                 hw_report_function report, void *context)
{
    const hw_suite_unit *u = &suite->units[unit];
    const hw_suite_section *section = &suite->sections[suite->sources[u->source].section];
    hw_graph *g;
    hw_model *m;
    hw_error err = {.code = HW_OK};
    hw_report r = {.kind = HW_REPORT_INSTANCE};
    hw_code code = make_instance(suite, u, &g, &m, &r.facts, &err);
    bool go_on = !r.facts.known || report(context, &r);
    /* Without memory for an order, in that of the section. */
    uint32_t *order = HW_NEW(uint32_t, section->n_solvers);
    if (order && hw_plan_solvers(suite, unit, order, NULL) != HW_OK) {
        free(order);
        order = NULL;
    }
    for (size_t at = 0; go_on && at < section->n_solvers; at++) {
        size_t i = solver_at(order, section->n_solvers, first, at);
        if (run[i].fate != HW_FATE_OPEN)
            continue;
        const hw_suite_solver *solver = &section->solvers[i];
        r.solver = (uint32_t)i;
        r.kind = HW_REPORT_START;
        go_on = report(context, &r);
        if (!go_on)
            break;
        if (code == HW_OK) {
            r.run = run_solver(m, solver, hw_plan_seed(suite, u, i));
        } else {
            r.run = (hw_run){.wall_seconds = -1, .cpu_seconds = -1};
            set_failure(&r.run, NULL, code == HW_NO_MEMORY ? code : HW_BAD_INPUT, &err);
        }
        r.kind = HW_REPORT_RUN;
        go_on = report(context, &r);
    }
    free(order);
    hw_model_free(m);
    hw_graph_free(g);
}

void hw_unit_name(const hw_suite *suite, const hw_suite_unit *unit, char *text, size_t size)
{
    const hw_suite_source *source = &suite->sources[unit->source];
    const char *accounting = hw_accounting_name((hw_accounting)unit->accounting);
    const char *pinned = unit->pinned ? ", inputs pinned" : "";
    if (source->family)
        (void)snprintf(text, size, "%s:%s#%" PRIu64 " under %s%s", source->family->name,
                       source->label, unit->index, accounting, pinned);
    else
        (void)snprintf(text, size, "%s under %s%s", source->label, accounting, pinned);
}

/* ---- What the runs say together. ---- */

static bool proves(const hw_run *run)
{
    return run->fate == HW_FATE_ANSWERED && run->status == HW_OPTIMAL && run->checked_peak.known;
}

static void set_conflict(hw_unit_verdict *v, const char *first, const char *what,
                         hw_maybe_u64 number, const char *second, const char *other,
                         hw_maybe_u64 other_number)
{
    if (v->conflict)
        return;
    v->conflict = true;
    (void)snprintf(v->message, sizeof v->message, "%s %s %" PRIu64 ", but %s %s %" PRIu64, first,
                   what, number.value, second, other, other_number.value);
}

hw_unit_verdict hw_unit_judge(const hw_suite_section *section, const hw_run *run)
{
    hw_unit_verdict v = {.conflict = false};
    const char *bound_by = "", *infeasible_by = NULL;
    for (size_t i = 0; i < section->n_solvers; i++) {
        const char *spec = section->solvers[i].spec;
        if (run[i].fate == HW_FATE_INVALID && !section->solvers[i].row->foreign && !v.conflict) {
            v.conflict = true;
            (void)snprintf(v.message, sizeof v.message, "%.*s", (int)sizeof v.message - 1,
                           run[i].message);
        }
        if (run[i].fate == HW_FATE_ANSWERED && run[i].status == HW_INFEASIBLE)
            infeasible_by = spec;
        if (run[i].bound.known &&
            (!v.best_bound.known || run[i].bound.value > v.best_bound.value)) {
            v.best_bound = run[i].bound;
            bound_by = spec;
        }
        if (!proves(&run[i]))
            continue;
        if (!v.optimum.known) {
            v.optimum = run[i].checked_peak;
            v.optimum_by = i;
        } else if (v.optimum.value != run[i].checked_peak.value) {
            set_conflict(&v, section->solvers[v.optimum_by].spec, "proves the optimum", v.optimum,
                         spec, "proves", run[i].checked_peak);
        } else if (section->solvers[v.optimum_by].row->kind != HW_SOLVER_EXACT &&
                   section->solvers[i].row->kind == HW_SOLVER_EXACT) {
            v.optimum_by = i; /* rather than a heuristic that met a bound */
        }
    }
    for (size_t i = 0; i < section->n_solvers; i++) {
        const hw_maybe_u64 peak = run[i].checked_peak;
        const char *spec = section->solvers[i].spec;
        if (peak.known && v.optimum.known && peak.value < v.optimum.value)
            set_conflict(&v, section->solvers[v.optimum_by].spec, "proves the optimum", v.optimum,
                         spec, "has an order with peak", peak);
        if (peak.known && v.best_bound.known && peak.value < v.best_bound.value)
            set_conflict(&v, bound_by, "proves the bound", v.best_bound, spec,
                         "has an order with peak", peak);
        if (peak.known && infeasible_by && !v.conflict) {
            v.conflict = true;
            (void)snprintf(v.message, sizeof v.message,
                           "%s proves that no order is legal, but %s has one", infeasible_by, spec);
        }
    }
    if (v.conflict)
        v.optimum.known = v.best_bound.known = false; /* nothing here is proven */
    return v;
}

const char *hw_run_status(const hw_run *run)
{
    switch (run->fate) {
    case HW_FATE_ANSWERED:
        return hw_status_name(run->status);
    case HW_FATE_REFUSED:
        return "refused";
    case HW_FATE_CRASHED:
        return "crashed";
    case HW_FATE_TIMEOUT:
        return "timeout";
    case HW_FATE_NO_MEMORY:
        return "out-of-memory";
    case HW_FATE_INVALID:
        return "wrong";
    case HW_FATE_OPEN:
    case HW_FATE_LEFT_OUT:
    case HW_FATE_FAILED:
        break;
    }
    return "error";
}

hw_run hw_run_of_record(const hw_record *r)
{
    static const struct {
        const char *status;
        hw_fate fate;
    } fates[] = {{"refused", HW_FATE_REFUSED},
                 {"crashed", HW_FATE_CRASHED},
                 {"timeout", HW_FATE_TIMEOUT},
                 {"out-of-memory", HW_FATE_NO_MEMORY},
                 {"wrong", HW_FATE_INVALID}};
    hw_run run = {.fate = HW_FATE_FAILED, .wall_seconds = -1, .cpu_seconds = -1};
    for (unsigned s = HW_UNKNOWN; s <= HW_STALLED; s++)
        if (strcmp(r->status, hw_status_name((hw_status)s)) == 0) {
            run.fate = HW_FATE_ANSWERED;
            run.status = (hw_status)s;
        }
    for (size_t i = 0; i < sizeof fates / sizeof fates[0]; i++)
        if (strcmp(r->status, fates[i].status) == 0)
            run.fate = fates[i].fate;
    run.peak = r->peak;
    run.checked_peak = r->checked_peak;
    run.bound = r->bound;
    if (run.fate == HW_FATE_INVALID || run.fate == HW_FATE_FAILED)
        (void)snprintf(run.message, sizeof run.message, "%.*s", (int)sizeof run.message - 1,
                       r->message                    ? r->message
                       : run.fate == HW_FATE_INVALID ? "the checker disagrees"
                                                     : "");
    return run;
}
