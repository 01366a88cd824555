/* Rates of solvers on large graphs, for the benches. */
#ifndef HW_TESTS_SUPPORT_RATE_H
#define HW_TESTS_SUPPORT_RATE_H

#include "solve/solver.h"

typedef struct rate {
    double solve_ns, simulate_ns; /* a node, CPU time */
} rate;

/*
 * The first instance of a family, "NAME:params", with n nodes, and its model
 * (alloc-first).  Released by hw_model_free() and hw_graph_free().
 */
hw_code rate_model(const char *family, uint32_t n, hw_graph **g, hw_model **m, hw_error *err);

/*
 * A solver's time against the plain simulation (hw_peak) of the order that it
 * returns: the best of a few runs, solver and simulation taking turns.
 */
hw_code rate_measure(const hw_model *m, const char *spec, rate *best, hw_error *err);

/* One line of a table. */
void rate_print(const char *family, uint32_t n, const char *spec, const rate *r);

#endif
