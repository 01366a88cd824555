/*
 * xla-best: XLA's DefaultMemoryScheduler, the least of its three schedulers.
 *
 * Source: XLA (OpenXLA), DefaultMemoryScheduler::Run in
 * xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc.
 *
 * Rule by rule, theirs and ours:
 * - All three run: list, depth first, post-order.  Ours the same, one after the
 *   other; under a budget it stops at the first order that fits.
 * - The least peak wins; of equals list before depth first before post-order.
 *   Ours the same: an order is replaced by a better one alone.
 * - Theirs takes the peak from a simulated heap without fragmentation, in which
 *   a result may take the place of an operand that dies with the step where
 *   the two can share a buffer.  Ours is the peak of the model, with its
 *   in-place pairs under alloc-first.
 * - Theirs adds up the computations that a module calls; a graph here is one.
 *
 * Complexity: that of the three together.
 */
#include <stdlib.h>

#include "core/heap.h"
#include "core/memory.h"
#include "model/sim.h"
#include "solvers/xla_graph.h"

static hw_code try(const hw_model *m, hw_xla_scheduler scheduler, hw_meter *meter, uint32_t *order,
                   hw_answer *answer, hw_error *err)
{
    uint64_t peak;
    hw_code code = scheduler(m, meter, order, &answer->limit_reached, err);
    if (code != HW_OK || answer->limit_reached)
        return code;
    code = hw_peak(m, order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, order, peak);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    static const hw_xla_scheduler schedulers[] = {hw_xla_list, hw_xla_dfs, hw_xla_postorder};
    hw_meter meter;
    hw_meter_start(&meter, request);
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = order ? HW_OK : hw_fail_memory(err, "an order");
    for (size_t i = 0; i < 3 && code == HW_OK && !answer->limit_reached; i++) {
        if (meter.over) { /* by the last step of the one before */
            answer->limit_reached = true;
            break;
        }
        code = try(m, schedulers[i], &meter, order, answer, err);
        if (request->has_budget && answer->has_order && answer->peak <= request->budget_bytes)
            break;
    }
    answer->states = meter.states;
    free(order);
    return code;
}

const hw_solver_row hw_solver_xla_best = {
    .name = "xla-best",
    .kind = HW_SOLVER_HEURISTIC,
    .budget_aware = true,
    .most_nodes = HW_HEAP_MOST,
    .counts = "instructions and steps of the three",
    .help = "XLA's default: the least of xla-list, xla-dfs and xla-postorder",
    .source = "OpenXLA, xla/hlo/transforms/simplifiers/hlo_memory_scheduler.cc, "
              "DefaultMemoryScheduler",
    .solve = solve,
};
