/*
 * One acyclic graph of the census with all its vectors of sizes: which are the
 * same up to its automorphisms, and how bad an order can be.
 *
 * A vector is a number: digits size - 1 to the base m, node 0 at the top.
 */
#ifndef HW_CENSUS_CENSUS_DAG_H
#define HW_CENSUS_CENSUS_DAG_H

#include "census/census.h"
#include "small/small.h"

/* Peaks of one graph with sizes. */
typedef struct hw_census_span {
    uint32_t optimum, worst;
} hw_census_span;

typedef struct hw_census_dag {
    hw_dag dag;
    hw_numberings numberings;
    uint32_t m, n_vectors;   /* m^n */
    uint32_t *least;         /* of the vectors that automorphisms make of each: the least */
    uint8_t *greatest;       /* size in the vector, minus 1 */
    hw_census_span *span[2]; /* by accounting; where least[i] == i */
    uint64_t *failed[2];     /* the same: a bit for each solver    */
    uint32_t showcase[2];    /* the vector whose worst order is worst, the first of them */
} hw_census_dag;

/* m^n. */
uint32_t hw_census_vectors(uint32_t n, uint32_t m);

/* sizes[0 .. n) of a vector. */
void hw_census_sizes(uint32_t n, uint32_t m, uint32_t vector, uint64_t *sizes);

/* HW_NO_MEMORY.  O(m^n (automorphisms + down-sets)). */
hw_code hw_census_dag_make(const hw_dag *dag, uint32_t m, hw_census_dag *out, hw_error *err);
void hw_census_dag_free(hw_census_dag *d);

/*
 * A graph and its models, whose sizes can be set anew: what hw_model_new()
 * makes of the graph with those sizes, without building it.
 */
typedef struct hw_census_template {
    hw_graph *graph;
    hw_model *model[2]; /* by accounting */
    hw_small small[2];
    uint8_t parents[HW_DAGS_MOST];
} hw_census_template;

hw_code hw_census_template_make(const hw_dag *dag, hw_census_template *out, hw_error *err);
void hw_census_template_free(hw_census_template *t);
/* sizes from 1 up.  O(n + edges). */
void hw_census_template_size(hw_census_template *t, hw_accounting accounting,
                             const uint64_t *sizes);

#endif
