/* Small examples of one solver that does worse than another. */
#ifndef HW_CLAIMS_SHRUNK_H
#define HW_CLAIMS_SHRUNK_H

#include "claims/claim.h"

/*
 * Draw instances of `spec` until `worse` has a larger peak than `better` under
 * the accounting, shrink that one, and hand it over as the example `name` with
 * both peaks.  *nodes: how many it has; 0: none of the first `tries` is one.
 * Errors of hw_shrink(); HW_STOPPED.
 */
hw_code hw_claim_shrunk(hw_claim_run *run, const char *name, const char *spec, uint32_t tries,
                        const char *worse, const char *better, hw_accounting accounting,
                        uint32_t *nodes, hw_error *err);

#endif
