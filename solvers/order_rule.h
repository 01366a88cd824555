/*
 * Rules that lay one whole order: what their solvers, and solvers that choose
 * among several such rules, share.
 */
#ifndef HW_SOLVERS_ORDER_RULE_H
#define HW_SOLVERS_ORDER_RULE_H

#include "solve/solver.h"

/*
 * Lay the order of a rule into order[0 .. n_nodes) and find its peak.  Steps
 * are counted on the caller's meter; *done is false when that ended the work
 * early, and then order and peak mean nothing.  Windows are respected.
 */
typedef hw_code (*hw_order_rule)(const hw_model *m, hw_meter *meter, uint32_t *order,
                                 uint64_t *peak, bool *done, hw_error *err);

/* The whole solver of one rule. */
hw_code hw_solve_by_rule(const hw_model *m, const hw_request *request, hw_order_rule rule,
                         hw_answer *answer, hw_error *err);

#endif
