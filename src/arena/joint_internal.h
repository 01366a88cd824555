/* The parts of the joint search.  See joint.h. */
#ifndef HW_ARENA_JOINT_INTERNAL_H
#define HW_ARENA_JOINT_INTERNAL_H

#include "arena/clock.h"
#include "arena/joint.h"

typedef struct joint_run {
    const hw_model *m;
    const hw_joint_request *request;
    hw_joint *best;
    hw_clock clock;
    uint64_t most_orders; /* of the phase at hand; 0: any number */
    bool open;            /* some order was neither placed lower nor proven not to be */
    hw_error *err;
} joint_run;

/* Whether a limit or the stop flag ends the phase. */
bool joint_over(const joint_run *r);

/* No order of this peak or more is of use. */
uint64_t joint_ceiling(const joint_run *r);

/*
 * Build the arena of an order and place it by the quick allocators, then, if
 * prove, ask the prover for one that is lower than the best.  Keeps what is
 * best; *height (NULL: not wanted) is what the quick ones found.
 */
hw_code joint_try(joint_run *r, const uint32_t *order, bool prove, uint64_t *height);

/* Move nodes about while no quick arena gets higher. */
hw_code joint_climb(joint_run *r);

/* All orders of a peak below the ceiling; *whole: the walk came to its end. */
hw_code joint_walk(joint_run *r, bool *whole);

#endif
