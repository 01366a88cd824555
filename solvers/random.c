/*
 * random: the best of n random orders, 100 as a rule: the baseline of tables.
 *
 * Each step takes a ready node with equal chances (random_orders.h).
 */
#include "solvers/random_orders.h"

enum { COUNT, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [COUNT] = {"n", HW_PARAM_INT, 1, 1e12, 100, NULL, "how many orders to draw"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_random_orders(m, (uint64_t)request->params[COUNT].i, false, request, answer, err);
}

const hw_solver_row hw_solver_random = {
    .name = "random",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .budget_aware = true,
    .counts = "steps",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best of n orders drawn at random",
    .source = "baseline",
    .solve = solve,
};
