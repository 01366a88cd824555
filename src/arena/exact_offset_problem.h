/*
 * What the exact allocator searches in: an arena in sections and units.
 *
 * Time is cut at the ends of spans; of the slices, only those are kept as
 * sections whose set of living spans lies in no neighbour's: every pair that
 * meets, and every greatest load, meets in one of them.  Bytes are counted in
 * units, the greatest common divisor of sizes, alignments and fixed offsets:
 * an allocation in which each buffer rests on another one, on a fixed offset
 * or at 0 has only multiples of it as offsets.  Buffers that need nothing are
 * left out.
 */
#ifndef HW_ARENA_EXACT_OFFSET_PROBLEM_H
#define HW_ARENA_EXACT_OFFSET_PROBLEM_H

#include "arena/arena.h"

#define OFFSET_NONE UINT32_MAX
#define OFFSET_FREE UINT64_MAX

/* Sections first .. end - 1 in which an item needs so many units. */
typedef struct offset_span {
    uint32_t first, end;
    uint64_t need;
} offset_span;

typedef struct offset_item {
    uint64_t size, alignment, fixed; /* units; alignment 1: any; fixed OFFSET_FREE: any */
    uint64_t life;                   /* ticks from its first to its last */
    uint64_t load;                   /* greatest sum of needs in a section that it lives in */
    uint32_t first, end;             /* sections that it lives in, gaps included */
    uint32_t first_span, end_span;
    uint32_t buffer; /* of the arena */
    uint32_t twin;   /* the item before that differs in nothing; OFFSET_NONE */
} offset_item;

/* An item that another one meets, and how far above that one it has to lie. */
typedef struct offset_meeting {
    uint32_t other;
    uint64_t above;
} offset_meeting;

typedef struct offset_problem {
    uint64_t unit; /* bytes */
    uint32_t n_items, n_sections;
    offset_item *item;
    offset_span *span;
    size_t *first_meeting; /* n_items + 1 */
    offset_meeting *meeting;
} offset_problem;

/*
 * HW_LIMIT: more pairs meet than a search can hold (2^26), or sizes pass 2^61 units in sum.
 * HW_NO_MEMORY. O(n log n + pairs that meet).
 */
hw_code offset_problem_init(offset_problem *p, const hw_arena *a, hw_error *err);
void offset_problem_clear(offset_problem *p);

#endif
