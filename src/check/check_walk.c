/* Prefixes of a graph for highwater-check.  See check_walk.h. */
#include "check/check_walk.h"

#include <stdlib.h>
#include <string.h>

bool walk_frees(const storage *s)
{
    return !s->constant && !s->stays && s->users.n && s->size;
}

walk walk_new(const graph *g, bool free_first)
{
    walk w = {.g = g, .free_first = free_first, .live = g->live_empty};
    w.in = check_room(g->n, sizeof *w.in);
    w.missing = check_room(g->n, sizeof *w.missing);
    w.above = check_room(g->n, sizeof *w.above);
    w.gain = check_room(g->n, sizeof *w.gain);
    w.left = check_room(g->n_s, sizeof *w.left);
    for (uint32_t v = 0; v < g->n; v++)
        w.missing[v] = (uint32_t)g->v[v].pred.n;
    for (uint32_t s = 0; s < g->n_s; s++) {
        w.left[s] = (uint32_t)g->s[s].users.n;
        if (walk_frees(&g->s[s]) && w.left[s] == 1)
            w.gain[g->s[s].users.at[0]] += g->s[s].size;
    }
    return w;
}

uint64_t walk_after(const walk *w, uint32_t v)
{
    return w->live + w->g->v[v].made - w->g->v[v].dead - w->gain[v];
}

/* The users of s on one side of the prefix gain or lose its size, v does not. */
static void shift(walk *w, const storage *s, uint32_t v, bool inside, bool more)
{
    for (size_t i = 0; i < s->users.n; i++) {
        uint32_t u = s->users.at[i];
        if (u != v && w->in[u] == inside)
            w->gain[u] += more ? s->size : -s->size;
    }
}

void walk_add(walk *w, uint32_t v)
{
    const node *x = &w->g->v[v];
    w->live = walk_after(w, v);
    w->in[v] = true;
    w->count++;
    for (size_t i = 0; i < x->uses.n; i++) {
        const storage *s = &w->g->s[x->uses.at[i]];
        uint32_t left = --w->left[x->uses.at[i]];
        if (walk_frees(s) && left <= 1)
            shift(w, s, v, left == 0, true);
    }
    for (size_t i = 0; i < x->succ.n; i++)
        w->missing[x->succ.at[i]]--;
    for (size_t i = 0; i < x->pred.n; i++)
        w->above[x->pred.at[i]]++;
}

void walk_remove(walk *w, uint32_t v)
{
    const node *x = &w->g->v[v];
    for (size_t i = 0; i < x->uses.n; i++) {
        const storage *s = &w->g->s[x->uses.at[i]];
        uint32_t left = w->left[x->uses.at[i]]++;
        if (walk_frees(s) && left <= 1)
            shift(w, s, v, left == 0, false);
    }
    for (size_t i = 0; i < x->succ.n; i++)
        w->missing[x->succ.at[i]]++;
    for (size_t i = 0; i < x->pred.n; i++)
        w->above[x->pred.at[i]]--;
    w->in[v] = false;
    w->count--;
    w->live -= x->made - x->dead - w->gain[v];
}

uint64_t walk_usage_plain(const walk *w, uint32_t v)
{
    uint64_t usage = w->live + w->g->v[v].made + w->g->v[v].workspace;
    return w->free_first ? usage - w->gain[v] : usage;
}

/* The best choice among the pairs from i on: take one or leave it. */
static uint64_t best_pairs(const walk *w, const list *pairs, size_t i, uint8_t *taken, bool ever)
{
    if (i == pairs->n)
        return 0;
    const tensor *in = &w->g->t[pairs->at[i]], *out = &w->g->t[pairs->at[i + 1]];
    const storage *s = &w->g->s[in->storage];
    uint64_t best = best_pairs(w, pairs, i + 2, taken, ever), saved;
    bool free_to = walk_frees(s) && out->size && (ever || w->left[in->storage] == 1);
    for (size_t k = 0; k < i && free_to; k += 2)
        free_to = !taken[k / 2] || (w->g->t[pairs->at[k]].storage != in->storage &&
                                    pairs->at[k + 1] != pairs->at[i + 1]);
    if (!free_to)
        return best;
    taken[i / 2] = 1;
    saved = (s->size < out->size ? s->size : out->size) + best_pairs(w, pairs, i + 2, taken, ever);
    taken[i / 2] = 0;
    return saved > best ? saved : best;
}

static uint64_t reuse(const walk *w, uint32_t v, bool ever)
{
    uint8_t taken[24] = {0};
    const list *pairs = &w->g->v[v].pairs;
    if (w->free_first || pairs->n == 0)
        return 0;
    if (pairs->n / 2 > sizeof taken)
        check_die(3, "a node has more than %zu in-place pairs", sizeof taken);
    return best_pairs(w, pairs, 0, taken, ever);
}

uint64_t walk_usage(const walk *w, uint32_t v)
{
    return walk_usage_plain(w, v) - reuse(w, v, false);
}

uint64_t walk_most_reuse(const walk *w, uint32_t v)
{
    return reuse(w, v, true);
}

/* ---- The least live, by a flow. ---- */

typedef struct flow {
    uint32_t *head, *next, *to, *back; /* back: arc by which a vertex was reached */
    uint32_t *queue;
    uint64_t *room;
    uint32_t n, arcs;
} flow;

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

uint64_t walk_least_live(const graph *g, const uint8_t *side)
{
    size_t arcs = 2 * (size_t)(g->n + g->n_s);
    for (uint32_t v = 0; v < g->n; v++)
        arcs += 2 * (g->v[v].pred.n + g->v[v].uses.n);
    flow f = {.n = 2 + g->n + g->n_s};
    f.head = check_room(f.n, sizeof *f.head);
    f.back = check_room(f.n, sizeof *f.back);
    f.queue = check_room(f.n, sizeof *f.queue);
    f.next = check_room(arcs, sizeof *f.next);
    f.to = check_room(arcs, sizeof *f.to);
    f.room = check_room(arcs, sizeof *f.room);
    memset(f.head, 0xff, f.n * sizeof *f.head);
    uint64_t live = g->live_empty, pushed;
    for (uint32_t v = 0; v < g->n; v++) {
        if (side[v] == 1)
            live += g->v[v].made - g->v[v].dead;
        if (side[v] == 0)
            arc(&f, 2 + v, 1, g->v[v].made - g->v[v].dead);
        for (size_t i = 0; side[v] == 0 && i < g->v[v].pred.n; i++)
            arc(&f, 2 + v, 2 + g->v[v].pred.at[i], side[g->v[v].pred.at[i]] ? 0 : UINT64_MAX);
    }
    for (uint32_t s = 0; s < g->n_s; s++) {
        const list *users = &g->s[s].users;
        bool never = !walk_frees(&g->s[s]);
        for (size_t i = 0; i < users->n; i++)
            never = never || side[users->at[i]] == 2;
        if (never)
            continue;
        live -= g->s[s].size; /* freed, unless the flow says that it does not pay */
        arc(&f, 0, 2 + g->n + s, g->s[s].size);
        for (size_t i = 0; i < users->n; i++)
            if (side[users->at[i]] == 0)
                arc(&f, 2 + g->n + s, 2 + users->at[i], UINT64_MAX);
    }
    while ((pushed = augment(&f)))
        live += pushed;
    free(f.head);
    free(f.back);
    free(f.queue);
    free(f.next);
    free(f.to);
    free(f.room);
    return live;
}
