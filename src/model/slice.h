/*
 * The part of a model between two prefixes of an order, as a model of its own.
 *
 * Every order that passes through the prefixes P and Q splits there, and what
 * happens in between depends on the nodes of Q \ P alone.  In the slice
 * live(empty) is live(P); its buffers are those that die between P and Q, with
 * the users that have not run by P; whatever a node of the slice makes beside
 * them stays.  Any solver can order the nodes of a slice: peaks are those of
 * the steps in their place in the whole order.
 *
 * The graph of a slice holds nodes and edges, no tensors: a solver that reads
 * tensors, and the checker, need the whole graph.
 */
#ifndef HW_MODEL_SLICE_H
#define HW_MODEL_SLICE_H

#include "model/model.h"

/* A knife for one order. */
typedef struct hw_slicer {
    const hw_model *model;
    const uint32_t *order; /* the caller's */
    uint32_t *position;    /* of each node in it                            */
    uint32_t *last;        /* of each buffer: the position of its last user */
    uint32_t *name;        /* of each buffer in a slice; HW_NONE between    */
} hw_slicer;

/*
 * A slicer of a legal order of all nodes.  Between two slices the order may be
 * changed within a slice that was cut, not across.  O(nodes + uses).
 * HW_NO_MEMORY; a slicer that failed to open may be closed.
 */
hw_code hw_slicer_open(hw_slicer *s, const hw_model *m, const uint32_t *order, hw_error *err);
void hw_slicer_close(hw_slicer *s);

/*
 * The slice of the nodes order[low .. high), released by hw_slice_free(); node i
 * of it is order[low + i] of the moment.  `live` is live of the first `low`
 * nodes.  Positions that windows allow count from `low`.
 * O(nodes + edges + uses of these nodes).  HW_NO_MEMORY.
 */
hw_code hw_slice_new(hw_slicer *s, uint32_t low, uint32_t high, uint64_t live, hw_model **out,
                     hw_error *err);
void hw_slice_free(hw_model *slice);

#endif
