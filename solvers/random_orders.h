/* The best of many random orders: the part common to random, kahn-random, best-of. */
#ifndef HW_SOLVERS_RANDOM_ORDERS_H
#define HW_SOLVERS_RANDOM_ORDERS_H

#include "solve/solver.h"

/*
 * Draw up to `most` orders and keep the best: at each step a ready node with
 * equal chances, or, depth first, one that the last step made ready.  Stops at
 * an order that meets the simple bound or the budget, and at the limits of the
 * request; one state is a step.  The draws are one stream of request->seed, so
 * more orders are the same ones and further ones.
 *
 * O(nodes + edges) an order; under windows O(log nodes) a step more, and a look
 * at each node turned away.  HW_NO_MEMORY.
 */
hw_code hw_random_orders(const hw_model *m, uint64_t most, bool depth_first,
                         const hw_request *request, hw_answer *answer, hw_error *err);

#endif
