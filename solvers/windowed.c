/* Bring an order into the windows.  See windowed.h. */
#include "solvers/windowed.h"

#include <stdlib.h>

#include "core/memory.h"
#include "solvers/ready.h"

static hw_key key_of(const uint32_t *position, uint32_t v)
{
    return ((hw_key)position[v] + 1) << HW_HEAP_ITEM_BITS | v;
}

static hw_code rearrange(const hw_model *m, hw_gate *gate, hw_heap *ready, const uint32_t *position,
                         uint32_t *order, hw_error *err)
{
    uint32_t *waiting = ready->position;
    const hw_rows *succs = &m->graph->succs;
    hw_count_preds(m, waiting);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        if (waiting[v] == 0)
            hw_heap_push(ready, key_of(position, v));
    for (uint32_t step = 0; step < m->n_nodes; step++) {
        hw_key key = ready->count ? hw_gate_pop(gate, ready) : 0;
        if (key == 0)
            return hw_gate_stuck(gate, err);
        uint32_t v = hw_key_item(key);
        order[step] = v;
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            if (--waiting[succs->item[i]] == 0)
                hw_heap_push(ready, key_of(position, succs->item[i]));
    }
    return HW_OK;
}

hw_code hw_order_into_windows(const hw_model *m, uint32_t *order, hw_error *err)
{
    if (!m->earliest)
        return HW_OK;
    hw_gate gate;
    hw_heap ready = {0};
    uint32_t *position = HW_NEW(uint32_t, m->n_nodes), *place = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = hw_gate_open(&gate, m, false, err);
    if (!position || !place || !hw_heap_init(&ready, m->n_nodes, place)) {
        code = hw_fail_memory(err, "windows");
    } else if (code == HW_OK) {
        hw_order_positions(order, m->n_nodes, position);
        code = rearrange(m, &gate, &ready, position, order, err);
    }
    hw_heap_free(&ready);
    hw_gate_close(&gate);
    free(position);
    free(place);
    return code;
}
