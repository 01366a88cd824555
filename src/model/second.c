/* Second objectives.  See second.h. */
#include "model/second.h"

#include <stdlib.h>

#include "core/memory.h"
#include "model/paths.h"
#include "model/sim.h"

const char *hw_second_name(hw_second kind)
{
    return kind == HW_SECOND_AREA ? "area" : "critical-path";
}

const char *hw_second_unit(hw_second kind)
{
    return kind == HW_SECOND_AREA ? "byte-steps" : "node-steps";
}

const char *hw_cost_text(hw_cost cost, char text[HW_COST_TEXT])
{
    char *at = text + HW_COST_TEXT - 1, *to = text;
    *at = '\0';
    do {
        *--at = (char)('0' + (int)(cost % 10));
        cost /= 10;
    } while (cost);
    while ((*to++ = *at++))
        ;
    return text;
}

static hw_code area(const hw_model *m, const uint32_t *order, hw_cost *cost, hw_error *err)
{
    hw_sim sim;
    hw_code code = hw_sim_init(&sim, m, err);
    for (uint32_t i = 0; i < m->n_nodes && code == HW_OK; i++) {
        (void)hw_sim_step(&sim, order[i]);
        *cost += sim.live;
    }
    hw_sim_free(&sim);
    return code;
}

hw_code hw_second_value(const hw_model *m, hw_second kind, const uint32_t *order, hw_cost *cost,
                        hw_error *err)
{
    *cost = 0;
    if (kind == HW_SECOND_AREA)
        return area(m, order, cost, err);
    uint32_t *path = HW_NEW(uint32_t, m->n_nodes);
    if (!path)
        return hw_fail_memory(err, "longest paths");
    hw_code code = hw_paths_down(m->graph, path, err);
    for (uint32_t i = 0; i < m->n_nodes && code == HW_OK; i++)
        *cost += (hw_cost)i * path[order[i]];
    free(path);
    return code;
}
