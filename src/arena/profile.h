/* The sum of needs over time, as steps; and who meets how many. */
#ifndef HW_ARENA_PROFILE_H
#define HW_ARENA_PROFILE_H

#include "arena/arena.h"

/* From tick[i] to before tick[i + 1] the buffers need load[i] bytes together. */
typedef struct hw_profile {
    int64_t *tick; /* ascending */
    uint64_t *load;
    size_t n; /* the last load is 0 */
} hw_profile;

/* HW_NO_MEMORY.  O(s log s) for s spans.  hw_profile_end() after HW_OK. */
hw_code hw_profile_start(hw_profile *p, const hw_arena *a, hw_error *err);
void hw_profile_end(hw_profile *p);

/* The step that holds the tick; 0 before the first.  O(log n). */
size_t hw_profile_find(const hw_profile *p, int64_t tick);

/*
 * How many others each buffer meets in time.  HW_STOPPED, HW_LIMIT: before all
 * were counted.  O(n^2).
 */
hw_code hw_count_conflicts(const hw_arena *a, const hw_placement_request *request,
                           uint32_t *conflicts, hw_error *err);

#endif
