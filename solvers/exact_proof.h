/*
 * The certificate of the exact solver: the bound of a node, or the search of
 * one piece done again with an empty dead set, every dead prefix listed.
 *
 * The piece is found anew (exact_narrow.h), whatever the solver reduced.  The
 * second search is needed because dead prefixes of larger budgets were closed
 * under those budgets; it also keeps the first one free of any writing.
 */
#ifndef HW_SOLVERS_EXACT_PROOF_H
#define HW_SOLVERS_EXACT_PROOF_H

#include "solve/solver.h"

/*
 * Write the proof that no order has a peak below `claim`: by a bound if one is
 * enough, else by a search with all rules.  order: a legal order of m (with
 * windows, legal is false: any topological one).
 *
 * A search longer than plain_states is given up for one of the instance in
 * which identical branches run in order (exact_symmetry.h), where there are
 * some; 0: never.
 *
 * The request's limits, and memory_bytes each for the sets of a piece and for
 * its dead prefixes, hold for the writing anew; where one ends it, state is
 * HW_PROOF_CUT and the code HW_OK: the answer is proven all the same.  HW_IO.
 */
hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    uint64_t plain_states, uint64_t memory_bytes, const hw_request *request,
                    hw_proof_state *state, hw_error *err);

#endif
