/*
 * Trees: in-trees (every node has one consumer, all ends in the root, the
 * model of expression and assembly trees) and out-trees (from one root).
 *
 * shape=random attaches node after node to one of the latest `reach` nodes that
 * have fewer than `arity` children: reach 0, any node, gives random recursive
 * trees of logarithmic depth, reach 1 a chain, what lies between long thin
 * trees.  shape=complete fills an `arity`-ary tree level by level.
 * An in-tree is numbered from the leaves, so that the root comes last.
 * Time O(n * min(reach, n)), O(n) where reach or arity is 0.
 * Source: random recursive trees, Smythe and Mahmoud 1995; the problem on
 * trees: Liu 1987.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "gen/dress.h"
#include "gen/family.h"

enum { N, DIRECTION, SHAPE, ARITY, REACH, DRESS };
enum { DIRECTION_IN, DIRECTION_OUT };
enum { SHAPE_RANDOM, SHAPE_COMPLETE };

static const hw_param_row params[] = {
    {"n", HW_PARAM_INT, 1, HW_MOST_NODES, 20, NULL, "nodes"},
    {"direction", HW_PARAM_CHOICE, 0, 0, DIRECTION_IN, "in|out", "to the root or from it"},
    {"shape", HW_PARAM_CHOICE, 0, 0, SHAPE_RANDOM, "random|complete", "how nodes are attached"},
    {"arity", HW_PARAM_INT, 0, HW_MOST_NODES, 0, NULL,
     "most children of a node; 0: any (complete: 2)"},
    {"reach", HW_PARAM_INT, 0, 1000, 0, NULL,
     "random: attach to one of so many latest nodes with room; 0: to any"},
    HW_DRESS_ROWS,
};

/* Nodes that may still get a child, oldest first where `reach` asks for it. */
typedef struct open_nodes {
    uint32_t *node, count;
    uint32_t *children;
    uint32_t arity, reach;
} open_nodes;

static uint32_t draw_parent(open_nodes *o, gsl_rng *rng)
{
    uint32_t range = o->reach && o->reach < o->count ? o->reach : o->count;
    uint32_t at = o->count - 1 - (uint32_t)hw_rng_below(rng, range);
    uint32_t parent = o->node[at];
    if (o->arity && ++o->children[parent] == o->arity) {
        o->count--;
        if (o->reach) /* keep the order: the tail is shorter than reach */
            memmove(o->node + at, o->node + at + 1, (o->count - at) * sizeof *o->node);
        else
            o->node[at] = o->node[o->count];
    }
    return parent;
}

static hw_code grow(hw_dag *d, const hw_param_value *v, gsl_rng *rng, hw_error *err)
{
    uint32_t n = d->n, arity = (uint32_t)v[ARITY].i;
    bool complete = v[SHAPE].i == SHAPE_COMPLETE, in = v[DIRECTION].i == DIRECTION_IN;
    open_nodes o = {
        .node = HW_NEW(uint32_t, n),
        .children = HW_NEW0(uint32_t, n),
        .arity = arity,
        .reach = (uint32_t)v[REACH].i,
    };
    if (!o.node || !o.children) {
        free(o.node);
        free(o.children);
        return hw_fail_memory(err, "growing a tree");
    }
    hw_code code = HW_OK;
    for (uint32_t node = 0; node < n && code == HW_OK; node++) {
        if (node) {
            uint32_t parent = complete ? (node - 1) / (arity ? arity : 2) : draw_parent(&o, rng);
            code = in ? hw_dag_add(d, n - 1 - node, n - 1 - parent, err)
                      : hw_dag_add(d, parent, node, err);
        }
        o.node[o.count++] = node;
    }
    free(o.node);
    free(o.children);
    return code;
}

static hw_code generate(const hw_param_value *v, gsl_rng *rng, hw_graph **out, hw_error *err)
{
    if (v[SHAPE].i == SHAPE_COMPLETE && v[REACH].i)
        return hw_fail(err, HW_USAGE,
                       "reach=%" PRId64 " has no meaning with shape=complete: leave it out",
                       v[REACH].i);
    hw_code code = hw_dress_check(v + DRESS, err);
    if (code != HW_OK)
        return code;
    hw_dag d;
    hw_dag_start(&d, (uint32_t)v[N].i);
    code = grow(&d, v, rng, err);
    if (code == HW_OK)
        code = hw_dress(&d, v + DRESS, rng, out, err);
    hw_dag_free(&d);
    return code;
}

const hw_family_row hw_family_tree = {
    .name = "tree",
    .random = true,
    .params = params,
    .n_params = sizeof params / sizeof params[0],
    .help = "in-trees and out-trees",
    .source = "Smythe and Mahmoud 1995 (recursive trees); Liu 1987 (the problem)",
    .generate = generate,
};
