/* The parts of the experiment on locks (c16_locks.c, c16_edges.c). */
#ifndef HW_CLAIMS_C16_LOCKS_H
#define HW_CLAIMS_C16_LOCKS_H

#include <stdlib.h>

#include "claims/measure.h"
#include "core/memory.h"
#include "core/rng.h"
#include "model/check.h"

typedef enum lock_kind { LOCK, WINDOW_1, WINDOW_4, EDGE_READERS, EDGE_PLACE, LOCK_KINDS } lock_kind;

typedef struct lock_tally {
    uint64_t graphs;
    uint64_t obeyed; /* the best order under the constraint is legal, by the checker  */
    uint64_t broken; /* the best order without the constraint breaks it               */
    uint64_t dearer; /* the optimum is larger with it                                  */
    uint64_t greedy_worse, greedy_better; /* the peak of greedy with it */
    hw_claim_figures cost;                /* percent above the optimum without */
} lock_tally;

typedef struct locks {
    const hw_claim_run *run;
    hw_accounting accounting;
    lock_tally tally[LOCK_KINDS];
    uint64_t pairs, shared_pairs; /* in-place pairs; of them, with other readers of the input */
    uint64_t folds, folds_alike;  /* locks against edges: optima compared, and equal */
} locks;

/* Orders of n nodes without edges. */
typedef struct lock_orders {
    uint32_t n, width;
    uint32_t allowed;  /* within windows of `width` from the source                       */
    uint32_t by_edges; /* that keep every pair which all those orders have the same way round */
} lock_orders;

/* g with a control edge from each node locked in flags to the next one.  HW_NO_MEMORY. */
hw_code locks_fold(const hw_graph *g, const uint8_t *flags, hw_graph **out, hw_error *err);

/* The in-place pairs of g, and those whose input another node reads. */
void locks_count_pairs(const hw_graph *g, uint64_t *pairs, uint64_t *shared);

/*
 * g with extra edges for every node with in-place pairs: from all other readers
 * of what the first pair overwrites (readers), else from its neighbour in the
 * source.  An edge that would close a cycle is left out.  HW_NO_MEMORY.
 */
hw_code locks_extra_edges(const hw_graph *g, bool readers, hw_graph **out, hw_error *err);

/* The least n and width for which windows are no set of edges, and that graph.  HW_CHECK_FAILED:
 * none was found. */
hw_code locks_window_example(lock_orders *o, hw_graph **out, hw_error *err);

#endif
