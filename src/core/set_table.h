/*
 * A hash table of bit sets that live in an array of the caller's.
 *
 * A slot holds 32 bits of a set's hash and its number in the array (plus 1; 0
 * is an empty slot), so that growing moves slots alone and most misses are
 * settled without touching a set.  Open addressing, linear probing, at most
 * half full.
 */
#ifndef HW_CORE_SET_TABLE_H
#define HW_CORE_SET_TABLE_H

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"

typedef struct hw_set_table {
    uint64_t *slot;
    size_t n_slots; /* a power of two, or 0 */
    size_t capacity;
} hw_set_table;

static inline void hw_set_table_free(hw_set_table *t)
{
    free(t->slot);
    memset(t, 0, sizeof *t);
}

/* Slots that `sets` sets need. */
static inline size_t hw_set_table_slots(size_t sets)
{
    size_t slots = 64;
    while (slots < 2 * sets)
        slots *= 2;
    return slots;
}

/* Empty the table and make it fit for `sets` sets.  False: no memory. */
static inline bool hw_set_table_reset(hw_set_table *t, size_t sets)
{
    size_t slots = hw_set_table_slots(sets);
    if (!t->slot || slots > t->capacity) {
        uint64_t *fresh = HW_NEW0(uint64_t, slots);
        if (!fresh)
            return false;
        free(t->slot);
        t->slot = fresh;
        t->capacity = slots;
    } else {
        memset(t->slot, 0, slots * sizeof *t->slot);
    }
    t->n_slots = slots;
    return true;
}

static inline size_t hw_set_table_home(const hw_set_table *t, uint64_t hash)
{
    return (size_t)(hash >> 32) & (t->n_slots - 1);
}

/* Put a set known to be new at the first empty slot from `at`. */
static inline void hw_set_table_put(hw_set_table *t, size_t at, uint64_t hash, uint32_t number)
{
    while (t->slot[at])
        at = (at + 1) & (t->n_slots - 1);
    t->slot[at] = (hash & UINT64_C(0xffffffff00000000)) | ((uint64_t)number + 1);
}

/* Make it fit for `sets` sets, keeping what it holds.  False: no memory. */
static inline bool hw_set_table_grow(hw_set_table *t, size_t sets)
{
    size_t slots = hw_set_table_slots(sets);
    if (slots <= t->n_slots)
        return true;
    hw_set_table old = *t;
    t->slot = HW_NEW0(uint64_t, slots);
    if (!t->slot) {
        *t = old;
        return false;
    }
    t->n_slots = t->capacity = slots;
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slot[i])
            hw_set_table_put(t, hw_set_table_home(t, old.slot[i]), old.slot[i],
                             (uint32_t)old.slot[i] - 1);
    free(old.slot);
    return true;
}

/*
 * The number of the set equal to `set` (whose hash is given), or UINT32_MAX;
 * then *at is where it may be put.  Set i is the first `words` words of row i
 * of `rows`, rows being `stride` words apart.
 */
HW_SPECIALIZE uint32_t hw_set_table_find(const hw_set_table *t, const uint64_t *rows, size_t stride,
                                         size_t words, const uint64_t *set, uint64_t hash,
                                         size_t *at)
{
    size_t slot = hw_set_table_home(t, hash);
    for (; t->slot[slot]; slot = (slot + 1) & (t->n_slots - 1)) {
        uint32_t number = (uint32_t)t->slot[slot] - 1;
        if ((t->slot[slot] ^ hash) >> 32 == 0 &&
            hw_bits_equal(rows + (size_t)number * stride, set, words))
            return number;
    }
    *at = slot;
    return UINT32_MAX;
}

#endif
