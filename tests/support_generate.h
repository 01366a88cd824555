/* Generated graphs in tests. */
#ifndef HW_TESTS_SUPPORT_GENERATE_H
#define HW_TESTS_SUPPORT_GENERATE_H

#include "gen/family.h"

/*
 * Instance `index` of "NAME:params" under the default campaign seed; a failure
 * fails the test.  Released by hw_graph_free().
 */
hw_graph *test_instance(const char *spec, uint64_t index);

/* Predecessors, successors of a node, and whether u -> v is an edge. */
uint32_t count_preds(const hw_graph *g, uint32_t v);
uint32_t count_succs(const hw_graph *g, uint32_t v);
bool has_edge(const hw_graph *g, uint32_t u, uint32_t v);

/* Nodes without predecessors, without successors. */
uint32_t count_sources(const hw_graph *g);
uint32_t count_sinks(const hw_graph *g);

#endif
