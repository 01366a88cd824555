/*
 * Layered graphs: n nodes in layers of equal width; every node reads at least
 * one node of the layer before its own, and further ones of the `skip` layers
 * before, each with one probability.
 *
 * Narrow layers make edges short-range at any n: layered:n=1000000,width=10.
 * Nodes are numbered layer by layer.  Time O(n + edges).
 * Source: the layer-by-layer method, Tobita and Kasahara 2002; that edges
 * should be given as a degree, for a fixed probability densifies: Canon, El
 * Sayah and Héam 2019.
 */
#include <inttypes.h>
#include <math.h>

#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, LAYERS, WIDTH, DEGREE, P, SKIP, DRESS };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"layers", HW_PARAM_INT, 0, HW_MOST_NODES, 0, NULL,
     "layers; 0: from width, or about the square root of n"},
    {"width", HW_PARAM_INT, 0, HW_MOST_NODES, 0, NULL, "nodes a layer; 0: from layers"},
    {"degree", HW_PARAM_REAL, 1, 1000, 2, NULL,
     "expected predecessors of a node beyond the first layer, as far as there are so many"},
    {"p", HW_PARAM_REAL, 0, 1, 0, NULL, "edge probability; 0: from degree"},
    {"skip", HW_PARAM_INT, 1, HW_MOST_NODES, 1, NULL, "layers that an edge may reach back"},
    HW_DRESS_ROWS,
};

static hw_code count_layers(const hw_param_value *v, uint32_t *layers, hw_error *err)
{
    int64_t n = v[N].i, wanted = v[LAYERS].i, width = v[WIDTH].i;
    if (wanted && width)
        return hw_fail(err, HW_USAGE,
                       "layers=%" PRId64 " and width=%" PRId64 " are both given: give one", wanted,
                       width);
    if (wanted > n || width > n)
        return hw_fail(err, HW_USAGE, "%s=%" PRId64 " is above n=%" PRId64 ": give at most n",
                       wanted ? "layers" : "width", wanted ? wanted : width, n);
    if (wanted)
        *layers = (uint32_t)wanted;
    else if (width)
        *layers = (uint32_t)((n + width - 1) / width);
    else
        *layers = (uint32_t)lround(sqrt((double)n));
    return HW_OK;
}

/* Draw the predecessors of node v, whose layer begins at `begin`; the layer
 * before begins at `near`, the first that v may reach at `far`. */
static hw_code draw_node(hw_dag *d, uint32_t v, uint32_t far, uint32_t near, uint32_t begin,
                         const hw_param_value *values, gsl_rng *rng, hw_error *err)
{
    const uint32_t candidates = begin - far;
    double p = values[P].r;
    uint32_t sure = near + (uint32_t)hw_rng_below(rng, begin - near);
    bool from_degree = !(p > 0), reached = false;
    if (from_degree)
        p = candidates > 1 ? fmin(1, (values[DEGREE].r - 1) / (candidates - 1)) : 0;
    /* With a degree, `sure` is an edge and the others are drawn beside it;
     * with p, all are drawn and `sure` steps in if no near one came. */
    hw_code code = HW_OK;
    for (uint64_t u = far; p > 0 && code == HW_OK; u++) {
        uint64_t skip = hw_draw_skip(rng, p);
        if (skip >= begin - u)
            break;
        u += skip;
        reached |= u >= near;
        code = hw_dag_add(d, (uint32_t)u, v, err);
    }
    if (code == HW_OK && (from_degree || !reached))
        code = hw_dag_add(d, sure, v, err);
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint32_t n = (uint32_t)v[N].i, layers = 0;
    hw_code code = count_layers(v, &layers, err);
    if (code == HW_OK)
        code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, n);
    uint64_t skip = (uint64_t)v[SKIP].i;
    for (uint64_t layer = 1; layer < layers; layer++) {
        uint64_t reach = layer < skip ? layer : skip;
        uint32_t far = (uint32_t)((layer - reach) * n / layers);
        uint32_t near = (uint32_t)((layer - 1) * n / layers);
        uint32_t begin = (uint32_t)(layer * n / layers), end = (uint32_t)((layer + 1) * n / layers);
        for (uint32_t node = begin; code == HW_OK && node < end; node++)
            code = draw_node(&d, node, far, near, begin, v, rng, err);
    }
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_layered = {
    .name = "layered",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "layers of nodes that read from the layers before",
    .source = "Tobita and Kasahara 2002 (layer-by-layer method)",
    .generate = generate,
};
