/*
 * source: the order of the source file.
 *
 * Where that order is not legal (an edge points backwards, a node lies outside
 * its window) there is nothing to return: unknown.  O(nodes + uses).
 */
#include "core/memory.h"
#include "model/sim.h"
#include "solve/solver.h"

static bool fits_windows(const hw_model *m)
{
    for (uint32_t v = 0; m->earliest && v < m->n_nodes; v++)
        if (v < m->earliest[v] || v > m->latest[v])
            return false;
    return true;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    (void)request;
    if (!m->graph->source_order_legal_edges || !fits_windows(m))
        return HW_OK; /* unknown: no order in hand */
    for (uint32_t v = 0; v < m->n_nodes; v++)
        answer->order[v] = v;
    answer->states = m->n_nodes;
    uint64_t peak;
    hw_code code = hw_peak(m, answer->order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    return code;
}

const hw_solver_row hw_solver_source = {
    .name = "source",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "steps",
    .help = "the order of the source file, if it is legal",
    .source = "baseline",
    .solve = solve,
};
