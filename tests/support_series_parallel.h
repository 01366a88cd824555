/*
 * Random graphs with series-parallel precedence for tests, and the properties
 * that the solver asks of a graph, by their definitions.
 */
#ifndef HW_TESTS_SUPPORT_SERIES_PARALLEL_H
#define HW_TESTS_SUPPORT_SERIES_PARALLEL_H

#include "model/model.h"

enum { SERIES_PARALLEL_MOST = 16 }; /* nodes */

/*
 * A graph of n <= SERIES_PARALLEL_MOST nodes: a random series-parallel order,
 * whose covering pairs are joined by one tensor, by several or by a control
 * edge, with superfluous edges beside; tensors with one consumer or with a
 * last one; graph inputs, constants, kept and dead outputs, workspace, in-place
 * pairs, zero and equal sizes; in half of them a source order that is not
 * legal.  `views` adds view nodes, after which storages may lack a last
 * consumer.  Released by hw_graph_free().
 */
hw_graph *series_parallel_graph(uint64_t *state, uint32_t n, bool views);

/* after[u]: the set of nodes that must run after u.  n <= 32. */
void nodes_after(const hw_graph *g, uint32_t *after);

/* Do a, b, c, d form an N: a before c, b before c and d, and nothing else? */
bool is_pattern(const uint32_t *after, const uint32_t at[4]);

/* Is there any N among n nodes? */
bool has_pattern(const uint32_t *after, uint32_t n);

/* Does one consumer of every buffer come after all others? */
bool has_last_consumers(const hw_model *m, const uint32_t *after);

#endif
