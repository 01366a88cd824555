/*
 * Rating genomes as fast as their goal allows.
 *
 * Where it can, a rater takes the bit-mask model of small.h: the optimum of
 * graphs up to HW_SMALL_MOST nodes, and the rule `greedy`.  For all else it
 * runs solvers by hw_solve().  hw_goal_rate() is the second route, slower and
 * checked, to the same figures.
 */
#ifndef HW_ADVERSARY_SEARCH_RATE_H
#define HW_ADVERSARY_SEARCH_RATE_H

#include "adversary/goal.h"
#include "small/small.h"

typedef struct hw_rater {
    const hw_goal *goal;
    bool quick_solver; /* the solver is `greedy`                          */
    bool quick_other;  /* so is the other, or it is who proves the optimum */
    hw_small small;
    hw_error refusal; /* why the last graph that was refused was */
} hw_rater;

void hw_rater_start(hw_rater *r, const hw_goal *goal);

/*
 * Rate a genome.  Errors as of hw_goal_rate().
 */
hw_code hw_rater_rate(hw_rater *r, const hw_genome *g, hw_rating *out, hw_error *err);

#endif
