/* Lower bounds from single nodes: what bound-footprint and bound-mincut share. */
#ifndef HW_SOLVERS_BOUND_H
#define HW_SOLVERS_BOUND_H

#include "model/mincut.h"
#include "solve/solver.h"

typedef enum bound_kind { BOUND_FOOTPRINT, BOUND_MINCUT } bound_kind;

/*
 * Raise *bound to the largest bound of a node; *node is the node that gave it
 * (unchanged when none does).  usage[]: of every node in some legal order; it
 * decides in which order nodes are asked and when no other can raise the
 * bound.  One state a node asked; ends early at a limit, the bound valid.
 */
hw_code bound_by_nodes(const hw_model *m, bound_kind kind, const uint64_t *usage, hw_meter *meter,
                       uint64_t *bound, uint32_t *node, hw_error *err);

/* The whole of a solver: orders for usage[], then the above. */
hw_code bound_solve(const hw_model *m, bound_kind kind, const hw_request *request,
                    hw_answer *answer, hw_error *err);

#endif
