/* Windows, and bounds that every order reaches, for highwater-check. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

void check_windows(search *s)
{
    const graph *g = s->g;
    int64_t n = g->n;
    s->first = check_room(g->n, sizeof *s->first);
    s->last = check_room(g->n, sizeof *s->last);
    for (uint32_t v = 0; v < g->n; v++) {
        int64_t place = g->v[v].source, w = g->v[v].window < g->n ? (int64_t)g->v[v].window : n;
        s->windows = s->windows || g->v[v].window != NO_WINDOW;
        s->first[v] = w < place ? place - w : 0;
        s->last[v] = place + w < n ? place + w : n - 1;
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (s->first[v] <= s->first[g->v[v].pred.at[k]])
                s->first[v] = s->first[g->v[v].pred.at[k]] + 1;
    }
    for (uint32_t v = g->n; v-- > 0;)
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (s->last[g->v[v].pred.at[k]] >= s->last[v])
                s->last[g->v[v].pred.at[k]] = s->last[v] - 1;
}

/* More nodes than positions between two, in what their windows leave. */
static bool is_crowded(const search *s, int64_t first, int64_t last)
{
    int64_t inside = 0;
    for (uint32_t v = 0; v < s->g->n; v++)
        inside += s->first[v] >= first && s->last[v] <= last;
    return inside > 0 && inside > last - first + 1;
}

/* The least usage of node v, or the least live before it, whatever has run by then. */
static uint64_t node_bound(search *s, uint32_t v, bool before)
{
    const graph *g = s->g;
    uint8_t *above = check_room(g->n, sizeof *above), *below = check_room(g->n, sizeof *below);
    list inside = {0};
    above[v] = below[v] = 1;
    for (uint32_t u = v + 1; u-- > 0;)
        for (uint32_t k = 0; k < g->v[u].pred.n && above[u]; k++)
            above[g->v[u].pred.at[k]] = 1;
    for (uint32_t u = v + 1; u < g->n; u++)
        for (uint32_t k = 0; k < g->v[u].pred.n; k++)
            below[u] |= below[g->v[u].pred.at[k]];
    bool after = s->free_first && !before; /* usage is taken once v has freed its inputs */
    above[v] = after;
    below[v] = !after;
    walk_start(&s->w, s->g, s->free_first, false);
    for (uint32_t u = 0; u < g->n; u++) {
        if (!below[u])
            walk_flip(&s->w, u);
        if (!below[u] && !above[u])
            check_push(&inside, u);
    }
    uint64_t live = walk_least_live(&s->w, inside.at, inside.n);
    free(inside.at);
    free(above);
    free(below);
    if (before)
        return live;
    return live + g->v[v].workspace + g->v[v].made - (after ? g->v[v].kept : 0) -
           walk_reuse(&s->w, v, true);
}

void check_bound(search *s, const char *kind, uint64_t first, uint64_t last)
{
    const graph *g = s->g;
    uint64_t bytes = g->live_full > g->live_empty ? g->live_full : g->live_empty;
    if (strcmp(kind, "windows") == 0) {
        if (first >= NOBODY || last >= NOBODY || !is_crowded(s, (int64_t)first, (int64_t)last))
            check_die(1, "the windows between these positions are not crowded");
        return;
    }
    if (strcmp(kind, "live") != 0) {
        bool before = check_second(kind, "node", "before");
        if (first >= g->n)
            check_die(1, "a node of the bound does not exist");
        bytes = node_bound(s, g->place[first], before);
    }
    if (bytes <= s->budget)
        check_die(1, "the bound is %" PRIu64 ", not above %" PRIu64, bytes, s->budget);
}
