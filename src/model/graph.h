/*
 * The computation graph: tensors, nodes, storages, edges (highwater-model(7)).
 *
 * A graph is immutable once built (builder.h) and its arrays may be read
 * directly.  Tensors, nodes and storages are addressed by dense indices; the
 * ids of a file are kept beside them and used only at the borders (reading,
 * writing, messages).  The index of a node is its source position.
 *
 * Lists are compressed rows: the items of row i are
 * items[offset[i] .. offset[i+1]).
 */
#ifndef HW_MODEL_GRAPH_H
#define HW_MODEL_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HW_NONE UINT32_MAX /* no such index */

/* What a tensor is. */
typedef enum hw_kind {
    HW_ACTIVATION = 0, /* made and used on the way          */
    HW_INPUT,          /* given before the first step       */
    HW_OUTPUT,         /* made, and kept to the end         */
    HW_CONSTANT        /* resident: never freed, in no peak */
} hw_kind;

/* Flags of a node. */
enum {
    HW_NODE_VIEW = 1,             /* outputs share the storage of input 0   */
    HW_NODE_LOCKED = 2,           /* keeps its place among the locked nodes */
    HW_NODE_INPLACE_REQUIRED = 4, /* must overwrite the input of its pair   */
};

/* Compressed rows: the items of row i are item[offset[i] .. offset[i+1]). */
typedef struct hw_rows {
    uint32_t *offset; /* n_rows + 1          */
    uint32_t *item;   /* of all rows in turn */
} hw_rows;

/* "Output may overwrite input", both dense tensor indices. */
typedef struct hw_inplace_pair {
    uint32_t input, output; /* of the same node */
} hw_inplace_pair;

/* "The one node runs before the other", without a tensor between them. */
typedef struct hw_control_edge {
    uint32_t from, to; /* dense node indices */
} hw_control_edge;

/* A graph: read it, do not write to it.  Released by hw_graph_free(). */
typedef struct hw_graph {
    uint32_t n_nodes, n_tensors, n_storages; /* lengths of the arrays below */
    uint32_t n_edges;                        /* distinct ordered pairs (u, v), of any origin */

    /* Tensors. */
    uint64_t *tensor_size;     /* bytes                                       */
    uint8_t *tensor_kind;      /* hw_kind                                     */
    uint32_t *tensor_id;       /* id in the file; NULL: id == index           */
    uint32_t *tensor_name;     /* offset in `names`; NULL: no names           */
    uint32_t *tensor_producer; /* node index, HW_NONE for input and constant  */
    uint32_t *tensor_storage;  /* storage index                               */

    /* Storages: a tensor and its views. */
    uint32_t *storage_root; /* tensor index of the root */

    /* Nodes. */
    uint32_t *node_id;        /* id in the file; NULL: id == index          */
    uint32_t *node_name;      /* offset in `names`; NULL: no names          */
    uint32_t *node_op;        /* offset in `names`; NULL: no operator types */
    uint8_t *node_flags;      /* HW_NODE_*                                  */
    uint64_t *node_workspace; /* bytes; NULL: all 0                         */
    uint32_t *node_window;    /* HW_NONE: none; NULL: no node has a window  */
    hw_rows inputs;           /* tensor indices as listed, may repeat       */
    hw_rows outputs;          /* tensor indices as listed                   */

    uint32_t *inplace_offset;      /* n_nodes + 1; NULL: no node has pairs */
    hw_inplace_pair *inplace_pair; /* of node v: [inplace_offset[v] .. inplace_offset[v+1]) */

    /* Edges: data, control, locks and must-in-place, each pair once. */
    hw_rows preds, succs; /* by node: node indices */

    hw_control_edge *control; /* as listed in the file, without repeats */
    uint32_t n_control;       /* how many */

    bool source_order_legal_edges; /* every edge points forward in the source */

    char *names;  /* pool of NUL-terminated strings; offset 0 is "" */
    char *name;   /* of the graph; never NULL */
    char *source; /* where it comes from; never NULL      */
    char *unit;   /* of the sizes, "bytes"; never NULL    */
} hw_graph;

/* Release a graph; NULL is allowed. */
void hw_graph_free(hw_graph *g);

/* Another name and source for g, copied.  HW_NO_MEMORY: g is as before. */
hw_code hw_graph_rename(hw_graph *g, const char *name, const char *source, hw_error *err);

/* The id of a node, by index, in the file. */
static inline uint32_t hw_node_id(const hw_graph *g, uint32_t node)
{
    return g->node_id ? g->node_id[node] : node;
}

/* The id of a tensor, by index, in the file. */
static inline uint32_t hw_tensor_id(const hw_graph *g, uint32_t tensor)
{
    return g->tensor_id ? g->tensor_id[tensor] : tensor;
}

/* The name of a node; "": it has none.  The graph's. */
static inline const char *hw_node_name(const hw_graph *g, uint32_t node)
{
    return g->node_name ? g->names + g->node_name[node] : "";
}

/* The operator type of a node; "": it has none.  The graph's. */
static inline const char *hw_node_op(const hw_graph *g, uint32_t node)
{
    return g->node_op ? g->names + g->node_op[node] : "";
}

/* The name of a tensor; "": it has none.  The graph's. */
static inline const char *hw_tensor_name(const hw_graph *g, uint32_t tensor)
{
    return g->tensor_name ? g->names + g->tensor_name[tensor] : "";
}

/* Bytes that a node holds only while it runs. */
static inline uint64_t hw_node_workspace(const hw_graph *g, uint32_t node)
{
    return g->node_workspace ? g->node_workspace[node] : 0;
}

/* Resident bytes: the sum of the constants.  O(tensors). */
uint64_t hw_graph_resident_bytes(const hw_graph *g);

/* The sum of all storages that are not resident.  O(storages). */
uint64_t hw_graph_total_bytes(const hw_graph *g);

/*
 * Fill order[0 .. n_nodes) with a topological order: Kahn's algorithm, ready
 * nodes first in, first out, sources in source order.  O(nodes + edges).
 * HW_NO_MEMORY.
 */
hw_code hw_graph_level_order(const hw_graph *g, uint32_t *order, hw_error *err);

/*
 * Position of every node in `order` (a permutation): position[order[i]] = i.
 * O(n).
 */
void hw_order_positions(const uint32_t *order, uint32_t n, uint32_t *position);

/*
 * A copy of g with parts of the model left out: views become ordinary nodes
 * whose outputs have storages of their own (strip_views), in-place pairs are
 * dropped (strip_inplace).  HW_NO_MEMORY, HW_BAD_INPUT (sums that overflow).
 */
hw_code hw_graph_strip(const hw_graph *g, bool strip_views, bool strip_inplace, hw_graph **out,
                       hw_error *err);

/*
 * A copy of g whose tensor t has size[t] bytes and whose node v has workspace[v]; either NULL: as
 * they are.  Everything else is that of g, ids of the file too.  HW_NO_MEMORY, HW_BAD_INPUT (sizes
 * past 2^63 - 1, sums that overflow).  O(g).
 */
hw_code hw_graph_resized(const hw_graph *g, const uint64_t *size, const uint64_t *workspace,
                         hw_graph **out, hw_error *err);

/* What hw_graph_mark() makes other; zeros: nothing.  Arrays of n_nodes, the caller's. */
typedef struct hw_marks {
    const uint8_t *flags;    /* HW_NODE_* of every node; NULL: as they are */
    const uint32_t *windows; /* HW_NONE: none; NULL: as they are           */
} hw_marks;

/*
 * A copy of g with its ids and other marks on its nodes.  HW_NO_MEMORY; HW_BAD_INPUT: what
 * hw_builder_finish() refuses (locks that close a cycle, ...).  O(g).
 */
hw_code hw_graph_mark(const hw_graph *g, const hw_marks *marks, hw_graph **out, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
