/* Solving in tests: each call asserts that nothing but the expected happens. */
#ifndef HW_TESTS_SUPPORT_SOLVE_H
#define HW_TESTS_SUPPORT_SOLVE_H

#include "solve/solver.h"

/*
 * The model of g, or NULL when pinned inputs contradict a must-in-place pair;
 * any other failure fails the test.  Released by hw_model_free().
 */
hw_model *test_model(const hw_graph *g, hw_accounting accounting, bool pin_inputs);

/*
 * Run "NAME:params" with the limits and budget of `request` through the driver
 * and its checker; a failure fails the test.  Released by hw_answer_clear().
 */
hw_answer test_solve_with(const hw_model *m, const char *spec, hw_request request);

/* The same without limits or budget. */
hw_answer test_solve(const hw_model *m, const char *spec);

#endif
