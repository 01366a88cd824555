/*
 * Proofs of what no solver has to be asked for: graphs without nodes, and
 * windows that no order fits.
 */
#ifndef HW_PROOF_SETTLED_H
#define HW_PROOF_SETTLED_H

#include <stdio.h>

#include "model/model.h"

/* Why a graph without nodes has no peak below `claim` <= live_empty.  HW_IO, HW_NO_MEMORY. */
hw_code hw_proof_empty(FILE *out, const hw_model *m, uint64_t claim, hw_error *err);

/*
 * Why a model with `legal` false has no order at all, hence none below `claim`,
 * whatever that is.  O(n^2).  HW_IO, HW_NO_MEMORY.
 */
hw_code hw_proof_no_order(FILE *out, const hw_model *m, uint64_t claim, hw_error *err);

#endif
