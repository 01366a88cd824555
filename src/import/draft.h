/*
 * A graph in the making: nodes, tensors and what joins them, in any order.
 *
 * Formats that name things before they describe them fill one of these; the
 * graph out of it has ids 0, 1, 2, ... as they were added.
 */
#ifndef HW_IMPORT_DRAFT_H
#define HW_IMPORT_DRAFT_H

#include <stddef.h>

#include "model/graph.h"

typedef struct hw_draft_node {
    size_t name, op; /* in `text` */
} hw_draft_node;

typedef struct hw_draft_tensor {
    uint64_t size;  /* bytes */
    uint32_t maker; /* node; HW_NONE: an input or a constant */
    uint32_t readers;
    hw_kind kind;
    size_t name; /* in `text` */
} hw_draft_tensor;

typedef struct hw_draft_pair {
    uint32_t from, to; /* a read: node, tensor; a control edge: node, node */
} hw_draft_pair;

/* All zeros: an empty one. */
typedef struct hw_draft {
    hw_draft_node *node;
    hw_draft_tensor *tensor;
    hw_draft_pair *read, *control;
    char *text;
    size_t n_nodes, n_tensors, n_reads, n_controls, n_text;
    size_t node_room, tensor_room, read_room, control_room, text_room;
} hw_draft;

void hw_draft_clear(hw_draft *d);

/*
 * Add something; *out, its index, may be NULL where nobody asks.  Names are copied; NULL: none.
 * HW_BAD_INPUT: more than 2^32 - 2 of them, a name that is not UTF-8.  HW_NO_MEMORY.
 */
hw_code hw_draft_node_add(hw_draft *d, const char *name, const char *op, uint32_t *out,
                          hw_error *err);
hw_code hw_draft_tensor_add(hw_draft *d, uint64_t size, hw_kind kind, uint32_t maker,
                            const char *name, uint32_t *out, hw_error *err);
hw_code hw_draft_read_add(hw_draft *d, uint32_t node, uint32_t tensor, hw_error *err);
hw_code hw_draft_control_add(hw_draft *d, uint32_t from, uint32_t to, hw_error *err);

/* What a node makes and none reads is a result: an output, kept to the end. */
void hw_draft_keep_results(hw_draft *d);

/* "node 7", "node 'conv1'" for a message. */
enum { HW_DRAFT_NODE_TEXT = 64 };
const char *hw_draft_node_text(const hw_draft *d, uint32_t node, char out[HW_DRAFT_NODE_TEXT]);

/*
 * Fill order[0 .. n_nodes), unless it is NULL, with the nodes as they were added, but each behind
 * all that it waits for: as they are, where that is so already.  HW_BAD_INPUT: a cycle, whose nodes
 * are told by name.  HW_NO_MEMORY.  O(nodes + tensors + reads + control edges).
 */
hw_code hw_draft_order(const hw_draft *d, uint32_t *order, hw_error *err);

/* Number the nodes anew in that order; indices of nodes that were handed out are void.  A cycle
 * leaves them as they are, and is refused by hw_draft_graph().  HW_NO_MEMORY. */
hw_code hw_draft_sort(hw_draft *d, hw_error *err);

/*
 * The graph; its name is that of the file at `path` without folder and ending unless `name` is
 * given, its source "TITLE FILE".  HW_BAD_INPUT, with `path` before the message: a cycle, sums
 * that overflow, what else the builder refuses.  HW_NO_MEMORY.
 */
hw_code hw_draft_graph(const hw_draft *d, const char *path, const char *title, const char *name,
                       hw_graph **out, hw_error *err);

#endif
