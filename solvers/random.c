/*
 * random: the best of n orders, each step of which takes a ready node with
 * equal chances.
 *
 * (Not every order is equally likely: nodes that wait beside many others are
 * drawn late.)  The draws are one stream of the request's seed.  Under windows
 * the draw is among the nodes that may run.  O(n (nodes + edges)); under
 * windows O(log nodes) a step more, and a draw for each node turned away.
 */
#include "core/rng.h"
#include "model/sim.h"
#include "solvers/ready.h"

enum { COUNT, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [COUNT] = {"n", HW_PARAM_INT, 1, 1e12, 100, NULL, "how many orders to draw"},
};

typedef struct drawing {
    const hw_model *m;
    hw_meter meter;
    hw_gate gate;
    hw_sim sim;
    gsl_rng *rng;
    uint32_t *waiting, *ready, *order;
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

/* One order into d->order; *over when the meter ended it early. */
static hw_code draw_order(drawing *d, bool *over, hw_error *err)
{
    uint32_t n = d->m->n_nodes, count = 0, v = 0;
    const hw_rows *succs = &d->m->graph->succs;
    reset(d);
    for (uint32_t u = 0; u < n; u++)
        if (d->waiting[u] == 0)
            d->ready[count++] = u;
    for (uint32_t step = 0; step < n; step++) {
        *over = hw_meter_count(&d->meter, 1);
        if (*over && step + 1 < n)
            return HW_OK;
        if (!draw(d, &count, &v))
            return hw_gate_stuck(&d->gate, err);
        hw_gate_pass(&d->gate, v);
        d->order[step] = v;
        (void)hw_sim_step(&d->sim, v);
        for (uint32_t i = succs->offset[v]; i < succs->offset[v + 1]; i++)
            if (--d->waiting[succs->item[i]] == 0)
                d->ready[count++] = succs->item[i];
    }
    return HW_OK;
}

static hw_code draw_orders(drawing *d, const hw_request *request, hw_answer *answer, hw_error *err)
{
    uint32_t n = d->m->n_nodes;
    for (int64_t k = 0; k < request->params[COUNT].i; k++) {
        bool over = false;
        hw_code code = draw_order(d, &over, err);
        if (code != HW_OK)
            return code;
        if (d->sim.steps == n)
            (void)hw_answer_improve(d->m, answer, d->order, d->sim.peak);
        if (answer->has_order && (answer->peak == d->m->simple_bound ||
                                  (request->has_budget && answer->peak <= request->budget_bytes)))
            break;
        if (over && (d->sim.steps < n || k + 1 < request->params[COUNT].i)) {
            answer->limit_reached = true;
            break;
        }
    }
    answer->states = d->meter.states;
    return HW_OK;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    drawing d = {.m = m, .rng = hw_rng_new(request->seed)};
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
        code = draw_orders(&d, request, answer, err);
    if (d.rng)
        gsl_rng_free(d.rng);
    hw_gate_close(&d.gate);
    hw_sim_free(&d.sim);
    free(d.waiting);
    free(d.ready);
    free(d.order);
    return code;
}

const hw_solver_row hw_solver_random = {
    .name = "random",
    .kind = HW_SOLVER_HEURISTIC,
    .random = true,
    .budget_aware = true,
    .counts = "steps",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best of n orders drawn at random",
    .source = "baseline",
    .solve = solve,
};
