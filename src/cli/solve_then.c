/* Second objectives.  See solve_then.h. */
#include "cli/solve_then.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/second.h"

hw_code hw_then_improve(const hw_model *m, uint64_t cap, uint64_t most_sets, hw_meter *meter,
                        uint32_t *order, hw_then *out, hw_error *err)
{
    hw_second_ask ask = {
        .m = m, .kind = out->kind, .cap = cap, .most_sets = most_sets, .meter = meter};
    return hw_second_improve(&ask, order, &out->cost, &out->proven, err);
}

hw_code hw_then_start(const hw_model *m, size_t start, const hw_request *request, hw_answer *answer,
                      hw_error *err)
{
    static const char *const solvers[HW_THEN_STARTS] = {"greedy", "greedy-reverse", "dfs", "level",
                                                        "lns"};
    enum { STATES = 100000, STATES_A_NODE = 10 }; /* what a search may take */
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_request own = {
        .params = values, .limits = request->limits, .seed = request->seed, .stop = request->stop};
    uint64_t most = STATES + (uint64_t)m->n_nodes * STATES_A_NODE;
    if (own.limits.states == 0 || own.limits.states > most)
        own.limits.states = most;
    hw_code code = hw_solver_parse(solvers[start], &row, values, err);
    return code == HW_OK ? hw_solve(m, row, &own, answer, err) : code;
}

/*
 * The orders of other solvers, improved, in place of order[] where one is
 * better: that of a solver that looks at peaks alone, or stops at the first
 * within a budget, may be far from a good one.
 */
static hw_code try_starts(const hw_model *m, uint64_t cap, const hw_request *request,
                          hw_meter *meter, uint32_t *order, hw_then *out, hw_error *err)
{
    for (size_t i = 0; i < HW_THEN_STARTS && !out->proven && !meter->over; i++) {
        hw_answer answer;
        hw_then then = {.kind = out->kind};
        hw_code code = hw_then_start(m, i, request, &answer, err);
        if (code != HW_OK)
            return code;
        if (answer.has_order && answer.peak <= cap) {
            code = hw_then_improve(m, cap, 1, meter, answer.order, &then, err);
            if (code == HW_OK && then.cost < out->cost) {
                memcpy(order, answer.order, (size_t)m->n_nodes * sizeof *order);
                *out = then;
            }
        }
        hw_answer_clear(&answer);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

hw_code hw_then_answer(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_answer *answer, hw_then *out, hw_error *err)
{
    hw_meter meter;
    hw_request limits = {.limits = request->limits, .stop = request->stop};
    uint32_t *order = hw_copy(answer->order, m->n_nodes, sizeof *order);
    if (!order)
        return hw_fail_memory(err, "an order");
    uint64_t cap = request->has_budget ? request->budget_bytes : answer->peak;
    hw_meter_start(&meter, &limits);
    hw_code code = hw_then_improve(m, cap, 0, &meter, order, out, err);
    if (code == HW_OK)
        code = try_starts(m, cap, request, &meter, order, out, err);
    if (code == HW_OK)
        code = hw_answer_replace(m, row, request, answer, order, err);
    free(order);
    return code;
}
