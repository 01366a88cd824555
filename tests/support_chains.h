/*
 * Random graphs that a fusion finds much in: chains of named operator types
 * with side branches, views, in-place pairs, constants, several outputs,
 * locks, control edges, workspaces and, at times, an illegal source order.
 */
#ifndef HW_TESTS_SUPPORT_CHAINS_H
#define HW_TESTS_SUPPORT_CHAINS_H

#include "model/graph.h"

enum { CHAIN_NODES = 48 };

/* Of 1 .. CHAIN_NODES nodes, a function of its arguments; NULL: the draw was refused. */
hw_graph *chain_graph(uint64_t seed, uint32_t n_nodes);

#endif
