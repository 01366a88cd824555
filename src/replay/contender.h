/*
 * Contenders: the allocators that a replay compares, each written as a word
 * with what belongs to it, parted by '+':
 *
 *     malloc                       the C library's
 *     malloc+MALLOC_ARENA_MAX=1    with a variable of the environment
 *     malloc+preload=LIB           from a library: a path or what the loader finds
 *     mimalloc                     malloc+preload=libmimalloc.so.2, and others alike
 *     malloc+trim                  asked to give memory back after each step
 *     mmap                         a mapping a block
 *     arena, arena:first-fit       one mapping, offsets by an allocator of arena.h
 *     arena+release                that hands pages of dead blocks to the kernel
 */
#ifndef HW_REPLAY_CONTENDER_H
#define HW_REPLAY_CONTENDER_H

#include "arena/arena.h"
#include "replay/replay.h"

typedef struct hw_contender {
    hw_replay_way way;
    const hw_allocator *allocator; /* of an arena, else NULL */
    hw_param_value params[HW_PARAM_LIMIT];
    const char *preload;  /* NULL: none */
    const char *package;  /* of Debian, of a known library; NULL: not known */
    const char **setting; /* "NAME=VALUE" */
    size_t n_settings;
    bool trim, release;
    char *name; /* as it was given                     */
    char *text; /* what the texts above lie in         */
} hw_contender;

/* The allocator of an arena that names none. */
const char *hw_contender_default_allocator(void);

/* Released by hw_contender_clear(), also after a failure.  HW_USAGE with what would be right;
 * HW_NO_MEMORY. */
hw_code hw_contender_parse(const char *text, hw_contender *c, hw_error *err);
void hw_contender_clear(hw_contender *c);

/*
 * Give a contender a library (NULL: none; `library` must outlive it), trimming
 * or releasing where it is of a kind that can have them and has none; its name
 * then says so.  HW_NO_MEMORY.
 */
hw_code hw_contender_add(hw_contender *c, const char *library, bool trim, bool release,
                         hw_error *err);

/*
 * Offsets for the blocks of a plan, by the allocator, each a multiple of
 * `alignment`.  *offset (n_blocks) is the caller's to free.  HW_LIMIT: nothing
 * placed in time; what hw_arena_place() fails with; HW_INTERNAL.
 */
hw_code hw_replay_place(const hw_replay_plan *plan, const hw_allocator *allocator,
                        const hw_placement_request *request, uint64_t alignment, uint64_t **offset,
                        uint64_t *height, hw_error *err);

/*
 * Bytes that a replay will make resident at most, as far as can be told
 * before: the logical peak and what the allocator adds to the blocks; of an
 * arena its height; 0 where no page is written.  HW_NO_MEMORY.
 */
hw_code hw_replay_need(const hw_replay_plan *plan, const hw_replay_request *request,
                       uint64_t *bytes, hw_error *err);

#endif
