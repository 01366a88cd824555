/*
 * The checker's own answer to "which in-place choices save most?".
 *
 * A second route beside matching.h: other method, no shared code.
 */
#ifndef HW_MODEL_ASSIGNMENT_H
#define HW_MODEL_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Row `row` may take column `column` and gains `gain`; any labels. */
typedef struct hw_assignment_edge {
    uint32_t row, column;
    uint64_t gain; /* at most 2^63 - 1 */
} hw_assignment_edge;

/*
 * The greatest total gain of edges of which no two share a row or a column,
 * into *total.  The edges are sorted in place.  The total must stay below
 * 2^64.  False: out of memory.  O(rows * (edges + columns^2)) at worst; a
 * round touches only what its search reaches.
 */
bool hw_assignment_best(hw_assignment_edge *edges, size_t n, uint64_t *total);

#endif
