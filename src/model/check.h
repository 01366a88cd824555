/*
 * The independent checker: is an order legal, and what is its peak?
 *
 * Written from the definitions (highwater-model(7)) over the tensors and nodes as
 * they stand in the file: it uses neither the edges nor the storages that the
 * builder derived, nor anything of model.h or sim.h.  Plain and slow.
 */
#ifndef HW_MODEL_CHECK_H
#define HW_MODEL_CHECK_H

#include <stddef.h>

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the checker finds first. */
typedef enum hw_verdict {
    HW_ORDER_LEGAL = 0,     /* nothing is wrong with it                 */
    HW_ORDER_WRONG_LENGTH,  /* not as many entries as nodes             */
    HW_ORDER_UNKNOWN_NODE,  /* an entry is no node                      */
    HW_ORDER_REPEATED_NODE, /* a node runs twice                        */
    HW_ORDER_DATA_EDGE,     /* a tensor is consumed before it is made   */
    HW_ORDER_CONTROL_EDGE,  /* a control edge points backwards          */
    HW_ORDER_LOCK,          /* locked nodes are out of their order      */
    HW_ORDER_WINDOW,        /* a node is outside its window             */
    HW_ORDER_INPLACE,       /* a must-in-place input is still wanted    */
} hw_verdict;

/* The verdict on an order; nothing to release. */
typedef struct hw_check {
    hw_verdict verdict; /* legal, or what is wrong first */
    int64_t step;       /* where an illegal order fails first, or -1       */
    uint32_t node;      /* the node (index) there, or HW_NONE              */
    uint32_t other;     /* the node or tensor that it violates, or HW_NONE */
    /* Only for a legal order: */
    uint64_t peak;           /* without the resident part        */
    int64_t peak_step;       /* first step that reaches it, or -1 */
    uint64_t resident_bytes; /* of the constants */
} hw_check;

/*
 * Check an order of `length` node indices.  free_first and pin_inputs choose
 * the accounting.  HW_OK with the verdict in *out; HW_NO_MEMORY; HW_INTERNAL
 * when a usage passes 2^64 - 1, which the builder should have refused.
 * O(tensors + inputs + control edges), and per node with in-place pairs what
 * assignment.h says.
 */
hw_code hw_check_order(const hw_graph *g, bool free_first, bool pin_inputs, const uint32_t *order,
                       uint64_t length, hw_check *out, hw_error *err);

/* One line that says what is wrong with the order, in ids of the file. */
void hw_check_message(const hw_graph *g, const hw_check *c, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
