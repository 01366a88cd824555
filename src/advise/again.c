/*
 * A node that runs again.  See again.h.
 *
 * The order of nodes in the new source, and in the new order, comes from keys:
 * a node that stays has 2 * place + 1; the copy, and what views come along,
 * stand right before the first late user, 2 * its place.
 */
#include "advise/again.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/edit.h"

void hw_again_clear(hw_again *a)
{
    hw_graph_free(a->graph);
    free(a->node_origin);
    free(a->tensor_origin);
    free(a->node_copied);
    free(a->tensor_copied);
    free(a->order);
    memset(a, 0, sizeof *a);
}

static hw_code make_room(hw_again *a, size_t nodes, size_t tensors, hw_error *err)
{
    a->node_origin = HW_NEW(uint32_t, nodes);
    a->tensor_origin = HW_NEW(uint32_t, tensors);
    a->node_copied = HW_NEW0(bool, nodes);
    a->tensor_copied = HW_NEW0(bool, tensors);
    a->order = HW_NEW(uint32_t, nodes);
    if (!a->node_origin || !a->tensor_origin || !a->node_copied || !a->tensor_copied || !a->order)
        return hw_fail_memory(err, "a graph with nodes that run again");
    return HW_OK;
}

hw_code hw_again_first(const hw_graph *g, const uint32_t *order, hw_again *out, hw_error *err)
{
    memset(out, 0, sizeof *out);
    hw_code code = make_room(out, g->n_nodes, g->n_tensors, err);
    if (code == HW_OK)
        code = hw_graph_strip(g, false, false, &out->graph, err);
    if (code != HW_OK)
        return code;
    for (uint32_t v = 0; v < g->n_nodes; v++)
        out->node_origin[v] = v;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        out->tensor_origin[t] = t;
    memcpy(out->order, order, g->n_nodes * sizeof *order);
    return HW_OK;
}

enum { EARLY = 1, LATE = 2, BOTH = 3 };

/* What becomes of a node; a view that MOVES reads what the copy makes. */
typedef enum fate { STAYS = 0, MOVES, TWICE } fate;

typedef struct split {
    const hw_again *from;
    const hw_graph *g;
    uint32_t v;
    const bool *late;
    uint32_t *place; /* of every node in from->order */
    uint8_t *wanted; /* by tensor of v's storages: EARLY, LATE */
    uint8_t *fate;   /* by node */
    uint32_t *twin;  /* by node: its copy in the edit; HW_NONE: none */
    uint32_t *copy;  /* by tensor: what late users read instead */
    bool *guards;    /* by node: has a control edge to another */
    bool possible;
    hw_edit e;
    uint32_t *seat; /* by node of the edit: its new place */
} split;

/* Is t, or what it is a view of, made by v? */
static bool of_v(const split *s, uint32_t t)
{
    const hw_graph *g = s->g;
    return g->tensor_producer[g->storage_root[g->tensor_storage[t]]] == s->v;
}

static bool is_view_of_v(const split *s, uint32_t w)
{
    uint32_t first = s->g->inputs.offset[w];
    return (s->g->node_flags[w] & HW_NODE_VIEW) && first < s->g->inputs.offset[w + 1] &&
           of_v(s, s->g->inputs.item[first]);
}

/* Who wants each result of v, and so what becomes of the views; from the last step backwards. */
static void find_fates(split *s)
{
    const hw_graph *g = s->g;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        s->wanted[t] = g->tensor_kind[t] == HW_OUTPUT && of_v(s, t) ? LATE : 0;
    for (uint32_t i = 0; i < g->n_control; i++)
        s->guards[g->control[i].from] = true;
    for (uint32_t i = g->n_nodes; i-- > 0;) {
        uint32_t w = s->from->order[i];
        uint8_t wants = 0;
        if (is_view_of_v(s, w)) {
            for (uint32_t k = g->outputs.offset[w]; k < g->outputs.offset[w + 1]; k++)
                wants |= s->wanted[g->outputs.item[k]];
            wants = wants ? wants : s->late[w] ? LATE : EARLY;
            s->fate[w] = wants == BOTH ? TWICE : wants == LATE ? MOVES : STAYS;
            if (wants == BOTH && (s->guards[w] || (g->node_flags[w] & HW_NODE_LOCKED)))
                s->possible = false;
        } else {
            wants = s->late[w] ? LATE : EARLY;
        }
        for (uint32_t k = g->inputs.offset[w]; k < g->inputs.offset[w + 1]; k++)
            if (of_v(s, g->inputs.item[k]))
                s->wanted[g->inputs.item[k]] |= wants;
    }
    s->fate[s->v] = TWICE;
}

static hw_code add_twin(split *s, uint32_t w, hw_error *err)
{
    hw_edit *e = &s->e;
    const hw_graph *g = s->g;
    uint32_t n_out = g->outputs.offset[w + 1] - g->outputs.offset[w];
    if (e->n_nodes >= HW_NONE - 1 || e->n_tensors >= HW_NONE - n_out)
        return hw_fail(err, HW_BAD_INPUT, "the graph has too many nodes or tensors for a copy");
    if (!hw_grow((void **)&e->node, &e->node_room, e->n_nodes + 1, sizeof *e->node) ||
        !hw_grow((void **)&e->tensor, &e->tensor_room, e->n_tensors + n_out, sizeof *e->tensor))
        return hw_fail_memory(err, "a node that runs again");
    s->twin[w] = (uint32_t)e->n_nodes;
    e->node[e->n_nodes] = e->node[w];
    e->node[e->n_nodes++].window = HW_NONE;
    for (uint32_t k = g->outputs.offset[w]; k < g->outputs.offset[w + 1]; k++) {
        uint32_t t = g->outputs.item[k];
        s->copy[t] = (uint32_t)e->n_tensors;
        e->tensor[e->n_tensors] = e->tensor[t];
        e->tensor[e->n_tensors++].maker = s->twin[w];
        if (e->tensor[t].kind == HW_OUTPUT)
            e->tensor[t].kind = HW_ACTIVATION;
    }
    return HW_OK;
}

static hw_code add_twins(split *s, hw_error *err)
{
    const hw_graph *g = s->g;
    hw_code code = HW_OK;
    for (uint32_t w = 0; w < g->n_nodes && code == HW_OK; w++) {
        s->twin[w] = HW_NONE;
        if (s->fate[w] == TWICE)
            code = add_twin(s, w, err);
        for (uint32_t k = g->outputs.offset[w]; k < g->outputs.offset[w + 1]; k++)
            if (s->fate[w] != TWICE)
                s->copy[g->outputs.item[k]] = g->outputs.item[k];
    }
    return code;
}

/* Does w, where it stands, read what the copy makes? */
static bool turns(const split *s, uint32_t w)
{
    return s->fate[w] == MOVES || (s->fate[w] == STAYS && s->late[w] && !is_view_of_v(s, w));
}

static uint32_t seen_late(const split *s, uint32_t t)
{
    return of_v(s, t) ? s->copy[t] : t;
}

/* Reads, pairs and control edges of the copies; late users turn to what these make. */
static hw_code join(split *s, hw_error *err)
{
    hw_edit *e = &s->e;
    const size_t reads = e->n_reads, pairs = e->n_pairs, controls = e->n_controls;
    if (!hw_grow((void **)&e->read, &e->read_room, 2 * reads + 1, sizeof *e->read) ||
        !hw_grow((void **)&e->pair, &e->pair_room, 2 * pairs + 1, sizeof *e->pair) ||
        !hw_grow((void **)&e->control, &e->control_room, 2 * controls + 1, sizeof *e->control))
        return hw_fail_memory(err, "a node that runs again");
    for (size_t i = 0; i < reads; i++) {
        hw_edit_read *r = &e->read[i];
        uint32_t turned = seen_late(s, r->tensor);
        if (s->twin[r->node] != HW_NONE)
            e->read[e->n_reads++] = (hw_edit_read){.node = s->twin[r->node], .tensor = turned};
        else if (turns(s, r->node))
            r->tensor = turned;
    }
    for (size_t i = 0; i < pairs; i++) {
        hw_edit_pair *p = &e->pair[i];
        uint32_t turned = seen_late(s, p->input);
        if (s->twin[p->node] != HW_NONE)
            e->pair[e->n_pairs++] = (hw_edit_pair){
                .node = s->twin[p->node], .input = turned, .output = s->copy[p->output]};
        else if (turns(s, p->node))
            p->input = turned;
    }
    for (size_t i = 0; i < controls; i++)
        if (s->twin[e->control[i].to] != HW_NONE)
            e->control[e->n_controls++] =
                (hw_edit_control){.from = e->control[i].from, .to = s->twin[e->control[i].to]};
    return HW_OK;
}

/* ---- Where the nodes stand. ---- */

/* May a view that turns to the copy be put elsewhere? */
static bool is_loose(const split *s, uint32_t w)
{
    return s->fate[w] == MOVES && !(s->g->node_flags[w] & HW_NODE_LOCKED) && !s->guards[w] &&
           (!s->g->node_window || s->g->node_window[w] == HW_NONE);
}

/* A node of the edit and where it goes. */
typedef struct seating {
    uint64_t key;
    uint32_t tie, node;
} seating;

static int by_seat(const void *a, const void *b)
{
    const seating *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

/* The nodes of the edit in order, after rank[] of the graph's nodes (NULL: source positions). */
static void arrange(const split *s, const uint32_t *rank, seating *out)
{
    const uint32_t n = s->g->n_nodes;
    uint64_t first = n;
    for (uint32_t w = 0; w < n; w++) {
        uint32_t at = rank ? rank[w] : w;
        if (turns(s, w) && !is_loose(s, w) && at < first)
            first = at;
    }
    for (uint32_t w = 0; w < n; w++) {
        uint64_t at = rank ? rank[w] : w;
        bool comes_along = is_loose(s, w) && at < first;
        out[w] = (seating){comes_along ? 2 * first : 2 * at + 1, s->place[w] + 1, w};
        if (s->twin[w] == HW_NONE)
            continue;
        seating *twin = &out[s->twin[w]];
        *twin = (seating){2 * first, 0, s->twin[w]};
        if (w != s->v) {
            twin->tie = s->place[w] + 1;
            twin->key = at < first ? 2 * first : 2 * at + 2;
        }
    }
    qsort(out, s->e.n_nodes, sizeof *out, by_seat);
}

/* Number the nodes of the edit anew: node v takes seat[v]. */
static hw_code renumber(split *s, hw_error *err)
{
    hw_edit *e = &s->e;
    hw_edit_node *node = HW_NEW(hw_edit_node, e->n_nodes + 1);
    if (!node)
        return hw_fail_memory(err, "a node that runs again");
    for (size_t w = 0; w < e->n_nodes; w++)
        node[s->seat[w]] = e->node[w];
    free(e->node);
    e->node = node;
    e->node_room = e->n_nodes + 1;
    for (size_t t = 0; t < e->n_tensors; t++)
        if (e->tensor[t].maker != HW_NONE)
            e->tensor[t].maker = s->seat[e->tensor[t].maker];
    for (size_t i = 0; i < e->n_reads; i++)
        e->read[i].node = s->seat[e->read[i].node];
    for (size_t i = 0; i < e->n_pairs; i++)
        e->pair[i].node = s->seat[e->pair[i].node];
    for (size_t i = 0; i < e->n_controls; i++) {
        e->control[i].from = s->seat[e->control[i].from];
        e->control[i].to = s->seat[e->control[i].to];
    }
    return HW_OK;
}

/* Seats in the source and in the order; what the new nodes and tensors are. */
static hw_code settle(split *s, hw_again *out, hw_error *err)
{
    const hw_again *from = s->from;
    const size_t n = s->e.n_nodes;
    seating *sorted = HW_NEW(seating, n);
    s->seat = HW_NEW(uint32_t, n);
    hw_code code = sorted && s->seat ? make_room(out, n, s->e.n_tensors, err)
                                     : hw_fail_memory(err, "a node that runs again");
    if (code == HW_OK) {
        arrange(s, NULL, sorted);
        for (uint32_t i = 0; i < n; i++)
            s->seat[sorted[i].node] = i;
        arrange(s, s->place, sorted);
        for (uint32_t i = 0; i < n; i++)
            out->order[i] = s->seat[sorted[i].node];
        for (uint32_t w = 0; w < n; w++) {
            uint32_t old = s->e.node[w].origin, seat = s->seat[w];
            out->node_origin[seat] = from->node_origin[old];
            out->node_copied[seat] = w >= s->g->n_nodes || from->node_copied[old];
        }
        for (size_t t = 0; t < s->e.n_tensors; t++) {
            uint32_t old = s->e.tensor[t].origin;
            out->tensor_origin[t] = from->tensor_origin[old];
            out->tensor_copied[t] = t >= s->g->n_tensors || from->tensor_copied[old];
        }
        code = renumber(s, err);
    }
    free(sorted);
    return code;
}

/* ---- The whole. ---- */

static hw_code split_open(split *s, hw_error *err)
{
    const hw_graph *g = s->g;
    s->place = HW_NEW(uint32_t, g->n_nodes);
    s->wanted = HW_NEW0(uint8_t, g->n_tensors);
    s->fate = HW_NEW0(uint8_t, g->n_nodes);
    s->twin = HW_NEW(uint32_t, g->n_nodes);
    s->copy = HW_NEW(uint32_t, g->n_tensors);
    s->guards = HW_NEW0(bool, g->n_nodes);
    if (!s->place || !s->wanted || !s->fate || !s->twin || !s->copy || !s->guards)
        return hw_fail_memory(err, "a node that runs again");
    hw_order_positions(s->from->order, g->n_nodes, s->place);
    return hw_edit_open(&s->e, g, err);
}

static void split_close(split *s)
{
    free(s->place);
    free(s->wanted);
    free(s->fate);
    free(s->twin);
    free(s->copy);
    free(s->guards);
    free(s->seat);
    hw_edit_clear(&s->e);
}

static hw_code build(split *s, const hw_users *users, hw_again *out, hw_error *err)
{
    hw_code code = add_twins(s, err);
    if (code == HW_OK)
        code = join(s, err);
    if (code == HW_OK)
        code = settle(s, out, err);
    if (code == HW_OK)
        code = hw_edit_graph(&s->e, s->g->name, &out->graph, err);
    out->n_copies = s->from->n_copies + 1;
    out->bytes = s->from->bytes + users->bytes[s->v];
    return code;
}

hw_code hw_again_split(const hw_again *from, const hw_users *users, uint32_t v, const bool *late,
                       hw_again *out, bool *possible, hw_error *err)
{
    hw_error refused;
    split s = {.from = from, .g = from->graph, .v = v, .late = late, .possible = true};
    memset(out, 0, sizeof *out);
    hw_code code = split_open(&s, err);
    if (code == HW_OK) {
        find_fates(&s);
        if (s.possible) {
            code = build(&s, users, out, &refused);
            if (code == HW_BAD_INPUT) { /* a cycle, or sums that overflow: cannot be */
                code = HW_OK;
                s.possible = false;
            } else if (code != HW_OK && err) {
                *err = refused;
            }
        }
    }
    *possible = code == HW_OK && s.possible;
    if (!*possible)
        hw_again_clear(out);
    split_close(&s);
    return code;
}
