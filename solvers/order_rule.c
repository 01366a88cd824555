/* Rules that lay one whole order.  See order_rule.h. */
#include "solvers/order_rule.h"

hw_code hw_solve_by_rule(const hw_model *m, const hw_request *request, hw_order_rule rule,
                         hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    uint64_t peak = 0;
    bool done = false;
    hw_meter_start(&meter, request);
    hw_code code = rule(m, &meter, answer->order, &peak, &done, err);
    answer->states = meter.states;
    answer->limit_reached = code == HW_OK && !done;
    if (code == HW_OK && done)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    return code;
}
