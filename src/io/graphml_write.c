/*
 * GraphML out, by igraph: a vertex for each tensor and node, an edge for each
 * input and output (slot: its place in the list) and each control edge.
 * Every attribute is a string: igraph keeps 15 digits of a number.
 * O(tensors + nodes + edges), times the number of attributes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/graphml.h"
#include "io/text.h"

/* One value at a time, built in a growing string. */
typedef struct writing {
    const hw_graph *g;
    igraph_t *out;
    char *text;
    size_t length, capacity;
    bool failed;
} writing;

static bool append(void *context, const char *bytes, size_t n)
{
    writing *w = context;
    if (!hw_grow((void **)&w->text, &w->capacity, w->length + n + 1, 1))
        return false;
    memcpy(w->text + w->length, bytes, n);
    w->length += n;
    w->text[w->length] = '\0';
    return true;
}

static void set_vertex(writing *w, const char *key, igraph_integer_t vertex, const char *value)
{
    if (!w->failed && *value)
        w->failed = igraph_cattribute_VAS_set(w->out, key, vertex, value) != IGRAPH_SUCCESS;
}

static void set_number(writing *w, const char *key, igraph_integer_t vertex, uint64_t number)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, number);
    set_vertex(w, key, vertex, digits);
}

/* Text with the control bytes that XML cannot carry escaped. */
static const char *escaped(writing *w, const char *text)
{
    hw_sink s;
    w->length = 0;
    hw_sink_start(&s, append, w);
    hw_put_percent(&s, text, false);
    if (!hw_sink_end(&s))
        w->failed = true;
    return w->length && !w->failed ? w->text : "";
}

static const char *pairs_text(writing *w, uint32_t v)
{
    const hw_graph *g = w->g;
    hw_sink s;
    w->length = 0;
    hw_sink_start(&s, append, w);
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
        if (i > g->inplace_offset[v])
            hw_put_char(&s, ',');
        hw_put_u64(&s, hw_tensor_id(g, g->inplace_pair[i].input));
        hw_put_char(&s, ':');
        hw_put_u64(&s, hw_tensor_id(g, g->inplace_pair[i].output));
    }
    if (!hw_sink_end(&s))
        w->failed = true;
    return w->length && !w->failed ? w->text : "";
}

static void set_tensors(writing *w)
{
    static const char *const kinds[] = {"activation", "input", "output", "constant"};
    const hw_graph *g = w->g;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        set_vertex(w, HW_XML_ROLE, t, "tensor");
        set_number(w, HW_XML_NUMBER, t, hw_tensor_id(g, t));
        set_vertex(w, "name", t, escaped(w, hw_tensor_name(g, t)));
        set_number(w, "size", t, g->tensor_size[t]);
        set_vertex(w, "kind", t, kinds[g->tensor_kind[t]]);
    }
}

static void set_nodes(writing *w)
{
    const hw_graph *g = w->g;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        igraph_integer_t at = (igraph_integer_t)g->n_tensors + v;
        unsigned flags = g->node_flags[v];
        set_vertex(w, HW_XML_ROLE, at, "node");
        set_number(w, HW_XML_NUMBER, at, hw_node_id(g, v));
        set_vertex(w, "name", at, escaped(w, hw_node_name(g, v)));
        set_vertex(w, "op", at, escaped(w, hw_node_op(g, v)));
        if (hw_node_workspace(g, v))
            set_number(w, "workspace", at, hw_node_workspace(g, v));
        if (g->inplace_offset)
            set_vertex(w, "inplace", at, pairs_text(w, v));
        if (g->node_window && g->node_window[v] != HW_NONE)
            set_number(w, "window", at, g->node_window[v]);
        set_vertex(w, "inplace_required", at, flags & HW_NODE_INPLACE_REQUIRED ? "true" : "");
        set_vertex(w, "view", at, flags & HW_NODE_VIEW ? "true" : "");
        set_vertex(w, "locked", at, flags & HW_NODE_LOCKED ? "true" : "");
    }
}

static void set_edge(writing *w, igraph_integer_t edge, const char *role, uint32_t slot)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu32, slot);
    w->failed = w->failed || igraph_cattribute_EAS_set(w->out, HW_XML_ROLE, edge, role) ||
                igraph_cattribute_EAS_set(w->out, HW_XML_SLOT, edge, digits);
}

static void set_edges(writing *w)
{
    const hw_graph *g = w->g;
    igraph_integer_t edge = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            set_edge(w, edge++, "input", i - g->inputs.offset[v]);
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
            set_edge(w, edge++, "output", i - g->outputs.offset[v]);
    }
    for (uint32_t i = 0; i < g->n_control; i++)
        set_edge(w, edge++, "control", i);
}

/* Ends of all edges, in the order of set_edges(). */
static void list_edges(const hw_graph *g, igraph_vector_int_t *ends)
{
    igraph_integer_t at = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        igraph_integer_t node = (igraph_integer_t)g->n_tensors + v;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            VECTOR(*ends)[at++] = g->inputs.item[i];
            VECTOR(*ends)[at++] = node;
        }
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
            VECTOR(*ends)[at++] = node;
            VECTOR(*ends)[at++] = g->outputs.item[i];
        }
    }
    for (uint32_t i = 0; i < g->n_control; i++) {
        VECTOR(*ends)[at++] = (igraph_integer_t)g->n_tensors + g->control[i].from;
        VECTOR(*ends)[at++] = (igraph_integer_t)g->n_tensors + g->control[i].to;
    }
}

static bool lay_graph(const hw_graph *g, igraph_t *out)
{
    igraph_integer_t n_edges = (igraph_integer_t)g->inputs.offset[g->n_nodes] +
                               g->outputs.offset[g->n_nodes] + g->n_control;
    igraph_vector_int_t ends;
    if (igraph_vector_int_init(&ends, 2 * n_edges) != IGRAPH_SUCCESS)
        return false;
    list_edges(g, &ends);
    bool laid = igraph_create(out, &ends, (igraph_integer_t)g->n_tensors + g->n_nodes,
                              IGRAPH_DIRECTED) == IGRAPH_SUCCESS;
    igraph_vector_int_destroy(&ends);
    return laid;
}

static void set_graph(writing *w)
{
    const struct {
        const char *key, *text;
    } head[] = {{"format", "highwater-graph"},
                {"version", "1"},
                {"name", w->g->name},
                {"source", w->g->source},
                {"unit", w->g->unit}};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        const char *value = escaped(w, head[i].text);
        if (!w->failed)
            w->failed = igraph_cattribute_GAS_set(w->out, head[i].key, value) != IGRAPH_SUCCESS;
    }
}

static igraph_error_t save(igraph_t *graph, void *out)
{
    return igraph_write_graph_graphml(graph, out, true);
}

hw_code hw_graphml_write(const hw_graph *g, FILE *out, hw_error *err)
{
    hw_igraph_guard guard;
    igraph_t graph;
    hw_code code = hw_igraph_begin(&guard, err);
    if (code != HW_OK)
        return code;
    if (!lay_graph(g, &graph)) {
        code = hw_fail_memory(err, "a GraphML file");
    } else {
        writing w = {.g = g, .out = &graph};
        set_graph(&w);
        set_tensors(&w);
        set_nodes(&w);
        set_edges(&w);
        igraph_error_t failure = w.failed ? IGRAPH_ENOMEM : hw_igraph_guarded(save, &graph, out);
        if (failure == IGRAPH_EFILE)
            code = hw_fail(err, HW_IO, "cannot write: %s", hw_igraph_complaint());
        else if (failure != IGRAPH_SUCCESS)
            code = hw_fail_memory(err, "a GraphML file");
        free(w.text);
        igraph_destroy(&graph);
    }
    hw_igraph_end(&guard);
    hw_sink flush;
    hw_sink_to_file(&flush, out);
    return code == HW_OK ? hw_sink_end_file(&flush, out, err) : code;
}
