/* From genomes to graphs and back.  See genome.h. */
#include "small/genome.h"

#include <string.h>

#include "model/builder.h"

typedef unsigned long long mask; /* what the compiler's bit counts take */

#define BIT(v) (UINT64_C(1) << (v))

void hw_genome_start(hw_genome *g, uint32_t n)
{
    memset(g, 0, sizeof *g);
    g->n = n;
    for (uint32_t v = 0; v < HW_GENOME_MOST; v++) {
        g->size[v] = 1;
        g->inplace[v] = HW_GENOME_NONE;
    }
}

uint64_t hw_genome_readers(const hw_genome *g, uint32_t u)
{
    uint64_t readers = 0;
    for (uint32_t v = u + 1; v < g->n; v++)
        if (g->parents[v] & BIT(u))
            readers |= BIT(v);
    return readers;
}

uint32_t hw_genome_edges(const hw_genome *g)
{
    uint32_t edges = 0;
    for (uint32_t v = 0; v < g->n; v++)
        edges += (uint32_t)__builtin_popcountll((mask)g->parents[v]);
    return edges;
}

/* ---- To a graph. ---- */

/* How the tensors are numbered. */
typedef struct numbering {
    uint64_t readers[HW_GENOME_MOST];
    uint64_t first[HW_GENOME_MOST + 1]; /* tensor of node v; of the node after it */
} numbering;

static void number_tensors(const hw_genome *g, numbering *t)
{
    uint64_t next = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        t->readers[v] = hw_genome_readers(g, v);
        t->first[v] = next;
        uint64_t apart = (uint64_t)__builtin_popcountll((mask)t->readers[v]);
        next += (g->split & BIT(v)) && apart > 1 ? apart : 1;
    }
    t->first[g->n] = next;
}

/* What v reads of u. */
static uint64_t tensor_between(const numbering *t, uint32_t u, uint32_t v)
{
    if (t->first[u + 1] - t->first[u] == 1)
        return t->first[u];
    return t->first[u] + (uint64_t)__builtin_popcountll((mask)(t->readers[u] & (BIT(v) - 1)));
}

static hw_code add_tensors(hw_builder *b, const hw_genome *g, const numbering *t, hw_error *err)
{
    for (uint32_t v = 0; v < g->n; v++) {
        hw_kind kind = t->readers[v] || g->discard ? HW_ACTIVATION : HW_OUTPUT;
        for (uint64_t id = t->first[v]; id < t->first[v + 1]; id++) {
            hw_code code = hw_builder_tensor(b, id, g->size[v], kind, NULL, err);
            if (code != HW_OK)
                return code;
        }
    }
    return HW_OK;
}

static hw_code add_node(hw_builder *b, const hw_genome *g, const numbering *t, uint32_t v,
                        hw_error *err)
{
    uint64_t inputs[HW_GENOME_MOST], outputs[HW_GENOME_MOST], pair[2];
    hw_node_spec spec = {.id = v, .inputs = inputs, .outputs = outputs, .inplace = pair};
    for (uint32_t u = 0; u < v; u++)
        if (g->parents[v] & BIT(u))
            inputs[spec.n_inputs++] = tensor_between(t, u, v);
    for (uint64_t id = t->first[v]; id < t->first[v + 1]; id++)
        outputs[spec.n_outputs++] = id;
    spec.workspace = g->workspace[v];
    if (g->inplace[v] != HW_GENOME_NONE) {
        pair[0] = tensor_between(t, g->inplace[v], v);
        pair[1] = t->first[v];
        spec.n_inplace = 1;
    }
    return hw_builder_node(b, &spec, err);
}

hw_code hw_genome_graph(const hw_genome *g, const char *name, const char *source, hw_graph **out,
                        hw_error *err)
{
    numbering t;
    hw_builder *b = hw_builder_new();
    *out = NULL;
    if (!b)
        return hw_fail_memory(err, "a graph");
    number_tensors(g, &t);
    hw_code code = hw_builder_describe(b, name, source, NULL, err);
    if (code == HW_OK)
        code = add_tensors(b, g, &t, err);
    for (uint32_t v = 0; code == HW_OK && v < g->n; v++)
        code = add_node(b, g, &t, v, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

/* ---- And back. ---- */

static hw_code refuse(const hw_graph *g, uint32_t v, const char *why, hw_error *err)
{
    return hw_fail(err, HW_USAGE, "node %u %s: this search knows no such graphs", hw_node_id(g, v),
                   why);
}

static hw_code refuse_whole(const hw_graph *graph, hw_error *err)
{
    if (graph->n_nodes == 0 || graph->n_nodes > HW_GENOME_MOST)
        return hw_fail(err, HW_USAGE, "the graph has %u nodes: 1 to %d can be searched from",
                       graph->n_nodes, HW_GENOME_MOST);
    if (graph->n_control)
        return hw_fail(err, HW_USAGE,
                       "the graph has control edges: this search knows no such graphs");
    if (!graph->source_order_legal_edges)
        return hw_fail(err, HW_USAGE,
                       "the source order is not topological: list the nodes in a legal order");
    for (uint32_t v = 0; v < graph->n_nodes; v++) {
        if (graph->node_flags[v] & HW_NODE_VIEW)
            return refuse(graph, v, "is a view", err);
        if (graph->node_flags[v] & HW_NODE_LOCKED)
            return refuse(graph, v, "is locked", err);
        if (graph->node_flags[v] & HW_NODE_INPLACE_REQUIRED)
            return refuse(graph, v, "must overwrite its input", err);
        if (graph->node_window && graph->node_window[v] != HW_NONE)
            return refuse(graph, v, "has a window", err);
        if (graph->outputs.offset[v] == graph->outputs.offset[v + 1])
            return refuse(graph, v, "makes no tensor", err);
    }
    return HW_OK;
}

/* The readers of a tensor, by a look at all nodes. */
static uint64_t readers_of_tensor(const hw_graph *graph, uint32_t tensor)
{
    uint64_t readers = 0;
    for (uint32_t v = 0; v < graph->n_nodes; v++)
        for (uint32_t i = graph->inputs.offset[v]; i < graph->inputs.offset[v + 1]; i++)
            if (graph->inputs.item[i] == tensor)
                readers |= BIT(v);
    return readers;
}

static hw_code read_edges(const hw_graph *graph, hw_genome *g, hw_error *err)
{
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t i = graph->inputs.offset[v]; i < graph->inputs.offset[v + 1]; i++) {
            uint32_t maker = graph->tensor_producer[graph->inputs.item[i]];
            if (maker == HW_NONE)
                return refuse(graph, v, "reads an input or a constant of the graph", err);
            if (graph->tensor_kind[graph->inputs.item[i]] == HW_OUTPUT)
                return refuse(graph, v, "reads a tensor that is kept to the end", err);
            g->parents[v] |= BIT(maker);
        }
    return HW_OK;
}

/* One tensor for all readers, or one of the same size for each. */
static hw_code read_tensors(const hw_graph *graph, uint32_t v, hw_genome *g, hw_error *err)
{
    const uint32_t *item = graph->outputs.item + graph->outputs.offset[v];
    uint32_t count = graph->outputs.offset[v + 1] - graph->outputs.offset[v];
    uint64_t seen = 0;
    g->size[v] = graph->tensor_size[item[0]];
    if (count == 1)
        return HW_OK;
    g->split |= BIT(v);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t readers = readers_of_tensor(graph, item[i]);
        if (graph->tensor_size[item[i]] != g->size[v])
            return refuse(graph, v, "makes tensors of several sizes", err);
        if (readers == 0 || (readers & (readers - 1)) || (readers & seen) || readers < seen)
            return refuse(graph, v, "makes several tensors that are not one a reader, in order",
                          err);
        seen |= readers;
    }
    return HW_OK;
}

static hw_code read_inplace(const hw_graph *graph, uint32_t v, hw_genome *g, hw_error *err)
{
    if (!graph->inplace_offset || graph->inplace_offset[v] == graph->inplace_offset[v + 1])
        return HW_OK;
    const hw_inplace_pair *pair = &graph->inplace_pair[graph->inplace_offset[v]];
    if (graph->inplace_offset[v + 1] - graph->inplace_offset[v] > 1)
        return refuse(graph, v, "has several in-place pairs", err);
    if (pair->output != graph->outputs.item[graph->outputs.offset[v]])
        return refuse(graph, v, "overwrites with an output that is not its first", err);
    g->inplace[v] = (uint8_t)graph->tensor_producer[pair->input];
    return HW_OK;
}

static hw_code read_results(const hw_graph *graph, hw_genome *g, hw_error *err)
{
    bool any = false;
    for (uint32_t v = 0; v < g->n; v++) {
        if (hw_genome_readers(g, v))
            continue;
        bool discarded =
            graph->tensor_kind[graph->outputs.item[graph->outputs.offset[v]]] != HW_OUTPUT;
        if (any && discarded != g->discard)
            return refuse(graph, v, "makes a result that is kept while others are not, or not kept",
                          err);
        g->discard = discarded;
        any = true;
    }
    return HW_OK;
}

hw_code hw_genome_of_graph(const hw_graph *graph, hw_genome *out, hw_error *err)
{
    hw_code code = refuse_whole(graph, err);
    if (code != HW_OK)
        return code;
    hw_genome_start(out, graph->n_nodes);
    code = read_edges(graph, out, err);
    for (uint32_t v = 0; code == HW_OK && v < out->n; v++) {
        out->workspace[v] = hw_node_workspace(graph, v);
        code = read_tensors(graph, v, out, err);
        if (code == HW_OK)
            code = read_inplace(graph, v, out, err);
    }
    return code == HW_OK ? read_results(graph, out, err) : code;
}
