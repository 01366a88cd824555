/*
 * Gaps: where an order holds a storage that nobody uses, and what its peak
 * would be without that.
 *
 * A storage is touched by the step that makes it (an input: -1) and by each
 * step that consumes it; what is kept to the end is wanted at step n_steps too.
 * A gap lies between two touches, `from` and `to`.  Dropped there, the storage
 * is freed after `from`, as if that were its last use, and is back in full
 * right before `to`.  An input that was not used yet is then given late: it is
 * not held before step 0 either.
 *
 * However a tensor is brought back (from another memory, from a file, by
 * running its node again), the order cannot do with less than that.
 */
#ifndef HW_ADVISE_GAPS_H
#define HW_ADVISE_GAPS_H

#include "model/log.h"

typedef struct hw_gap {
    uint32_t life;    /* index in log->life         */
    uint64_t size;    /* bytes                      */
    int64_t from, to; /* -1 .. n_steps - 1; 0 .. n_steps */
    bool unborn;      /* an input before its first use: dropped from step -1 on */
    bool frees;       /* free-first: read by step `from`, whose usage falls too */
    uint64_t peak;    /* of the order with this gap alone: at most log->peak */
} hw_gap;

typedef struct hw_gaps {
    const hw_log *log; /* the caller's, without resident bytes; must outlive it */
    hw_gap *gap;       /* those that cover a step of the peak; by `to` */
    size_t n_gaps, room;
    int64_t *peak_step; /* all steps that reach the peak, ascending; -1 may be one */
    size_t n_peak_steps;
    uint64_t next_usage; /* the greatest usage of any other step; 0: there is none */
    int64_t *death;      /* of the storage of every buffer of the model */
} hw_gaps;

/*
 * The gaps of log's order over the steps of its peak.  Pinned inputs have none.
 * Released by hw_gaps_clear(), also on failure.  HW_NO_MEMORY.
 * O(nodes + inputs), and a matching for a gap that an in-place pair begins.
 */
hw_code hw_gaps_find(const hw_log *log, hw_gaps *out, hw_error *err);
void hw_gaps_clear(hw_gaps *gaps);

/* Is the storage out of memory at the end of step `step` (-1: before step 0)? */
static inline bool hw_gap_open(const hw_gap *gap, int64_t step)
{
    return (gap->unborn || gap->from <= step) && step < gap->to;
}

/* Does the gap lower the usage of step `step` by the storage's size? */
static inline bool hw_gap_covers(const hw_gap *gap, int64_t step)
{
    return (gap->unborn || gap->from + !gap->frees <= step) && step < gap->to;
}

/*
 * The peak of the order with all of chosen[0 .. n) dropped, indices of
 * gaps->gap.  HW_NO_MEMORY.  O(nodes + n log n).
 */
hw_code hw_gaps_peak(const hw_gaps *gaps, const uint32_t *chosen, size_t n, uint64_t *peak,
                     hw_error *err);

/*
 * The gaps that lower every step of the peak, one of them a step: the choice
 * whose smallest saving is largest, and of those one of the fewest; or one gap
 * alone, where that leaves as little.  Into
 * chosen[0 .. *n), room for n_peak_steps.  *n is 0 where some step of the peak lies in no gap:
 * *stuck is the first of those.  HW_NO_MEMORY.  O(gaps log gaps).
 */
hw_code hw_gaps_cover(const hw_gaps *gaps, uint32_t *chosen, size_t *n, int64_t *stuck,
                      hw_error *err);

#endif
