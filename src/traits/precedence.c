/* Transitive closure, forwards and backwards.  See precedence.h. */
#include "traits/precedence.h"

#include <stdlib.h>

#include "core/memory.h"

static void join(uint64_t *row, const uint64_t *other, size_t words, uint32_t member)
{
    for (size_t w = 0; w < words; w++)
        row[w] |= other[w];
    hw_bits_add(row, member);
}

hw_code hw_precedence_open(hw_precedence *p, const hw_graph *g, hw_error *err)
{
    uint32_t n = g->n_nodes;
    size_t words = hw_words(n);
    *p = (hw_precedence){.n = n, .words = words};
    p->order = HW_NEW(uint32_t, n);
    p->after = HW_NEW0(uint64_t, n * words);
    p->before = HW_NEW0(uint64_t, n * words);
    if (!p->order || !p->after || !p->before)
        return hw_fail_memory(err, "which node precedes which");
    hw_code code = hw_graph_level_order(g, p->order, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = p->order[i], u = p->order[n - 1 - i];
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            join(p->before + v * words, hw_before(p, g->preds.item[k]), words, g->preds.item[k]);
        for (uint32_t k = g->succs.offset[u]; k < g->succs.offset[u + 1]; k++)
            join(p->after + u * words, hw_after(p, g->succs.item[k]), words, g->succs.item[k]);
    }
    return HW_OK;
}

void hw_precedence_close(hw_precedence *p)
{
    free(p->order);
    free(p->after);
    free(p->before);
    *p = (hw_precedence){0};
}
