/* The simulation that section 3.3 prints, to the letter. */
#ifndef HW_CLAIMS_PRINTED_H
#define HW_CLAIMS_PRINTED_H

#include "model/graph.h"

/*
 * The peak that simulate_peak_memory(graph, order) returns: inputs are counted
 * down and dropped from `live`, then the outputs are put in, then the sum is
 * taken.  What consumers[t] lists is left open: every node that reads t once,
 * or once for each time it names t (by_use).  Sums wrap as the graph's do not.
 * HW_NO_MEMORY.  O(tensors + inputs + outputs).
 */
hw_code hw_printed_peak(const hw_graph *g, const uint32_t *order, bool by_use, uint64_t *peak,
                        hw_error *err);

#endif
