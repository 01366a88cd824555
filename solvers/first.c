/* An order to begin with.  See first.h. */
#include "solvers/first.h"

#include "core/memory.h"
#include "model/sim.h"

hw_code hw_first_order(const hw_model *m, const char *spec, const hw_request *request,
                       hw_answer *answer, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_code code = hw_solver_parse(spec, &row, values, err);
    if (code != HW_OK)
        return code;
    hw_request inner = {.params = values,
                        .limits = {.seconds = request->limits.seconds},
                        .seed = request->seed,
                        .stop = request->stop};
    hw_answer found = {.order = HW_NEW(uint32_t, m->n_nodes)};
    if (!found.order)
        return hw_fail_memory(err, "an order");
    uint64_t peak;
    code = row->solve(m, &inner, &found, err);
    if (code == HW_OK && found.has_order) {
        code = hw_peak(m, found.order, &peak, err);
        if (code == HW_OK)
            (void)hw_answer_improve(m, answer, found.order, peak);
    }
    hw_answer_clear(&found);
    return code;
}
