/*
 * Where the adversary searches: limits on its graphs, and random steps inside
 * them.
 *
 * Genomes in here are tidy: a node is split only where it has several readers,
 * and what stands behind node n - 1 is as hw_genome_start() left it, so that
 * equal graphs are equal bytes.
 */
#ifndef HW_ADVERSARY_SPACE_H
#define HW_ADVERSARY_SPACE_H

#include "small/genome.h"
#include "core/rng.h"

#define HW_SHAPE_WORDS "any|in-tree|out-tree|series-parallel|layered"

typedef enum hw_shape {
    HW_SHAPE_ANY,
    HW_SHAPE_IN_TREE,         /* a node has one reader at most: a forest towards the sinks */
    HW_SHAPE_OUT_TREE,        /* a node reads one node at most                             */
    HW_SHAPE_SERIES_PARALLEL, /* the precedence order is series-parallel            */
    HW_SHAPE_LAYERED          /* levels exist such that every edge leads to the next one    */
} hw_shape;

typedef struct hw_space {
    uint32_t least_nodes, most_nodes;
    uint32_t least_edges, most_edges;
    uint32_t most_in, most_out; /* degrees */
    uint64_t low, high;         /* bytes: sizes, and workspaces that are not 0 */
    hw_shape shape;
    bool workspace, inplace, split; /* features allowed */
    bool discard;                   /* of every genome */
} hw_space;

/* The kinds of random change. */
typedef enum hw_move {
    HW_MOVE_EDGE_ADD,
    HW_MOVE_EDGE_REMOVE,
    HW_MOVE_EDGE_END,   /* one end of an edge goes elsewhere         */
    HW_MOVE_SIZE_DRAW,  /* by the taste of hw_space_size()           */
    HW_MOVE_SIZE_STEP,  /* by 1 byte                                 */
    HW_MOVE_SIZE_TWICE, /* or as near as the limits allow            */
    HW_MOVE_SIZE_HALF,
    HW_MOVE_SIZE_COPY,   /* another node's                           */
    HW_MOVE_SIZE_LIMIT,  /* low or high                              */
    HW_MOVE_EXCHANGE,    /* two nodes exchange their numbers         */
    HW_MOVE_NODE_SERIES, /* a node becomes two, one reading the other */
    HW_MOVE_NODE_TWIN,   /* a node becomes two of the same parents   */
    HW_MOVE_NODE_ADD,
    HW_MOVE_NODE_MERGE, /* into a neighbour                          */
    HW_MOVE_NODE_DROP,  /* at times its readers read its parents     */
    HW_MOVE_WORKSPACE,
    HW_MOVE_INPLACE,
    HW_MOVE_SHARING, /* one tensor for all readers, or one each      */
    HW_MOVES
} hw_move;

/* HW_USAGE: limits that no graph fits, with the two that contradict.  O(1). */
hw_code hw_space_check(const hw_space *s, hw_error *err);

/* The most edges of a graph of n nodes within the shape and the degree limits.  O(n). */
uint32_t hw_space_most_edges(const hw_space *s, uint32_t n);

/* Is g tidy and inside?  O(n + edges), series-parallel O(n^2). */
bool hw_space_holds(const hw_space *s, const hw_genome *g);

/* Is g of the shape?  Source: Valdes, Tarjan and Lawler, The Recognition of Series Parallel
 * Digraphs, 1982 (by decomposition, not in linear time).  O(n + edges), series-parallel O(n^2). */
bool hw_shape_holds(hw_shape shape, const hw_genome *g);

/*
 * A size: low, high, near one of g's n (at least 1) sizes, or between the limits, even or even
 * in scale.
 */
uint64_t hw_space_size(const hw_space *s, gsl_rng *rng, const hw_genome *g);

/*
 * A random graph inside, from a mixture of shapes and size laws; s has passed
 * hw_space_check().  False: none was found, which only narrow limits cause.
 */
bool hw_space_draw(const hw_space *s, gsl_rng *rng, hw_genome *out);

/*
 * One random change that stays inside, of g, which is inside.  Where the
 * number of nodes must not change, one that adds a node takes another away,
 * and the reverse.  False: nothing drawn in a few tries fitted, and g is as
 * before.
 */
bool hw_space_move(const hw_space *s, gsl_rng *rng, hw_genome *g);

/* The same of one kind, tried once. */
bool hw_space_move_kind(const hw_space *s, gsl_rng *rng, hw_move kind, hw_genome *g);

/*
 * A child of two that are inside: nodes of one number range from b and the
 * rest from a, with what they read by number; or a block of nodes of each,
 * joined by a few edges.  False: nothing drawn in a few tries fitted.
 */
bool hw_space_cross(const hw_space *s, gsl_rng *rng, const hw_genome *a, const hw_genome *b,
                    hw_genome *out);

#endif
