/* The state of xla-list: values, readers, the queue, nodes with stale keys. */
#ifndef HW_SOLVERS_XLA_LIST_H
#define HW_SOLVERS_XLA_LIST_H

#include "solvers/ready.h"
#include "solvers/xla_graph.h"

/* A storage. */
typedef struct hw_xla_value {
    uint64_t bytes; /* that its last reader frees; 0 where they do not count    */
    uint32_t left;  /* nodes yet to read it, and 1 for the end if it is returned */
    uint32_t last;  /* the XOR of these nodes                                   */
} hw_xla_value;

/*
 * Lists of nodes with stale keys, by tensor read; only in graphs with views,
 * else head is NULL.  A link is one place in graph->inputs: its node reads its
 * tensor.  A node may be linked still after its key was refreshed.
 */
typedef struct hw_xla_links {
    uint32_t *head;  /* by tensor: a place in graph->inputs, HW_NONE: none      */
    uint32_t *next;  /* by place: the next, HW_NONE: none                       */
    bool *linked;    /* by place                                                */
    uint32_t *owner; /* by place: its node                                      */
} hw_xla_links;

typedef struct hw_xla_listing {
    const hw_model *m;
    hw_xla_graph x;

    uint32_t *source; /* tensors without a producer that are read */
    uint32_t n_sources;
    hw_rows uses;    /* by node: storages it reads, each once    */
    hw_rows readers; /* by tensor: nodes that read it, ascending, each once */
    bool *control;   /* by place in graph->succs: no data goes along it; NULL: all carry data */

    hw_xla_value *value; /* by storage                                     */
    uint32_t *waiting;   /* by node: predecessors and sources yet to run    */

    hw_heap ready;      /* of entries                                       */
    uint32_t entry;     /* the last one given; they go down from the most   */
    uint32_t *item_of;  /* by entry: a node, or n_nodes + a place in source */
    uint32_t *entry_of; /* by node: HW_NONE while it is not in the queue    */
    uint32_t *place;    /* by entry: of the heap                            */

    uint64_t *stale;   /* by node in the queue: bytes that its key does not know of */
    uint64_t *changed; /* operand << 32 | node                                      */
    size_t n_changed;
    hw_xla_links links;
    hw_gate gate;
} hw_xla_listing;

/*
 * The state before the first step, with nothing in the queue.  O(nodes + tensors + edges).
 * HW_NO_MEMORY; HW_USAGE: more nodes, tensors and storages than the queue can number.  One that
 * failed to open may be closed.
 */
hw_code hw_xla_listing_open(hw_xla_listing *s, const hw_model *m, hw_error *err);
void hw_xla_listing_close(hw_xla_listing *s);

static inline uint32_t hw_xla_n_readers(const hw_xla_listing *s, uint32_t tensor)
{
    return s->readers.offset[tensor + 1] - s->readers.offset[tensor];
}

/*
 * The first operand of v (its rank among the inputs as listed) that u reads
 * too; HW_NONE: there is none.  O(inputs of v looked at, log readers each).
 */
uint32_t hw_xla_first_shared(const hw_xla_listing *s, uint32_t v, uint32_t u);

/* Link u to all tensors it reads.  O(inputs of u). */
void hw_xla_link(hw_xla_listing *s, uint32_t u);

/* Take a node off the list of the tensor; HW_NONE: the list is empty. */
uint32_t hw_xla_unlink(hw_xla_listing *s, uint32_t tensor);

#endif
