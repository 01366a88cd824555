/*
 * Profiles: how low a piece can come, for how much.
 *
 * Seen from one of its ends, the profile of a piece is a list of segments
 * (hill, valley): the least budget that brings the piece to a prefix below all
 * before, and the lowest prefix that this budget reaches.  Hills rise, valleys
 * fall, the last valley is the least-live prefix of the piece.  What follows
 * it up to the other end is the tail, of which only the hill counts.  (Liu
 * 1987 for trees; here for any piece, from both ends, with inputs consumed.)
 *
 * Committing to a valley loses nothing: for the lowest prefix T that a budget
 * reaches, live(T) <= live(Y) for all Y between, or Y would have been reached
 * (R2, exact_commit.h).
 *
 * Components.  Let a piece fall into components that share no edge and no
 * buffer, and let it fall strictly from one end to the other (valleys have
 * been split off: exact_valley.h; so its components fall strictly, too).
 * Let all components stand in valleys of theirs, and let no component be able
 * to go to its next valley within B while the others stand still.  Then no
 * order ends within B: take one that does, and look at the first moment when
 * some component i is below its valley.  Until then no other component was
 * below where it stands now, so i alone could have gone there within B.  Hence
 * the next step is always taken by the component whose next hill is the
 * cheapest, and the dearest of these steps is the optimum.  An optimal peak of
 * each component alone would not do, nor would segments from one end where
 * both ends are higher than the prefix between.
 *
 * Pieces with cut nodes or valleys have their profile from those of their
 * parts, one after another; components from those of theirs, recursively: an
 * in-tree needs no search at all.  A piece with neither is searched, valley by
 * valley (exact_engine.h with a goal).
 *
 * Hills are budgets of the whole piece, everything outside standing still.
 * Hills up to `low_hill` are not told apart; above `high_hill` nobody wants to
 * know: the profile ends there and is blocked.
 */
#ifndef HW_SOLVERS_EXACT_PROFILE_H
#define HW_SOLVERS_EXACT_PROFILE_H

#include "solvers/exact_search.h"

typedef struct exact_segment {
    uint32_t nodes;
    uint64_t hill, valley;
} exact_segment;

typedef struct exact_profile {
    exact_segment *segment;
    size_t count, capacity;
    uint64_t lowest;     /* the last valley                        */
    uint64_t tail_hill;  /* from there to the far end; 0: no tail  */
    uint32_t tail_nodes; /* or, when blocked, to where it is known */
} exact_profile;

/* Where profiles are made.  All fields but `depth` are the caller's. */
typedef struct exact_profiler {
    const hw_model *m;
    uint32_t *order; /* a legal order of all nodes; pieces are reordered in it */
    exact_map *map;
    const exact_options *options;
    bool cuts; /* R4 */
    hw_meter *meter;
    uint32_t depth; /* of components inside components */
} exact_profiler;

/* A question: which piece, from which end, between which hills. */
typedef struct exact_profile_ask {
    uint32_t low, high; /* positions in the order                    */
    bool reverse;       /* from the end: prefixes shrink from there  */
    uint64_t live;      /* at the end from which it is seen          */
    uint64_t low_hill, high_hill;
} exact_profile_ask;

/*
 * The profile of a piece; its nodes stand afterwards in the order that goes
 * with it, segments from the asked end on.  EXACT_FOUND: it is whole;
 * EXACT_NONE: blocked, no order of the piece stays within high_hill;
 * EXACT_OVER, EXACT_FAILED (no memory).  The profile is released by
 * exact_profile_free() in any case.  Not under windows.
 */
exact_outcome exact_profile_find(exact_profiler *c, const exact_profile_ask *ask,
                                 exact_profile *out);
void exact_profile_free(exact_profile *profile);

/* The highest hill: of a whole profile, the optimum, or low_hill if that is more. */
uint64_t exact_profile_peak(const exact_profile *profile);

/* ---- For exact_components.c. ---- */

/*
 * Append a stretch that leads to `live` for a hill; false: no memory.  A
 * stretch that comes to no new valley becomes part of the tail.  Every order
 * passes through its end, so that live there counts as a hill as well.
 */
bool exact_profile_append(exact_profile *profile, uint32_t nodes, uint64_t hill, uint64_t live);

#endif
