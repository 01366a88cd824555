/*
 * best-of: the best of as many random orders as the limits allow.
 *
 * random with another end and another way to draw: n=0 draws until a limit of
 * states or time, or whoever asked, says stop, and by=depth-first draws orders
 * that finish a branch before the next (random_orders.h).  Without a limit n=0
 * would have no end, so it is refused.
 */
#include "solvers/random_orders.h"

enum { COUNT, BY, N_PARAMS };
enum { KAHN, DEPTH_FIRST };

static const hw_param_row params[N_PARAMS] = {
    [COUNT] = {"n", HW_PARAM_INT, 0, 1e12, 1000, NULL, "orders to draw; 0: until a limit"},
    [BY] = {"by", HW_PARAM_CHOICE, 0, 1, KAHN, "kahn|depth-first",
            "draw among all ready nodes, or among those just made ready"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    uint64_t most = (uint64_t)request->params[COUNT].i;
    bool limited =
        request->limits.states || request->limits.seconds > 0 || request->pause || request->outer;
    if (most == 0 && !limited)
        return hw_fail(err, HW_USAGE,
                       "best-of:n=0 draws orders until a limit, and there is none: give "
                       "--time-limit or --state-limit, or a number n");
    return hw_random_orders(m, most ? most : UINT64_MAX, request->params[BY].i == DEPTH_FIRST,
                            request, answer, err);
}

const hw_solver_row hw_solver_best_of = {
    .name = "best-of",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .budget_aware = true,
    .counts = "steps",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best of random orders, up to a number or until a limit",
    .source = "this project",
    .solve = solve,
};
