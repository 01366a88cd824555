/*
 * Building a graph: tensors, nodes and control edges in, a checked immutable
 * graph out.
 *
 * Tensors are added before the nodes that name them.  Each call refuses at
 * once what it can see (unknown or repeated ids, a second producer); finish()
 * refuses what only the whole shows (orphans, cycles, overflowing sums) and
 * derives storages, locks and must-in-place edges.  Messages name the object;
 * the reader puts file and line before them.
 */
#ifndef HW_MODEL_BUILDER_H
#define HW_MODEL_BUILDER_H

#include <stddef.h>

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph in the making. */
typedef struct hw_builder hw_builder;

/* What a node is, by ids of the file; arrays stay the caller's. */
typedef struct hw_node_spec {
    uint64_t id;                         /* below 2^32, no other node's     */
    const char *name, *op;               /* NULL or "": none                */
    const uint64_t *inputs, *outputs;    /* ids of tensors, in order; inputs may repeat */
    size_t n_inputs, n_outputs;          /* how many */
    const uint64_t *inplace;             /* pairs: input id, output id, ... */
    size_t n_inplace;                    /* number of pairs                 */
    uint64_t workspace;                  /* bytes                           */
    bool view, locked, inplace_required; /* as HW_NODE_* */
    bool has_window;                     /* `window` holds */
    uint64_t window; /* positions that it may move by from its place in the source */
} hw_node_spec;

/* An empty builder, the caller's; NULL: out of memory. */
hw_builder *hw_builder_new(void);

/* Release it, whatever is in it; NULL is allowed. */
void hw_builder_free(hw_builder *b);

/* Keep copies of the graph's name, source and unit (NULL: none). */
hw_code hw_builder_describe(hw_builder *b, const char *name, const char *source, const char *unit,
                            hw_error *err);

/* Expected counts, to size arrays once; optional. */
hw_code hw_builder_reserve(hw_builder *b, size_t tensors, size_t nodes, hw_error *err);

/* Add a tensor of `size` bytes.  HW_BAD_INPUT: id not below 2^32 or repeated, size above 2^63 - 1.
 */
hw_code hw_builder_tensor(hw_builder *b, uint64_t id, uint64_t size, hw_kind kind, const char *name,
                          hw_error *err);

/*
 * Add a node.  HW_BAD_INPUT: id as above, unknown tensor, second producer, an input or
 * constant that is produced, its own output consumed, view without input,
 * in-place pairs that are not (input, output) of the node or stand on a view,
 * inplace_required without exactly one pair, workspace above 2^63 - 1.
 * Amortised O(inputs + outputs + pairs).
 */
hw_code hw_builder_node(hw_builder *b, const hw_node_spec *spec, hw_error *err);

/* Let `from` run before `to`.  Nodes may be added later; unknown ones are refused by finish(). */
hw_code hw_builder_control(hw_builder *b, uint64_t from, uint64_t to, hw_error *err);

/*
 * Check the whole and hand out the graph; the builder is then empty and only
 * to be freed.  HW_BAD_INPUT: activation or output without producer, control
 * edge to an unknown node, a must-in-place pair on a storage that holds an
 * output or constant, sums past 2^64 - 1, a cycle (its nodes are named).
 * O(tensors + nodes + edges).
 */
hw_code hw_builder_finish(hw_builder *b, hw_graph **out, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
