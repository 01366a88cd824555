/*
 * Which gaps to take so that every step of the peak falls.  See gaps.h.
 *
 * A gap holds an interval of the steps of the peak.  With the gaps that save at
 * least T, the fewest that hold all steps are found from the left: of those
 * that hold the first step left over, the one that reaches farthest.  The
 * largest T for which that works is found by bisection.
 */
#include "advise/gaps.h"

#include <stdlib.h>

#include "core/memory.h"

typedef struct interval {
    uint64_t saving; /* of a step; 0: it is of no use */
    size_t begin, end;
} interval;

typedef struct cover {
    const hw_gaps *gaps;
    interval *interval; /* of every gap */
    uint64_t *level;    /* their savings, ascending */
    size_t n_levels;
    uint32_t *farthest; /* by the first step: the gap that reaches farthest; HW_NONE: none */
} cover;

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The first step of the peak that is `step` or later. */
static size_t index_of(const hw_gaps *gaps, int64_t step)
{
    size_t low = 0, high = gaps->n_peak_steps;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (gaps->peak_step[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* More than down to the next usage need not be saved; when it is back, all of it counts. */
static interval interval_of(const hw_gaps *gaps, const hw_gap *gap)
{
    const hw_log *log = gaps->log;
    uint64_t saving = log->peak - gaps->next_usage;
    uint64_t back = gap->to > 0 ? log->live[gap->to - 1] : log->live_empty;
    if (gap->size < saving)
        saving = gap->size;
    if (log->peak - back < saving)
        saving = log->peak - back;
    return (interval){saving, index_of(gaps, gap->unborn ? -1 : gap->from + !gap->frees),
                      index_of(gaps, gap->to)};
}

static hw_code cover_open(cover *c, const hw_gaps *gaps, hw_error *err)
{
    *c = (cover){.gaps = gaps,
                 .interval = HW_NEW(interval, gaps->n_gaps),
                 .level = HW_NEW(uint64_t, gaps->n_gaps),
                 .farthest = HW_NEW(uint32_t, gaps->n_peak_steps)};
    if (!c->interval || !c->level || !c->farthest)
        return hw_fail_memory(err, "the steps of a peak");
    for (size_t i = 0; i < gaps->n_gaps; i++) {
        c->interval[i] = interval_of(gaps, &gaps->gap[i]);
        if (c->interval[i].saving)
            c->level[c->n_levels++] = c->interval[i].saving;
    }
    qsort(c->level, c->n_levels, sizeof *c->level, by_value);
    return HW_OK;
}

static void cover_close(cover *c)
{
    free(c->interval);
    free(c->level);
    free(c->farthest);
}

static bool farther(const cover *c, uint32_t a, uint32_t b)
{
    const interval *x = &c->interval[a];
    if (b == HW_NONE)
        return true;
    const interval *y = &c->interval[b];
    if (x->end != y->end)
        return x->end > y->end;
    return c->gaps->gap[a].size > c->gaps->gap[b].size;
}

/* With gaps that save at least `saving`: into chosen[0 .. *n); false: step *stuck is in none. */
static bool take(cover *c, uint64_t saving, uint32_t *chosen, size_t *n, size_t *stuck)
{
    const size_t steps = c->gaps->n_peak_steps;
    uint32_t best = HW_NONE;
    *n = 0;
    for (size_t i = 0; i < steps; i++)
        c->farthest[i] = HW_NONE;
    for (uint32_t i = 0; i < c->gaps->n_gaps; i++) {
        const interval *x = &c->interval[i];
        if (x->saving >= saving && farther(c, i, c->farthest[x->begin]))
            c->farthest[x->begin] = i;
    }
    for (size_t at = 0, reached = 0; at < steps; at++) {
        if (c->farthest[at] != HW_NONE && farther(c, c->farthest[at], best))
            best = c->farthest[at];
        if (at < reached)
            continue;
        *stuck = at;
        if (best == HW_NONE || c->interval[best].end <= at)
            return false;
        chosen[(*n)++] = best;
        reached = c->interval[best].end;
    }
    return true;
}

/*
 * One gap in place of the set, where that leaves as little: steps beside the
 * peak count too, and the step where a gap begins may fall by an in-place pair.
 */
static hw_code prefer_one(const hw_gaps *gaps, uint32_t *chosen, size_t *n, hw_error *err)
{
    uint64_t peak;
    uint32_t best = 0;
    for (uint32_t i = 1; i < gaps->n_gaps; i++)
        if (gaps->gap[i].peak < gaps->gap[best].peak)
            best = i;
    hw_code code = hw_gaps_peak(gaps, chosen, *n, &peak, err);
    if (code == HW_OK && gaps->n_gaps && gaps->gap[best].peak <= peak &&
        gaps->gap[best].peak < gaps->log->peak) {
        chosen[0] = best;
        *n = 1;
    }
    return code;
}

hw_code hw_gaps_cover(const hw_gaps *gaps, uint32_t *chosen, size_t *n, int64_t *stuck,
                      hw_error *err)
{
    cover c;
    size_t where = 0;
    *n = 0;
    *stuck = -1;
    hw_code code = cover_open(&c, gaps, err);
    if (code == HW_OK && !take(&c, 1, chosen, n, &where)) {
        *n = 0;
        *stuck = gaps->peak_step[where];
    } else if (code == HW_OK) {
        size_t low = 0, high = c.n_levels; /* works at level[low], not at level[high] */
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (take(&c, c.level[middle], chosen, n, &where))
                low = middle;
            else
                high = middle;
        }
        (void)take(&c, c.n_levels ? c.level[low] : 1, chosen, n, &where);
    }
    if (code == HW_OK)
        code = prefer_one(gaps, chosen, n, err);
    cover_close(&c);
    return code;
}
