/*
 * Maps of a coloured graph onto itself that move some of its first vertices
 * ("nodes"), found by colour refinement (exact_partition.h) and a descent
 * without backtracking.
 *
 * Nodes are taken in descending order; each node a is sent to every other node
 * of its cell while all smaller nodes stay.  Where one map does it, it leaves
 * as many vertices as it can where they are and goes back where it came from,
 * so that identical branches are exchanged two by two.  What the descent does
 * not find is missing, nothing else: every map handed out is one.
 */
#ifndef HW_SOLVERS_EXACT_MAPS_H
#define HW_SOLVERS_EXACT_MAPS_H

#include "solvers/exact_structure.h"

typedef struct exact_map_user {
    void *context;
    /* Once, before all else, unless it is plain that there are no maps.  False: stop. */
    bool (*begin)(void *context);
    /* Is a map that sends a to b, smaller nodes staying, of no use? */
    bool (*skip)(void *context, uint32_t a, uint32_t b);
    /* A map: image[v] of each node v, a the smallest that moves.  False: stop. */
    bool (*use)(void *context, uint32_t a, const uint32_t *image);
} exact_map_user;

/*
 * Find maps of s that move some of its first n vertices.  *work grows by the
 * edges and vertices looked at; beyond most_work the search ends early and
 * *complete is false.  O(maps x edges log n).  HW_NO_MEMORY, also where a
 * call said stop.
 */
hw_code exact_maps_find(const exact_structure *s, uint32_t n, const exact_map_user *user,
                        uint64_t most_work, uint64_t *work, bool *complete, hw_error *err);

#endif
