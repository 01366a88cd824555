/*
 * Solving a linear program by CBC, an external program (Forrest and others,
 * COIN-OR Branch and Cut; Debian: coinor-cbc).
 *
 * CBC computes in floating point: what it calls an optimum is one up to its
 * tolerances (1e-6 for whole variables).  Orders made from its values are to be
 * simulated again, and its optima count as proofs only where a second route
 * confirms them.
 */
#ifndef HW_IO_CBC_H
#define HW_IO_CBC_H

#include "io/linear.h"

typedef enum hw_cbc_status {
    HW_CBC_OPTIMAL,    /* values, and none is better      */
    HW_CBC_FEASIBLE,   /* values; a limit ended the search */
    HW_CBC_INFEASIBLE, /* there are no values              */
    HW_CBC_UNKNOWN     /* a limit came before any values   */
} hw_cbc_status;

typedef struct hw_cbc_answer {
    hw_cbc_status status;
    double objective;
    double *value; /* by column; of OPTIMAL and FEASIBLE, released by free() */
} hw_cbc_answer;

/* Is CBC installed? */
bool hw_cbc_present(void);

/*
 * Solve, for at most `seconds` of wall time (0: no limit).  Files go to a fresh
 * folder under $TMPDIR or /tmp, which is removed.  HW_IO: CBC is missing or
 * failed (the last line that it wrote is in the message), no files.
 * HW_NO_MEMORY.
 */
hw_code hw_cbc_solve(const hw_linear *l, double seconds, hw_cbc_answer *answer, hw_error *err);

#endif
