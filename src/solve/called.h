/*
 * What a solver is called where people and files tell of it.
 *
 * A name that the user gave to a program (solve/foreign.h) comes first: it is
 * by that name that results, tables, plots and messages know the program
 * (highwater-external(7)).
 */
#ifndef HW_SOLVE_CALLED_H
#define HW_SOLVE_CALLED_H

#include "solve/foreign.h"

/* In data: the name that it was given, else its spec, which can be given again. */
const char *hw_solver_called(const hw_solver_row *row, const hw_param_value *values,
                             char text[HW_SPEC_TEXT]);

/*
 * In a sentence or a title, where there is little room: the name that it was
 * given; of a program without one the beginning of its command; of a solver of
 * ours the name of its row, without parameters.
 */
const char *hw_solver_short(const hw_solver_row *row, const hw_param_value *values,
                            char text[HW_FOREIGN_NAME]);

/*
 * As a part of the name of a file, of what hw_solver_called() or a user says:
 * "lookahead:k=3,depth=1" is "lookahead-k3-depth1".  Only what any shell takes
 * as it stands is left; cut at `size`.
 */
const char *hw_solver_word(const char *called, char *word, size_t size);

#endif
