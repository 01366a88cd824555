/* Planted identical branches.  See support_twins.h. */
#include "support_twins.h"

#include <stdlib.h>
#include <string.h>

static size_t tensor_index(const draft *d, uint64_t id)
{
    size_t t = 0;
    while (d->tensor[t].id != id)
        t++;
    return t;
}

static size_t node_index(const draft *d, uint64_t id)
{
    size_t v = 0;
    while (d->node[v].id != id)
        v++;
    return v;
}

/* Make the copies of all chosen nodes, at the end; copy[t]: id of a tensor's copy. */
static bool copy_nodes(draft *d, const bool *chosen, uint64_t *copy, uint64_t *node_copy)
{
    size_t n = d->n_nodes;
    for (size_t v = 0; v < n; v++) {
        if (!chosen[v])
            continue;
        if (d->n_nodes == DRAFT_NODES || d->n_tensors + DRAFT_OUTPUTS > DRAFT_TENSORS)
            return false;
        draft_node *node = &d->node[d->n_nodes];
        *node = d->node[v];
        node->id = d->n_nodes;
        node_copy[v] = node->id;
        d->n_nodes++;
        for (size_t i = 0; i < node->n_outputs; i++) {
            size_t t = tensor_index(d, node->output[i]);
            draft_tensor *made = &d->tensor[d->n_tensors];
            *made = d->tensor[t];
            made->id = d->n_tensors++;
            copy[t] = node->output[i] = made->id;
        }
    }
    for (size_t v = n; v < d->n_nodes; v++) {
        draft_node *node = &d->node[v];
        for (size_t i = 0; i < node->n_inputs; i++) {
            size_t t = tensor_index(d, node->input[i]);
            node->input[i] = copy[t] == UINT64_MAX ? node->input[i] : copy[t];
        }
        for (size_t i = 0; i < 2 * node->n_pairs; i++) {
            size_t t = tensor_index(d, node->pair[i]);
            node->pair[i] = copy[t] == UINT64_MAX ? node->pair[i] : copy[t];
        }
    }
    return true;
}

/* Nodes outside the group read the copies beside the originals. */
static bool join_readers(draft *d, const bool *chosen, size_t n, const uint64_t *copy)
{
    for (size_t v = 0; v < n; v++) {
        if (chosen[v])
            continue;
        draft_node *node = &d->node[v];
        size_t inputs = node->n_inputs;
        for (size_t i = 0; i < inputs; i++) {
            size_t t = tensor_index(d, node->input[i]);
            if (copy[t] == UINT64_MAX)
                continue;
            if (node->n_inputs == DRAFT_INPUTS || (node->view && i == 0))
                return false; /* a view of two tensors there is not */
            node->input[node->n_inputs++] = copy[t];
        }
        size_t pairs = node->n_pairs;
        for (size_t i = 0; i < pairs; i++) {
            size_t t = tensor_index(d, node->pair[2 * i]);
            if (copy[t] == UINT64_MAX)
                continue;
            if (node->n_pairs == DRAFT_PAIRS || node->required)
                return false;
            node->pair[2 * node->n_pairs] = copy[t];
            node->pair[2 * node->n_pairs++ + 1] = node->pair[2 * i + 1];
        }
    }
    return true;
}

static bool copy_control(draft *d, const bool *chosen, const uint64_t *node_copy)
{
    size_t edges = d->n_control;
    for (size_t i = 0; i < edges; i++) {
        size_t from = node_index(d, d->control[2 * i]), to = node_index(d, d->control[2 * i + 1]);
        if (!chosen[from] && !chosen[to])
            continue;
        if (d->n_control == DRAFT_NODES)
            return false;
        d->control[2 * d->n_control] = chosen[from] ? node_copy[from] : d->control[2 * i];
        d->control[2 * d->n_control++ + 1] = chosen[to] ? node_copy[to] : d->control[2 * i + 1];
    }
    return true;
}

bool draft_twin(draft *d, const bool *chosen)
{
    draft *before = malloc(sizeof *before);
    uint64_t copy[DRAFT_TENSORS], node_copy[DRAFT_NODES];
    if (!before)
        abort();
    *before = *d;
    memset(copy, 0xff, sizeof copy);
    size_t n = d->n_nodes;
    hw_graph *g = NULL;
    bool good = copy_nodes(d, chosen, copy, node_copy) && join_readers(d, chosen, n, copy) &&
                copy_control(d, chosen, node_copy) && draft_build(d, &g, NULL) == HW_OK;
    hw_graph_free(g);
    if (!good)
        *d = *before;
    free(before);
    return good;
}

/* Grow a group from one node along the tensors it makes or reads. */
static size_t choose_group(const draft *d, uint64_t *state, size_t room, bool *chosen)
{
    memset(chosen, 0, DRAFT_NODES * sizeof *chosen);
    size_t count = 1, wanted = 1 + (size_t)draft_below(state, room < 4 ? room : 4);
    chosen[draft_below(state, d->n_nodes)] = true;
    for (int tries = 0; tries < 20 && count < wanted; tries++) {
        size_t v = (size_t)draft_below(state, d->n_nodes),
               u = (size_t)draft_below(state, d->n_nodes);
        bool linked = false;
        for (size_t i = 0; i < d->node[v].n_inputs; i++)
            for (size_t k = 0; k < d->node[u].n_outputs; k++)
                linked = linked || d->node[v].input[i] == d->node[u].output[k];
        if (linked && chosen[u] != chosen[v]) {
            chosen[u] = chosen[v] = true;
            count++;
        }
    }
    return count;
}

/* A small change to some node: what were twins are no longer. */
static void spoil(draft *d, uint64_t *state)
{
    draft_node *node = &d->node[draft_below(state, d->n_nodes)];
    if (node->n_outputs > 1 && draft_below(state, 2)) {
        draft_tensor *a = &d->tensor[tensor_index(d, node->output[0])];
        draft_tensor *b = &d->tensor[tensor_index(d, node->output[1])];
        uint64_t size = a->size;
        a->size = b->size;
        b->size = size;
    } else if (node->n_pairs && !node->required && draft_below(state, 2)) {
        node->n_pairs--;
    } else if (node->n_outputs && draft_below(state, 2)) {
        d->tensor[tensor_index(d, node->output[0])].size++;
    } else {
        node->workspace++;
    }
}

/* A random renaming of source positions: maps must not depend on them. */
static void shuffle(draft *d, uint64_t *state)
{
    for (size_t i = d->n_nodes; i > 1; i--) {
        size_t k = (size_t)draft_below(state, i);
        draft_node held = d->node[i - 1];
        d->node[i - 1] = d->node[k];
        d->node[k] = held;
    }
}

draft *draft_with_twins(uint64_t seed, size_t most, unsigned features)
{
    uint64_t state = seed * 7919 + 17;
    bool chosen[DRAFT_NODES];
    size_t nodes = 1 + (size_t)draft_below(&state, most / 2);
    draft *d = draft_random(
        seed, nodes, features & ~(unsigned)(DRAW_IDS | DRAW_SHUFFLED | DRAW_LOCKS | DRAW_WINDOWS));
    if (!d)
        return NULL;
    for (size_t i = 1 + draft_below(&state, 3); i > 0 && d->n_nodes < most; i--) {
        size_t count = choose_group(d, &state, most - d->n_nodes, chosen);
        for (size_t k = 1 + draft_below(&state, 3); k > 0 && d->n_nodes + count <= most; k--)
            (void)draft_twin(d, chosen);
    }
    if (draft_below(&state, 4) == 0)
        spoil(d, &state);
    if (features & DRAW_SHUFFLED)
        shuffle(d, &state);
    return d;
}
