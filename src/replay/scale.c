/* Graphs with smaller sizes.  See scale.h. */
#include "replay/scale.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "model/sim.h"

static uint64_t divided(uint64_t size, uint64_t divisor)
{
    return size / divisor + (size % divisor != 0);
}

hw_code hw_scaled_start(hw_scaled *s, const hw_graph *g, uint64_t divisor, hw_error *err)
{
    s->graph = *g;
    s->divisor = divisor;
    s->graph.tensor_size = HW_NEW(uint64_t, g->n_tensors);
    s->graph.node_workspace = g->node_workspace ? HW_NEW(uint64_t, g->n_nodes) : NULL;
    if (!s->graph.tensor_size || (g->node_workspace && !s->graph.node_workspace)) {
        hw_scaled_end(s);
        return hw_fail_memory(err, "a graph of smaller sizes");
    }
    for (uint32_t t = 0; t < g->n_tensors; t++)
        s->graph.tensor_size[t] = divided(g->tensor_size[t], divisor);
    for (uint32_t v = 0; g->node_workspace && v < g->n_nodes; v++)
        s->graph.node_workspace[v] = divided(g->node_workspace[v], divisor);
    return HW_OK;
}

void hw_scaled_end(hw_scaled *s)
{
    free(s->graph.tensor_size);
    free(s->graph.node_workspace);
    s->graph.tensor_size = NULL;
    s->graph.node_workspace = NULL;
}

hw_code hw_scale_to_fit(const hw_graph *g, hw_accounting accounting, bool pin_inputs,
                        const uint32_t *order, bool with_resident, uint64_t most, uint64_t *divisor,
                        hw_error *err)
{
    /* Every size falls as the divisor grows, and so does the peak. */
    uint64_t low = 1, high = UINT64_C(1) << 63, least = UINT64_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, peak = 0;
        hw_scaled s;
        hw_model *m = NULL;
        hw_code code = hw_scaled_start(&s, g, middle, err);
        if (code != HW_OK)
            return code;
        code = hw_model_new(&s.graph, accounting, pin_inputs, &m, err);
        if (code == HW_OK)
            code = hw_peak(m, order, &peak, err);
        if (code == HW_OK && with_resident)
            peak += m->resident_bytes;
        hw_model_free(m);
        hw_scaled_end(&s);
        if (code != HW_OK)
            return code;
        least = peak < least ? peak : least;
        if (peak <= most)
            high = middle;
        else
            low = middle + 1;
    }
    if (least > most)
        return hw_fail(err, HW_USAGE,
                       "with blocks of a byte each the order still peaks at %" PRIu64
                       " bytes: ask for no less than that",
                       least);
    *divisor = low;
    return HW_OK;
}
