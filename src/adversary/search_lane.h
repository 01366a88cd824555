/* A lane from the inside: what the methods of the search work on. */
#ifndef HW_ADVERSARY_SEARCH_LANE_H
#define HW_ADVERSARY_SEARCH_LANE_H

#include "adversary/search.h"
#include "adversary/search_rate.h"

typedef struct hw_lane {
    const hw_search *search;
    hw_lane_plan plan;
    const hw_lane_listener *listener;
    gsl_rng *rng;
    hw_rater rater;
    uint64_t used;
    bool any; /* a graph that counts was seen */
    hw_find best;
    double told_seconds;
    hw_code code; /* not HW_OK: over, with the message in err */
    hw_error *err;
} hw_lane;

/* May another graph be rated? */
bool hw_lane_open(const hw_lane *lane);

/*
 * Where to begin: the graph that the search starts from, changed a little
 * where `changed`, or one at random.  False: the lane is over.
 */
bool hw_lane_begin(hw_lane *lane, bool changed, hw_genome *g);

/*
 * Rate g, one evaluation.  A graph that does not count gets the ratio 0.
 * False: the lane was over before.
 */
bool hw_lane_rate(hw_lane *lane, const hw_genome *g, hw_ratio *ratio);

/* One random change or several, fewer the likelier.  False: g is as before. */
bool hw_lane_change(hw_lane *lane, hw_genome *g);

/* The methods: run the lane until it is not open. */
void hw_lane_climb(hw_lane *lane);
void hw_lane_anneal(hw_lane *lane);
void hw_lane_evolve(hw_lane *lane);

#endif
