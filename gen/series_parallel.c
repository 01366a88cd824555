/*
 * Two-terminal series-parallel graphs, grown from one edge: n - 2 times a
 * uniform edge u -> v is either subdivided (u -> w -> v, series) or gets a
 * second way beside it (u -> w -> v next to u -> v, parallel).
 *
 * Every graph made so is two-terminal series-parallel with one source and one
 * sink, and has no double edges.  w stands right behind u in the numbering.
 * Time O(n).
 * Source: Valdes, Tarjan and Lawler 1982 (the class); the problem on it:
 * Kayaaslan, Lambert, Marchal and Uçar 2018.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, PARALLEL, DRESS };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"parallel", HW_PARAM_REAL, 0, 1, 0.5, NULL, "probability of a parallel step"},
    HW_DRESS_ROWS,
};

/* Grow over names 0 (source), 1 (sink), 2, ...; next[] lists them in a
 * topological order. */
static hw_code grow(hw_dag *d, uint32_t *next, double parallel, gsl_rng *rng, hw_error *err)
{
    next[0] = 1;
    next[1] = d->n;
    hw_code code = hw_dag_add(d, 0, 1, err);
    for (uint32_t w = 2; w < d->n && code == HW_OK; w++) {
        hw_edge *e = d->edge + hw_rng_below(rng, d->m);
        uint32_t u = e->from, v = e->to;
        next[w] = next[u];
        next[u] = w;
        if (hw_draw_chance(rng, parallel))
            code = hw_dag_add(d, u, w, err);
        else
            e->to = w;
        if (code == HW_OK)
            code = hw_dag_add(d, w, v, err);
    }
    return code;
}

static hw_code draw(hw_dag *d, double parallel, gsl_rng *rng, hw_error *err)
{
    if (d->n == 1)
        return HW_OK;
    uint32_t *next = HW_NEW(uint32_t, d->n), *number = HW_NEW(uint32_t, d->n);
    hw_code code = next && number ? grow(d, next, parallel, rng, err)
                                  : hw_fail_memory(err, "growing a series-parallel graph");
    if (code == HW_OK) {
        uint32_t at = 0;
        for (uint32_t v = 0; v < d->n; v = next[v])
            number[v] = at++;
        for (size_t i = 0; i < d->m; i++)
            d->edge[i] = (hw_edge){number[d->edge[i].from], number[d->edge[i].to]};
    }
    free(next);
    free(number);
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, (uint32_t)v[N].i);
    code = draw(&d, v[PARALLEL].r, rng, err);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_series_parallel = {
    .name = "series-parallel",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "two-terminal series-parallel graphs",
    .source = "Valdes, Tarjan and Lawler 1982",
    .generate = generate,
};
