/* Upper bounds for the exact search.  See exact_upper.h. */
#include "solvers/exact_upper.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_window.h"

static hw_code ask_heuristics(const hw_model *m, const hw_request *request, hw_answer *answer,
                              uint32_t *scratch, hw_error *err)
{
    static const char *const names[] = {"greedy-reverse", "lookahead", "greedy", "source"};
    double start = hw_wall_seconds(), limit = request->limits.seconds;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double left = limit - (hw_wall_seconds() - start); /* the limit is of all together */
        if (limit > 0 && left <= 0 && answer->has_order)
            break;
        const hw_solver_row *row = hw_solver_find(names[i], strlen(names[i]));
        if (!row || (answer->has_order && answer->peak == m->simple_bound))
            continue;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_params_preset(row->params, row->n_params, values);
        hw_request inner = {.params = values,
                            .limits = {.seconds = limit > 0 && left > 0 ? left : limit},
                            .stop = request->stop};
        hw_answer found = {.order = scratch};
        hw_code code = row->solve(m, &inner, &found, err);
        if (code != HW_OK)
            return code;
        if (found.has_order)
            (void)hw_answer_improve(m, answer, found.order, found.peak);
    }
    return HW_OK;
}

hw_code exact_upper_first(const hw_model *m, const hw_request *request, hw_answer *answer,
                          uint32_t *order, hw_error *err)
{
    hw_code code = request->start ? hw_answer_start(m, request, answer, err)
                                  : ask_heuristics(m, request, answer, order, err);
    if (code == HW_OK && answer->has_order)
        memcpy(order, answer->order, m->n_nodes * sizeof *order);
    if (code != HW_OK || answer->has_order)
        return code;
    code = hw_graph_level_order(m->graph, order, err);
    if (code != HW_OK || m->earliest)
        return code;
    uint64_t peak;
    code = hw_peak(m, order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, order, peak);
    return code;
}

hw_meter exact_upper_meter(const hw_meter *outer, uint64_t states, hw_request *inner)
{
    hw_meter meter = *outer;
    *inner = *outer->request;
    if (!inner->limits.states || inner->limits.states - meter.states > states)
        inner->limits.states = meter.states + states;
    meter.request = inner;
    meter.check_at = 0;
    return meter;
}

void exact_upper_meter_back(hw_meter *outer, const hw_meter *inner)
{
    outer->states = inner->states;
    outer->passed_on = inner->passed_on;
}

/* The new order, led through the bounds between the pieces, into the plan. */
static void lead(exact_plan *plan, const uint32_t *order, uint32_t *piece_of, uint32_t *next)
{
    for (uint32_t i = 0; i < plan->n_pieces; i++) {
        next[i] = plan->piece[i].low;
        for (uint32_t at = plan->piece[i].low; at < plan->piece[i].high; at++)
            piece_of[plan->order[at]] = i;
    }
    for (uint32_t i = 0; i < plan->m->n_nodes; i++)
        plan->order[next[piece_of[order[i]]]++] = order[i];
}

/* Lead the new order through; pieces that have lost by it get their own back. */
static hw_code take(exact_plan *plan, const uint32_t *order, hw_error *err)
{
    uint32_t n = plan->m->n_nodes, *before = hw_copy(plan->order, n, sizeof *before);
    uint32_t *space = HW_NEW(uint32_t, (size_t)2 * n);
    uint64_t *peak = HW_NEW(uint64_t, plan->n_pieces);
    hw_code code = before && space && peak ? HW_OK : hw_fail_memory(err, "a better order");
    if (code == HW_OK) {
        for (uint32_t i = 0; i < plan->n_pieces; i++)
            peak[i] = plan->piece[i].peak;
        lead(plan, order, space, space + n);
        code = exact_plan_measure(plan, err);
        for (uint32_t i = 0; i < plan->n_pieces; i++) {
            const exact_piece *b = &plan->piece[i];
            if (b->peak > peak[i])
                memcpy(plan->order + b->low, before + b->low, (b->high - b->low) * sizeof *order);
        }
        if (code == HW_OK)
            code = exact_plan_measure(plan, err);
    }
    free(before);
    free(space);
    free(peak);
    return code;
}

hw_code exact_upper_windows(exact_plan *plan, const exact_options *options, uint64_t states,
                            uint64_t each, hw_meter *meter, hw_error *err)
{
    if (!plan->legal || plan->m->earliest)
        return HW_OK;
    uint32_t n = plan->m->n_nodes, *order = hw_copy(plan->order, n, sizeof *order);
    if (!order)
        return hw_fail_memory(err, "a better order");
    exact_window_options windows = {.states = each, .bound = plan->bound, .search = *options};
    windows.search.beam = 0;
    hw_request request;
    hw_meter inner = exact_upper_meter(meter, states, &request);
    uint64_t before, peak;
    hw_code code = hw_peak(plan->m, order, &before, err);
    peak = before;
    if (code == HW_OK)
        code = exact_window_improve(plan->m, &windows, order, &peak, &inner, err);
    exact_upper_meter_back(meter, &inner);
    if (code == HW_OK && peak < before)
        code = take(plan, order, err);
    free(order);
    return code;
}
