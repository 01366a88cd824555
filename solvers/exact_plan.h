/*
 * The plan of the exact solver: one order of the whole graph, cut into pieces
 * between prefixes through which some best order passes, whatever the budget.
 * The peak of the order is the highest of its pieces', and so is the optimum.
 *
 * At first the pieces are the blocks between cut nodes (R4).  A piece that
 * turns out to be worth a search is refined before: cut nodes of its own,
 * valleys (exact_valley.h), safe ends (exact_ends.h), over and over until it
 * stays whole.  A refinement reorders the nodes of its piece; no step's usage
 * rises above what the order in hand or the bound had.
 */
#ifndef HW_SOLVERS_EXACT_PLAN_H
#define HW_SOLVERS_EXACT_PLAN_H

#include "solvers/exact_problem.h"

typedef struct exact_piece {
    uint32_t low, high;     /* positions in the order                */
    uint64_t live;          /* before its first step                 */
    uint64_t peak, bound;   /* of the order in hand; proven least    */
    bool no_cut, no_valley; /* found: it has none inside             */
    bool connected;         /* found: it has one component           */
    uint64_t apart_states;  /* of the last attempt at its components */
    uint64_t ends_at;       /* bound under which its ends are closed; 0: never */
} exact_piece;

typedef struct exact_plan {
    const hw_model *m;
    uint32_t *order; /* the order in hand                             */
    bool legal;      /* it is one; else a topological one outside windows */
    bool cuts, valleys, ends;
    uint64_t memory_bytes; /* of the sets of one piece; 0: any */
    exact_map map;
    exact_piece *piece;
    uint32_t n_pieces;
    uint64_t bound; /* proven for the whole */
} exact_plan;

/*
 * Lay the blocks of an order of m (order[] has n entries and is taken over by
 * the plan; bound: proven elsewhere).  Switches and memory_bytes are set by
 * the caller before.  HW_NO_MEMORY.
 */
hw_code exact_plan_init(exact_plan *plan, const hw_model *m, uint32_t *order, bool legal,
                        uint64_t bound, hw_error *err);
void exact_plan_free(exact_plan *plan);

/* live, peak and bound of every piece along the order in hand.  O(n + uses). */
hw_code exact_plan_measure(exact_plan *plan, hw_error *err);

/* No order of the piece has a peak below `bound`: proven. */
void exact_plan_prove(exact_plan *plan, uint32_t index, uint64_t bound);

/* The piece with the highest peak, the first of equals. */
uint32_t exact_plan_highest(const exact_plan *plan);

/* The problem of a piece.  HW_NO_MEMORY: too large for the limit. */
hw_code exact_plan_problem(exact_plan *plan, uint32_t index, exact_problem **out, hw_error *err);

/*
 * Split a piece further, once; *split tells.  The order in hand may change; its
 * peak never rises above the bound or what it was.
 */
hw_code exact_plan_refine(exact_plan *plan, uint32_t index, bool *split, hw_error *err);

#endif
