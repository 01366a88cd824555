/*
 * How runs of `solve` get on: a line on standard error and one in a file at
 * every better order or bound.  The file's lines are described in
 * highwater-results(5).
 */
#ifndef HW_CLI_SOLVE_TRACE_H
#define HW_CLI_SOLVE_TRACE_H

#include "cli/cli.h"
#include "solve/solver.h"

typedef struct hw_solve_trace {
    const hw_cli *c;
    bool tell;  /* on standard error  */
    FILE *file; /* NULL: none         */

    /* Of the run at hand. */
    const hw_model *m;
    const hw_solver_row *row;
    const hw_param_value *values;
    const char *hash;
    uint64_t added_bytes; /* to every figure of memory: constants, or 0 */
    char spec[1024];      /* the solver and its parameters              */
    bool told;
} hw_solve_trace;

/* Before a run; the request's trace afterwards, or none. */
void hw_solve_trace_begin(hw_solve_trace *t, const hw_model *m, const char *hash,
                          const hw_solver_row *row, const hw_param_value *values,
                          uint64_t added_bytes, hw_request *request);

/* After it: how it ended. */
void hw_solve_trace_end(hw_solve_trace *t, const hw_answer *answer);

#endif
