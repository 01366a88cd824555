/* The table of allocators: each in a file of its own. */
#ifndef HW_ARENA_ALLOCATORS_H
#define HW_ARENA_ALLOCATORS_H

#include "arena/arena.h"

#define HW_ALLOCATORS(X)                                                                           \
    X(hw_allocator_first_fit)                                                                      \
    X(hw_allocator_best_fit)                                                                       \
    X(hw_allocator_greedy_by_size)                                                                 \
    X(hw_allocator_greedy_by_breadth)                                                              \
    X(hw_allocator_greedy_by_conflicts)                                                            \
    X(hw_allocator_hill_climb)                                                                     \
    X(hw_allocator_bucket_pool)                                                                    \
    X(hw_allocator_free_list)                                                                      \
    X(hw_allocator_exact)

#define HW_ALLOCATOR_DECLARE(row) extern const hw_allocator row;
HW_ALLOCATORS(HW_ALLOCATOR_DECLARE)
#undef HW_ALLOCATOR_DECLARE

#endif
