/*
 * The table of solvers: one row each.
 *
 * To add a solver: one file in this folder that defines an hw_solver_row, one
 * line below, one line in tests/test_solvers.c.
 */
#include <string.h>

#include "solve/foreign.h"

/* X(name of the row); the order is that of `highwater list solvers`. */
#define HW_SOLVER_TABLE(X)                                                                         \
    X(hw_solver_source)                                                                            \
    X(hw_solver_level)                                                                             \
    X(hw_solver_dfs)                                                                               \
    X(hw_solver_random)                                                                            \
    X(hw_solver_kahn_random)                                                                       \
    X(hw_solver_best_of)                                                                           \
    X(hw_solver_by_output)                                                                         \
    X(hw_solver_greedy)                                                                            \
    X(hw_solver_greedy_listing)                                                                    \
    X(hw_solver_greedy_mixed)                                                                      \
    X(hw_solver_greedy_reverse)                                                                    \
    X(hw_solver_lpmf)                                                                              \
    X(hw_solver_inductor_bfs)                                                                      \
    X(hw_solver_inductor_dfs)                                                                      \
    X(hw_solver_inductor_best)                                                                     \
    X(hw_solver_ort_dfs)                                                                           \
    X(hw_solver_ort_priority)                                                                      \
    X(hw_solver_ort_memory)                                                                        \
    X(hw_solver_lookahead)                                                                         \
    X(hw_solver_xla_list)                                                                          \
    X(hw_solver_xla_dfs)                                                                           \
    X(hw_solver_xla_postorder)                                                                     \
    X(hw_solver_xla_best)                                                                          \
    X(hw_solver_enumerate)                                                                         \
    X(hw_solver_dp)                                                                                \
    X(hw_solver_serenity)                                                                          \
    X(hw_solver_hmcos)                                                                             \
    X(hw_solver_tflite_tools)                                                                      \
    X(hw_solver_milp)                                                                              \
    X(hw_solver_beam)                                                                              \
    X(hw_solver_portfolio)                                                                         \
    X(hw_solver_beam_reverse)                                                                      \
    X(hw_solver_best_of_both)                                                                      \
    X(hw_solver_backtrack)                                                                         \
    X(hw_solver_anneal)                                                                            \
    X(hw_solver_lns)                                                                               \
    X(hw_solver_exact)                                                                             \
    X(hw_solver_best_postorder)                                                                    \
    X(hw_solver_liu)                                                                               \
    X(hw_solver_series_parallel)                                                                   \
    X(hw_solver_bound_footprint)                                                                   \
    X(hw_solver_bound_mincut)                                                                      \
    X(hw_solver_external)

#define DECLARE(row) extern const hw_solver_row row;
HW_SOLVER_TABLE(DECLARE)

#define LIST(row) &(row),
const hw_solver_row *const hw_solvers[] = {HW_SOLVER_TABLE(LIST)};
const size_t hw_n_solvers = sizeof hw_solvers / sizeof hw_solvers[0];

const hw_solver_row *hw_solver_find(const char *name, size_t length)
{
    for (size_t i = 0; i < hw_n_solvers; i++)
        if (strlen(hw_solvers[i]->name) == length && memcmp(hw_solvers[i]->name, name, length) == 0)
            return hw_solvers[i];
    return NULL;
}

hw_code hw_solver_parse(const char *spec, const hw_solver_row **row, hw_param_value *values,
                        hw_error *err)
{
    *row = hw_solver_find(spec, strcspn(spec, ":"));
    if (!*row) {
        const char *names[sizeof hw_solvers / sizeof hw_solvers[0]];
        for (size_t i = 0; i < hw_n_solvers; i++)
            names[i] = hw_solvers[i]->name;
        return hw_fail_no_such("solver", "solvers", spec, names, hw_n_solvers, err);
    }
    hw_code code = hw_params_of_spec("solver", (*row)->params, (*row)->n_params, spec, values, err);
    return code == HW_OK && (*row)->foreign ? hw_foreign_check(*row, values, err) : code;
}
