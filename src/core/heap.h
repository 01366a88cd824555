/*
 * An indexed 4-ary min-heap of 128-bit keys.
 *
 * The low 31 bits of a key are the item itself, so that keys are distinct, the
 * order of removal is fully determined and a key names its item without a
 * second array.  Four children fill one cache line; a sift compares without
 * unpredictable branches, because the slots that follow the last key hold the
 * greatest key.
 *
 * position[item] is the caller's array, of one entry an item: while the item
 * is in the heap it holds its slot with HW_HEAP_IN set.  For items outside,
 * the caller may keep any number below HW_HEAP_IN there (solvers keep the
 * number of predecessors yet to run: one cache line serves both).
 *
 * Every change takes O(log n).  Keys are greater than 0.
 * Source: d-ary heaps, Johnson 1975.
 */
#ifndef HW_CORE_HEAP_H
#define HW_CORE_HEAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"

__extension__ typedef unsigned __int128 hw_key;

#define HW_HEAP_ITEM_BITS 31
#define HW_HEAP_IN        (UINT32_C(1) << 31)
#define HW_HEAP_MOST      (HW_HEAP_IN - 1) /* items are below this */

typedef struct hw_heap {
    hw_key *slot; /* slot[1], slot[5], ... begin cache lines */
    uint32_t *position;
    uint32_t count;
    void *memory;
} hw_heap;

static inline uint32_t hw_key_item(hw_key key)
{
    return (uint32_t)key & HW_HEAP_MOST;
}

/* An empty heap for up to n items; false: out of memory. */
static inline bool hw_heap_init(hw_heap *h, uint32_t n, uint32_t *position)
{
    enum { LINE = 64 };
    h->memory = hw_alloc((size_t)n + 12, sizeof(hw_key));
    h->slot = NULL;
    h->position = position;
    h->count = 0;
    if (!h->memory)
        return false;
    uintptr_t aligned = ((uintptr_t)h->memory + LINE - 1) / LINE * LINE;
    h->slot = (hw_key *)aligned + 3;
    return true;
}

static inline void hw_heap_free(hw_heap *h)
{
    free(h->memory);
    h->memory = NULL;
}

static inline bool hw_heap_holds(const hw_heap *h, uint32_t item)
{
    return h->position[item] & HW_HEAP_IN;
}

static inline hw_key hw_heap_key(const hw_heap *h, uint32_t item)
{
    return h->slot[h->position[item] & HW_HEAP_MOST];
}

static inline void hw_heap_put(hw_heap *h, uint32_t at, hw_key key)
{
    h->slot[at] = key;
    h->position[hw_key_item(key)] = at | HW_HEAP_IN;
}

/* Let `key` rise from the free slot `at` to its place. */
static inline void hw_heap_rise(hw_heap *h, uint32_t at, hw_key key)
{
    while (at) {
        uint32_t parent = (at - 1) / 4;
        if (h->slot[parent] < key)
            break;
        hw_heap_put(h, at, h->slot[parent]);
        at = parent;
    }
    hw_heap_put(h, at, key);
}

/* Let `key` sink from the free slot `at` to its place. */
static inline void hw_heap_sink(hw_heap *h, uint32_t at, hw_key key)
{
    for (;;) {
        uint64_t child = 4 * (uint64_t)at + 1;
        if (child >= h->count)
            break;
        const hw_key *s = h->slot + child;
        uint32_t a = s[1] < s[0], b = 2 + (uint32_t)(s[3] < s[2]);
        uint32_t least = s[b] < s[a] ? b : a;
        if (key < s[least])
            break;
        hw_heap_put(h, at, s[least]);
        at = (uint32_t)child + least;
    }
    hw_heap_put(h, at, key);
}

/* Add an item that the heap does not hold. */
static inline void hw_heap_push(hw_heap *h, hw_key key)
{
    uint32_t at = h->count++;
    if (at % 4 == 1)
        h->slot[at + 1] = h->slot[at + 2] = h->slot[at + 3] = ~(hw_key)0;
    hw_heap_rise(h, at, key);
}

/* Give an item that the heap holds a smaller key. */
static inline void hw_heap_lower(hw_heap *h, hw_key key)
{
    hw_heap_rise(h, h->position[hw_key_item(key)] & HW_HEAP_MOST, key);
}

/* Give an item that the heap holds a greater key. */
static inline void hw_heap_raise(hw_heap *h, hw_key key)
{
    hw_heap_sink(h, h->position[hw_key_item(key)] & HW_HEAP_MOST, key);
}

/* Remove an item that the heap holds; its position becomes 0. */
static inline void hw_heap_remove(hw_heap *h, uint32_t item)
{
    uint32_t at = h->position[item] & HW_HEAP_MOST;
    h->position[item] = 0;
    hw_key last = h->slot[--h->count];
    h->slot[h->count] = ~(hw_key)0;
    if (at == h->count)
        return;
    if (at && last < h->slot[(at - 1) / 4])
        hw_heap_rise(h, at, last);
    else
        hw_heap_sink(h, at, last);
}

/*
 * Return the least key of a heap that is not empty and leave a hole in its
 * place: until fill or close, only lower and raise are allowed.  A push that
 * follows a pop anyway then costs one sift instead of two.
 */
static inline hw_key hw_heap_open(hw_heap *h)
{
    hw_key top = h->slot[0];
    h->position[hw_key_item(top)] = 0;
    h->slot[0] = 0; /* below all keys: nothing rises past it */
    return top;
}

/* Put a new item into the hole. */
static inline void hw_heap_fill(hw_heap *h, hw_key key)
{
    hw_heap_sink(h, 0, key);
}

/* Close the hole without a new item. */
static inline void hw_heap_close(hw_heap *h)
{
    hw_key last = h->slot[--h->count];
    h->slot[h->count] = ~(hw_key)0;
    if (h->count)
        hw_heap_sink(h, 0, last);
}

/* Remove and return the least key; the heap is not empty. */
static inline hw_key hw_heap_pop(hw_heap *h)
{
    hw_key top = hw_heap_open(h);
    hw_heap_close(h);
    return top;
}

#endif
