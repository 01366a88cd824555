/*
 * What the tests of the exact solver share: numbers from the environment, a
 * numbered series of graphs, and the ways in which the solver can be run.
 */
#ifndef HW_TESTS_SUPPORT_EXACT_H
#define HW_TESTS_SUPPORT_EXACT_H

#include "solve/solver.h"

/* The number in an environment variable; `otherwise` where it is not set. */
uint64_t environment_number(const char *name, uint64_t otherwise);

/*
 * Graph number i of a series: least .. most nodes (at most 64), by turns from
 * either of the two generators (support_random.h, support_draft.h), rich in
 * everything; a function of the arguments alone.  *state goes on from there, for
 * further draws.  NULL: the draw was refused.  Released by hw_graph_free().
 */
hw_graph *series_graph(uint64_t i, uint32_t least, uint32_t most, bool windows, uint64_t *state);

/*
 * In how many ways `exact` is run: turn 0 with its defaults, one turn for each
 * of its switches, flipped, and one with all of them flipped.
 */
uint32_t exact_turns(void);

/*
 * The parameters of a turn, values[] having HW_PARAM_LIMIT slots; what is no
 * switch is drawn, except in turn 0.  New rows of the solver join by themselves.
 */
void exact_turn(uint32_t turn, uint64_t *state, hw_param_value *values);

/* Run `exact` so; a failure fails the test.  Released by hw_answer_clear(). */
hw_answer exact_answer(const hw_model *m, const hw_param_value *values, const uint64_t *budget);

/*
 * Without a budget, at the optimum and one below it, the answers of a turn are
 * right; UINT64_MAX: no order is legal.  A wrong one fails the test, naming the
 * turn and `where`.
 */
void exact_agrees(const hw_model *m, uint64_t optimum, uint32_t turn, uint64_t *state,
                  const char *where);

#endif
