/*
 * DOT out, for graphviz: nodes are boxes, activations the edges between them,
 * labelled by name and size; graph inputs, constants, outputs and what nobody
 * consumes are ellipses of their own.  O(tensors + nodes + edges).
 */
#include "io/write.h"

#include <stdlib.h>

#include "core/control.h"
#include "core/memory.h"

/* Text inside a quoted DOT string. */
static void put_escaped(hw_sink *s, const char *text)
{
    while (*text) {
        size_t control = hw_control_bytes(text);
        if (*text == '"' || *text == '\\')
            hw_put_char(s, '\\');
        hw_put_char(s, control ? ' ' : *text);
        text += control ? control : 1;
    }
}

static void put_tensor_label(const hw_graph *g, uint32_t t, hw_sink *s)
{
    const char *name = hw_tensor_name(g, t);
    hw_put_text(s, "label=\"");
    if (*name) {
        put_escaped(s, name);
    } else {
        hw_put_text(s, "tensor ");
        hw_put_u64(s, hw_tensor_id(g, t));
    }
    hw_put_text(s, "\\n");
    hw_put_u64(s, g->tensor_size[t]);
    hw_put_char(s, '"');
}

static void put_node(const hw_graph *g, uint32_t v, hw_sink *s)
{
    const char *op = hw_node_op(g, v), *name = hw_node_name(g, v);
    hw_put_text(s, "  v");
    hw_put_u64(s, v);
    hw_put_text(s, " [label=\"");
    put_escaped(s, op);
    if (*op && *name)
        hw_put_text(s, "\\n");
    put_escaped(s, name);
    if (!*op && !*name) {
        hw_put_text(s, "node ");
        hw_put_u64(s, hw_node_id(g, v));
    }
    if (hw_node_workspace(g, v)) {
        hw_put_text(s, "\\nworkspace ");
        hw_put_u64(s, hw_node_workspace(g, v));
    }
    hw_put_char(s, '"');
    if (g->node_flags[v] & HW_NODE_VIEW)
        hw_put_text(s, " style=dashed");
    if (g->node_flags[v] & HW_NODE_LOCKED)
        hw_put_text(s, " penwidth=2");
    hw_put_text(s, "];\n");
}

static void put_tensor(const hw_graph *g, uint32_t t, hw_sink *s)
{
    static const char *const styles[] = {" style=dotted", "", " peripheries=2",
                                         " style=filled fillcolor=lightgrey"};
    hw_put_text(s, "  t");
    hw_put_u64(s, t);
    hw_put_text(s, " [shape=ellipse ");
    put_tensor_label(g, t, s);
    hw_put_text(s, styles[g->tensor_kind[t]]);
    hw_put_text(s, "];\n");
}

/* A tensor has an ellipse of its own unless it only passes from node to node:
 * alone[t] for every tensor, the caller's; NULL: no memory. */
static bool *find_alone(const hw_graph *g)
{
    bool *alone = HW_NEW(bool, g->n_tensors);
    if (!alone)
        return NULL;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        alone[t] = true;
    for (uint32_t i = 0; i < g->inputs.offset[g->n_nodes]; i++)
        alone[g->inputs.item[i]] = g->tensor_kind[g->inputs.item[i]] != HW_ACTIVATION;
    return alone;
}

static void put_ends(hw_sink *s, const char *from_letter, uint32_t from, const char *to_letter,
                     uint32_t to)
{
    hw_put_text(s, from_letter);
    hw_put_u64(s, from);
    hw_put_text(s, to_letter);
    hw_put_u64(s, to);
}

static void put_data_edges(const hw_graph *g, uint32_t v, const bool *alone, hw_sink *s)
{
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t t = g->inputs.item[i];
        if (alone[t]) {
            put_ends(s, "  t", t, " -> v", v);
            hw_put_text(s, ";\n");
        } else {
            put_ends(s, "  v", g->tensor_producer[t], " -> v", v);
            hw_put_text(s, " [");
            put_tensor_label(g, t, s);
            hw_put_text(s, "];\n");
        }
    }
    for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++) {
        uint32_t t = g->outputs.item[i];
        if (!alone[t])
            continue;
        put_ends(s, "  v", v, " -> t", t);
        hw_put_text(s, ";\n");
    }
}

hw_code hw_dot_put(const hw_graph *g, hw_sink *s, hw_error *err)
{
    bool *alone = find_alone(g);
    if (!alone)
        return hw_fail_memory(err, "a DOT file");
    hw_put_text(s, "digraph \"");
    put_escaped(s, g->name);
    hw_put_text(s, "\" {\n  node [shape=box fontname=\"sans-serif\"];\n"
                   "  edge [fontname=\"sans-serif\" fontsize=10];\n");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        put_node(g, v, s);
    for (uint32_t t = 0; t < g->n_tensors; t++)
        if (alone[t])
            put_tensor(g, t, s);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        put_data_edges(g, v, alone, s);
    for (uint32_t i = 0; i < g->n_control; i++) {
        put_ends(s, "  v", g->control[i].from, " -> v", g->control[i].to);
        hw_put_text(s, " [style=dashed color=grey];\n");
    }
    hw_put_text(s, "}\n");
    free(alone);
    return HW_OK;
}
