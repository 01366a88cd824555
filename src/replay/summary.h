/* What a replay's samples say: peaks and lags against the logical bytes. */
#ifndef HW_REPLAY_SUMMARY_H
#define HW_REPLAY_SUMMARY_H

#include "replay/replay.h"

/* Moments are counted through all passes looked at; -1: there is none. */
typedef struct hw_replay_summary {
    uint64_t logical_peak, resident_peak; /* bytes */
    int64_t logical_at, resident_at;      /* first moments that reach them */

    /* Resident less logical bytes where nothing runs: before, after and at the
     * end of steps.  What the allocator keeps, and what it adds. */
    int64_t greatest_lag, end_lag;
    int64_t lag_at;
    uint64_t most_swapped;
} hw_replay_summary;

/* Resident bytes of a sample over the baseline; 0 where it is below. */
uint64_t hw_replay_resident(const hw_replay_result *r, size_t sample);

/* Resident less logical bytes at a sample. */
int64_t hw_replay_lag(const hw_replay_plan *plan, const hw_replay_result *r, size_t sample);

/* Of the passes first .. end - 1; samples that were not taken count for nothing.  O(samples). */
void hw_replay_summarize(const hw_replay_plan *plan, const hw_replay_result *r, uint32_t first,
                         uint32_t end, hw_replay_summary *s);

#endif
