/*
 * The printed scheduling loop of section 5.2, with repairs that can be put in
 * one by one.
 *
 * Without any it is the solver `greedy-listing`, with all of them `greedy`.
 */
#ifndef HW_CLAIMS_LISTING_H
#define HW_CLAIMS_LISTING_H

#include "model/model.h"

/* Repairs, any of them together. */
enum {
    HW_LISTING_SOURCES = 1, /* inputs that no node makes are not waited for */
    HW_LISTING_EDGES = 2,   /* an edge is counted once, and every edge is: two tensors from one
                               maker, one named twice, control edges, locks */
    HW_LISTING_FRESH = 4,   /* keys are found when a node is chosen, not when it becomes ready */
    HW_LISTING_FREED = 8,   /* freed is what dies: storages, without outputs and constants */
    HW_LISTING_ALL = 15
};

/*
 * Run it: order[0 .. *n), room for n_nodes.  *n is less than n_nodes where the
 * loop ends early: it has stalled.  HW_NO_MEMORY.
 * O(nodes^2 + edges nodes) with fresh keys, else O(nodes ready + edges).
 */
hw_code hw_listing_run(const hw_model *m, unsigned repairs, uint32_t *order, uint32_t *n,
                       hw_error *err);

#endif
