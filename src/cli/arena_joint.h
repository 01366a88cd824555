/* highwater arena --joint: order and addresses together. */
#ifndef HW_CLI_ARENA_JOINT_H
#define HW_CLI_ARENA_JOINT_H

#include "arena/joint.h"
#include "cli/cli.h"
#include "solve/solver.h"

typedef struct hw_joint_ask {
    const char *order_name;     /* who gives the first order                */
    const hw_allocator *prover; /* NULL: there is none                      */
    const hw_param_value *prover_params;
    uint64_t alignment;
    hw_limits limits; /* seconds of each of the three searches; states: orders looked at */
    const char *hash;
} hw_joint_ask;

/* Both searches: among orders of the peak of the first one, and among all. */
typedef struct hw_joint_found {
    uint64_t peak;    /* of the first order       */
    bool least_peak;  /* no order has a lower one */
    hw_joint side[2]; /* of at most that peak; of any */
} hw_joint_found;

void hw_joint_found_clear(hw_joint_found *found);

/* The lower arena of the two, the first of equal ones. */
const hw_joint *hw_joint_lower(const hw_joint_found *found);

/* Search and write what was found to c->out.  Errors of hw_joint_find() and hw_cli_order(). */
hw_code hw_joint_run(hw_cli *c, const hw_model *m, const hw_joint_ask *ask, hw_joint_found *found,
                     hw_error *err);

#endif
