/*
 * The answer while it is being found: better orders and bounds, who hears of
 * them, and runs that are a part of another.  See solver.h.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solve/solver.h"

static void tell(const hw_model *m, const hw_answer *answer)
{
    const hw_watch *watch = answer->watch;
    if (!watch || !watch->request->trace)
        return;
    hw_progress progress = {
        .states = watch->states + (watch->meter ? watch->meter->states : 0),
        .seconds = hw_wall_seconds() - watch->start_seconds,
        .has_order = answer->has_order,
        .peak = answer->peak,
        .bound = answer->has_bound ? answer->bound : m->simple_bound,
    };
    watch->request->trace(watch->request->trace_context, &progress);
}

/* The run around this one hears of nothing before it has all states. */
static hw_answer *outer_answer(const hw_answer *answer)
{
    hw_watch *watch = answer->watch;
    if (!watch || !watch->outer)
        return NULL;
    if (watch->meter)
        hw_meter_pass_on(watch->meter);
    return watch->outer;
}

bool hw_answer_improve(const hw_model *m, hw_answer *answer, const uint32_t *order, uint64_t peak)
{
    if (answer->has_order && answer->peak <= peak)
        return false;
    if (m->n_nodes && order != answer->order)
        memcpy(answer->order, order, (size_t)m->n_nodes * sizeof *order);
    answer->has_order = true;
    answer->peak = peak;
    tell(m, answer);
    hw_answer *outer = outer_answer(answer);
    if (outer)
        (void)hw_answer_improve(m, outer, order, peak);
    return true;
}

bool hw_answer_bound(const hw_model *m, hw_answer *answer, uint64_t bound)
{
    uint64_t known = answer->has_bound ? answer->bound : m->simple_bound;
    if (bound <= known)
        return false;
    answer->has_bound = true;
    answer->bound = bound;
    tell(m, answer);
    hw_answer *outer = outer_answer(answer);
    if (outer)
        (void)hw_answer_bound(m, outer, bound);
    return true;
}

hw_code hw_answer_start(const hw_model *m, const hw_request *request, hw_answer *answer,
                        hw_error *err)
{
    uint64_t peak;
    if (!request->start)
        return HW_OK;
    hw_code code = hw_peak(m, request->start, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, request->start, peak);
    return code;
}

hw_code hw_solver_takes(const hw_solver_row *row, const hw_model *m, hw_error *err)
{
    if (!row->most_nodes || m->n_nodes <= row->most_nodes)
        return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "solver %s takes graphs of up to %" PRIu32 " nodes, this one has %" PRIu32
                   ": choose another solver",
                   row->name, row->most_nodes, m->n_nodes);
}

hw_code hw_solve_inside(const hw_model *m, const char *spec, const hw_limits *limits,
                        hw_meter *meter, const hw_request *request, hw_answer *answer,
                        hw_answer *inner, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_answer found = {.status = HW_UNKNOWN};
    hw_error why;
    hw_code code = hw_solver_parse(spec, &row, values, err);
    if (inner)
        *inner = found;
    if (code != HW_OK || hw_solver_takes(row, m, NULL) != HW_OK)
        return code;
    hw_request part = {.params = values,
                       .limits = *limits,
                       .has_budget = request->has_budget,
                       .budget_bytes = request->budget_bytes,
                       .seed = request->seed,
                       .threads = request->threads,
                       .stop = request->stop,
                       .outer = meter};
    uint32_t *start = answer->has_order ? hw_copy(answer->order, m->n_nodes, sizeof *start) : NULL;
    part.start = start;
    hw_watch watch = {.request = &part, .start_seconds = hw_wall_seconds(), .outer = answer};
    part.watch = found.watch = &watch;
    found.order = HW_NEW(uint32_t, m->n_nodes);
    if (found.order && (start || !answer->has_order))
        code = row->solve(m, &part, &found, &why);
    else
        code = hw_fail_memory(&why, "an order");
    if (found.states > watch.passed) /* since its meter looked last */
        (void)hw_meter_count(meter, found.states - watch.passed);
    (void)hw_meter_look(meter); /* a limit of seconds that ended it ends the run around it */
    if (code == HW_USAGE)       /* not a graph for it, which is no failure of the run around it */
        code = HW_OK;
    else if (code != HW_OK && err)
        *err = why;
    else if (code == HW_OK && found.has_order) {
        (void)hw_answer_improve(m, answer, found.order, found.peak);
        if (found.status == HW_OPTIMAL && row->kind == HW_SOLVER_EXACT)
            (void)hw_answer_bound(m, answer, found.peak);
    }
    if (code == HW_OK && found.has_bound)
        (void)hw_answer_bound(m, answer, found.bound);
    if (code == HW_OK && found.status == HW_INFEASIBLE && part.has_budget &&
        part.budget_bytes < UINT64_MAX)
        (void)hw_answer_bound(m, answer, part.budget_bytes + 1);
    free(start);
    free(found.order);
    found.order = NULL;
    found.watch = NULL;
    if (inner)
        *inner = found;
    return code;
}
