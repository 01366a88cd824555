/*
 * The best recomputation: which nodes should run again, at most so many, so
 * that the peak of the best order is least?
 *
 * A change lets one node run again for some of its users (again.h).  In an
 * order of least peak the late users may be taken to be all those that run
 * after the copy (each of the two storages then dies no later than before), so
 * they are closed under "runs after": only such sets are looked at.  (Not so
 * where a user must overwrite what it reads, which comes after all others on
 * its side: then all sets are.  Nor where nodes have windows, which are counted
 * from the source, where the copy stands before its first late user: then
 * nothing is proven.)  Two
 * changes are one change of a graph that has one already, so chains (a node and
 * the maker of its input) and a node that runs three times are among them.
 *
 * Each changed graph is asked whether it has an order below the best peak so
 * far: first by putting the copy into the order at hand, then by a solver, with
 * ever larger limits, until the answer is yes or proven no.  With all changes
 * looked at and answered the result is proven.  Where graphs are too large for
 * that, changes are taken by what they keep out of the peak, two changes go on
 * from the few best single ones, and the result says so.
 */
#ifndef HW_ADVISE_SEARCH_H
#define HW_ADVISE_SEARCH_H

#include "advise/again.h"
#include "solve/solver.h"

typedef struct hw_again_progress {
    uint32_t copies; /* the level that is being searched */
    const char *what;
    uint64_t done, of;
    uint64_t peak; /* the least so far */
} hw_again_progress;

typedef struct hw_again_ask {
    hw_accounting accounting;
    bool pin_inputs;
    uint32_t copies;               /* at most so many nodes run again */
    hw_request request;            /* limits.states: of one run of a solver at most, 0: any;
                                      limits.memory_bytes, threads, seed, stop; the rest unused */
    double end_seconds;            /* on hw_wall_seconds()'s clock; 0: none */
    const hw_operators *operators; /* NULL: no type is special */
    void (*progress)(void *context, const hw_again_progress *p); /* NULL: nobody asks */
    void *context;
} hw_again_ask;

/* What at most `copies` nodes that run again can do. */
typedef struct hw_level {
    uint32_t copies;
    bool found;                /* a smaller peak than with fewer copies: `best` */
    uint64_t peak;             /* the least known with at most so many */
    uint64_t bound;            /* no order of any such graph has less */
    bool every;                /* every change was looked at */
    bool proven;               /* peak == bound */
    uint64_t changes, settled; /* graphs looked at; of them, those whose best order is known
                                  to be no better than peak */
    hw_again best;             /* with an order of that peak, checked */
} hw_level;

/*
 * Levels 0 .. ask->copies into level[]: level[0] is the graph with the order of
 * peak `peak` and the bound `bound` that are given.  floor: no graph with
 * copies has an order of less (hw_limits_find()).  Ended early, by the clock or
 * the stop flag, the levels hold what is known.  Released by
 * hw_levels_clear(), also on failure.  HW_NO_MEMORY, HW_INTERNAL.
 */
hw_code hw_again_search(const hw_graph *g, const uint32_t *order, uint64_t peak, uint64_t bound,
                        uint64_t floor, const hw_again_ask *ask, hw_level *level, hw_error *err);
void hw_levels_clear(hw_level *level, uint32_t copies);

#endif
