/*
 * Position windows: which orders they leave (highwater-model(7)).
 *
 * Node v with window w and source position s may stand at positions s-w ..
 * s+w.  Seen as unit jobs with release times and deadlines on one machine with
 * precedence, "some order fits" is decided exactly by tightening both along
 * the edges and then running earliest deadline first (Jackson 1955; Lageweg,
 * Lenstra and Rinnooy Kan 1976).
 */
#ifndef HW_MODEL_WINDOWS_H
#define HW_MODEL_WINDOWS_H

#include "model/graph.h"

/*
 * Positions that each node may take, tightened along the edges, into
 * earliest[] and latest[] of n_nodes each.  *legal is false when no order
 * fits.  O((n + edges) + n log n).  HW_NO_MEMORY.
 */
hw_code hw_windows_tighten(const hw_graph *g, uint32_t *earliest, uint32_t *latest, bool *legal,
                           hw_error *err);

/* Work space for the questions below, for graphs of up to n nodes. */
typedef struct hw_window_search hw_window_search;
hw_window_search *hw_window_search_new(const hw_graph *g, const uint32_t *earliest,
                                       const uint32_t *latest);
void hw_window_search_free(hw_window_search *w);

/*
 * May v run as step `step` (= number of nodes run), so that the rest can still
 * be completed?  done[u] tells which nodes have run; v's predecessors have.
 * O(1) when the position itself is not allowed, else O(n log n).
 */
bool hw_window_allows(hw_window_search *w, const bool *done, uint32_t step, uint32_t v);

#endif
