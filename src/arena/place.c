/* Calling an allocator and checking what it did.  See arena.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena/arena.h"

void hw_placement_clear(hw_placement *p)
{
    free(p->offset);
    memset(p, 0, sizeof *p);
}

static hw_code verify(const hw_arena *a, const hw_allocator *allocator, const hw_placement *p,
                      hw_error *err)
{
    uint64_t height;
    hw_error why;
    if (p->bound < a->bound)
        return hw_fail(err, HW_INTERNAL, "allocator %s: bound %" PRIu64 " below the load %" PRIu64,
                       allocator->name, p->bound, a->bound);
    if (!p->placed)
        return HW_OK;
    hw_code code = hw_arena_check(a, p->offset, &height, &why);
    if (code == HW_NO_MEMORY)
        return hw_fail_memory(err, "checking an allocation");
    if (code != HW_OK)
        return hw_fail(err, HW_INTERNAL, "allocator %s: %.600s: please report this",
                       allocator->name, why.message);
    bool blocks = allocator->in_time_order && height < p->height; /* rounded up past the buffer */
    if ((height != p->height && !blocks) || height < p->bound)
        return hw_fail(err, HW_INTERNAL,
                       "allocator %s: height %" PRIu64 ", bound %" PRIu64
                       ", but the checker finds %" PRIu64 ": please report this",
                       allocator->name, p->height, p->bound, height);
    return HW_OK;
}

hw_code hw_arena_place(const hw_arena *a, const hw_allocator *allocator,
                       const hw_placement_request *request, hw_placement *out, hw_error *err)
{
    hw_param_value preset[HW_PARAM_LIMIT];
    hw_placement_request asked = *request;
    memset(out, 0, sizeof *out);
    if (!asked.params) {
        hw_params_preset(allocator->params, allocator->n_params, preset);
        asked.params = preset;
    }
    out->bound = a->bound;
    hw_code code = allocator->place(a, &asked, out, err);
    if (code == HW_OK)
        code = verify(a, allocator, out, err);
    if (code != HW_OK)
        hw_placement_clear(out);
    return code;
}
