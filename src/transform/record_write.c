/* Writing the record of a fusion.  See record.h. */
#include <stdlib.h>

#include "core/json_out.h"
#include "core/memory.h"
#include "io/io.h"
#include "io/text.h"
#include "io/write.h"
#include "transform/recast.h"
#include "transform/record.h"

/* The nodes that were fused and all tensors that they name, as a graph of its own. */
static hw_code parts_of(const hw_graph *g, const hw_fusion *f, hw_graph **out, hw_error *err)
{
    hw_recast r;
    bool *named = HW_NEW0(bool, g->n_tensors);
    *out = NULL;
    hw_code code = hw_recast_open(&r, g, err);
    if (code == HW_OK && !named)
        code = hw_fail_memory(err, "the record of a fusion");
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++) {
        if (f->group[v] == HW_NONE)
            continue;
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++)
            named[g->inputs.item[i]] = true;
        for (uint32_t i = g->outputs.offset[v]; i < g->outputs.offset[v + 1]; i++)
            named[g->outputs.item[i]] = true;
    }
    for (uint32_t t = 0; t < g->n_tensors && code == HW_OK; t++) {
        uint32_t maker = g->tensor_producer[t];
        hw_kind kind = (hw_kind)g->tensor_kind[t];
        if (maker != HW_NONE && f->group[maker] == HW_NONE)
            kind = HW_INPUT;
        if (named[t])
            code = hw_recast_tensor(&r, t, kind, err);
    }
    for (uint32_t v = 0; v < g->n_nodes && code == HW_OK; v++)
        if (f->group[v] != HW_NONE)
            code = hw_recast_node(&r, v, err);
    if (code == HW_OK)
        code = hw_recast_finish(&r, out, err);
    hw_recast_close(&r);
    free(named);
    return code;
}

static void put_name(hw_json_out *j, const char *key, const char *text)
{
    if (*text)
        hw_json_put_string(j, key, text);
}

static void put_group(hw_json_out *j, const hw_graph *g, const hw_fusion *f, uint32_t group,
                      const char *pattern)
{
    uint32_t begin = f->offset[group], end = f->offset[group + 1];
    hw_json_open(j, NULL, '{');
    hw_json_put_u64(j, "node", hw_node_id(g, f->member[end - 1]));
    put_name(j, "name", hw_node_name(g, f->member[end - 1]));
    hw_json_put_string(j, "pattern", pattern);
    hw_json_open(j, "nodes", '[');
    for (uint32_t k = begin; k < end; k++) {
        uint32_t v = f->member[k];
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "id", hw_node_id(g, v));
        put_name(j, "name", hw_node_name(g, v));
        put_name(j, "op", hw_node_op(g, v));
        hw_json_put_u64(j, "position", v);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
    hw_json_open(j, "tensors", '[');
    for (uint32_t k = begin; k < end; k++)
        for (uint32_t i = g->outputs.offset[f->member[k]]; i < g->outputs.offset[f->member[k] + 1];
             i++) {
            uint32_t t = g->outputs.item[i];
            if (!f->inner[t])
                continue;
            hw_json_open(j, NULL, '{');
            hw_json_put_u64(j, "id", hw_tensor_id(g, t));
            put_name(j, "name", hw_tensor_name(g, t));
            hw_json_put_u64(j, "size", g->tensor_size[t]);
            hw_json_put_u64(j, "position", t);
            hw_json_close(j, '}');
        }
    hw_json_close(j, ']');
    hw_json_close(j, '}');
}

static void put_control(hw_json_out *j, const hw_graph *g)
{
    hw_json_open(j, "control", '[');
    for (uint32_t i = 0; i < g->n_control; i++) {
        hw_json_open(j, NULL, '[');
        hw_json_put_u64(j, NULL, hw_node_id(g, g->control[i].from));
        hw_json_put_u64(j, NULL, hw_node_id(g, g->control[i].to));
        hw_json_close(j, ']');
    }
    hw_json_close(j, ']');
}

hw_code hw_record_write(const hw_graph *g, const hw_fusion *f, const hw_graph *fused,
                        const hw_patterns *patterns, FILE *out, hw_error *err)
{
    char hash[2][HW_HASH_TEXT];
    hw_graph *parts = NULL;
    hw_code code = hw_graph_hash(g, hash[0], err);
    if (code == HW_OK)
        code = hw_graph_hash(fused, hash[1], err);
    if (code == HW_OK)
        code = parts_of(g, f, &parts, err);
    if (code != HW_OK)
        return code;
    hw_json_out j = hw_json_on(out);
    j.break_items = true;
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", "highwater-fusion");
    hw_json_put_u64(&j, "version", 1);
    hw_json_put_string(&j, "original", hash[0]);
    hw_json_put_string(&j, "fused", hash[1]);
    hw_json_put_u64(&j, "inner_bytes", f->inner_bytes);
    hw_json_open(&j, "fusions", '[');
    for (uint32_t i = 0; i < f->n_groups; i++)
        put_group(&j, g, f, i, hw_pattern_name(patterns, f->pattern[i]));
    hw_json_close(&j, ']');
    put_control(&j, g);
    (void)fputs(", \"parts\":", out);
    hw_sink s;
    hw_sink_to_file(&s, out);
    hw_json_put(parts, &s);
    hw_put_text(&s, "}\n");
    hw_graph_free(parts);
    return hw_sink_end_file(&s, out, err);
}
