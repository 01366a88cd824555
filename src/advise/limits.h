/*
 * How low a peak cannot go, and which node alone is why.
 *
 *   by order        while node v runs, what its ancestors made and it or later
 *                   nodes want is there whatever the order: the footprint.
 *   by recomputing  all that may be made again is gone: left are v's own inputs,
 *                   outputs and workspace; and what lives before the first step
 *                   and after the last, which only spilling can lower.
 */
#ifndef HW_ADVISE_LIMITS_H
#define HW_ADVISE_LIMITS_H

#include "solve/solver.h"

typedef enum hw_limit_kind { HW_LIMIT_ORDER = 0, HW_LIMIT_AGAIN, HW_LIMIT_KINDS } hw_limit_kind;

/* What one node takes for itself; bytes of storages that are not resident. */
typedef struct hw_own {
    uint64_t inputs, outputs, workspace;
    uint64_t reuse; /* no in-place choice saves more */
} hw_own;

typedef struct hw_limit {
    uint64_t bytes; /* no order has a smaller peak                                  */
    uint32_t node;  /* that forces it; HW_NONE: what lives before or after the run */
    hw_own own;     /* of that node                                                 */
    bool whole;     /* false: a limit ended the search, a larger one may be there   */
} hw_limit;

/*
 * Both limits of m, a legal model; of several nodes the first.  Limits of the
 * request: seconds and stop.  HW_NO_MEMORY.
 */
hw_code hw_limits_find(const hw_model *m, const hw_request *request, hw_limit out[HW_LIMIT_KINDS],
                       hw_error *err);

#endif
