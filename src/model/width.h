/* The largest antichain of a graph. */
#ifndef HW_MODEL_WIDTH_H
#define HW_MODEL_WIDTH_H

#include "model/graph.h"

/*
 * By Dilworth's theorem (1950) the least number of chains that cover all
 * nodes, which is n minus a maximum matching of pairs "u is before v" (Fulkerson
 * 1956).  The matching is Hopcroft and Karp's (1973) on rows of bits.
 * O(sqrt(n) n^2 / 64) words at worst, n^2 / 8 bytes.  `order` is topological.
 * HW_NO_MEMORY.
 */
hw_code hw_find_width(const hw_graph *g, const uint32_t *order, uint32_t *width, hw_error *err);

#endif
