/* Needs over time.  See profile.h. */
#include "arena/profile.h"

#include <stdlib.h>
#include <string.h>

#include "arena/clock.h"
#include "core/memory.h"

typedef struct turn {
    int64_t tick;
    bool begins;
    uint64_t size;
} turn;

static int by_tick(const void *x, const void *y)
{
    const turn *a = x, *b = y;
    if (a->tick != b->tick)
        return (a->tick > b->tick) - (a->tick < b->tick);
    return (int)a->begins - (int)b->begins; /* ends first: the sum never passes the load */
}

static void lay(hw_profile *p, const turn *turns, size_t n)
{
    uint64_t now = 0;
    for (size_t i = 0; i < n; i++) {
        now = turns[i].begins ? now + turns[i].size : now - turns[i].size;
        if (p->n == 0 || p->tick[p->n - 1] != turns[i].tick)
            p->tick[p->n++] = turns[i].tick;
        p->load[p->n - 1] = now;
    }
}

hw_code hw_profile_start(hw_profile *p, const hw_arena *a, hw_error *err)
{
    size_t n = 2 * (size_t)a->n_spans;
    memset(p, 0, sizeof *p);
    turn *turns = HW_NEW(turn, n);
    p->tick = HW_NEW(int64_t, n);
    p->load = HW_NEW(uint64_t, n);
    if (!turns || !p->tick || !p->load) {
        free(turns);
        hw_profile_end(p);
        return hw_fail_memory(err, "the load over time");
    }
    for (uint32_t i = 0; i < a->n_spans; i++) {
        const hw_span *s = &a->span[i];
        turns[2 * (size_t)i] = (turn){s->first, true, s->size};
        turns[2 * (size_t)i + 1] = (turn){s->end, false, s->size};
    }
    if (n > 0)
        qsort(turns, n, sizeof *turns, by_tick);
    lay(p, turns, n);
    free(turns);
    return HW_OK;
}

void hw_profile_end(hw_profile *p)
{
    free(p->tick);
    free(p->load);
    memset(p, 0, sizeof *p);
}

size_t hw_profile_find(const hw_profile *p, int64_t tick)
{
    size_t low = 0, high = p->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->tick[middle] <= tick)
            low = middle;
        else
            high = middle;
    }
    return low;
}

hw_code hw_count_conflicts(const hw_arena *a, const hw_placement_request *request,
                           uint32_t *conflicts, hw_error *err)
{
    const hw_clock clock = hw_clock_start(request->seconds);
    for (uint32_t i = 0; i < a->n_buffers; i++)
        conflicts[i] = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        if (request->stop && *request->stop)
            return hw_fail(err, HW_STOPPED, "stopped while counting conflicts");
        if (i % 256 == 255 && hw_clock_over(&clock))
            return hw_fail(err, HW_LIMIT,
                           "the time is over before all conflicts are counted: give more, or take "
                           "free-list");
        for (uint32_t j = 0; j < i; j++)
            if (hw_arena_distance(a, i, j) > 0) {
                conflicts[i]++;
                conflicts[j]++;
            }
    }
    return HW_OK;
}
