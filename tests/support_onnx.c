/* ONNX models written as text.  See support_onnx.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "import/importers.h"
#include "tests/support_onnx.h"

/* A message that grows. */
typedef struct wire {
    char *bytes;
    size_t n;
} wire;

static void put(wire *w, const void *bytes, size_t n)
{
    w->bytes = realloc(w->bytes, w->n + n + 1);
    assert_non_null(w->bytes);
    if (n)
        memcpy(w->bytes + w->n, bytes, n);
    w->n += n;
}

static void put_varint(wire *w, uint64_t value)
{
    do {
        char byte = (char)((value & 127) | (value > 127 ? 128 : 0));
        put(w, &byte, 1);
        value >>= 7;
    } while (value);
}

static void put_number(wire *w, unsigned field, int64_t value)
{
    put_varint(w, field << 3);
    put_varint(w, (uint64_t)value);
}

static void put_bytes(wire *w, unsigned field, const void *bytes, size_t n)
{
    put_varint(w, field << 3 | 2);
    put_varint(w, n);
    put(w, bytes, n);
}

static void put_text(wire *w, unsigned field, const char *text)
{
    put_bytes(w, field, text, strlen(text));
}

/* Take a message in, which is empty then. */
static void put_message(wire *w, unsigned field, wire *inner)
{
    put_bytes(w, field, inner->bytes, inner->n);
    free(inner->bytes);
    *inner = (wire){0};
}

/* The next word of a line, or NULL. */
static char *word(char **line)
{
    char *begin = *line + strspn(*line, " ");
    if (!*begin)
        return NULL;
    char *end = begin + strcspn(begin, " ");
    *line = *end ? end + 1 : end;
    *end = '\0';
    return begin;
}

static int64_t type_number(const char *name, size_t *bytes)
{
    static const struct {
        const char *name;
        int number;
        size_t bytes;
    } types[] = {{"float", 1, 4},  {"uint8", 2, 1},     {"int8", 3, 1},        {"int32", 6, 4},
                 {"int64", 7, 8},  {"bool", 9, 1},      {"float16", 10, 2},    {"double", 11, 8},
                 {"string", 8, 0}, {"bfloat16", 16, 2}, {"complex128", 15, 16}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, name) == 0) {
            *bytes = types[i].bytes;
            return types[i].number;
        }
    *bytes = 0;
    return strtoll(name, NULL, 10);
}

/* TypeProto of a tensor. */
static void put_type(wire *w, const char *type, char *dims)
{
    wire tensor = {0}, shape = {0}, outer = {0};
    size_t bytes;
    put_number(&tensor, 1, type_number(type, &bytes));
    if (strcmp(dims, "none") != 0) {
        for (char *d = strcmp(dims, "-") ? strtok(dims, ",") : NULL; d; d = strtok(NULL, ",")) {
            wire dim = {0};
            if (strchr("-0123456789", *d))
                put_number(&dim, 1, strtoll(d, NULL, 10));
            else if (*d != '?')
                put_text(&dim, 2, d);
            put_message(&shape, 1, &dim);
        }
        put_message(&tensor, 2, &shape);
    }
    put_message(&outer, 1, &tensor);
    put_message(w, 2, &outer);
}

static void put_value(wire *w, unsigned field, char **line)
{
    wire value = {0};
    char *name = word(line), *type = word(line), *dims = word(line);
    put_text(&value, 1, name);
    if (type)
        put_type(&value, type, dims);
    put_message(w, field, &value);
}

enum { WHOLE, EXTERNAL, BARE };

/* TensorProto, with data of zeros, or the numbers behind '=' as int64. */
static void put_tensor(wire *w, unsigned field, const char *name, char **line, int how)
{
    wire tensor = {0}, data = {0};
    char *type = word(line), *dims = word(line), *equals = word(line);
    size_t bytes, n = 1;
    int64_t number = type_number(type, &bytes);
    for (char *d = strcmp(dims, "-") ? strtok(dims, ",") : NULL; d; d = strtok(NULL, ",")) {
        put_number(&tensor, 1, strtoll(d, NULL, 10));
        n *= (size_t)strtoll(d, NULL, 10);
    }
    put_number(&tensor, 2, number);
    if (name)
        put_text(&tensor, 8, name);
    if (equals) {
        for (char *d; (d = word(line));)
            put_varint(&data, (uint64_t)strtoll(d, NULL, 10));
        put_message(&tensor, 7, &data);
    } else if (how == WHOLE) {
        char *zeros = calloc(n * bytes + 1, 1);
        assert_non_null(zeros);
        put_bytes(&tensor, 9, zeros, n * bytes);
        free(zeros);
    } else if (how == EXTERNAL) {
        put_number(&tensor, 14, 1);
    }
    put_message(w, field, &tensor);
}

static void put_sparse(wire *w, char **line)
{
    wire sparse = {0};
    char *name = word(line), *type = word(line), *dims = word(line), *count = word(line), text[64];
    char *rest = text;
    (void)snprintf(text, sizeof text, "%s %s", type, count);
    put_tensor(&sparse, 1, name, &rest, WHOLE);
    (void)snprintf(text, sizeof text, "int64 %s", count);
    rest = text;
    put_tensor(&sparse, 2, NULL, &rest, WHOLE);
    for (char *d = strtok(dims, ","); d; d = strtok(NULL, ","))
        put_number(&sparse, 3, strtoll(d, NULL, 10));
    put_message(w, 15, &sparse);
}

static void put_names(wire *w, unsigned field, char *names)
{
    for (char *d = strcmp(names, "-") ? strtok(names, ",") : NULL; d; d = strtok(NULL, ","))
        put_text(w, field, strcmp(d, "_") ? d : "");
}

/* NAME@DOMAIN, cut in two. */
static char *cut_at(char *text, char mark)
{
    char *at = strchr(text, mark);
    if (at)
        *at++ = '\0';
    return at;
}

static void put_node_head(wire *node, char **line)
{
    char *op = word(line), *inputs = word(line);
    (void)word(line);
    char *outputs = word(line), *domain = cut_at(op, '@'), *name = cut_at(op, ':');
    put_names(node, 1, inputs);
    put_names(node, 2, outputs);
    if (name)
        put_text(node, 3, name);
    put_text(node, 4, op);
    if (domain)
        put_text(node, 7, domain);
}

static void put_attribute(wire *node, const char *kind, char **line)
{
    wire a = {0};
    put_text(&a, 1, word(line));
    if (strcmp(kind, "int") == 0) {
        put_number(&a, 3, strtoll(word(line), NULL, 10));
        put_number(&a, 20, 2);
    } else if (strcmp(kind, "ints") == 0) {
        for (char *d = strtok(word(line), ","); d; d = strtok(NULL, ","))
            put_number(&a, 8, strtoll(d, NULL, 10));
        put_number(&a, 20, 7);
    } else if (strcmp(kind, "ref") == 0) {
        put_text(&a, 21, word(line));
        put_number(&a, 20, 2);
    } else {
        put_tensor(&a, 5, NULL, line, WHOLE);
        put_number(&a, 20, 4);
    }
    put_message(node, 5, &a);
}

/* What a graph, or (node_field 7) a function holds, up to "end" or the end of the text. */
static void put_graph(wire *g, wire *model, char **text, unsigned node_field)
{
    wire node = {0};
    while (**text) {
        char *line = *text, *end = strchr(line, '\n'), *kind;
        *text = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        kind = word(&line);
        if (!kind)
            continue;
        bool of_node = strcmp(kind, "int") == 0 || strcmp(kind, "ints") == 0 ||
                       strcmp(kind, "ref") == 0 || strcmp(kind, "tensor") == 0 ||
                       strcmp(kind, "graph") == 0;
        if (node.n && !of_node)
            put_message(g, node_field, &node);
        if (strcmp(kind, "end") == 0)
            break;
        if (strcmp(kind, "graph") == 0) {
            wire a = {0}, inner = {0};
            put_text(&a, 1, word(&line));
            put_graph(&inner, model, text, 1);
            put_message(&a, 6, &inner);
            put_number(&a, 20, 5);
            put_message(&node, 5, &a);
        } else if (of_node) {
            put_attribute(&node, kind, &line);
        } else if (strcmp(kind, "node") == 0) {
            put_node_head(&node, &line);
        } else if (strcmp(kind, "input") == 0) {
            put_value(g, 11, &line);
        } else if (strcmp(kind, "output") == 0) {
            put_value(g, 12, &line);
        } else if (strcmp(kind, "value") == 0) {
            put_value(g, 13, &line);
        } else if (strcmp(kind, "init") == 0) {
            put_tensor(g, 5, word(&line), &line, WHOLE);
        } else if (strcmp(kind, "external") == 0) {
            put_tensor(g, 5, word(&line), &line, EXTERNAL);
        } else if (strcmp(kind, "bare") == 0) {
            put_tensor(g, 5, word(&line), &line, BARE);
        } else if (strcmp(kind, "sparse") == 0) {
            put_sparse(g, &line);
        } else if (strcmp(kind, "anything") == 0) {
            wire value = {0}, type = {0};
            put_text(&value, 1, word(&line));
            put_bytes(&type, (unsigned)strtoul(word(&line), NULL, 10), "", 0);
            put_message(&value, 2, &type);
            put_message(g, 11, &value);
        } else if (strcmp(kind, "function") == 0) {
            wire f = {0}, opset = {0};
            char *name = word(&line), *inputs = word(&line), *domain = cut_at(name, '@');
            (void)word(&line);
            put_text(&f, 1, name);
            put_names(&f, 4, inputs);
            put_names(&f, 5, word(&line));
            if (domain)
                put_text(&f, 10, domain);
            put_number(&opset, 2, 13);
            put_message(&f, 9, &opset);
            put_graph(&f, model, text, 7);
            put_message(model, 25, &f);
        } else if (strcmp(kind, "training") == 0) {
            put_bytes(model, 20, "", 0);
        } else {
            fail_msg("no line of a model: %s", kind);
        }
    }
    if (node.n)
        put_message(g, node_field, &node);
}

/* The number behind a word at the head of the text, and the text behind it. */
static int64_t head_number(char **text, const char *kind, int64_t otherwise)
{
    size_t n = strlen(kind);
    if (strncmp(*text, kind, n) != 0 || (*text)[n] != ' ')
        return otherwise;
    return strtoll(*text + n, text, 10);
}

char *onnx_bytes(const char *text, size_t *n)
{
    char *copy = strdup(text), *rest = copy;
    wire model = {0}, head = {0}, graph = {0}, opset = {0};
    assert_non_null(copy);
    put_number(&model, 1, head_number(&rest, "ir", 8));
    rest += *rest == '\n';
    put_number(&opset, 2, head_number(&rest, "opset", 13));
    put_graph(&graph, &head, &rest, 1);
    put_message(&model, 7, &graph);
    put_message(&model, 8, &opset);
    put(&model, head.bytes, head.n);
    free(head.bytes);
    free(copy);
    *n = model.n;
    return model.bytes;
}

hw_code onnx_read(const char *bytes, size_t n, const hw_import_options *options,
                  hw_import_report *report, hw_graph **out, hw_error *err)
{
    hw_input input;
    hw_import_options own = {0};
    hw_import_report unread = {0};
    hw_operators *table = hw_operators_new();
    assert_non_null(table);
    assert_int_equal(hw_input_memory(&input, bytes, n, "test.onnx", err), HW_OK);
    if (options)
        own = *options;
    if (!own.operators)
        own.operators = table;
    hw_import in = {
        .input = &input, .path = input.name, .options = &own, .report = report ? report : &unread};
    hw_code code = hw_importer_onnx.read(&in, out, err);
    if (code == HW_OK && report)
        code = hw_import_report_count(report, *out, err);
    hw_import_report_clear(&unread);
    hw_input_close(&input);
    hw_operators_free(table);
    return code;
}

hw_graph *onnx_graph(const char *text, const hw_import_options *options, hw_import_report *report)
{
    size_t n;
    char *bytes = onnx_bytes(text, &n);
    hw_graph *g = NULL;
    hw_error err = {0};
    if (onnx_read(bytes, n, options, report, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    free(bytes);
    return g;
}
