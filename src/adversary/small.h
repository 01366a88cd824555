/*
 * Small graphs, fast: a model in bit masks, and what the adversary and the
 * census ask of it hundreds of thousands of times a second.
 *
 * Everything here has a second route: hw_model, hw_peak(), the solvers greedy
 * and dp, against which the tests hold it.  No memory is allocated.
 */
#ifndef HW_ADVERSARY_SMALL_H
#define HW_ADVERSARY_SMALL_H

#include "adversary/genome.h"
#include "model/model.h"

enum { HW_SMALL_MOST = 16 };

typedef struct hw_small hw_small;

/* The model of g (at most HW_SMALL_MOST nodes) under an accounting.  O(n + edges). */
void hw_small_set(hw_small *s, const hw_genome *g, hw_accounting accounting);

/* Peak of a legal order of n nodes. */
uint64_t hw_small_peak(const hw_small *s, const uint8_t *order);

/* The order of the solver `greedy`, the same to the node, and its peak.  order may be NULL. */
uint64_t hw_small_greedy(const hw_small *s, uint8_t *order);

/* The least peak of all orders. */
uint64_t hw_small_optimum(hw_small *s);

/* The greatest peak of all orders: the greatest usage of any step from any prefix. */
uint64_t hw_small_worst(hw_small *s);

#endif
