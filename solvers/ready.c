/* Gate of windows, scheduling by ranks.  See ready.h. */
#include "solvers/ready.h"

#include <inttypes.h>
#include <string.h>

#include "model/sim.h"

hw_code hw_gate_open(hw_gate *gate, const hw_model *m, bool backwards, hw_error *err)
{
    memset(gate, 0, sizeof *gate);
    if (!m->earliest)
        return HW_OK;
    uint32_t n = m->n_nodes;
    gate->earliest = HW_NEW(uint32_t, n);
    gate->latest = HW_NEW(uint32_t, n);
    if (!gate->earliest || !gate->latest)
        return hw_fail_memory(err, "windows");
    for (uint32_t v = 0; v < n; v++) {
        uint32_t at = backwards ? n - 1 - v : v;
        gate->earliest[at] = backwards ? n - 1 - m->latest[v] : m->earliest[v];
        gate->latest[at] = backwards ? n - 1 - m->earliest[v] : m->latest[v];
    }
    gate->windows = true;
    if (!hw_slack_init(&gate->slack, n, gate->earliest, gate->latest))
        return hw_fail_memory(err, "windows");
    return HW_OK;
}

void hw_gate_close(hw_gate *gate)
{
    hw_slack_free(&gate->slack);
    free(gate->earliest);
    free(gate->latest);
    memset(gate, 0, sizeof *gate);
}

/* The least key of the heap that the gate lets through, 0 when there is none. */
static hw_key find_allowed(const hw_gate *gate, const hw_heap *heap)
{
    hw_key least = 0;
    for (uint32_t i = 0; i < heap->count; i++) {
        hw_key key = heap->slot[i];
        if ((least == 0 || key < least) && hw_gate_allows(gate, hw_key_item(key)))
            least = key;
    }
    return least;
}

/*
 * As a rule one of the first keys is let through.  After a few that are not, it
 * is cheaper to go through the heap once than to take it apart.
 */
hw_key hw_gate_pop(hw_gate *gate, hw_heap *heap)
{
    if (!gate->windows)
        return hw_heap_pop(heap);
    hw_key key = 0;
    uint32_t refused = 0;
    while (heap->count && key == 0 && refused < HW_GATE_ASIDE) {
        hw_key top = hw_heap_pop(heap);
        if (hw_gate_allows(gate, hw_key_item(top)))
            key = top;
        else
            gate->aside[refused++] = top;
    }
    if (key == 0 && heap->count) {
        key = find_allowed(gate, heap);
        if (key)
            hw_heap_remove(heap, hw_key_item(key));
    }
    while (refused)
        hw_heap_push(heap, gate->aside[--refused]);
    if (key)
        hw_gate_pass(gate, hw_key_item(key));
    return key;
}

hw_code hw_gate_stuck(const hw_gate *gate, hw_error *err)
{
    return hw_fail(err, HW_INTERNAL,
                   "at step %" PRIu32 " no ready node fits the windows, though some order does: "
                   "please report this graph",
                   gate->slack.step);
}

void hw_count_preds(const hw_model *m, uint32_t *waiting)
{
    const uint32_t *offset = m->graph->preds.offset;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        waiting[v] = offset[v + 1] - offset[v];
}

hw_code hw_answer_finish(const hw_model *m, hw_answer *answer, hw_error *err)
{
    uint64_t peak;
    hw_code code = hw_peak(m, answer->order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, answer->order, peak);
    return code;
}

/* Keys are greater than 0, whatever the rank. */
static hw_key rank_key(hw_key rank, uint32_t v)
{
    return (rank + 1) << HW_HEAP_ITEM_BITS | v;
}

static hw_code run_by_rank(const hw_model *m, const hw_request *request, hw_rank_function rank,
                           hw_gate *gate, hw_heap *heap, hw_answer *answer, hw_error *err)
{
    uint32_t n = m->n_nodes, arrivals = 0, step = 0, *waiting = heap->position;
    const hw_rows *succs = &m->graph->succs;
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_count_preds(m, waiting);
    for (uint32_t v = 0; v < n; v++)
        if (waiting[v] == 0)
            hw_heap_push(heap, rank_key(rank(m, v, arrivals++), v));
    while (heap->count && !answer->limit_reached) {
        hw_key key = hw_gate_pop(gate, heap);
        if (key == 0)
            return hw_gate_stuck(gate, err);
        uint32_t v = hw_key_item(key);
        answer->order[step++] = v;
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++) {
            uint32_t s = succs->item[i];
            if (--waiting[s] == 0)
                hw_heap_push(heap, rank_key(rank(m, s, arrivals++), s));
        }
        answer->limit_reached = hw_meter_count(&meter, 1) && step < n;
    }
    answer->states = meter.states;
    return answer->limit_reached ? HW_OK : hw_answer_finish(m, answer, err);
}

hw_code hw_schedule_by_rank(const hw_model *m, const hw_request *request, hw_rank_function rank,
                            hw_answer *answer, hw_error *err)
{
    hw_gate gate;
    hw_heap heap = {0};
    uint32_t *position = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = hw_gate_open(&gate, m, false, err);
    if (!position || !hw_heap_init(&heap, m->n_nodes, position))
        code = hw_fail_memory(err, "the ready nodes");
    else if (code == HW_OK)
        code = run_by_rank(m, request, rank, &gate, &heap, answer, err);
    hw_heap_free(&heap);
    hw_gate_close(&gate);
    free(position);
    return code;
}
