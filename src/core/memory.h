/*
 * Allocation with checked sizes, and growing arrays.
 *
 * All return NULL on overflow or exhaustion; memory is released by free().
 * A request for nothing returns a pointer that may be freed, never NULL, so
 * that NULL always means failure.
 */
#ifndef HW_CORE_MEMORY_H
#define HW_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *hw_alloc(size_t count, size_t item_bytes);  /* not cleared */
void *hw_calloc(size_t count, size_t item_bytes); /* cleared     */
void *hw_copy(const void *from, size_t count, size_t item_bytes);
char *hw_copy_text(const char *text, size_t n); /* the first n characters, and a NUL */

#define HW_NEW(type, count)  ((type *)hw_alloc((size_t)(count), sizeof(type)))
#define HW_NEW0(type, count) ((type *)hw_calloc((size_t)(count), sizeof(type)))

/*
 * Make room for `need` items in *array, which holds *capacity now; grows by
 * half at least, so that appending is amortised O(1).  False: out of memory,
 * the array is as it was.
 */
bool hw_grow(void **array, size_t *capacity, size_t need, size_t item_bytes);

/* a + b into *sum; false when it passes 2^64 - 1. */
static inline bool hw_add_u64(uint64_t a, uint64_t b, uint64_t *sum)
{
    *sum = a + b;
    return *sum >= a;
}

#endif
