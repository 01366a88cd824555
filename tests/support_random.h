/*
 * Random graphs rich in everything the model knows, and the optimum found from
 * the definitions, for tests.
 */
#ifndef HW_TESTS_SUPPORT_RANDOM_H
#define HW_TESTS_SUPPORT_RANDOM_H

#include "model/graph.h"

typedef struct random_shape {
    uint32_t nodes;   /* 1 .. 64                                       */
    double edge;      /* probability that a node reads an earlier tensor */
    uint32_t largest; /* sizes 0 .. largest                            */
    bool views, inplace, workspace, control, locks, windows, required;
} random_shape;

/* A small generator of its own: splitmix64. */
uint64_t random_u64(uint64_t *state);
uint32_t random_below(uint64_t *state, uint32_t bound);
bool random_chance(uint64_t *state, double probability);

/* A shape drawn at random, of `least` to `most` nodes, without windows. */
random_shape random_any_shape(uint64_t *state, uint32_t least, uint32_t most);

/* The graph, or NULL when the draw was refused (a lock or a pair closed a cycle). */
hw_graph *random_graph(uint64_t *state, const random_shape *shape);

/*
 * The least peak by backtracking over orders that remembers what it found for
 * each set of nodes (n <= 16); live and usage come from the tensors alone, by
 * the definitions.  UINT64_MAX when no order is legal.
 */
uint64_t defined_optimum(const hw_graph *g, bool free_first, bool pin_inputs);

/*
 * The same for every prefix: the greatest usage of the steps after it, least
 * over all completions; UINT64_MAX: none is legal.  Indexed by the prefix as a
 * set, bit v for node v; sets that no legal order begins with are left at
 * UINT64_MAX - 1.  Entry 0 is the optimum.  Released by free().
 */
uint64_t *defined_completions(const hw_graph *g, bool free_first, bool pin_inputs);

#endif
