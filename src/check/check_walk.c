/* Prefixes of a graph for highwater-check. */
#include "check/check.h"

#include <stdlib.h>
#include <string.h>

static void add_gain(walk *w, uint32_t v, uint64_t bytes)
{
    uint64_t gain = w->g->v[v].gain += bytes, kept = w->g->v[v].kept;
    put(w->falls, v, w->reverse ? gain <= kept : kept <= gain);
    put(w->frees, v, gain != 0);
}

void walk_start(walk *w, graph *g, bool free_first, bool reverse)
{
    free(w->done);
    *w = (walk){.g = g, .free_first = free_first, .reverse = reverse, .words = g->n / 64 + 1};
    w->done = check_room(4 * (size_t)w->words, sizeof *w->done);
    w->ready = w->done + w->words;
    w->falls = w->ready + w->words;
    w->frees = w->falls + w->words;
    w->live = reverse ? g->live_full : g->live_empty;
    for (uint32_t v = 0; v < g->n; v++) {
        g->v[v].waiting = reverse ? g->v[v].succ.n : g->v[v].pred.n;
        put(w->ready, v, g->v[v].waiting == 0);
        g->v[v].gain = 0;
        add_gain(w, v, 0);
    }
    for (uint32_t i = 0; i < g->n_s; i++) {
        storage *s = &g->s[i];
        w->open += s->dies;
        s->left = s->users.n;
        s->last = 0;
        for (uint32_t k = 0; k < s->users.n; k++) {
            s->last ^= s->users.at[k];
            if (s->dies && (reverse || s->users.n == 1))
                add_gain(w, s->users.at[k], s->size);
        }
    }
}

/*
 * One user of s more or less has not moved.  Forwards s is the gain of its last
 * user to come; backwards of all its users, until the first is taken off.
 */
static void use(walk *w, storage *s, uint32_t user, bool moves)
{
    uint32_t before = s->left, after = moves ? before - 1 : before + 1;
    uint32_t dead = w->reverse ? s->users.n : 0;
    s->left = after;
    if (!w->reverse && before == 1)
        add_gain(w, s->last, -s->size);
    s->last ^= user;
    if (!w->reverse && after == 1)
        add_gain(w, s->last, s->size);
    if (before != dead && after != dead)
        return;
    for (uint32_t k = 0; w->reverse && k < s->users.n; k++)
        add_gain(w, s->users.at[k], before == dead ? -s->size : s->size);
    w->live += before == dead ? s->size : -s->size;
    w->open += before == dead ? 1 : UINT32_MAX;
}

void walk_flip(walk *w, uint32_t v)
{
    node *x = &w->g->v[v];
    const list *next = w->reverse ? &x->pred : &x->succ;
    bool moves = !has(w->done, v);
    put(w->done, v, moves);
    put(w->ready, v, !moves);
    for (uint32_t k = 0; k < x->uses.n; k++)
        use(w, &w->g->s[x->uses.at[k]], v, moves);
    w->live += moves == w->reverse ? -x->kept : x->kept;
    for (uint32_t k = 0; k < next->n; k++) {
        uint32_t u = next->at[k];
        w->g->v[u].waiting += moves ? UINT32_MAX : 1;
        put(w->ready, u, w->g->v[u].waiting == 0);
    }
}

uint64_t walk_usage_plain(const walk *w, uint32_t v)
{
    const node *x = &w->g->v[v];
    uint64_t before = w->reverse ? w->live - x->kept + x->gain : w->live;
    return before + x->made + x->workspace - (w->free_first ? x->gain : 0);
}

/* The best choice among the pairs from k on: take one or leave it. */
static uint64_t best_pairs(const walk *w, const list *pairs, uint32_t k, uint32_t taken, bool ever)
{
    if (k == pairs->n)
        return 0;
    const tensor *in = &w->g->t[pairs->at[k]], *out = &w->g->t[pairs->at[k + 1]];
    const storage *s = &w->g->s[in->storage];
    uint64_t best = best_pairs(w, pairs, k + 2, taken, ever), with;
    bool good = s->dies && (ever || s->left == (w->reverse ? s->users.n : 1));
    for (uint32_t j = 0; j < k && good; j += 2)
        good = !(taken >> (j / 2) & 1) || (w->g->t[pairs->at[j]].storage != in->storage &&
                                           pairs->at[j + 1] != pairs->at[k + 1]);
    if (!good)
        return best;
    with = best_pairs(w, pairs, k + 2, taken | UINT32_C(1) << (k / 2), ever);
    with += s->size < out->size ? s->size : out->size;
    return with > best ? with : best;
}

uint64_t walk_reuse(const walk *w, uint32_t v, bool ever)
{
    const list *pairs = &w->g->v[v].pairs;
    if (w->free_first)
        return 0;
    if (pairs->n > 2 * 24)
        check_die(3, "a node has more than 24 in-place pairs");
    return best_pairs(w, pairs, 0, 0, ever);
}

uint64_t walk_usage(const walk *w, uint32_t v)
{
    return walk_usage_plain(w, v) - (w->g->v[v].pairs.n ? walk_reuse(w, v, false) : 0);
}

/* ---- The least live, by a flow. ---- */

static void arc(flow *f, uint32_t from, uint32_t to, uint64_t room)
{
    for (int side = 0; side < 2; side++) {
        f->to[f->arcs] = side ? from : to;
        f->room[f->arcs] = side ? 0 : room;
        f->next[f->arcs] = f->head[side ? to : from];
        f->head[side ? to : from] = f->arcs++;
    }
}

/* Push along one shortest path from vertex 0 to vertex 1; 0: there is none. */
static uint64_t augment(flow *f)
{
    uint32_t tail = 0;
    memset(f->back, 0xff, f->n * sizeof *f->back);
    f->queue[tail++] = 0;
    for (uint32_t head = 0; head < tail && f->back[1] == NOBODY; head++)
        for (uint32_t a = f->head[f->queue[head]]; a != NOBODY; a = f->next[a])
            if (f->room[a] && f->to[a] != 0 && f->back[f->to[a]] == NOBODY) {
                f->back[f->to[a]] = a;
                f->queue[tail++] = f->to[a];
            }
    if (f->back[1] == NOBODY)
        return 0;
    uint64_t push = UINT64_MAX;
    for (uint32_t x = 1; x; x = f->to[f->back[x] ^ 1])
        push = f->room[f->back[x]] < push ? f->room[f->back[x]] : push;
    for (uint32_t x = 1; x; x = f->to[f->back[x] ^ 1]) {
        f->room[f->back[x]] -= push;
        f->room[f->back[x] ^ 1] += push;
    }
    return push;
}

/* Push what fits along three arcs from vertex 0 to vertex 1. */
static uint64_t push(flow *f, uint32_t first, uint32_t second, uint32_t third)
{
    uint64_t bytes = f->room[first] < f->room[third] ? f->room[first] : f->room[third];
    f->room[first] -= bytes;
    f->room[second] -= bytes;
    f->room[second ^ 1] += bytes;
    f->room[third] -= bytes;
    return bytes;
}

static uint32_t vertex(flow *f)
{
    f->head[f->n] = NOBODY;
    return f->n++;
}

/* Empty the flow; the first time find room for all nodes, storages and edges. */
static void clear(flow *f, const graph *g)
{
    size_t vertices = 2 + (size_t)g->n + g->n_s, arcs = vertices;
    for (uint32_t v = 0; v < g->n && !f->head; v++)
        arcs += (size_t)g->v[v].pred.n + g->v[v].uses.n;
    if (!f->head) {
        f->head = check_room(vertices, sizeof *f->head);
        f->back = check_room(vertices, sizeof *f->back);
        f->queue = check_room(vertices, sizeof *f->queue);
        f->next = check_room(2 * arcs, sizeof *f->next);
        f->to = check_room(2 * arcs, sizeof *f->to);
        f->room = check_room(2 * arcs, sizeof *f->room);
    }
    f->arcs = f->n = 0;
    (void)vertex(f);
    (void)vertex(f);
}

uint64_t walk_least_live(const walk *w, const uint32_t *inside, uint32_t n)
{
    graph *g = w->g;
    flow *f = &g->flow;
    uint64_t live = w->live, pushed;
    clear(f, g);
    for (uint32_t i = 0; i < n; i++) { /* what it makes is paid for, or it stays out */
        node *x = &g->v[inside[i]];
        x->vertex = vertex(f);
        live -= x->kept;
        arc(f, x->vertex, 1, x->kept); /* arc 2 i */
    }
    for (uint32_t i = 0; i < n; i++) {
        const node *x = &g->v[inside[i]];
        for (uint32_t k = 0; k < x->pred.n; k++)
            if (g->v[x->pred.at[k]].vertex)
                arc(f, x->vertex, g->v[x->pred.at[k]].vertex, UINT64_MAX);
        for (uint32_t k = 0; k < x->uses.n; k++) {
            storage *s = &g->s[x->uses.at[k]];
            if (s->left != (w->reverse ? s->users.n : 0))
                continue; /* outlives `top` */
            if (!s->vertex) {
                s->vertex = vertex(f);
                f->back[s->vertex] = f->arcs;
                arc(f, 0, s->vertex, s->size);
            }
            arc(f, s->vertex, x->vertex, UINT64_MAX);
            live += push(f, f->back[s->vertex], f->arcs - 2, 2 * i);
        }
    }
    /* It cannot rise above live of `top`. */
    while (live != w->live && (pushed = augment(f)))
        live += pushed;
    for (uint32_t i = 0; i < n; i++) {
        node *x = &g->v[inside[i]];
        x->vertex = 0;
        for (uint32_t k = 0; k < x->uses.n; k++)
            g->s[x->uses.at[k]].vertex = 0;
    }
    return live;
}
