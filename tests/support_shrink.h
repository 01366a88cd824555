/* Shrinking in tests: goals, ratios by another route, and genomes with a node less. */
#ifndef HW_TESTS_SUPPORT_SHRINK_H
#define HW_TESTS_SUPPORT_SHRINK_H

#include "small/genome.h"
#include "adversary/shrink.h"

#define BIT(v) (UINT64_C(1) << (v))

/* A goal from solver specs; `against` NULL: the optimum.  A failure fails the test. */
hw_goal shrink_goal(const char *solver, const char *against);

/* Peak of a solver's order, by the checker. */
uint64_t shrink_peak(const hw_goal *goal, const hw_solver_row *row, const hw_param_value *values,
                     const hw_graph *g);

/* The ratio by the checker and, for the optimum of at most 16 nodes, from the definitions. */
hw_ratio shrink_ratio(const hw_goal *goal, const hw_graph *g);

bool shrink_meets(hw_ratio r, const hw_shrink_options *o);

/* Shrink where the goal is met; NULL where it is not.  Any other failure fails the test. */
hw_graph *shrink_graph(const hw_graph *g, const hw_goal *goal, const hw_shrink_options *o,
                       hw_shrink_report *report);

/* g without node v: its readers lose it, or read what it read. */
hw_genome shrink_without(hw_genome g, uint32_t v);
hw_genome shrink_bypassed(const hw_genome *g, uint32_t v);

uint64_t shrink_most(uint64_t a, uint64_t b);

#endif
