/* Peaks and lags of a replay.  See summary.h. */
#include "replay/summary.h"

uint64_t hw_replay_resident(const hw_replay_result *r, size_t sample)
{
    uint64_t resident = r->sample[sample].resident;
    return resident > r->before.resident ? resident - r->before.resident : 0;
}

int64_t hw_replay_lag(const hw_replay_plan *plan, const hw_replay_result *r, size_t sample)
{
    uint64_t resident = hw_replay_resident(r, sample);
    uint64_t logical = plan->logical[sample % plan->n_moments];
    /* Both fit 63 bits where a process could have them; absurd sizes saturate. */
    uint64_t apart = resident > logical ? resident - logical : logical - resident;
    int64_t lag = apart > INT64_MAX ? INT64_MAX : (int64_t)apart;
    return resident >= logical ? lag : -lag;
}

void hw_replay_summarize(const hw_replay_plan *plan, const hw_replay_result *r, uint32_t first,
                         uint32_t end, hw_replay_summary *s)
{
    size_t begin = first * plan->n_moments, after = end * plan->n_moments;
    int64_t step;
    *s = (hw_replay_summary){.logical_at = -1, .resident_at = -1, .lag_at = -1};
    for (size_t i = begin; i < after && i < r->n_samples; i++) {
        int64_t at = (int64_t)(i - begin);
        uint64_t logical = plan->logical[i % plan->n_moments], resident = hw_replay_resident(r, i);
        if (s->logical_at < 0 || logical > s->logical_peak) {
            s->logical_peak = logical;
            s->logical_at = at;
        }
        if (s->resident_at < 0 || resident > s->resident_peak) {
            s->resident_peak = resident;
            s->resident_at = at;
        }
        if (r->sample[i].swapped > s->most_swapped)
            s->most_swapped = r->sample[i].swapped;
        if (hw_replay_runs(plan, i % plan->n_moments, &step))
            continue;
        s->end_lag = hw_replay_lag(plan, r, i);
        if (s->lag_at < 0 || s->end_lag > s->greatest_lag) {
            s->greatest_lag = s->end_lag;
            s->lag_at = at;
        }
    }
}
