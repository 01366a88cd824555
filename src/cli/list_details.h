/* What `highwater list solvers NAME...` tells of one row. */
#ifndef HW_CLI_LIST_DETAILS_H
#define HW_CLI_LIST_DETAILS_H

#include <stdio.h>

#include "arena/arena.h"
#include "gen/family.h"
#include "solve/solver.h"

/* "heuristic", "exact" or "bound". */
const char *hw_solver_kind_name(hw_solver_kind kind);

/* Rule, source, file, limits and every parameter of a row, for a person. */
void hw_list_solver_details(const hw_solver_row *row, FILE *out);
void hw_list_family_details(const hw_family_row *row, FILE *out);
void hw_list_allocator_details(const hw_allocator *row, FILE *out);

#endif
