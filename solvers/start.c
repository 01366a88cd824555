/* The order that improving solvers begin with.  See start.h. */
#include "solvers/start.h"

hw_code start_order(const hw_model *m, int64_t choice, const hw_request *request, hw_meter *meter,
                    hw_answer *answer, hw_error *err)
{
    enum { FAST_RULES = 3 };
    static const char *const rules[START_CHOICES] = {"", "greedy-reverse", "greedy", "lookahead",
                                                     "level"};
    const hw_limits none = {0};
    if (request->start)
        return hw_answer_start(m, request, answer, err);
    hw_code code = HW_OK;
    if (choice != START_BEST)
        return hw_solve_inside(m, rules[choice], &none, meter, request, answer, NULL, err);
    for (int i = 1; i <= FAST_RULES && code == HW_OK && !meter->over; i++)
        code = hw_solve_inside(m, rules[i], &none, meter, request, answer, NULL, err);
    return code;
}
