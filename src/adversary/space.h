/*
 * Where the adversary searches: limits on its graphs, and random steps inside
 * them.
 */
#ifndef HW_ADVERSARY_SPACE_H
#define HW_ADVERSARY_SPACE_H

#include "adversary/genome.h"
#include "core/rng.h"

#define HW_SHAPE_WORDS "any|in-tree|out-tree|series-parallel|layered"

typedef enum hw_shape {
    HW_SHAPE_ANY,
    HW_SHAPE_IN_TREE,         /* a node has one reader at most: a forest towards the sinks */
    HW_SHAPE_OUT_TREE,        /* a node reads one node at most                             */
    HW_SHAPE_SERIES_PARALLEL, /* the precedence order is series-parallel            */
    HW_SHAPE_LAYERED          /* every edge joins neighbouring levels                      */
} hw_shape;

typedef struct hw_space {
    uint32_t least_nodes, most_nodes;
    uint32_t least_edges, most_edges;
    uint32_t most_in, most_out; /* degrees */
    uint64_t low, high;         /* sizes and workspaces, bytes */
    hw_shape shape;
    bool workspace, inplace, split; /* features allowed */
    bool discard;                   /* of every genome */
} hw_space;

/* HW_USAGE: limits that no graph fits, with the two that contradict. */
hw_code hw_space_check(const hw_space *s, hw_error *err);

/* Is g inside?  O(n + edges); series-parallel: see there. */
bool hw_space_holds(const hw_space *s, const hw_genome *g);

/* A random graph inside, from a mixture of shapes and size laws.  False: none was found. */
bool hw_space_draw(const hw_space *s, gsl_rng *rng, hw_genome *out);

/*
 * One random change that stays inside: an edge added, removed or moved, a size
 * drawn, doubled, halved, copied or set to a limit, two nodes exchanged in
 * numbering, a node split in two, added or merged into a neighbour, workspace,
 * in-place, sharing.  False: what was drawn did not fit, and g is as before.
 */
bool hw_space_move(const hw_space *s, gsl_rng *rng, hw_genome *g);

/* A child of two: a block of nodes of each, joined.  False: it did not fit. */
bool hw_space_cross(const hw_space *s, gsl_rng *rng, const hw_genome *a, const hw_genome *b,
                    hw_genome *out);

#endif
