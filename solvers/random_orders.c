/*
 * Random orders.  See random_orders.h.
 *
 * Kahn's algorithm with a draw among the ready nodes.  Not every order is
 * equally likely: nodes that wait beside many others are drawn late.  Depth
 * first, the nodes that a step makes ready are shuffled and go on top of those
 * that wait, so that a branch is finished, if it can be, before the next.
 */
#include "solvers/random_orders.h"

#include "core/rng.h"
#include "model/sim.h"
#include "solvers/ready.h"

typedef struct drawing {
    const hw_model *m;
    hw_meter meter;
    hw_gate gate;
    hw_sim sim;
    gsl_rng *rng;
    uint32_t *waiting, *ready, *order;
    bool depth_first;
} drawing;

static void reset(drawing *d)
{
    hw_sim_reset(&d->sim);
    hw_count_preds(d->m, d->waiting);
    hw_gate_reset(&d->gate);
}

/*
 * Take one of ready[0 .. count) that the gate lets through, all such with
 * equal chances: those turned away move behind the ones still in the draw.
 */
static bool draw(drawing *d, uint32_t *count, uint32_t *v)
{
    for (uint32_t left = *count; left; left--) {
        uint32_t at = (uint32_t)hw_rng_below(d->rng, left);
        *v = d->ready[at];
        if (hw_gate_allows(&d->gate, *v)) {
            d->ready[at] = d->ready[--*count];
            return true;
        }
        d->ready[at] = d->ready[left - 1];
        d->ready[left - 1] = *v;
    }
    return false;
}

/* Take the last of ready[0 .. count) that the gate lets through. */
static bool take_last(drawing *d, uint32_t *count, uint32_t *v)
{
    uint32_t at = *count;
    while (at && !hw_gate_allows(&d->gate, d->ready[at - 1]))
        at--;
    if (at == 0)
        return false;
    *v = d->ready[at - 1];
    for (--*count; at <= *count; at++)
        d->ready[at - 1] = d->ready[at];
    return true;
}

static void shuffle(drawing *d, uint32_t *item, uint32_t count)
{
    for (; count > 1; count--) {
        uint32_t at = (uint32_t)hw_rng_below(d->rng, count), swap = item[at];
        item[at] = item[count - 1];
        item[count - 1] = swap;
    }
}

/* One order into d->order; *over when the meter ended it early. */
static hw_code draw_order(drawing *d, bool *over, hw_error *err)
{
    uint32_t n = d->m->n_nodes, count = 0, v = 0;
    const hw_rows *succs = &d->m->graph->succs;
    reset(d);
    for (uint32_t u = 0; u < n; u++)
        if (d->waiting[u] == 0)
            d->ready[count++] = u;
    if (d->depth_first)
        shuffle(d, d->ready, count);
    for (uint32_t step = 0; step < n; step++) {
        *over = hw_meter_count(&d->meter, 1);
        if (*over && step + 1 < n)
            return HW_OK;
        if (!(d->depth_first ? take_last(d, &count, &v) : draw(d, &count, &v)))
            return hw_gate_stuck(&d->gate, err);
        hw_gate_pass(&d->gate, v);
        d->order[step] = v;
        (void)hw_sim_step(&d->sim, v);
        uint32_t before = count;
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            if (--d->waiting[succs->item[i]] == 0)
                d->ready[count++] = succs->item[i];
        if (d->depth_first)
            shuffle(d, d->ready + before, count - before);
    }
    return HW_OK;
}

static hw_code draw_orders(drawing *d, uint64_t most, const hw_request *request, hw_answer *answer,
                           hw_error *err)
{
    uint32_t n = d->m->n_nodes;
    for (uint64_t k = 0; k < most; k++) {
        bool over = false;
        hw_code code = draw_order(d, &over, err);
        if (code != HW_OK)
            return code;
        if (d->sim.steps == n)
            (void)hw_answer_improve(d->m, answer, d->order, d->sim.peak);
        if (answer->has_order && (answer->peak == d->m->simple_bound ||
                                  (request->has_budget && answer->peak <= request->budget_bytes)))
            break;
        if (over && (d->sim.steps < n || k + 1 < most)) {
            answer->limit_reached = true;
            break;
        }
    }
    answer->states = d->meter.states;
    return HW_OK;
}

hw_code hw_random_orders(const hw_model *m, uint64_t most, bool depth_first,
                         const hw_request *request, hw_answer *answer, hw_error *err)
{
    drawing d = {.m = m, .rng = hw_rng_new(request->seed), .depth_first = depth_first};
    d.waiting = HW_NEW(uint32_t, m->n_nodes);
    d.ready = HW_NEW(uint32_t, m->n_nodes);
    d.order = HW_NEW(uint32_t, m->n_nodes);
    hw_meter_start(&d.meter, request);
    hw_code code = hw_sim_init(&d.sim, m, err);
    if (code == HW_OK)
        code = hw_gate_open(&d.gate, m, false, err);
    if (code == HW_OK && (!d.rng || !d.waiting || !d.ready || !d.order))
        code = hw_fail_memory(err, "random orders");
    if (code == HW_OK)
        code = draw_orders(&d, most, request, answer, err);
    if (d.rng)
        gsl_rng_free(d.rng);
    hw_gate_close(&d.gate);
    hw_sim_free(&d.sim);
    free(d.waiting);
    free(d.ready);
    free(d.order);
    return code;
}
