/*
 * Solvers that run a program of the user's (hw_solver_row.foreign).
 *
 * Such a row has the parameters `command`, a text, and `name`, a word by which
 * tables know it.  It is nothing without a command, so that no list of all
 * solvers means it.  What its program does wrong is a finding, not a bug of
 * ours: hw_solve() fails with
 *
 *     HW_CHECK_FAILED  what it wrote is no order of the graph, or not of the peak that it claims
 *     HW_CRASHED       it ended with a failure, or by a signal
 *     HW_LIMIT         it was ended for its time
 *     HW_NO_MEMORY     it had no more memory, or we had none
 *     HW_USAGE         it takes no such graph; no command
 *     HW_IO            it cannot be started
 *
 * and a message that begins with the name of the solver.
 */
#ifndef HW_SOLVE_FOREIGN_H
#define HW_SOLVE_FOREIGN_H

#include "solve/solver.h"

enum { HW_FOREIGN_NAME = 41 };

/* The command of a foreign solver; NULL: the row is of another kind, or has none. */
const char *hw_foreign_command(const hw_solver_row *row, const hw_param_value *values);

/* The name that it was given; false, and "": none was, or the row is of another kind. */
bool hw_foreign_name(const hw_solver_row *row, const hw_param_value *values,
                     char text[HW_FOREIGN_NAME]);

/*
 * What no table of parameters can say: there is a command, it has words, and
 * its name is of no solver of ours.  HW_USAGE.  HW_NO_MEMORY.
 */
hw_code hw_foreign_check(const hw_solver_row *row, const hw_param_value *values, hw_error *err);

/* The failures above are the program's own: others may go on without it. */
bool hw_foreign_failed(const hw_solver_row *row, hw_code code);

#endif
