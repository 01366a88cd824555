/*
 * What an executor does with memory while an order runs: blocks taken, resized
 * and given back, and the moments between at which memory is looked at.
 *
 * A storage is a block from the step that makes it to its death (highwater-model(7)), a
 * workspace a block of one step.  An output that takes over a dying input in
 * place takes over its block, which has the larger of the two sizes while the
 * step runs; views have no block of their own, and nothing of 0 bytes has one.
 * With the constants in the log, each of them is a block that is taken once and
 * never given back.
 *
 * Moments are numbered:
 *
 *   0           before step 0
 *   2 i + 1     while step i runs: all that it needs is there   (usage)
 *   2 i + 2     after step i: what dies in it is given back     (live)
 *   2 n + 1     at the end, when what the order leaves is given back too
 *
 * Under free-first a step gives its dying inputs back before it takes anything.
 */
#ifndef HW_REPLAY_PLAN_H
#define HW_REPLAY_PLAN_H

#include <stddef.h>

#include "model/log.h"

typedef enum hw_replay_kind {
    HW_REPLAY_TAKE,   /* a block of `size` bytes appears           */
    HW_REPLAY_RESIZE, /* it has `size` bytes from now on           */
    HW_REPLAY_DROP,   /* it is given back                          */
    HW_REPLAY_MOMENT, /* memory is looked at; `size`: logical bytes */
} hw_replay_kind;

typedef struct hw_replay_event {
    uint64_t size;
    int64_t step; /* -1: before step 0; n_steps: at the end */
    uint32_t block;
    uint32_t kind; /* hw_replay_kind */
} hw_replay_event;

typedef struct hw_replay_block {
    uint32_t tensor; /* root of the storage that took it; HW_NONE: a workspace */
    uint32_t node;   /* that took it; HW_NONE: before step 0                    */
    uint64_t size;   /* the largest that it has                                 */
} hw_replay_block;

typedef struct hw_replay_plan {
    const hw_log *log; /* the caller's, must outlive the plan */
    hw_replay_event *event;
    hw_replay_block *block;
    uint64_t *logical; /* bytes at each moment */
    size_t n_events;
    size_t n_setup; /* the first events take the constants: not repeated */
    size_t n_moments;
    uint32_t n_blocks;
    size_t event_room, block_room; /* items that the arrays can take */
} hw_replay_plan;

/*
 * The plan of a logged order.  HW_INTERNAL: its bytes at some moment differ
 * from what the log says.  HW_NO_MEMORY.  O(nodes + storages), and per node
 * with in-place pairs what matching.h says.
 */
hw_code hw_replay_plan_new(const hw_log *log, hw_replay_plan **out, hw_error *err);
void hw_replay_plan_free(hw_replay_plan *plan);

/* Is the moment one while a step runs?  Then, and after it, *step is that step. */
static inline bool hw_replay_runs(const hw_replay_plan *plan, size_t moment, int64_t *step)
{
    *step = moment == 0 ? -1 : (int64_t)((moment - 1) / 2);
    return moment % 2 == 1 && moment + 1 < plan->n_moments;
}

/* The greatest logical bytes at any moment: the peak of the order. */
uint64_t hw_replay_peak(const hw_replay_plan *plan);

/*
 * The same with every block rounded up to whole pages of page_bytes: what an
 * allocator needs that gives each block pages of its own.  UINT64_MAX: more
 * than that.  HW_NO_MEMORY.  O(events).
 */
hw_code hw_replay_paged_peak(const hw_replay_plan *plan, uint64_t page_bytes, uint64_t *peak,
                             hw_error *err);

#endif
