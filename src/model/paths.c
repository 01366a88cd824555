/*
 * Longest paths.  See paths.h.
 *
 * One sweep against a topological order.  Where the source order is one, the
 * sweep goes by index: neighbours in a file are mostly neighbours in the graph,
 * and the memory is read in sequence.
 */
#include "model/paths.h"

#include <stdlib.h>

#include "core/memory.h"

static uint32_t longest_of(const hw_rows *next, const uint32_t *length, uint32_t v)
{
    uint32_t most = 0;
    for (uint32_t i = next->offset[v]; i < next->offset[v + 1]; i++)
        if (length[next->item[i]] > most)
            most = length[next->item[i]];
    return most + 1;
}

/* A topological order; *order stays NULL where the source order is one. */
static hw_code sweep_order(const hw_graph *g, uint32_t **order, hw_error *err)
{
    *order = NULL;
    if (g->source_order_legal_edges)
        return HW_OK;
    *order = HW_NEW(uint32_t, g->n_nodes);
    if (!*order)
        return hw_fail_memory(err, "longest paths");
    hw_code code = hw_graph_level_order(g, *order, err);
    if (code != HW_OK) {
        free(*order);
        *order = NULL;
    }
    return code;
}

hw_code hw_paths_down(const hw_graph *g, uint32_t *length, hw_error *err)
{
    uint32_t *order;
    hw_code code = sweep_order(g, &order, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = g->n_nodes; i-- > 0;) {
        uint32_t v = order ? order[i] : i;
        length[v] = longest_of(&g->succs, length, v);
    }
    free(order);
    return HW_OK;
}

hw_code hw_paths_up(const hw_graph *g, uint32_t *length, hw_error *err)
{
    uint32_t *order;
    hw_code code = sweep_order(g, &order, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order ? order[i] : i;
        length[v] = longest_of(&g->preds, length, v);
    }
    free(order);
    return HW_OK;
}
