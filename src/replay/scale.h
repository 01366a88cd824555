/* A graph with smaller sizes, so that its replay fits into the memory at hand. */
#ifndef HW_REPLAY_SCALE_H
#define HW_REPLAY_SCALE_H

#include "model/model.h"

/*
 * `graph` shares everything with the graph that it came from, which must
 * outlive it, but for sizes and workspaces: those are divided by the divisor
 * and rounded up to whole bytes, so that what had bytes keeps some.
 */
typedef struct hw_scaled {
    hw_graph graph;
    uint64_t divisor;
} hw_scaled;

/* divisor: at least 1.  HW_NO_MEMORY.  O(tensors + nodes). */
hw_code hw_scaled_start(hw_scaled *s, const hw_graph *g, uint64_t divisor, hw_error *err);
void hw_scaled_end(hw_scaled *s);

/*
 * The least divisor with which an order of g peaks at no more than `most`
 * bytes, the constants counted with with_resident.  HW_USAGE: even with blocks
 * of one byte each it peaks higher.  HW_NO_MEMORY.  O(64) simulations.
 */
hw_code hw_scale_to_fit(const hw_graph *g, hw_accounting accounting, bool pin_inputs,
                        const uint32_t *order, bool with_resident, uint64_t most, uint64_t *divisor,
                        hw_error *err);

#endif
