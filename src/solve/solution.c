/* One call from a graph to an answer.  See solution.h. */
#include "solve/solution.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/idmap.h"
#include "core/memory.h"
#include "model/check.h"
#include "solve/solver.h"

struct hw_solution {
    hw_answer answer; /* its order holds ids, not indices */
    uint32_t length;
    uint64_t resident_bytes;
};

hw_error *hw_error_new(void)
{
    return HW_NEW0(hw_error, 1);
}

void hw_error_free(hw_error *err)
{
    free(err);
}

const char *hw_error_message(const hw_error *err)
{
    return err ? err->message : "";
}

hw_code hw_solution_find(const hw_graph *g, const char *solver, bool free_first, double seconds,
                         uint64_t states, uint64_t seed, hw_solution **out, hw_error *err)
{
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_solver_row *row = NULL;
    hw_model *m = NULL;
    *out = NULL;
    hw_code code = hw_solver_parse(solver, &row, values, err);
    if (code == HW_OK)
        code = hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, false, &m, err);
    hw_solution *found = code == HW_OK ? HW_NEW0(hw_solution, 1) : NULL;
    if (code == HW_OK && !found)
        code = hw_fail_memory(err, "an answer");
    if (code == HW_OK) {
        hw_request request = {
            .params = values,
            .limits = {.states = states, .seconds = seconds},
            .seed = seed,
        };
        code = hw_solve(m, row, &request, &found->answer, err);
    }
    if (code == HW_OK) {
        found->length = found->answer.has_order ? g->n_nodes : 0;
        found->resident_bytes = m->resident_bytes;
        for (uint32_t i = 0; i < found->length; i++)
            found->answer.order[i] = hw_node_id(g, found->answer.order[i]);
        *out = found;
    } else {
        hw_solution_free(found);
    }
    hw_model_free(m);
    return code;
}

void hw_solution_free(hw_solution *found)
{
    if (found)
        hw_answer_clear(&found->answer);
    free(found);
}

const char *hw_solution_status(const hw_solution *found)
{
    return hw_status_name(found->answer.status);
}

uint32_t hw_solution_length(const hw_solution *found)
{
    return found->length;
}

const uint32_t *hw_solution_order(const hw_solution *found)
{
    return found->answer.has_order ? found->answer.order : NULL;
}

uint64_t hw_solution_peak(const hw_solution *found)
{
    return found->answer.has_order ? found->answer.peak : 0;
}

uint64_t hw_solution_bound(const hw_solution *found)
{
    return found->answer.has_bound ? found->answer.bound : 0;
}

uint64_t hw_solution_resident(const hw_solution *found)
{
    return found->resident_bytes;
}

uint64_t hw_solution_states(const hw_solution *found)
{
    return found->answer.states;
}

double hw_solution_seconds(const hw_solution *found)
{
    return found->answer.seconds;
}

/* Indices of ids[0 .. n); the checker says itself what else is wrong with them. */
static hw_code indices_of(const hw_graph *g, const uint32_t *ids, uint32_t n, uint32_t *order,
                          hw_error *err)
{
    hw_idmap map = {0};
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (hw_idmap_add(&map, hw_node_id(g, v)) != HW_IDMAP_NEW)
            code = hw_fail_memory(err, "an order");
    for (uint32_t i = 0; code == HW_OK && i < n; i++) {
        order[i] = hw_idmap_find(&map, ids[i]);
        if (order[i] == HW_NONE)
            code = hw_fail(err, HW_BAD_INPUT,
                           "entry %" PRIu32 " of the order is node %" PRIu32
                           ", which the graph does not have: list its node ids",
                           i, ids[i]);
    }
    hw_idmap_clear(&map);
    return code;
}

hw_code hw_solution_check(const hw_graph *g, bool free_first, const uint32_t *ids, uint32_t n,
                          uint64_t *peak, hw_error *err)
{
    hw_check check;
    uint32_t *order = HW_NEW(uint32_t, n);
    hw_code code = order ? indices_of(g, ids, n, order, err) : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_check_order(g, free_first, false, order, n, &check, err);
    if (code == HW_OK && check.verdict != HW_ORDER_LEGAL) {
        char text[HW_MESSAGE_BYTES];
        hw_check_message(g, &check, text, sizeof text);
        code = hw_fail(err, HW_CHECK_FAILED, "%s", text);
    }
    if (code == HW_OK)
        *peak = check.peak;
    free(order);
    return code;
}
