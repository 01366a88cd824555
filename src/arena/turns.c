/* Serving buffers in order of time.  See turns.h. */
#include "arena/turns.h"

#include <stdlib.h>

#include "arena/clock.h"
#include "arena/order.h"
#include "core/memory.h"

static void sort_by(const hw_arena *a, bool upper, hw_ranked *ranked)
{
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        const hw_buffer *b = &a->buffer[i];
        ranked[i] = (hw_ranked){{hw_key_tick(upper ? b->upper : b->lower)}, i};
    }
    hw_rank_sort(ranked, a->n_buffers);
}

static hw_code serve(const hw_arena *a, const hw_placement_request *request,
                     const hw_server *server, const hw_ranked *born, const hw_ranked *gone,
                     hw_placement *out, hw_error *err)
{
    const hw_clock clock = hw_clock_start(request->seconds);
    uint32_t left = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        hw_code code = HW_OK;
        uint32_t b = born[i].buffer;
        if (request->stop && *request->stop)
            return hw_fail(err, HW_STOPPED, "stopped before all buffers had their place");
        if (i % 256 == 255 && hw_clock_over(&clock))
            return hw_fail(err, HW_LIMIT,
                           "the time is over before all buffers have their place: give more");
        for (; code == HW_OK && gone[left].key[0] <= born[i].key[0]; left++)
            code =
                server->give(server->state, gone[left].buffer, out->offset[gone[left].buffer], err);
        if (code == HW_OK)
            code = server->take(server->state, b, &out->offset[b], err);
        if (code != HW_OK)
            return code;
        uint64_t end = out->offset[b] + a->buffer[b].size;
        out->height = end > out->height ? end : out->height;
    }
    return HW_OK;
}

hw_code hw_serve(const hw_arena *a, const hw_placement_request *request, const char *name,
                 const hw_server *server, hw_placement *out, hw_error *err)
{
    for (uint32_t i = 0; i < a->n_buffers; i++)
        if (a->buffer[i].fixed != HW_ARENA_FREE)
            return hw_fail(err, HW_USAGE,
                           "%s serves requests as they come and cannot keep the fixed offset of "
                           "buffer %.64s free: take an allocator that knows all of them",
                           name, a->label[i]);
    hw_ranked *born = HW_NEW(hw_ranked, a->n_buffers), *gone = HW_NEW(hw_ranked, a->n_buffers);
    hw_code code = HW_OK;
    out->offset = HW_NEW0(uint64_t, a->n_buffers);
    if (!born || !gone || !out->offset) {
        code = hw_fail_memory(err, "serving requests");
    } else {
        sort_by(a, false, born);
        sort_by(a, true, gone);
        code = serve(a, request, server, born, gone, out, err);
    }
    free(born);
    free(gone);
    out->states = a->n_buffers;
    out->placed = code == HW_OK;
    return code;
}
