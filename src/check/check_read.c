/*
 * Reading graphs and orders for highwater-check.
 *
 * Written from highwater-formats(5).  The hash is SHA-256 over the canonical
 * lines.
 */
#include "check/check.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <sha256.h>

_Noreturn void check_die(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    FILE *out = status == 1 ? stdout : stderr;
    (void)fputs(status == 1 ? "s REJECTED: " : "highwater-check: ", out);
    (void)vfprintf(out, format, arguments);
    (void)fputc('\n', out);
    va_end(arguments);
    if (status == 1 && fflush(stdout) != 0) {
        (void)fputs("highwater-check: standard output cannot be written: the verdict is "
                    "'s REJECTED'\n",
                    stderr);
        status = 3;
    }
    exit(status);
}

void *check_grow(void *array, size_t count, size_t bytes)
{
    array = count <= SIZE_MAX / bytes ? realloc(array, count * bytes) : NULL;
    if (!array)
        check_die(5, "out of memory");
    return array;
}

void *check_room(size_t count, size_t bytes)
{
    void *room = calloc(count ? count : 1, bytes);
    if (!room)
        check_die(5, "out of memory");
    return room;
}

#ifndef __clang__
#pragma GCC diagnostic push
/* gcc 12 forgets the array that holds the lists once it writes through one of them. */
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif
void check_push(list *l, uint32_t value)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        l->at = check_grow(l->at, l->room, sizeof *l->at);
    }
    l->at[l->n++] = value;
}
#ifndef __clang__
#pragma GCC diagnostic pop
#endif

uint64_t check_number(char **at, int status)
{
    char *begin = *at;
    errno = 0;
    uint64_t value = strtoull(begin, at, 10);
    if (*begin < '0' || *begin > '9' || errno)
        check_die(status, "'%.20s' is not a number of 64 bits", begin);
    return value;
}

/* ---- What both readers fill; arrays grow at powers of two. ---- */

static tensor *new_tensor(graph *g, uint64_t id, uint64_t size, char kind)
{
    if ((g->n_t & (g->n_t - 1)) == 0)
        g->t = check_grow(g->t, g->n_t ? 2 * (size_t)g->n_t : 1, sizeof *g->t);
    g->t[g->n_t] = (tensor){.id = id, .size = size, .kind = kind, .producer = NOBODY};
    return &g->t[g->n_t++];
}

static node *new_node(graph *g, uint64_t id)
{
    if ((g->n & (g->n - 1)) == 0)
        g->v = check_grow(g->v, g->n ? 2 * (size_t)g->n : 1, sizeof *g->v);
    g->v[g->n] = (node){.id = id, .window = NO_WINDOW, .source = g->n};
    return &g->v[g->n++];
}

static void push_id(list *l, uint64_t id)
{
    if (id >= NOBODY)
        check_die(3, "id %" PRIu64 " is out of range", id);
    check_push(l, (uint32_t)id);
}

/* For jansson, which takes some lacks of memory for bad JSON and passes over others. */
static void *must_allocate(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block)
        check_die(5, "out of memory");
    return block;
}

static json_t *load_json(const char *path, FILE *in)
{
    json_error_t e;
    json_set_alloc_funcs(must_allocate, free);
    json_t *root = json_loadf(in, JSON_REJECT_DUPLICATES, &e);
    if (!root)
        check_die(3, "%s:%d: %s", path, e.line, e.text);
    return root;
}

static void json_ids(const json_t *array, list *l)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        push_id(l, (uint64_t)json_integer_value(json_array_get(array, i)));
}

/* A file, at its first byte or behind the byte order mark of UTF-8. */
static FILE *open_text(const char *path)
{
    FILE *in = fopen(path, "r");
    if (!in)
        check_die(3, "%s: cannot open: %s", path, strerror(errno));
    int first = getc(in);
    if (first == EOF && ferror(in)) /* a folder, for one */
        check_die(3, "%s: cannot read: %s", path, strerror(errno));
    if (first != 0xef)
        (void)ungetc(first, in);
    // NOLINTNEXTLINE(misc-redundant-expression): one byte, then the next
    else if (getc(in) != 0xbb || getc(in) != 0xbf)
        check_die(3, "%s is no text", path);
    return in;
}

static void read_json(graph *g, const char *path, FILE *file)
{
    json_error_t e;
    json_t *root = load_json(path, file), *item;
    json_t *tensors, *nodes, *control = NULL, *in, *out;
    int version = 0;
    if (json_unpack_ex(root, &e, 0, "{s:i, s:o, s:o, s?o}", "version", &version, "tensors",
                       &tensors, "nodes", &nodes, "control", &control) != 0)
        check_die(3, "%s:%d: %s", path, e.line, e.text);
    if (version != 1)
        check_die(3, "%s: version %d of the format is unknown", path, version);
    json_int_t id, size;
    for (size_t i = 0; (item = json_array_get(tensors, i)); i++) {
        const char *kind;
        if (json_unpack_ex(item, &e, 0, "{s:I, s:I, s:s}", "id", &id, "size", &size, "kind", &kind))
            check_die(3, "%s: tensor %zu: %s", path, i, e.text);
        (void)new_tensor(g, (uint64_t)id, (uint64_t)size, kind[0]);
    }
    for (size_t i = 0; (item = json_array_get(nodes, i)); i++) {
        json_int_t workspace = 0, window = -1;
        json_t *pairs = NULL;
        node *v = new_node(g, 0);
        if (json_unpack_ex(item, &e, 0, "{s:I, s:o, s:o, s?I, s?I, s?o, s?b, s?b, s?b}", "id", &id,
                           "inputs", &in, "outputs", &out, "workspace", &workspace, "window",
                           &window, "inplace", &pairs, "inplace_required", &v->required, "view",
                           &v->view, "locked", &v->locked))
            check_die(3, "%s: node %zu: %s", path, i, e.text);
        v->id = (uint64_t)id;
        v->workspace = (uint64_t)workspace;
        v->window = (uint64_t)window; /* -1: none */
        json_ids(in, &v->in);
        json_ids(out, &v->out);
        for (size_t k = 0; k < json_array_size(pairs); k++)
            json_ids(json_array_get(pairs, k), &v->pairs);
    }
    for (size_t i = 0; i < json_array_size(control); i++)
        json_ids(json_array_get(control, i), &g->control);
    json_decref(root);
}

/* The ids of a word such as 1,2,3 or 1:2,3:4; "-": none. */
static void word_ids(char *word, list *l)
{
    if (!word || strcmp(word, "-") == 0)
        return;
    for (;; word++) {
        push_id(l, check_number(&word, 3));
        if (*word == '\0')
            return;
        if (*word != ',' && *word != ':')
            check_die(3, "'%.20s' does not belong in a list of ids", word);
    }
}

static void read_node(node *v, char **rest)
{
    static const char blanks[] = " \t\r\n";
    word_ids(strtok_r(NULL, blanks, rest), &v->in);
    char *word = strtok_r(NULL, blanks, rest);
    if (!word || strcmp(word, ">") != 0)
        check_die(3, "node %" PRIu64 " has no '>'", v->id);
    word_ids(strtok_r(NULL, blanks, rest), &v->out);
    while ((word = strtok_r(NULL, blanks, rest))) {
        char *value = strchr(word, '=');
        value = value ? value + 1 : word;
        if (strncmp(word, "workspace=", 10) == 0)
            v->workspace = check_number(&value, 3);
        else if (strncmp(word, "window=", 7) == 0)
            v->window = check_number(&value, 3);
        else if (strncmp(word, "inplace=", 8) == 0)
            word_ids(value, &v->pairs);
        v->view |= strcmp(word, "view") == 0;
        v->locked |= strcmp(word, "locked") == 0;
        v->required |= strcmp(word, "inplace_required") == 0;
    }
}

static void read_lines(graph *g, const char *path, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    int graphs = 0;
    while (getline(&line, &room, in) > 0) {
        char *rest, *word[4] = {strtok_r(line, " \t\r\n", &rest)};
        if (!word[0] || strchr("csu", *word[0]))
            continue;
        if (!strchr("ptve", *word[0]))
            check_die(3, "%s: neither JSON nor lines: convert it first", path);
        uint32_t wanted = *word[0] == 't' ? 4 : *word[0] == 'v' ? 2 : 3;
        for (uint32_t i = 1; i < wanted; i++)
            if (!(word[i] = strtok_r(NULL, " \t\r\n", &rest)))
                check_die(3, "%s: a line '%s' is too short", path, word[0]);
        if (*word[0] == 'p' &&
            (graphs++ || strcmp(word[1], "highwater") != 0 || strcmp(word[2], "1") != 0))
            check_die(3, "%s: a file of format version 1 with one graph is expected", path);
        if (*word[0] == 't')
            (void)new_tensor(g, check_number(&word[1], 3), check_number(&word[2], 3), *word[3]);
        else if (*word[0] == 'v')
            read_node(new_node(g, check_number(&word[1], 3)), &rest);
        else if (*word[0] == 'e')
            for (uint32_t i = 1; i < 3; i++)
                push_id(&g->control, check_number(&word[i], 3));
    }
    if (ferror(in))
        check_die(3, "%s: cannot be read", path);
    if (!feof(in)) /* getline() had no room */
        check_die(5, "out of memory");
    free(line);
}

/* ---- From ids to indices. ---- */

typedef struct named {
    uint64_t id;
    uint32_t index;
} named;

static int by_id(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* The ids of n objects that begin with their id, sorted. */
static named *sort_ids(const void *first, size_t bytes, uint32_t n)
{
    named *names = check_room(n, sizeof *names);
    for (uint32_t i = 0; i < n; i++)
        names[i] = (named){*(const uint64_t *)((const char *)first + i * bytes), i};
    qsort(names, n, sizeof *names, by_id);
    for (uint32_t i = 1; i < n; i++)
        if (names[i].id == names[i - 1].id)
            check_die(3, "id %" PRIu64 " stands twice", names[i].id);
    return names;
}

/* Indices in place of ids. */
static void find_all(list *l, const named *names, uint32_t n)
{
    for (uint32_t i = 0; i < l->n; i++) {
        named key = {l->at[i], 0};
        const named *hit = bsearch(&key, names, n, sizeof key, by_id);
        if (!hit)
            check_die(3, "id %" PRIu64 " does not exist", key.id);
        l->at[i] = hit->index;
    }
}

static int by_couple(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    uint32_t k = x[0] == y[0]; /* where they differ, if they do */
    return x[k] < y[k] ? -1 : x[k] > y[k];
}

/* Couples in order, each once. */
static void sort_couples(list *l)
{
    uint32_t kept = 0;
    if (l->n % 2)
        check_die(3, "a pair has no second part");
    if (l->n)
        qsort(l->at, l->n / 2, 2 * sizeof *l->at, by_couple);
    for (uint32_t i = 0; i < l->n; i += 2)
        if (i == 0 || by_couple(&l->at[i], &l->at[kept - 2]) != 0) {
            l->at[kept++] = l->at[i];
            l->at[kept++] = l->at[i + 1];
        }
    l->n = kept;
}

/* ---- The canonical lines and their hash. ---- */

/* More of the canonical lines: a few words and numbers. */
__attribute__((format(printf, 2, 3))) static void feed(SHA2_CTX *out, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= sizeof text)
        check_die(3, "a line of the graph is too long");
    SHA256Update(out, (const uint8_t *)text, (size_t)n);
}

static void write_ids(SHA2_CTX *out, const list *l)
{
    for (uint32_t k = 0; k < l->n; k++)
        feed(out, "%s%" PRIu32, k ? "," : "", l->at[k]);
    if (!l->n)
        feed(out, "-");
}

/* `in`, `out` and `pairs` of the nodes still hold ids here. */
static void hash_graph(graph *g, const named *tensors)
{
    SHA2_CTX context, *out = &context;
    SHA256Init(out);
    feed(out, "p highwater 1 %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", g->n_t, g->n,
         g->control.n / 2);
    for (uint32_t i = 0; i < g->n_t; i++) {
        const tensor *t = &g->t[tensors[i].index];
        feed(out, "t %" PRIu64 " %" PRIu64 " %c\n", t->id, t->size, t->kind);
    }
    for (uint32_t i = 0; i < g->n; i++) {
        const node *v = &g->v[i];
        feed(out, "v %" PRIu64 " ", v->id);
        write_ids(out, &v->in);
        feed(out, " > ");
        write_ids(out, &v->out);
        if (v->workspace)
            feed(out, " workspace=%" PRIu64, v->workspace);
        for (uint32_t k = 0; k < v->pairs.n; k += 2)
            feed(out, "%s%" PRIu32 ":%" PRIu32, k ? "," : " inplace=", v->pairs.at[k],
                 v->pairs.at[k + 1]);
        feed(out, "%s%s%s", v->required ? " inplace_required" : "", v->view ? " view" : "",
             v->locked ? " locked" : "");
        if (v->window != NO_WINDOW)
            feed(out, " window=%" PRIu64, v->window);
        feed(out, "\n");
    }
    for (uint32_t i = 0; i < g->control.n; i += 2)
        feed(out, "e %" PRIu64 " %" PRIu64 "\n", g->v[g->control.at[i]].id,
             g->v[g->control.at[i + 1]].id);
    SHA256End(out, g->hash);
}

graph *check_graph_read(const char *path)
{
    graph *g = check_room(1, sizeof *g);
    FILE *in = open_text(path);
    char first = ' ';
    if (fscanf(in, " %c", &first) != 1)
        check_die(3, "%s: %s", path, ferror(in) ? strerror(errno) : "the file is empty");
    (void)ungetc(first, in);
    if (first == '{')
        read_json(g, path, in);
    else
        read_lines(g, path, in);
    (void)fclose(in);
    named *tensors = sort_ids(g->t, sizeof *g->t, g->n_t),
          *nodes = sort_ids(g->v, sizeof *g->v, g->n);
    find_all(&g->control, nodes, g->n);
    sort_couples(&g->control);
    for (uint32_t v = 0; v < g->n; v++)
        sort_couples(&g->v[v].pairs);
    hash_graph(g, tensors);
    for (uint32_t v = 0; v < g->n; v++) {
        find_all(&g->v[v].in, tensors, g->n_t);
        find_all(&g->v[v].out, tensors, g->n_t);
        find_all(&g->v[v].pairs, tensors, g->n_t);
        for (uint32_t i = 0; i < g->v[v].out.n; i++) {
            if (g->t[g->v[v].out.at[i]].producer != NOBODY)
                check_die(3, "%s: a tensor has two producers", path);
            g->t[g->v[v].out.at[i]].producer = v;
        }
    }
    free(tensors);
    free(nodes);
    return g;
}

uint32_t *check_order_read(const graph *g, const char *path)
{
    json_error_t e;
    FILE *in = open_text(path);
    json_t *root = load_json(path, in), *array;
    (void)fclose(in);
    const char *hash = g->hash;
    if (json_unpack_ex(root, &e, 0, "{s:o, s?s}", "order", &array, "graph", &hash) != 0)
        check_die(3, "%s:%d: %s", path, e.line, e.text);
    if (strcmp(hash, g->hash) != 0 || json_array_size(array) != g->n)
        check_die(1, "the order belongs to another graph");
    list order = {0};
    json_ids(array, &order);
    named *nodes = sort_ids(g->v, sizeof *g->v, g->n);
    find_all(&order, nodes, g->n);
    free(nodes);
    json_decref(root);
    return order.at;
}
