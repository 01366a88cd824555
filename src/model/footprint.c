/*
 * The footprints of all nodes at once.  See footprint.h.
 *
 * The interval of a buffer is found from both ends, which meet in the middle of
 * a topological order: in random graphs either cone alone is much larger than
 * what lies in both.  Depths from sources and sinks hold the cones to nodes
 * between maker and users; in a layered graph with edges from layer to layer
 * nothing is left but the users themselves.
 */
#include "model/footprint.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* What a walk has found out about a node: `turn` less the walk's number. */
enum { AFTER_MAKER = 0, BEFORE_USER, BETWEEN, MARKS };

struct hw_footprint {
    const hw_model *m;
    uint64_t *held;         /* of every node, without regard to reuse           */
    uint64_t *lasting;      /* what the node leaves for ever                    */
    uint32_t *place;        /* in a topological order                           */
    uint32_t *depth[2];     /* nodes on a longest path from a source, to a sink */
    uint32_t *turn;         /* of a node: its mark in the walk that met it last */
    uint32_t *list, *spare; /* nodes waiting                                    */
    uint32_t walk;          /* number of the walk, in steps of MARKS            */
    uint64_t next;          /* buffers first, then nodes: the first not walked  */
    uint64_t steps;         /* edges looked at                                  */
};

void hw_footprint_free(hw_footprint *f)
{
    if (!f)
        return;
    free(f->held);
    free(f->lasting);
    free(f->place);
    free(f->depth[0]);
    free(f->depth[1]);
    free(f->turn);
    free(f->list);
    free(f->spare);
    free(f);
}

static void find_depths(hw_footprint *f, const uint32_t *order)
{
    uint32_t n = f->m->n_nodes;
    for (int side = 0; side < 2; side++) {
        const hw_rows *from = side ? &f->m->graph->succs : &f->m->graph->preds;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t v = order[side ? n - 1 - i : i], depth = 1;
            for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++)
                if (f->depth[side][from->item[k]] >= depth)
                    depth = f->depth[side][from->item[k]] + 1;
            f->depth[side][v] = depth;
        }
    }
}

/* What counts wherever v runs, and what v leaves for ever. */
static void lay_constant_parts(hw_footprint *f)
{
    const hw_model *m = f->m;
    uint64_t pinned = m->live_empty;
    for (uint32_t v = 0; v < m->n_nodes; v++)
        f->lasting[v] = m->new_bytes[v] - m->dead_bytes[v];
    for (uint32_t b = 0; b < m->n_buffers; b++)
        if (m->buffer_maker[b] == HW_NONE)
            pinned -= m->buffer_size[b];
        else
            f->lasting[m->buffer_maker[b]] -= m->buffer_size[b];
    for (uint32_t v = 0; v < m->n_nodes; v++)
        f->held[v] = pinned + hw_workspace(m, v) + m->new_bytes[v];
}

hw_footprint *hw_footprint_new(const hw_model *m)
{
    hw_footprint *f = HW_NEW0(hw_footprint, 1);
    if (!f)
        return NULL;
    f->m = m;
    f->walk = 1;
    f->held = HW_NEW(uint64_t, m->n_nodes);
    f->lasting = HW_NEW(uint64_t, m->n_nodes);
    f->place = HW_NEW(uint32_t, m->n_nodes);
    f->depth[0] = HW_NEW(uint32_t, m->n_nodes);
    f->depth[1] = HW_NEW(uint32_t, m->n_nodes);
    f->turn = HW_NEW0(uint32_t, m->n_nodes);
    f->list = HW_NEW(uint32_t, m->n_nodes);
    f->spare = HW_NEW(uint32_t, m->n_nodes);
    if (!f->held || !f->lasting || !f->place || !f->depth[0] || !f->depth[1] || !f->turn ||
        !f->list || !f->spare || hw_graph_level_order(m->graph, f->list, NULL) != HW_OK) {
        hw_footprint_free(f);
        return NULL;
    }
    hw_order_positions(f->list, m->n_nodes, f->place);
    find_depths(f, f->list);
    lay_constant_parts(f);
    return f;
}

static bool marked(const hw_footprint *f, uint32_t v, uint32_t mark)
{
    return f->turn[v] == f->walk + mark;
}

/* The users of one buffer, and between what its interval lies. */
typedef struct span {
    const uint32_t *user;
    uint32_t n_users, maker;
    uint32_t half;       /* places up to here are looked for from the maker on */
    uint32_t most_depth; /* of a user, from a source                           */
    uint32_t least_rest; /* of a user, to a sink                               */
} span;

static span lay_span(const hw_footprint *f, uint32_t b)
{
    const hw_model *m = f->m;
    span s = {.user = m->users.item + m->users.offset[b],
              .n_users = m->users.offset[b + 1] - m->users.offset[b],
              .maker = m->buffer_maker[b],
              .least_rest = UINT32_MAX};
    uint32_t last = 0;
    for (uint32_t i = 0; i < s.n_users; i++) {
        uint32_t u = s.user[i];
        last = f->place[u] > last ? f->place[u] : last;
        s.most_depth = f->depth[0][u] > s.most_depth ? f->depth[0][u] : s.most_depth;
        s.least_rest = f->depth[1][u] < s.least_rest ? f->depth[1][u] : s.least_rest;
    }
    if (s.maker != HW_NONE)
        s.half = f->place[s.maker] + (last - f->place[s.maker]) / 2;
    return s;
}

/* Is v on the users' side of the middle, and can it come after the maker? */
static bool late(const hw_footprint *f, const span *s, uint32_t v)
{
    return s->maker == HW_NONE ||
           (f->place[v] > s->half && f->depth[0][v] > f->depth[0][s->maker] &&
            f->depth[1][v] < f->depth[1][s->maker]);
}

static bool early(const hw_footprint *f, const span *s, uint32_t v)
{
    return f->place[v] <= s->half && f->depth[0][v] <= s->most_depth &&
           f->depth[1][v] >= s->least_rest;
}

/* Meet the users and their ancestors, as far as they are late; lists them. */
static uint32_t walk_back(hw_footprint *f, const span *s)
{
    const hw_rows *preds = &f->m->graph->preds;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n_users; i++)
        if (late(f, s, s->user[i])) {
            f->turn[s->user[i]] = f->walk + BEFORE_USER;
            f->list[n++] = s->user[i];
        }
    for (uint32_t at = 0; at < n; at++) {
        uint32_t v = f->list[at];
        f->steps += 1 + preds->offset[v + 1] - preds->offset[v];
        for (uint32_t k = preds->offset[v]; k < preds->offset[v + 1]; k++) {
            uint32_t u = preds->item[k];
            if (marked(f, u, BEFORE_USER) || !late(f, s, u))
                continue;
            f->turn[u] = f->walk + BEFORE_USER;
            f->list[n++] = u;
        }
    }
    return n;
}

static void count(hw_footprint *f, uint32_t v, uint64_t bytes)
{
    f->turn[v] = f->walk + BETWEEN;
    f->held[v] += bytes;
}

/* Count v and what it leads or is led to by `rows` among the nodes of a mark. */
static void count_along(hw_footprint *f, uint32_t v, const hw_rows *rows, uint32_t mark,
                        uint64_t bytes)
{
    uint32_t waiting = 0;
    count(f, v, bytes);
    for (;; v = f->spare[--waiting]) {
        f->steps += 1 + rows->offset[v + 1] - rows->offset[v];
        for (uint32_t k = rows->offset[v]; k < rows->offset[v + 1]; k++)
            if (marked(f, rows->item[k], mark)) {
                count(f, rows->item[k], bytes);
                f->spare[waiting++] = rows->item[k];
            }
        if (waiting == 0)
            return;
    }
}

/* After walk_back(): meet what comes after the maker and is early; count what lies between. */
static void join(hw_footprint *f, const span *s, uint64_t bytes)
{
    const hw_graph *g = f->m->graph;
    uint32_t n = 0, at = 0;
    for (uint32_t v = s->maker;; v = f->list[at++]) {
        bool meets = false;
        f->steps += 1 + g->succs.offset[v + 1] - g->succs.offset[v];
        for (uint32_t k = g->succs.offset[v]; k < g->succs.offset[v + 1]; k++) {
            uint32_t w = g->succs.item[k];
            if (marked(f, w, BEFORE_USER))
                count_along(f, w, &g->succs, BEFORE_USER, bytes);
            meets = meets || marked(f, w, BETWEEN);
            if (f->turn[w] >= f->walk || !early(f, s, w))
                continue;
            f->turn[w] = f->walk + AFTER_MAKER;
            f->list[n++] = w;
        }
        if (meets && v != s->maker && marked(f, v, AFTER_MAKER))
            count_along(f, v, &g->preds, AFTER_MAKER, bytes);
        if (at == n)
            break;
    }
    for (uint32_t i = 0; i < s->n_users; i++)
        if (marked(f, s->user[i], AFTER_MAKER))
            count_along(f, s->user[i], &g->preds, AFTER_MAKER, bytes);
}

static void walk_buffer(hw_footprint *f, uint32_t b)
{
    const hw_rows *succs = &f->m->graph->succs;
    uint64_t bytes = f->m->buffer_size[b];
    span s = lay_span(f, b);
    uint32_t n = walk_back(f, &s);
    if (s.maker != HW_NONE)
        join(f, &s, bytes);
    else
        for (uint32_t i = 0; i < n; i++)
            count(f, f->list[i], bytes);
    /* Free-first, the last user does not hold what it reads. */
    for (uint32_t i = 0; f->m->accounting == HW_FREE_FIRST && i < s.n_users; i++) {
        uint32_t k = succs->offset[s.user[i]], end = succs->offset[s.user[i] + 1];
        while (k < end && !marked(f, succs->item[k], BETWEEN))
            k++;
        if (k == end)
            f->held[s.user[i]] -= bytes;
    }
}

/* What v leaves for ever counts at all that come after it. */
static void walk_node(hw_footprint *f, uint32_t v)
{
    const hw_rows *succs = &f->m->graph->succs;
    uint32_t waiting = 0;
    for (uint32_t u = v;; u = f->list[--waiting]) {
        f->steps += 1 + succs->offset[u + 1] - succs->offset[u];
        for (uint32_t k = succs->offset[u]; k < succs->offset[u + 1]; k++)
            if (!marked(f, succs->item[k], BETWEEN)) {
                count(f, succs->item[k], f->lasting[v]);
                f->list[waiting++] = succs->item[k];
            }
        if (waiting == 0)
            return;
    }
}

bool hw_footprint_sweep(hw_footprint *f, uint64_t steps)
{
    const hw_model *m = f->m;
    uint64_t all = (uint64_t)m->n_buffers + m->n_nodes;
    uint64_t end = steps < UINT64_MAX - f->steps ? f->steps + steps : UINT64_MAX;
    for (; f->next < all && f->steps < end; f->next++) {
        if (f->walk > UINT32_MAX - 2 * MARKS) { /* start the marks anew */
            memset(f->turn, 0, m->n_nodes * sizeof *f->turn);
            f->walk = 1;
        }
        if (f->next < m->n_buffers)
            walk_buffer(f, (uint32_t)f->next);
        else if (f->lasting[f->next - m->n_buffers])
            walk_node(f, (uint32_t)(f->next - m->n_buffers));
        f->walk += MARKS;
    }
    return f->next == all;
}

uint64_t hw_footprint_held(const hw_footprint *f, uint32_t v)
{
    const hw_model *m = f->m;
    return m->reuse_most ? f->held[v] - m->reuse_most[v] : f->held[v];
}
