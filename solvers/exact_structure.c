/*
 * A graph as a coloured graph.  See exact_structure.h.
 *
 * Edges: node -> node as in the graph; maker -> storage -> user; node -> pair
 * -> storage; pair -> output.  The kinds of the ends tell these roles apart.
 */
#include "solvers/exact_structure.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* What must be equal for vertices to be alike. */
typedef struct looks {
    uint64_t figure[4]; /* what it is; then bytes */
    uint32_t vertex;
} looks;

enum { NODE, STORAGE, PAIR, OUTPUT };

void exact_structure_free(exact_structure *s)
{
    free(s->out.offset);
    free(s->out.item);
    free(s->in.offset);
    free(s->in.item);
    free(s->kind);
    memset(s, 0, sizeof *s);
}

static int by_looks(const void *a, const void *b)
{
    const looks *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x->figure[i] != y->figure[i])
            return x->figure[i] < y->figure[i] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static uint32_t n_pairs(const hw_graph *g)
{
    return g->inplace_offset ? g->inplace_offset[g->n_nodes] : 0;
}

/* The pair itself, or the first pair of its node with the same output. */
static uint32_t output_of(const hw_graph *g, uint32_t v, uint32_t k)
{
    uint32_t i = g->inplace_offset[v];
    while (g->inplace_pair[i].output != g->inplace_pair[k].output)
        i++;
    return i;
}

/* Constants are never counted: all of one look, and without edges. */
static bool is_resident(const hw_graph *g, uint32_t storage)
{
    return g->tensor_kind[g->storage_root[storage]] == HW_CONSTANT;
}

static bool lay_kinds(const hw_graph *g, bool pin_inputs, exact_structure *s)
{
    uint32_t storages = g->n_nodes, pairs = storages + g->n_storages, outputs = pairs + n_pairs(g);
    looks *look = HW_NEW0(looks, s->n);
    s->kind = HW_NEW(uint32_t, s->n);
    bool good = look && s->kind;
    for (uint32_t v = 0; good && v < g->n_nodes; v++)
        look[v] = (looks){{NODE, hw_node_workspace(g, v)}, v};
    for (uint32_t i = 0; good && i < g->n_storages; i++)
        look[storages + i] = (looks){{STORAGE, is_resident(g, i),
                                      is_resident(g, i) ? 0 : g->tensor_size[g->storage_root[i]]},
                                     storages + i};
    for (uint32_t t = 0; good && t < g->n_tensors; t++)
        if (g->tensor_kind[t] == HW_OUTPUT || (pin_inputs && g->tensor_kind[t] == HW_INPUT))
            look[storages + g->tensor_storage[t]].figure[3] = 1;
    for (uint32_t k = 0; good && k < n_pairs(g); k++) {
        look[pairs + k] = (looks){{PAIR, g->tensor_size[g->inplace_pair[k].output]}, pairs + k};
        look[outputs + k] = (looks){{OUTPUT}, outputs + k};
    }
    if (good) {
        qsort(look, s->n, sizeof *look, by_looks);
        for (uint32_t i = 0, kind = 0; i < s->n; i++) {
            if (i && memcmp(look[i].figure, look[i - 1].figure, sizeof look[i].figure) != 0)
                kind++;
            s->kind[look[i].vertex] = kind;
        }
    }
    free(look);
    return good;
}

/*
 * Call edge(s, from, to) for every edge.  seen[storage]: the last node whose
 * reading of it was told, for a node may name a storage several times.
 */
static void each_edge(const hw_graph *g, uint32_t *seen,
                      void (*edge)(exact_structure *, uint32_t, uint32_t), exact_structure *s)
{
    uint32_t storages = g->n_nodes, pairs = storages + g->n_storages, outputs = pairs + n_pairs(g);
    memset(seen, 0xff, (size_t)g->n_storages * sizeof *seen);
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++)
            edge(s, v, g->succs.item[k]);
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++) {
            uint32_t storage = g->tensor_storage[g->inputs.item[k]];
            if (!is_resident(g, storage) && seen[storage] != v)
                edge(s, storages + storage, v);
            seen[storage] = v;
        }
        for (uint32_t k = n_pairs(g) ? g->inplace_offset[v] : 0;
             n_pairs(g) && k < g->inplace_offset[v + 1]; k++) {
            edge(s, v, pairs + k);
            edge(s, pairs + k, storages + g->tensor_storage[g->inplace_pair[k].input]);
            edge(s, pairs + k, outputs + output_of(g, v, k));
        }
    }
    for (uint32_t i = 0; i < g->n_storages; i++)
        if (g->tensor_producer[g->storage_root[i]] != HW_NONE)
            edge(s, g->tensor_producer[g->storage_root[i]], storages + i);
}

/* Rows are counted two places ahead, so that filling them leaves offsets right. */
static void count_edge(exact_structure *s, uint32_t from, uint32_t to)
{
    s->out.offset[from + 2]++;
    s->in.offset[to + 2]++;
}

static void add_edge(exact_structure *s, uint32_t from, uint32_t to)
{
    s->out.item[s->out.offset[from + 1]++] = to;
    s->in.item[s->in.offset[to + 1]++] = from;
}

hw_code exact_structure_new(const hw_graph *g, bool pin_inputs, exact_structure *s, hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->n = g->n_nodes + g->n_storages + 2 * n_pairs(g);
    uint32_t *seen = HW_NEW(uint32_t, g->n_storages);
    s->out.offset = HW_NEW0(uint32_t, (size_t)s->n + 2);
    s->in.offset = HW_NEW0(uint32_t, (size_t)s->n + 2);
    bool good = seen && s->out.offset && s->in.offset && lay_kinds(g, pin_inputs, s);
    if (good) {
        each_edge(g, seen, count_edge, s);
        for (uint32_t i = 2; i <= s->n + 1; i++) {
            s->out.offset[i] += s->out.offset[i - 1];
            s->in.offset[i] += s->in.offset[i - 1];
        }
        s->out.item = HW_NEW(uint32_t, s->out.offset[s->n + 1]);
        s->in.item = HW_NEW(uint32_t, s->in.offset[s->n + 1]);
        good = s->out.item && s->in.item;
    }
    if (good)
        each_edge(g, seen, add_edge, s);
    free(seen);
    if (good)
        return HW_OK;
    exact_structure_free(s);
    return hw_fail_memory(err, "the structure of a graph");
}
