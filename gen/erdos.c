/*
 * Order-oriented Erdős–Rényi graphs: every pair u < v within `span` is an edge
 * u -> v with one probability, given directly or by the expected number of
 * edges a node, which keeps its meaning at every n.
 *
 * With a span edges are short-range: erdos:n=1000000,degree=2.5,span=100.
 * Geometric skipping over the pairs: time O(n + edges).
 * Source: G(n, p) of Gilbert 1959; skipping: Batagelj and Brandes 2005.
 */
#include <inttypes.h>

#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, DEGREE, P, SPAN, DRESS };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"degree", HW_PARAM_REAL, 0, 1000, 2, NULL, "expected edges a node, (n-1)/2 at most"},
    {"p", HW_PARAM_REAL, 0, 1, 0, NULL, "edge probability; 0: from degree"},
    {"span", HW_PARAM_INT, 0, HW_MOST_NODES, 0, NULL, "greatest length of an edge; 0: any"},
    HW_DRESS_ROWS,
};

/* Pairs u < v at most span apart. */
static uint64_t count_pairs(uint64_t n, uint64_t span)
{
    return span * (span - 1) / 2 + (n - span) * span;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint32_t n = (uint32_t)v[N].i;
    uint32_t span = v[SPAN].i == 0 || v[SPAN].i >= n ? n - 1 : (uint32_t)v[SPAN].i;
    double p = v[P].r, pairs = span ? (double)count_pairs(n, span) : 0;
    if (!(p > 0) && pairs > 0)
        p = v[DEGREE].r * n / pairs;
    if (p > 1)
        return hw_fail(err, HW_USAGE,
                       "degree=%g is more than %u nodes can have: give at most %g, or p, or a "
                       "greater n or span",
                       v[DEGREE].r, n, pairs / n);
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, n);
    /* `skip` pairs without an edge lie before the next edge. */
    uint64_t skip = p > 0 ? hw_draw_skip(rng, p) : UINT64_MAX;
    for (uint32_t to = 1; to < n && p > 0; to++) {
        uint32_t from = to > span ? to - span : 0;
        while (code == HW_OK && skip < to - from) {
            from += (uint32_t)skip;
            code = hw_dag_add(&d, from++, to, err);
            skip = hw_draw_skip(rng, p);
        }
        skip -= to - from;
    }
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_erdos = {
    .name = "erdos",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "every pair is an edge with one probability, low to high",
    .source = "Gilbert 1959, oriented by number; Batagelj and Brandes 2005",
    .generate = generate,
};
