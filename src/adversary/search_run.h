/*
 * Running a search: lanes in processes, what they find confirmed, told and
 * kept in a folder.
 *
 * Records stand in the order of the lanes, whatever the number of jobs; a lane
 * that ends early waits for those before it.  Every figure that is told or
 * kept has been found a second time by hw_goal_rate(), by solvers whose orders
 * the checker saw and an optimum that is proven.
 */
#ifndef HW_ADVERSARY_SEARCH_RUN_H
#define HW_ADVERSARY_SEARCH_RUN_H

#include "adversary/search_store.h"

/* How a search stands. */
typedef struct hw_search_state {
    uint64_t lanes, lanes_kept; /* finished; of these, by an earlier run       */
    uint64_t evaluations;       /* of this run                                 */
    double seconds;
    bool any; /* a graph that counts was found: */
    hw_find best;
    uint64_t best_lane;
    bool complete; /* all lanes that were planned are finished */
} hw_search_state;

typedef struct hw_search_options {
    uint64_t evaluations; /* of all lanes together; 0: no limit         */
    bool only;            /* one lane alone: `lane`                     */
    uint64_t lane;
    double seconds;      /* 0: no limit                                */
    unsigned jobs;       /* processes, at least 1                      */
    const char *folder;  /* NULL: nothing is kept                      */
    const char *command; /* the command line that repeats the search   */
    bool resume;
    const volatile sig_atomic_t *stop;
    void (*progress)(void *context, const hw_search_state *state); /* NULL: nobody wants it */
    void *context;
} hw_search_options;

/*
 * Run it until all lanes are done, the time is over or `stop` is set; what
 * stands in *out is right in each of these cases.  HW_INTERNAL: two routes to
 * one figure disagree, or a process died; else errors of the folder and of
 * hw_lane_run().
 */
hw_code hw_search_run(const hw_search *s, const hw_search_options *options, hw_search_state *out,
                      hw_error *err);

#endif
