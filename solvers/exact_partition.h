/*
 * Partitions of the vertices of two copies of one directed graph, refined until
 * all vertices of a cell have the same number of neighbours, each way, in every
 * cell (colour refinement; Hopcroft 1971 for keeping the largest part out of
 * the queue).
 *
 * Vertex x of the left copy is x, of the right copy n + x.  A map of the graph
 * onto itself sends each left vertex to a right vertex of its cell, so every
 * cell must hold as many left vertices as right ones (`balanced`); once every
 * cell holds one of each and the partition is balanced, the cells are such a
 * map.  Choices are made by pair() and taken back by undo().
 */
#ifndef HW_SOLVERS_EXACT_PARTITION_H
#define HW_SOLVERS_EXACT_PARTITION_H

#include "model/graph.h"

typedef struct exact_partition {
    uint32_t n;              /* vertices of one copy */
    const hw_rows *out, *in; /* of one copy; the caller's */
    bool balanced;
    uint64_t work; /* edges looked at since init */

    /* A cell is a stretch of `item`, named by where it begins. */
    uint32_t *item, *place; /* vertices; where each stands         */
    uint32_t *cell;         /* of a vertex                         */
    uint32_t *size, *left;  /* of a cell: vertices, left ones      */
    uint32_t *trail;        /* cells in the order of their making  */
    uint32_t n_trail;
    /* Work space. */
    uint32_t *count, *hits, *queue, *splitter, *touched;
    uint64_t *sorting;
    bool *pending;
    uint32_t n_queue;
} exact_partition;

/*
 * Begin with the cells given by kind[0 .. n) (small numbers, below n) and
 * refine.  out and in must outlive p.  O(edges log n).  HW_NO_MEMORY.
 */
hw_code exact_partition_init(exact_partition *p, uint32_t n, const hw_rows *out, const hw_rows *in,
                             const uint32_t *kind, hw_error *err);
void exact_partition_free(exact_partition *p);

/*
 * Let left x go to right y, which must be in one cell of more than two, and
 * refine.  False: no map does that (the partition is no longer balanced).
 */
bool exact_partition_pair(exact_partition *p, uint32_t x, uint32_t y);

/* Take back all since n_trail was `mark`. */
void exact_partition_undo(exact_partition *p, uint32_t mark);

/* Does left x have one partner only? */
static inline bool exact_partition_single(const exact_partition *p, uint32_t x)
{
    return p->size[p->cell[x]] == 2;
}

/* The partner of a left x with one only; the same for right y by its left. */
static inline uint32_t exact_partition_image(const exact_partition *p, uint32_t x)
{
    const uint32_t *two = p->item + p->cell[x];
    return two[0] >= p->n ? two[0] - p->n : two[1] - p->n;
}

static inline uint32_t exact_partition_source(const exact_partition *p, uint32_t y)
{
    const uint32_t *two = p->item + p->cell[p->n + y];
    return two[0] < p->n ? two[0] : two[1];
}

#endif
