/*
 * Pieces (solvers/exact_problem.h) by their definitions, for tests: sets of
 * nodes are numbers, so n <= 20 or so; nothing is fast.
 */
#ifndef HW_TESTS_SUPPORT_PIECE_H
#define HW_TESTS_SUPPORT_PIECE_H

#include "solvers/exact_engine.h"

/* The whole graph as a piece.  A failure fails the test.  Released by exact_problem_free(). */
exact_problem *piece_of_all(const hw_model *m);

uint64_t piece_live(const exact_problem *p, uint32_t set);
uint64_t piece_usage(const exact_problem *p, uint32_t set, uint32_t v);
bool piece_ready(const exact_problem *p, uint32_t set, uint32_t v);

/*
 * needs[set] for all 2^n sets: the least peak of the steps that are left after
 * a prefix (UINT64_MAX where a set is no prefix and cannot be completed).
 */
void piece_needs(const exact_problem *p, uint64_t *needs);

/* The least peak of the piece. */
uint64_t piece_least_peak(const exact_problem *p);

/* Does the search find an order within the budget, under rules drawn at random? */
bool piece_decide(const exact_problem *p, const exact_images *images, bool reverse, uint64_t budget,
                  uint64_t *state);

#endif
