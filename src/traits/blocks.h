/* Blocks: the storages that an order can place in time (features.h). */
#ifndef HW_TRAITS_BLOCKS_H
#define HW_TRAITS_BLOCKS_H

#include "model/model.h"

typedef struct hw_block {
    uint64_t bytes;     /* more than 0                                   */
    uint32_t maker;     /* node; HW_NONE: an input of the graph          */
    uint32_t n_readers; /* nodes                                         */
    bool kept;          /* to the end: a result, or a pinned input       */
} hw_block;

typedef struct hw_blocks {
    const hw_model *model;
    uint32_t n;
    hw_block *block;
    uint32_t *of_storage; /* block of a storage; HW_NONE: it is none   */
    uint64_t total, largest;
} hw_blocks;

/* HW_NO_MEMORY; may be closed in any case.  O(nodes + tensors + inputs listed). */
hw_code hw_blocks_open(hw_blocks *b, const hw_model *m, hw_error *err);
void hw_blocks_close(hw_blocks *b);

/* At least half of the largest. */
static inline bool hw_block_large(const hw_blocks *b, uint32_t i)
{
    return b->block[i].bytes >= b->largest - b->largest / 2;
}

/*
 * When each block lives in an order: last[i] is the position of its last
 * reader, HW_NONE where it has none.  O(inputs listed).
 */
void hw_blocks_last_readers(const hw_blocks *b, const uint32_t *position, uint32_t *last);

/*
 * The steps in which block i is alive, from *first to *end inclusive; false:
 * in none.  O(1).
 */
bool hw_block_alive(const hw_blocks *b, uint32_t i, const uint32_t *position, const uint32_t *last,
                    uint32_t *first, uint32_t *end);

#endif
