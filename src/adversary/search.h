/*
 * The adversary's search: graphs on which a solver does badly.
 *
 * A search is a row of lanes.  Lane i has a method, a seed and a budget of
 * evaluations that follow from the search and from i alone, and knows nothing
 * of other lanes: what it finds is the same in any process, at any time, with
 * any number of jobs.  Budgets double from one round of methods to the next up
 * to a limit, so that every method has had its turn early and long lanes come
 * when there is time for them.
 *
 * An evaluation is one graph rated.  What a lane reports is the word of the
 * fast routes (search_rate.h); search_run.h has it confirmed.
 */
#ifndef HW_ADVERSARY_SEARCH_H
#define HW_ADVERSARY_SEARCH_H

#include "adversary/goal.h"
#include "adversary/space.h"

typedef enum hw_search_method {
    HW_SEARCH_CLIMB,  /* hill climbing with restarts   */
    HW_SEARCH_ANNEAL, /* simulated annealing           */
    HW_SEARCH_EVOLVE, /* a population, with crossover  */
    HW_SEARCH_METHODS
} hw_search_method;

#define HW_SEARCH_METHOD_WORDS "climb|anneal|evolve|all"

/* "climb", "anneal", "evolve". */
const char *hw_search_method_name(hw_search_method method);

typedef struct hw_search {
    hw_goal goal;
    hw_space space;
    unsigned methods; /* a set: bit of every hw_search_method that takes part; not empty */
    uint64_t seed;
    const char *label;      /* names the search: part of the seed of every lane */
    const hw_genome *start; /* where every lane begins; NULL: at random */
} hw_search;

typedef struct hw_lane_plan {
    uint64_t number;
    hw_search_method method;
    uint64_t seed;
    uint64_t budget; /* evaluations for which the method plans */
    uint64_t limit;  /* evaluations after which it is cut off: the budget, or less */
} hw_lane_plan;

/* Lane `number` of a search, whole.  O(1). */
void hw_search_plan(const hw_search *s, uint64_t number, hw_lane_plan *out);

/* A graph that was found. */
typedef struct hw_find {
    hw_genome genome;
    hw_rating rating;
    uint64_t evaluation; /* of its lane, from 1 */
} hw_find;

/* What a lane tells while it runs. */
typedef struct hw_lane_listener {
    void (*found)(void *context, const hw_find *find); /* better than all before in the lane */
    void (*tick)(void *context, uint64_t evaluations); /* now and then */
    void *context;
} hw_lane_listener;

/*
 * Run one lane to its limit.  *used: evaluations made; *any: whether a graph
 * was found that counts, the best then in *best.  HW_USAGE: the solver refuses
 * every graph of the space, or the space shows no graph.  HW_NO_MEMORY,
 * HW_INTERNAL: from rating; HW_STOPPED: goal.stop was set, and nothing is told.
 */
hw_code hw_lane_run(const hw_search *s, const hw_lane_plan *plan, const hw_lane_listener *listener,
                    hw_find *best, bool *any, uint64_t *used, hw_error *err);

#endif
