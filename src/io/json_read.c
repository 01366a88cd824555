/*
 * Graphs from JSON (highwater-formats(5)), by jansson.  Messages tell the path inside the
 * file ("nodes[3].inputs[1]").  O(size of the file).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/json_parse.h"
#include "io/reader.h"
#include "io/text.h"
#include "model/builder.h"

/* Where a value stands; unused parts are NULL or -1. */
typedef struct place {
    const char *list; /* "nodes"  */
    size_t index;     /* [3]      */
    const char *key;  /* .inputs  */
    int64_t item;     /* [1]      */
    int64_t side;     /* [0] of a pair */
} place;

typedef struct reading {
    hw_reader *r;
    hw_builder *b;
    hw_error *err;
    uint64_t *scratch; /* ids of the node at hand */
    size_t capacity;
} reading;

static hw_code fail_at(const reading *c, const place *p, const char *what)
{
    char item[32] = "", side[32] = "";
    if (p->item >= 0)
        (void)snprintf(item, sizeof item, "[%" PRId64 "]", p->item);
    if (p->side >= 0)
        (void)snprintf(side, sizeof side, "[%" PRId64 "]", p->side);
    return hw_fail(c->err, HW_BAD_INPUT, "%s: %s[%zu]%s%s%s%s %s", c->r->input.name, p->list,
                   p->index, p->key ? "." : "", p->key ? p->key : "", item, side, what);
}

static hw_code fail_type(const reading *c, const place *p, const json_t *value, const char *wanted)
{
    char text[HW_JSON_COMPLAINT];
    (void)snprintf(text, sizeof text, "is %s: it should be %s", hw_json_type(value), wanted);
    return fail_at(c, p, text);
}

static hw_code read_u64(const reading *c, const place *p, const json_t *value, uint64_t *out)
{
    char text[HW_JSON_COMPLAINT];
    return hw_json_u64(value, out, text) ? HW_OK : fail_at(c, p, text);
}

/* The value of a required key. */
static hw_code require(const reading *c, const json_t *object, place *p, const char *key,
                       const json_t **out)
{
    *out = json_object_get(object, key);
    if (!*out) {
        char text[HW_JSON_COMPLAINT];
        p->key = NULL;
        (void)snprintf(text, sizeof text, "has no '%s': add the key", key);
        return fail_at(c, p, text);
    }
    p->key = key;
    return HW_OK;
}

static hw_code required_u64(const reading *c, const json_t *object, place *p, const char *key,
                            uint64_t *out)
{
    const json_t *value;
    hw_code code = require(c, object, p, key, &value);
    return code == HW_OK ? read_u64(c, p, value, out) : code;
}

static hw_code optional_text(const reading *c, const json_t *object, place *p, const char *key,
                             const char **out)
{
    const json_t *value = json_object_get(object, key);
    *out = NULL;
    if (!value)
        return HW_OK;
    p->key = key;
    if (!json_is_string(value))
        return fail_type(c, p, value, "a string");
    *out = json_string_value(value);
    return HW_OK;
}

static hw_code optional_bool(const reading *c, const json_t *object, place *p, const char *key,
                             bool *out)
{
    const json_t *value = json_object_get(object, key);
    *out = json_is_true(value);
    p->key = key;
    if (value && !json_is_boolean(value))
        return fail_type(c, p, value, "true or false");
    return HW_OK;
}

static hw_code note_unknown(const reading *c, const char *where, json_t *object,
                            const char *const *known, size_t n_known)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        size_t i = 0;
        while (i < n_known && strcmp(known[i], key) != 0)
            i++;
        if (i < n_known)
            continue;
        hw_code code = hw_reader_unknown(c->r, where, key, c->err);
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

static hw_code prefix(const reading *c, hw_code code, const place *p)
{
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s: %s[%zu]: ", c->r->input.name, p->list, p->index);
    return code;
}

static bool parse_kind(const char *text, hw_kind *kind)
{
    static const char *const kinds[] = {"activation", "input", "output", "constant"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(text, kinds[i]) == 0) {
            *kind = (hw_kind)i;
            return true;
        }
    }
    return false;
}

static hw_code read_tensor(reading *c, json_t *object, size_t index)
{
    static const char *const known[] = {"id", "name", "size", "kind"};
    place p = {"tensors", index, NULL, -1, -1};
    if (!json_is_object(object))
        return fail_type(c, &p, object, "an object");
    uint64_t id, size;
    const json_t *kind_value = NULL;
    const char *name;
    hw_kind kind;
    hw_code code = required_u64(c, object, &p, "id", &id);
    if (code == HW_OK)
        code = required_u64(c, object, &p, "size", &size);
    if (code == HW_OK)
        code = require(c, object, &p, "kind", &kind_value);
    if (code == HW_OK && !json_is_string(kind_value))
        code = fail_type(c, &p, kind_value, "a string");
    if (code != HW_OK)
        return code;
    const char *text = json_string_value(kind_value);
    if (!parse_kind(text, &kind)) {
        char quoted[HW_QUOTE_BYTES], complaint[HW_JSON_COMPLAINT];
        (void)snprintf(complaint, sizeof complaint,
                       "is '%s': write activation, input, output or constant",
                       hw_quote(text, strlen(text), quoted));
        return fail_at(c, &p, complaint);
    }
    code = optional_text(c, object, &p, "name", &name);
    if (code == HW_OK)
        code = note_unknown(c, "tensors[]", object, known, sizeof known / sizeof *known);
    if (code != HW_OK)
        return code;
    return prefix(c, hw_builder_tensor(c->b, id, size, kind, name, c->err), &p);
}

static hw_code scratch_room(reading *c, size_t need)
{
    if (!hw_grow((void **)&c->scratch, &c->capacity, need + 1, sizeof *c->scratch))
        return hw_fail_memory(c->err, "a node");
    return HW_OK;
}

/* A list of ids to the end of the scratch array. */
static hw_code read_ids(reading *c, const json_t *object, place *p, const char *key, size_t at,
                        size_t *n)
{
    const json_t *list;
    hw_code code = require(c, object, p, key, &list);
    if (code != HW_OK)
        return code;
    if (!json_is_array(list))
        return fail_type(c, p, list, "an array of tensor ids");
    *n = json_array_size(list);
    code = scratch_room(c, at + *n);
    for (size_t i = 0; code == HW_OK && i < *n; i++) {
        p->item = (int64_t)i;
        code = read_u64(c, p, json_array_get(list, i), &c->scratch[at + i]);
    }
    p->item = -1;
    return code;
}

/* One [a, b]; p names the pair. */
static hw_code read_pair(const reading *c, place *p, const json_t *pair, uint64_t out[2])
{
    if (!json_is_array(pair) || json_array_size(pair) != 2)
        return fail_at(c, p, "is not a pair: write [first id, second id]");
    hw_code code = HW_OK;
    for (size_t side = 0; code == HW_OK && side < 2; side++) {
        p->side = (int64_t)side;
        code = read_u64(c, p, json_array_get(pair, side), &out[side]);
    }
    p->side = -1;
    return code;
}

static hw_code read_inplace(reading *c, const json_t *object, place *p, size_t at, size_t *n)
{
    const json_t *list = json_object_get(object, "inplace");
    *n = 0;
    if (!list)
        return HW_OK;
    p->key = "inplace";
    if (!json_is_array(list))
        return fail_type(c, p, list, "an array of pairs");
    *n = json_array_size(list);
    hw_code code = scratch_room(c, at + 2 * *n);
    for (size_t i = 0; code == HW_OK && i < *n; i++) {
        p->item = (int64_t)i;
        code = read_pair(c, p, json_array_get(list, i), &c->scratch[at + 2 * i]);
    }
    p->item = -1;
    return code;
}

static hw_code read_details(const reading *c, const json_t *object, place *p, hw_node_spec *spec)
{
    hw_code code = optional_text(c, object, p, "name", &spec->name);
    if (code == HW_OK)
        code = optional_text(c, object, p, "op", &spec->op);
    if (code == HW_OK && json_object_get(object, "workspace"))
        code = required_u64(c, object, p, "workspace", &spec->workspace);
    spec->has_window = json_object_get(object, "window") != NULL;
    if (code == HW_OK && spec->has_window)
        code = required_u64(c, object, p, "window", &spec->window);
    if (code == HW_OK)
        code = optional_bool(c, object, p, "view", &spec->view);
    if (code == HW_OK)
        code = optional_bool(c, object, p, "locked", &spec->locked);
    if (code == HW_OK)
        code = optional_bool(c, object, p, "inplace_required", &spec->inplace_required);
    return code;
}

static hw_code read_node(reading *c, json_t *object, size_t index)
{
    static const char *const known[] = {
        "id",   "name",   "op",     "inputs", "outputs", "workspace", "inplace", "inplace_required",
        "view", "locked", "window",
    };
    place p = {"nodes", index, NULL, -1, -1};
    if (!json_is_object(object))
        return fail_type(c, &p, object, "an object");
    hw_node_spec spec = {0};
    size_t n_in = 0, n_out = 0;
    hw_code code = required_u64(c, object, &p, "id", &spec.id);
    if (code == HW_OK)
        code = read_ids(c, object, &p, "inputs", 0, &n_in);
    if (code == HW_OK)
        code = read_ids(c, object, &p, "outputs", n_in, &n_out);
    if (code == HW_OK)
        code = read_inplace(c, object, &p, n_in + n_out, &spec.n_inplace);
    if (code == HW_OK)
        code = read_details(c, object, &p, &spec);
    if (code == HW_OK)
        code = note_unknown(c, "nodes[]", object, known, sizeof known / sizeof *known);
    if (code != HW_OK)
        return code;
    spec.inputs = c->scratch;
    spec.n_inputs = n_in;
    spec.outputs = c->scratch + n_in;
    spec.n_outputs = n_out;
    spec.inplace = c->scratch + n_in + n_out;
    return prefix(c, hw_builder_node(c->b, &spec, c->err), &p);
}

static hw_code read_control(reading *c, json_t *pair, size_t index)
{
    place p = {"control", index, NULL, -1, -1};
    uint64_t end[2] = {0, 0};
    hw_code code = read_pair(c, &p, pair, end);
    return code == HW_OK ? hw_builder_control(c->b, end[0], end[1], c->err) : code;
}

/* Every item of a list at the top level, through read(). */
static hw_code read_list(reading *c, const json_t *root, const char *key, bool required,
                         hw_code (*read)(reading *, json_t *, size_t))
{
    const json_t *list = json_object_get(root, key);
    if (!list && !required)
        return HW_OK;
    if (!list)
        return hw_fail(c->err, HW_BAD_INPUT, "%s: no key '%s': add it, if only as []",
                       c->r->input.name, key);
    if (!json_is_array(list))
        return hw_fail(c->err, HW_BAD_INPUT, "%s: %s is %s: it should be an array",
                       c->r->input.name, key, hw_json_type(list));
    hw_code code = HW_OK;
    size_t n = json_array_size(list);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        code = read(c, json_array_get(list, i), i);
    return code;
}

static hw_code read_head(const reading *c, json_t *root)
{
    static const char *const known[] = {
        "format", "version", "name", "source", "unit", "tensors", "nodes", "control",
    };
    static const char *const texts[] = {"name", "source", "unit"};
    const char *text[3];
    hw_code code = hw_json_check_version(root, c->r->input.name, "highwater-graph", c->err);
    for (size_t i = 0; code == HW_OK && i < 3; i++) {
        const json_t *value = json_object_get(root, texts[i]);
        if (value && !json_is_string(value))
            code = hw_fail(c->err, HW_BAD_INPUT, "%s: %s is %s: it should be a string",
                           c->r->input.name, texts[i], hw_json_type(value));
        text[i] = value ? json_string_value(value) : NULL;
    }
    if (code == HW_OK)
        code = note_unknown(c, "", root, known, sizeof known / sizeof *known);
    if (code == HW_OK)
        code = hw_builder_describe(c->b, text[0], text[1], text[2], c->err);
    return code;
}

hw_code hw_json_read(hw_reader *r, hw_graph **out, hw_error *err)
{
    json_t *root;
    hw_code code = hw_json_parse(&r->input, &root, err);
    if (code != HW_OK)
        return code;
    reading c = {.r = r, .b = hw_builder_new(), .err = err};
    code = c.b ? read_head(&c, root) : hw_fail_memory(err, "a graph");
    if (code == HW_OK)
        code = read_list(&c, root, "tensors", true, read_tensor);
    if (code == HW_OK)
        code = read_list(&c, root, "nodes", true, read_node);
    if (code == HW_OK)
        code = read_list(&c, root, "control", false, read_control);
    json_decref(root);
    if (code == HW_OK) {
        code = hw_builder_finish(c.b, out, err);
        if (code == HW_BAD_INPUT)
            hw_error_prefix(err, "%s: ", r->input.name);
    }
    hw_builder_free(c.b);
    free(c.scratch);
    return code;
}
