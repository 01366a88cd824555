/*
 * Writing a certificate: why no order of a graph has a peak below N.
 *
 * The format is described in highwater-proof(5) and verified by the separate
 * program highwater-check.  A proof is either one bound or one search: the
 * list of dead prefixes, every one after those that make it so.
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
    uint32_t *flip; /* work space: nodes */
    uint64_t states;
} hw_proof;

/* What bears a bound (see mincut.h for the two of nodes). */
typedef enum hw_proof_bound {
    HW_PROOF_LIVE,  /* live before step 0 or after the last step */
    HW_PROOF_NODE,  /* the least usage of a node                 */
    HW_PROOF_BEFORE /* the least live before it                 */
} hw_proof_bound;

/* How a dead prefix is justified. */
typedef enum hw_proof_step {
    HW_PROOF_RULES = 0,  /* all successors that the rules leave           */
    HW_PROOF_COMMIT = 1, /* a path to a dead prefix that is a least-live one on the way */
    HW_PROOF_PLAIN = 2   /* all ready nodes                               */
} hw_proof_step;

/* Begin: header with the graph's hash and the claim.  HW_IO, HW_NO_MEMORY. */
hw_code hw_proof_begin(hw_proof *p, FILE *out, const hw_model *m, uint64_t claim, hw_error *err);
void hw_proof_free(hw_proof *p);

/* The whole proof: between two positions more nodes have to run than there are places. */
hw_code hw_proof_write_crowd(hw_proof *p, uint32_t from, uint32_t to, hw_error *err);

/* The whole proof is this bound. */
hw_code hw_proof_write_bound(hw_proof *p, hw_proof_bound kind, uint32_t node, hw_error *err);

/*
 * A search follows, with all rules unless there are windows.  nodes[0 .. n) are
 * all nodes, topologically.
 */
hw_code hw_proof_search(hw_proof *p, bool reverse, const uint32_t *nodes, uint32_t n,
                        hw_error *err);

/*
 * One dead prefix, all its successors before it: nodes[0 .. n)
 * have run (backwards too: what is left in the prefix), topologically.
 */
void hw_proof_prefix(hw_proof *p, const uint32_t *nodes, uint32_t n, hw_proof_step step);

/* After a prefix with HW_PROOF_COMMIT: the nodes that lead to the dead one, in order. */
void hw_proof_path(const hw_proof *p, const uint32_t *nodes, uint32_t n);

/* Close the proof.  HW_IO when anything could not be written. */
hw_code hw_proof_end_search(hw_proof *p, hw_error *err);

#endif
