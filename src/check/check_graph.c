/*
 * Reading and deriving the graph for highwater-check.  See check_graph.h.
 *
 * Written from the description of the formats and of the memory model; the
 * hash is SHA-256 over the canonical lines of highwater-formats(5).
 */
#include "check/check_graph.h"

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
    exit(status);
}

void *check_room(size_t count, size_t bytes)
{
    void *room = calloc(count ? count : 1, bytes);
    if (!room)
        check_die(5, "out of memory");
    return room;
}

void check_push(list *l, uint32_t value)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 4;
        uint32_t *moved = realloc(l->at, l->room * sizeof *moved);
        if (!moved)
            check_die(5, "out of memory");
        l->at = moved;
    }
    l->at[l->n++] = value;
}

/* ---- What both readers fill. ---- */

typedef struct reading {
    graph *g;
    const char *path;
    size_t room_t, room_v;
} reading;

static tensor *new_tensor(reading *r)
{
    graph *g = r->g;
    if (g->n_t == r->room_t) {
        r->room_t = r->room_t ? 2 * r->room_t : 64;
        g->t = realloc(g->t, r->room_t * sizeof *g->t);
        if (!g->t)
            check_die(5, "out of memory");
    }
    g->t[g->n_t] = (tensor){.producer = NOBODY};
    return &g->t[g->n_t++];
}

static node *new_node(reading *r)
{
    graph *g = r->g;
    if (g->n == r->room_v) {
        r->room_v = r->room_v ? 2 * r->room_v : 64;
        g->v = realloc(g->v, r->room_v * sizeof *g->v);
        if (!g->v)
            check_die(5, "out of memory");
    }
    memset(&g->v[g->n], 0, sizeof *g->v);
    return &g->v[g->n++];
}

typedef struct named {
    uint64_t id;
    uint32_t index;
} named;

static int by_id(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static uint32_t find(const named *names, uint32_t n, uint64_t id)
{
    named key = {id, 0};
    const named *hit = n ? bsearch(&key, names, n, sizeof key, by_id) : NULL;
    return hit ? hit->index : NOBODY;
}

static named *sort_names(uint32_t n, uint64_t (*id)(const graph *, uint32_t), const graph *g)
{
    named *names = check_room(n, sizeof *names);
    for (uint32_t i = 0; i < n; i++)
        names[i] = (named){id(g, i), i};
    qsort(names, n, sizeof *names, by_id);
    for (uint32_t i = 1; i < n; i++)
        if (names[i].id == names[i - 1].id)
            check_die(3, "id %" PRIu64 " stands twice", names[i].id);
    return names;
}

static uint64_t tensor_id(const graph *g, uint32_t i)
{
    return g->t[i].id;
}

static uint64_t node_id(const graph *g, uint32_t i)
{
    return g->v[i].id;
}

uint32_t check_node_index(const graph *g, uint64_t id)
{
    for (uint32_t v = 0; v < g->n; v++)
        if (g->v[v].id == id)
            return v;
    return NOBODY;
}

static uint32_t id32(uint64_t id, const char *path)
{
    if (id > UINT32_MAX - 1)
        check_die(3, "%s: id %" PRIu64 " is out of range", path, id);
    return (uint32_t)id;
}

/* ---- JSON. ---- */

static uint64_t json_number(const json_t *value, const char *path)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        check_die(3, "%s: a number is missing or not a whole number", path);
    return (uint64_t)json_integer_value(value);
}

static void json_ids(const json_t *array, list *l, const char *path)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        check_push(l, id32(json_number(json_array_get(array, i), path), path));
}

static void read_json(reading *r)
{
    json_error_t fault;
    json_t *root = json_load_file(r->path, JSON_REJECT_DUPLICATES, &fault), *item;
    if (!root)
        check_die(3, "%s:%d: %s", r->path, fault.line, fault.text);
    size_t i;
    for (i = 0; (item = json_array_get(json_object_get(root, "tensors"), i)); i++) {
        tensor *t = new_tensor(r);
        const char *kind = json_string_value(json_object_get(item, "kind"));
        t->id = id32(json_number(json_object_get(item, "id"), r->path), r->path);
        t->size = json_number(json_object_get(item, "size"), r->path);
        t->kind = kind ? kind[0] : '?';
    }
    for (i = 0; (item = json_array_get(json_object_get(root, "nodes"), i)); i++) {
        node *v = new_node(r);
        const json_t *value;
        v->id = id32(json_number(json_object_get(item, "id"), r->path), r->path);
        json_ids(json_object_get(item, "inputs"), &v->in, r->path);
        json_ids(json_object_get(item, "outputs"), &v->out, r->path);
        if ((value = json_object_get(item, "workspace")))
            v->workspace = json_number(value, r->path);
        if ((value = json_object_get(item, "window"))) {
            v->has_window = true;
            v->window = json_number(value, r->path);
        }
        v->view = json_is_true(json_object_get(item, "view"));
        v->locked = json_is_true(json_object_get(item, "locked"));
        v->required = json_is_true(json_object_get(item, "inplace_required"));
        value = json_object_get(item, "inplace");
        for (size_t k = 0; k < json_array_size(value); k++)
            json_ids(json_array_get(value, k), &v->pairs, r->path);
    }
    for (i = 0; (item = json_array_get(json_object_get(root, "control"), i)); i++)
        json_ids(item, &r->g->control, r->path);
    json_decref(root);
}

/* ---- Lines. ---- */

static uint64_t line_number(char **at, const char *path)
{
    char *end;
    while (**at == ' ' || **at == '\t')
        ++*at;
    if (**at < '0' || **at > '9')
        check_die(3, "%s: a number is missing before '%.20s'", path, *at);
    uint64_t value = strtoull(*at, &end, 10);
    *at = end;
    return value;
}

static void line_ids(char **at, list *l, char between, const char *path)
{
    while (**at == ' ')
        ++*at;
    if (**at == '-') {
        ++*at;
        return;
    }
    for (;;) {
        check_push(l, id32(line_number(at, path), path));
        if (**at != ',' && (between == 0 || **at != between))
            return;
        ++*at;
    }
}

static void line_node(reading *r, char *at)
{
    node *v = new_node(r);
    v->id = id32(line_number(&at, r->path), r->path);
    line_ids(&at, &v->in, 0, r->path);
    while (*at == ' ')
        at++;
    if (*at++ != '>')
        check_die(3, "%s: a node has no '>'", r->path);
    line_ids(&at, &v->out, 0, r->path);
    for (;;) {
        while (*at == ' ' || *at == '\t')
            at++;
        size_t n = strcspn(at, " \t\r\n");
        if (n == 0)
            return;
        char *value = memchr(at, '=', n);
        if (value)
            value++;
        if (value && strncmp(at, "workspace=", 10) == 0)
            v->workspace = line_number(&value, r->path);
        else if (value && strncmp(at, "window=", 7) == 0) {
            v->has_window = true;
            v->window = line_number(&value, r->path);
        } else if (value && strncmp(at, "inplace=", 8) == 0)
            line_ids(&value, &v->pairs, ':', r->path);
        else if (n == 4 && strncmp(at, "view", n) == 0)
            v->view = true;
        else if (n == 6 && strncmp(at, "locked", n) == 0)
            v->locked = true;
        else if (n == 16 && strncmp(at, "inplace_required", n) == 0)
            v->required = true;
        at += n;
    }
}

static void read_lines(reading *r, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    bool begun = false;
    while (getline(&line, &room, in) > 0) {
        char *at = line + 1;
        if (line[0] == 'p' && begun)
            check_die(3, "%s holds several graphs: give a file with one", r->path);
        if (line[0] == 'p')
            begun = true;
        else if (line[0] == 't') {
            tensor *t = new_tensor(r);
            t->id = id32(line_number(&at, r->path), r->path);
            t->size = line_number(&at, r->path);
            while (*at == ' ')
                at++;
            t->kind = *at;
        } else if (line[0] == 'v')
            line_node(r, at);
        else if (line[0] == 'e') {
            check_push(&r->g->control, id32(line_number(&at, r->path), r->path));
            check_push(&r->g->control, id32(line_number(&at, r->path), r->path));
        }
    }
    free(line);
}

/* ---- From ids to indices. ---- */

static void rename_all(list *l, const named *names, uint32_t n, const char *path)
{
    for (size_t i = 0; i < l->n; i++) {
        uint32_t index = find(names, n, l->at[i]);
        if (index == NOBODY)
            check_die(3, "%s: id %" PRIu32 " does not exist", path, l->at[i]);
        l->at[i] = index;
    }
}

static int by_couple(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0])
        return x[0] < y[0] ? -1 : 1;
    return x[1] < y[1] ? -1 : x[1] > y[1];
}

static void sort_couples(list *l, const char *path)
{
    if (l->n % 2)
        check_die(3, "%s: a pair has no second part", path);
    if (l->n)
        qsort(l->at, l->n / 2, 2 * sizeof *l->at, by_couple);
    size_t kept = 0;
    for (size_t i = 0; i < l->n; i += 2)
        if (i == 0 || by_couple(&l->at[i], &l->at[kept - 2]) != 0) {
            l->at[kept++] = l->at[i];
            l->at[kept++] = l->at[i + 1];
        }
    l->n = kept;
}

/* ---- The canonical lines and their hash. ---- */

static void digest(SHA2_CTX *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void digest(SHA2_CTX *c, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    SHA256Update(c, (const uint8_t *)text, (size_t)n);
}

/* `pairs` still hold ids here, `in` and `out` too. */
static void hash_graph(graph *g, const named *tensors)
{
    SHA2_CTX c;
    SHA256Init(&c);
    digest(&c, "p highwater 1 %" PRIu32 " %" PRIu32 " %zu\n", g->n_t, g->n, g->control.n / 2);
    for (uint32_t i = 0; i < g->n_t; i++) {
        const tensor *t = &g->t[tensors[i].index];
        digest(&c, "t %" PRIu64 " %" PRIu64 " %c\n", t->id, t->size, t->kind);
    }
    for (uint32_t i = 0; i < g->n; i++) {
        const node *v = &g->v[i];
        digest(&c, "v %" PRIu64 " %s", v->id, v->in.n ? "" : "-");
        for (size_t k = 0; k < v->in.n; k++)
            digest(&c, k ? ",%" PRIu32 : "%" PRIu32, v->in.at[k]);
        digest(&c, " > %s", v->out.n ? "" : "-");
        for (size_t k = 0; k < v->out.n; k++)
            digest(&c, k ? ",%" PRIu32 : "%" PRIu32, v->out.at[k]);
        if (v->workspace)
            digest(&c, " workspace=%" PRIu64, v->workspace);
        for (size_t k = 0; k < v->pairs.n; k += 2)
            digest(&c, "%s%" PRIu32 ":%" PRIu32, k ? "," : " inplace=", v->pairs.at[k],
                   v->pairs.at[k + 1]);
        digest(&c, "%s%s%s", v->required ? " inplace_required" : "", v->view ? " view" : "",
               v->locked ? " locked" : "");
        if (v->has_window)
            digest(&c, " window=%" PRIu64, v->window);
        digest(&c, "\n");
    }
    for (size_t i = 0; i < g->control.n; i += 2)
        digest(&c, "e %" PRIu64 " %" PRIu64 "\n", g->v[g->control.at[i]].id,
               g->v[g->control.at[i + 1]].id);
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Final(bytes, &c);
    for (size_t i = 0; i < sizeof bytes; i++)
        (void)snprintf(g->hash + 2 * i, 3, "%02x", bytes[i]);
}

graph *check_graph_read(const char *path)
{
    reading r = {.g = check_room(1, sizeof(graph)), .path = path};
    FILE *in = fopen(path, "r");
    if (!in)
        check_die(3, "%s cannot be opened", path);
    int first = getc(in);
    while (first == ' ' || first == '\n' || first == '\t' || first == '\r')
        first = getc(in);
    rewind(in);
    if (first == '{')
        read_json(&r);
    else
        read_lines(&r, in);
    (void)fclose(in);
    graph *g = r.g;
    named *tensors = sort_names(g->n_t, tensor_id, g), *nodes = sort_names(g->n, node_id, g);
    rename_all(&g->control, nodes, g->n, path);
    sort_couples(&g->control, path);
    for (uint32_t v = 0; v < g->n; v++)
        sort_couples(&g->v[v].pairs, path);
    hash_graph(g, tensors);
    for (uint32_t v = 0; v < g->n; v++) {
        rename_all(&g->v[v].in, tensors, g->n_t, path);
        rename_all(&g->v[v].out, tensors, g->n_t, path);
        rename_all(&g->v[v].pairs, tensors, g->n_t, path);
        for (size_t i = 0; i < g->v[v].out.n; i++) {
            if (g->t[g->v[v].out.at[i]].producer != NOBODY)
                check_die(3, "%s: a tensor has two producers", path);
            g->t[g->v[v].out.at[i]].producer = v;
        }
    }
    free(tensors);
    free(nodes);
    return g;
}

/* ---- Edges and storages. ---- */

static void edge(graph *g, uint32_t from, uint32_t to)
{
    check_push(&g->v[from].succ, to);
    check_push(&g->v[to].pred, from);
}

static void sort_nodes(graph *g)
{
    uint32_t tail = 0, *waiting = check_room(g->n, sizeof *waiting);
    free(g->topo);
    g->topo = check_room(g->n, sizeof *g->topo);
    for (uint32_t v = 0; v < g->n; v++) {
        waiting[v] = (uint32_t)g->v[v].pred.n;
        if (waiting[v] == 0)
            g->topo[tail++] = v;
    }
    for (uint32_t head = 0; head < tail; head++)
        for (size_t i = 0; i < g->v[g->topo[head]].succ.n; i++)
            if (--waiting[g->v[g->topo[head]].succ.at[i]] == 0)
                g->topo[tail++] = g->v[g->topo[head]].succ.at[i];
    free(waiting);
    if (tail < g->n)
        check_die(3, "the nodes form a cycle");
}

static void lay_storages(graph *g, bool pin_inputs)
{
    g->s = check_room(g->n_t, sizeof *g->s);
    for (uint32_t t = 0; t < g->n_t; t++)
        if (g->t[t].producer == NOBODY || !g->v[g->t[t].producer].view) {
            g->s[g->n_s] = (storage){.size = g->t[t].size, .maker = g->t[t].producer};
            g->t[t].storage = g->n_s++;
        }
    for (uint32_t i = 0; i < g->n; i++) { /* views, after what they look at */
        const node *v = &g->v[g->topo[i]];
        if (v->view && v->in.n == 0)
            check_die(3, "a view has no input");
        for (size_t k = 0; v->view && k < v->out.n; k++)
            g->t[v->out.at[k]].storage = g->t[v->in.at[0]].storage;
    }
    for (uint32_t t = 0; t < g->n_t; t++) {
        storage *s = &g->s[g->t[t].storage];
        s->constant = s->constant || g->t[t].kind == 'c';
        s->stays = s->stays || g->t[t].kind == 'o' || (g->t[t].kind == 'i' && pin_inputs);
    }
    for (uint32_t v = 0; v < g->n; v++)
        for (size_t k = 0; k < g->v[v].in.n; k++) {
            uint32_t s = g->t[g->v[v].in.at[k]].storage;
            list *users = &g->s[s].users;
            if (users->n && users->at[users->n - 1] == v)
                continue;
            check_push(users, v);
            check_push(&g->v[v].uses, s);
        }
}

void check_graph_derive(graph *g, bool pin_inputs)
{
    uint32_t locked = NOBODY;
    for (uint32_t v = 0; v < g->n; v++) {
        for (size_t k = 0; k < g->v[v].in.n; k++)
            if (g->t[g->v[v].in.at[k]].producer != NOBODY)
                edge(g, g->t[g->v[v].in.at[k]].producer, v);
        if (g->v[v].locked && locked != NOBODY)
            edge(g, locked, v);
        locked = g->v[v].locked ? v : locked;
    }
    for (size_t i = 0; i < g->control.n; i += 2)
        edge(g, g->control.at[i], g->control.at[i + 1]);
    sort_nodes(g);
    lay_storages(g, pin_inputs);
    for (uint32_t v = 0; v < g->n; v++) {
        if (!g->v[v].required || g->v[v].pairs.n == 0)
            continue;
        const list *users = &g->s[g->t[g->v[v].pairs.at[0]].storage].users;
        for (size_t k = 0; k < users->n; k++)
            if (users->at[k] != v)
                edge(g, users->at[k], v);
    }
    sort_nodes(g);
    for (uint32_t i = 0; i < g->n_s; i++) {
        const storage *s = &g->s[i];
        if (s->constant)
            continue;
        if (s->maker == NOBODY)
            g->live_empty += s->users.n || s->stays ? s->size : 0;
        else
            g->v[s->maker].made += s->size;
        if (s->maker != NOBODY && !s->users.n && !s->stays)
            g->v[s->maker].dead += s->size;
        g->live_full += s->stays ? s->size : 0;
    }
}

uint32_t *check_order_read(const graph *g, const char *path)
{
    json_error_t fault;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &fault);
    if (!root)
        check_die(3, "%s:%d: %s", path, fault.line, fault.text);
    const json_t *array = json_object_get(root, "order"), *hash = json_object_get(root, "graph");
    if (hash && (!json_is_string(hash) || strcmp(json_string_value(hash), g->hash) != 0))
        check_die(1, "the order belongs to another graph");
    if (json_array_size(array) != g->n)
        check_die(1, "the order does not list every node once");
    uint32_t *order = check_room(g->n, sizeof *order);
    named *nodes = sort_names(g->n, node_id, g);
    for (uint32_t i = 0; i < g->n; i++) {
        order[i] = find(nodes, g->n, json_number(json_array_get(array, i), path));
        if (order[i] == NOBODY)
            check_die(1, "the order names a node that does not exist");
    }
    free(nodes);
    json_decref(root);
    return order;
}
