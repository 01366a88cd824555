/* Lines that no run has written so: their columns do not fit each other or the plan. */
#ifndef HW_BENCH_FITS_H
#define HW_BENCH_FITS_H

#include "bench/plan.h"

/*
 * Does the line of run (unit, solver) of the plan say what its graph, its
 * solver and its own peaks give?  Compared are key, command, sizes, exact, and peak with
 * checked_peak; what older files do not have is left out.
 * False: `why` tells the column, and both values.  `key` is set to what the
 * key must be, "" without a graph.  O(length of the line).
 */
bool hw_line_fits(const hw_suite *suite, size_t unit, size_t solver, const hw_record *r,
                  char key[HW_KEY_TEXT], char *why, size_t size);

/* Was the run made by the program of the user's that the suite has now, or by none? */
bool hw_same_program(const hw_suite *suite, size_t unit, size_t solver, const hw_record *r);

/* Are the gaps of a line that was read those of its checked_peak, optimum and best_bound? */
bool hw_gaps_fit(const hw_record *r);

/*
 * The first column in which two lines of one instance tell of another graph;
 * NULL: none.  A line without a graph, whose instance could not be made,
 * differs in that alone.
 */
const char *hw_instance_difference(const hw_record *a, const hw_record *b);

#endif
