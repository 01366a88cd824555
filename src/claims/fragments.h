/* How far an arena ends above the logical peak: what C13 and C14 are decided on. */
#ifndef HW_CLAIMS_FRAGMENTS_H
#define HW_CLAIMS_FRAGMENTS_H

#include "arena/arena.h"
#include "bench/stats.h"
#include "claims/tools.h"

#define HW_FRAGMENT_MB UINT64_C(1000000)

/*
 * The case of section 4.1, made: a locked order that peaks at 1 GB under both
 * accountings.  Twenty tensors of 50 MB are made, every other one dies, then
 * 400 MB are asked for, with 500 MB live: 500 MB of 1 GB are free, in holes
 * of 50 MB.  The tensor of 400 MB is that of the node "request".
 */
hw_code hw_fragment_instance(hw_graph **out, hw_error *err);

/*
 * Small buffers (at most a tenth of the largest) in a pool of size classes,
 * the others in a first-fit arena behind it: the name of this allocator.
 */
#define HW_FRAGMENT_SPLIT "pool-for-small"

/*
 * The height that an allocator ("first-fit", "exact", "pool-for-small") needs for
 * an arena; exact within a number of states.  HW_STOPPED, HW_INTERNAL.
 */
hw_code hw_fragment_height(const hw_claim_run *run, const hw_arena *a, const char *allocator,
                           uint64_t *height, hw_error *err);

/* Height / load of each allocator on many orders. */
enum { HW_FRAGMENT_MOST = 12 };
typedef struct hw_fragments {
    const char *const *allocators; /* the caller's */
    size_t n_allocators;
    const char *rule;   /* that makes the orders */
    uint64_t alignment; /* of every offset      */
    double *ratio[HW_FRAGMENT_MOST];
    size_t n, room[HW_FRAGMENT_MOST];
} hw_fragments;

/* Add the rule's order of one graph under one accounting. */
hw_code hw_fragments_take(const hw_claim_run *run, hw_fragments *f, const hw_model *m,
                          hw_error *err);

/*
 * Add random graphs of 40 nodes, or all real graphs of up to HW_FRAGMENT_NODES
 * (allocators take the square of it), under both accountings.
 */
enum { HW_FRAGMENT_NODES = 300 };
hw_code hw_fragments_random(const hw_claim_run *run, hw_fragments *f, uint32_t each, hw_error *err);
hw_code hw_fragments_real(const hw_claim_run *run, hw_fragments *f, hw_error *err);

typedef struct hw_fragment_facts {
    double median, high, worst; /* high: the quantile 0.95 */
    hw_share equal, above_1_4;  /* no higher than the load; 1.4 times it or more */
} hw_fragment_facts;

/* Facts of one allocator; sorts its ratios. */
hw_fragment_facts hw_fragments_ask(hw_fragments *f, size_t allocator);
void hw_fragments_clear(hw_fragments *f);

#endif
