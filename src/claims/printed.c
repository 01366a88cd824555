/* See printed.h. */
#include "claims/printed.h"

#include <stdlib.h>

#include "core/memory.h"

/* len(graph.consumers[t]) for every tensor. */
static void count_consumers(const hw_graph *g, bool by_use, int64_t *refcnt, uint32_t *last)
{
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        refcnt[t] = 0;
        last[t] = HW_NONE;
    }
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i];
            refcnt[t] += by_use || last[t] != v;
            last[t] = v;
        }
}

hw_code hw_printed_peak(const hw_graph *g, const uint32_t *order, bool by_use, uint64_t *peak,
                        hw_error *err)
{
    int64_t *refcnt = HW_NEW(int64_t, g->n_tensors);
    uint32_t *last = HW_NEW(uint32_t, g->n_tensors);
    uint8_t *live = HW_NEW0(uint8_t, g->n_tensors);
    uint64_t sum = 0;
    *peak = 0;
    if (refcnt && last && live) {
        count_consumers(g, by_use, refcnt, last);
        for (uint32_t step = 0; step < g->n_nodes; step++) {
            uint32_t v = order[step];
            for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
                uint32_t t = g->inputs.item[i];
                if (--refcnt[t] == 0 && live[t]) {
                    live[t] = 0;
                    sum -= g->tensor_size[t];
                }
            }
            for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
                uint32_t t = g->outputs.item[i];
                sum += live[t] ? 0 : g->tensor_size[t];
                live[t] = 1;
            }
            *peak = sum > *peak ? sum : *peak;
        }
    }
    bool fine = refcnt && last && live;
    free(refcnt);
    free(last);
    free(live);
    return fine ? HW_OK : hw_fail_memory(err, "a simulation");
}
