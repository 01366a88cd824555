/* Longest paths of the graph, in nodes. */
#ifndef HW_MODEL_PATHS_H
#define HW_MODEL_PATHS_H

#include "model/graph.h"

/*
 * Fill length[0 .. n_nodes) with the number of nodes on the longest path that
 * begins at the node (a node without successors: 1), over all edges: data,
 * control, locks, must-in-place.  O(nodes + edges).  HW_NO_MEMORY.
 */
hw_code hw_paths_down(const hw_graph *g, uint32_t *length, hw_error *err);

/* The same for the longest path that ends at the node. */
hw_code hw_paths_up(const hw_graph *g, uint32_t *length, hw_error *err);

#endif
