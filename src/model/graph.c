/* The computation graph: release, totals, level order.  See graph.h. */
#include "model/graph.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

void hw_graph_free(hw_graph *g)
{
    if (!g)
        return;
    free(g->tensor_size);
    free(g->tensor_kind);
    free(g->tensor_id);
    free(g->tensor_name);
    free(g->tensor_producer);
    free(g->tensor_storage);
    free(g->storage_root);
    free(g->node_id);
    free(g->node_name);
    free(g->node_op);
    free(g->node_flags);
    free(g->node_workspace);
    free(g->node_window);
    free(g->inputs.offset);
    free(g->inputs.item);
    free(g->outputs.offset);
    free(g->outputs.item);
    free(g->inplace_offset);
    free(g->inplace_pair);
    free(g->preds.offset);
    free(g->preds.item);
    free(g->succs.offset);
    free(g->succs.item);
    free(g->control);
    free(g->names);
    free(g->name);
    free(g->source);
    free(g->unit);
    free(g);
}

hw_code hw_graph_rename(hw_graph *g, const char *name, const char *source, hw_error *err)
{
    char *new_name = hw_copy(name, strlen(name) + 1, 1);
    char *new_source = hw_copy(source, strlen(source) + 1, 1);
    if (!new_name || !new_source) {
        free(new_name);
        free(new_source);
        return hw_fail_memory(err, "the name of a graph");
    }
    free(g->name);
    free(g->source);
    g->name = new_name;
    g->source = new_source;
    return HW_OK;
}

static uint64_t sum_of_storages(const hw_graph *g, bool constants)
{
    uint64_t sum = 0; /* cannot overflow: the builder refused such a graph */
    for (uint32_t s = 0; s < g->n_storages; s++) {
        uint32_t root = g->storage_root[s];
        if ((g->tensor_kind[root] == HW_CONSTANT) == constants)
            sum += g->tensor_size[root];
    }
    return sum;
}

uint64_t hw_graph_resident_bytes(const hw_graph *g)
{
    return sum_of_storages(g, true);
}

uint64_t hw_graph_total_bytes(const hw_graph *g)
{
    return sum_of_storages(g, false);
}

hw_code hw_graph_level_order(const hw_graph *g, uint32_t *order, hw_error *err)
{
    uint32_t n = g->n_nodes, head = 0, tail = 0;
    uint32_t *waiting = HW_NEW(uint32_t, n);
    if (!waiting)
        return hw_fail_memory(err, "a level order");
    for (uint32_t v = 0; v < n; v++) {
        waiting[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        if (waiting[v] == 0)
            order[tail++] = v;
    }
    while (head < tail) {
        uint32_t u = order[head++];
        for (uint32_t i = g->succs.offset[u]; i < g->succs.offset[u + 1]; i++)
            if (--waiting[g->succs.item[i]] == 0)
                order[tail++] = g->succs.item[i];
    }
    free(waiting);
    return HW_OK;
}

void hw_order_positions(const uint32_t *order, uint32_t n, uint32_t *position)
{
    for (uint32_t i = 0; i < n; i++)
        position[order[i]] = i;
}
