/*
 * The certificate of the exact solver: the bound of a node, or a search of the
 * whole graph done again with an empty dead set, every dead prefix listed.
 *
 * Whatever the solver reduced, the proof is a plain search with rules R1 to R3:
 * commits over several moves (exact_commit.h) take it past chains, cut nodes
 * and valleys.  The second search is needed because dead prefixes of larger
 * budgets were closed under those budgets; it also keeps the first one free of
 * any writing.
 */
#ifndef HW_SOLVERS_EXACT_PROOF_H
#define HW_SOLVERS_EXACT_PROOF_H

#include "solve/solver.h"

/*
 * Write the proof that no order has a peak below `claim`: by a bound if one is
 * enough, else by a search with all rules.  order: a legal order of m (with
 * windows, legal is false: any topological one).
 *
 * The request's limits, and memory_bytes each for the sets of the graph
 * and for its dead prefixes, hold for the writing anew; where one ends it, state is
 * HW_PROOF_CUT and the code HW_OK: the answer is proven all the same.  HW_IO.
 */
hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    uint64_t memory_bytes, const hw_request *request, hw_proof_state *state,
                    hw_error *err);

#endif
