/* Graphs as JSON (highwater-formats(5)): a tensor or node a line.  O(tensors + nodes + edges). */
#include "io/write.h"

static const char *const kinds[] = {"activation", "input", "output", "constant"};

static void put_ids(const hw_graph *g, const hw_rows *rows, uint32_t v, hw_sink *s)
{
    hw_put_char(s, '[');
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++) {
        if (i > rows->offset[v])
            hw_put_char(s, ',');
        hw_put_u64(s, hw_tensor_id(g, rows->item[i]));
    }
    hw_put_char(s, ']');
}

static void put_pair(hw_sink *s, uint32_t first, uint32_t second)
{
    hw_put_char(s, '[');
    hw_put_u64(s, first);
    hw_put_char(s, ',');
    hw_put_u64(s, second);
    hw_put_char(s, ']');
}

static void put_text(hw_sink *s, const char *key, const char *text)
{
    if (!*text)
        return;
    hw_put_text(s, key);
    hw_put_json(s, text);
}

static void put_tensor(const hw_graph *g, uint32_t t, hw_sink *s)
{
    hw_put_text(s, "{\"id\":");
    hw_put_u64(s, hw_tensor_id(g, t));
    put_text(s, ",\"name\":", hw_tensor_name(g, t));
    hw_put_text(s, ",\"size\":");
    hw_put_u64(s, g->tensor_size[t]);
    hw_put_text(s, ",\"kind\":\"");
    hw_put_text(s, kinds[g->tensor_kind[t]]);
    hw_put_text(s, "\"}");
}

static void put_node(const hw_graph *g, uint32_t v, hw_sink *s)
{
    hw_put_text(s, "{\"id\":");
    hw_put_u64(s, hw_node_id(g, v));
    put_text(s, ",\"name\":", hw_node_name(g, v));
    put_text(s, ",\"op\":", hw_node_op(g, v));
    hw_put_text(s, ",\"inputs\":");
    put_ids(g, &g->inputs, v, s);
    hw_put_text(s, ",\"outputs\":");
    put_ids(g, &g->outputs, v, s);
    if (hw_node_workspace(g, v)) {
        hw_put_text(s, ",\"workspace\":");
        hw_put_u64(s, hw_node_workspace(g, v));
    }
    if (g->inplace_offset && g->inplace_offset[v] < g->inplace_offset[v + 1]) {
        hw_put_text(s, ",\"inplace\":[");
        for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
            if (i > g->inplace_offset[v])
                hw_put_char(s, ',');
            put_pair(s, hw_tensor_id(g, g->inplace_pair[i].input),
                     hw_tensor_id(g, g->inplace_pair[i].output));
        }
        hw_put_char(s, ']');
    }
    if (g->node_flags[v] & HW_NODE_INPLACE_REQUIRED)
        hw_put_text(s, ",\"inplace_required\":true");
    if (g->node_flags[v] & HW_NODE_VIEW)
        hw_put_text(s, ",\"view\":true");
    if (g->node_flags[v] & HW_NODE_LOCKED)
        hw_put_text(s, ",\"locked\":true");
    if (g->node_window && g->node_window[v] != HW_NONE) {
        hw_put_text(s, ",\"window\":");
        hw_put_u64(s, g->node_window[v]);
    }
    hw_put_char(s, '}');
}

void hw_json_put(const hw_graph *g, hw_sink *s)
{
    hw_put_text(s, "{\"format\":\"highwater-graph\",\"version\":1");
    put_text(s, ",\"name\":", g->name);
    put_text(s, ",\"source\":", g->source);
    hw_put_text(s, ",\"unit\":");
    hw_put_json(s, g->unit);
    hw_put_text(s, ",\n\"tensors\":[");
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        hw_put_text(s, t ? ",\n" : "\n");
        put_tensor(g, t, s);
    }
    hw_put_text(s, "],\n\"nodes\":[");
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        hw_put_text(s, v ? ",\n" : "\n");
        put_node(g, v, s);
    }
    hw_put_char(s, ']');
    if (g->n_control) {
        hw_put_text(s, ",\n\"control\":[");
        for (uint32_t i = 0; i < g->n_control; i++) {
            if (i > 0)
                hw_put_char(s, ',');
            put_pair(s, hw_node_id(g, g->control[i].from), hw_node_id(g, g->control[i].to));
        }
        hw_put_char(s, ']');
    }
    hw_put_text(s, "}\n");
}
