/*
 * ort-priority: the ready node that comes first, Shape and Size before others.
 *
 * Source: ONNX Runtime, Graph::KahnsTopologicalSort in
 * onnxruntime/core/graph/graph.cc with PriorityNodeCompare (graph_viewer.cc), as
 * for ExecutionOrder::PRIORITY_BASED.  Rule by rule, theirs and ours:
 *
 * - At each step a ready node of the operators Shape or Size, if there is one.
 *   The same, by the operator names of the file.
 * - Then the least Priority attribute.  Files here have none, nor do models
 *   that were not prepared for training: all are equal.
 * - Builds for training then compare an attribute for critical execution order.
 *   Left out, for the same reason.
 * - Then the least index.  The same: the source position.
 * - Sizes play no part.
 * - Windows do not exist there.  Here a node is ready only if the rest can still
 *   be completed.
 *
 * O((nodes + edges) log nodes); for windows see ready.h.
 */
#include <string.h>

#include "solvers/ready.h"

static hw_key rank(const hw_model *m, uint32_t v, uint32_t arrival)
{
    (void)arrival;
    const char *op = hw_node_op(m->graph, v);
    return strcmp(op, "Shape") == 0 || strcmp(op, "Size") == 0 ? 0 : 1;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_schedule_by_rank(m, request, rank, answer, err);
}

const hw_solver_row hw_solver_ort_priority = {
    .name = "ort-priority",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "ONNX Runtime's priority order: ready nodes in source order, Shape and Size first",
    .source = "ONNX Runtime, onnxruntime/core/graph/graph.cc, Graph::KahnsTopologicalSort",
    .solve = solve,
};
