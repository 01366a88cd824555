/*
 * Solving an integer program by another program: CBC, HiGHS, GLPK or SCIP.
 *
 * All of them compute in floating point: what they call an optimum is one up to
 * their tolerances (1e-6 for whole variables).  Orders made from their values
 * are to be simulated again, and their bounds are proofs only where one unit of
 * the objective is far above the tolerance of its rows.
 */
#ifndef HW_IO_ILP_H
#define HW_IO_ILP_H

#include <stdbool.h>

#include "io/linear.h"
#include "io/program.h"

typedef enum hw_ilp_program {
    HW_ILP_CBC,    /* COIN-OR Branch and Cut, "cbc"  */
    HW_ILP_HIGHS,  /* HiGHS, "highs"                 */
    HW_ILP_GLPSOL, /* GLPK, "glpsol"                 */
    HW_ILP_SCIP,   /* SCIP, "scip"                   */
    HW_ILP_PROGRAMS
} hw_ilp_program;

const char *hw_ilp_name(hw_ilp_program program);
const char *hw_ilp_package(hw_ilp_program program); /* what to install, for messages */

/* Is it in PATH? */
bool hw_ilp_present(hw_ilp_program program);

/* The file that it is given. */
typedef enum hw_ilp_format { HW_ILP_LP, HW_ILP_MPS } hw_ilp_format;

typedef enum hw_ilp_status {
    HW_ILP_OPTIMAL,    /* values, and none is better       */
    HW_ILP_FEASIBLE,   /* values; a limit ended the search */
    HW_ILP_INFEASIBLE, /* there are no values              */
    HW_ILP_UNKNOWN     /* a limit came before any values   */
} hw_ilp_status;

typedef struct hw_ilp_answer {
    hw_ilp_status status;
    double objective;
    double *value; /* by column; of OPTIMAL and FEASIBLE, released by free() */
} hw_ilp_answer;

/*
 * Solve, for at most `seconds` of wall time, which the program is told (0: no
 * limit).  A program that the watch ends (NULL: none does) leaves UNKNOWN.
 * Files go to a fresh folder under $TMPDIR or /tmp, which is removed.  HW_IO:
 * the program is missing or failed (the last line that it wrote is in the
 * message), no files.  HW_NO_MEMORY.
 */
hw_code hw_ilp_solve(hw_ilp_program program, hw_ilp_format format, const hw_linear *l,
                     double seconds, const hw_program_watch *watch, hw_ilp_answer *answer,
                     hw_error *err);

#endif
