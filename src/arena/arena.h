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
#include <stdio.h>

#include "core/params.h"
#include "io/input.h"
#include "model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From tick `first` to before `end` the buffer needs `size` bytes from its offset on. */
typedef struct hw_span {
    int64_t first, end; /* ticks; first < end */
    uint64_t size;      /* bytes              */
} hw_span;

/* A buffer: when it lives, and what it needs. */
typedef struct hw_buffer {
    int64_t lower, upper; /* ticks; lower < upper                                       */
    uint64_t size;        /* bytes: the greatest of its spans                           */
    uint64_t alignment;   /* the offset is a multiple of it; at least 1                 */
    uint64_t fixed;       /* the offset that it must have; HW_ARENA_FREE: any           */
    uint32_t first_span;  /* spans[first_span .. + n_spans): ascending, apart, not empty */
    uint32_t n_spans;     /* 1: as long as it lives; 0: a buffer of no bytes            */
    uint32_t tensor;      /* of an order: root of the (first) storage; HW_NONE: workspace,
                             or none                                                    */
} hw_buffer;

#define HW_ARENA_FREE UINT64_MAX /* hw_buffer.fixed: any offset will do */

/* Ticks lie within -HW_ARENA_TICKS .. HW_ARENA_TICKS, so that lifetimes fit 63 bits. */
#define HW_ARENA_TICKS (INT64_C(1) << 62)

/* Buffers that share an arena, released by hw_arena_free(). */
typedef struct hw_arena {
    char *name;                  /* of the graph or file */
    hw_buffer *buffer;           /* n_buffers of them */
    char **label;                /* n_buffers texts: the id of a CSV file, the name of a tensor */
    hw_span *span;               /* of all buffers in turn */
    uint32_t n_buffers, n_spans; /* how many */
    uint64_t load;               /* greatest sum of needs: a bound on every height */
    int64_t load_at;             /* first tick that has it                         */
    uint64_t bound; /* proven at once: the load, or what a fixed or aligned buffer asks for */
    /* Of an order: the buffer of each storage and of each node's workspace;
     * HW_NONE: it has no bytes in the arena.  NULL otherwise. */
    uint32_t *storage_buffer, *workspace_buffer;
    /* No allocation that puts buffers one after another at their lowest place
     * ends past stacked + fixed_end, which stays below 2^64 - 1. */
    uint64_t stacked, fixed_end;
    size_t buffer_room, label_room, span_room; /* items that the arrays can take */
} hw_arena;

/* Release it; NULL is allowed. */
void hw_arena_free(hw_arena *a);

/*
 * How far above the offset of `below` the offset of `above` has to lie, when
 * both meet at some tick and `below` lies lower; 0: they never meet.
 * O(spans of both).  For buffers of one span: the size of `below`.
 */
uint64_t hw_arena_distance(const hw_arena *a, uint32_t below, uint32_t above);

/*
 * The offsets from which `moving` would collide with `placed`, which lies at
 * `offset`: *first .. *last, both included.  False: there are none.  O(spans).
 */
bool hw_arena_forbidden(const hw_arena *a, uint32_t placed, uint64_t offset, uint32_t moving,
                        uint64_t *first, uint64_t *last);

/* `at`, or the next multiple of `alignment` (at least 1) above it. */
static inline uint64_t hw_arena_align(uint64_t at, uint64_t alignment)
{
    uint64_t over = alignment > 1 ? at % alignment : 0;
    return over ? at + (alignment - over) : at;
}

/*
 * Whether any stack of all buffers stays below 2^64 - 1 when each takes `times`
 * its size and `more` bytes.  HW_BAD_INPUT: it may not.
 */
hw_code hw_arena_room(const hw_arena *a, uint64_t more, uint64_t times, hw_error *err);

/* ---- Arenas made piece by piece. ---- */

/* An arena without buffers.  HW_NO_MEMORY. */
hw_code hw_arena_start(const char *name, hw_arena **out, hw_error *err);

/*
 * Add a buffer that needs what span[0 .. n_spans) say: ascending, apart;
 * spans of 0 bytes are left out, neighbours of one size joined.  lower and
 * upper are those of the first and last span as given, alignment is at least
 * 1, label is copied.  HW_BAD_INPUT: not so, or too large in sum for any
 * allocation to stay below 2^64 - 1.  HW_NO_MEMORY.
 */
hw_code hw_arena_add(hw_arena *a, const char *label, const hw_span *span, uint32_t n_spans,
                     uint64_t alignment, uint64_t fixed, hw_error *err);

/*
 * All buffers are in: find load and bound.  O(n log n), and the square of the
 * number of fixed ones.  HW_BAD_INPUT: fixed offsets collide.  HW_NO_MEMORY.
 */
hw_code hw_arena_finish(hw_arena *a, hw_error *err);

/*
 * A file as MiniMalloc has them: a head line that names the columns (id, lower, upper, size; also
 * alignment, offset (fixed), hint (left out), gaps), a line a buffer.
 * HW_IO, HW_BAD_INPUT (file, line, cause, cure), HW_NO_MEMORY.
 */
hw_code hw_arena_read(const char *path, hw_arena **out, hw_error *err);

/* The same out of an open input. */
hw_code hw_arena_read_input(hw_input *in, hw_arena **out, hw_error *err);

/*
 * The offsets that a file of the same form gives in its column `offset`, by
 * id, into offset[0 .. n_buffers).  Other columns are not looked at.
 * HW_BAD_INPUT: a buffer without offset, an unknown id, one that comes twice.
 */
hw_code hw_arena_read_offsets(const char *path, const hw_arena *a, uint64_t *offset, hw_error *err);

/*
 * Write the arena in that form, with a column `offset` when offset is not
 * NULL; alignment and gaps have columns where some buffer has them.  Write
 * errors stay in the stream.
 */
void hw_arena_write(const hw_arena *a, const uint64_t *offset, FILE *out);

/*
 * The arena of an order (n_nodes node indices), sizes as they are and offsets
 * multiples of `alignment` (at least 1).  load is the peak of the order.
 * HW_CHECK_FAILED: the order is illegal; HW_INTERNAL: load and peak differ;
 * HW_NO_MEMORY.
 */
hw_code hw_arena_of_order(const hw_model *m, const uint32_t *order, uint64_t alignment,
                          hw_arena **out, hw_error *err);

/* ---- Allocators. ---- */

/* What an allocator is asked for; all zeros but params: its best, without limits. */
typedef struct hw_placement_request {
    const hw_param_value *params; /* in the order of the row's */
    uint64_t states;              /* limit of the search; 0: none */
    double seconds;               /* 0: none */
    uint64_t capacity;            /* stop at the first allocation that is no higher; 0: the least */
    uint64_t seed;                /* for those that draw at random */
    const volatile sig_atomic_t *stop; /* non-zero: stop soon; NULL: never */
} hw_placement_request;

/* An allocation, released by hw_placement_clear(). */
typedef struct hw_placement {
    uint64_t *offset; /* n_buffers; the placement's */
    uint64_t height;  /* greatest end of a buffer, or of a block that is larger than its buffer */
    uint64_t bound;   /* proven: no height is less; at least hw_arena.bound */
    uint64_t states;  /* steps of the search */
    bool placed;      /* false: none within the limits (exact with a capacity)  */
} hw_placement;       /* proven least: placed && height == bound */

/* Release its offsets. */
void hw_placement_clear(hw_placement *p);

/* An allocator: a static row. */
typedef struct hw_allocator {
    const char *name, *help, *source; /* help: one line; source: paper, year, or program */
    const hw_param_row *params;       /* n_params of them */
    size_t n_params;                  /* how many */
    bool in_time_order; /* serves requests as they come, knowing nothing of later ones */
    bool proves;        /* its bound is proven by search */
    bool random;        /* the outcome depends on the seed */

    /* Called by hw_arena_place() alone, which checks what comes out. */
    hw_code (*place)(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err);
} hw_allocator;

/* All rows. */
extern const hw_allocator *const hw_allocators[];
extern const size_t hw_n_allocators; /* how many */

/* The row named by the first n bytes of name, or NULL. */
const hw_allocator *hw_allocator_find(const char *name, size_t n);

/* "NAME" or "NAME:param=value,..." into row and values[0 .. HW_PARAM_LIMIT).  HW_USAGE. */
hw_code hw_allocator_parse(const char *spec, const hw_allocator **row, hw_param_value *values,
                           hw_error *err);

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
 * HW_CHECK_FAILED names two buffers and where they meet.  HW_NO_MEMORY.
 * O(s log s) for s spans.
 */
hw_code hw_arena_check(const hw_arena *a, const uint64_t *offset, uint64_t *height, hw_error *err);

#ifdef __cplusplus
}
#endif

#endif
