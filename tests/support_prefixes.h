/*
 * All prefixes of a small model, one by one: what reductions and rules of the
 * exact solver are tested against.
 */
#ifndef HW_TESTS_SUPPORT_PREFIXES_H
#define HW_TESTS_SUPPORT_PREFIXES_H

#include "solvers/exact_problem.h"

enum { PREFIX_NODES = 10, PREFIX_SETS = 1 << PREFIX_NODES };

/* By set of nodes, bit v for node v. */
typedef struct prefixes {
    const hw_model *m;
    uint32_t order[PREFIX_NODES]; /* a legal order */
    bool legal[PREFIX_SETS];
    uint64_t live[PREFIX_SETS];
    uint64_t usage[PREFIX_SETS][PREFIX_NODES]; /* of running a node next */
} prefixes;

/* Walk to every prefix of m, of at most PREFIX_NODES nodes, by the simulator. */
void prefixes_lay(prefixes *all, const hw_model *m);

/*
 * The least peak of the orders that pass through all n_chain sets of a chain;
 * UINT64_MAX when there is none.
 */
uint64_t prefixes_best(const prefixes *all, const uint32_t *chain, uint32_t n_chain);

/* The whole graph as one problem along all->order; released by the caller. */
exact_problem *prefixes_problem(const prefixes *all);

/* A graph of 1 to `most` nodes, at times of many components that join late. */
hw_graph *prefixes_graph(uint64_t *state, uint32_t most);

#endif
