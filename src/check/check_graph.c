/*
 * Edges, storages and a topological order of a graph for highwater-check.
 *
 * Written from the definitions of the memory model.
 */
#include "check/check.h"

#include <stdlib.h>

static void edge(graph *g, uint32_t from, uint32_t to)
{
    check_push(&g->v[from].succ, to);
    check_push(&g->v[to].pred, from);
}

/* The tensor whose buffer t lives in: through the inputs of views. */
static uint32_t root_of(const graph *g, uint32_t t)
{
    for (uint32_t steps = 0; g->t[t].producer != NOBODY && g->v[g->t[t].producer].view; steps++) {
        const node *v = &g->v[g->t[t].producer];
        if (v->in.n == 0 || steps > g->n)
            check_die(3, "a view has no input");
        t = v->in.at[0];
    }
    return t;
}

static void lay_storages(graph *g, bool pin_inputs)
{
    uint32_t *of_root = check_room(g->n_t, sizeof *of_root);
    g->s = check_room(g->n_t, sizeof *g->s);
    for (uint32_t t = 0; t < g->n_t; t++)
        if (root_of(g, t) == t) {
            g->s[g->n_s] = (storage){.size = g->t[t].size, .maker = g->t[t].producer};
            of_root[t] = g->n_s++;
        }
    for (uint32_t t = 0; t < g->n_t; t++) {
        storage *s = &g->s[g->t[t].storage = of_root[root_of(g, t)]];
        s->constant = s->constant || g->t[t].kind == 'c';
        s->stays = s->stays || g->t[t].kind == 'o' || (g->t[t].kind == 'i' && pin_inputs);
    }
    free(of_root);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t k = 0; k < g->v[v].in.n; k++) {
            list *users = &g->s[g->t[g->v[v].in.at[k]].storage].users;
            if (users->n == 0 || users->at[users->n - 1] != v)
                check_push(users, v);
        }
}

static void rename_all(list *l, const uint32_t *name)
{
    for (uint32_t i = 0; i < l->n; i++)
        l->at[i] = name[l->at[i]];
}

/* Number the nodes topologically. */
static void sort_nodes(graph *g)
{
    uint32_t tail = 0, *order = check_room(g->n, sizeof *order);
    node *old = g->v;
    g->place = check_room(g->n, sizeof *g->place);
    g->v = check_room(g->n, sizeof *g->v);
    for (uint32_t v = 0; v < g->n; v++)
        if ((old[v].waiting = old[v].pred.n) == 0)
            order[tail++] = v;
    for (uint32_t head = 0; head < tail; head++) {
        const list *next = &old[order[head]].succ;
        for (uint32_t i = 0; i < next->n; i++)
            if (--old[next->at[i]].waiting == 0)
                order[tail++] = next->at[i];
    }
    if (tail < g->n)
        check_die(3, "the nodes form a cycle");
    for (uint32_t v = 0; v < g->n; v++) {
        g->v[v] = old[order[v]];
        g->place[order[v]] = v;
    }
    for (uint32_t v = 0; v < g->n; v++) {
        rename_all(&g->v[v].pred, g->place);
        rename_all(&g->v[v].succ, g->place);
    }
    for (uint32_t s = 0; s < g->n_s; s++)
        rename_all(&g->s[s].users, g->place);
    free(order);
    free(old);
}

void check_graph_derive(graph *g, bool pin_inputs)
{
    uint32_t locked = NOBODY;
    uint64_t total = 0;
    lay_storages(g, pin_inputs);
    for (uint32_t i = 0; i < g->n_s; i++) {
        storage *s = &g->s[i];
        bool wanted = s->users.n || s->stays;
        if (s->constant)
            continue;
        if ((total += s->size) < s->size)
            check_die(3, "the sum of all sizes passes 64 bits");
        s->dies = s->size && s->users.n && !s->stays;
        if (s->maker == NOBODY)
            g->live_empty += wanted ? s->size : 0;
        else
            g->v[s->maker].made += s->size;
        if (s->maker != NOBODY && wanted)
            g->v[s->maker].kept += s->size;
        g->live_full += s->stays ? s->size : 0;
        for (uint32_t k = 0; s->dies && k < s->users.n; k++)
            check_push(&g->v[s->users.at[k]].uses, i);
    }
    for (uint32_t v = 0; v < g->n; v++) {
        const node *x = &g->v[v];
        if (total + x->workspace < total)
            check_die(3, "the sum of all sizes passes 64 bits");
        for (uint32_t k = 0; k < x->in.n; k++)
            if (g->t[x->in.at[k]].producer != NOBODY)
                edge(g, g->t[x->in.at[k]].producer, v);
        if (x->locked && locked != NOBODY)
            edge(g, locked, v);
        locked = x->locked ? v : locked;
        if (!x->required || x->pairs.n == 0)
            continue;
        const list *users = &g->s[g->t[x->pairs.at[0]].storage].users;
        for (uint32_t k = 0; k < users->n; k++)
            if (users->at[k] != v) /* what must be overwritten must be dead */
                edge(g, users->at[k], v);
    }
    for (uint32_t i = 0; i < g->control.n; i += 2)
        edge(g, g->control.at[i], g->control.at[i + 1]);
    sort_nodes(g);
}
