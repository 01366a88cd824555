/* Reading the record of a fusion.  See record.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/json_parse.h"
#include "transform/record_internal.h"

void hw_record_free(hw_record *r)
{
    if (!r)
        return;
    hw_graph_free(r->parts);
    free(r->file);
    free(r->fusion);
    free(r->node);
    free(r->tensor);
    free(r->control);
    free(r);
}

typedef struct reading {
    hw_record *r;
    const char *file;
    hw_error *err;
    size_t fusion; /* the number of the one at hand */
} reading;

static hw_code fail(const reading *c, const char *list, size_t item, const char *what)
{
    return hw_fail(c->err, HW_BAD_INPUT, "%s: fusions[%zu].%s[%zu] %s", c->file, c->fusion, list,
                   item, what);
}

/* A list of an object or of the top level; `of` names the object in messages. */
static hw_code list_of(const reading *c, const json_t *object, const char *key, const json_t **out)
{
    *out = json_object_get(object, key);
    if (json_is_array(*out))
        return HW_OK;
    return hw_fail(c->err, HW_BAD_INPUT, "%s: %s is %s: it should be an array", c->file, key,
                   *out ? hw_json_type(*out) : "missing");
}

static hw_code number_of(const reading *c, const json_t *object, const char *list, size_t item,
                         const char *key, uint64_t most, uint32_t *out)
{
    char text[HW_JSON_COMPLAINT + 32];
    const json_t *value = json_object_get(object, key);
    uint64_t number;
    if (!value)
        return fail(c, list, item, "lacks id or position: write both");
    if (!hw_json_u64(value, &number, text))
        return fail(c, list, item, text);
    if (number > most)
        return fail(c, list, item, "has an id or position beyond the graph");
    *out = (uint32_t)number;
    return HW_OK;
}

/* [{"id", "position"}, ...], appended. */
static hw_code read_places(const reading *c, const json_t *fusion, const char *key,
                           record_place **places, size_t *n, size_t *room)
{
    const json_t *list;
    hw_code code = list_of(c, fusion, key, &list);
    if (code != HW_OK)
        return code;
    size_t count = json_array_size(list);
    if (!hw_grow((void **)places, room, *n + count + 1, sizeof **places))
        return hw_fail_memory(c->err, "the record of a fusion");
    for (size_t i = 0; i < count && code == HW_OK; i++) {
        const json_t *object = json_array_get(list, i);
        record_place *place = &(*places)[*n];
        code = number_of(c, object, key, i, "id", UINT32_MAX, &place->id);
        if (code == HW_OK)
            code = number_of(c, object, key, i, "position", UINT32_MAX - 1, &place->position);
        (*n)++;
    }
    return code;
}

static hw_code read_fusion(reading *c, const json_t *object)
{
    hw_record *r = c->r;
    record_fusion *f = &r->fusion[r->n_fusions];
    hw_code code = number_of(c, object, "node", 0, "node", UINT32_MAX, &f->node);
    f->begin = r->n_nodes;
    if (code == HW_OK)
        code = read_places(c, object, "nodes", &r->node, &r->n_nodes, &r->node_room);
    f->end = r->n_nodes;
    if (code == HW_OK && f->end - f->begin < 2)
        code = fail(c, "nodes", 0, "is not there: a fusion has two nodes or more");
    if (code == HW_OK)
        code = read_places(c, object, "tensors", &r->tensor, &r->n_tensors, &r->tensor_room);
    r->n_fusions++;
    return code;
}

static hw_code read_fusions(reading *c, const json_t *root)
{
    const json_t *list;
    hw_code code = list_of(c, root, "fusions", &list);
    if (code != HW_OK)
        return code;
    size_t n = json_array_size(list);
    c->r->fusion = HW_NEW0(record_fusion, n);
    if (!c->r->fusion)
        return hw_fail_memory(c->err, "the record of a fusion");
    for (c->fusion = 0; c->fusion < n && code == HW_OK; c->fusion++)
        code = read_fusion(c, json_array_get(list, c->fusion));
    return code;
}

static hw_code read_control(const reading *c, const json_t *root)
{
    const json_t *list;
    hw_code code = list_of(c, root, "control", &list);
    if (code != HW_OK)
        return code;
    size_t n = json_array_size(list);
    c->r->control = HW_NEW(uint64_t, 2 * n);
    if (!c->r->control)
        return hw_fail_memory(c->err, "the record of a fusion");
    for (size_t i = 0; i < 2 * n; i++) {
        char text[HW_JSON_COMPLAINT];
        const json_t *pair = json_array_get(list, i / 2);
        if (json_array_size(pair) != 2 ||
            !hw_json_u64(json_array_get(pair, i % 2), &c->r->control[i], text))
            return hw_fail(c->err, HW_BAD_INPUT, "%s: control[%zu] is no pair of node ids", c->file,
                           i / 2);
    }
    c->r->n_control = n;
    return HW_OK;
}

static hw_code read_hash(const reading *c, const json_t *root, const char *key,
                         char out[HW_HASH_TEXT])
{
    const char *text = json_string_value(json_object_get(root, key));
    if (!text || strlen(text) + 1 != HW_HASH_TEXT)
        return hw_fail(c->err, HW_BAD_INPUT, "%s: %s is no hash of a graph: 64 hex digits", c->file,
                       key);
    memcpy(out, text, HW_HASH_TEXT);
    return HW_OK;
}

/* The graph inside the record, through the reader of graphs. */
static hw_code read_parts(const reading *c, const json_t *root)
{
    const json_t *value = json_object_get(root, "parts");
    if (!json_is_object(value))
        return hw_fail(c->err, HW_BAD_INPUT, "%s: parts is %s: it should be a graph", c->file,
                       value ? hw_json_type(value) : "missing");
    char *text = hw_json_dump(value);
    if (!text)
        return hw_fail_memory(c->err, "the record of a fusion");
    hw_code code = hw_graph_parse(text, strlen(text), "parts", &c->r->parts, c->err);
    free(text);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s: ", c->file);
    return code;
}

static hw_code read_record(reading *c, const json_t *root)
{
    hw_code code = hw_json_check_version(root, c->file, "highwater-fusion", c->err);
    if (code == HW_OK)
        code = read_hash(c, root, "original", c->r->original);
    if (code == HW_OK)
        code = read_hash(c, root, "fused", c->r->fused);
    if (code == HW_OK)
        code = read_fusions(c, root);
    if (code == HW_OK)
        code = read_control(c, root);
    if (code == HW_OK)
        code = read_parts(c, root);
    if (code == HW_OK && c->r->parts->n_nodes != c->r->n_nodes)
        code = hw_fail(c->err, HW_BAD_INPUT,
                       "%s: the fusions name %zu nodes and parts has %" PRIu32
                       ": the record was changed",
                       c->file, c->r->n_nodes, c->r->parts->n_nodes);
    return code;
}

hw_code hw_record_load(const char *path, hw_record **out, hw_error *err)
{
    hw_input in;
    json_t *root = NULL;
    *out = NULL;
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    reading c = {.r = HW_NEW0(hw_record, 1), .file = in.name, .err = err};
    code = c.r ? hw_json_parse(&in, &root, err) : hw_fail_memory(err, "the record of a fusion");
    if (code == HW_OK) {
        c.r->file = hw_copy(in.name, strlen(in.name) + 1, 1);
        code = c.r->file ? read_record(&c, root) : hw_fail_memory(err, "the record of a fusion");
    }
    json_decref(root);
    hw_input_close(&in);
    if (code == HW_OK)
        *out = c.r;
    else
        hw_record_free(c.r);
    return code;
}
