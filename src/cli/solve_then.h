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
 * under the limits of `request`, in place of order[].  Its order[] keeps to the
 * cap.  most_sets: of the whole graph's down-sets; 0: preset.
 */
hw_code hw_then_improve(const hw_model *m, uint64_t cap, uint64_t most_sets,
                        const hw_request *request, uint32_t *order, hw_then *out, hw_error *err);

/* The same for an answer, whose peak (or budget) is the cap; it must have an order that fits. */
hw_code hw_then_answer(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_answer *answer, hw_then *out, hw_error *err);

#endif
