/*
 * Random orders: the intersection of `dimension` uniform linear orders of n
 * nodes, as its cover edges (the transitive reduction).
 *
 * The first linear order numbers the nodes; u precedes v where u < v and u
 * stands before v in every other one.  With two orders the family is that of
 * the points of a square under dominance.  It has about n ln n cover edges in
 * dimension 2, so it does densify, slowly, and more so in higher dimensions;
 * the share of related pairs is 2^(1-dimension) at every n.
 *
 * Dimension 2: time O(edges log n), by a tree over the positions that answers
 * "the latest node placed at a position in [a, b)".  Dimension 3 and more:
 * every node against the earlier ones, O(dimension n^2 + n * covers), for which
 * n is limited.
 * Source: Winkler, Random orders, Order 1, 1985.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/memory.h"
#include "gen/draw.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, DIMENSION, DRESS };
enum { MOST_DIMENSION = 16, MOST_N_ABOVE_2 = 20000 };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes; with dimension above 2 up to 20000"},
    {"dimension", HW_PARAM_INT, 1, MOST_DIMENSION, 2, NULL, "linear orders that are intersected"},
    HW_DRESS_ROWS,
};

/* Latest node (number + 1; 0: none) among positions [a, b): the tree's leaves
 * are tree[width ..], an inner node holds the greater of its two children. */
static uint32_t latest(const uint32_t *tree, uint32_t width, uint32_t a, uint32_t b)
{
    uint32_t best = 0;
    for (a += width, b += width; a < b; a /= 2, b /= 2) {
        if (a & 1) {
            best = tree[a] > best ? tree[a] : best;
            a++;
        }
        if (b & 1) {
            b--;
            best = tree[b] > best ? tree[b] : best;
        }
    }
    return best;
}

/*
 * v covers u when no node between them in number stands between them in
 * position: the covered nodes are those met walking back from v that stand
 * before v and behind all met so far.
 */
static hw_code covers_of_two(hw_dag *d, const uint32_t *position, hw_error *err)
{
    uint32_t width = d->n;
    uint32_t *tree = HW_NEW0(uint32_t, 2 * (size_t)width);
    if (!tree)
        return hw_fail_memory(err, "the covers of a random order");
    hw_code code = HW_OK;
    for (uint32_t v = 0; v < d->n && code == HW_OK; v++) {
        uint32_t behind = 0;
        for (uint32_t u = 0; (u = latest(tree, width, behind, position[v])) && code == HW_OK;) {
            code = hw_dag_add(d, u - 1, v, err);
            behind = position[u - 1] + 1;
        }
        for (uint32_t at = width + position[v]; at; at /= 2)
            tree[at] = v + 1; /* the latest of all so far */
    }
    free(tree);
    return code;
}

static bool below(const uint32_t *position, uint32_t others, uint32_t n, uint32_t u, uint32_t v)
{
    for (uint32_t k = 0; k < others; k++)
        if (position[(size_t)k * n + u] > position[(size_t)k * n + v])
            return false;
    return true;
}

/* The same walk; a node that an already covered one follows is not covered. */
static hw_code covers_of_many(hw_dag *d, const uint32_t *position, uint32_t others, hw_error *err)
{
    hw_code code = HW_OK;
    for (uint32_t v = 0; v < d->n; v++) {
        size_t first = d->m;
        for (uint32_t u = v; u-- > 0;) {
            bool covered = below(position, others, d->n, u, v);
            for (size_t i = first; i < d->m && covered; i++)
                covered = !below(position, others, d->n, u, d->edge[i].from);
            if (covered && (code = hw_dag_add(d, u, v, err)) != HW_OK)
                return code;
        }
    }
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    uint32_t n = (uint32_t)v[N].i, others = (uint32_t)v[DIMENSION].i - 1;
    if (others > 1 && n > MOST_N_ABOVE_2)
        return hw_fail(err, HW_USAGE,
                       "n=%" PRIu32 " is too many nodes for dimension=%" PRIu32
                       ": give at most %d, or dimension=2",
                       n, others + 1, MOST_N_ABOVE_2);
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    uint32_t *position = HW_NEW(uint32_t, (size_t)n * (others ? others : 1));
    if (!position)
        return hw_fail_memory(err, "the linear orders of a random order");
    for (uint32_t k = 0; k < others; k++)
        hw_draw_permutation(rng, position + (size_t)k * n, n);
    hw_dag d;
    hw_dag_start(&d, n);
    code =
        others == 1 ? covers_of_two(&d, position, err) : covers_of_many(&d, position, others, err);
    free(position);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_random_order = {
    .name = "random-order",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "cover graph of the intersection of random linear orders",
    .source = "Winkler 1985",
    .generate = generate,
};
