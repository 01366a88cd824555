/*
 * kahn-random: one random order: Kahn's algorithm, each step a ready node with
 * equal chances (random_orders.h).
 */
#include "solvers/random_orders.h"

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_random_orders(m, 1, false, request, answer, err);
}

const hw_solver_row hw_solver_kahn_random = {
    .name = "kahn-random",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .counts = "steps",
    .help = "one random order: each step a ready node with equal chances",
    .source = "A. B. Kahn, Topological sorting of large networks, CACM 5 (1962), "
              "10.1145/368996.369025",
    .solve = solve,
};
