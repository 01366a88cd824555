/*
 * Beam search through the prefixes of a piece, forwards or backwards: level by
 * level the `width` best prefixes are kept, least peak first, then least live.
 * An upper bound inside `exact`, where a piece begins and ends with live bytes;
 * the solver `beam` takes whole graphs of any size (beam_search.h).
 */
#ifndef HW_SOLVERS_EXACT_BEAM_H
#define HW_SOLVERS_EXACT_BEAM_H

#include "solve/solver.h"
#include "solvers/exact_walk.h"

/*
 * Look for an order of the piece with a peak below `limit`, UINT64_MAX for any
 * peak (for 2^64-1 itself is one).  *found tells;
 * then order[0 .. n) holds its nodes.  Stops without an order when the meter
 * says so (one state a prefix kept).  O(n width (ready + uses + piece)) time.
 * HW_NO_MEMORY.
 */
hw_code exact_beam(const exact_problem *p, bool reverse, uint32_t width, uint64_t limit,
                   hw_meter *meter, uint32_t *order, bool *found, hw_error *err);

#endif
