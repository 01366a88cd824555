/*
 * The parts into which a piece falls, whatever the reason: its nodes in a new
 * order, and where parts end in it.
 */
#ifndef HW_SOLVERS_EXACT_PARTS_H
#define HW_SOLVERS_EXACT_PARTS_H

#include "solvers/exact_problem.h"

typedef struct exact_parts {
    uint32_t *order, *end; /* n entries each: nodes of the piece; positions */
    uint32_t count;        /* 1: the piece stays whole                      */
} exact_parts;

/* Room for the parts of n nodes.  HW_NO_MEMORY. */
hw_code exact_parts_init(exact_parts *parts, uint32_t n, hw_error *err);
void exact_parts_free(exact_parts *parts);

/* Each finds parts of p, replacing what the parts held.  HW_NO_MEMORY. */
hw_code exact_parts_by_cuts(const exact_problem *p, exact_parts *parts, hw_error *err);
hw_code exact_parts_by_valleys(const exact_problem *p, exact_parts *parts, hw_error *err);
hw_code exact_parts_by_ends(const exact_problem *p, uint64_t bound, exact_parts *parts,
                            hw_error *err);

/*
 * Components: parts that share no edge and no buffer.  They follow no order
 * among themselves; any order of the piece is a mixture of theirs.
 */
hw_code exact_parts_by_components(const exact_problem *p, exact_parts *parts, hw_error *err);

#endif
