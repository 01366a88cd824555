/*
 * Fixed steps: graphs in which the same node is the last consumer of a buffer
 * in every legal order.
 *
 * Then freed(v | S) does not depend on S, nor do in-place savings, and running
 * v changes live and usage by the same bytes wherever it stands: a segment
 * (segments.h).  This holds where every tensor has one consumer, and more
 * widely where one of the consumers of each buffer comes after all others.
 */
#ifndef HW_SOLVERS_FIXED_STEPS_H
#define HW_SOLVERS_FIXED_STEPS_H

#include "model/model.h"
#include "solvers/segments.h"

/*
 * step[v] of every node, given for each buffer the consumer that is always the
 * last.  Usage is counted from live before the step, no lower than that: an
 * order has passed through it in any case.  The peak of an order is
 * live_empty + the rise of its steps joined.  HW_NO_MEMORY.  O(nodes + uses),
 * with in-place pairs what hw_reuse() takes.
 */
hw_code hw_fixed_steps(const hw_model *m, const uint32_t *last_user, hw_segment *step,
                       hw_error *err);

#endif
