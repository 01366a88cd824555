/* The lower bound beside the answers of `solve`. */
#ifndef HW_CLI_SOLVE_BOUND_H
#define HW_CLI_SOLVE_BOUND_H

#include "cli/cli.h"
#include "solvers/bound.h"

#define HW_SOLVE_BOUND_WORDS "auto|mincut|footprint|simple"
typedef enum hw_solve_bound {
    HW_SOLVE_BOUND_AUTO, /* all kinds, each cut short after a fixed number of steps */
    HW_SOLVE_BOUND_MINCUT,
    HW_SOLVE_BOUND_FOOTPRINT,
    HW_SOLVE_BOUND_SIMPLE
} hw_solve_bound;

/* The bound of an answer: who proved it, and whether a larger one was left out. */
typedef struct hw_bound_origin {
    const char *by; /* a solver or a kind of bound; NULL: there is no bound */
    bool cut_short;
} hw_bound_origin;

/* The bounds of one graph, found when an answer first needs them. */
typedef struct hw_bound_cache {
    bool filled;
    bound_ladder ladder;
} hw_bound_cache;

/*
 * Raise the bound of an answer that proves nothing itself to the best of the
 * wanted kinds, and tell its origin.  Time and effort of the answer stay those
 * of the solver.  HW_NO_MEMORY, HW_INTERNAL.
 */
hw_code hw_solve_raise(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_solve_bound wanted, hw_bound_cache *cache, hw_answer *answer,
                       hw_bound_origin *origin, hw_error *err);

#endif
