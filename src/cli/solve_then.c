/* Second objectives.  See solve_then.h. */
#include "cli/solve_then.h"

#include <stdlib.h>

#include "core/memory.h"
#include "solvers/second.h"

hw_code hw_then_improve(const hw_model *m, uint64_t cap, uint64_t most_sets,
                        const hw_request *request, uint32_t *order, hw_then *out, hw_error *err)
{
    hw_meter meter;
    hw_request limits = {.limits = request->limits, .stop = request->stop};
    hw_meter_start(&meter, &limits);
    hw_second_ask ask = {
        .m = m, .kind = out->kind, .cap = cap, .most_sets = most_sets, .meter = &meter};
    return hw_second_improve(&ask, order, &out->cost, &out->proven, err);
}

hw_code hw_then_answer(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_answer *answer, hw_then *out, hw_error *err)
{
    uint32_t *order = hw_copy(answer->order, m->n_nodes, sizeof *order);
    if (!order)
        return hw_fail_memory(err, "an order");
    uint64_t cap = request->has_budget ? request->budget_bytes : answer->peak;
    hw_code code = hw_then_improve(m, cap, 0, request, order, out, err);
    if (code == HW_OK)
        code = hw_answer_replace(m, row, request, answer, order, err);
    free(order);
    return code;
}
