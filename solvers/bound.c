/* Lower bounds from single nodes.  See bound.h. */
#include "solvers/bound.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/footprint.h"

enum {
    FIRST_NODES = 64,      /* asked one by one before all footprints are found at once */
    SWEEP_STEPS = 1 << 20, /* of a sweep between two looks at the clock */
};

/* One search for a bound. */
typedef struct asking {
    const hw_model *m;
    const uint64_t *usage;
    uint32_t *order; /* in which nodes are asked */
    hw_meter *meter;
    uint64_t steps; /* that are left */
    uint64_t bound;
    uint32_t node;
    bool cut;
} asking;

static void raise_to(asking *a, uint64_t found, uint32_t node)
{
    if (found <= a->bound)
        return;
    a->bound = found;
    a->node = node;
}

/* Ask nodes one by one, `most` of them; true: none that is left can raise the bound. */
static bool ask_nodes(asking *a, bound_kind kind, uint32_t most, hw_mincut *c)
{
    for (uint32_t i = 0; i < a->m->n_nodes; i++) {
        uint32_t v = a->order[i];
        if (a->usage[v] <= a->bound)
            return true;
        if (i >= most)
            return false;
        /* A node may take long: the clock is looked at for each. */
        a->cut = a->cut || hw_meter_count(a->meter, 1) || hw_meter_look(a->meter);
        if (a->cut)
            return false;
        raise_to(a, kind == BOUND_MINCUT ? hw_mincut_node(c, v, a->bound) : hw_footprint_node(c, v),
                 v);
        a->cut = hw_mincut_over(c);
    }
    return true;
}

/* All footprints, in slices; what a cut leaves is a bound of each node too. */
static hw_code sweep(asking *a, hw_error *err)
{
    hw_footprint *f = hw_footprint_new(a->m);
    if (!f)
        return hw_fail_memory(err, "a lower bound");
    for (;;) {
        uint64_t slice = a->steps < SWEEP_STEPS ? a->steps : SWEEP_STEPS;
        if (hw_footprint_sweep(f, slice))
            break;
        a->steps -= slice;
        a->cut = a->steps == 0 || hw_meter_look(a->meter);
        if (a->cut)
            break;
    }
    for (uint32_t v = 0; v < a->m->n_nodes; v++)
        raise_to(a, hw_footprint_held(f, v), v);
    (void)hw_meter_count(a->meter, a->m->n_nodes);
    hw_footprint_free(f);
    return HW_OK;
}

static hw_code ask(asking *a, bound_kind kind, hw_error *err)
{
    hw_mincut *c = hw_mincut_new(a->m);
    a->order = HW_NEW(uint32_t, a->m->n_nodes);
    hw_code code = c && a->order ? hw_bound_order(a->m, a->usage, a->order, err)
                                 : hw_fail_memory(err, "a lower bound");
    if (code == HW_OK) {
        /* A sweep would pass a limit of states, which counts nodes. */
        bool all = kind == BOUND_MINCUT || a->meter->request->limits.states;
        hw_mincut_limit(c, a->steps);
        bool settled = ask_nodes(a, kind, all ? UINT32_MAX : FIRST_NODES, c);
        if (!settled && !a->cut && !all)
            code = sweep(a, err);
    }
    free(a->order);
    hw_mincut_free(c);
    return code;
}

hw_code bound_by_nodes(const hw_model *m, bound_kind kind, const uint64_t *usage, hw_meter *meter,
                       uint64_t *bound, uint32_t *node, hw_error *err)
{
    asking a = {.m = m, .usage = usage, .meter = meter, .steps = UINT64_MAX};
    a.bound = *bound;
    a.node = *node;
    hw_code code = ask(&a, kind, err);
    *bound = a.bound;
    *node = a.node;
    return code;
}

hw_code bound_usage(const hw_model *m, const volatile sig_atomic_t *stop, uint64_t *usage,
                    hw_error *err)
{
    static const char *const names[] = {"greedy-reverse", "greedy"};
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes);
    if (!order)
        return hw_fail_memory(err, "a lower bound");
    memset(usage, 0xff, m->n_nodes * sizeof *usage);
    hw_code code = hw_graph_level_order(m->graph, order, err);
    if (code == HW_OK)
        code = hw_bound_usage(m, order, usage, err);
    for (size_t i = 0; code == HW_OK && i < sizeof names / sizeof names[0]; i++) {
        const hw_solver_row *row = hw_solver_find(names[i], strlen(names[i]));
        if (!row)
            continue;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_params_preset(row->params, row->n_params, values);
        hw_request inner = {.params = values, .stop = stop};
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
    uint32_t node = HW_NONE;
    answer->has_bound = true;
    answer->bound = m->simple_bound;
    hw_code code = bound_usage(m, request->stop, usage, err);
    if (code == HW_OK)
        code = bound_by_nodes(m, kind, usage, &meter, &answer->bound, &node, err);
    free(usage);
    answer->states = meter.states;
    answer->limit_reached = meter.over;
    return code;
}

const uint64_t bound_quick_steps[BOUND_KINDS] = {
    [BOUND_FOOTPRINT] = UINT64_C(1) << 27,
    [BOUND_MINCUT] = UINT64_C(1) << 25,
};

const char *bound_kind_name(bound_kind kind)
{
    return kind == BOUND_MINCUT ? "mincut" : "footprint";
}

hw_code bound_ladder_find(const hw_model *m, const hw_request *request,
                          const uint64_t steps[BOUND_KINDS], bound_ladder *out, hw_error *err)
{
    hw_meter meter;
    hw_meter_start(&meter, request);
    *out = (bound_ladder){.simple = m->simple_bound};
    asking a = {.m = m, .meter = &meter, .bound = m->simple_bound, .node = HW_NONE};
    uint64_t *usage = HW_NEW(uint64_t, m->n_nodes);
    if (!usage)
        return hw_fail_memory(err, "a lower bound");
    a.usage = usage;
    hw_code code = bound_usage(m, request->stop, usage, err);
    for (int kind = 0; kind < BOUND_KINDS && code == HW_OK; kind++) {
        a.steps = steps[kind];
        a.cut = a.steps == 0;
        if (!a.cut)
            code = ask(&a, (bound_kind)kind, err);
        out->part[kind] = (bound_part){a.bound, a.cut};
    }
    free(usage);
    hw_meter_end(&meter);
    return code;
}
