/*
 * All directed acyclic graphs on a few nodes, each once up to renaming, and
 * their topological numberings.
 *
 * A graph is kept in a topological numbering: node v has parents among
 * 0 .. v-1, a mask of v bits.  Its code is those masks one after the other,
 * that of node 1 at the top: n (n-1) / 2 bits.  Every upper triangular matrix is
 * a code, so 2^(n(n-1)/2) graphs with a source order exist; the unlabelled ones
 * are 1, 2, 6, 31, 302, 5984, 243668 for n = 1 .. 7 (OEIS A003087).
 */
#ifndef HW_CENSUS_DAGS_H
#define HW_CENSUS_DAGS_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

enum { HW_DAGS_MOST = 7 };

typedef struct hw_dag {
    uint32_t n;
    uint8_t parents[HW_DAGS_MOST];
} hw_dag;

uint32_t hw_dag_code(const hw_dag *d);
hw_dag hw_dag_of_code(uint32_t n, uint32_t code);

/* How many unlabelled ones there are on n nodes, 0 .. HW_DAGS_MOST. */
extern const size_t hw_dags_count[HW_DAGS_MOST + 1];

/*
 * All of n nodes (1 .. HW_DAGS_MOST): the codes, to be freed, by number of
 * edges and then by code.  Of the numberings of a graph the one with the least
 * code stands for it.
 *
 * A graph on n nodes is one on n-1 nodes and a sink with any set of parents;
 * of those that are the same by their canonical form one stays.  The least code of
 * a graph is among them: its first n-1 nodes are some graph's least code, for
 * a smaller one there would make it smaller itself.  So the list does not
 * depend on what the canonical form looks like.
 *
 * HW_NO_MEMORY, HW_INTERNAL (see hw_canon_form(); or another count than is
 * known).  O(2^n) forms a graph of
 * n-1 nodes: seconds for n = 7.
 */
hw_code hw_dags_make(uint32_t n, uint32_t **codes, size_t *count, hw_error *err);

/* One numbering: node v of the graph gets number place[v]. */
typedef struct hw_numbering {
    uint32_t code; /* of the graph so numbered */
    uint8_t place[HW_DAGS_MOST];
} hw_numbering;

/*
 * The numberings and the automorphisms of d.
 *
 * numbering[0 .. n_numberings): every code that a topological numbering of d
 * has, once, ascending, the identity for that of d.  Numberings of equal code
 * differ by an automorphism, so those with the code of d are the group:
 * automorphism[0 .. n_automorphisms), the identity first.
 */
typedef struct hw_numberings {
    hw_numbering *numbering, *automorphism;
    size_t n_numberings, n_automorphisms;
} hw_numberings;

/* O(t n log t) for t topological orders.  HW_NO_MEMORY. */
hw_code hw_numberings_make(const hw_dag *d, hw_numberings *out, hw_error *err);
void hw_numberings_free(hw_numberings *n);

#endif
