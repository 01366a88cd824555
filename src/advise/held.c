/* What an order holds at its peak.  See held.h. */
#include "advise/held.h"

#include <stdlib.h>

#include "core/memory.h"

static hw_held_state state_of(const hw_log *log, const hw_lifetime *life)
{
    const hw_graph *g = log->model->graph;
    if (log->peak_step >= 0) {
        uint32_t v = log->order[log->peak_step];
        if (life->birth == log->peak_step)
            return HW_HELD_MADE;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            if (g->tensor_storage[g->inputs.item[i]] == g->tensor_storage[life->tensor])
                return HW_HELD_USED;
    }
    if (g->tensor_kind[life->tensor] == HW_INPUT && log->model->pin_inputs)
        return HW_HELD_PINNED;
    return HW_HELD_IDLE;
}

static int by_gain(const void *a, const void *b)
{
    const hw_held *x = a, *y = b;
    if (x->dropped != y->dropped)
        return x->dropped < y->dropped ? -1 : 1;
    if (!x->gap != !y->gap)
        return x->gap ? -1 : 1;
    if (x->moved_bytes != y->moved_bytes)
        return x->moved_bytes < y->moved_bytes ? -1 : 1;
    return (x->life->tensor > y->life->tensor) - (x->life->tensor < y->life->tensor);
}

/* Twice its bytes fit: all storages together are below 2^64, but one may be half of that. */
static uint64_t moved(const hw_gap *gap)
{
    if (gap->unborn)
        return gap->size;
    return gap->size > UINT64_MAX / 2 ? UINT64_MAX : 2 * gap->size;
}

hw_code hw_held_find(const hw_gaps *gaps, hw_held **held, size_t *n, hw_error *err)
{
    const hw_log *log = gaps->log;
    size_t count = 0;
    *held = NULL;
    *n = 0;
    for (uint32_t i = 0; i < log->n_lives; i++)
        count += hw_log_holds(log, &log->life[i], log->peak_step);
    hw_held *list = HW_NEW0(hw_held, count);
    const hw_gap **gap_of = HW_NEW0(const hw_gap *, log->n_lives);
    if (!list || !gap_of) {
        free(list);
        free(gap_of);
        return hw_fail_memory(err, "what is held at a peak");
    }
    for (size_t i = 0; i < gaps->n_gaps; i++)
        if (hw_gap_covers(&gaps->gap[i], log->peak_step))
            gap_of[gaps->gap[i].life] = &gaps->gap[i];
    for (uint32_t i = 0; i < log->n_lives; i++) {
        if (!hw_log_holds(log, &log->life[i], log->peak_step))
            continue;
        hw_held *h = &list[(*n)++];
        *h = (hw_held){
            .life = &log->life[i], .state = state_of(log, &log->life[i]), .dropped = log->peak};
        h->gap = gap_of[i];
        if (h->gap) {
            h->dropped = h->gap->peak;
            h->moved_bytes = moved(h->gap);
        }
    }
    free(gap_of);
    qsort(list, *n, sizeof *list, by_gain);
    *held = list;
    return HW_OK;
}

void hw_held_free(hw_held *held, size_t n)
{
    for (size_t i = 0; held && i < n; i++)
        free(held[i].chain.node);
    free(held);
}
