/* Allocation with checked sizes, and growing arrays.  See memory.h. */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

static bool product(size_t count, size_t item_bytes, size_t *bytes)
{
    if (item_bytes != 0 && count > SIZE_MAX / item_bytes)
        return false;
    *bytes = count * item_bytes;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

void *hw_alloc(size_t count, size_t item_bytes)
{
    size_t bytes;
    return product(count, item_bytes, &bytes) ? malloc(bytes) : NULL;
}

void *hw_calloc(size_t count, size_t item_bytes)
{
    size_t bytes;
    return product(count, item_bytes, &bytes) ? calloc(1, bytes) : NULL;
}

void *hw_copy(const void *from, size_t count, size_t item_bytes)
{
    void *to = hw_alloc(count, item_bytes);
    if (to && count && item_bytes)
        memcpy(to, from, count * item_bytes);
    return to;
}

char *hw_copy_text(const char *text, size_t n)
{
    char *to = n < SIZE_MAX ? hw_alloc(n + 1, 1) : NULL;
    if (!to)
        return NULL;
    memcpy(to, text, n);
    to[n] = '\0';
    return to;
}

bool hw_grow(void **array, size_t *capacity, size_t need, size_t item_bytes)
{
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity + *capacity / 2;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;
    size_t bytes;
    if (!product(wanted, item_bytes, &bytes))
        return false;
    void *moved = realloc(*array, bytes);
    if (!moved)
        return false;
    *array = moved;
    *capacity = wanted;
    return true;
}
