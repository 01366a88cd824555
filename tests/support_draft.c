/* Random graphs and orders for tests.  See support_draft.h. */
#include "support_draft.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/builder.h"
#include "model/windows.h"

uint64_t draft_u64(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t draft_below(uint64_t *state, uint64_t bound)
{
    return draft_u64(state) % bound; /* the bias of a small bound is below 2^-50 */
}

static bool chance(uint64_t *state, unsigned percent)
{
    return draft_below(state, 100) < percent;
}

/* One draw of a draft: where ids come from, what is allowed. */
typedef struct draw {
    draft *d;
    uint64_t state;
    unsigned features;
    uint64_t id_step, id_start;
    bool consumed[DRAFT_TENSORS];
} draw;

static uint64_t draw_size(draw *w)
{
    if ((w->features & DRAW_ZERO) && chance(&w->state, 30))
        return 10 * draft_below(&w->state, 3);
    return 1 + draft_below(&w->state, chance(&w->state, 20) ? 300 : 100);
}

static size_t add_tensor(draw *w, hw_kind kind)
{
    size_t t = w->d->n_tensors++;
    w->d->tensor[t] = (draft_tensor){w->id_start + w->id_step * t, draw_size(w), kind};
    return t;
}

static void add_input(draw *w, draft_node *node, size_t tensor)
{
    if (node->n_inputs == DRAFT_INPUTS)
        return;
    node->input[node->n_inputs++] = w->d->tensor[tensor].id;
    w->consumed[tensor] = true;
}

static void draw_inputs(draw *w, draft_node *node)
{
    size_t tensors = w->d->n_tensors;
    size_t wanted = chance(&w->state, 12) ? 0 : 1 + (size_t)draft_below(&w->state, 3);
    for (size_t i = 0; i < wanted && tensors; i++) {
        size_t recent = tensors < 6 ? tensors : 6;
        size_t t = chance(&w->state, 60) ? tensors - 1 - (size_t)draft_below(&w->state, recent)
                                         : (size_t)draft_below(&w->state, tensors);
        bool twice = false;
        for (size_t k = 0; k < node->n_inputs; k++)
            twice |= node->input[k] == w->d->tensor[t].id;
        if (!twice || (w->features & DRAW_REPEATS))
            add_input(w, node, t);
    }
}

static void draw_pairs(draw *w, draft_node *node)
{
    if (!(w->features & DRAW_INPLACE) || node->view || !node->n_inputs || !node->n_outputs ||
        !chance(&w->state, 55))
        return;
    size_t wanted = 1 + (size_t)draft_below(&w->state, 3);
    for (size_t i = 0; i < wanted; i++) {
        node->pair[2 * i] = node->input[draft_below(&w->state, node->n_inputs)];
        node->pair[2 * i + 1] = node->output[draft_below(&w->state, node->n_outputs)];
    }
    node->n_pairs = wanted;
    node->required = (w->features & DRAW_REQUIRED) && wanted == 1 && chance(&w->state, 40);
}

static void draw_node(draw *w, size_t v)
{
    draft_node *node = &w->d->node[v];
    draw_inputs(w, node);
    node->view = (w->features & DRAW_VIEWS) && node->n_inputs && chance(&w->state, 25);
    size_t outputs = chance(&w->state, 75) ? 1 : (size_t)draft_below(&w->state, DRAFT_OUTPUTS + 1);
    for (size_t i = 0; i < outputs; i++) {
        bool kept = (w->features & DRAW_OUTPUTS) && chance(&w->state, 12);
        size_t t = add_tensor(w, kept ? HW_OUTPUT : HW_ACTIVATION);
        node->output[node->n_outputs++] = w->d->tensor[t].id;
    }
    draw_pairs(w, node);
    if ((w->features & DRAW_WORKSPACE) && chance(&w->state, 30))
        node->workspace = draft_below(&w->state, 120);
    node->locked = (w->features & DRAW_LOCKS) && chance(&w->state, 25);
    node->has_window = (w->features & DRAW_WINDOWS) && chance(&w->state, 30);
    if (node->has_window)
        node->window = draft_below(&w->state, 5);
}

/* Nobody consumes it: without the feature it is kept, not dead. */
static void settle_dead(draw *w)
{
    for (size_t t = 0; t < w->d->n_tensors; t++)
        if (!w->consumed[t] && w->d->tensor[t].kind == HW_ACTIVATION &&
            (!(w->features & DRAW_DEAD) || chance(&w->state, 40)))
            w->d->tensor[t].kind = HW_OUTPUT;
}

static void draw_control(draw *w)
{
    draft *d = w->d;
    if (!(w->features & DRAW_CONTROL) || d->n_nodes < 2)
        return;
    for (size_t i = draft_below(&w->state, 4); i > 0 && d->n_control < DRAFT_NODES; i--) {
        size_t to = 1 + (size_t)draft_below(&w->state, d->n_nodes - 1);
        size_t from = (size_t)draft_below(&w->state, to);
        d->control[2 * d->n_control] = d->node[from].id;
        d->control[2 * d->n_control + 1] = d->node[to].id;
        d->n_control++;
    }
}

/* Swap some nodes of the source order, most of them over short distances. */
static void shuffle_source(draw *w)
{
    draft *d = w->d;
    if (!(w->features & DRAW_SHUFFLED) || d->n_nodes < 2 || !chance(&w->state, 60))
        return;
    for (size_t i = draft_below(&w->state, d->n_nodes) + 1; i > 0; i--) {
        size_t a = (size_t)draft_below(&w->state, d->n_nodes - 1), b = a + 1;
        if (chance(&w->state, 30))
            b = (size_t)draft_below(&w->state, d->n_nodes);
        draft_node held = d->node[a];
        d->node[a] = d->node[b];
        d->node[b] = held;
    }
}

static bool builds(const draft *d)
{
    hw_graph *g = NULL;
    hw_code code = draft_build(d, &g, NULL);
    hw_graph_free(g);
    return code == HW_OK;
}

/* Take out what makes the builder refuse: a must-in-place pair, else a lock. */
static bool relax(draft *d)
{
    for (size_t v = d->n_nodes; v-- > 0;)
        if (d->node[v].required) {
            d->node[v].required = false;
            return true;
        }
    for (size_t v = d->n_nodes; v-- > 0;)
        if (d->node[v].locked) {
            d->node[v].locked = false;
            return true;
        }
    return false;
}

draft *draft_random(uint64_t seed, size_t n_nodes, unsigned features)
{
    draft *d = HW_NEW0(draft, 1);
    draw *w = HW_NEW0(draw, 1);
    if (!d || !w || n_nodes > DRAFT_NODES) {
        free(d);
        free(w);
        return NULL;
    }
    *w = (draw){.d = d, .state = seed, .features = features, .id_step = 1};
    if ((features & DRAW_IDS) && chance(&w->state, 50)) {
        w->id_step = 1 + draft_below(&w->state, 1000);
        w->id_start = draft_below(&w->state, 100000);
    }
    for (size_t i = draft_below(&w->state, 4); i > 0; i--)
        (void)add_tensor(w, HW_INPUT);
    if (features & DRAW_CONSTANTS)
        for (size_t i = draft_below(&w->state, 3); i > 0; i--)
            (void)add_tensor(w, HW_CONSTANT);
    d->n_nodes = n_nodes;
    for (size_t v = 0; v < n_nodes; v++) {
        d->node[v].id = w->id_step * (n_nodes - 1 - v) + w->id_start / 7;
        if (w->id_step == 1)
            d->node[v].id = v;
        draw_node(w, v);
    }
    settle_dead(w);
    draw_control(w);
    shuffle_source(w);
    free(w);
    while (!builds(d))
        if (!relax(d)) {
            free(d);
            return NULL;
        }
    return d;
}

hw_code draft_build(const draft *d, hw_graph **out, hw_error *err)
{
    *out = NULL;
    hw_builder *b = hw_builder_new();
    if (!b)
        return hw_fail_memory(err, "a random graph");
    hw_code code = hw_builder_describe(b, "random", "tests", NULL, err);
    for (size_t t = 0; code == HW_OK && t < d->n_tensors; t++)
        code =
            hw_builder_tensor(b, d->tensor[t].id, d->tensor[t].size, d->tensor[t].kind, NULL, err);
    for (size_t v = 0; code == HW_OK && v < d->n_nodes; v++) {
        const draft_node *node = &d->node[v];
        hw_node_spec spec = {
            .id = node->id,
            .inputs = node->input,
            .n_inputs = node->n_inputs,
            .outputs = node->output,
            .n_outputs = node->n_outputs,
            .inplace = node->pair,
            .n_inplace = node->n_pairs,
            .inplace_required = node->required,
            .workspace = node->workspace,
            .view = node->view,
            .locked = node->locked,
            .has_window = node->has_window,
            .window = node->window,
        };
        code = hw_builder_node(b, &spec, err);
    }
    for (size_t i = 0; code == HW_OK && i < d->n_control; i++)
        code = hw_builder_control(b, d->control[2 * i], d->control[2 * i + 1], err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

hw_graph *draft_graph(uint64_t seed, size_t n_nodes, unsigned features)
{
    draft *d = draft_random(seed, n_nodes, features);
    hw_graph *g = NULL;
    if (d)
        (void)draft_build(d, &g, NULL);
    free(d);
    return g;
}

/* Nodes that may run next, windows included, into ready[]; their number. */
static uint32_t find_ready(const hw_model *m, hw_window_search *windows, const bool *done,
                           uint32_t step, uint32_t *ready)
{
    const hw_graph *g = m->graph;
    uint32_t count = 0;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        bool can = !done[v];
        for (uint32_t i = g->preds.offset[v]; can && i < g->preds.offset[v + 1]; i++)
            can = done[g->preds.item[i]];
        if (can && (!windows || hw_window_allows(windows, done, step, v)))
            ready[count++] = v;
    }
    return count;
}

bool draft_order(const hw_model *m, uint64_t *state, uint32_t *order)
{
    if (!m->legal)
        return false;
    hw_window_search *windows =
        m->earliest ? hw_window_search_new(m->graph, m->earliest, m->latest) : NULL;
    bool *done = HW_NEW0(bool, m->n_nodes);
    uint32_t *ready = HW_NEW(uint32_t, m->n_nodes);
    bool found = done && ready && (windows || !m->earliest);
    for (uint32_t step = 0; found && step < m->n_nodes; step++) {
        uint32_t count = find_ready(m, windows, done, step, ready);
        found = count > 0;
        if (!found)
            break;
        order[step] = ready[draft_below(state, count)];
        done[order[step]] = true;
    }
    hw_window_search_free(windows);
    free(done);
    free(ready);
    return found;
}
