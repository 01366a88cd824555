/*
 * The footprints of all nodes at once (highwater-model(7)).
 *
 * The footprint of v is what must be live whenever v runs: live(empty) less
 * what may have been freed, v's own bytes, what v's ancestors leave for ever,
 * and every buffer that is made before v and wanted by v (alloc-first) or
 * after it.  So a buffer counts at the nodes between its maker and its users:
 * an interval of the precedence order, which is short in most graphs.  One
 * walk over each interval gives all footprints; hw_footprint_node()
 * (mincut.h) computes one from the definition.
 */
#ifndef HW_MODEL_FOOTPRINT_H
#define HW_MODEL_FOOTPRINT_H

#include "model/model.h"

typedef struct hw_footprint hw_footprint;

/* Work space of O(nodes); NULL: out of memory.  m must outlive it. */
hw_footprint *hw_footprint_new(const hw_model *m);
void hw_footprint_free(hw_footprint *f);

/*
 * Walk over intervals until about `steps` more edges have been looked at; true
 * when none is left.  Equal calls do equal work on every machine.
 * O(nodes + edges + the edges inside all intervals): linear where edges are
 * short, O((buffers + nodes) x edges) at worst.
 */
bool hw_footprint_sweep(hw_footprint *f, uint64_t steps);

/*
 * The footprint of v in bytes, in-place reuse subtracted; before the sweep is
 * complete a smaller figure, which bounds the usage of v too.
 */
uint64_t hw_footprint_held(const hw_footprint *f, uint32_t v);

#endif
