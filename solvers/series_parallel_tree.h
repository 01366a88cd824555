/*
 * Recognition of series-parallel precedence: the decomposition tree of a DAG
 * whose partial order is series-parallel, or four nodes that tell why it is
 * not.
 *
 * An order is series-parallel when it is one node, or two such orders side by
 * side (parallel: no node of one precedes a node of the other), or one after
 * the other (series: each node of the first precedes each of the second).  The
 * reachability of a two-terminal series-parallel graph is such an order of its
 * nodes; so is that of a forest, a chain, or a complete bipartite graph.
 *
 * Everything goes by places: numbers of the nodes in one topological order.
 */
#ifndef HW_SOLVERS_SERIES_PARALLEL_TREE_H
#define HW_SOLVERS_SERIES_PARALLEL_TREE_H

#include "solve/solver.h"

/* A precedence graph by places. */
typedef struct sp_places {
    uint32_t n;
    uint32_t *node;  /* by place */
    uint32_t *place; /* by node  */
    hw_rows preds;   /* by place, places; each below its row */
} sp_places;

/* The places of g: the source order if it is legal, else level by level.
 * HW_NO_MEMORY; what failed to open may be closed.  O(nodes + edges). */
hw_code sp_places_open(sp_places *p, const hw_graph *g, hw_error *err);
void sp_places_close(sp_places *p);

/*
 * A binary tree over the places low .. low + n - 1.  Leaf i is place low + i;
 * inner nodes n .. 2n - 2 stand behind both their children; the last is the
 * root.
 */
typedef struct sp_tree {
    uint32_t low, n;
    uint32_t *left, *right; /* of inner node t at [t - n]; series: left first */
    bool *series;           /* the same; false: parallel                      */

    /* Numbers of the leaves in two linear extensions: leaf i precedes leaf j
     * exactly if both its numbers are the smaller (series-parallel orders
     * have dimension 2). */
    uint32_t *first, *second;
} sp_tree;

typedef enum sp_verdict { SP_YES, SP_NO, SP_STOPPED, SP_NO_MEMORY } sp_verdict;

/*
 * The tree of the places low .. high - 1 (low < high).  SP_STOPPED: the meter
 * ended it, one state being a node or an edge looked at.  Where the answer is
 * not SP_YES there is no tree.  O(nodes + edges) expected (hashing), no
 * recursion.
 */
sp_verdict sp_tree_open(sp_tree *t, const sp_places *p, uint32_t low, uint32_t high,
                        hw_meter *meter);
void sp_tree_close(sp_tree *t);

static inline bool sp_precedes(const sp_tree *t, uint32_t i, uint32_t j)
{
    return t->first[i] < t->first[j] && t->second[i] < t->second[j];
}

/*
 * For places that are not series-parallel: four nodes a, b, c, d of which a
 * precedes c, b precedes c and d, and no other two are comparable (the pattern
 * N, which every order that is not series-parallel holds).  SP_NO: found.
 * SP_YES: the order is series-parallel after all.  O(k log n) for the k
 * nodes and edges of the shortest beginning of the places that is not
 * series-parallel.
 */
sp_verdict sp_find_pattern(const sp_places *p, hw_meter *meter, uint32_t pattern[4]);

#endif
