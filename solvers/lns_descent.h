/*
 * The order on which lns works, with the steps that change it: descents, in
 * which its penalty only falls, and shakes, in which it may rise.
 */
#ifndef HW_SOLVERS_LNS_DESCENT_H
#define HW_SOLVERS_LNS_DESCENT_H

#include "core/rng.h"
#include "solvers/lns_exact.h"
#include "solvers/lns_merge.h"

/* Positions low .. high - 1; low >= high: none. */
typedef struct lns_range {
    uint32_t low, high;
} lns_range;

typedef struct lns_descent {
    const hw_model *m;
    hw_meter *meter;
    hw_answer *answer; /* hears of every better order */
    gsl_rng *rng;
    uint32_t window;
    uint64_t bound; /* enough            */
    uint32_t *work; /* the working order */
    local_order l;  /* its measure       */
    lns_merge merge;
    lns_exact exact;
    uint32_t *queue;
    lns_penalty penalty;
    uint64_t top;   /* the peak for which its level was chosen */
    uint32_t *best; /* the caller's: the best order of all, and its peak */
    uint64_t best_peak;
    lns_range off_best; /* where the working order may differ from the best       */
    lns_range off_base; /* and from the one that the caller goes back to          */
} lns_descent;

/*
 * A descent from the order best[] of peak best_peak, which are replaced by
 * better ones.  HW_NO_MEMORY; may be closed then.  O(nodes + uses).
 */
hw_code lns_descent_open(lns_descent *d, const hw_model *m, uint32_t window, uint32_t exact_nodes,
                         uint64_t memory_bytes, uint64_t seed, uint32_t *best, uint64_t best_peak,
                         hw_meter *meter, hw_answer *answer, hw_error *err);
void lns_descent_close(lns_descent *d);

/* Nothing is left to be done, or time for it. */
static inline bool lns_descent_over(const lns_descent *d)
{
    return d->meter->over || d->best_peak <= d->bound;
}

/* Go on from another order, all of it or where it may differ from the working one.  */
void lns_descent_load(lns_descent *d, const uint32_t *order, lns_range range);

/* Merge at random places until `patience` states have passed without gain. */
void lns_descent_merge(lns_descent *d, uint64_t patience);

/*
 * Re-solve windows at the peak, at most `prefixes` in one, until none is better.
 * *better: some was.  Proves the bound when a window was all.  HW_NO_MEMORY.
 */
hw_code lns_descent_resolve(lns_descent *d, uint64_t prefixes, bool *better, hw_error *err);

/*
 * Merge for `states` with penalties that are weighted at random, at first by up
 * to 1 + strength / LNS_WEIGHT, in the end by 1; no step exceeds the best peak
 * by more than a part of what the level lies below it.  strength < 1000.
 */
void lns_descent_shake(lns_descent *d, uint32_t strength, uint64_t states);

#endif
