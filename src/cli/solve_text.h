/* How an answer of a solver is written, as JSON and for a person. */
#ifndef HW_CLI_SOLVE_TEXT_H
#define HW_CLI_SOLVE_TEXT_H

#include <stdio.h>

#include "cli/solve_bound.h"
#include "cli/solve_then.h"
#include "solve/solver.h"

typedef struct hw_solved {
    const hw_model *model;
    const char *hash;
    const hw_solver_row *row;
    const hw_param_value *values;
    const hw_answer *answer;
    hw_bound_origin bound;
    bool has_proof;            /* one was asked for */
    hw_proof_state proof;      /* what became of its file */
    bool proof_at_stdout;      /* and not in a file */
    const char *check_command; /* that verifies it; NULL: no file holds the graph as it is read */
    const hw_then *then;       /* NULL: no second objective */
    uint64_t seed;
    bool with_resident; /* peak and bound are written with the constants */
    bool has_budget;
    uint64_t budget_bytes; /* as the user gave it */
} hw_solved;

/* One object on one line: the fields that highwater-solve(1) lists. */
void hw_solved_json(const hw_solved *s, FILE *out);

/* What stands above the answers for a graph, and one answer. */
void hw_solved_head(const hw_solved *s, FILE *out);
void hw_solved_text(const hw_solved *s, FILE *out);

#endif
