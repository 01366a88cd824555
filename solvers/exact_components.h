/*
 * Components of a piece: each for its own profile, then merged.  The theorem
 * stands in exact_profile.h.
 */
#ifndef HW_SOLVERS_EXACT_COMPONENTS_H
#define HW_SOLVERS_EXACT_COMPONENTS_H

#include "solvers/exact_parts.h"
#include "solvers/exact_profile.h"

typedef struct exact_component {
    uint32_t low, high; /* where it lies in the profiler's order            */
    uint64_t change;    /* live after it less live before, modulo 2^64      */
    uint64_t live;      /* of the piece, if all others stood at the near end */
    exact_profile profile;
    bool whole;     /* its profile is not blocked */
    size_t next;    /* segment to be merged       */
    uint32_t taken; /* nodes merged               */
} exact_component;

/*
 * Where the components of p, as parts, will lie in an order from position
 * `low` on, and how each changes what is live: list[0 .. parts->count).
 */
void exact_components_lay(const exact_problem *p, const exact_parts *parts, uint32_t low,
                          exact_component *list);

/*
 * The profile of a piece that falls strictly from the asked end and consists
 * of n components, which lie one after another in the profiler's order.
 * Outcomes as of exact_profile_find(); `out` is to be empty, its `lowest` live
 * at the asked end.  O(n) a segment, and what the components' profiles cost.
 */
exact_outcome exact_components_merge(exact_profiler *c, const exact_profile_ask *ask,
                                     exact_component *list, uint32_t n, exact_profile *out);

#endif
