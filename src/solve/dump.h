/* A dump for a bug report when solver and checker disagree. */
#ifndef HW_SOLVE_DUMP_H
#define HW_SOLVE_DUMP_H

#include "solve/solver.h"

/*
 * Write graph, order, claim and finding to a fresh file
 * "highwater-bug-XXXXXX.txt" in the current folder (else in the folder for
 * temporary files) and return HW_INTERNAL with a message that names it.
 */
hw_code hw_dump_disagreement(const hw_model *m, const char *solver, const hw_answer *answer,
                             const char *what, hw_error *err);

/*
 * A program of the user's failed on m: add to the message that err holds the
 * name of a fresh file with the graph.  Returns err->code.
 */
hw_code hw_dump_failure(const hw_model *m, hw_error *err);

#endif
