/*
 * Memory that is freed by blocks: a tensor is given back when a whole block of
 * nodes has ended, not when its last consumer has run.
 *
 * Release by blocks is expressed in the graph itself, so that every peak can
 * come from the independent checker: in a given order the last node of a block
 * reads whatever may not be freed before it.
 */
#ifndef HW_CLAIMS_BLOCKS_H
#define HW_CLAIMS_BLOCKS_H

#include "model/model.h"

/* Which block a tensor waits for, beside its last consumer. */
typedef enum hw_blocks_rule {
    HW_BLOCKS_MAKER, /* that of the node that makes it            */
    HW_BLOCKS_READER /* that of its last consumer                 */
} hw_blocks_rule;

/*
 * Cut an order into blocks: block[i] of the step i, from 0 on, without gaps.
 *
 * hw_blocks_equal    `count` stretches of equal length (fewer where there are fewer nodes)
 * hw_blocks_narrow   a block ends where at most one storage made by a node is in memory
 *                    whose constants and inputs aside: what lies between is a sub-graph with
 *                    one tensor in and one out.  HW_NO_MEMORY.
 */
void hw_blocks_equal(uint32_t n_nodes, uint32_t count, uint32_t *block);
hw_code hw_blocks_narrow(const hw_model *m, const uint32_t *order, uint32_t *block, hw_error *err);

/*
 * g with reads that keep every tensor to the end of its block, the order being
 * `order`: legal for it as well.  Plain g: no in-place pairs that are required.
 * HW_NO_MEMORY.  O(size of g log size).
 */
hw_code hw_blocks_release(const hw_graph *g, const uint32_t *order, const uint32_t *block,
                          hw_blocks_rule rule, hw_graph **out, hw_error *err);

#endif
