/*
 * Canonical forms of small directed graphs with coloured vertices, by BLISS
 * through igraph.
 *
 * Two graphs have the same form if and only if one is the other with its
 * vertices renamed, colours kept.  What the form looks like is BLISS's affair
 * and may change with its version: compare forms, store none.
 *
 * Source: Junttila and Kaski, Engineering an Efficient Canonical Labeling
 * Tool, 2007, doi:10.1137/1.9781611972870.13.
 */
#ifndef HW_CENSUS_CANON_H
#define HW_CENSUS_CANON_H

#include <stdint.h>

#include "core/error.h"

enum { HW_CANON_MOST = 8 }; /* vertices: an adjacency matrix fits 64 bits */

typedef struct hw_canon {
    uint64_t arcs;                 /* bit 8 u + v: u -> v, u and v as renamed */
    uint8_t colour[HW_CANON_MOST]; /* of the renamed vertices; past n: 0      */
} hw_canon;

/* Below, equal to or above zero, in some fixed order.  O(1). */
int hw_canon_compare(const hw_canon *a, const hw_canon *b);

/*
 * Between begin and end the function below may be called, by one thread of
 * the process at a time (igraph is not thread-safe).  Buffers live that long.
 */
typedef struct hw_canon_maker hw_canon_maker;
hw_code hw_canon_begin(hw_canon_maker **out, hw_error *err);
void hw_canon_end(hw_canon_maker *maker);

/*
 * The form of the graph in which v has the in-neighbours parents[v] (a mask; no
 * loops) and the colour colour[v] (NULL: all alike), of n <= HW_CANON_MOST
 * vertices, and how many automorphisms it has (NULL: not wanted).
 * HW_NO_MEMORY, HW_INTERNAL (igraph refused).
 */
hw_code hw_canon_form(hw_canon_maker *maker, uint32_t n, const uint8_t *parents,
                      const uint8_t *colour, hw_canon *out, uint64_t *automorphisms, hw_error *err);

#endif
