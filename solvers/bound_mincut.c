/*
 * bound-mincut: the least usage of each node over all prefixes, by a minimum cut.
 *
 * A lower bound of the peak, no order.  Definitions and complexity: mincut.h;
 * nodes are asked in falling order of what they use in a heuristic's order and
 * the rest is skipped when no node can raise the bound.
 */
#include "solvers/bound.h"

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return bound_solve(m, BOUND_MINCUT, request, answer, err);
}

const hw_solver_row hw_solver_bound_mincut = {
    .name = "bound-mincut",
    .kind = HW_SOLVER_BOUND,
    .counts = "nodes",
    .help = "the least usage of each node over all prefixes, by a minimum cut",
    .source = "closure problem: Picard 1976, doi:10.1287/mnsc.22.11.1268",
    .solve = solve,
};
