/* The table of allocators.  See allocators.h. */
#include "arena/allocators.h"

#include <string.h>

#define HW_ALLOCATOR_POINTER(row) &(row),
const hw_allocator *const hw_allocators[] = {HW_ALLOCATORS(HW_ALLOCATOR_POINTER)};
const size_t hw_n_allocators = sizeof hw_allocators / sizeof *hw_allocators;

const hw_allocator *hw_allocator_find(const char *name, size_t n)
{
    for (size_t i = 0; i < hw_n_allocators; i++)
        if (strlen(hw_allocators[i]->name) == n && memcmp(hw_allocators[i]->name, name, n) == 0)
            return hw_allocators[i];
    return NULL;
}
