/* The second objective of `solve` (--then) and of `tradeoff`. */
#ifndef HW_CLI_SOLVE_THEN_H
#define HW_CLI_SOLVE_THEN_H

#include "cli/cli.h"
#include "model/second.h"
#include "solve/solver.h"

#define HW_THEN_WORDS "area|critical-path" /* in the order of hw_second */

typedef struct hw_then {
    hw_second kind;
    hw_cost cost;
    bool proven; /* no order of an allowed peak has less */
} hw_then;

/*
 * The best order by out->kind that can be found of a peak of at most `cap`,
 * as long as `meter` allows, in place of order[].  Its order[] keeps to the
 * cap.  most_sets: of the whole graph's down-sets; 0: preset.
 */
hw_code hw_then_improve(const hw_model *m, uint64_t cap, uint64_t most_sets, hw_meter *meter,
                        uint32_t *order, hw_then *out, hw_error *err);

/*
 * The answer of one of the solvers whose orders are worth improving beside the
 * one in hand, start < HW_THEN_STARTS, with limits, seed and stop flag of
 * `request`; to be cleared.
 */
enum { HW_THEN_STARTS = 5 };
hw_code hw_then_start(const hw_model *m, size_t start, const hw_request *request, hw_answer *answer,
                      hw_error *err);

/*
 * The same as hw_then_improve() for an answer, whose peak (or budget) is the
 * cap; it must have an order that fits.  The limits of `request` hold anew.
 */
hw_code hw_then_answer(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_answer *answer, hw_then *out, hw_error *err);

#endif
