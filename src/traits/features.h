/*
 * Features of a graph, and of an order beside an optimal one: what a bad case
 * may be made of.
 *
 * Words.  A *block* is a storage of more than 0 bytes that is no constant; its
 * maker is the node that makes its root (an input of the graph has none), its
 * readers are the nodes that read any of its tensors.  The *level* of a node
 * is the number of nodes on a longest path that ends there; an input is of
 * level 0.  Two nodes are *unordered* when neither precedes the other, two
 * blocks when their makers are two unordered nodes.  A block is *large* when
 * it has at least half the bytes of the graph's largest block; the *balance*
 * of a set of pairs is the greatest ratio smaller / larger of a pair of which
 * both are large, 0 where there is none (branches.h).
 */
#ifndef HW_TRAITS_FEATURES_H
#define HW_TRAITS_FEATURES_H

#include "model/model.h"

/* Beyond so many nodes what needs the whole precedence relation is NaN. */
enum { HW_FEATURES_MOST = 1000 };

/* Of a pair: wants the order and an optimal one.  TURN: the wrong turn too. */
typedef enum hw_feature_kind {
    HW_FEATURE_OF_GRAPH,
    HW_FEATURE_OF_PAIR,
    HW_FEATURE_OF_TURN
} hw_feature_kind;

/* X(constant, name, unit, kind, help); the help defines it. */
#define HW_FEATURE_TABLE(X)                                                                        \
    X(NODES, "nodes", "nodes", GRAPH, "nodes")                                                     \
    X(EDGES, "edges", "edges", GRAPH, "pairs of nodes joined by an edge of any origin")            \
    X(WIDTH, "width", "nodes", GRAPH, "nodes of a largest set of unordered ones")                  \
    X(DEPTH, "depth", "nodes", GRAPH, "nodes on a longest path")                                   \
    X(SOURCES, "sources", "nodes", GRAPH, "nodes without predecessor")                             \
    X(SINKS, "sinks", "nodes", GRAPH, "nodes without successor")                                   \
    X(FAN_OUT, "fan-out", "nodes", GRAPH, "greatest number of successors of a node")               \
    X(FAN_IN, "fan-in", "nodes", GRAPH, "greatest number of predecessors of a node")               \
    X(UNORDERED, "unordered", "share", GRAPH, "share of the pairs of nodes that are unordered")    \
    X(TOTAL, "total", "bytes", GRAPH, "bytes of all blocks")                                       \
    X(LARGEST, "largest", "share", GRAPH, "share of the largest block in the total")               \
    X(TWO_LARGEST, "two-largest", "share", GRAPH, "share of the two largest blocks in the total")  \
    X(GINI, "size-gini", "0 to 1", GRAPH, "Gini coefficient of the sizes of the blocks")           \
    X(RESULTS, "results", "share", GRAPH, "share of the total in blocks that are kept to the end") \
    X(SHARED, "shared", "share", GRAPH, "share of the total in blocks of two readers and more")    \
    X(WORKSPACE, "workspace", "share", GRAPH, "the largest workspace, as a share of the total")    \
    X(DELAY_LEVELS, "delay-levels", "levels", GRAPH,                                               \
      "levels from the maker of a block to its highest reader: the mean of the blocks that a "     \
      "reader frees, weighted by bytes")                                                           \
    X(LARGE_BLOCKS, "large-blocks", "blocks", GRAPH, "large blocks")                               \
    X(FORK_BRANCHES, "fork-branches", "branches", GRAPH,                                           \
      "branches with a large block between one fork and its join, where they are most")            \
    X(FORK_BALANCE, "fork-balance", "0 to 1", GRAPH,                                               \
      "balance of the largest blocks of two branches between one fork and its join")               \
    X(PART_BRANCHES, "part-branches", "parts", GRAPH,                                              \
      "parts with a large block of one parallel composition, where they are most")                 \
    X(PART_BALANCE, "part-balance", "0 to 1", GRAPH,                                               \
      "balance of the largest blocks of two parts of one parallel composition")                    \
    X(BLOCK_BRANCHES, "block-branches", "blocks", GRAPH,                                           \
      "large blocks of a largest set of which each two are unordered")                             \
    X(BLOCK_BALANCE, "block-balance", "0 to 1", GRAPH, "balance of two unordered blocks")          \
    X(DELAY_STEPS, "delay-steps", "steps", PAIR,                                                   \
      "steps from the making of a block to its last reader in the order: the mean of the blocks "  \
      "that a reader frees, weighted by bytes")                                                    \
    X(DELAY_OPTIMUM, "delay-optimum", "steps", PAIR, "the same in the optimal order")              \
    X(SWAPPED, "swapped", "share", PAIR,                                                           \
      "share of the unordered pairs of nodes that the two orders run in opposite turn")            \
    X(PEAK_AT, "peak-at", "share", PAIR,                                                           \
      "first step, from 1, at which the order reaches its peak, as a share of the steps")          \
    X(ALIVE_LARGE, "alive-large", "blocks", PAIR, "large blocks alive in that step")               \
    X(ALIVE_BALANCE, "alive-balance", "0 to 1", PAIR,                                              \
      "balance of two unordered blocks that are alive in that step, and in no step of the "        \
      "optimal order both")                                                                        \
    X(SECOND_BLOCK, "second-block", "ratio", PAIR,                                                 \
      "the smaller of two unordered blocks over the optimum, where it is greatest")                \
    X(WRONG_AT, "wrong-at", "share", TURN,                                                         \
      "steps before the wrong turn, after which the optimum is out of reach, as a share of all "   \
      "steps; 1: the order is optimal")                                                            \
    X(WRONG_BALANCE, "wrong-balance", "0 to 1", TURN,                                              \
      "as alive-balance, of pairs of which the wrong turn makes one, or precedes its maker, but "  \
      "not the other's")

#define HW_FEATURE_CONSTANT(id, name, unit, kind, help) HW_FEATURE_##id,
typedef enum hw_feature { HW_FEATURE_TABLE(HW_FEATURE_CONSTANT) HW_N_FEATURES } hw_feature;

typedef struct hw_feature_row {
    const char *name, *unit;
    hw_feature_kind kind;
    const char *help;
} hw_feature_row;

extern const hw_feature_row hw_feature_rows[HW_N_FEATURES];

typedef struct hw_features {
    double value[HW_N_FEATURES]; /* NaN: not known, or undefined (a mean of nothing) */
} hw_features;

/* Legal orders of all nodes; the library reads, never keeps them. */
typedef struct hw_feature_orders {
    const uint32_t *order;   /* NULL: features of the graph alone            */
    const uint32_t *optimum; /* of least peak; NULL as `order`               */
    uint32_t wrong_turn;     /* steps of `order` before its first wrong turn
                                (solvers/exact_reach.h): n_nodes, it is
                                optimal; HW_NONE: not known                  */
} hw_feature_orders;

/*
 * All features of the model's graph; `orders` may be NULL.  A block is alive in
 * a step from its maker's to its last reader's, under free-first without the
 * latter; overwriting in place is left out of account.  HW_NO_MEMORY.
 * O(n (n + edges)) for n nodes, and O(blocks^2) of the large ones.
 */
hw_code hw_features_of(const hw_model *m, const hw_feature_orders *orders, hw_features *out,
                       hw_error *err);

#endif
