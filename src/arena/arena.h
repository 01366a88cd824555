/*
 * Offset allocation: buffers that live for a time get addresses in one arena.
 *
 * A buffer keeps one offset for its whole life.  It needs `size` bytes at
 * every tick of [lower, upper); a buffer that changes its size over time (an
 * output that took over the place of an input, so that both share an address;
 * a gap in which the buffer rests) has spans that say how much it needs when.
 * Two buffers collide where at one tick both need one address.  Height: the
 * greatest end of a buffer.  Load: the greatest sum of needs at one tick; no
 * allocation is lower.  Finding the least height is NP-hard (Dynamic Storage
 * Allocation, Garey and Johnson 1979, SR2).
 *
 * Out of an order: a storage is a buffer from the step that makes it to the
 * step of its death, a workspace a buffer of one step, and the load is the
 * peak of the order, in either accounting.
 */
#ifndef HW_ARENA_ARENA_H
#define HW_ARENA_ARENA_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/params.h"
#include "io/input.h"
#include "model/model.h"

/* From tick `first` to before `end` the buffer needs `size` bytes from its offset on. */
typedef struct hw_span {
    int64_t first, end;
    uint64_t size;
} hw_span;

typedef struct hw_buffer {
    int64_t lower, upper; /* ticks; lower < upper                                       */
    uint64_t size;        /* bytes: the greatest of its spans                           */
    uint64_t alignment;   /* the offset is a multiple of it; at least 1                 */
    uint64_t fixed;       /* the offset that it must have; HW_ARENA_FREE: any           */
    uint32_t first_span;  /* spans[first_span .. + n_spans): ascending, apart, not empty */
    uint32_t n_spans;     /* 1: as long as it lives                                     */
    uint32_t tensor;      /* of an order: root of the (first) storage; HW_NONE: workspace,
                             or none                                                    */
} hw_buffer;

#define HW_ARENA_FREE UINT64_MAX

typedef struct hw_arena {
    char *name;
    hw_buffer *buffer;
    char **label; /* n_buffers texts: the id of a CSV file, the name of a tensor */
    hw_span *span;
    uint32_t n_buffers, n_spans;
    uint64_t load;   /* greatest sum of needs: a bound on every height */
    int64_t load_at; /* first tick that has it                         */
} hw_arena;

void hw_arena_free(hw_arena *a);

/*
 * How far above the offset of `below` the offset of `above` has to lie, when
 * both meet at some tick and `below` lies lower; 0: they never meet.
 * O(spans of both).  For buffers of one span: the size of `below`.
 */
uint64_t hw_arena_distance(const hw_arena *a, uint32_t below, uint32_t above);

/*
 * A file as MiniMalloc has them: a head line that names the columns (id, lower, upper, size; also
 * alignment, offset (fixed), hint (left out), gaps), a line a buffer.
 * HW_IO, HW_BAD_INPUT (file, line, cause, cure), HW_NO_MEMORY.
 */
hw_code hw_arena_read(const char *path, hw_arena **out, hw_error *err);

/*
 * The arena of an order (n_nodes node indices), sizes as they are and offsets
 * multiples of `alignment` (at least 1).  load is the peak of the order.
 * HW_CHECK_FAILED: the order is illegal; HW_INTERNAL: load and peak differ;
 * HW_NO_MEMORY.
 */
hw_code hw_arena_of_order(const hw_model *m, const uint32_t *order, uint64_t alignment,
                          hw_arena **out, hw_error *err);

/* ---- Allocators. ---- */

typedef struct hw_placement_request {
    const hw_param_value *params; /* in the order of the row's */
    uint64_t states;              /* limit of the search; 0: none */
    double seconds;               /* 0: none */
    uint64_t capacity;            /* stop at the first allocation that is no higher; 0: the least */
    uint64_t seed;
    const volatile sig_atomic_t *stop;
} hw_placement_request;

typedef struct hw_placement {
    uint64_t *offset; /* n_buffers; the placement's */
    uint64_t height;
    uint64_t bound;  /* proven: no height is less; at least the load */
    uint64_t states; /* steps of the search */
    bool placed;     /* false: none within the limits (exact with a capacity)  */
} hw_placement;      /* proven least: placed && height == bound */

void hw_placement_clear(hw_placement *p);

typedef struct hw_allocator {
    const char *name, *help, *source;
    const hw_param_row *params;
    size_t n_params;
    bool in_time_order; /* serves requests as they come, knowing nothing of later ones */
    bool proves;
    hw_code (*place)(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err);
} hw_allocator;

extern const hw_allocator *const hw_allocators[];
extern const size_t hw_n_allocators;
/* NULL: none of this name (n bytes). */
const hw_allocator *hw_allocator_find(const char *name, size_t n);

/*
 * Place and have the outcome checked by hw_arena_check().  HW_INTERNAL: the
 * allocator broke a rule.  HW_USAGE, HW_STOPPED (nothing placed), HW_NO_MEMORY.
 */
hw_code hw_arena_place(const hw_arena *a, const hw_allocator *allocator,
                       const hw_placement_request *request, hw_placement *out, hw_error *err);

/* ---- The independent checker (check.c: shares nothing with the allocators). ---- */

/*
 * Does the allocation hold: no two buffers at one address at one tick,
 * alignment, fixed offsets, nothing past 2^64 - 1?  *height: its greatest end.
 * HW_CHECK_FAILED names two buffers and where they meet.  O(n^2 * spans).
 */
hw_code hw_arena_check(const hw_arena *a, const uint64_t *offset, uint64_t *height, hw_error *err);

#endif
