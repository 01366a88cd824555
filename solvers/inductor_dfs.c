/*
 * inductor-dfs: depth first against the edges, light nodes first.
 *
 * Weight of a node = the sizes of what it makes and of what it reads.  Nodes are
 * visited by ascending (weight, source position); a visit first visits the
 * predecessors not yet visited, in the same order, then runs the node.
 *
 * Source: topological_sort_dfs in torch/_inductor/memory.py of PyTorch.  Rule by
 * rule, theirs and ours:
 *
 * - Weight: sizes of the node's outputs when allocated, and of the buffers that
 *   it reads when freed, each once; inputs that may not be freed weigh nothing.
 *   The same in storages: constants and pinned inputs weigh nothing, a view
 *   makes nothing and reads the storage that it shows.  Workspace is left out
 *   on both sides.
 * - Order of visits, of the outer loop and of predecessors.  The same.
 * - Predecessors: through buffers and ordering dependencies.  The same, through
 *   all edges of highwater-model(7).
 * - Theirs recurses to the depth of the graph, ours does not.
 * - Windows do not exist there.  Here the finished order is followed as far as
 *   they allow: at each step its first node that may run.
 *
 * All nodes are sorted once, by counting (the predecessors of each node fall
 * out of the same pass).  O(nodes + edges), with windows as in ready.h.
 */
#include <stdlib.h>
#include <string.h>

#include "core/heap.h"
#include "core/memory.h"
#include "model/sim.h"
#include "solvers/inductor.h"
#include "solvers/reverse_dfs.h"
#include "solvers/windowed.h"

/* The weights of all nodes.  Sums stay below 2^64: a storage counts once. */
static bool weigh(const hw_model *m, uint64_t *weight)
{
    const hw_graph *g = m->graph;
    uint32_t *seen = HW_NEW(uint32_t, g->n_storages);
    if (!seen)
        return false;
    memset(seen, 0xff, (size_t)g->n_storages * sizeof *seen);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        weight[v] = m->new_bytes[v];
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t s = g->tensor_storage[g->inputs.item[i]], root = g->storage_root[s];
            hw_kind kind = (hw_kind)g->tensor_kind[root];
            bool stays = kind == HW_CONSTANT || (kind == HW_INPUT && m->pin_inputs);
            if (seen[s] != v && !stays)
                weight[v] += g->tensor_size[root];
            seen[s] = v;
        }
    }
    free(seen);
    return true;
}

/*
 * Nodes by ascending (weight, position) into sorted[], by counting bytes from
 * the lowest up; bytes that all weights share cost nothing.
 */
static bool sort_by_weight(uint32_t n, const uint64_t *weight, uint32_t *sorted)
{
    uint32_t *from = HW_NEW(uint32_t, n), *spare = from, *to = sorted;
    uint64_t differ = 0;
    if (!from)
        return false;
    for (uint32_t v = 0; v < n; v++) {
        from[v] = v;
        differ |= weight[v] ^ weight[0];
    }
    for (int shift = 0; shift < 64; shift += 8) {
        uint32_t first[257] = {0};
        if ((differ >> shift & 255) == 0)
            continue;
        for (uint32_t i = 0; i < n; i++)
            first[(weight[i] >> shift & 255) + 1]++;
        for (int k = 1; k < 257; k++)
            first[k] += first[k - 1];
        for (uint32_t i = 0; i < n; i++)
            to[first[weight[from[i]] >> shift & 255]++] = from[i];
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != sorted)
        memcpy(sorted, from, (size_t)n * sizeof *sorted);
    free(spare);
    return true;
}

static hw_code lay_order(const hw_model *m, const uint32_t *sorted, const uint64_t *weight,
                         hw_meter *meter, uint32_t *order, bool *done, hw_error *err)
{
    hw_reverse_dfs dfs;
    uint32_t step = 0;
    hw_code code = hw_reverse_dfs_open(&dfs, m->graph, sorted, weight, err);
    bool going = code == HW_OK;
    for (uint32_t k = 0; going && k < m->n_nodes; k++)
        going = hw_reverse_dfs_visit(&dfs, sorted[k], meter, order, &step);
    *done = going;
    hw_reverse_dfs_close(&dfs);
    return going ? hw_order_into_windows(m, order, err) : code;
}

hw_code hw_inductor_dfs(const hw_model *m, hw_meter *meter, uint32_t *order, uint64_t *peak,
                        bool *done, hw_error *err)
{
    uint64_t *weight = HW_NEW(uint64_t, m->n_nodes);
    uint32_t *sorted = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = HW_OK;
    *done = false;
    if (!weight || !sorted || !weigh(m, weight) || !sort_by_weight(m->n_nodes, weight, sorted))
        code = hw_fail_memory(err, "the weights of the nodes");
    if (code == HW_OK)
        code = lay_order(m, sorted, weight, meter, order, done, err);
    free(weight);
    free(sorted);
    return code == HW_OK && *done ? hw_peak(m, order, peak, err) : code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    return hw_solve_by_rule(m, request, hw_inductor_dfs, answer, err);
}

const hw_solver_row hw_solver_inductor_dfs = {
    .name = "inductor-dfs",
    .kind = HW_SOLVER_HEURISTIC,
    .most_nodes = HW_HEAP_MOST,
    .counts = "steps",
    .help = "depth first against the edges, nodes that make and read the fewest bytes first",
    .source = "PyTorch Inductor, torch/_inductor/memory.py, topological_sort_dfs",
    .solve = solve,
};
