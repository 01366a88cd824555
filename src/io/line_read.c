/*
 * Graphs from lines (highwater-formats(5)): one pass, a hand-written parser
 * over the input's buffer, nothing allocated by the line.  Messages tell
 * FILE:LINE.  O(size of the file).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
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
    hw_reader *r;
    hw_builder *b;
    hw_error *err;
    char *at, *end; /* what is left of the line; *end may be written to */

    uint64_t tensors, nodes, control;                /* announced          */
    uint64_t tensors_read, nodes_read, control_read; /* read so far        */
    uint64_t head_line;                              /* line of the graph's 'p' */

    char *name, *source, *unit; /* of the graph, copies */
    uint64_t *id;               /* ids of the node at hand */
    size_t id_capacity;
} reading;

static hw_code prefix(const reading *c, hw_code code)
{
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s:%" PRIu64 ": ", c->r->input.name, c->r->input.line);
    return code;
}

static hw_code fail(const reading *c, const char *what)
{
    return prefix(c, hw_fail(c->err, HW_BAD_INPUT, "%s", what));
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(reading *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
}

/* The rest of the line up to a blank. */
static size_t word_length(const reading *c)
{
    const char *p = c->at;
    while (p < c->end && !is_blank(*p))
        p++;
    return (size_t)(p - c->at);
}

/* Digits at the cursor; `what` names the field. */
static hw_code parse_digits(reading *c, const char *what, uint64_t *out)
{
    char *p = c->at;
    uint64_t number = 0;
    for (; p < c->end && *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                                     "%s is too large: it passes 2^64-1 (sizes go to 2^63-1, ids "
                                     "stay below 2^32)",
                                     what));
        number = number * 10 + digit;
    }
    if (p == c->at) {
        char quoted[HW_QUOTE_BYTES];
        if (p == c->end)
            return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                                     "the line ends where %s should stand: "
                                     "add it",
                                     what));
        return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                                 "'%s' stands where %s should: write digits without sign, fraction "
                                 "or exponent",
                                 hw_quote(c->at, word_length(c), quoted), what));
    }
    c->at = p;
    *out = number;
    return HW_OK;
}

static hw_code end_of_word(const reading *c, const char *what)
{
    if (c->at == c->end || is_blank(*c->at))
        return HW_OK;
    char quoted[HW_QUOTE_BYTES];
    return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                             "'%s' cannot follow in %s: write digits, then a blank",
                             hw_quote(c->at, word_length(c), quoted), what));
}

/* A number that is a whole word. */
static hw_code parse_number(reading *c, const char *what, uint64_t *out)
{
    skip_blanks(c);
    hw_code code = parse_digits(c, what, out);
    return code == HW_OK ? end_of_word(c, what) : code;
}

/* Undo the escapes of n bytes at text, which become a string: the byte after
 * them, a blank or the end of the line, is overwritten. */
static hw_code finish_text(reading *c, char *text, size_t n)
{
    const char *complaint = hw_percent_decode(text, &n);
    if (complaint) {
        char quoted[HW_QUOTE_BYTES];
        return prefix(
            c, hw_fail(c->err, HW_BAD_INPUT, "text '%s' %s", hw_quote(text, n, quoted), complaint));
    }
    text[n] = '\0';
    return HW_OK;
}

/* An optional last word: a name. */
static hw_code parse_name(reading *c, char **name)
{
    *name = NULL;
    skip_blanks(c);
    size_t n = word_length(c);
    if (n == 0)
        return HW_OK;
    *name = c->at;
    c->at += n;
    skip_blanks(c);
    if (c->at < c->end) {
        char quoted[HW_QUOTE_BYTES];
        return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                                 "'%s' follows the name: a name is one word, write %%20 for a "
                                 "blank",
                                 hw_quote(c->at, word_length(c), quoted)));
    }
    return finish_text(c, *name, n);
}

static hw_code end_of_line(reading *c)
{
    skip_blanks(c);
    if (c->at == c->end)
        return HW_OK;
    char quoted[HW_QUOTE_BYTES];
    return prefix(c, hw_fail(c->err, HW_BAD_INPUT, "'%s' follows the last field: remove it",
                             hw_quote(c->at, word_length(c), quoted)));
}

static hw_code keep_copy(reading *c, char **field, const char *text)
{
    char *copy = hw_copy(text, strlen(text) + 1, 1);
    if (!copy)
        return hw_fail_memory(c->err, "the names of a graph");
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
    skip_blanks(c);
    size_t n = word_length(c);
    if (n != 9 || memcmp(c->at, "highwater", 9) != 0)
        return prefix(c,
                      hw_fail(c->err, HW_BAD_INPUT,
                              "format '%s' is not 'highwater': write p highwater 1 TENSORS NODES "
                              "CONTROL",
                              hw_quote(c->at, n, quoted)));
    c->at += n;
    hw_code code = parse_number(c, "the version", &version);
    if (code == HW_OK && version != 1)
        return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
                                 version ? "version %" PRIu64
                                           " is newer than this program reads (version 1): update "
                                           "highwater, or write the file as version 1"
                                         : "version %" PRIu64 " does not exist: write 1",
                                 version));
    if (code == HW_OK)
        code = parse_number(c, "the number of tensors", &c->tensors);
    if (code == HW_OK)
        code = parse_number(c, "the number of nodes", &c->nodes);
    if (code == HW_OK)
        code = parse_number(c, "the number of control edges", &c->control);
    if (code == HW_OK)
        code = parse_name(c, &name);
    if (code == HW_OK && name)
        code = keep_copy(c, &c->name, name);
    if (code != HW_OK)
        return code;
    c->head_line = c->r->input.line;
    c->b = hw_builder_new();
    if (!c->b)
        return hw_fail_memory(c->err, "a graph");
    return hw_builder_reserve(c->b, c->tensors < MOST_RESERVED ? (size_t)c->tensors : MOST_RESERVED,
                              c->nodes < MOST_RESERVED ? (size_t)c->nodes : MOST_RESERVED, c->err);
}

/* Count one object; more than announced are refused where they stand. */
static hw_code count(const reading *c, uint64_t *have, uint64_t announced, const char *what)
{
    if (*have == announced)
        return prefix(c, hw_fail(c->err, HW_BAD_INPUT,
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
        code = parse_number(c, "the tensor's id", &id);
    if (code == HW_OK)
        code = parse_number(c, "the tensor's size", &size);
    if (code != HW_OK)
        return code;
    skip_blanks(c);
    size_t n = word_length(c);
    switch (n == 1 ? *c->at : '?') {
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
        return prefix(c,
                      hw_fail(c->err, HW_BAD_INPUT,
                              "unknown kind '%s': write a (activation), i (input), o (output) or "
                              "c (constant)",
                              hw_quote(c->at, n, quoted)));
    }
    }
    c->at += n;
    code = parse_name(c, &name);
    if (code == HW_OK)
        code = prefix(c, hw_builder_tensor(c->b, id, size, kind, name, c->err));
    return code;
}

static hw_code push_id(reading *c, size_t *n, uint64_t id)
{
    if (!hw_grow((void **)&c->id, &c->id_capacity, *n + 1, sizeof *c->id))
        return hw_fail_memory(c->err, "a node");
    c->id[(*n)++] = id;
    return HW_OK;
}

/* ID,ID,... or - */
static hw_code parse_ids(reading *c, const char *what, size_t *n)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == '-') {
        c->at++;
        return end_of_word(c, what);
    }
    for (;;) {
        uint64_t id = 0;
        hw_code code = parse_digits(c, what, &id);
        if (code == HW_OK)
            code = push_id(c, n, id);
        if (code != HW_OK)
            return code;
        if (c->at == c->end || *c->at != ',')
            return end_of_word(c, what);
        c->at++;
    }
}

/* IN:OUT,IN:OUT,... */
static hw_code parse_pairs(reading *c, size_t *n)
{
    for (;;) {
        uint64_t in = 0, out = 0;
        hw_code code = parse_digits(c, "the input of an in-place pair", &in);
        if (code == HW_OK && (c->at == c->end || *c->at != ':'))
            code = fail(c, "an in-place pair has no ':': write inplace=INPUT:OUTPUT");
        if (code != HW_OK)
            return code;
        c->at++;
        code = parse_digits(c, "the output of an in-place pair", &out);
        if (code == HW_OK)
            code = push_id(c, n, in);
        if (code == HW_OK)
            code = push_id(c, n, out);
        if (code != HW_OK)
            return code;
        if (c->at == c->end || *c->at != ',')
            return end_of_word(c, "in-place pairs");
        c->at++;
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
    char *text = c->at;
    size_t n = word_length(c);
    c->at += n;
    if (c->at < c->end)
        c->at++;
    *out = text;
    return finish_text(c, text, n);
}

/* One field of a node; *n is the number of ids held, pairs at their end. */
static hw_code parse_field(reading *c, hw_node_spec *spec, size_t *n, unsigned *seen)
{
    char quoted[HW_QUOTE_BYTES];
    size_t length = word_length(c);
    enum field field = find_field(c->at, length);
    if (field == N_FIELDS)
        return prefix(c,
                      hw_fail(c->err, HW_BAD_INPUT,
                              "unknown field '%s': write workspace=, inplace=, inplace_required, "
                              "view, locked, window=, op= or name=",
                              hw_quote(c->at, length, quoted)));
    if (*seen & (1U << field))
        return prefix(c, hw_fail(c->err, HW_BAD_INPUT, "field '%s' stands twice: remove one",
                                 hw_quote(c->at, fields[field].length, quoted)));
    *seen |= 1U << field;
    c->at += fields[field].length;
    switch (field) {
    case FIELD_WORKSPACE:
        return parse_number(c, "the workspace", &spec->workspace);
    case FIELD_WINDOW:
        spec->has_window = true;
        return parse_number(c, "the window", &spec->window);
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
        code = parse_number(c, "the node's id", &spec.id);
    if (code == HW_OK)
        code = parse_ids(c, "a list of input ids (or -)", &n);
    if (code != HW_OK)
        return code;
    spec.n_inputs = n;
    skip_blanks(c);
    if (c->at == c->end || *c->at != '>')
        return fail(c,
                    "no '>' after the inputs: write v ID INPUTS > OUTPUTS, ids parted by commas");
    c->at++;
    code = parse_ids(c, "a list of output ids (or -)", &n);
    spec.n_outputs = n - spec.n_inputs;
    size_t pairs_at = n;
    for (skip_blanks(c); code == HW_OK && c->at < c->end; skip_blanks(c))
        code = parse_field(c, &spec, &n, &seen);
    if (code != HW_OK)
        return code;
    spec.inputs = c->id;
    spec.outputs = c->id ? c->id + spec.n_inputs : NULL;
    spec.inplace = c->id ? c->id + pairs_at : NULL;
    spec.n_inplace = (n - pairs_at) / 2;
    return prefix(c, hw_builder_node(c->b, &spec, c->err));
}

/* e FROM TO */
static hw_code read_control(reading *c)
{
    uint64_t from = 0, to = 0;
    hw_code code = count(c, &c->control_read, c->control, "control edge");
    if (code == HW_OK)
        code = parse_number(c, "the node that goes first", &from);
    if (code == HW_OK)
        code = parse_number(c, "the node that goes second", &to);
    if (code == HW_OK)
        code = end_of_line(c);
    return code == HW_OK ? hw_builder_control(c->b, from, to, c->err) : code;
}

/* s TEXT or u TEXT: the rest of the line. */
static hw_code read_text(reading *c, char **field)
{
    skip_blanks(c);
    char *text = c->at;
    hw_code code = finish_text(c, text, (size_t)(c->end - c->at));
    return code == HW_OK ? keep_copy(c, field, text) : code;
}

static hw_code read_line(reading *c, char letter)
{
    if (!c->b)
        return fail(c, "no graph has begun: a line 'p highwater 1 TENSORS NODES CONTROL' comes "
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
    return hw_fail(c->err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": the graph announces %" PRIu64 " %s but has %" PRIu64
                   ": the file is truncated, or mend the count",
                   c->r->input.name, c->head_line, announced, what, have);
}

static hw_code finish_graph(reading *c, hw_graph **out)
{
    hw_code code = check_count(c, c->tensors_read, c->tensors, "tensors");
    if (code == HW_OK)
        code = check_count(c, c->nodes_read, c->nodes, "nodes");
    if (code == HW_OK)
        code = check_count(c, c->control_read, c->control, "control edges");
    if (code == HW_OK)
        code = hw_builder_describe(c->b, c->name, c->source, c->unit, c->err);
    if (code != HW_OK)
        return code;
    code = hw_builder_finish(c->b, out, c->err);
    if (code == HW_BAD_INPUT)
        hw_error_prefix(c->err, "%s: graph of line %" PRIu64 ": ", c->r->input.name, c->head_line);
    return code;
}

/* Read up to the end of one graph; *found tells whether there was one. */
static hw_code read_lines(reading *c, bool *found)
{
    hw_input *in = &c->r->input;
    for (;;) {
        char *line;
        size_t length;
        hw_code code = hw_input_line(in, &line, &length, c->err);
        if (code != HW_OK)
            return code;
        *found = c->b != NULL;
        if (!line)
            return HW_OK;
        c->at = line;
        c->end = line + length;
        skip_blanks(c);
        if (c->at == c->end)
            continue;
        char letter = *c->at;
        bool word = c->end - c->at == 1 || is_blank(c->at[1]);
        if (!word || !letter || !strchr("cptvesu", letter)) {
            char quoted[HW_QUOTE_BYTES];
            return prefix(c,
                          hw_fail(c->err, HW_BAD_INPUT,
                                  "line %" PRIu64 " begins with '%s': this is not JSON ('{'), "
                                  "not GraphML ('<') and no line of the line format (c, p, t, v, "
                                  "e, s, u)",
                                  in->line, hw_quote(c->at, word_length(c), quoted)));
        }
        c->at++;
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
    reading c = {.r = r, .err = err};
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
