/* Generated graphs in tests.  See support_generate.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support_generate.h"

hw_graph *test_instance(const char *spec, uint64_t index)
{
    const hw_family_row *row = NULL;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g = NULL;
    hw_error err = {0};
    hw_code code = hw_family_parse(spec, &row, values, &err);
    if (code == HW_OK)
        code = hw_generate(row, values, HW_DEFAULT_SEED, index, &g, &err);
    if (code != HW_OK)
        fail_msg("%s: %s", spec, err.message);
    return g;
}

uint32_t count_preds(const hw_graph *g, uint32_t v)
{
    return g->preds.offset[v + 1] - g->preds.offset[v];
}

uint32_t count_succs(const hw_graph *g, uint32_t v)
{
    return g->succs.offset[v + 1] - g->succs.offset[v];
}

bool has_edge(const hw_graph *g, uint32_t u, uint32_t v)
{
    for (uint32_t i = g->succs.offset[u]; i < g->succs.offset[u + 1]; i++)
        if (g->succs.item[i] == v)
            return true;
    return false;
}

uint32_t count_sources(const hw_graph *g)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        count += count_preds(g, v) == 0;
    return count;
}

uint32_t count_sinks(const hw_graph *g)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        count += count_succs(g, v) == 0;
    return count;
}
