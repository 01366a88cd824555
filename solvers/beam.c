/*
 * beam: keep the best prefixes of every size, from one end or from both.
 *
 * Level by level the `width` prefixes of least peak, then least live, are
 * kept; duplicates are dropped.  See exact_beam.h for the cost.
 * Source: beam search (Lowerre 1976), here over prefixes.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/exact_beam.h"

enum { WIDTH, DIRECTION, N_PARAMS };
enum { BOTH, FORWARD, REVERSE };

static const hw_param_row params[N_PARAMS] = {
    [WIDTH] = {"width", HW_PARAM_INT, 1, 65536, 32, NULL, "prefixes kept of each size"},
    [DIRECTION] = {"direction", HW_PARAM_CHOICE, 0, 2, BOTH, "both|forward|reverse",
                   "from which end to search"},
};

static hw_code one_way(const hw_model *m, const exact_problem *p, bool reverse, uint32_t width,
                       hw_meter *meter, uint32_t *order, hw_answer *answer, hw_error *err)
{
    bool found;
    uint64_t peak, limit = answer->has_order ? answer->peak : UINT64_MAX;
    hw_code code = exact_beam(p, reverse, width, limit, meter, order, &found, err);
    if (code != HW_OK || !found)
        return code;
    for (uint32_t i = 0; i < p->n; i++)
        order[i] = p->node[order[i]];
    code = hw_peak(m, order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(m, answer, order, peak);
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    exact_map map = {.node = NULL};
    exact_problem *p = NULL;
    hw_meter meter;
    hw_meter_start(&meter, request);
    hw_meter_look_every(&meter, 4096 / (1 + (uint64_t)m->n_nodes / 256));
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code =
        order ? hw_graph_level_order(m->graph, order, err) : hw_fail_memory(err, "a beam");
    if (code == HW_OK)
        code = exact_map_init(&map, m, err);
    if (code == HW_OK) {
        code = exact_problem_new(m, order, 0, m->n_nodes, m->live_empty,
                                 request->limits.memory_bytes, &map, &p, err);
        if (code == HW_NO_MEMORY && request->limits.memory_bytes) { /* a limit, no failure */
            meter.over = true;
            code = HW_OK;
        }
    }
    int64_t direction = request->params[DIRECTION].i;
    uint32_t width = (uint32_t)request->params[WIDTH].i;
    if (code == HW_OK && direction != FORWARD && !meter.over)
        code = one_way(m, p, true, width, &meter, order, answer, err);
    if (code == HW_OK && direction != REVERSE && !meter.over)
        code = one_way(m, p, false, width, &meter, order, answer, err);
    answer->states = meter.states;
    answer->limit_reached = meter.over;
    exact_problem_free(p);
    exact_map_free(&map);
    free(order);
    return code;
}

const hw_solver_row hw_solver_beam = {
    .name = "beam",
    .kind = HW_SOLVER_HEURISTIC,
    .counts = "prefixes",
    .most_nodes = 20000,
    .params = params,
    .n_params = N_PARAMS,
    .help = "the best prefixes of every size, from both ends",
    .source = "beam search: Lowerre 1976",
    .solve = solve,
};
