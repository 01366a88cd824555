/*
 * A graph under one accounting: what every solver works on (highwater-model(7)).
 *
 * The model keeps only what decides live(S) and the usage of a step.  Its
 * "buffers" are the storages that consumption can free: not resident, not
 * pinned, holding no output, of more than 0 bytes and with a consumer.  All
 * other storages never leave memory or never stay past a step; they are folded
 * into figures of nodes (new, dead) and into live(empty).  So
 *
 *   freed(v | S)  = sum of the buffers whose last consumer outside S is v
 *   live(S + v)   = live(S) + new(v) - dead(v) - freed(v | S)
 *   usage(S, v)   = live(S) + new(v) + workspace(v) - reuse(S, v)  alloc-first
 *                 = live(S + v) + dead(v) + workspace(v)           free-first
 *
 * No sum overflows: the builder refused graphs in which one could.
 */
#ifndef HW_MODEL_MODEL_H
#define HW_MODEL_MODEL_H

#include "model/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is in memory while a step runs. */
typedef enum hw_accounting {
    HW_ALLOC_FIRST = 0, /* its outputs, and the inputs that die with it: as executors do */
    HW_FREE_FIRST = 1   /* its outputs; the inputs that die are gone                     */
} hw_accounting;

/* An in-place choice that may save bytes. */
typedef struct hw_reuse_pair {
    uint32_t buffer; /* overwritten                                 */
    uint32_t output; /* tensor index placed there                   */
    uint64_t saving; /* min(size of the buffer, size of the output) */
} hw_reuse_pair;

/* The model of a graph: read it, do not write to it.  Released by hw_model_free(). */
typedef struct hw_model {
    const hw_graph *graph;    /* the caller's, must outlive the model */
    hw_accounting accounting; /* as asked for */
    bool pin_inputs;          /* inputs stay to the end */

    uint32_t n_nodes, n_buffers; /* lengths of the arrays below */

    /* Nodes. */
    uint64_t *new_bytes;  /* all storages that the node creates           */
    uint64_t *dead_bytes; /* those of them that die with the step         */
    uint64_t *workspace;  /* NULL: all 0                                  */
    hw_rows uses;         /* buffers that the node consumes, each once    */
    hw_rows makes;        /* buffers that the node creates                */

    /* Buffers. */
    uint64_t *buffer_size;    /* bytes                               */
    uint32_t *buffer_storage; /* storage index in the graph              */
    uint32_t *buffer_maker;   /* node; HW_NONE: an input                 */
    hw_rows users;            /* nodes that consume the buffer, ascending */

    /* In-place; NULL under free-first and where nothing could be saved. */
    uint32_t *reuse_offset;    /* n_nodes + 1 */
    hw_reuse_pair *reuse_pair; /* of node v: [reuse_offset[v] .. reuse_offset[v+1]) */
    uint64_t *reuse_most;      /* the most that the node can ever save */

    /* Windows: first and last position of each node, tightened along the
     * edges; NULL: no window.  `legal` is false when no order fits them. */
    uint32_t *earliest, *latest;
    bool legal;

    uint64_t live_empty;     /* live before the first step  */
    uint64_t live_full;      /* live after the last step    */
    uint64_t resident_bytes; /* constants, never in a peak  */
    uint64_t simple_bound;   /* no order has a smaller peak */
} hw_model;

/*
 * Build the model of g.  HW_BAD_INPUT: with pin_inputs a node must overwrite
 * a storage that holds an input.  HW_NO_MEMORY.  O(tensors + nodes + edges),
 * with windows O(n log n) more.
 */
hw_code hw_model_new(const hw_graph *g, hw_accounting accounting, bool pin_inputs, hw_model **out,
                     hw_error *err);

/* Release it; NULL is allowed.  The graph stays. */
void hw_model_free(hw_model *m);

/* Set simple_bound from the other fields, where a model is laid by hand.  O(nodes + uses). */
void hw_model_find_bound(hw_model *m);

/* "alloc-first" or "free-first"; static. */
const char *hw_accounting_name(hw_accounting accounting);

/* Bytes that node v holds only while it runs. */
static inline uint64_t hw_workspace(const hw_model *m, uint32_t v)
{
    return m->workspace ? m->workspace[v] : 0;
}

/*
 * The most that in-place pairs of v save when exactly the buffers b with
 * dying(context, b) have v as their last consumer: a maximum-weight matching
 * of dying buffers and outputs.  O(1) without pairs, O(k^3) for k pairs.
 */
uint64_t hw_reuse(const hw_model *m, uint32_t v, bool (*dying)(const void *, uint32_t),
                  const void *context);

/*
 * The same, and the pairs that save it: chosen[0 .. *n), with room for all
 * pairs of v.  No two of them share a buffer or an output.
 */
uint64_t hw_reuse_choose(const hw_model *m, uint32_t v, bool (*dying)(const void *, uint32_t),
                         const void *context, hw_reuse_pair *chosen, uint32_t *n);

#ifdef __cplusplus
}
#endif

#endif
