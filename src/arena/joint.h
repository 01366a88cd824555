/*
 * Order and addresses together: an order whose arena is smallest.
 *
 * The least peak and the least arena are two objectives.  Of two orders of
 * the least peak one may fragment where the other does not, and an order of a
 * higher peak may have a lower arena than all of them.  No arena is lower than
 * the peak of its order, so the least peak bounds all.
 *
 * The search begins with an order, moves single nodes to other places while a
 * quick allocator finds no higher arena, then walks through all orders whose
 * peak lies below the best arena, and has a proving allocator tell of each
 * whether it has a lower one.  Where that walk ends, the best arena is proven
 * least.  Prefixes from which no completion keeps its peak below the best
 * arena are met once: what follows a prefix depends on its set alone.
 */
#ifndef HW_ARENA_JOINT_H
#define HW_ARENA_JOINT_H

#include "arena/arena.h"

typedef struct hw_joint_request {
    const uint32_t *start;               /* a legal order, of a peak of at most most_peak         */
    uint64_t most_peak;                  /* only orders of at most this peak; UINT64_MAX: all     */
    uint64_t bound;                      /* no order has a smaller peak                           */
    uint64_t alignment;                  /* at least 1                                            */
    const hw_allocator *prover;          /* NULL: nothing is proven but by the bound         */
    const hw_param_value *prover_params; /* NULL: the preset ones                   */
    uint64_t orders;                     /* looked at, at most; 0: any number       */
    double seconds;                      /* 0: any time                             */
    uint64_t seed;
    const volatile sig_atomic_t *stop;
} hw_joint_request;

typedef struct hw_joint {
    uint32_t *order; /* n_nodes, of the caller's after hw_joint_find() */
    uint64_t peak;   /* of the order; the load of the arena            */
    hw_arena *arena;
    hw_placement placement;
    uint64_t bound;  /* no order that was allowed has a lower arena  */
    uint64_t orders; /* arenas that were built                       */
} hw_joint;          /* proven least: placement.height == bound      */

void hw_joint_clear(hw_joint *j);

/*
 * Find the best order and allocation within the limits; the first is there
 * once the start is placed.  HW_NO_MEMORY, HW_INTERNAL, HW_CHECK_FAILED (the
 * start is illegal), HW_USAGE (the prover's parameters).
 */
hw_code hw_joint_find(const hw_model *m, const hw_joint_request *request, hw_joint *out,
                      hw_error *err);

#endif
