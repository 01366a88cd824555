/*
 * by-output: the ready node with the least total output first.
 *
 * The first mistake that the seed article owns up to (section 5.4): a node
 * with a small output may be the one that would free a huge input.  The total
 * is that of the node's output tensors as listed, views among them; ties by
 * source position.  O((nodes + edges) log nodes); for windows see ready.h.
 */
#include "solvers/ready.h"

static hw_key output_bytes(const hw_model *m, uint32_t v, uint32_t arrival)
{
    const hw_graph *g = m->graph;
    hw_key sum = 0;
    (void)arrival;
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
        sum += g->tensor_size[g->outputs.item[i]];
    return sum;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_schedule_by_rank(m, request, output_bytes, answer, err);
}

const hw_solver_row hw_solver_by_output = {
    .name = "by-output",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "the ready node with the smallest outputs first",
    .source = "seed article, section 5.4 (its first mistake)",
    .solve = solve,
};
