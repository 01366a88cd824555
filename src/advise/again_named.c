/* Ids and names for a graph in which nodes run again.  See again.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/again.h"
#include "core/memory.h"
#include "model/builder.h"

/* Ids below 2^32 that nothing has: after the largest one in use, or else from 0 on. */
typedef struct free_ids {
    uint32_t *used; /* ascending */
    size_t n, at;   /* used[at] is the first that is `next` or more */
    uint64_t next;
} free_ids;

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Release `used`.  False: no memory. */
static bool free_ids_open(free_ids *f, const uint32_t *ids, uint32_t n, uint32_t wanted)
{
    *f = (free_ids){.used = HW_NEW(uint32_t, n), .n = n};
    if (!f->used)
        return false;
    for (uint32_t i = 0; i < n; i++)
        f->used[i] = ids ? ids[i] : i;
    qsort(f->used, n, sizeof *f->used, by_id);
    uint64_t after = n ? (uint64_t)f->used[n - 1] + 1 : 0;
    if (after + wanted <= (uint64_t)UINT32_MAX + 1) {
        f->next = after;
        f->at = n;
    }
    return true;
}

static uint64_t free_ids_take(free_ids *f)
{
    while (f->at < f->n && f->used[f->at] == f->next) {
        f->at++;
        f->next++;
    }
    return f->next++;
}

/* The new ids, by index. */
typedef struct ids {
    uint64_t *node, *tensor;
} ids;

static bool number(uint64_t *out, const uint32_t *first_ids, uint32_t n_first,
                   const uint32_t *origin, const bool *copied, uint32_t n)
{
    free_ids f;
    if (!out || !free_ids_open(&f, first_ids, n_first, n - n_first))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t old = origin[i];
        out[i] = copied[i] ? free_ids_take(&f) : first_ids ? first_ids[old] : old;
    }
    free(f.used);
    return true;
}

/* "name:again" of what is copied and has a name; *room is the caller's. */
static const char *name_of(const char *name, bool copied, char **text, size_t *room)
{
    static const char suffix[] = ":again";
    size_t need = strlen(name) + sizeof suffix;
    if (!copied || !*name)
        return name;
    if (!hw_grow((void **)text, room, need, 1))
        return NULL;
    (void)snprintf(*text, need, "%s%s", name, suffix);
    return *text;
}

typedef struct naming {
    const hw_again *a;
    ids ids;
    uint64_t *list; /* of one node: inputs, outputs, pairs */
    size_t list_room;
    char *text;
    size_t text_room;
    hw_builder *b;
} naming;

static size_t list_row(naming *s, const hw_rows *rows, uint32_t v, size_t at)
{
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++)
        s->list[at++] = s->ids.tensor[rows->item[i]];
    return at;
}

static hw_code put_node(naming *s, uint32_t v, hw_error *err)
{
    const hw_graph *g = s->a->graph;
    size_t n_in = g->inputs.offset[v + 1] - g->inputs.offset[v];
    size_t n_out = g->outputs.offset[v + 1] - g->outputs.offset[v];
    size_t n_pairs = g->inplace_offset ? g->inplace_offset[v + 1] - g->inplace_offset[v] : 0;
    if (!hw_grow((void **)&s->list, &s->list_room, n_in + n_out + 2 * n_pairs + 1, sizeof *s->list))
        return hw_fail_memory(err, "a graph with nodes that run again");
    size_t at = list_row(s, &g->inputs, v, 0);
    at = list_row(s, &g->outputs, v, at);
    for (size_t i = 0; i < n_pairs; i++) {
        hw_inplace_pair pair = g->inplace_pair[g->inplace_offset[v] + i];
        s->list[at++] = s->ids.tensor[pair.input];
        s->list[at++] = s->ids.tensor[pair.output];
    }
    bool windowed = g->node_window && g->node_window[v] != HW_NONE;
    const char *name = name_of(hw_node_name(g, v), s->a->node_copied[v], &s->text, &s->text_room);
    if (!name)
        return hw_fail_memory(err, "a graph with nodes that run again");
    const hw_node_spec spec = {.id = s->ids.node[v],
                               .name = name,
                               .op = hw_node_op(g, v),
                               .inputs = s->list,
                               .outputs = s->list + n_in,
                               .n_inputs = n_in,
                               .n_outputs = n_out,
                               .inplace = s->list + n_in + n_out,
                               .n_inplace = n_pairs,
                               .workspace = hw_node_workspace(g, v),
                               .view = g->node_flags[v] & HW_NODE_VIEW,
                               .locked = g->node_flags[v] & HW_NODE_LOCKED,
                               .inplace_required = g->node_flags[v] & HW_NODE_INPLACE_REQUIRED,
                               .has_window = windowed,
                               .window = windowed ? g->node_window[v] : 0};
    return hw_builder_node(s->b, &spec, err);
}

static hw_code build(naming *s, hw_graph **out, hw_error *err)
{
    const hw_again *a = s->a;
    const hw_graph *g = a->graph;
    hw_code code = hw_builder_describe(s->b, g->name, g->source, g->unit, err);
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++) {
        const char *name =
            name_of(hw_tensor_name(g, t), a->tensor_copied[t], &s->text, &s->text_room);
        code = name ? hw_builder_tensor(s->b, s->ids.tensor[t], g->tensor_size[t],
                                        (hw_kind)g->tensor_kind[t], name, err)
                    : hw_fail_memory(err, "a graph with nodes that run again");
    }
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        code = put_node(s, v, err);
    for (uint32_t i = 0; code == HW_OK && i < g->n_control; i++)
        code = hw_builder_control(s->b, s->ids.node[g->control[i].from],
                                  s->ids.node[g->control[i].to], err);
    return code == HW_OK ? hw_builder_finish(s->b, out, err) : code;
}

hw_code hw_again_named(const hw_again *a, const hw_graph *first, hw_graph **out, hw_error *err)
{
    const hw_graph *g = a->graph;
    naming s = {.a = a,
                .ids = {HW_NEW(uint64_t, g->n_nodes), HW_NEW(uint64_t, g->n_tensors)},
                .b = hw_builder_new()};
    hw_code code = HW_OK;
    *out = NULL;
    if (!s.b ||
        !number(s.ids.node, first->node_id, first->n_nodes, a->node_origin, a->node_copied,
                g->n_nodes) ||
        !number(s.ids.tensor, first->tensor_id, first->n_tensors, a->tensor_origin,
                a->tensor_copied, g->n_tensors))
        code = hw_fail_memory(err, "a graph with nodes that run again");
    if (code == HW_OK)
        code = build(&s, out, err);
    free(s.ids.node);
    free(s.ids.tensor);
    free(s.list);
    free(s.text);
    hw_builder_free(s.b);
    return code;
}
