/* The table of allocators.  See allocators.h. */
#include "arena/allocators.h"

#include <string.h>

#define HW_ALLOCATOR_POINTER(row) &(row),
const hw_allocator *const hw_allocators[] = {HW_ALLOCATORS(HW_ALLOCATOR_POINTER)};
const size_t hw_n_allocators = sizeof hw_allocators / sizeof hw_allocators[0];

const hw_allocator *hw_allocator_find(const char *name, size_t n)
{
    for (size_t i = 0; i < hw_n_allocators; i++)
        if (strlen(hw_allocators[i]->name) == n && memcmp(hw_allocators[i]->name, name, n) == 0)
            return hw_allocators[i];
    return NULL;
}

hw_code hw_allocator_parse(const char *spec, const hw_allocator **row, hw_param_value *values,
                           hw_error *err)
{
    const char *names[sizeof hw_allocators / sizeof hw_allocators[0]];
    *row = hw_allocator_find(spec, strcspn(spec, ":"));
    if (*row)
        return hw_params_of_spec("allocator", (*row)->params, (*row)->n_params, spec, values, err);
    for (size_t i = 0; i < hw_n_allocators; i++)
        names[i] = hw_allocators[i]->name;
    return hw_fail_no_such("allocator", "allocators", spec, names, hw_n_allocators, err);
}
