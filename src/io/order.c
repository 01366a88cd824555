/*
 * Order files: {"format":"highwater-order","version":1,"graph":"<hash>",
 * "order":[node ids]}.  See io.h.  O(n), and the hash where one is given.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/idmap.h"
#include "core/memory.h"
#include "io/io.h"
#include "io/json_parse.h"
#include "io/text.h"

static hw_code check_hash(const json_t *root, const hw_graph *g, const char *file, hw_error *err)
{
    const json_t *value = json_object_get(root, "graph");
    if (!value)
        return HW_OK;
    char hash[HW_HASH_TEXT], quoted[HW_QUOTE_BYTES];
    if (!json_is_string(value))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: graph is %s: it should be the graph's hash, a string", file,
                       hw_json_type(value));
    hw_code code = hw_graph_hash(g, hash, err);
    if (code != HW_OK)
        return code;
    const char *found = json_string_value(value);
    if (strcmp(found, hash) == 0)
        return HW_OK;
    return hw_fail(
        err, HW_BAD_INPUT,
        "%s: the order belongs to graph %s, this graph is %s: give the graph that it was "
        "made for, or drop the key 'graph'",
        file, hw_quote(found, strlen(found), quoted), hash);
}

/* Node ids to indices, each node once. */
static hw_code read_ids(const json_t *list, const hw_graph *g, const hw_idmap *map, bool *seen,
                        uint32_t *order, const char *file, hw_error *err)
{
    size_t n = json_array_size(list);
    if (n != g->n_nodes)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: order lists %zu nodes, the graph has %" PRIu32 ": list each node once",
                       file, n, g->n_nodes);
    for (size_t i = 0; i < n; i++) {
        char text[HW_JSON_COMPLAINT];
        uint64_t id;
        if (!hw_json_u64(json_array_get(list, i), &id, text))
            return hw_fail(err, HW_BAD_INPUT, "%s: order[%zu] %s", file, i, text);
        uint32_t v = hw_idmap_find(map, id);
        if (v == HW_NONE)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s: order[%zu] names node %" PRIu64
                           ", which the graph does not have: list its node ids",
                           file, i, id);
        if (seen[v])
            return hw_fail(err, HW_BAD_INPUT,
                           "%s: order[%zu] names node %" PRIu64
                           " a second time: list each node once",
                           file, i, id);
        seen[v] = true;
        order[i] = v;
    }
    return HW_OK;
}

static hw_code read_order(const json_t *root, const hw_graph *g, uint32_t *order, const char *file,
                          hw_error *err)
{
    const json_t *list = json_object_get(root, "order");
    if (!list)
        return hw_fail(err, HW_BAD_INPUT, "%s: no key 'order': add the array of node ids", file);
    if (!json_is_array(list))
        return hw_fail(err, HW_BAD_INPUT, "%s: order is %s: it should be an array of node ids",
                       file, hw_json_type(list));
    hw_idmap map = {0};
    bool *seen = HW_NEW0(bool, g->n_nodes);
    hw_code code = seen ? HW_OK : hw_fail_memory(err, "an order");
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (hw_idmap_add(&map, hw_node_id(g, v)) != HW_IDMAP_NEW)
            code = hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = read_ids(list, g, &map, seen, order, file, err);
    hw_idmap_clear(&map);
    free(seen);
    return code;
}

/* Closes `in`. */
static hw_code parse_order(hw_input *in, const hw_graph *g, uint32_t *order, hw_error *err)
{
    json_t *root = NULL;
    hw_code code = hw_json_parse(in, &root, err);
    if (code == HW_OK)
        code = hw_json_check_version(root, in->name, "highwater-order", err);
    if (code == HW_OK)
        code = check_hash(root, g, in->name, err);
    if (code == HW_OK)
        code = read_order(root, g, order, in->name, err);
    json_decref(root);
    hw_input_close(in);
    return code;
}

hw_code hw_order_load(const char *path, const hw_graph *g, uint32_t *order, hw_error *err)
{
    hw_input in;
    hw_code code = hw_input_open(&in, path, err);
    return code == HW_OK ? parse_order(&in, g, order, err) : code;
}

hw_code hw_order_parse(const char *bytes, size_t n, const char *name, const hw_graph *g,
                       uint32_t *order, hw_error *err)
{
    hw_input in;
    hw_code code = hw_input_memory(&in, bytes, n, name, err);
    return code == HW_OK ? parse_order(&in, g, order, err) : code;
}

hw_code hw_order_write(const hw_graph *g, const uint32_t *order, FILE *out, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(g, hash, err);
    if (code != HW_OK)
        return code;
    hw_sink s;
    hw_sink_to_file(&s, out);
    hw_put_text(&s, "{\"format\":\"highwater-order\",\"version\":1,\"graph\":\"");
    hw_put_text(&s, hash);
    hw_put_text(&s, "\",\"order\":[");
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        if (i > 0)
            hw_put_char(&s, ',');
        hw_put_u64(&s, hw_node_id(g, order[i]));
    }
    hw_put_text(&s, "]}\n");
    return hw_sink_end_file(&s, out, err);
}
