/* An order to begin with, from another solver. */
#ifndef HW_SOLVERS_FIRST_H
#define HW_SOLVERS_FIRST_H

#include "solve/solver.h"

/*
 * Run the solver `spec` ("NAME" or "NAME:param=value,...") and let its order
 * stand if it is better than what `answer` holds.  Seed, stop flag and limit of
 * seconds are the request's; its steps are not counted and not limited, for
 * callers that count something else.  HW_NO_MEMORY, or what that solver answers.
 */
hw_code hw_first_order(const hw_model *m, const char *spec, const hw_request *request,
                       hw_answer *answer, hw_error *err);

#endif
