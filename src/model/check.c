/*
 * The independent checker.  See check.h.
 *
 * It reads what the file says (sizes, kinds, inputs, outputs, flags,
 * workspace, windows, pairs, control edges) and goes by the definitions:
 * storages by following views to their root, lifetimes by the positions of
 * producers and consumers.  Nothing here comes from the edges and storages of
 * the builder, or from model.h, sim.h, windows.h and matching.h.
 */
#include "model/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/assignment.h"

typedef struct checker {
    const hw_graph *g;
    bool free_first, pin_inputs;
    const uint32_t *order;
    uint32_t n;
    uint32_t *position;                 /* of every node                                       */
    uint32_t *root;                     /* of every tensor: the tensor whose buffer it shares  */
    uint32_t *last;                     /* of every root: step of its last consumer, or HW_NONE */
    bool *stays;                        /* of every root: it is not freed in the run           */
    uint64_t *created, *dropped, *dead; /* bytes by step */
    hw_check *out;
    hw_error *err;
} checker;

/* ---- Is the order a permutation, and what does it violate first? ---- */

static void blame(hw_check *out, hw_verdict verdict, uint32_t step, uint32_t node, uint32_t other)
{
    if (out->verdict != HW_ORDER_LEGAL && out->step <= (int64_t)step)
        return;
    out->verdict = verdict;
    out->step = step;
    out->node = node;
    out->other = other;
}

static bool is_permutation(checker *c, uint64_t length)
{
    if (length != c->n) {
        c->out->verdict = HW_ORDER_WRONG_LENGTH;
        return false;
    }
    for (uint32_t v = 0; v < c->n; v++)
        c->position[v] = HW_NONE;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->order[i];
        if (v >= c->n) {
            blame(c->out, HW_ORDER_UNKNOWN_NODE, i, v, HW_NONE);
            return false;
        }
        if (c->position[v] != HW_NONE) {
            blame(c->out, HW_ORDER_REPEATED_NODE, i, v, HW_NONE);
            return false;
        }
        c->position[v] = i;
    }
    return true;
}

static void check_edges(checker *c)
{
    const hw_graph *g = c->g;
    for (uint32_t v = 0; v < c->n; v++)
        for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
            uint32_t t = g->inputs.item[i], p = g->tensor_producer[t];
            if (p != HW_NONE && c->position[p] >= c->position[v])
                blame(c->out, HW_ORDER_DATA_EDGE, c->position[v], v, t);
        }
    for (uint32_t i = 0; i < g->n_control; i++) {
        uint32_t from = g->control[i].from, to = g->control[i].to;
        if (c->position[from] >= c->position[to])
            blame(c->out, HW_ORDER_CONTROL_EDGE, c->position[to], to, from);
    }
    uint32_t locked = HW_NONE; /* the last one before v in the source */
    for (uint32_t v = 0; v < c->n; v++) {
        if (!(g->node_flags[v] & HW_NODE_LOCKED))
            continue;
        if (locked != HW_NONE && c->position[v] < c->position[locked])
            blame(c->out, HW_ORDER_LOCK, c->position[v], v, locked);
        locked = v;
    }
    for (uint32_t v = 0; g->node_window && v < c->n; v++) {
        uint32_t moved = c->position[v] > v ? c->position[v] - v : v - c->position[v];
        if (g->node_window[v] != HW_NONE && moved > g->node_window[v])
            blame(c->out, HW_ORDER_WINDOW, c->position[v], v, HW_NONE);
    }
}

/* ---- Storages and how long they live. ---- */

/* The tensor that t is a view of, or t itself. */
static uint32_t viewed(const hw_graph *g, uint32_t t)
{
    uint32_t p = g->tensor_producer[t];
    if (p == HW_NONE || !(g->node_flags[p] & HW_NODE_VIEW))
        return t;
    return g->inputs.item[g->inputs.offset[p]];
}

static void find_roots(checker *c)
{
    const hw_graph *g = c->g;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        c->root[t] = viewed(g, t);
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint32_t end = t;
        while (c->root[end] != end)
            end = c->root[end];
        for (uint32_t at = t; at != end;) { /* shorten the chain for those to come */
            uint32_t next = c->root[at];
            c->root[at] = end;
            at = next;
        }
    }
}

static void find_lifetimes(checker *c)
{
    const hw_graph *g = c->g;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        bool kept = g->tensor_kind[t] == HW_OUTPUT || g->tensor_kind[t] == HW_CONSTANT ||
                    (g->tensor_kind[t] == HW_INPUT && c->pin_inputs);
        c->last[t] = HW_NONE;
        if (kept)
            c->stays[c->root[t]] = true;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t v = c->order[i];
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
            c->last[c->root[g->inputs.item[k]]] = i;
    }
}

/* A must-in-place input is dead when its node runs: nobody reads it later. */
static void check_required(checker *c)
{
    const hw_graph *g = c->g;
    for (uint32_t v = 0; g->inplace_offset && v < c->n; v++) {
        if (!(g->node_flags[v] & HW_NODE_INPLACE_REQUIRED))
            continue;
        uint32_t step = c->position[v];
        for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
            uint32_t r = c->root[g->inplace_pair[i].input];
            if (c->stays[r])
                blame(c->out, HW_ORDER_INPLACE, step, v, HW_NONE);
            else if (c->last[r] > step)
                blame(c->out, HW_ORDER_INPLACE, step, v, c->order[c->last[r]]);
        }
    }
}

/* ---- The peak. ---- */

static hw_code too_large(checker *c)
{
    return hw_fail(c->err, HW_INTERNAL,
                   "memory usage exceeds 2^64-1 bytes in the checker, though the graph was "
                   "accepted: please report this graph");
}

/* What the steps create and free, and what lives before the first. */
static bool lay_bytes(checker *c, uint64_t *live)
{
    const hw_graph *g = c->g;
    bool fits = true;
    *live = 0;
    for (uint32_t t = 0; t < g->n_tensors; t++) {
        uint64_t size = g->tensor_size[t];
        if (g->tensor_kind[t] == HW_CONSTANT)
            fits = fits && hw_add_u64(c->out->resident_bytes, size, &c->out->resident_bytes);
        if (c->root[t] != t || g->tensor_kind[t] == HW_CONSTANT)
            continue;
        bool wanted = c->stays[t] || c->last[t] != HW_NONE;
        if (g->tensor_kind[t] == HW_INPUT) {
            if (wanted)
                fits = fits && hw_add_u64(*live, size, live);
        } else {
            uint32_t step = c->position[g->tensor_producer[t]];
            fits = fits && hw_add_u64(c->created[step], size, &c->created[step]);
            if (!wanted)
                fits = fits && hw_add_u64(c->dead[step], size, &c->dead[step]);
        }
        if (wanted && !c->stays[t])
            fits = fits && hw_add_u64(c->dropped[c->last[t]], size, &c->dropped[c->last[t]]);
    }
    return fits;
}

/* The most that the in-place pairs of the node at `step` save. */
static bool find_reuse(checker *c, uint32_t step, hw_assignment_edge *edges, uint64_t *saved)
{
    const hw_graph *g = c->g;
    uint32_t v = c->order[step];
    size_t n = 0;
    for (uint32_t i = g->inplace_offset[v]; i < g->inplace_offset[v + 1]; i++) {
        uint32_t r = c->root[g->inplace_pair[i].input], o = g->inplace_pair[i].output;
        uint64_t old = g->tensor_size[r], fresh = g->tensor_size[o];
        if (!c->stays[r] && c->last[r] == step)
            edges[n++] = (hw_assignment_edge){r, o, old < fresh ? old : fresh};
    }
    return hw_assignment_best(edges, n, saved);
}

static hw_code run(checker *c, uint64_t live, hw_assignment_edge *edges)
{
    const hw_graph *g = c->g;
    c->out->peak = live;
    c->out->peak_step = -1;
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t with_new, usage, saved = 0, workspace = hw_node_workspace(g, c->order[i]);
        if (!hw_add_u64(live, c->created[i], &with_new))
            return too_large(c);
        live = with_new - c->dropped[i] - c->dead[i];
        if (c->free_first) {
            usage = live + c->dead[i]; /* at most with_new */
        } else {
            if (edges && !find_reuse(c, i, edges, &saved))
                return hw_fail_memory(c->err, "checking in-place choices");
            usage = with_new - saved;
        }
        if (!hw_add_u64(usage, workspace, &usage))
            return too_large(c);
        if (usage > c->out->peak) {
            c->out->peak = usage;
            c->out->peak_step = i;
        }
    }
    return HW_OK;
}

static hw_code find_peak(checker *c)
{
    const hw_graph *g = c->g;
    hw_assignment_edge *edges = NULL;
    uint32_t most = 0;
    for (uint32_t v = 0; g->inplace_offset && v < c->n; v++)
        if (g->inplace_offset[v + 1] - g->inplace_offset[v] > most)
            most = g->inplace_offset[v + 1] - g->inplace_offset[v];
    if (most && !(edges = HW_NEW(hw_assignment_edge, most)))
        return hw_fail_memory(c->err, "checking in-place choices");
    uint64_t live;
    hw_code code = lay_bytes(c, &live) ? run(c, live, edges) : too_large(c);
    free(edges);
    return code;
}

hw_code hw_check_order(const hw_graph *g, bool free_first, bool pin_inputs, const uint32_t *order,
                       uint64_t length, hw_check *out, hw_error *err)
{
    *out = (hw_check){.step = -1, .node = HW_NONE, .other = HW_NONE, .peak_step = -1};
    checker c = {
        .g = g,
        .free_first = free_first,
        .pin_inputs = pin_inputs,
        .order = order,
        .n = g->n_nodes,
        .position = HW_NEW(uint32_t, g->n_nodes),
        .root = HW_NEW(uint32_t, g->n_tensors),
        .last = HW_NEW(uint32_t, g->n_tensors),
        .stays = HW_NEW0(bool, g->n_tensors),
        .created = HW_NEW0(uint64_t, g->n_nodes),
        .dropped = HW_NEW0(uint64_t, g->n_nodes),
        .dead = HW_NEW0(uint64_t, g->n_nodes),
        .out = out,
        .err = err,
    };
    hw_code code = HW_OK;
    if (!c.position || !c.root || !c.last || !c.stays || !c.created || !c.dropped || !c.dead) {
        code = hw_fail_memory(err, "checking an order");
    } else if (is_permutation(&c, length)) {
        check_edges(&c);
        find_roots(&c);
        find_lifetimes(&c);
        check_required(&c);
        if (out->verdict == HW_ORDER_LEGAL)
            code = find_peak(&c);
    }
    free(c.position);
    free(c.root);
    free(c.last);
    free(c.stays);
    free(c.created);
    free(c.dropped);
    free(c.dead);
    return code;
}

/* ---- In words. ---- */

void hw_check_message(const hw_graph *g, const hw_check *c, char *text, size_t size)
{
    uint32_t id = c->node < g->n_nodes ? hw_node_id(g, c->node) : c->node;
    bool other_node = c->other < g->n_nodes && c->verdict != HW_ORDER_DATA_EDGE;
    uint32_t other = other_node ? hw_node_id(g, c->other) : c->other;
    switch (c->verdict) {
    case HW_ORDER_LEGAL:
        (void)snprintf(text, size, "the order is legal, its peak is %" PRIu64 " bytes", c->peak);
        return;
    case HW_ORDER_WRONG_LENGTH:
        (void)snprintf(text, size, "the order does not name each of the %" PRIu32 " nodes once",
                       g->n_nodes);
        return;
    case HW_ORDER_UNKNOWN_NODE:
        (void)snprintf(text, size,
                       "step %" PRId64 " names node index %" PRIu32 ", but the graph has %" PRIu32
                       " nodes",
                       c->step, id, g->n_nodes);
        return;
    case HW_ORDER_REPEATED_NODE:
        (void)snprintf(text, size, "node %" PRIu32 " runs a second time at step %" PRId64, id,
                       c->step);
        return;
    case HW_ORDER_DATA_EDGE:
        (void)snprintf(text, size,
                       "node %" PRIu32 " runs at step %" PRId64 " before node %" PRIu32
                       ", which makes its input tensor %" PRIu32,
                       id, c->step, hw_node_id(g, g->tensor_producer[c->other]),
                       hw_tensor_id(g, c->other));
        return;
    case HW_ORDER_CONTROL_EDGE:
        (void)snprintf(text, size,
                       "node %" PRIu32 " runs at step %" PRId64 " before node %" PRIu32
                       ", against a control edge",
                       id, c->step, other);
        return;
    case HW_ORDER_LOCK:
        (void)snprintf(text, size,
                       "locked node %" PRIu32 " runs at step %" PRId64
                       " before locked node %" PRIu32 ", which precedes it in the source",
                       id, c->step, other);
        return;
    case HW_ORDER_WINDOW:
        (void)snprintf(text, size,
                       "node %" PRIu32 " runs at step %" PRId64 ", but its window is %" PRIu32
                       " around its source position %" PRIu32,
                       id, c->step, g->node_window[c->node], c->node);
        return;
    case HW_ORDER_INPLACE:
        if (!other_node)
            (void)snprintf(text, size,
                           "node %" PRIu32 " at step %" PRId64
                           " must overwrite an input whose storage stays to the end",
                           id, c->step);
        else
            (void)snprintf(text, size,
                           "node %" PRIu32 " must overwrite an input at step %" PRId64
                           ", but node %" PRIu32 " still reads it afterwards",
                           id, c->step, other);
        return;
    }
    (void)snprintf(text, size, "the order has an unknown fault");
}
