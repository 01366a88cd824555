/*
 * A piece as a directed graph of coloured vertices: one vertex a node, a
 * buffer, an in-place pair, and an output that pairs name.  Its maps onto
 * itself are those of everything that live and usage depend on, under both
 * accountings, as far as a search can tell: nodes by their figures, buffers by
 * their users.
 */
#ifndef HW_SOLVERS_EXACT_STRUCTURE_H
#define HW_SOLVERS_EXACT_STRUCTURE_H

#include "solvers/exact_problem.h"

typedef struct exact_structure {
    uint32_t n;      /* vertices; the first ones are the nodes of the piece */
    hw_rows out, in; /* edges of the vertices, no edge twice */
    uint32_t *kind;  /* vertices of one kind may be alike; below n */
} exact_structure;

/* O(edges + pairs of a node squared + n log n).  HW_NO_MEMORY. */
hw_code exact_structure_of_piece(const exact_problem *p, exact_structure *s, hw_error *err);
void exact_structure_free(exact_structure *s);

#endif
