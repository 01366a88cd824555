/*
 * inductor-best: of the source order, lpmf, inductor-bfs and inductor-dfs, the
 * one with the least peak; the first of them where peaks are equal.
 *
 * Source: reorder_for_peak_memory in torch/_inductor/memory.py of PyTorch.  Rule
 * by rule, theirs and ours:
 *
 * - Candidates: the order given, then the three sorts in this order.  The same;
 *   a source order that is not legal here is no candidate (theirs is given
 *   sorted nodes).
 * - Choice: least estimated peak, the earliest candidate among equals.  The same.
 * - Estimate: live bytes step by step, outputs allocated before inputs are
 *   freed, no in-place reuse, no workspace.  Here it is the peak of MODEL
 *   section 3 under the accounting in use: the same on graphs without in-place
 *   pairs and workspace under alloc-first.
 * - A sort that fails there is left out.  Ours do not fail short of memory.
 *
 * Each better order is handed over at once, and with --budget the work stops at
 * the first that fits, so that a limit leaves the best so far.  O((nodes +
 * edges + uses) log nodes) expected.
 */
#include "core/heap.h"
#include "core/memory.h"
#include "model/sim.h"
#include "solvers/inductor.h"

static bool source_is_legal(const hw_model *m)
{
    if (!m->graph->source_order_legal_edges)
        return false;
    for (uint32_t v = 0; m->earliest && v < m->n_nodes; v++)
        if (v < m->earliest[v] || v > m->latest[v])
            return false;
    return true;
}

static hw_code source_order(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                            bool *done, hw_error *err)
{
    for (uint32_t v = 0; v < m->n_nodes; v++)
        order[v] = v;
    *done = true;
    (void)hw_meter_count(meter, m->n_nodes);
    return hw_peak(m, order, peak, err);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    static const hw_order_rule rules[] = {source_order, hw_inductor_lpmf, hw_inductor_bfs,
                                          hw_inductor_dfs};
    enum { N_RULES = sizeof rules / sizeof rules[0] };
    hw_code code = HW_OK;
    hw_meter meter;
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    if (!order)
        return hw_fail_memory(err, "the orders to choose from");
    hw_meter_start(&meter, request);
    for (size_t i = source_is_legal(m) ? 0 : 1; i < N_RULES; i++) {
        uint64_t peak = 0;
        bool done = false;
        code = rules[i](m, &meter, order, &peak, &done, err);
        if (code != HW_OK)
            break;
        if (done)
            (void)hw_answer_improve(m, answer, order, peak);
        if (answer->has_order && request->has_budget && answer->peak <= request->budget_bytes)
            break;
        if (!done || (hw_meter_count(&meter, 0) && i + 1 < N_RULES)) {
            answer->limit_reached = true;
            break;
        }
    }
    answer->states = meter.states;
    free(order);
    return code;
}

const hw_solver_row hw_solver_inductor_best = {
    .name = "inductor-best",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "the best of the source order, lpmf, inductor-bfs and inductor-dfs",
    .source = "PyTorch Inductor, torch/_inductor/memory.py, reorder_for_peak_memory",
    .solve = solve,
};
