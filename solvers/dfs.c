/*
 * dfs: depth first, down one branch before the next.
 *
 * Ready nodes last in, first out.  The sources, and the successors that a step
 * makes ready, are stacked so that the one listed first runs first (sources in
 * source order, successors in the order of their row).  So a chain runs to its
 * end, and a node that joins branches runs right after the last of them.
 * Under windows the topmost node of the stack that may run goes next.
 * O(nodes + edges); under windows O(log nodes) a step more, and a look at each
 * ready node above the one that runs.
 */
#include "solvers/ready.h"

/*
 * Run the stack down.  Below the top the gate may take a node out of the
 * middle: the ones above close the gap.
 */
static hw_code descend(const hw_model *m, const hw_request *request, hw_gate *gate,
                       uint32_t *waiting, uint32_t *stack, hw_answer *answer, hw_error *err)
{
    uint32_t n = m->n_nodes, top = 0, step = 0;
    const hw_rows *succs = &m->graph->succs;
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_count_preds(m, waiting);
    for (uint32_t v = n; v-- > 0;)
        if (waiting[v] == 0)
            stack[top++] = v;
    while (top && !answer->limit_reached) {
        uint32_t at = top - 1;
        while (!hw_gate_allows(gate, stack[at]))
            if (at-- == 0)
                return hw_gate_stuck(gate, err);
        uint32_t v = stack[at];
        for (top--; at < top; at++)
            stack[at] = stack[at + 1];
        hw_gate_pass(gate, v);
        answer->order[step++] = v;
        for (uint32_t i = succs->offset[v + 1]; i-- > succs->offset[v];)
            if (--waiting[succs->item[i]] == 0)
                stack[top++] = succs->item[i];
        answer->limit_reached = hw_meter_count(&meter, 1) && step < n;
    }
    answer->states = meter.states;
    return answer->limit_reached ? HW_OK : hw_answer_finish(m, answer, err);
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    hw_gate gate;
    uint32_t *waiting = HW_NEW(uint32_t, m->n_nodes), *stack = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = hw_gate_open(&gate, m, false, err);
    if (!waiting || !stack)
        code = hw_fail_memory(err, "the ready nodes");
    else if (code == HW_OK)
        code = descend(m, request, &gate, waiting, stack, answer, err);
    hw_gate_close(&gate);
    free(waiting);
    free(stack);
    return code;
}

const hw_solver_row hw_solver_dfs = {
    .name = "dfs",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "steps",
    .help = "depth first: ready nodes last in, first out",
    .source = "R. Tarjan, Depth-first search and linear graph algorithms, SICOMP 1 (1972), "
              "10.1137/0201010",
    .solve = solve,
};
