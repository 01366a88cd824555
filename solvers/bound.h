/* Lower bounds from single nodes: what the bound solvers and their users share. */
#ifndef HW_SOLVERS_BOUND_H
#define HW_SOLVERS_BOUND_H

#include "model/mincut.h"
#include "solve/solver.h"

typedef enum bound_kind { BOUND_FOOTPRINT, BOUND_MINCUT, BOUND_KINDS } bound_kind;

/*
 * The least usage of each node over the orders of quick heuristics, into
 * usage[0 .. n_nodes).  As fast as greedy.  HW_NO_MEMORY.
 */
hw_code bound_usage(const hw_model *m, const volatile sig_atomic_t *stop, uint64_t *usage,
                    hw_error *err);

/*
 * Raise *bound to the largest bound of a node; *node is the node that gave it
 * (unchanged when none does).  usage[]: of every node in some legal order; it
 * decides in which order nodes are asked and when no other can raise the
 * bound.  One state a node asked; ends early at a limit of the meter, the
 * bound valid.
 */
hw_code bound_by_nodes(const hw_model *m, bound_kind kind, const uint64_t *usage, hw_meter *meter,
                       uint64_t *bound, uint32_t *node, hw_error *err);

/* The whole of a solver: orders for usage[], then the above. */
hw_code bound_solve(const hw_model *m, bound_kind kind, const hw_request *request,
                    hw_answer *answer, hw_error *err);

/* A bound, and whether it was cut short: a larger one might have come. */
typedef struct bound_part {
    uint64_t bytes;
    bool cut;
} bound_part;

/* Each at least as large as the one before it. */
typedef struct bound_ladder {
    uint64_t simple;
    bound_part part[BOUND_KINDS]; /* by bound_kind */
} bound_ladder;

/*
 * All bounds of m, a legal model, one after the other.  steps[]: the looks at
 * nodes and edges that each kind may take; UINT64_MAX: any, 0: the kind is left
 * out, as if cut short.  The answer is a function of model and steps alone
 * unless the limits of the request (seconds, stop flag) end it.  HW_NO_MEMORY.
 */
hw_code bound_ladder_find(const hw_model *m, const hw_request *request,
                          const uint64_t steps[BOUND_KINDS], bound_ladder *out, hw_error *err);

/* "footprint", "mincut". */
const char *bound_kind_name(bound_kind kind);

/*
 * Steps of each kind that take a fraction of a second; the bounds of graphs of
 * some thousand nodes need far fewer.
 */
extern const uint64_t bound_quick_steps[BOUND_KINDS];

#endif
