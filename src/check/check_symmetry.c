/* Symmetries for highwater-check: fact (4) of highwater-check.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_proof.h"

static int by_content(const void *a, const void *b)
{
    const list *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    return x->n ? memcmp(x->at, y->at, x->n * sizeof *x->at) : 0;
}

static void push_bytes(list *l, uint64_t bytes)
{
    check_push(l, (uint32_t)(bytes >> 32));
    check_push(l, (uint32_t)bytes);
}

/* Push the number of nodes, and their names, sorted; nodes may repeat. */
static void push_names(list *l, const list *nodes, const uint32_t *name)
{
    list names = {0};
    uint32_t at = l->n;
    check_push(l, 0);
    for (uint32_t k = 0; k < nodes->n; k++)
        check_push(&names, name[nodes->at[k]]);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, check_by_value);
    for (uint32_t k = 0; k < names.n; k++)
        if (k == 0 || names.at[k] != names.at[k - 1]) {
            check_push(l, names.at[k]);
            l->at[at]++;
        }
    free(names.at);
}

typedef struct lists {
    list *at;
    size_t n, room;
} lists;

static list *new_list(lists *all, uint32_t what)
{
    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 64;
        all->at = check_grow(all->at, all->room, sizeof *all->at);
    }
    list *l = &all->at[all->n++];
    *l = (list){0};
    check_push(l, what);
    return l;
}

static void free_lists(lists *all)
{
    for (size_t i = 0; i < all->n; i++)
        free(all->at[i].at);
    free(all->at);
}

/* What v can reuse once the users of some storages have run: a list for every such set. */
static void describe_reuse(search *s, uint32_t v, const uint32_t *name, lists *all)
{
    enum { MOST = 12 };
    graph *g = s->g;
    storage *x[MOST];
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->v[v].pairs.n; k += 2) {
        storage *own = &g->s[g->t[g->v[v].pairs.at[k]].storage];
        uint32_t i = 0;
        while (i < n && x[i] != own)
            i++;
        if (i == MOST)
            check_die(3, "a node may overwrite more than %d storages", MOST);
        if (i == n && own->dies)
            x[n++] = own;
    }
    uint8_t *run = check_room(g->n, sizeof *run);
    for (uint32_t subset = 1; subset < UINT32_C(1) << n; subset++) {
        list users = {0};
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < x[i]->users.n && (subset >> i & 1); k++)
                check_push(&users, x[i]->users.at[k]);
        for (uint32_t k = 0; k < users.n; k++)
            run[users.at[k]] = 1;
        for (uint32_t i = 0; i < n; i++) {
            x[i]->left = 1; /* v alone, if all others are among these users */
            for (uint32_t k = 0; k < x[i]->users.n; k++)
                x[i]->left += !run[x[i]->users.at[k]];
        }
        list *l = new_list(all, 2);
        check_push(l, name[v]);
        push_bytes(l, walk_reuse(&s->w, v, false));
        push_names(l, &users, name);
        for (uint32_t k = 0; k < users.n; k++)
            run[users.at[k]] = 0;
        free(users.at);
    }
    free(run);
}

static bool moves(const list *nodes, const uint32_t *image)
{
    for (uint32_t k = 0; k < nodes->n; k++)
        if (image[nodes->at[k]] != nodes->at[k])
            return true;
    return false;
}

/*
 * All that live and usage depend on, the nodes renamed, as a sorted set of
 * lists; without those that name no node which `image` moves: they stay as
 * they are.
 */
static lists describe(search *s, const uint32_t *name, const uint32_t *image)
{
    const graph *g = s->g;
    lists all = {0};
    for (const storage *x = g->s; x < g->s + g->n_s; x++) {
        bool made = x->maker != NOBODY && image[x->maker] != x->maker;
        if (x->constant || x->size == 0 || (!made && !moves(&x->users, image)))
            continue;
        list *l = new_list(&all, 0);
        push_bytes(l, x->size);
        check_push(l, x->stays);
        check_push(l, x->maker == NOBODY ? NOBODY : name[x->maker]);
        push_names(l, &x->users, name);
    }
    for (uint32_t v = 0; v < g->n; v++) {
        const node *x = &g->v[v];
        bool moved = image[v] != v, shares = moved;
        for (uint32_t k = 0; k < x->pairs.n && !shares; k += 2)
            shares = moves(&g->s[g->t[x->pairs.at[k]].storage].users, image);
        if (shares)
            describe_reuse(s, v, name, &all);
        if (!moved && !moves(&x->pred, image))
            continue;
        list *l = new_list(&all, 1);
        check_push(l, name[v]);
        push_bytes(l, x->workspace);
        push_names(l, &x->pred, name);
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_content);
    return all;
}

/* Does the symmetry exchange pairs, and does a path join the smaller nodes of any two? */
static bool is_chain(const graph *g, const uint32_t *image)
{
    uint8_t *near = check_room(g->n, sizeof *near); /* nodes that a path joins with v */
    bool chain = true;
    for (uint32_t v = 0; v < g->n && chain; v++) {
        chain = image[image[v]] == v;
        if (v >= image[v])
            continue;
        memset(near, 0, g->n * sizeof *near);
        (void)check_graph_reach(g, v, true, near);
        (void)check_graph_reach(g, v, false, near);
        for (uint32_t u = 0; u < g->n; u++)
            chain = chain && (u >= image[u] || u == v || near[u]);
    }
    free(near);
    return chain;
}

/* Pairs of a node and what it is taken to; edges that follow go into `ahead`. */
static void check_symmetry(search *s, list *ahead)
{
    const graph *g = s->g;
    const list *pairs = &s->line.numbers;
    uint32_t *name = check_room(g->n, sizeof *name), *image = check_room(g->n, sizeof *image);
    for (uint32_t v = 0; v < g->n; v++)
        name[v] = image[v] = v;
    for (uint32_t k = 0; k + 1 < pairs->n; k += 2) {
        if (pairs->at[k] >= g->n || pairs->at[k + 1] >= g->n)
            check_die(1, "a symmetry names a node that does not exist");
        image[pairs->at[k]] = pairs->at[k + 1];
    }
    lists here = describe(s, name, image), there = describe(s, image, image);
    bool same = here.n == there.n;
    for (size_t i = 0; i < here.n && same; i++)
        same = by_content(&here.at[i], &there.at[i]) == 0;
    if (!same)
        check_die(1, "what is called a symmetry takes the graph to another one");
    free_lists(&here);
    free_lists(&there);
    bool chain = check_second(s->line.which, "first", "chain");
    if (chain && !is_chain(g, image))
        check_die(1, "a symmetry does not exchange two chains");
    for (uint32_t v = 0, edges = 0; v < g->n && (chain || edges == 0); v++)
        if (v < image[v]) {
            check_push(ahead, v);
            check_push(ahead, image[v]);
            edges++;
        }
    free(name);
    free(image);
}

void check_symmetries(search *s)
{
    graph *g = s->g;
    list ahead = {0};
    for (; strcmp(s->line.what, "symmetry") == 0; check_line(s)) {
        for (uint32_t v = 0; v < g->n; v++)
            if (g->v[v].window != NO_WINDOW)
                check_die(1, "windows and symmetries do not go together");
        if (strcmp(s->line.which, "round") != 0) {
            check_symmetry(s, &ahead);
            continue;
        }
        for (uint32_t i = 0; i < ahead.n; i += 2)
            check_graph_edge(g, ahead.at[i], ahead.at[i + 1]);
        ahead.n = 0;
    }
    free(ahead.at);
}
