/*
 * bucket-pool: sizes are rounded up to classes; a block is only used again for
 * its own class, whole, and never split or joined.
 *
 * Classes: `divisions` steps between a power of two and the next, none below
 * `least` bytes (1 and 512: powers of two from 512 on, as the caching
 * allocators of frameworks have them; PyTorch's roundup_power2_divisions).
 * A request takes a free block of its class, or a new one at the top.  No
 * outside fragmentation within a class; what is lost is the rounding, and
 * blocks of classes that are not asked for at the time.
 * O(blocks of the class) a request.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "arena/allocators.h"
#include "arena/turns.h"
#include "core/memory.h"

typedef struct block {
    uint64_t offset, size;
    bool free;
} block;

typedef struct pool {
    const hw_arena *a;
    uint64_t least, divisions;
    bool newest;
    uint64_t top;
    block *blocks; /* in order of making, so by address */
    size_t n, room;
    size_t *block_of; /* of each buffer that is out       */
} pool;

static uint64_t class_size(const pool *p, uint64_t size)
{
    if (size <= p->least)
        return p->least;
    uint64_t power = 1;
    while (power <= size / 2)
        power *= 2;
    return hw_arena_align(size,
                          p->divisions > 0 && power > p->divisions ? power / p->divisions : 1);
}

static hw_code take(void *state, uint32_t buffer, uint64_t *offset, hw_error *err)
{
    pool *p = state;
    const hw_buffer *b = &p->a->buffer[buffer];
    uint64_t size = class_size(p, b->size);
    size_t chosen = SIZE_MAX;
    for (size_t i = 0; i < p->n && (chosen == SIZE_MAX || p->newest); i++)
        if (p->blocks[i].free && p->blocks[i].size == size &&
            p->blocks[i].offset % b->alignment == 0)
            chosen = i;
    if (chosen == SIZE_MAX) {
        if (!hw_grow((void **)&p->blocks, &p->room, p->n + 1, sizeof *p->blocks))
            return hw_fail_memory(err, "the blocks of a pool");
        chosen = p->n++;
        p->blocks[chosen] = (block){hw_arena_align(p->top, b->alignment), size, false};
        p->top = p->blocks[chosen].offset + size;
    }
    p->blocks[chosen].free = false;
    p->block_of[buffer] = chosen;
    *offset = p->blocks[chosen].offset;
    return HW_OK;
}

static hw_code give(void *state, uint32_t buffer, uint64_t offset, hw_error *err)
{
    pool *p = state;
    (void)offset;
    (void)err;
    p->blocks[p->block_of[buffer]].free = true;
    return HW_OK;
}

static hw_code place(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err)
{
    pool p = {.a = a,
              .divisions = (uint64_t)request->params[0].i,
              .least = (uint64_t)request->params[1].i,
              .newest = request->params[2].i == 1,
              .block_of = HW_NEW(size_t, a->n_buffers)};
    const hw_server server = {&p, take, give};
    hw_code code = hw_arena_room(a, p.least, 2, err); /* a class is below twice the size */
    if (code == HW_OK && !p.block_of)
        code = hw_fail_memory(err, "the blocks of a pool");
    if (code == HW_OK)
        code = hw_serve(a, request, "bucket-pool", &server, out, err);
    if (code == HW_OK && p.top > out->height)
        out->height = p.top; /* the pool owns the end of its last block too */
    free(p.blocks);
    free(p.block_of);
    return code;
}

static const hw_param_row PARAMS[] = {
    {"divisions", HW_PARAM_INT, 1, 1048576, 1, NULL, "classes from a power of two to the next"},
    {"least", HW_PARAM_INT, 1, 1073741824, 1, NULL, "bytes of the smallest class"},
    {"reuse", HW_PARAM_CHOICE, 0, 0, 0, "lowest|newest", "free block of the class that is taken"},
};

const hw_allocator hw_allocator_bucket_pool = {
    .name = "bucket-pool",
    .help = "size classes: a block serves its class alone and is never split",
    .source = "segregated storage, Wilson et al., Dynamic Storage Allocation, 1995; caching "
              "allocators of frameworks",
    .params = PARAMS,
    .n_params = 3,
    .in_time_order = true,
    .place = place,
};
