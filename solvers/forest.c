/* Forests.  See forest.h. */
#include "solvers/forest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/fixed_steps.h"

/* A forest while it is looked for. */
typedef struct finding {
    hw_forest *f;
    const hw_model *m;
    const char *solver;
    uint32_t *topological; /* nodes in a legal order                         */
    uint32_t *rank;        /* by node: place in it                           */
    uint32_t *start, *end; /* by node: where its subtree lies in f->sequence */
    uint32_t *fork;        /* by node of an out-tree: why it is no in-tree   */
} finding;

static const hw_rows *towards_root(const finding *w, uint32_t v)
{
    return w->f->out[v] ? &w->m->graph->preds : &w->m->graph->succs;
}

static bool inside(const finding *w, uint32_t v, uint32_t subtree)
{
    return w->start[subtree] <= w->end[v] && w->end[v] <= w->end[subtree];
}

/* The neighbour towards the root that comes first on the way there. */
static uint32_t find_parent(const finding *w, uint32_t v)
{
    const hw_rows *rows = towards_root(w, v);
    uint32_t parent = HW_NONE;
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++) {
        uint32_t u = rows->item[i];
        if (parent == HW_NONE || (w->rank[u] < w->rank[parent]) != w->f->out[v])
            parent = u;
    }
    return parent;
}

/* A node whose subtree is complete: all its children have been here. */
static void add_size(const finding *w, uint32_t v)
{
    uint32_t p = w->f->parent[v];
    if (p != HW_NONE)
        w->start[p] += w->start[v]; /* sizes, for now */
}

/* A node whose parent has its place: the last one free of the parent's subtree. */
static void place(const finding *w, uint32_t v, uint32_t *roots_end)
{
    uint32_t p = w->f->parent[v], size = w->start[v];
    uint32_t *free_end = p == HW_NONE ? roots_end : &w->rank[p];
    *free_end -= size;
    w->start[v] = *free_end;
    w->end[v] = *free_end + size - 1;
    w->f->sequence[w->end[v]] = v;
    w->rank[v] = w->end[v]; /* the end of what is free for its children */
}

/*
 * Parents and sequence for the kinds of components as they stand.  In-trees
 * have children before parents in a legal order, out-trees after them.
 */
static void lay(finding *w)
{
    const uint32_t n = w->f->n, *topological = w->topological;
    const bool *out = w->f->out;
    uint32_t roots_end = n;
    hw_order_positions(topological, n, w->rank);
    for (uint32_t v = 0; v < n; v++) {
        w->f->parent[v] = find_parent(w, v);
        w->start[v] = 1;
    }
    for (uint32_t i = 0; i < n; i++)
        if (!out[topological[i]])
            add_size(w, topological[i]);
    for (uint32_t i = n; i-- > 0;)
        if (out[topological[i]])
            add_size(w, topological[i]);
    for (uint32_t i = n; i-- > 0;)
        if (!out[topological[i]])
            place(w, topological[i], &roots_end);
    for (uint32_t i = 0; i < n; i++)
        if (out[topological[i]])
            place(w, topological[i], &roots_end);
}

/* A neighbour of v towards the root that its parent does not lead to, or HW_NONE. */
static uint32_t find_stranger(const finding *w, uint32_t v)
{
    const hw_rows *rows = towards_root(w, v);
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++)
        if (!inside(w, w->f->parent[v], rows->item[i]))
            return rows->item[i];
    return HW_NONE;
}

/* The component of v shall be an out-tree: v has no one successor that all others follow. */
static void turn(const finding *w, uint32_t v, uint32_t *queue)
{
    const hw_graph *g = w->m->graph;
    const hw_rows *both[] = {&g->succs, &g->preds};
    uint32_t head = 0, tail = 0;
    queue[tail++] = v;
    w->f->out[v] = true;
    w->fork[v] = v;
    while (head < tail) {
        uint32_t u = queue[head++];
        for (int side = 0; side < 2; side++)
            for (uint32_t i = both[side]->offset[u]; i < both[side]->offset[u + 1]; i++) {
                uint32_t x = both[side]->item[i];
                if (w->f->out[x])
                    continue;
                w->f->out[x] = true;
                w->fork[x] = v;
                queue[tail++] = x;
            }
    }
}

/* Components that are no in-trees become out-trees; true: there are some. */
static hw_code turn_components(finding *w, bool *turned, hw_error *err)
{
    uint32_t *queue = NULL;
    *turned = false;
    for (uint32_t v = 0; v < w->f->n; v++) {
        if (w->f->out[v] || find_stranger(w, v) == HW_NONE)
            continue;
        if (!queue) {
            queue = HW_NEW(uint32_t, w->f->n);
            w->fork = HW_NEW(uint32_t, w->f->n);
            if (!queue || !w->fork) {
                free(queue);
                return hw_fail_memory(err, "a forest");
            }
        }
        turn(w, v, queue);
        *turned = true;
    }
    free(queue);
    return HW_OK;
}

static hw_code refuse_join(const finding *w, uint32_t v, hw_error *err)
{
    const hw_graph *g = w->m->graph;
    return hw_fail(err, HW_USAGE,
                   "solver %s takes in-trees and out-trees, but node %" PRIu32
                   " leads to two nodes that do not need each other, and node %" PRIu32
                   " of the same component needs two such nodes: choose another solver, such as "
                   "exact",
                   w->solver, hw_node_id(g, w->fork[v]), hw_node_id(g, v));
}

static hw_code find_trees(finding *w, hw_error *err)
{
    bool turned;
    lay(w);
    hw_code code = turn_components(w, &turned, err);
    if (code != HW_OK || !turned)
        return code;
    lay(w);
    for (uint32_t v = 0; v < w->f->n; v++)
        if (w->f->out[v] && find_stranger(w, v) != HW_NONE)
            return refuse_join(w, v, err);
    return HW_OK;
}

/* Does u run before v in every order?  Both are nodes of trees of one kind. */
static bool always_before(const finding *w, uint32_t u, uint32_t v)
{
    return w->f->out[u] ? inside(w, v, u) : inside(w, u, v);
}

static hw_code refuse_buffer(const finding *w, uint32_t b, uint32_t u, uint32_t v, hw_error *err)
{
    const hw_graph *g = w->m->graph;
    return hw_fail(err, HW_USAGE,
                   "solver %s has to know which node frees a tensor, but the storage of tensor "
                   "%" PRIu32 " is read by nodes %" PRIu32 " and %" PRIu32
                   ", either of which may be the last: choose another solver, such as exact",
                   w->solver, hw_tensor_id(g, g->storage_root[w->m->buffer_storage[b]]),
                   hw_node_id(g, u < v ? u : v), hw_node_id(g, u < v ? v : u));
}

/* Of a buffer's consumers from u on, one that none of them comes after. */
static uint32_t climb(const finding *w, uint32_t u, const uint32_t *user, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (w->f->out[user[i]] == w->f->out[u] && always_before(w, u, user[i]))
            u = user[i];
    return u;
}

/* The consumer of buffer b that comes after all others. */
static hw_code find_last_user(const finding *w, uint32_t b, uint32_t *last, hw_error *err)
{
    const hw_model *m = w->m;
    const uint32_t *user = m->users.item + m->users.offset[b];
    uint32_t count = m->users.offset[b + 1] - m->users.offset[b];
    *last = climb(w, user[0], user, count);
    for (uint32_t i = 0; i < count; i++)
        if (w->f->out[user[i]] != w->f->out[*last] || !always_before(w, user[i], *last))
            return refuse_buffer(w, b, climb(w, user[i], user, count), *last, err);
    return HW_OK;
}

static hw_code find_steps(const finding *w, hw_error *err)
{
    uint32_t *last_user = HW_NEW(uint32_t, w->m->n_buffers);
    if (!last_user)
        return hw_fail_memory(err, "a forest");
    hw_code code = HW_OK;
    for (uint32_t b = 0; code == HW_OK && b < w->m->n_buffers; b++)
        code = find_last_user(w, b, &last_user[b], err);
    if (code == HW_OK)
        code = hw_fixed_steps(w->m, last_user, w->f->step, err);
    free(last_user);
    return code;
}

/* A window that leaves out a position of its node. */
static hw_code refuse_windows(const finding *w, hw_error *err)
{
    const hw_graph *g = w->m->graph;
    for (uint32_t v = 0; g->node_window && v < g->n_nodes; v++) {
        uint32_t farthest = v > g->n_nodes - 1 - v ? v : g->n_nodes - 1 - v;
        if (g->node_window[v] < farthest)
            return hw_fail(err, HW_USAGE,
                           "solver %s knows no windows, but node %" PRIu32
                           " has one: choose another solver, such as exact",
                           w->solver, hw_node_id(g, v));
    }
    return HW_OK;
}

static hw_code make_room(finding *w, hw_error *err)
{
    uint32_t n = w->f->n;
    w->topological = HW_NEW(uint32_t, n);
    w->rank = HW_NEW(uint32_t, n);
    w->start = HW_NEW(uint32_t, n);
    w->end = HW_NEW(uint32_t, n);
    if (!w->topological || !w->rank || !w->start || !w->end)
        return hw_fail_memory(err, "a forest");
    return HW_OK;
}

/* The source order where it is legal: memory is then walked through in order. */
static hw_code find_order(const finding *w, hw_error *err)
{
    if (!w->m->graph->source_order_legal_edges)
        return hw_graph_level_order(w->m->graph, w->topological, err);
    for (uint32_t v = 0; v < w->f->n; v++)
        w->topological[v] = v;
    return HW_OK;
}

static bool rows_are_short(const hw_rows *rows, uint32_t n)
{
    for (uint32_t v = 0; v < n; v++)
        if (rows->offset[v + 1] - rows->offset[v] > 1)
            return false;
    return true;
}

/*
 * One successor at most everywhere, or one predecessor, and one consumer a
 * buffer, in a legal source order: a forest at first sight.  *towards: the rows
 * that lead to parents.
 */
static bool is_plain(const hw_model *m, const hw_rows **towards)
{
    const hw_graph *g = m->graph;
    if (!g->source_order_legal_edges || m->users.offset[m->n_buffers] != m->n_buffers)
        return false;
    *towards = rows_are_short(&g->succs, g->n_nodes) ? &g->succs : &g->preds;
    return *towards == &g->succs || rows_are_short(&g->preds, g->n_nodes);
}

static hw_code lay_plain(hw_forest *f, const hw_model *m, const hw_rows *towards, hw_error *err)
{
    bool out = towards == &m->graph->preds;
    for (uint32_t v = 0; v < f->n; v++) {
        uint32_t at = towards->offset[v];
        f->parent[v] = at < towards->offset[v + 1] ? towards->item[at] : HW_NONE;
        f->sequence[v] = out ? f->n - 1 - v : v;
    }
    memset(f->out, out, f->n);
    return hw_fixed_steps(m, m->users.item, f->step, err);
}

static hw_code lay_any(finding *w, hw_error *err)
{
    hw_code code = make_room(w, err);
    if (code == HW_OK)
        code = find_order(w, err);
    if (code == HW_OK)
        code = find_trees(w, err);
    if (code == HW_OK)
        code = find_steps(w, err);
    return code;
}

hw_code hw_forest_open(hw_forest *f, const hw_model *m, const char *solver, hw_error *err)
{
    uint32_t n = m->n_nodes;
    const hw_rows *towards;
    *f = (hw_forest){.n = n,
                     .parent = HW_NEW(uint32_t, n),
                     .sequence = HW_NEW(uint32_t, n),
                     .out = HW_NEW0(bool, n),
                     .step = HW_NEW(hw_segment, n)};
    if (!f->parent || !f->sequence || !f->out || !f->step)
        return hw_fail_memory(err, "a forest");
    finding w = {.f = f, .m = m, .solver = solver};
    hw_code code = refuse_windows(&w, err);
    if (code == HW_OK)
        code = is_plain(m, &towards) ? lay_plain(f, m, towards, err) : lay_any(&w, err);
    for (uint32_t v = 0; code == HW_OK && v < n; v++) {
        f->any_in |= !f->out[v];
        f->any_out |= f->out[v];
    }
    free(w.topological);
    free(w.rank);
    free(w.start);
    free(w.end);
    free(w.fork);
    return code;
}

void hw_forest_close(hw_forest *f)
{
    free(f->parent);
    free(f->sequence);
    free(f->out);
    free(f->step);
    memset(f, 0, sizeof *f);
}
