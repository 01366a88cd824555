/*
 * xla-postorder: XLA's PostOrderScheduler, the post-order of its instructions.
 *
 * Source: XLA (OpenXLA), PostOrderScheduler::Run in
 * xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, which returns
 * HloComputation::MakeInstructionPostOrder (xla/hlo/ir/hlo_computation.cc).
 *
 * Rule by rule, theirs and ours (what stands for what: xla_graph.h):
 * - Starts.  Theirs: every instruction without users, in the order of the
 *   computation.  Ours: the same by source order.  Of several outputs theirs
 *   is started at the tuple that is returned, which as a rule comes last; ours
 *   ends with the imagined tuple, outputs in the order of tensors.
 * - From a start, depth first: control predecessors, from the last listed to
 *   the first, then operands in listed order, then the instruction itself;
 *   what was visited is not visited again.  Ours the same.  The builder keeps
 *   control edges sorted by their ends and puts the edges of locks behind them,
 *   then those of must-in-place, so "last listed" is the last of these.
 * - Operands that are parameters or constants are instructions and get places
 *   in the order; here they are no nodes, and a visit of one leads nowhere.
 * - Collectives of one channel depend on one another in theirs; not here.
 * - Windows do not exist in theirs.  Ours goes by this order as far as they
 *   allow (windowed.h).
 * Sizes play no part: it is the baseline of the three.
 *
 * O(nodes + edges), under windows O((nodes + edges) log nodes).
 */
#include "solvers/windowed.h"
#include "solvers/xla_graph.h"

hw_code hw_xla_postorder(const hw_model *m, hw_meter *meter, uint32_t *order, bool *over,
                         hw_error *err)
{
    hw_xla_graph x;
    hw_xla_walk w = {0};
    hw_code code = hw_xla_open(&x, m->graph, err);
    if (code == HW_OK)
        code = hw_xla_walk_open(&w, &x, meter, order, err);
    if (code == HW_OK) {
        hw_xla_post_order(&w);
        *over = w.placed < m->n_nodes;
        if (!*over)
            code = hw_order_into_windows(m, order, err);
    }
    hw_xla_walk_close(&w);
    hw_xla_close(&x);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_xla_solve(m, request, hw_xla_postorder, answer, err);
}

const hw_solver_row hw_solver_xla_postorder = {
    .name = "xla-postorder",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "XLA's post-order: from each sink, inputs as listed before the node",
    .source = "OpenXLA, xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, "
              "PostOrderScheduler",
    .solve = solve,
};
