/*
 * ort-dfs: depth first against the edges, from the last sink to the first.
 *
 * A visit first visits the predecessors that have not been visited, the last of
 * the source order first, then runs the node.
 *
 * Source: ONNX Runtime, Graph::ReverseDFSFrom in onnxruntime/core/graph/graph.cc
 * as GraphViewer (graph_viewer.cc) calls it for ExecutionOrder::DEFAULT.  Rule by
 * rule, theirs and ours:
 *
 * - Start: the nodes without output edges, in order of their index on a stack,
 *   from which the last is taken first.  The same; the index of a node is its
 *   source position.
 * - Predecessors: over input and control edges, sorted by index (NodeCompare)
 *   and stacked, so that the last goes first.  The same, over all edges of
 *   highwater-model(7).
 * - A node counts as visited when it is taken from the stack.  The same effect:
 *   of several stacked copies the uppermost counts.
 * - Builds for training move Shape and Size nodes right behind their parents
 *   afterwards; the builds that run models do not, nor does ours (ort-memory
 *   has that rule).
 * - Sizes play no part.
 * - Windows do not exist there.  Here the finished order is followed as far as
 *   they allow: at each step its first node that may run.
 *
 * O(nodes + edges), with windows as in ready.h.
 */
#include <stdlib.h>

#include "core/heap.h"
#include "core/memory.h"
#include "model/sim.h"
#include "solvers/order_rule.h"
#include "solvers/reverse_dfs.h"
#include "solvers/windowed.h"

static hw_code lay_order(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                         bool *done, hw_error *err)
{
    hw_reverse_dfs dfs = {0};
    uint32_t n = m->n_nodes, step = 0, *sorted = HW_NEW(uint32_t, n);
    const uint32_t *offset = m->graph->succs.offset;
    if (!sorted)
        return hw_fail_memory(err, "a depth-first order");
    for (uint32_t k = 0; k < n; k++)
        sorted[k] = n - 1 - k;
    hw_code code = hw_reverse_dfs_open(&dfs, m->graph, sorted, NULL, err);
    bool going = code == HW_OK;
    for (uint32_t v = n; going && v-- > 0;)
        if (offset[v] == offset[v + 1])
            going = hw_reverse_dfs_visit(&dfs, v, meter, order, &step);
    *done = going;
    if (going)
        code = hw_order_into_windows(m, order, err);
    hw_reverse_dfs_close(&dfs);
    free(sorted);
    return code == HW_OK && going ? hw_peak(m, order, peak, err) : code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_solve_by_rule(m, request, lay_order, answer, err);
}

const hw_solver_row hw_solver_ort_dfs = {
    .name = "ort-dfs",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "ONNX Runtime's default: depth first against the edges, the last nodes first",
    .source = "ONNX Runtime, onnxruntime/core/graph/graph.cc, Graph::ReverseDFSFrom",
    .solve = solve,
};
