/* Lower bounds from single nodes.  See bound.h. */
#include "solvers/bound.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code bound_by_nodes(const hw_model *m, bound_kind kind, const uint64_t *usage, hw_meter *meter,
                       uint64_t *bound, uint32_t *node, hw_error *err)
{
    hw_mincut *c = hw_mincut_new(m);
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code =
        c && order ? hw_bound_order(m, usage, order, err) : hw_fail_memory(err, "a lower bound");
    for (uint32_t i = 0; code == HW_OK && i < m->n_nodes; i++) {
        uint32_t v = order[i];
        /* A node may take long: the clock is looked at for each. */
        if (usage[v] <= *bound || hw_meter_count(meter, 1) || hw_meter_look(meter))
            break;
        uint64_t found =
            kind == BOUND_MINCUT ? hw_mincut_node(c, v, *bound) : hw_footprint_node(c, v);
        if (found > *bound) {
            *bound = found;
            *node = v;
        }
    }
    free(order);
    hw_mincut_free(c);
    return code;
}

/* The least usage of each node over the orders of quick heuristics. */
static hw_code lay_usage(const hw_model *m, const hw_request *request, uint64_t *usage,
                         hw_error *err)
{
    static const char *const names[] = {"greedy-reverse", "greedy"};
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    if (!order)
        return hw_fail_memory(err, "a lower bound");
    hw_code code = hw_graph_level_order(m->graph, order, err);
    if (code == HW_OK)
        code = hw_bound_usage(m, order, usage, err);
    for (size_t i = 0; code == HW_OK && i < sizeof names / sizeof names[0]; i++) {
        const hw_solver_row *row = hw_solver_find(names[i], strlen(names[i]));
        if (!row)
            continue;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_params_preset(row->params, row->n_params, values);
        hw_request inner = {.params = values, .stop = request->stop};
        hw_answer found = {.order = order};
        code = row->solve(m, &inner, &found, err);
        if (code == HW_OK && found.has_order)
            code = hw_bound_usage(m, found.order, usage, err);
    }
    free(order);
    return code;
}

hw_code bound_solve(const hw_model *m, bound_kind kind, const hw_request *request,
                    hw_answer *answer, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    uint64_t *usage = HW_NEW(uint64_t, m->n_nodes);
    if (!usage)
        return hw_fail_memory(err, "a lower bound");
    memset(usage, 0xff, m->n_nodes * sizeof *usage);
    uint32_t node = HW_NONE;
    answer->has_bound = true;
    answer->bound = m->simple_bound;
    hw_code code = lay_usage(m, request, usage, err);
    if (code == HW_OK)
        code = bound_by_nodes(m, kind, usage, &meter, &answer->bound, &node, err);
    free(usage);
    answer->states = meter.states;
    answer->limit_reached = meter.over;
    return code;
}
