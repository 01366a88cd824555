/*
 * The order that improving solvers begin with, as a parameter of theirs.
 */
#ifndef HW_SOLVERS_START_H
#define HW_SOLVERS_START_H

#include "solve/solver.h"

enum { START_BEST = 0, START_CHOICES = 5 }; /* the values of the parameter */

/* The row of the parameter. */
#define START_PARAM                                                                                \
    {                                                                                              \
        "start", HW_PARAM_CHOICE, 0, START_CHOICES - 1, START_BEST,                                \
            "best|greedy-reverse|greedy|lookahead|level",                                          \
            "the first order; best: that of the first three rules"                                 \
    }

/*
 * The request's order to begin with, or that of the chosen rule, or the best one of the fast rules,
 * into the answer.  A limit may leave none.  HW_NO_MEMORY.  O((nodes + edges) log nodes).
 */
hw_code start_order(const hw_model *m, int64_t choice, const hw_request *request, hw_meter *meter,
                    hw_answer *answer, hw_error *err);

#endif
