/*
 * R4, cut nodes: a node that is an ancestor or a descendant of every other
 * node has one prefix before it and one after it in every order.  Between two
 * such forced prefixes the orders of the pieces are independent, and the
 * optimum is the largest of theirs.
 */
#ifndef HW_SOLVERS_EXACT_BLOCKS_H
#define HW_SOLVERS_EXACT_BLOCKS_H

#include "model/graph.h"

/*
 * Ends of the blocks along a topological order of n nodes (NULL: their own
 * numbers are one): block i holds the nodes end[i-1] .. end[i]-1 of the order
 * (from 0 for i = 0); a cut node is a block of its own.  end[] has room for n
 * entries; the number of blocks is stored in *n_blocks.  O(nodes + edges).
 * HW_NO_MEMORY.
 *
 * At position p all nodes before are ancestors exactly when each of them has a
 * successor at or before p (follow these successors: they end at p), and all
 * nodes after are descendants exactly when each has a predecessor at or after
 * p.
 */
hw_code exact_blocks(const hw_rows *preds, const hw_rows *succs, uint32_t n, const uint32_t *order,
                     uint32_t *end, uint32_t *n_blocks, hw_error *err);

#endif
