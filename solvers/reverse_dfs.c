/* Depth first against the edges.  See reverse_dfs.h. */
#include "solvers/reverse_dfs.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { SHORT_ROW = 16 };

/* Rows from nodes in turn: each node is appended to the rows of its successors. */
static void deal_rows(hw_reverse_dfs *d, const hw_graph *g, const uint32_t *sorted)
{
    const hw_rows *succs = &g->succs;
    memcpy(d->cursor, g->preds.offset, (size_t)d->n * sizeof *d->cursor);
    for (uint32_t k = 0; k < d->n; k++) {
        uint32_t u = sorted[k];
        for (uint32_t i = succs->offset[u]; i < succs->offset[u + 1]; i++)
            d->pred[d->cursor[succs->item[i]]++] = u;
    }
}

/* Each row by insertion; false: one is too long for that. */
static bool sort_rows(const hw_reverse_dfs *d, const uint64_t *weight)
{
    const uint32_t *offset = d->rows->offset;
    for (uint32_t v = 0; v < d->n; v++) {
        const uint32_t *from = d->rows->item + offset[v];
        uint32_t *row = d->pred + offset[v], count = offset[v + 1] - offset[v];
        if (count > SHORT_ROW)
            return false;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t u = from[i], at = i;
            uint64_t w = weight[u];
            for (; at && (weight[row[at - 1]] > w || (weight[row[at - 1]] == w && row[at - 1] > u));
                 at--)
                row[at] = row[at - 1];
            row[at] = u;
        }
    }
    return true;
}

hw_code hw_reverse_dfs_open(hw_reverse_dfs *d, const hw_graph *g, const uint32_t *sorted,
                            const uint64_t *weight, hw_error *err)
{
    uint32_t n = g->n_nodes;
    *d = (hw_reverse_dfs){.rows = &g->preds,
                          .n = n,
                          .pred = HW_NEW(uint32_t, g->preds.offset[n]),
                          .cursor = HW_NEW(uint32_t, n),
                          .parent = HW_NEW(uint32_t, n)};
    if (!d->pred || !d->cursor || !d->parent)
        return hw_fail_memory(err, "a depth-first order");
    if (!weight || !sort_rows(d, weight))
        deal_rows(d, g, sorted);
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
