/*
 * Lower bounds of the peak from single nodes (highwater-model(7)).
 *
 * Mincut: whatever order, when v runs some prefix T stands that holds v's
 * ancestors and none of its descendants.  The least usage of v over all these
 * T is a closure problem (Picard 1976), solved by one maximum flow; in-place
 * nodes subtract the most that they can ever reuse.
 *
 * Footprint: what every such T holds, that is the buffers made before v and
 * wanted by v or after it.  Weaker, but linear in the graph.
 */
#ifndef HW_MODEL_MINCUT_H
#define HW_MODEL_MINCUT_H

#include "model/model.h"

/* Work space for one model, O(nodes + edges + uses). */
typedef struct hw_mincut hw_mincut;
hw_mincut *hw_mincut_new(const hw_model *m); /* NULL: out of memory */
void hw_mincut_free(hw_mincut *c);

/*
 * From now on stop after about `steps` looks at arcs and nodes, in the middle
 * of a flow too: what is answered then is smaller, and still a bound.  Equal
 * calls do equal work on every machine.  No limit before the first call.
 */
void hw_mincut_limit(hw_mincut *c, uint64_t steps);
bool hw_mincut_over(const hw_mincut *c); /* that limit was reached */

/*
 * The least usage of v over all prefixes from which it can run; 0 when it is
 * seen at once not to pass `enough`.
 * One flow (Dinic 1970) over the nodes incomparable to v.
 */
uint64_t hw_mincut_node(hw_mincut *c, uint32_t v, uint64_t enough);

/* The least live over all prefixes from which v can run; 0 as above. */
uint64_t hw_mincut_before(hw_mincut *c, uint32_t v, uint64_t enough);

/* The footprint of v.  O(nodes + edges + uses). */
uint64_t hw_footprint_node(hw_mincut *c, uint32_t v);

/*
 * Nodes in the order in which their bounds should be asked for, into
 * order[0 .. n): falling usage[] (the usage of each node in some legal order,
 * which no bound of the node exceeds), ties by index.  Once usage of the next
 * node is no larger than the best bound, no other node can raise it.
 */
hw_code hw_bound_order(const hw_model *m, const uint64_t *usage, uint32_t *order, hw_error *err);

/* The usage of every node along a legal order, the least of itself and usage[]. */
hw_code hw_bound_usage(const hw_model *m, const uint32_t *order, uint64_t *usage, hw_error *err);

#endif
