/*
 * Graphs from lines (highwater-formats(5)): one pass, a hand-written parser
 * over the input's buffer, nothing allocated by the line.  Messages tell
 * FILE:LINE.  O(size of the file).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/line_scan.h"
#include "io/reader.h"
#include "io/text.h"
#include "model/builder.h"

/*
 * Arrays are sized once by the counts that a graph announces, but never to
 * more than this: a false count must not take memory that the file cannot
 * fill.  Larger graphs grow past it as their lines come.
 */
enum { MOST_RESERVED = 1 << 20 };

typedef struct reading {
    hw_scan s; /* the line at hand */
    hw_builder *b;

    uint64_t tensors, nodes, control;                /* announced          */
    uint64_t tensors_read, nodes_read, control_read; /* read so far        */
    uint64_t head_line;                              /* line of the graph's 'p' */

    char *name, *source, *unit; /* of the graph, copies */
    uint64_t *id;               /* ids of the node at hand */
    size_t id_capacity;
} reading;

static hw_code keep_copy(reading *c, char **field, const char *text)
{
    char *copy = hw_copy(text, strlen(text) + 1, 1);
    if (!copy)
        return hw_fail_memory(c->s.err, "the names of a graph");
    free(*field);
    *field = copy;
    return HW_OK;
}

/* p highwater VERSION TENSORS NODES CONTROL [NAME] */
static hw_code read_head(reading *c)
{
    char quoted[HW_QUOTE_BYTES];
    uint64_t version = 0;
    char *name = NULL;
    hw_scan_blanks(&c->s);
    size_t n = hw_scan_word(&c->s);
    if (n != 9 || memcmp(c->s.at, "highwater", 9) != 0)
        return hw_scan_code(
            &c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                           "format '%s' is not 'highwater': write p highwater 1 TENSORS NODES "
                           "CONTROL",
                           hw_quote(c->s.at, n, quoted)));
    c->s.at += n;
    hw_code code = hw_scan_number(&c->s, "the version", &version);
    if (code == HW_OK && version != 1)
        return hw_scan_code(
            &c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                           version ? "version %" PRIu64
                                     " is newer than this program reads (version 1): update "
                                     "highwater, or write the file as version 1"
                                   : "version %" PRIu64 " does not exist: write 1",
                           version));
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the number of tensors", &c->tensors);
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the number of nodes", &c->nodes);
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the number of control edges", &c->control);
    if (code == HW_OK)
        code = hw_scan_name(&c->s, &name);
    if (code == HW_OK && name)
        code = keep_copy(c, &c->name, name);
    if (code != HW_OK)
        return code;
    c->head_line = c->s.in->line;
    c->b = hw_builder_new();
    if (!c->b)
        return hw_fail_memory(c->s.err, "a graph");
    return hw_builder_reserve(c->b, c->tensors < MOST_RESERVED ? (size_t)c->tensors : MOST_RESERVED,
                              c->nodes < MOST_RESERVED ? (size_t)c->nodes : MOST_RESERVED,
                              c->s.err);
}

/* Count one object; more than announced are refused where they stand. */
static hw_code count(const reading *c, uint64_t *have, uint64_t announced, const char *what)
{
    if (*have == announced)
        return hw_scan_code(&c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                                           "one %s more than the %" PRIu64 " that line %" PRIu64
                                           " announces: mend the count there",
                                           what, announced, c->head_line));
    ++*have;
    return HW_OK;
}

/* t ID SIZE KIND [NAME] */
static hw_code read_tensor(reading *c)
{
    uint64_t id = 0, size = 0;
    hw_kind kind = HW_ACTIVATION;
    char *name = NULL;
    hw_code code = count(c, &c->tensors_read, c->tensors, "tensor");
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the tensor's id", &id);
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the tensor's size", &size);
    if (code != HW_OK)
        return code;
    hw_scan_blanks(&c->s);
    size_t n = hw_scan_word(&c->s);
    switch (n == 1 ? *c->s.at : '?') {
    case 'a':
        kind = HW_ACTIVATION;
        break;
    case 'i':
        kind = HW_INPUT;
        break;
    case 'o':
        kind = HW_OUTPUT;
        break;
    case 'c':
        kind = HW_CONSTANT;
        break;
    default: {
        char quoted[HW_QUOTE_BYTES];
        return hw_scan_code(
            &c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                           "unknown kind '%s': write a (activation), i (input), o (output) or "
                           "c (constant)",
                           hw_quote(c->s.at, n, quoted)));
    }
    }
    c->s.at += n;
    code = hw_scan_name(&c->s, &name);
    if (code == HW_OK)
        code = hw_scan_code(&c->s, hw_builder_tensor(c->b, id, size, kind, name, c->s.err));
    return code;
}

static hw_code push_id(reading *c, size_t *n, uint64_t id)
{
    if (!hw_grow((void **)&c->id, &c->id_capacity, *n + 1, sizeof *c->id))
        return hw_fail_memory(c->s.err, "a node");
    c->id[(*n)++] = id;
    return HW_OK;
}

/* ID,ID,... or - */
static hw_code parse_ids(reading *c, const char *what, size_t *n)
{
    hw_scan_blanks(&c->s);
    if (c->s.at < c->s.end && *c->s.at == '-') {
        c->s.at++;
        return hw_scan_word_end(&c->s, what);
    }
    for (;;) {
        uint64_t id = 0;
        hw_code code = hw_scan_digits(&c->s, what, &id);
        if (code == HW_OK)
            code = push_id(c, n, id);
        if (code != HW_OK)
            return code;
        if (c->s.at == c->s.end || *c->s.at != ',')
            return hw_scan_word_end(&c->s, what);
        c->s.at++;
    }
}

/* IN:OUT,IN:OUT,... */
static hw_code parse_pairs(reading *c, size_t *n)
{
    for (;;) {
        uint64_t in = 0, out = 0;
        hw_code code = hw_scan_digits(&c->s, "the input of an in-place pair", &in);
        if (code == HW_OK && (c->s.at == c->s.end || *c->s.at != ':'))
            code = hw_scan_fail(&c->s, "an in-place pair has no ':': write inplace=INPUT:OUTPUT");
        if (code != HW_OK)
            return code;
        c->s.at++;
        code = hw_scan_digits(&c->s, "the output of an in-place pair", &out);
        if (code == HW_OK)
            code = push_id(c, n, in);
        if (code == HW_OK)
            code = push_id(c, n, out);
        if (code != HW_OK)
            return code;
        if (c->s.at == c->s.end || *c->s.at != ',')
            return hw_scan_word_end(&c->s, "in-place pairs");
        c->s.at++;
    }
}

enum field {
    FIELD_WORKSPACE,
    FIELD_INPLACE,
    FIELD_REQUIRED,
    FIELD_VIEW,
    FIELD_LOCKED,
    FIELD_WINDOW,
    FIELD_OP,
    FIELD_NAME,
    N_FIELDS
};

static const struct {
    const char *key; /* with its '=' when a value follows */
    size_t length;
} fields[N_FIELDS] = {
    {"workspace=", 10}, {"inplace=", 8}, {"inplace_required", 16},
    {"view", 4},        {"locked", 6},   {"window=", 7},
    {"op=", 3},         {"name=", 5},
};

static enum field find_field(const char *word, size_t n)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        size_t length = fields[i].length;
        bool valued = fields[i].key[length - 1] == '=';
        if ((valued ? n >= length : n == length) && memcmp(word, fields[i].key, length) == 0)
            return (enum field)i;
    }
    return N_FIELDS;
}

/* A name of the node as a string in place; the blank after it is overwritten,
 * so the cursor moves past it. */
static hw_code parse_text(reading *c, const char **out)
{
    char *text = c->s.at;
    size_t n = hw_scan_word(&c->s);
    c->s.at += n;
    if (c->s.at < c->s.end)
        c->s.at++;
    *out = text;
    return hw_scan_text(&c->s, text, n);
}

/* One field of a node; *n is the number of ids held, pairs at their end. */
static hw_code parse_field(reading *c, hw_node_spec *spec, size_t *n, unsigned *seen)
{
    char quoted[HW_QUOTE_BYTES];
    size_t length = hw_scan_word(&c->s);
    enum field field = find_field(c->s.at, length);
    if (field == N_FIELDS)
        return hw_scan_code(
            &c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                           "unknown field '%s': write workspace=, inplace=, inplace_required, "
                           "view, locked, window=, op= or name=",
                           hw_quote(c->s.at, length, quoted)));
    if (*seen & (1U << field))
        return hw_scan_code(&c->s,
                            hw_fail(c->s.err, HW_BAD_INPUT, "field '%s' stands twice: remove one",
                                    hw_quote(c->s.at, fields[field].length, quoted)));
    *seen |= 1U << field;
    c->s.at += fields[field].length;
    switch (field) {
    case FIELD_WORKSPACE:
        return hw_scan_number(&c->s, "the workspace", &spec->workspace);
    case FIELD_WINDOW:
        spec->has_window = true;
        return hw_scan_number(&c->s, "the window", &spec->window);
    case FIELD_INPLACE:
        return parse_pairs(c, n);
    case FIELD_REQUIRED:
        spec->inplace_required = true;
        return HW_OK;
    case FIELD_VIEW:
        spec->view = true;
        return HW_OK;
    case FIELD_LOCKED:
        spec->locked = true;
        return HW_OK;
    case FIELD_OP:
        return parse_text(c, &spec->op);
    case FIELD_NAME:
    case N_FIELDS:
        break;
    }
    return parse_text(c, &spec->name);
}

/* v ID INPUTS > OUTPUTS [FIELD ...] */
static hw_code read_node(reading *c)
{
    hw_node_spec spec = {0};
    size_t n = 0;
    unsigned seen = 0;
    hw_code code = count(c, &c->nodes_read, c->nodes, "node");
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the node's id", &spec.id);
    if (code == HW_OK)
        code = parse_ids(c, "a list of input ids (or -)", &n);
    if (code != HW_OK)
        return code;
    spec.n_inputs = n;
    hw_scan_blanks(&c->s);
    if (hw_scan_word(&c->s) != 1 || *c->s.at != '>')
        return hw_scan_fail(&c->s, "no '>' between blanks after the inputs: write v ID INPUTS > "
                                   "OUTPUTS, ids parted by commas");
    c->s.at++;
    code = parse_ids(c, "a list of output ids (or -)", &n);
    spec.n_outputs = n - spec.n_inputs;
    size_t pairs_at = n;
    for (hw_scan_blanks(&c->s); code == HW_OK && c->s.at < c->s.end; hw_scan_blanks(&c->s))
        code = parse_field(c, &spec, &n, &seen);
    if (code != HW_OK)
        return code;
    spec.inputs = c->id;
    spec.outputs = c->id ? c->id + spec.n_inputs : NULL;
    spec.inplace = c->id ? c->id + pairs_at : NULL;
    spec.n_inplace = (n - pairs_at) / 2;
    return hw_scan_code(&c->s, hw_builder_node(c->b, &spec, c->s.err));
}

/* e FROM TO */
static hw_code read_control(reading *c)
{
    uint64_t from = 0, to = 0;
    hw_code code = count(c, &c->control_read, c->control, "control edge");
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the node that goes first", &from);
    if (code == HW_OK)
        code = hw_scan_number(&c->s, "the node that goes second", &to);
    if (code == HW_OK)
        code = hw_scan_line_end(&c->s);
    return code == HW_OK ? hw_builder_control(c->b, from, to, c->s.err) : code;
}

/* s TEXT or u TEXT: the rest of the line. */
static hw_code read_text(reading *c, char **field)
{
    hw_scan_blanks(&c->s);
    char *text = c->s.at;
    hw_code code = hw_scan_text(&c->s, text, (size_t)(c->s.end - c->s.at));
    return code == HW_OK ? keep_copy(c, field, text) : code;
}

static hw_code read_line(reading *c, char letter)
{
    if (!c->b)
        return hw_scan_fail(
            &c->s, "no graph has begun: a line 'p highwater 1 TENSORS NODES CONTROL' comes "
                   "first");
    switch (letter) {
    case 't':
        return read_tensor(c);
    case 'v':
        return read_node(c);
    case 'e':
        return read_control(c);
    case 's':
        return read_text(c, &c->source);
    default:
        return read_text(c, &c->unit);
    }
}

static hw_code check_count(const reading *c, uint64_t have, uint64_t announced, const char *what)
{
    if (have == announced)
        return HW_OK;
    return hw_fail(c->s.err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": the graph announces %" PRIu64 " %s but has %" PRIu64
                   ": the file is truncated, or mend the count",
                   c->s.in->name, c->head_line, announced, what, have);
}

static hw_code finish_graph(reading *c, hw_graph **out)
{
    hw_code code = check_count(c, c->tensors_read, c->tensors, "tensors");
    if (code == HW_OK)
        code = check_count(c, c->nodes_read, c->nodes, "nodes");
    if (code == HW_OK)
        code = check_count(c, c->control_read, c->control, "control edges");
    if (code == HW_OK)
        code = hw_builder_describe(c->b, c->name, c->source, c->unit, c->s.err);
    if (code != HW_OK)
        return code;
    code = hw_builder_finish(c->b, out, c->s.err);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->s.err, "%s: graph of line %" PRIu64 ": ", c->s.in->name, c->head_line);
    return code;
}

/* Read up to the end of one graph; *found tells whether there was one. */
static hw_code read_lines(reading *c, bool *found)
{
    hw_input *in = c->s.in;
    for (;;) {
        char *line;
        size_t length;
        hw_code code = hw_input_line(in, &line, &length, c->s.err);
        if (code != HW_OK)
            return code;
        *found = c->b != NULL;
        if (!line)
            return HW_OK;
        c->s.at = line;
        c->s.end = line + length;
        hw_scan_blanks(&c->s);
        if (c->s.at == c->s.end)
            continue;
        char letter = *c->s.at;
        if (hw_scan_word(&c->s) != 1 || !letter || !strchr("cptvesu", letter)) {
            char quoted[HW_QUOTE_BYTES];
            return hw_scan_code(
                &c->s, hw_fail(c->s.err, HW_BAD_INPUT,
                               "line %" PRIu64 " begins with '%s': this is not JSON ('{'), "
                               "not GraphML ('<'), no line of the line format (c, p, t, v, e, "
                               "s, u) and none of the formats that `highwater list formats` "
                               "names: --from FORMAT tells what is wrong with one",
                               in->line, hw_quote(c->s.at, hw_scan_word(&c->s), quoted)));
        }
        c->s.at++;
        if (letter == 'c')
            continue;
        if (letter == 'p' && c->b) { /* the next graph: leave its line for the next call */
            in->start = (size_t)(line - in->buffer);
            in->line--;
            return HW_OK;
        }
        code = letter == 'p' ? read_head(c) : read_line(c, letter);
        if (code != HW_OK)
            return code;
    }
}

hw_code hw_line_read(hw_reader *r, hw_graph **out, hw_error *err)
{
    reading c = {.s = {.in = &r->input, .err = err}};
    bool found = false;
    hw_code code = read_lines(&c, &found);
    if (code == HW_OK && found)
        code = finish_graph(&c, out);
    hw_builder_free(c.b);
    free(c.name);
    free(c.source);
    free(c.unit);
    free(c.id);
    return code;
}
