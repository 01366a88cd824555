/*
 * Shrinking: the smallest graph, as far as single steps go, that still meets a
 * goal.
 *
 * Source: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing
 * Input, 2002 (delta debugging, 1-minimality).
 */
#ifndef HW_ADVERSARY_SHRINK_H
#define HW_ADVERSARY_SHRINK_H

#include "adversary/goal.h"

typedef struct hw_shrink_options {
    hw_ratio least;       /* keep the rating's ratio at this or more */
    bool strictly;        /* or above it: "A is worse than B" is {1, 1}, strictly */
    uint64_t evaluations; /* the most ratings; 0: no limit */
    double seconds;       /* 0: no limit */
    uint32_t rounds;      /* tries to get out of a graph that no single step makes smaller */
    uint64_t seed;        /* of these */
    bool zero_sizes;      /* sizes may become 0; else those of 1 or more stay so */

    /* Only graphs for which this is true; NULL: any. */
    bool (*inside)(void *context, const hw_graph *g);

    void (*progress)(void *context, const hw_graph *now, const hw_rating *rating,
                     uint64_t evaluations);
    void *context;
} hw_shrink_options;

typedef struct hw_shrink_report {
    hw_rating rating; /* of the result */
    uint64_t evaluations;
    bool minimal; /* every single step was tried on the result and fails */
    bool limit_reached;
} hw_shrink_report;

/*
 * Shrink g into *out, a new graph with ids 0, 1, 2, ... that is released by
 * hw_graph_free().  Steps: drop nodes, edges, tensors, workspace, in-place,
 * views, locks, windows, control edges; merge nodes with neighbours; make sizes
 * smaller, rounder, equal (shrink_steps.h has them all).  Results that are kept
 * to the end stay so, and a source order that is legal stays legal.  The same call without a limit
 * in seconds gives the same graph.  Once the limits are reached or goal->stop is set, *out is the
 * smallest so far.  HW_CHECK_FAILED: g itself does not meet the goal, or cannot be rated; HW_LIMIT,
 * HW_STOPPED: that is not known.  HW_NO_MEMORY, HW_INTERNAL (see hw_goal_rate()).
 */
hw_code hw_shrink(const hw_graph *g, const hw_goal *goal, const hw_shrink_options *options,
                  hw_graph **out, hw_shrink_report *report, hw_error *err);

#endif
