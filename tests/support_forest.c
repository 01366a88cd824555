/* Random forests for tests.  See support_forest.h. */
#include "support_forest.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* One draw of a forest: nodes in topological order while it lasts. */
typedef struct drawing {
    draft *d;
    uint64_t state;
    unsigned features;
    bool out[DRAFT_NODES];
    size_t parent[DRAFT_NODES]; /* in-trees: later, out-trees: earlier; DRAFT_NODES: root */
    bool consumed[DRAFT_TENSORS];
} drawing;

static bool chance(drawing *w, unsigned percent)
{
    return draft_below(&w->state, 100) < percent;
}

static bool with(drawing *w, unsigned feature, unsigned percent)
{
    return (w->features & feature) && chance(w, percent);
}

static size_t add_tensor(drawing *w, hw_kind kind)
{
    size_t t = w->d->n_tensors++;
    uint64_t size = 1 + draft_below(&w->state, chance(w, 20) ? 300 : 60);
    if (with(w, DRAW_ZERO, 25))
        size = 10 * draft_below(&w->state, 3);
    w->d->tensor[t] = (draft_tensor){t, size, kind};
    return t;
}

static bool has_room(const drawing *w, size_t maker, size_t reader)
{
    return w->d->n_tensors < DRAFT_TENSORS && w->d->node[maker].n_outputs < DRAFT_OUTPUTS &&
           w->d->node[reader].n_inputs < DRAFT_INPUTS;
}

static void read_tensor(drawing *w, size_t reader, size_t tensor)
{
    draft_node *node = &w->d->node[reader];
    if (node->n_inputs < DRAFT_INPUTS)
        node->input[node->n_inputs++] = tensor;
    w->consumed[tensor] = true;
}

/* A node of the same branch beyond the end of an edge, or DRAFT_NODES. */
static size_t beyond(drawing *w, size_t v)
{
    size_t far = w->parent[v];
    if (far < DRAFT_NODES && w->parent[far] < DRAFT_NODES && chance(w, 40))
        far = w->parent[far];
    return far;
}

/* The edge between v and its parent: tensors, or a control edge. */
static void draw_edge(drawing *w, size_t v)
{
    size_t p = w->parent[v], from = w->out[v] ? p : v, to = w->out[v] ? v : p;
    if (!has_room(w, from, to) || with(w, DRAW_CONTROL, 15)) {
        w->d->control[2 * w->d->n_control] = from;
        w->d->control[2 * w->d->n_control + 1] = to;
        w->d->n_control++;
        return;
    }
    size_t edges = chance(w, 20) ? 2 : 1;
    for (size_t i = 0; i < edges && has_room(w, from, to); i++) {
        size_t t = add_tensor(w, with(w, DRAW_OUTPUTS, 8) ? HW_OUTPUT : HW_ACTIVATION);
        w->d->node[from].output[w->d->node[from].n_outputs++] = t;
        read_tensor(w, to, t);
        if (with(w, DRAW_REPEATS, 10))
            read_tensor(w, to, t);
    }
}

/* A tensor past the next node of the branch, which may read it, too. */
static void draw_skip(drawing *w, size_t v)
{
    size_t far = beyond(w, v);
    if (far == DRAFT_NODES)
        return;
    size_t from = w->out[v] ? far : v, to = w->out[v] ? v : far;
    if (!has_room(w, from, to))
        return;
    size_t t = add_tensor(w, HW_ACTIVATION);
    w->d->node[from].output[w->d->node[from].n_outputs++] = t;
    read_tensor(w, to, t);
    if (w->parent[v] != from && chance(w, 50))
        read_tensor(w, w->parent[v], t);
}

/* An input or a constant, read by one node or by two of a branch. */
static void draw_given(drawing *w, size_t v, hw_kind kind)
{
    if (w->d->n_tensors == DRAFT_TENSORS)
        return;
    size_t t = add_tensor(w, kind);
    read_tensor(w, v, t);
    if (with(w, DRAW_CONTROL, 20) && w->parent[v] < DRAFT_NODES)
        read_tensor(w, beyond(w, v), t);
}

static void draw_pairs(drawing *w, draft_node *node)
{
    if (!node->n_inputs || !node->n_outputs || node->view || !with(w, DRAW_INPLACE, 50))
        return;
    node->n_pairs = 1 + (size_t)draft_below(&w->state, 3);
    for (size_t i = 0; i < node->n_pairs; i++) {
        node->pair[2 * i] = node->input[draft_below(&w->state, node->n_inputs)];
        node->pair[2 * i + 1] = node->output[draft_below(&w->state, node->n_outputs)];
    }
    node->required = node->n_pairs == 1 && with(w, DRAW_REQUIRED, 40);
}

static void draw_extras(drawing *w, size_t v)
{
    draft_node *node = &w->d->node[v];
    if (chance(w, 30))
        draw_given(w, v, HW_INPUT);
    if (with(w, DRAW_CONSTANTS, 15))
        draw_given(w, v, HW_CONSTANT);
    if (with(w, DRAW_CONTROL, 20))
        draw_skip(w, v);
    if (node->n_outputs < DRAFT_OUTPUTS && w->d->n_tensors < DRAFT_TENSORS && chance(w, 40)) {
        size_t t = add_tensor(w, with(w, DRAW_DEAD, 50) ? HW_ACTIVATION : HW_OUTPUT);
        node->output[node->n_outputs++] = t;
    }
    if (with(w, DRAW_WORKSPACE, 30))
        node->workspace = draft_below(&w->state, 100);
    node->view = node->n_inputs && with(w, DRAW_VIEWS, 20);
    draw_pairs(w, node);
}

static void shuffle(drawing *w)
{
    draft *d = w->d;
    for (size_t i = d->n_nodes; (w->features & DRAW_SHUFFLED) && i-- > 1;) {
        size_t k = draft_below(&w->state, i + 1);
        draft_node held = d->node[i];
        d->node[i] = d->node[k];
        d->node[k] = held;
    }
}

static void draw_trees(drawing *w, forest_kind kind)
{
    size_t n = w->d->n_nodes, reach = 1 + draft_below(&w->state, 6);
    unsigned roots = chance(w, 50) ? 0 : 20;
    bool out = kind == FOREST_OUT || (kind == FOREST_ANY && chance(w, 50));
    size_t low = 0;
    while (low < n) { /* a tree of the nodes from low to high */
        size_t high = low + 1;
        while (high < n && !chance(w, roots))
            high++;
        for (size_t v = low; v < high; v++) {
            size_t room = out ? v - low : high - 1 - v;
            size_t step = room ? 1 + draft_below(&w->state, room < reach ? room : reach) : 0;
            w->out[v] = out;
            w->parent[v] = !room ? DRAFT_NODES : out ? v - step : v + step;
        }
        low = high;
        if (kind == FOREST_ANY)
            out = chance(w, 50);
    }
}

static bool builds(const draft *d)
{
    hw_graph *g = NULL;
    hw_code code = draft_build(d, &g, NULL);
    hw_graph_free(g);
    return code == HW_OK;
}

draft *draft_forest(uint64_t seed, size_t n_nodes, forest_kind kind, unsigned features)
{
    draft *d = HW_NEW0(draft, 1);
    drawing *w = HW_NEW0(drawing, 1);
    if (!d || !w || n_nodes > DRAFT_NODES) {
        free(d);
        free(w);
        return NULL;
    }
    *w = (drawing){.d = d, .state = seed, .features = features};
    d->n_nodes = n_nodes;
    draw_trees(w, kind);
    for (size_t v = 0; v < n_nodes; v++) {
        d->node[v].id = v;
        if (w->parent[v] < DRAFT_NODES)
            draw_edge(w, v);
    }
    for (size_t v = 0; v < n_nodes; v++)
        draw_extras(w, v);
    shuffle(w);
    free(w);
    for (size_t v = 0; v < n_nodes && !builds(d); v++)
        d->node[v].required = false; /* on a storage that is kept, or it closes a cycle */
    return d;
}

/* ---- The definition. ---- */

/* later[v]: the nodes that come after v in every order. */
static void find_later(const hw_graph *g, uint64_t *later)
{
    bool changed = true;
    memset(later, 0, g->n_nodes * sizeof *later);
    while (changed) {
        changed = false;
        for (uint32_t v = 0; v < g->n_nodes; v++) {
            uint64_t set = later[v];
            for (uint32_t i = g->succs.offset[v]; i < g->succs.offset[v + 1]; i++)
                set |= later[g->succs.item[i]] | UINT64_C(1) << g->succs.item[i];
            changed |= set != later[v];
            later[v] = set;
        }
    }
}

/* Does each pair of the set come in one order only? */
static bool is_chain(const uint64_t *later, uint64_t set, uint32_t n)
{
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < u; v++)
            if ((set >> u & 1) && (set >> v & 1) && !(later[u] >> v & 1) && !(later[v] >> u & 1))
                return false;
    return true;
}

bool defined_forest(const hw_model *m)
{
    const hw_graph *g = m->graph;
    uint32_t n = m->n_nodes;
    uint64_t later[DRAFT_NODES], near[DRAFT_NODES], seen = 0;
    find_later(g, later);
    for (uint32_t v = 0; v < n; v++)
        near[v] = later[v];
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++)
            if (later[u] >> v & 1)
                near[v] |= UINT64_C(1) << u;
    for (uint32_t v = 0; v < n; v++) {
        uint64_t part = UINT64_C(1) << v, grown = 0;
        if (seen >> v & 1)
            continue;
        while (part != grown) {
            grown = part;
            for (uint32_t u = 0; u < n; u++)
                if (grown >> u & 1)
                    part |= near[u];
        }
        seen |= part;
        bool in = true, out = true;
        for (uint32_t u = 0; u < n; u++)
            if (part >> u & 1) {
                in &= is_chain(later, later[u], n);
                out &= is_chain(later, near[u] & ~later[u], n);
            }
        if (!in && !out)
            return false;
    }
    for (uint32_t b = 0; b < m->n_buffers; b++) {
        bool found = false;
        for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++) {
            uint64_t others = 0;
            for (uint32_t k = m->users.offset[b]; k < m->users.offset[b + 1]; k++)
                if (k != i)
                    others |= UINT64_C(1) << m->users.item[k];
            bool last = true;
            for (uint32_t u = 0; u < n; u++)
                if (others >> u & 1)
                    last &= later[u] >> m->users.item[i] & 1;
            found |= last;
        }
        if (!found)
            return false;
    }
    for (uint32_t v = 0; g->node_window && v < n; v++)
        if (g->node_window[v] < v || g->node_window[v] < n - 1 - v)
            return false;
    return true;
}
