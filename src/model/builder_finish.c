/*
 * Building a graph: checking the whole, deriving edges and storages.
 *
 * Edges come from data, control, locks (a chain of the locked nodes in source
 * order) and must-in-place pairs.  The last need the storages, the storages
 * need a topological order of the view nodes, and that needs the edges: so the
 * edges are laid twice when there are must-in-place pairs, else once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/builder.h"
#include "model/builder_internal.h"

/* Edges that do not come from data. */
typedef struct extra {
    hw_control_edge *edge;
    size_t count, capacity;
} extra;

static hw_code add_extra(extra *x, uint32_t from, uint32_t to, hw_error *err)
{
    if (!hw_grow((void **)&x->edge, &x->capacity, x->count + 1, sizeof *x->edge))
        return hw_fail_memory(err, "edges");
    x->edge[x->count++] = (hw_control_edge){from, to};
    return HW_OK;
}

static hw_code check_producers(const hw_graph *g, hw_error *err)
{
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        if (g->tensor_producer[t] != HW_NONE || g->tensor_kind[t] == HW_INPUT ||
            g->tensor_kind[t] == HW_CONSTANT)
            continue;
        return hw_fail(err, HW_BAD_INPUT,
                       "tensor %" PRIu32 " is an %s without producer: let a node produce it, or "
                       "make it an input or a constant",
                       hw_tensor_id(g, t),
                       g->tensor_kind[t] == HW_OUTPUT ? "output" : "activation");
    }
    return HW_OK;
}

/* Control edges by node index, each once, in the order of their first mention. */
static int by_ends(const void *a, const void *b)
{
    const hw_control_edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static hw_code resolve_control(hw_builder *b, hw_error *err)
{
    hw_graph *g = b->g;
    if (b->n_control == 0)
        return HW_OK;
    if (b->n_control > UINT32_MAX / 2)
        return hw_fail(err, HW_BAD_INPUT, "%zu control edges are too many: split the graph",
                       b->n_control);
    g->control = HW_NEW(hw_control_edge, b->n_control);
    if (!g->control)
        return hw_fail_memory(err, "control edges");
    for (size_t i = 0; i < b->n_control; i++) {
        uint32_t end[2];
        for (int side = 0; side < 2; side++) {
            uint64_t id = b->control[2 * i + (size_t)side];
            end[side] = hw_idmap_find(&b->node_map, id);
            if (end[side] == HW_NONE)
                return hw_fail(err, HW_BAD_INPUT,
                               "control edge %zu names node %" PRIu64
                               ", which does not exist: declare it or drop the edge",
                               i, id);
        }
        if (end[0] == end[1])
            return hw_fail(err, HW_BAD_INPUT,
                           "control edge %zu goes from node %" PRIu64
                           " to itself (a cycle of one node): drop it",
                           i, b->control[2 * i]);
        g->control[i] = (hw_control_edge){end[0], end[1]};
    }
    qsort(g->control, b->n_control, sizeof *g->control, by_ends);
    for (size_t i = 0; i < b->n_control; i++)
        if (i == 0 || by_ends(&g->control[i], &g->control[i - 1]) != 0)
            g->control[g->n_control++] = g->control[i];
    return HW_OK;
}

static hw_code start_extra(const hw_builder *b, extra *x, hw_error *err)
{
    const hw_graph *g = b->g;
    hw_code code = HW_OK;
    for (uint32_t i = 0; code == HW_OK && i < g->n_control; i++)
        code = add_extra(x, g->control[i].from, g->control[i].to, err);
    uint32_t last = HW_NONE;
    for (uint32_t v = 0; code == HW_OK && b->any_locked && v < g->n_nodes; v++) {
        if (!(g->node_flags[v] & HW_NODE_LOCKED))
            continue;
        if (last != HW_NONE)
            code = add_extra(x, last, v, err);
        last = v;
    }
    return code;
}

static void free_rows(hw_rows *rows)
{
    free(rows->offset);
    free(rows->item);
    rows->offset = rows->item = NULL;
}

/* Turn `rows` around: row j of `out` lists the rows i that hold j, ascending. */
static hw_code transpose(const hw_rows *rows, uint32_t n, hw_rows *out, hw_error *err)
{
    uint32_t total = rows->offset[n];
    out->offset = HW_NEW0(uint32_t, (size_t)n + 2);
    out->item = HW_NEW(uint32_t, total);
    if (!out->offset || !out->item)
        return hw_fail_memory(err, "edges");
    for (uint32_t i = 0; i < total; i++)
        out->offset[rows->item[i] + 2]++;
    for (uint32_t i = 2; i <= n; i++)
        out->offset[i] += out->offset[i - 1];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = rows->offset[i]; k < rows->offset[i + 1]; k++)
            out->item[out->offset[rows->item[k] + 1]++] = i;
    return HW_OK;
}

/* Predecessors of every node, each once: producers of inputs, then extras. */
static hw_code lay_preds(hw_graph *g, const extra *x, hw_error *err)
{
    uint32_t n = g->n_nodes;
    uint64_t most = (uint64_t)g->inputs.offset[n] + x->count;
    if (most > UINT32_MAX - 2) {
        (void)hw_fail(err, HW_BAD_INPUT, "more than 2^32 edges: split the graph");
        return HW_BAD_INPUT;
    }
    uint32_t *first = HW_NEW0(uint32_t, (size_t)n + 1); /* extras by target: a counting sort */
    uint32_t *from = HW_NEW(uint32_t, x->count);
    uint32_t *seen = HW_NEW(uint32_t, n);
    uint32_t *item = HW_NEW(uint32_t, most);
    g->preds.offset = HW_NEW(uint32_t, (size_t)n + 1);
    g->preds.item = NULL;
    hw_code code = HW_OK;
    if (!first || !from || !seen || !item || !g->preds.offset) {
        code = hw_fail_memory(err, "edges");
    } else {
        for (size_t i = 0; i < x->count; i++)
            first[x->edge[i].to]++;
        uint32_t sum = 0;
        for (uint32_t v = 0; v <= n; v++) {
            uint32_t here = v < n ? first[v] : 0;
            first[v] = sum;
            sum += here;
        }
        for (size_t i = x->count; i-- > 0;) /* backwards: first[] ends where rows begin */
            from[--first[x->edge[i].to + 1]] = x->edge[i].from;
        /* Now row v of the extras is from[first[v + 1] .. next row's start). */
        memset(seen, 0xff, (size_t)n * sizeof *seen);
        uint32_t count = 0;
        for (uint32_t v = 0; v < n; v++) {
            g->preds.offset[v] = count;
            for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
                uint32_t u = g->tensor_producer[g->inputs.item[i]];
                if (u != HW_NONE && seen[u] != v) {
                    seen[u] = v;
                    item[count++] = u;
                }
            }
            uint32_t end = v + 2 <= n ? first[v + 2] : (uint32_t)x->count;
            for (uint32_t i = first[v + 1]; i < end; i++) {
                if (seen[from[i]] != v) {
                    seen[from[i]] = v;
                    item[count++] = from[i];
                }
            }
        }
        g->preds.offset[n] = count;
        g->n_edges = count;
        uint32_t *tight = realloc(item, (count ? count : 1) * sizeof *item);
        g->preds.item = tight ? tight : item;
        item = NULL;
    }
    free(first);
    free(from);
    free(seen);
    free(item);
    return code;
}

/* Say which nodes form a cycle: walk back over nodes that Kahn could not place. */
static hw_code fail_cycle(const hw_graph *g, const uint32_t *waiting, const char *why,
                          hw_error *err)
{
    uint32_t n = g->n_nodes, v = 0;
    while (v < n && waiting[v] == 0)
        v++;
    uint32_t *visit = HW_NEW0(uint32_t, n), *path = HW_NEW(uint32_t, n);
    if (!visit || !path) {
        free(visit);
        free(path);
        return hw_fail_memory(err, "naming a cycle");
    }
    uint32_t length = 0;
    while (!visit[v]) {
        path[length++] = v;
        visit[v] = length;
        uint32_t back = v;
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            if (waiting[g->preds.item[i]]) {
                back = g->preds.item[i];
                break;
            }
        v = back;
    }
    uint32_t start = visit[v] - 1, size = length - start, shown = size < 8 ? size : 8;
    char text[256];
    size_t used = 0;
    for (uint32_t i = 0; i < shown; i++) { /* path runs backwards: print it forwards */
        int wrote = snprintf(text + used, sizeof text - used, "%s%" PRIu32, i ? " -> " : "",
                             hw_node_id(g, path[length - 1 - i]));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    uint32_t first_id = hw_node_id(g, path[length - 1]);
    free(visit);
    free(path);
    if (shown < size)
        return hw_fail(err, HW_BAD_INPUT,
                       "nodes form a cycle of %" PRIu32 " nodes%s: %s -> ...: remove an edge of it",
                       size, why, text);
    return hw_fail(err, HW_BAD_INPUT,
                   "nodes form a cycle%s: %s -> %" PRIu32 ": remove an edge of it", why, text,
                   first_id);
}

/* A topological order into order[]; refuses a cycle. */
static hw_code sort_nodes(const hw_graph *g, uint32_t *order, const char *why, hw_error *err)
{
    uint32_t n = g->n_nodes, head = 0, tail = 0;
    uint32_t *waiting = HW_NEW(uint32_t, n);
    if (!waiting)
        return hw_fail_memory(err, "sorting nodes");
    for (uint32_t v = 0; v < n; v++) {
        waiting[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        if (waiting[v] == 0)
            order[tail++] = v;
    }
    while (head < tail) {
        uint32_t u = order[head++];
        for (uint32_t i = g->succs.offset[u]; i < g->succs.offset[u + 1]; i++)
            if (--waiting[g->succs.item[i]] == 0)
                order[tail++] = g->succs.item[i];
    }
    hw_code code = tail == n ? HW_OK : fail_cycle(g, waiting, why, err);
    free(waiting);
    return code;
}

static hw_code lay_edges(hw_graph *g, const extra *x, uint32_t *order, const char *why,
                         hw_error *err)
{
    free_rows(&g->preds);
    free_rows(&g->succs);
    hw_code code = lay_preds(g, x, err);
    if (code == HW_OK)
        code = transpose(&g->preds, g->n_nodes, &g->succs, err);
    return code == HW_OK ? sort_nodes(g, order, why, err) : code;
}

/* Storage of every tensor: its own, or for a view's output that of input 0. */
static hw_code lay_storages(const hw_builder *b, const uint32_t *order, hw_error *err)
{
    hw_graph *g = b->g;
    g->tensor_storage = HW_NEW(uint32_t, g->n_tensors);
    g->storage_root = HW_NEW(uint32_t, g->n_tensors);
    if (!g->tensor_storage || !g->storage_root)
        return hw_fail_memory(err, "storages");
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t p = g->tensor_producer[t];
        if (p != HW_NONE && (g->node_flags[p] & HW_NODE_VIEW))
            continue;
        g->tensor_storage[t] = g->n_storages;
        g->storage_root[g->n_storages++] = t;
    }
    for (uint32_t i = 0; b->any_view && i < g->n_nodes; i++) {
        uint32_t v = order[i];
        if (!(g->node_flags[v] & HW_NODE_VIEW))
            continue;
        uint32_t shared = g->tensor_storage[g->inputs.item[g->inputs.offset[v]]];
        for (uint32_t k = g->outputs.offset[v]; k < g->outputs.offset[v + 1]; k++)
            g->tensor_storage[g->outputs.item[k]] = shared;
    }
    return HW_OK;
}

/*
 * Every other consumer of the overwritten storage goes before the node that
 * must overwrite it.  required[s]: the node that must overwrite storage s.
 */
static hw_code add_required(hw_graph *g, extra *x, hw_error *err)
{
    uint32_t *required = HW_NEW(uint32_t, g->n_storages);
    if (!required)
        return hw_fail_memory(err, "must-in-place edges");
    memset(required, 0xff, (size_t)g->n_storages * sizeof *required);
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++) {
        if (!(g->node_flags[v] & HW_NODE_INPLACE_REQUIRED))
            continue;
        uint32_t t = g->inplace_pair[g->inplace_offset[v]].input, s = g->tensor_storage[t];
        if (required[s] != HW_NONE)
            code = hw_fail(err, HW_BAD_INPUT,
                           "nodes %" PRIu32 " and %" PRIu32 " both must overwrite the storage of "
                           "tensor %" PRIu32 ": each would have to run last; drop "
                           "inplace_required from one",
                           hw_node_id(g, required[s]), hw_node_id(g, v), hw_tensor_id(g, t));
        required[s] = v;
    }
    for (uint32_t t = 0; code == HW_OK && t < g->n_tensors; t++) {
        uint32_t v = required[g->tensor_storage[t]];
        if (v == HW_NONE || g->tensor_kind[t] == HW_ACTIVATION || g->tensor_kind[t] == HW_INPUT)
            continue;
        code = hw_fail(err, HW_BAD_INPUT,
                       "node %" PRIu32 " must overwrite a storage that holds tensor %" PRIu32
                       ", %s: it must stay; drop inplace_required",
                       hw_node_id(g, v), hw_tensor_id(g, t),
                       g->tensor_kind[t] == HW_OUTPUT ? "an output" : "a constant");
    }
    for (uint32_t u = 0; code == HW_OK && u < g->n_nodes; u++)
        for (uint32_t i = g->inputs.offset[u]; code == HW_OK && i < g->inputs.offset[u + 1]; i++) {
            uint32_t v = required[g->tensor_storage[g->inputs.item[i]]];
            if (v != HW_NONE && v != u)
                code = add_extra(x, u, v, err);
        }
    free(required);
    return code;
}

/* Refuse a graph in which some sum of sizes could pass 2^64 - 1. */
static hw_code check_sums(const hw_graph *g, hw_error *err)
{
    uint64_t sum = 0, most_workspace = 0;
    bool fits = true;
    for (uint32_t s = 0; s < g->n_storages; s++)
        fits = fits && hw_add_u64(sum, g->tensor_size[g->storage_root[s]], &sum);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (hw_node_workspace(g, v) > most_workspace)
            most_workspace = hw_node_workspace(g, v);
    fits = fits && hw_add_u64(sum, most_workspace, &sum);
    if (!fits)
        return hw_fail(err, HW_BAD_INPUT,
                       "memory usage could exceed 64 bits: the sizes of all storages and the "
                       "largest workspace add up to more than 2^64-1; use a larger unit");
    return HW_OK;
}

/* Hand the builder's arrays over to the graph. */
static hw_code move_arrays(hw_builder *b, hw_error *err)
{
    hw_graph *g = b->g;
    if (b->pair_offset.count) {
        /* From the first pair on each node brought its offset, and the last one the end. */
        g->inplace_offset = b->pair_offset.item;
        g->inplace_pair = b->pair;
    }
    g->inputs = (hw_rows){b->input_offset.item, b->input_item.item};
    g->outputs = (hw_rows){b->output_offset.item, b->output_item.item};
    if (!g->inputs.item)
        g->inputs.item = HW_NEW(uint32_t, 0);
    if (!g->outputs.item)
        g->outputs.item = HW_NEW(uint32_t, 0);
    g->names = b->pool;
    g->tensor_id = b->tensor_map.id;
    g->node_id = b->node_map.id;
    memset(&b->input_offset, 0, sizeof b->input_offset);
    memset(&b->input_item, 0, sizeof b->input_item);
    memset(&b->output_offset, 0, sizeof b->output_offset);
    memset(&b->output_item, 0, sizeof b->output_item);
    memset(&b->pair_offset, 0, sizeof b->pair_offset);
    b->pair = NULL;
    b->pool = NULL;
    b->tensor_map.id = NULL;
    b->node_map.id = NULL;
    return g->inputs.item && g->outputs.item ? HW_OK : hw_fail_memory(err, "nodes");
}

static void note_source_order(hw_graph *g)
{
    g->source_order_legal_edges = true;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        for (uint32_t i = g->preds.offset[v]; i < g->preds.offset[v + 1]; i++)
            if (g->preds.item[i] > v)
                g->source_order_legal_edges = false;
}

hw_code hw_builder_finish(hw_builder *b, hw_graph **out, hw_error *err)
{
    hw_graph *g = b->g;
    extra x = {0};
    *out = NULL;
    hw_code code = resolve_control(b, err);
    if (code == HW_OK)
        code = move_arrays(b, err);
    hw_idmap_clear(&b->tensor_map);
    hw_idmap_clear(&b->node_map);
    uint32_t *order = HW_NEW(uint32_t, g->n_nodes);
    if (code == HW_OK && !order)
        code = hw_fail_memory(err, "sorting nodes");
    if (code == HW_OK)
        code = check_producers(g, err);
    if (code == HW_OK)
        code = start_extra(b, &x, err);
    if (code == HW_OK)
        code = lay_edges(g, &x, order,
                         b->any_locked ? " (locked nodes keep their source order)" : "", err);
    if (code == HW_OK)
        code = lay_storages(b, order, err);
    if (code == HW_OK && b->any_required) {
        code = add_required(g, &x, err);
        if (code == HW_OK)
            code = lay_edges(g, &x, order,
                             " (a node with inplace_required runs after every other consumer of "
                             "what it overwrites)",
                             err);
    }
    if (code == HW_OK)
        code = check_sums(g, err);
    free(order);
    free(x.edge);
    if (code == HW_OK) {
        note_source_order(g);
        *out = g;
        b->g = NULL;
    }
    return code;
}
