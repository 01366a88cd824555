/*
 * Random graphs for tests that use every part of the model, as drafts that a
 * test may change before building, and random legal orders.
 *
 * Everything is a function of the seed alone (splitmix64), the same on every
 * machine.  Drafts have fixed room, so that a test can edit them in place.
 */
#ifndef HW_TESTS_SUPPORT_DRAFT_H
#define HW_TESTS_SUPPORT_DRAFT_H

#include <stddef.h>

#include "model/model.h"

enum {
    DRAFT_NODES = 64,
    DRAFT_TENSORS = 256,
    DRAFT_INPUTS = 8,
    DRAFT_OUTPUTS = 3,
    DRAFT_PAIRS = 8
};

/* What a random draft may hold, beyond activations, inputs and sharing. */
enum {
    DRAW_OUTPUTS = 1,     /* kept outputs, consumed or not                      */
    DRAW_DEAD = 2,        /* outputs that nobody consumes; without it they are kept */
    DRAW_CONSTANTS = 4,   /* constants                                          */
    DRAW_WORKSPACE = 8,   /* workspace                                          */
    DRAW_VIEWS = 16,      /* view nodes, also of inputs, constants and views    */
    DRAW_INPLACE = 32,    /* in-place pairs, several a node, on shared inputs   */
    DRAW_REQUIRED = 64,   /* some of them must-in-place                         */
    DRAW_CONTROL = 128,   /* control edges                                      */
    DRAW_LOCKS = 256,     /* locked nodes                                       */
    DRAW_WINDOWS = 512,   /* windows, at times such that no order is legal      */
    DRAW_SHUFFLED = 1024, /* source order may be illegal                       */
    DRAW_IDS = 2048,      /* ids that are not dense                             */
    DRAW_REPEATS = 4096,  /* inputs named twice by a node                       */
    DRAW_ZERO = 8192,     /* tensors of 0 bytes, equal sizes                    */
    DRAW_PLAIN = DRAW_OUTPUTS,
    DRAW_RICH = 16383 - DRAW_WINDOWS,
    DRAW_ALL = 16383
};

typedef struct draft_tensor {
    uint64_t id, size;
    hw_kind kind;
} draft_tensor;

typedef struct draft_node {
    uint64_t id, workspace, window;
    uint64_t input[DRAFT_INPUTS], output[DRAFT_OUTPUTS], pair[2 * DRAFT_PAIRS]; /* tensor ids */
    size_t n_inputs, n_outputs, n_pairs;
    bool view, locked, required, has_window;
} draft_node;

typedef struct draft {
    size_t n_tensors, n_nodes, n_control;
    draft_tensor tensor[DRAFT_TENSORS];
    draft_node node[DRAFT_NODES];      /* in source order */
    uint64_t control[2 * DRAFT_NODES]; /* from id, to id, ... */
} draft;

/* splitmix64 (Steele, Lea and Flood, 2014): the next 64 bits; in 0 .. bound-1. */
uint64_t draft_u64(uint64_t *state);
uint64_t draft_below(uint64_t *state, uint64_t bound);

/*
 * A draft of n_nodes <= DRAFT_NODES nodes with the given features, released by
 * free().  It always builds: what the builder would refuse is not drawn.  With
 * DRAW_REQUIRED a model with pinned inputs may still be refused; with
 * DRAW_WINDOWS it may have no legal order.  NULL: out of memory.
 */
draft *draft_random(uint64_t seed, size_t n_nodes, unsigned features);

/* Build the graph of a draft through hw_builder; its errors. */
hw_code draft_build(const draft *d, hw_graph **out, hw_error *err);

/* draft_random() and draft_build(); NULL: out of memory. */
hw_graph *draft_graph(uint64_t seed, size_t n_nodes, unsigned features);

/*
 * A random legal order of m (not uniform), windows respected, into order[].
 * False: no order is legal, or out of memory.  O(n^2), with windows O(n^3).
 */
bool draft_order(const hw_model *m, uint64_t *state, uint32_t *order);

#endif
