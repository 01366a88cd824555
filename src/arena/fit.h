/*
 * Placing buffers one after another among those that lie already.
 *
 * A placed buffer forbids a moving one a range of offsets; what is left
 * between the ranges are the holes.  All orders of placement of the allocators
 * go through here.
 */
#ifndef HW_ARENA_FIT_H
#define HW_ARENA_FIT_H

#include "arena/arena.h"

typedef struct hw_range {
    uint64_t first, last;
} hw_range;

/* A buffer that another one meets in time, and how far apart they have to lie. */
typedef struct hw_meeting {
    uint32_t other;
    uint64_t above; /* the one above `other`: hw_arena_distance(other, one) */
    uint64_t below; /* the one below `other`: hw_arena_distance(one, other) */
} hw_meeting;

typedef struct hw_fit {
    const hw_arena *arena; /* the caller's */
    uint64_t *offset;      /* n_buffers; the fit's */
    uint32_t *laid;        /* those that lie, in order of placement */
    uint32_t n_laid;
    uint64_t height;
    hw_range *range;
    /* Who meets whom; NULL: found anew at each placement. */
    size_t *first_meeting;
    hw_meeting *meeting;
    bool *lies; /* only with meetings */
} hw_fit;

/* Nothing placed.  HW_NO_MEMORY.  O(n). */
hw_code hw_fit_start(hw_fit *f, const hw_arena *a, hw_error *err);
void hw_fit_end(hw_fit *f);

/*
 * Keep who meets whom, for many rounds of placement: time and memory for every
 * pair that meets.  HW_LIMIT: more than 2^23 pairs.  HW_NO_MEMORY.
 */
hw_code hw_fit_remember(hw_fit *f, hw_error *err);

/* Nothing placed again but the buffers with fixed offsets.  O(n). */
void hw_fit_clear(hw_fit *f);

/* Lay a buffer at an offset where it collides with none. */
void hw_fit_put(hw_fit *f, uint32_t buffer, uint64_t offset);

/* The lowest offset that is free for the buffer.  O(n), O(m log m) for m meetings. */
uint64_t hw_fit_lowest(hw_fit *f, uint32_t buffer);

/* The offset in the hole that leaves least room; the top where none is large enough. */
uint64_t hw_fit_tightest(hw_fit *f, uint32_t buffer);

/* Above all that lie and that the buffer meets. */
uint64_t hw_fit_top(hw_fit *f, uint32_t buffer);

/* Place all in the order given, each as low as possible; fixed ones lie where they must. */
void hw_fit_all(hw_fit *f, const uint32_t *order);

#endif
