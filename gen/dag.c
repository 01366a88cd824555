/* The bare DAG that a generator draws.  See dag.h. */
#include "gen/dag.h"

#include <stdlib.h>

#include "core/memory.h"

void hw_dag_start(hw_dag *d, uint32_t n)
{
    *d = (hw_dag){.n = n};
}

void hw_dag_free(hw_dag *d)
{
    free(d->edge);
    free(d->op);
    hw_dag_start(d, 0);
}

hw_code hw_dag_add(hw_dag *d, uint32_t from, uint32_t to, hw_error *err)
{
    if (d->m == d->capacity && !hw_grow((void **)&d->edge, &d->capacity, d->m + 1, sizeof *d->edge))
        return hw_fail_memory(err, "the edges of a generated graph");
    d->edge[d->m++] = (hw_edge){from, to};
    return HW_OK;
}

static void sort_by(const hw_edge *in, hw_edge *out, size_t m, uint32_t n, size_t *count, int by_to)
{
    for (uint32_t v = 0; v <= n; v++)
        count[v] = 0;
    for (size_t i = 0; i < m; i++)
        count[(by_to ? in[i].to : in[i].from) + 1]++;
    for (uint32_t v = 0; v < n; v++)
        count[v + 1] += count[v];
    for (size_t i = 0; i < m; i++)
        out[count[by_to ? in[i].to : in[i].from]++] = in[i];
}

hw_code hw_dag_sort(hw_dag *d, hw_error *err)
{
    hw_edge *other = HW_NEW(hw_edge, d->m);
    size_t *count = HW_NEW(size_t, (size_t)d->n + 1);
    if (!other || !count) {
        free(other);
        free(count);
        return hw_fail_memory(err, "sorting the edges of a generated graph");
    }
    sort_by(d->edge, other, d->m, d->n, count, 1);
    sort_by(other, d->edge, d->m, d->n, count, 0);
    size_t kept = 0;
    for (size_t i = 0; i < d->m; i++)
        if (kept == 0 || d->edge[i].from != d->edge[kept - 1].from ||
            d->edge[i].to != d->edge[kept - 1].to)
            d->edge[kept++] = d->edge[i];
    d->m = kept;
    free(other);
    free(count);
    return HW_OK;
}
