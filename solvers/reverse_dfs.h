/*
 * Depth first against the edges: a node runs when all that it needs has run.
 *
 * Visits keep no stack of calls: each node knows who visits it.
 */
#ifndef HW_SOLVERS_REVERSE_DFS_H
#define HW_SOLVERS_REVERSE_DFS_H

#include "solve/solver.h"

typedef struct hw_reverse_dfs {
    const hw_rows *rows; /* of predecessors                                  */
    uint32_t n;
    uint32_t *pred;   /* the same rows, in the order of visits               */
    uint32_t *cursor; /* next of the row to visit                            */
    uint32_t *parent; /* who visits; HW_NONE: nobody; self: not visited yet  */
} hw_reverse_dfs;

/*
 * Before the first visit: predecessors are visited in the order in which they
 * stand in sorted[0 .. n_nodes).  Where that is by ascending (weight, position),
 * give the weights too (else NULL): short rows are then sorted by themselves,
 * which looks around each node and not all over the graph.  O(nodes + edges).
 * HW_NO_MEMORY; what failed to open may be closed.
 */
hw_code hw_reverse_dfs_open(hw_reverse_dfs *d, const hw_graph *g, const uint32_t *sorted,
                            const uint64_t *weight, hw_error *err);
void hw_reverse_dfs_close(hw_reverse_dfs *d);

static inline bool hw_reverse_dfs_seen(const hw_reverse_dfs *d, uint32_t v)
{
    return d->parent[v] != v;
}

/*
 * Append to order[*step ..] what v needs and has not been visited, then v,
 * unless it has been visited.  False: the meter, which counts each node, ended
 * it before the last of all nodes.
 */
bool hw_reverse_dfs_visit(hw_reverse_dfs *d, uint32_t v, hw_meter *meter, uint32_t *order,
                          uint32_t *step);

#endif
