/*
 * dp: the least peak over all down-sets, level by level.
 *
 * An upper bound from the greedy rules comes first; down-sets whose peak does
 * not beat it are dropped.  If no path is left the upper bound was the
 * optimum.  Under a budget the threshold is the budget instead.
 *
 * O(down-sets x ready nodes) time; 40 to 56 bytes a down-set of the widest two
 * levels (graphs of up to 64 nodes) and 8 bytes of each other.  A limit leaves
 * the greedy order and a proven bound.
 */
#include "solvers/dp_search.h"
#include "solvers/first.h"

static hw_code search(const hw_model *m, const hw_request *request, hw_meter *meter,
                      hw_answer *answer, hw_error *err)
{
    const uint64_t allow = request->has_budget ? request->budget_bytes
                           : answer->has_order ? answer->peak - 1
                                               : UINT64_MAX;
    hw_dp_problem problem;
    hw_dp_search s = {0};
    uint64_t value = 0;
    hw_code code = hw_dp_problem_open(&problem, m, err);
    if (code == HW_OK)
        code = hw_dp_open(&s, &problem, meter, allow, request->limits.memory_bytes, err);
    if (code == HW_OK) {
        switch (hw_dp_run(&s, &value)) {
        case HW_DP_COMPLETE:
            hw_dp_order(&s, answer->order);
            (void)hw_answer_improve(m, answer, answer->order, value);
            if (!request->has_budget)
                (void)hw_answer_bound(m, answer, value);
            answer->status = HW_OPTIMAL;
            break;
        case HW_DP_EXHAUSTED:
            answer->status = answer->has_order && !request->has_budget ? HW_OPTIMAL : HW_INFEASIBLE;
            break;
        case HW_DP_PAUSED:
        case HW_DP_STOPPED: /* what was dropped exceeds `allow` */
            answer->limit_reached = true;
            answer->status = answer->has_order ? HW_FEASIBLE : HW_UNKNOWN;
            (void)hw_answer_bound(m, answer, value > allow ? allow + 1 : value);
            break;
        }
    }
    hw_dp_close(&s);
    hw_dp_problem_close(&problem);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_code code = hw_first_order(m, "greedy-reverse", request, answer, err);
    if (code == HW_OK)
        code = hw_first_order(m, "greedy", request, answer, err);
    if (code != HW_OK)
        return code;
    if (answer->has_order && answer->peak == m->simple_bound) {
        answer->status = HW_OPTIMAL;
        return HW_OK;
    }
    if (answer->has_order && request->has_budget && answer->peak <= request->budget_bytes) {
        answer->status = HW_FEASIBLE;
        return HW_OK;
    }
    code = search(m, request, &meter, answer, err);
    answer->states = meter.states;
    return code;
}

const hw_solver_row hw_solver_dp = {
    .name = "dp",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .counts = "down-sets",
    .help = "down-sets level by level, those no better than greedy left out",
    .source = "Held and Karp 1962, doi:10.1137/0110015; Ahn et al. 2020, arXiv:2003.02369",
    .solve = solve,
};
