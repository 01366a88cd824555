/* The files that `solve` writes beside its answers: the best order, a proof, a trace. */
#ifndef HW_CLI_SOLVE_FILES_H
#define HW_CLI_SOLVE_FILES_H

#include "cli/cli.h"
#include "solve/solver.h"

/*
 * Refuse two files in one, one that is read, or a proof or trace where the
 * answers go.  Paths may be NULL.  HW_USAGE.
 */
hw_code hw_solve_files_check(const hw_cli *c, const char *order_path, const char *proof_path,
                             const char *trace_path, hw_error *err);

/* Refuse a solver that writes no proofs; names those that do.  HW_USAGE. */
hw_code hw_solve_can_prove(const hw_solver_row *row, hw_error *err);

/* The first solver that writes proofs. */
const char *hw_solve_proving_solver(void);

/* Write an order file.  HW_IO, HW_NO_MEMORY. */
hw_code hw_solve_write_order(const char *path, const hw_graph *g, const uint32_t *order,
                             hw_error *err);

/*
 * Put the proof of `answer` into place, or take it away, with a note that says
 * why.  *written: it stands.  HW_IO: it could not be written; err holds what
 * hw_solve() said of it.
 */
hw_code hw_solve_end_proof(const hw_cli *c, const char *path, const hw_answer *answer, hw_output *o,
                           bool *written, hw_error *err);

/*
 * Does highwater-check read this file, and as the graph of that hash?  Not a
 * pipe, another format, or a graph that options changed on the way in.
 * Reads the file: O(size of the graph).  HW_NO_MEMORY.
 */
hw_code hw_solve_checkable(const char *path, const char *hash, bool *checkable, hw_error *err);

/*
 * The command that checks a proof, words quoted for a shell.  order_path NULL:
 * the bound alone.  NULL: out of memory.  Released by free().
 */
char *hw_solve_check_command(const char *graph_path, const char *order_path,
                             const char *proof_path);

#endif
