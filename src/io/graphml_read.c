/*
 * GraphML in, by igraph: what graphml_write.c writes, from whatever tool.
 * Vertices and edges are told by `role`, lists are put in order by `slot`.
 * O((tensors + nodes + edges) log).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/graphml.h"
#include "io/reader.h"
#include "io/text.h"
#include "model/builder.h"

/* An entry of the list of inputs or outputs of a node. */
typedef struct entry {
    igraph_integer_t node; /* vertex */
    uint64_t slot;
    uint64_t tensor_id;
    bool output;
} entry;

typedef struct reading {
    hw_reader *r;
    hw_error *err;
    hw_builder *b;
    igraph_t graph;
    igraph_integer_t n_vertices, n_edges;
    bool *is_node;    /* by vertex */
    uint64_t *number; /* id, by vertex */
    entry *list;      /* sorted by node, inputs first, slot */
    size_t n_list;
    size_t next_entry; /* first entry of the nodes to come */
    uint64_t *id;      /* lists and pairs of the node at hand */
    size_t id_capacity;
    char *text[2]; /* names of the vertex at hand, unescaped */
    size_t text_capacity[2];
} reading;

static hw_code fail_at(const reading *c, const char *what, igraph_integer_t index, const char *key,
                       const char *value, const char *complaint)
{
    char quoted[HW_QUOTE_BYTES];
    return hw_fail(c->err, HW_BAD_INPUT, "%s: %s %" IGRAPH_PRId ": %s '%s' %s", c->r->input.name,
                   what, index, key, hw_quote(value, strlen(value), quoted), complaint);
}

/* All digits of a word to a number; NULL or a complaint. */
static const char *parse_digits(const char **text, uint64_t *out)
{
    const char *p = *text;
    uint64_t number = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return "is too large: sizes go to 2^63-1, ids stay below 2^32";
        number = number * 10 + digit;
    }
    const char *complaint = p == *text ? "is not an integer: write digits alone" : NULL;
    *text = p;
    *out = number;
    return complaint;
}

static hw_code vertex_number(const reading *c, igraph_integer_t v, const char *key, uint64_t *out)
{
    const char *value = igraph_cattribute_VAS(&c->graph, key, v), *p = value;
    const char *complaint = parse_digits(&p, out);
    if (!complaint && *p)
        complaint = "is not an integer: write digits alone";
    return complaint ? fail_at(c, "vertex", v, key, value, complaint) : HW_OK;
}

static bool has_vertex_key(const reading *c, const char *key)
{
    return igraph_cattribute_has_attr(&c->graph, IGRAPH_ATTRIBUTE_VERTEX, key);
}

/* The text of a vertex, "" where it has none. */
static const char *vertex_value(const reading *c, igraph_integer_t v, const char *key)
{
    return has_vertex_key(c, key) ? igraph_cattribute_VAS(&c->graph, key, v) : "";
}

/* The same with its escapes undone, in buffer `which`. */
static hw_code vertex_text(reading *c, igraph_integer_t v, const char *key, size_t which,
                           const char **out)
{
    const char *value = vertex_value(c, v, key);
    size_t n = strlen(value);
    if (!hw_grow((void **)&c->text[which], &c->text_capacity[which], n + 1, 1))
        return hw_fail_memory(c->err, "names");
    memcpy(c->text[which], value, n + 1);
    const char *complaint = hw_percent_decode(c->text[which], &n);
    if (complaint)
        return fail_at(c, "vertex", v, key, value, complaint);
    c->text[which][n] = '\0';
    *out = c->text[which];
    return HW_OK;
}

static hw_code vertex_flag(const reading *c, igraph_integer_t v, const char *key, bool *out)
{
    const char *value = vertex_value(c, v, key);
    *out = strcmp(value, "true") == 0;
    if (!*out && *value && strcmp(value, "false") != 0)
        return fail_at(c, "vertex", v, key, value, "is neither true nor false");
    return HW_OK;
}

static hw_code prefix(const reading *c, hw_code code, igraph_integer_t v)
{
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s: vertex %" IGRAPH_PRId ": ", c->r->input.name, v);
    return code;
}

static hw_code read_tensor(reading *c, igraph_integer_t v)
{
    static const char *const kinds[] = {"activation", "input", "output", "constant"};
    uint64_t size = 0;
    const char *name = NULL, *kind = vertex_value(c, v, "kind");
    hw_code code = vertex_number(c, v, "size", &size);
    if (code == HW_OK)
        code = vertex_text(c, v, "name", 0, &name);
    if (code != HW_OK)
        return code;
    for (size_t k = 0; k < 4; k++)
        if (strcmp(kind, kinds[k]) == 0)
            return prefix(c, hw_builder_tensor(c->b, c->number[v], size, (hw_kind)k, name, c->err),
                          v);
    return fail_at(c, "vertex", v, "kind", kind,
                   "is unknown: write activation, input, output or constant");
}

static hw_code push_id(reading *c, size_t *n, uint64_t id)
{
    if (!hw_grow((void **)&c->id, &c->id_capacity, *n + 1, sizeof *c->id))
        return hw_fail_memory(c->err, "a node");
    c->id[(*n)++] = id;
    return HW_OK;
}

/* The entries of one list of node v, whose slots must be 0, 1, 2, ... */
static hw_code take_list(reading *c, igraph_integer_t v, bool output, size_t *n)
{
    hw_code code = HW_OK;
    for (uint64_t slot = 0; code == HW_OK && c->next_entry < c->n_list; slot++) {
        const entry *e = &c->list[c->next_entry];
        if (e->node != v || e->output != output)
            break;
        if (e->slot != slot)
            return hw_fail(c->err, HW_BAD_INPUT,
                           "%s: vertex %" IGRAPH_PRId ": its %s edges have no slot %" PRIu64
                           ": number them 0, 1, 2, ...",
                           c->r->input.name, v, output ? "output" : "input", slot);
        code = push_id(c, n, e->tensor_id);
        c->next_entry++;
    }
    return code;
}

static hw_code take_pairs(reading *c, igraph_integer_t v, size_t *n)
{
    const char *value = vertex_value(c, v, "inplace");
    for (const char *p = value; *p;) {
        uint64_t in = 0, out = 0;
        const char *complaint = parse_digits(&p, &in);
        if (!complaint && *p++ != ':')
            complaint = "is no list of pairs: write INPUT:OUTPUT,INPUT:OUTPUT";
        if (!complaint)
            complaint = parse_digits(&p, &out);
        if (!complaint && *p && *p != ',')
            complaint = "is no list of pairs: write INPUT:OUTPUT,INPUT:OUTPUT";
        if (complaint)
            return fail_at(c, "vertex", v, "inplace", value, complaint);
        hw_code code = push_id(c, n, in);
        if (code == HW_OK)
            code = push_id(c, n, out);
        if (code != HW_OK)
            return code;
        p += *p == ',';
    }
    return HW_OK;
}

static hw_code read_node(reading *c, igraph_integer_t v)
{
    hw_node_spec spec = {.id = c->number[v]};
    size_t n = 0, n_in, n_out;
    hw_code code = take_list(c, v, false, &n);
    n_in = n;
    if (code == HW_OK)
        code = take_list(c, v, true, &n);
    n_out = n - n_in;
    if (code == HW_OK)
        code = take_pairs(c, v, &n);
    if (code == HW_OK)
        code = vertex_text(c, v, "name", 0, &spec.name);
    if (code == HW_OK)
        code = vertex_text(c, v, "op", 1, &spec.op);
    if (code == HW_OK && *vertex_value(c, v, "workspace"))
        code = vertex_number(c, v, "workspace", &spec.workspace);
    spec.has_window = *vertex_value(c, v, "window") != '\0';
    if (code == HW_OK && spec.has_window)
        code = vertex_number(c, v, "window", &spec.window);
    if (code == HW_OK)
        code = vertex_flag(c, v, "view", &spec.view);
    if (code == HW_OK)
        code = vertex_flag(c, v, "locked", &spec.locked);
    if (code == HW_OK)
        code = vertex_flag(c, v, "inplace_required", &spec.inplace_required);
    if (code != HW_OK)
        return code;
    spec.n_inputs = n_in;
    spec.n_outputs = n_out;
    spec.n_inplace = (n - n_in - n_out) / 2;
    spec.inputs = c->id;
    spec.outputs = c->id ? c->id + n_in : NULL;
    spec.inplace = c->id ? c->id + n_in + n_out : NULL;
    return prefix(c, hw_builder_node(c->b, &spec, c->err), v);
}

static hw_code read_roles(reading *c)
{
    c->is_node = HW_NEW(bool, c->n_vertices);
    c->number = HW_NEW(uint64_t, c->n_vertices);
    if (!c->is_node || !c->number)
        return hw_fail_memory(c->err, "a GraphML file");
    hw_code code = HW_OK;
    for (igraph_integer_t v = 0; code == HW_OK && v < c->n_vertices; v++) {
        const char *role = igraph_cattribute_VAS(&c->graph, HW_XML_ROLE, v);
        c->is_node[v] = strcmp(role, "node") == 0;
        if (!c->is_node[v] && strcmp(role, "tensor") != 0)
            code = fail_at(c, "vertex", v, HW_XML_ROLE, role, "is neither tensor nor node");
        else
            code = vertex_number(c, v, HW_XML_NUMBER, &c->number[v]);
    }
    return code;
}

static hw_code read_edge(reading *c, igraph_integer_t e)
{
    igraph_integer_t from = IGRAPH_FROM(&c->graph, e), to = IGRAPH_TO(&c->graph, e);
    const char *role = igraph_cattribute_EAS(&c->graph, HW_XML_ROLE, e);
    bool input = strcmp(role, "input") == 0, output = strcmp(role, "output") == 0;
    if (strcmp(role, "control") == 0 && c->is_node[from] && c->is_node[to])
        return hw_builder_control(c->b, c->number[from], c->number[to], c->err);
    if ((!input && !output) || c->is_node[from] != output || c->is_node[to] != input)
        return fail_at(c, "edge", e, HW_XML_ROLE, role,
                       "does not fit: input goes from a tensor to a node, output from a node to a "
                       "tensor, control from a node to a node");
    const char *value = igraph_cattribute_EAS(&c->graph, HW_XML_SLOT, e), *p = value;
    entry *at = &c->list[c->n_list];
    const char *complaint = parse_digits(&p, &at->slot);
    if (complaint || *p)
        return fail_at(c, "edge", e, HW_XML_SLOT, value, "is not an integer: write digits alone");
    at->node = input ? to : from;
    at->output = output;
    at->tensor_id = c->number[input ? from : to];
    c->n_list++;
    return HW_OK;
}

static int by_place(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->output != y->output)
        return x->output ? 1 : -1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

static hw_code read_edges(reading *c)
{
    c->list = HW_NEW(entry, c->n_edges);
    hw_code code = c->list ? HW_OK : hw_fail_memory(c->err, "a GraphML file");
    for (igraph_integer_t e = 0; code == HW_OK && e < c->n_edges; e++)
        code = read_edge(c, e);
    if (code == HW_OK)
        qsort(c->list, c->n_list, sizeof *c->list, by_place);
    return code;
}

/* Keys of one sort of element: those of ours are strings, others are noted. */
static hw_code check_keys(reading *c, const char *where, const igraph_strvector_t *names,
                          const igraph_vector_int_t *types, const char *known)
{
    for (igraph_integer_t i = 0; i < igraph_strvector_size(names); i++) {
        const char *key = igraph_strvector_get(names, i);
        const char *found = *key ? strstr(known, key) : NULL;
        while (found && (found[-1] != ' ' || found[strlen(key)] != ' '))
            found = strstr(found + 1, key);
        if (!found) {
            hw_code code = strcmp(key, "id") == 0 ? HW_OK /* igraph's own: the XML ids */
                                                  : hw_reader_unknown(c->r, where, key, c->err);
            if (code != HW_OK)
                return code;
        } else if (VECTOR(*types)[i] != IGRAPH_ATTRIBUTE_STRING) {
            char quoted[HW_QUOTE_BYTES];
            return hw_fail(c->err, HW_BAD_INPUT,
                           "%s: attribute '%s' of %s is no string: declare attr.type=\"string\", "
                           "which keeps every digit",
                           c->r->input.name, hw_quote(key, strlen(key), quoted), where);
        }
    }
    return HW_OK;
}

static hw_code check_all_keys(reading *c)
{
    igraph_strvector_t names[3];
    igraph_vector_int_t types[3];
    size_t n_names = 0, n_types = 0;
    while (n_names < 3 && igraph_strvector_init(&names[n_names], 0) == IGRAPH_SUCCESS)
        n_names++;
    while (n_types < 3 && igraph_vector_int_init(&types[n_types], 0) == IGRAPH_SUCCESS)
        n_types++;
    hw_code code = HW_OK;
    if (n_names < 3 || n_types < 3 ||
        igraph_cattribute_list(&c->graph, &names[0], &types[0], &names[1], &types[1], &names[2],
                               &types[2]) != IGRAPH_SUCCESS)
        code = hw_fail_memory(c->err, "a GraphML file");
    if (code == HW_OK)
        code = check_keys(c, "graph", &names[0], &types[0], " format version name source unit ");
    if (code == HW_OK)
        code = check_keys(c, "node", &names[1], &types[1],
                          " role number name op size kind workspace inplace inplace_required view "
                          "locked window ");
    if (code == HW_OK)
        code = check_keys(c, "edge", &names[2], &types[2], " role slot ");
    while (n_names > 0)
        igraph_strvector_destroy(&names[--n_names]);
    while (n_types > 0)
        igraph_vector_int_destroy(&types[--n_types]);
    return code;
}

static const char *graph_value(const reading *c, const char *key)
{
    return igraph_cattribute_has_attr(&c->graph, IGRAPH_ATTRIBUTE_GRAPH, key)
               ? igraph_cattribute_GAS(&c->graph, key)
               : "";
}

static hw_code read_head(reading *c)
{
    const char *format = graph_value(c, "format"), *version = graph_value(c, "version");
    char quoted[HW_QUOTE_BYTES];
    if (strcmp(format, "highwater-graph") != 0)
        return hw_fail(c->err, HW_BAD_INPUT,
                       "%s: the graph's attribute format is '%s', not 'highwater-graph': is this "
                       "the right file?",
                       c->r->input.name, hw_quote(format, strlen(format), quoted));
    if (strcmp(version, "1") != 0)
        return hw_fail(c->err, HW_BAD_INPUT,
                       "%s: version '%s' is not one that this program reads (version 1): update "
                       "highwater, or write the file as version 1",
                       c->r->input.name, hw_quote(version, strlen(version), quoted));
    static const char *const keys[] = {"name", "source", "unit"};
    bool has_unit = igraph_cattribute_has_attr(&c->graph, IGRAPH_ATTRIBUTE_GRAPH, "unit");
    char *copy[3] = {NULL, NULL, NULL};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < 3; i++) {
        const char *value = graph_value(c, keys[i]);
        size_t n = strlen(value);
        copy[i] = hw_copy(value, n + 1, 1);
        const char *complaint = copy[i] ? hw_percent_decode(copy[i], &n) : NULL;
        if (!copy[i])
            code = hw_fail_memory(c->err, "the names of a graph");
        else if (complaint)
            code = hw_fail(c->err, HW_BAD_INPUT, "%s: the graph's %s %s", c->r->input.name, keys[i],
                           complaint);
        else
            copy[i][n] = '\0';
    }
    if (code == HW_OK)
        code = hw_builder_describe(c->b, copy[0], copy[1], has_unit ? copy[2] : NULL, c->err);
    for (size_t i = 0; i < 3; i++)
        free(copy[i]);
    return code;
}

/* Tensors come before the nodes that name them, as the builder wants. */
static hw_code read_vertices(reading *c)
{
    hw_code code = HW_OK;
    for (igraph_integer_t v = 0; code == HW_OK && v < c->n_vertices; v++)
        if (!c->is_node[v])
            code = read_tensor(c, v);
    for (igraph_integer_t v = 0; code == HW_OK && v < c->n_vertices; v++)
        if (c->is_node[v])
            code = read_node(c, v);
    return code;
}

/* Every vertex needs these keys; without vertices nothing declares them. */
static hw_code require_keys(const reading *c)
{
    static const char *const vertex_keys[] = {HW_XML_ROLE, HW_XML_NUMBER};
    static const char *const edge_keys[] = {HW_XML_ROLE, HW_XML_SLOT};
    const char *lacking = NULL, *of = "node";
    for (size_t i = 0; i < 2; i++) {
        if (c->n_vertices && !lacking && !has_vertex_key(c, vertex_keys[i]))
            lacking = vertex_keys[i];
        if (c->n_edges && !lacking &&
            !igraph_cattribute_has_attr(&c->graph, IGRAPH_ATTRIBUTE_EDGE, edge_keys[i])) {
            lacking = edge_keys[i];
            of = "edge";
        }
    }
    if (!lacking)
        return HW_OK;
    return hw_fail(c->err, HW_BAD_INPUT, "%s: no attribute '%s' of %s: declare and give it",
                   c->r->input.name, lacking, of);
}

static hw_code read_graph(reading *c, hw_graph **out)
{
    c->n_vertices = igraph_vcount(&c->graph);
    c->n_edges = igraph_ecount(&c->graph);
    hw_code code = check_all_keys(c);
    if (code == HW_OK)
        code = read_head(c);
    if (code == HW_OK)
        code = require_keys(c);
    if (code == HW_OK)
        code = read_roles(c);
    if (code == HW_OK)
        code = read_edges(c);
    if (code == HW_OK)
        code = read_vertices(c);
    if (code != HW_OK)
        return code;
    code = hw_builder_finish(c->b, out, c->err);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s: ", c->r->input.name);
    return code;
}

static igraph_error_t parse(igraph_t *graph, void *stream)
{
    return igraph_read_graph_graphml(graph, stream, 0);
}

/*
 * igraph tells a lack of memory in the middle of a file as bad XML.  A bad file
 * is bad once more; where it is not, memory was short for a moment.
 */
static igraph_error_t load(igraph_t *graph, FILE *stream)
{
    igraph_error_t failure = hw_igraph_guarded(parse, graph, stream);
    if (failure != IGRAPH_PARSEERROR || fseek(stream, 0, SEEK_SET) != 0)
        return failure;
    return hw_igraph_guarded(parse, graph, stream);
}

hw_code hw_graphml_read(hw_reader *r, hw_graph **out, hw_error *err)
{
    hw_input *in = &r->input;
    hw_igraph_guard guard;
    hw_code code = hw_input_all(in, err);
    if (code == HW_OK)
        code = hw_igraph_begin(&guard, err);
    if (code != HW_OK)
        return code;
    reading c = {.r = r, .err = err, .b = hw_builder_new()};
    FILE *stream = fmemopen(in->buffer + in->start, in->end - in->start, "r");
    if (!c.b || !stream) {
        code = hw_fail_memory(err, "a GraphML file");
    } else {
        igraph_error_t failure = load(&c.graph, stream);
        if (failure == IGRAPH_ENOMEM) {
            code = hw_fail_memory(err, "a GraphML file");
        } else if (failure != IGRAPH_SUCCESS) {
            /* igraph's words for a file of fewer graphs than the first. */
            bool none = strstr(hw_igraph_complaint(), "index was too large") != NULL;
            code = none ? hw_fail(err, HW_BAD_INPUT,
                                  "%s: XML without a <graph>: is this the right file?", in->name)
                        : hw_fail(err, HW_BAD_INPUT, "%s: not GraphML: %s: mend the XML", in->name,
                                  hw_igraph_complaint());
        } else {
            code = read_graph(&c, out);
            igraph_destroy(&c.graph);
        }
    }
    hw_igraph_end(&guard);
    in->start = in->end;
    if (stream)
        (void)fclose(stream);
    hw_builder_free(c.b);
    free(c.is_node);
    free(c.number);
    free(c.list);
    free(c.id);
    free(c.text[0]);
    free(c.text[1]);
    return code;
}
