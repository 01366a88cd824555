/*
 * Where the difficulty of a graph lies: a piece between two prefixes that has
 * no order within a budget, found by splitting the graph at cut nodes
 * (exact_blocks.h), valleys (exact_valley.h) and safe ends (exact_ends.h), and
 * the way that leads to it, for a certificate.
 */
#ifndef HW_SOLVERS_EXACT_NARROW_H
#define HW_SOLVERS_EXACT_NARROW_H

#include "proof/proof.h"
#include "solvers/exact_search.h"

typedef struct exact_narrow {
    uint32_t *order; /* of the whole graph; the piece is order[low .. high) */
    uint32_t low, high;
    uint64_t live;      /* before the piece                                    */
    bool reverse;       /* the search from its end is the one that has proven it */
    uint32_t *path;     /* to be written by exact_narrow_write()               */
    size_t path_length; /* words */
} exact_narrow;

/*
 * Find a piece without an order within the budget.  order: a legal order of m
 * (legal false: any topological one), of which steps above the budget are
 * looked at.  memory_bytes: of the sets of a piece, and again of its dead
 * prefixes.  HW_STOPPED: a limit of the meter was met; HW_NO_MEMORY;
 * HW_INTERNAL: the budget can be kept.
 */
hw_code exact_narrow_find(const hw_model *m, const uint32_t *order, bool legal, uint64_t budget,
                          uint64_t memory_bytes, hw_meter *meter, exact_narrow *found,
                          hw_error *err);
void exact_narrow_free(exact_narrow *found);

/* The lines that lead from the whole graph to the piece. */
hw_code exact_narrow_write(const exact_narrow *found, hw_proof *proof, hw_error *err);

#endif
