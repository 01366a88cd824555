/* Orders of buffers, for the allocators that place one after another. */
#ifndef HW_ARENA_ORDER_H
#define HW_ARENA_ORDER_H

#include "arena/fit.h"

/* A buffer with what it is sorted by: keys ascending, then the lower index. */
typedef struct hw_ranked {
    uint64_t key[3];
    uint32_t buffer;
} hw_ranked;

/* Sort n ranked buffers. */
void hw_rank_sort(hw_ranked *ranked, uint32_t n);

/* A key that puts large ones first; a tick as a key. */
static inline uint64_t hw_key_down(uint64_t value)
{
    return UINT64_MAX - value;
}

static inline uint64_t hw_key_tick(int64_t tick)
{
    return (uint64_t)tick + ((uint64_t)1 << 63);
}

/*
 * Place all buffers in the order of rank(): the whole of an allocator that
 * knows a rule of order and one of place.  HW_NO_MEMORY, HW_STOPPED, HW_LIMIT (the time).
 */
hw_code hw_place_ranked(const hw_arena *a, const hw_placement_request *request,
                        hw_ranked (*rank)(const hw_arena *a, const void *context, uint32_t buffer),
                        const void *context, uint64_t (*where)(hw_fit *f, uint32_t buffer),
                        hw_placement *out, hw_error *err);

/* Hand the offsets of a finished fit over. */
void hw_fit_deliver(hw_fit *f, uint64_t states, hw_placement *out);

#endif
