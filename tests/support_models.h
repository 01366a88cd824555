/* Walks over the models of random graphs rich in everything, for tests. */
#ifndef HW_TESTS_SUPPORT_MODELS_H
#define HW_TESTS_SUPPORT_MODELS_H

#include "support_draft.h"

/*
 * Call visit on the legal models of `graphs` random graphs of at most n_most
 * nodes (<= DRAFT_NODES), both accountings, every fifth pinned; every other
 * graph has `features`, the rest are plain with equal sizes and zeros.  From the
 * environment: HW_MODELS_GRAPHS instead of `graphs`, HW_MODELS_FIRST (0) the
 * first seed.
 */
void each_model(uint64_t graphs, uint64_t n_most, unsigned features,
                void (*visit)(const hw_model *m));

/* The solver's order must be order[]; the message names the first difference. */
void expect_order(const hw_model *m, const char *spec, const uint32_t *order);

/*
 * The same on a graph written as lines (support_lines.h) under alloc-first; ids
 * of nodes are their positions.
 */
void expect_lines_order(const char *lines, const char *spec, const uint32_t *order);

/* Shapes that are bad for careless rules. */
typedef enum shape {
    SHAPE_PATH = 0, /* each node reads what the one before makes    */
    SHAPE_ISOLATED, /* no node reads anything                       */
    SHAPE_FAN_OUT,  /* one tensor, read by all other nodes          */
    SHAPE_FAN_IN,   /* one node that reads all other nodes' tensors */
    SHAPE_SEESAW,   /* branches whose steps free and take in turn   */
    SHAPE_TWINS,    /* half of the nodes make, the rest read them all alike */
    N_SHAPES
} shape;

/* A graph of about n nodes, n >= 8; a failure fails the running test. */
hw_graph *shape_graph(shape s, uint32_t n);
const char *shape_name(shape s);

/* The solver's order on each shape of n nodes is legal; both accountings. */
void expect_shapes_solved(const char *const *specs, size_t n_specs, uint32_t n);

#endif
