/* Real graphs for experiments, one at a time. */
#ifndef HW_CLAIMS_GRAPHS_H
#define HW_CLAIMS_GRAPHS_H

#include "claims/claim.h"

/* What a real graph is; any of them together. */
enum {
    HW_CLAIM_INFERENCE = 1,
    HW_CLAIM_TRAINING = 2,
    HW_CLAIM_FILES = 4, /* of the folder that the run was given */
    HW_CLAIM_REAL = 7
};

typedef hw_code (*hw_claim_take)(void *context, const char *name, unsigned kind, const hw_graph *g,
                                 hw_error *err);

/*
 * Hand every real graph of the kinds to `take`, in a fixed order: those of
 * hw_claim_real_graphs(); in quick runs a few nets of inference and training.
 * Ends with the first error.  HW_STOPPED; errors of the files; HW_NO_MEMORY.
 */
hw_code hw_claim_each_graph(const hw_claim_run *run, unsigned kinds, hw_claim_take take,
                            void *context, hw_error *err);

#endif
