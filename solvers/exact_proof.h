/*
 * The certificate of the exact solver: the bound of a node, or the search of
 * one block done again with an empty dead set, every dead prefix listed.
 *
 * The second search is needed because dead prefixes of larger budgets were
 * closed under those budgets; it also keeps the first one free of any writing.
 */
#ifndef HW_SOLVERS_EXACT_PROOF_H
#define HW_SOLVERS_EXACT_PROOF_H

#include "proof/proof.h"
#include "solvers/exact_engine.h"

/* A block of the solver: every order passes through both its ends. */
typedef struct exact_proof_block {
    uint32_t low, high; /* positions in the order        */
    uint64_t live;      /* before its first step         */
    bool reverse;       /* search it backwards           */
} exact_proof_block;

/*
 * Write the proof that no order has a peak below `claim`: by a bound if one is
 * enough, else by searching the block with all rules.  order: a legal order
 * (with windows: any topological one).  The request's limits, and memory_bytes
 * each for the sets of the block and for its dead prefixes, hold for the
 * writing anew; where one ends it, state is HW_PROOF_CUT and the code HW_OK:
 * the answer is proven all the same.  HW_IO.
 */
hw_code exact_proof(const hw_model *m, const uint32_t *order, bool legal, uint64_t claim,
                    const exact_proof_block *block, uint64_t memory_bytes,
                    const hw_request *request, exact_map *map, hw_proof_state *state,
                    hw_error *err);

#endif
