/*
 * Writing a certificate: why no order of a graph has a peak below N.
 *
 * The format is described in highwater-proof(5) and verified by the separate
 * program highwater-check.  A proof is either one bound or one search: the
 * list of all dead prefixes of one block, every prefix after its successors.
 * Nothing is held back: memory is O(nodes), the stream may be a pipe.
 */
#ifndef HW_PROOF_PROOF_H
#define HW_PROOF_PROOF_H

#include <stdio.h>

#include "model/model.h"

typedef struct hw_proof {
    FILE *out;
    const hw_model *m;
    uint32_t *mark; /* of a node: `turn` when it is in the prefix listed last */
    uint32_t turn;
    uint32_t *last; /* the prefix listed last: a list */
    uint32_t n_last;
    uint32_t *toggle; /* work space: nodes */
    uint64_t states;
} hw_proof;

/* What bears a bound (see mincut.h for the two of nodes). */
typedef enum hw_proof_bound {
    HW_PROOF_LIVE_EMPTY, /* live before step 0         */
    HW_PROOF_LIVE_FULL,  /* live after the last step   */
    HW_PROOF_NODE,       /* the least usage of a node  */
    HW_PROOF_BEFORE      /* the least live before it   */
} hw_proof_bound;

/* One end of a block; `node` is the cut node (index) where there is one. */
typedef enum hw_proof_end { HW_PROOF_WHOLE, HW_PROOF_BEFORE_CUT, HW_PROOF_AFTER_CUT } hw_proof_end;

/* How a dead prefix is justified. */
typedef enum hw_proof_step {
    HW_PROOF_RULES = 0,  /* all successors that the rules leave      */
    HW_PROOF_COMMIT = 1, /* one macro-step that loses nothing        */
    HW_PROOF_PLAIN = 2   /* all ready nodes                          */
} hw_proof_step;

/* Begin: header with the graph's hash and the claim.  HW_IO, HW_NO_MEMORY. */
hw_code hw_proof_begin(hw_proof *p, FILE *out, const hw_model *m, uint64_t claim, hw_error *err);
void hw_proof_free(hw_proof *p);

/* The whole proof is this bound. */
hw_code hw_proof_write_bound(hw_proof *p, hw_proof_bound kind, uint32_t node, hw_error *err);

/*
 * A search follows, in the block between two ends; nodes[0 .. n) are the nodes
 * of the block.  safe: R1 (backwards R1'), macros: R3.
 */
hw_code hw_proof_search(hw_proof *p, bool reverse, hw_proof_end low, uint32_t low_node,
                        hw_proof_end high, uint32_t high_node, bool safe, bool macros,
                        const uint32_t *nodes, uint32_t n, hw_error *err);

/*
 * One dead prefix: nodes[0 .. n) of the block have run (backwards too: what is
 * left in the prefix).  HW_PROOF_COMMIT: the nodes of the macro-step in order.
 */
void hw_proof_prefix(hw_proof *p, const uint32_t *nodes, uint32_t n, hw_proof_step step,
                    const uint32_t *macro, uint32_t n_macro);

/* Close the proof.  HW_IO when anything could not be written. */
hw_code hw_proof_end_search(hw_proof *p, hw_error *err);

#endif
