/* Ids, names and the source order given anew. */
#ifndef HW_TRANSFORM_RELABEL_H
#define HW_TRANSFORM_RELABEL_H

#include "model/graph.h"

typedef struct hw_relabel_options {
    const uint32_t *order; /* the new source order, node indices; NULL: as it is         */
    bool random_ids;       /* a permutation of 0, 1, 2, ...; else these, as things stand */
    bool drop_names;       /* of nodes and tensors; operator types stay                  */
    uint64_t seed;         /* of random_ids                                              */
} hw_relabel_options;

/*
 * g under other ids, and in another source order.  Only with the order kept do
 * windows mean the same: a graph with windows is refused a new one.
 * HW_BAD_INPUT: windows, or an order that is no permutation or puts an edge
 * backwards (locked nodes would then keep another order).  HW_NO_MEMORY.
 * O(size of g).
 */
hw_code hw_relabel(const hw_graph *g, const hw_relabel_options *options, hw_graph **out,
                   hw_error *err);

/* A random topological order: each step a ready node with equal chances.  O(nodes + edges). */
hw_code hw_random_order(const hw_graph *g, uint64_t seed, uint32_t *order, hw_error *err);

#endif
