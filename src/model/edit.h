/*
 * A graph that can be changed: flat lists of nodes, tensors and of what joins
 * them, out of a graph and back into one.
 *
 * To change it, mark nodes and tensors as gone, write over fields of the items,
 * append reads; then hw_edit_sweep() takes out what is gone and mends what
 * leaned on it.  What cannot be (a cycle, a sum that overflows) shows when the
 * graph is built.
 */
#ifndef HW_MODEL_EDIT_H
#define HW_MODEL_EDIT_H

#include <stddef.h>

#include "model/graph.h"

/* Nodes stand in source order. */
typedef struct hw_edit_node {
    uint64_t workspace; /* bytes */
    uint32_t origin;    /* node of the first graph that lends name and operator type */
    uint32_t window;    /* HW_NONE: none */
    uint32_t inputs;    /* mentions as an input, as of the last sweep */
    uint32_t outputs;   /* tensors that it makes, as of the last sweep */
    uint32_t scratch;   /* free between two calls */
    uint8_t flags;      /* HW_NODE_* */
    bool gone;
} hw_edit_node;

typedef struct hw_edit_tensor {
    uint64_t size;    /* bytes */
    uint32_t origin;  /* tensor of the first graph that lends its name */
    uint32_t maker;   /* node; HW_NONE: an input or a constant */
    uint32_t slot;    /* outputs of a node stand by ascending slot, then index */
    uint32_t readers; /* mentions as an input, as of the last sweep */
    uint32_t scratch; /* free between two calls */
    uint8_t kind;     /* hw_kind */
    bool gone;
} hw_edit_tensor;

/* A node names a tensor as an input; a node's inputs stand in the order of these. */
typedef struct hw_edit_read {
    uint32_t node, tensor;
    bool gone;
} hw_edit_read;

/* An in-place pair. */
typedef struct hw_edit_pair {
    uint32_t node, input, output;
    bool gone;
} hw_edit_pair;

typedef struct hw_edit_control {
    uint32_t from, to;
    bool gone;
} hw_edit_control;

typedef struct hw_edit {
    const hw_graph *origin; /* the caller's: must outlive the edit */
    hw_edit_node *node;
    hw_edit_tensor *tensor;
    hw_edit_read *read;
    hw_edit_pair *pair;
    hw_edit_control *control;
    size_t n_nodes, n_tensors, n_reads, n_pairs, n_controls;
    size_t node_room, tensor_room, read_room, pair_room, control_room;

    /* Every result (a tensor that a node makes and none reads) is kept to the end: so it stays.
     * Otherwise a tensor that loses its last reader stays an activation.  Known anew after each
     * sweep, so that what can be done with a graph depends on it alone, not on what it came from.
     */
    bool keeps_results;
} hw_edit;

/* Take g over into an edit, which is released by hw_edit_clear(), also on failure; O(g).
 * HW_NO_MEMORY. */
hw_code hw_edit_open(hw_edit *e, const hw_graph *g, hw_error *err);
void hw_edit_clear(hw_edit *e);

/* *to, an edit or zeros, becomes as *from; the room that it has is used again.  HW_NO_MEMORY. */
hw_code hw_edit_copy(hw_edit *to, const hw_edit *from, hw_error *err);

/* Append one more input to a node, unless it reads the tensor already.  O(reads).  HW_NO_MEMORY. */
hw_code hw_edit_read_too(hw_edit *e, uint32_t node, uint32_t tensor, hw_error *err);

/* Who names tensor `from` as an input or in a pair names `to` instead, in the same place, unless it
 * reads `to` already.  O(reads^2) at most. */
void hw_edit_redirect(hw_edit *e, uint32_t from, uint32_t to);

/* Does the node read the tensor?  O(reads). */
bool hw_edit_reads(const hw_edit *e, uint32_t node, uint32_t tensor);

/*
 * Take out what is gone: with a node its outputs, with either the reads, pairs
 * and control edges that name it.  Then
 *   - a node that reads what it makes does so no more, nor does it wait for itself;
 *   - a tensor that lost its last reader goes where it was an input or a constant or its maker
 *     makes another one; else it is a result now: see keeps_results;
 *   - a pair goes with its input or output, inplace_required with its pair;
 *   - a view whose first input went, or that has a pair now, is a view no more.
 * O(size).
 */
void hw_edit_sweep(hw_edit *e);

/*
 * The graph, with ids 0, 1, 2, ...  HW_BAD_INPUT: it closes a cycle, or what
 * else hw_builder_finish() refuses.  HW_NO_MEMORY.  O(size log size).
 */
hw_code hw_edit_graph(const hw_edit *e, const char *name, hw_graph **out, hw_error *err);

#endif
