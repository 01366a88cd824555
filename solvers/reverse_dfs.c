/* Depth first against the edges.  See reverse_dfs.h. */
#include "solvers/reverse_dfs.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hw_code hw_reverse_dfs_open(hw_reverse_dfs *d, const hw_graph *g, const uint32_t *sorted,
                            hw_error *err)
{
    uint32_t n = g->n_nodes;
    const hw_rows *succs = &g->succs;
    *d = (hw_reverse_dfs){.rows = &g->preds,
                          .n = n,
                          .pred = HW_NEW(uint32_t, g->preds.offset[n]),
                          .cursor = HW_NEW(uint32_t, n),
                          .parent = HW_NEW(uint32_t, n)};
    if (!d->pred || !d->cursor || !d->parent)
        return hw_fail_memory(err, "a depth-first order");
    memcpy(d->cursor, g->preds.offset, (size_t)n * sizeof *d->cursor);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t u = sorted[k];
        for (uint32_t i = succs->offset[u]; i < succs->offset[u + 1]; i++)
            d->pred[d->cursor[succs->item[i]]++] = u;
    }
    memcpy(d->cursor, g->preds.offset, (size_t)n * sizeof *d->cursor);
    for (uint32_t v = 0; v < n; v++)
        d->parent[v] = v;
    return HW_OK;
}

void hw_reverse_dfs_close(hw_reverse_dfs *d)
{
    free(d->pred);
    free(d->cursor);
    free(d->parent);
    memset(d, 0, sizeof *d);
}

bool hw_reverse_dfs_visit(hw_reverse_dfs *d, uint32_t v, hw_meter *meter, uint32_t *order,
                          uint32_t *step)
{
    if (hw_reverse_dfs_seen(d, v))
        return true;
    d->parent[v] = HW_NONE;
    while (v != HW_NONE) {
        if (d->cursor[v] < d->rows->offset[v + 1]) {
            uint32_t u = d->pred[d->cursor[v]++];
            if (!hw_reverse_dfs_seen(d, u)) {
                d->parent[u] = v;
                v = u;
            }
            continue;
        }
        order[(*step)++] = v;
        if (hw_meter_count(meter, 1) && *step < d->n)
            return false;
        v = d->parent[v];
    }
    return true;
}
