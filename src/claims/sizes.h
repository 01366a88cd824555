/* One graph at several sizes, each solved to its proven optimum. */
#ifndef HW_CLAIMS_SIZES_H
#define HW_CLAIMS_SIZES_H

#include "buckets/cuts.h"
#include "claims/claim.h"

typedef struct hw_claim_sizes {
    const char *source; /* of a sweep: "nets:net=unet,mode=training" */
    const char *values; /* of its axis: "batch=1,2,4"                */
    const char *scale;  /* a rule of growth, base 1; NULL: the source knows the dimension */
    uint64_t index;     /* of the instance                           */
    const char *again;  /* a solver that runs anew at each size; NULL: none */
} hw_claim_sizes;

/*
 * The regret of the optimal orders at all sizes, released by hw_regret_clear()
 * also on failure.  HW_CHECK_FAILED: a size is not proven; HW_STOPPED; errors
 * of hw_regret_find() and hw_sweep_open().
 */
hw_code hw_claim_regret(const hw_claim_run *run, hw_accounting accounting,
                        const hw_claim_sizes *sizes, hw_regret *out, hw_error *err);

#endif
