/* See timeline.h. */
#include "report/timeline.h"

#include <inttypes.h>

static void put_bytes(hw_json_out *j, const char *key, uint64_t bytes)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, bytes);
    hw_json_put_string(j, key, text);
}

static void put_many(hw_json_out *j, const char *key, const uint64_t *bytes, uint32_t n)
{
    hw_json_open(j, key, '[');
    for (uint32_t i = 0; i < n; i++)
        put_bytes(j, NULL, bytes[i]);
    hw_json_close(j, ']');
}

static void put_graph(hw_json_out *j, const hw_graph *g)
{
    hw_json_open(j, "nodes", '[');
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        hw_json_open(j, NULL, '[');
        hw_json_put_u64(j, NULL, hw_node_id(g, v));
        hw_json_put_string(j, NULL, hw_node_name(g, v));
        hw_json_put_string(j, NULL, hw_node_op(g, v));
        hw_json_close(j, ']');
    }
    hw_json_close(j, ']');
    hw_json_open(j, "tensors", '[');
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        hw_json_open(j, NULL, '[');
        hw_json_put_u64(j, NULL, hw_tensor_id(g, t));
        hw_json_put_string(j, NULL, hw_tensor_name(g, t));
        put_bytes(j, NULL, g->tensor_size[t]);
        hw_json_close(j, ']');
    }
    hw_json_close(j, ']');
}

static void put_lives(hw_json_out *j, const hw_log *log)
{
    hw_json_open(j, "lives", '[');
    for (uint32_t k = 0; k < log->n_lives; k++) {
        hw_json_open(j, NULL, '[');
        hw_json_put_u64(j, NULL, log->life[k].tensor);
        hw_json_put_i64(j, NULL, log->life[k].birth);
        hw_json_put_i64(j, NULL, log->life[k].death);
        hw_json_close(j, ']');
    }
    hw_json_close(j, ']');
}

static void put_order(hw_json_out *j, const hw_timeline_order *o)
{
    const hw_log *log = o->log;
    hw_json_open(j, NULL, '{');
    hw_json_put_string(j, "label", o->label);
    put_bytes(j, "peak", log->peak);
    hw_json_put_i64(j, "peak_step", log->peak_step);
    put_bytes(j, "before", log->live_empty);
    hw_json_open(j, "order", '[');
    for (uint32_t i = 0; i < log->n_steps; i++)
        hw_json_put_u64(j, NULL, log->order[i]);
    hw_json_close(j, ']');
    put_many(j, "usage", log->usage, log->n_steps);
    put_many(j, "live", log->live, log->n_steps);
    if (log->model->workspace) {
        hw_json_open(j, "workspace", '[');
        for (uint32_t i = 0; i < log->n_steps; i++)
            put_bytes(j, NULL, hw_workspace(log->model, log->order[i]));
        hw_json_close(j, ']');
    }
    put_lives(j, log);
    hw_json_close(j, '}');
}

void hw_timeline_json(const hw_timeline_order *orders, size_t n, hw_json_out *j)
{
    const hw_model *m = orders[0].log->model;
    hw_json_put_string(j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(j, "pinned", m->pin_inputs);
    put_graph(j, m->graph);
    hw_json_open(j, "orders", '[');
    for (size_t i = 0; i < n; i++)
        put_order(j, &orders[i]);
    hw_json_close(j, ']');
}
