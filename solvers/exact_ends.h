/*
 * Safe ends: what can be run first, and what can be left to the last, in some
 * best order of a piece.
 *
 * Let no order of the whole have a peak below L.  At the beginning of the
 * piece every node that is safe under budget L (R1, exact_engine.c) is safe
 * under every budget worth a test, so it is run at once; then at the end every
 * node that may be taken off under L (R1') is.  These steps stay within L, no
 * other step's usage rises, so the rest is searched alone: its optimum and L
 * give that of the piece.
 *
 * Worth it because each direction of the search profits from the other's end:
 * fewer nodes, fewer buffers, and what is left may have cut nodes, valleys and
 * components that the whole had not.
 */
#ifndef HW_SOLVERS_EXACT_ENDS_H
#define HW_SOLVERS_EXACT_ENDS_H

#include "solvers/exact_problem.h"

/*
 * Lay the nodes of the piece into order[0 .. n): the safe beginning, *front
 * nodes; the others in their own (topological) order; the safe end, *back
 * nodes.  bound: L; not below live at either end.  Not under windows.
 * O((n + uses) n).  HW_NO_MEMORY.
 */
hw_code exact_ends_find(const exact_problem *p, uint64_t bound, uint32_t *order, uint32_t *front,
                        uint32_t *back, hw_error *err);

#endif
