/*
 * Forests: graphs each of whose components is an in-tree or an out-tree, with
 * fixed steps (fixed_steps.h).
 *
 * What counts is the order that the edges of any origin imply, not how many
 * there are: a component is an in-tree if the successors of each node come one
 * after another, an out-tree if the predecessors do.  So an edge past the next
 * node, as views and shared inputs along a branch make them, does no harm.  A
 * node may have any number of outputs.
 */
#ifndef HW_SOLVERS_FOREST_H
#define HW_SOLVERS_FOREST_H

#include "solvers/segments.h"
#include "model/model.h"

typedef struct hw_forest {
    uint32_t n;
    uint32_t *parent;     /* towards the root; HW_NONE: a root                   */
    uint32_t *sequence;   /* children before parents                             */
    bool *out;            /* by node: its component is an out-tree               */
    hw_segment *step;     /* what running the node costs                         */
    bool any_in, any_out; /* components of either kind                           */
} hw_forest;

/*
 * The forest that m is, children in source order where the source order is
 * legal.  HW_USAGE: it is none, or a window, or a buffer without a last
 * consumer that is always the same; the message names `solver` and the nodes.
 * HW_NO_MEMORY.  Released by hw_forest_close() in any case.
 * O(nodes + edges + uses), with in-place pairs what hw_reuse() takes.
 */
hw_code hw_forest_open(hw_forest *f, const hw_model *m, const char *solver, hw_error *err);
void hw_forest_close(hw_forest *f);

#endif
