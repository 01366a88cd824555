/*
 * What the parts of shrinking share (shrink.c, shrink_try.c, shrink_rounds.c);
 * no interface for others.
 *
 * A candidate is taken when it still meets the goal and has less of the
 * measure: nodes, then what joins them, then features, then different sizes,
 * then bytes, compared in this order.  Each of the five is a natural number, so
 * every series of steps ends.
 */
#ifndef HW_ADVERSARY_SHRINK_INTERNAL_H
#define HW_ADVERSARY_SHRINK_INTERNAL_H

#include "adversary/shrink.h"
#include "adversary/shrink_steps.h"

typedef struct hw_shrink_measure {
    size_t nodes;
    size_t parts;    /* tensors, mentions as an input, control edges */
    size_t features; /* flags, windows, pairs, workspaces, tensors kept though they are read */
    size_t values;   /* different sizes and workspaces above the least */
    __extension__ unsigned __int128 bytes; /* sum of sizes and workspaces */
} hw_shrink_measure;

/* A graph that meets the goal. */
typedef struct hw_shrink_held {
    hw_edit edit;
    hw_shrink_measure measure;
    hw_graph *graph;
    hw_rating rating;
} hw_shrink_held;

typedef struct hw_shrinking {
    const hw_shrink_options *options;
    hw_goal goal;
    double given_seconds; /* of the caller's goal, a run */
    double begin_seconds;
    char *name; /* of the results */

    hw_shrink_held now;
    uint64_t *value; /* of `now`, for the steps */
    size_t value_room, n_values;

    hw_edit trial;
    uint64_t *trial_value;
    size_t trial_value_room;

    uint64_t evaluations;
    bool over; /* a limit or the stop flag: no more ratings */
} hw_shrinking;

/* ---- shrink_try.c: one candidate. ---- */

/* Below, equal to or above zero as a is smaller than, like or larger than b. */
int hw_shrink_compare(const hw_shrink_measure *a, const hw_shrink_measure *b);

bool hw_shrink_meets(const hw_shrinking *s, const hw_rating *r);
hw_step_view hw_shrink_view(const hw_shrinking *s);

/* s->now from s->now.edit: graph, measure, values; rated, if a rating may begin. */
hw_code hw_shrink_begin(hw_shrinking *s, hw_error *err);

/* s->trial becomes candidate `index` of a kind on s->now; *taken false: there is none. */
hw_code hw_shrink_make_trial(hw_shrinking *s, const hw_step_kind *kind, size_t index, bool *taken,
                             hw_error *err);

/*
 * Rate s->trial, swept; with `smaller` only if it is smaller than what is in
 * hand.  *graph: where it meets the goal, its graph, the caller's; else NULL.
 */
hw_code hw_shrink_rate_trial(hw_shrinking *s, bool smaller, hw_shrink_measure *m, hw_rating *rating,
                             hw_graph **graph, hw_error *err);

/* Rate s->trial and, if it meets the goal, take it as what is in hand. */
hw_code hw_shrink_try(hw_shrinking *s, bool smaller, bool *accepted, hw_error *err);

/* The values of s->now anew, after it was set from elsewhere. */
hw_code hw_shrink_note_values(hw_shrinking *s, hw_error *err);

void hw_shrink_release(hw_shrink_held *h);

/* ---- shrink.c: many candidates. ---- */

/* Single steps until none is left, or s->over. */
hw_code hw_shrink_fully(hw_shrinking *s, hw_error *err);

/* ---- shrink_rounds.c: out of a dead end. ---- */

/*
 * options->rounds rounds from a graph that no single step makes smaller: shake
 * it and shrink it again; the smallest stays.
 */
hw_code hw_shrink_rounds(hw_shrinking *s, hw_error *err);

#endif
