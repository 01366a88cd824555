/*
 * Upper bounds for the exact search: orders to begin with, and a better one by
 * re-solving windows when the search proves long.
 */
#ifndef HW_SOLVERS_EXACT_UPPER_H
#define HW_SOLVERS_EXACT_UPPER_H

#include "solvers/exact_plan.h"
#include "solvers/exact_search.h"

/*
 * The order to begin with, or the best one of quick heuristics, into the answer and into order[0 ..
 * n). With windows of positions there may be none: then order[] holds any topological one.
 * HW_NO_MEMORY, or what a heuristic answers.
 */
hw_code exact_upper_first(const hw_model *m, const hw_request *request, hw_answer *answer,
                          uint32_t *order, hw_error *err);

/*
 * Improve the plan's order by windows (exact_window.h), for about so many
 * states, at most `each` in one window.  Windows cross the bounds between pieces; the new order is
 * led through these again, which no step's usage minds (exact_plan.h), and each piece keeps the
 * better of its two orders.  HW_NO_MEMORY.
 */
hw_code exact_upper_windows(exact_plan *plan, const exact_options *options, uint64_t states,
                            uint64_t each, hw_meter *meter, hw_error *err);

/*
 * A meter that stops with `outer`, and also after so many states; its request
 * in *inner.  The caller hands what it has counted back to `outer`.
 */
hw_meter exact_upper_meter(const hw_meter *outer, uint64_t states, hw_request *inner);
void exact_upper_meter_back(hw_meter *outer, const hw_meter *inner);

#endif
