/*
 * The bare DAG that a generator draws: nodes 0 .. n-1 and edges from lower to
 * higher numbers.  dress.h makes a graph of it.
 */
#ifndef HW_GEN_DAG_H
#define HW_GEN_DAG_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

typedef struct hw_edge {
    uint32_t from, to; /* from < to */
} hw_edge;

typedef struct hw_dag {
    uint32_t n;
    hw_edge *edge;
    size_t m, capacity;
    const char **op; /* operator types, n static texts; NULL: none */
} hw_dag;

/* A DAG of n nodes and no edge. */
void hw_dag_start(hw_dag *d, uint32_t n);
void hw_dag_free(hw_dag *d);

/* Add an edge; one that stands already is dropped later.  HW_NO_MEMORY. */
hw_code hw_dag_add(hw_dag *d, uint32_t from, uint32_t to, hw_error *err);

/*
 * Sort the edges by (from, to) and drop repeats: two counting sorts, O(n + m).
 * HW_NO_MEMORY.
 */
hw_code hw_dag_sort(hw_dag *d, hw_error *err);

#endif
