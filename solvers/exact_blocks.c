/* Blocks between cut nodes.  See exact_blocks.h. */
#include "solvers/exact_blocks.h"

#include <stdlib.h>

#include "core/memory.h"

hw_code exact_blocks(const hw_rows *preds, const hw_rows *succs, uint32_t n, const uint32_t *order,
                     uint32_t *end, uint32_t *n_blocks, hw_error *err)
{
    uint32_t count = 0, reach = 0, from = n, begin = 0;
    uint32_t *position = HW_NEW(uint32_t, n);
    uint32_t *first_pred = HW_NEW(uint32_t, n); /* least "last predecessor" of later nodes */
    *n_blocks = 0;
    if (!position || !first_pred) {
        free(position);
        free(first_pred);
        return hw_fail_memory(err, "the blocks of a graph");
    }
    for (uint32_t p = 0; p < n; p++)
        position[order ? order[p] : p] = p;
    for (uint32_t p = n; p-- > 0;) {
        uint32_t v = order ? order[p] : p, last = 0;
        first_pred[p] = from; /* over all positions after p, plus 1; n: none after */
        for (uint32_t k = preds->offset[v]; k < preds->offset[v + 1]; k++)
            if (position[preds->item[k]] + 1 > last)
                last = position[preds->item[k]] + 1;
        if (last < from)
            from = last;
    }
    for (uint32_t p = 0; p < n; p++) {
        uint32_t v = order ? order[p] : p, next = n;
        if (reach <= p && first_pred[p] >= p + 1) {
            if (begin < p)
                end[count++] = p;
            end[count++] = begin = p + 1;
        }
        for (uint32_t k = succs->offset[v]; k < succs->offset[v + 1]; k++)
            if (position[succs->item[k]] < next)
                next = position[succs->item[k]];
        if (next > reach)
            reach = next;
    }
    if (begin < n)
        end[count++] = n;
    *n_blocks = count;
    free(position);
    free(first_pred);
    return HW_OK;
}
