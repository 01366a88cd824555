/*
 * Symmetry: identical branches run in the order of their numbers.
 *
 * A map phi of the nodes onto themselves under which the graph stays what it
 * is (edges, workspaces, makers and users of storages, in-place pairs) turns every
 * order into another with the same usages.  Of two orders that phi exchanges
 * one can be left out; here that is done by precedence edges alone, so that
 * what is left is simply another instance, with the same optimum, fewer
 * prefixes, and all its orders legal in the first.
 *
 * Number nodes by their index.  Among the optimal orders of an instance take
 * the one in which node 0 stands earliest, of these the one in which node 1
 * does, and so on.  In that order
 *
 *  (L) for every phi, its smallest moved node a runs before phi(a): applying
 *      phi to the order puts a where phi(a) was, and leaves all smaller nodes
 *      in their places;
 *  (C) when phi exchanges the nodes of X with those of Y = phi(X), leaves all
 *      others, X holds the smaller node of every pair and is a chain (any two
 *      of its nodes are joined by a path), every u of X runs before phi(u).
 *      For let s and t count the nodes of X and of Y in a prefix; they are
 *      first nodes of their chains.  Exchange X and Y in all prefixes with
 *      s < t.  Prefixes that follow each other still differ by one node (s = t
 *      lies between), usages are the same, and of every pair that ran the
 *      wrong way round both nodes change places: the smaller moves forward.
 *
 * One order does all of this, so the edges of any number of maps hold
 * together; they close no cycle.  The instance with these edges may have maps
 * that the first had not (a branch has become a chain): rounds follow until
 * none gives an edge.  A later reader only needs, in order, each map, its
 * round and which of (L), (C) it is used for.
 *
 * Maps are found as exact_maps.h says; those not found cost edges, nothing
 * else.  Windows give each node a place of its own: there nothing is done.
 */
#ifndef HW_SOLVERS_EXACT_SYMMETRY_H
#define HW_SOLVERS_EXACT_SYMMETRY_H

#include <stddef.h>

#include "model/model.h"

/* One map: pairs first .. first of the next. */
typedef struct exact_symmetry_map {
    uint32_t round; /* from 0: a map of the model with all edges of earlier rounds */
    bool chain;     /* (C): edges u -> phi(u) for all u < phi(u); else (L): a -> phi(a) */
    size_t first;
} exact_symmetry_map;

typedef struct exact_symmetry {
    hw_graph graph; /* the model's graph with the edges; all but preds and succs is shared */
    hw_model model; /* the model over it; all else is shared */
    hw_control_edge *edge;
    size_t n_edges, edge_capacity;
    exact_symmetry_map *map;
    size_t n_maps, map_capacity;
    hw_control_edge *pair; /* moved nodes: from u to phi(u), u ascending in a map */
    size_t n_pairs, pair_capacity;
    bool complete; /* no limit of work or size was met */
} exact_symmetry;

typedef enum exact_symmetry_use {
    EXACT_SYMMETRY_ALL,  /* (L) and (C), all rounds                            */
    EXACT_SYMMETRY_FIRST /* (L), one round: all maps are of the graph as it is */
} exact_symmetry_use;

/*
 * Find maps of m and lay the edges.  s->n_edges == 0: m has none to offer and
 * s->model is m.  s shares the arrays of m, which must outlive it, and points
 * into itself: it must not be moved.
 * O(maps x edges log n), bounded by a fixed amount of work.  HW_NO_MEMORY.
 */
hw_code exact_symmetry_find(const hw_model *m, exact_symmetry_use use, exact_symmetry *s,
                            hw_error *err);
void exact_symmetry_free(exact_symmetry *s);

/*
 * A legal order of the model that was asked about as one of s->model, with the
 * same usages: taken along maps as long as one of them has its nodes the wrong
 * way round.  Every such step is one forwards in the order of all orders that
 * the proof above speaks of.  sorted[] has room for all nodes.  HW_NO_MEMORY.
 */
hw_code exact_symmetry_sort(const exact_symmetry *s, const uint32_t *order, uint32_t *sorted,
                            hw_error *err);

#endif
