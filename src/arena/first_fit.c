/*
 * first-fit: buffers in order of birth, each at the lowest address that is
 * free for the whole of its life among those placed before.
 *
 * As those placed before were born no later, "free now" and "free for its
 * whole life" are the same: this is what first-fit with perfect splitting and
 * coalescing does online.  At worst a logarithmic factor above the load for
 * buffers of one span (Robson, 1977).  O(n^2).
 */
#include "arena/allocators.h"
#include "arena/order.h"

static hw_ranked by_birth(const hw_arena *a, const void *context, uint32_t buffer)
{
    (void)context;
    return (hw_ranked){{hw_key_tick(a->buffer[buffer].lower)}, buffer};
}

static hw_code place_first(const hw_arena *a, const hw_placement_request *request,
                           hw_placement *out, hw_error *err)
{
    return hw_place_ranked(a, request, by_birth, NULL, hw_fit_lowest, out, err);
}

static hw_code place_best(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                          hw_error *err)
{
    return hw_place_ranked(a, request, by_birth, NULL, hw_fit_tightest, out, err);
}

const hw_allocator hw_allocator_first_fit = {
    .name = "first-fit",
    .help = "in order of birth, each at the lowest free address",
    .source = "Knuth, The Art of Computer Programming 1, 1968, 2.5",
    .in_time_order = true,
    .place = place_first,
};

/* best-fit: the same, in the hole that leaves least room; the lower of equal ones. */
const hw_allocator hw_allocator_best_fit = {
    .name = "best-fit",
    .help = "in order of birth, each in the hole that it fills best",
    .source = "Knuth, The Art of Computer Programming 1, 1968, 2.5",
    .in_time_order = true,
    .place = place_best,
};
