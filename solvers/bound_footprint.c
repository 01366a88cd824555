/*
 * bound-footprint: what must be live whenever a node runs, the most over all nodes.
 *
 * A lower bound of the peak, no order.  Definitions and complexity: mincut.h;
 * nodes are asked in falling order of what they use in a heuristic's order and
 * the rest is skipped when no node can raise the bound.
 */
#include "solvers/bound.h"

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return bound_solve(m, BOUND_FOOTPRINT, request, answer, err);
}

const hw_solver_row hw_solver_bound_footprint = {
    .name = "bound-footprint",
    .kind = HW_SOLVER_BOUND,
    .counts = "nodes",
    .help = "what must be live whenever a node runs, the most over all nodes",
    .source = "this project",
    .solve = solve,
};
