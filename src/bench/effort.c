/* What proofs cost, by groups of results.  See effort.h. */
#include "bench/effort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solve/solver.h"

static bool is_settled(const hw_record *r)
{
    return strcmp(r->status, hw_status_name(HW_OPTIMAL)) == 0 ||
           strcmp(r->status, hw_status_name(HW_INFEASIBLE)) == 0;
}

/* n >= 1; NaN: it is endless. */
static double finite_median(double *values, size_t n)
{
    hw_sort_reals(values, n);
    double low = values[(n - 1) / 2], high = values[n / 2];
    return isfinite(high) ? low + (high - low) / 2 : NAN;
}

static double larger(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

/* scratch holds twice as many numbers as the group has records. */
static hw_effort sum_up(const hw_record *const *member, size_t n, double *scratch)
{
    hw_effort e = {.first = member[0],
                   .most_seconds = NAN,
                   .most_states = NAN,
                   .most_memory_bytes = NAN,
                   .worst_open_percent = NAN};
    double *seconds = scratch, *states = scratch + n;
    uint64_t settled = 0;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = member[i];
        seconds[i] = states[i] = INFINITY;
        if (r->peak_memory_bytes.known)
            e.most_memory_bytes = larger(e.most_memory_bytes, (double)r->peak_memory_bytes.value);
        if (!is_settled(r)) {
            if (r->checked_peak.known && r->bound.known)
                e.worst_open_percent = larger(
                    e.worst_open_percent, hw_gap_percent(r->checked_peak.value, r->bound.value));
            continue;
        }
        settled++;
        if (r->wall_seconds >= 0) {
            seconds[i] = r->wall_seconds;
            e.most_seconds = larger(e.most_seconds, seconds[i]);
        }
        if (r->states.known) {
            states[i] = (double)r->states.value;
            e.most_states = larger(e.most_states, states[i]);
        }
    }
    e.settled = hw_share_of(settled, n);
    e.median_seconds = finite_median(seconds, n);
    e.median_states = finite_median(states, n);
    return e;
}

hw_code hw_efforts_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                        hw_effort **efforts, size_t *n_efforts, hw_error *err)
{
    hw_partition p;
    *efforts = NULL;
    *n_efforts = 0;
    hw_code code = hw_partition_make(records, n, fields, n_fields, &p, err);
    if (code != HW_OK)
        return code;
    double *scratch = HW_NEW(double, 2 * n);
    hw_effort *made = HW_NEW(hw_effort, p.n_groups);
    if (scratch && made) {
        for (size_t g = 0; g < p.n_groups; g++)
            made[g] = sum_up(p.member + p.start[g], p.start[g + 1] - p.start[g], scratch);
        *efforts = made;
        *n_efforts = p.n_groups;
    } else {
        free(made);
        code = hw_fail_memory(err, "groups of results");
    }
    free(scratch);
    hw_partition_free(&p);
    return code;
}
