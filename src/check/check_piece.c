/*
 * Where a search is confined to, and bounds, for highwater-check: fact (5) of
 * highwater-check.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_proof.h"

void check_windows(search *s)
{
    const graph *g = s->g;
    int64_t n = g->n, *first = check_room(g->n, sizeof *first);
    int64_t *last = check_room(g->n, sizeof *last);
    s->windows = false;
    for (uint32_t v = 0; v < g->n; v++) {
        int64_t w = g->v[v].window < g->n ? (int64_t)g->v[v].window : n;
        s->windows = s->windows || g->v[v].window != NO_WINDOW;
        first[v] = w < g->v[v].source ? g->v[v].source - w : 0;
        last[v] = g->v[v].source + w < n ? g->v[v].source + w : n - 1;
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (first[v] <= first[g->v[v].pred.at[k]])
                first[v] = first[g->v[v].pred.at[k]] + 1;
    }
    for (uint32_t v = g->n; v-- > 0;)
        for (uint32_t k = 0; k < g->v[v].pred.n; k++)
            if (last[g->v[v].pred.at[k]] >= last[v])
                last[g->v[v].pred.at[k]] = last[v] - 1;
    free(s->earliest);
    free(s->latest);
    s->earliest = first;
    s->latest = last;
}

/* Are all marked nodes of the piece, `count`, ancestors of all others in it? */
static bool is_cut(const search *s, const uint8_t *mark, uint32_t count)
{
    const graph *g = s->g;
    uint8_t *above = check_room(g->n, sizeof *above);
    bool cut = true;
    for (uint32_t v = 0; v < g->n && cut; v++) {
        bool first = s->side[v] == 0 && !mark[v]; /* it is enough to ask the first of them */
        for (uint32_t k = 0; k < g->v[v].pred.n && first; k++)
            first = s->side[g->v[v].pred.at[k]] != 0 || mark[g->v[v].pred.at[k]];
        if (!first)
            continue;
        memset(above, 0, g->n * sizeof *above);
        (void)check_graph_reach(g, v, true, above);
        uint32_t found = 0;
        for (uint32_t u = 0; u < g->n; u++)
            found += above[u] && mark[u];
        cut = found == count;
    }
    free(above);
    return cut;
}

void check_walk_to_piece(search *s, bool reverse)
{
    walk_start(&s->w, s->g, s->free_first, reverse);
    for (uint32_t i = 0; i < s->g->n; i++) {
        uint32_t v = reverse ? s->g->n - 1 - i : i;
        if (s->side[v] == (reverse ? 2 : 1))
            walk_flip(&s->w, v);
    }
}

/* Is the prefix of all marked nodes one of the least live ones in the piece? */
static bool is_valley(search *s, const uint8_t *mark)
{
    list inside = {0};
    uint64_t live = 0;
    bool legal = true;
    check_walk_to_piece(s, false);
    for (uint32_t i = 0; i < 2 * s->g->n && legal; i++) { /* those marked, then the others */
        uint32_t v = i % s->g->n;
        if (s->side[v] != 0 || mark[v] != (i < s->g->n))
            continue;
        legal = has(s->w.ready, v);
        check_push(&inside, v);
        walk_flip(&s->w, v);
        live = mark[v] ? s->w.live : live;
    }
    legal = legal && live <= walk_least_live(&s->w, inside.at, inside.n);
    free(inside.at);
    return legal;
}

/* Do moves that lose nothing lead through these nodes, from the low or the high end? */
static bool is_safe(search *s, const list *nodes, bool low)
{
    check_walk_to_piece(s, !low);
    for (uint32_t k = 0; k < nodes->n; k++) {
        uint32_t v = s->g->place[nodes->at[k]];
        if (!has(s->w.ready, v) || !has(s->w.falls, v) ||
            (low ? walk_usage(&s->w, v) : walk_usage_plain(&s->w, v)) > s->budget)
            return false;
        walk_flip(&s->w, v);
    }
    return true;
}

void check_narrow(search *s)
{
    const proof_line *l = &s->line;
    bool cut = strcmp(l->what, "cut") == 0, safe = strcmp(l->what, "safe") == 0;
    bool low = strcmp(l->which, "low") == 0;
    uint8_t *mark = check_room(s->g->n, sizeof *mark);
    uint32_t count = cut && l->numbers.n == 1 ? l->numbers.at[0] : 0;
    for (uint32_t v = 0, left = count; v < s->g->n && left; v++)
        left -= mark[v] = s->side[v] == 0;
    for (uint32_t k = 0; k < l->numbers.n && !cut; k++) {
        uint32_t v = l->numbers.at[k] < s->g->n ? s->g->place[l->numbers.at[k]] : NOBODY;
        if (v == NOBODY || s->side[v] != 0 || mark[v])
            check_die(1, "a line '%s' names a node that is not in the piece", l->what);
        mark[v] = 1;
    }
    if (!(cut ? is_cut(s, mark, count)
              : !s->windows && (safe ? is_safe(s, &l->numbers, low) : is_valley(s, mark))))
        check_die(1, "a line '%s' leads to a prefix that orders need not pass", l->what);
    for (uint32_t v = 0; v < s->g->n; v++)
        if (s->side[v] == 0 && (low || safe ? mark[v] : !mark[v]))
            s->side[v] = low ? 1 : 2;
    free(mark);
}

/* Sort the nodes by side; inside and outside they stay in topological order. */
void check_sort_piece(search *s)
{
    static const uint8_t sides[] = {1, 0, 2};
    graph *g = s->g;
    uint32_t n = 0, *order = check_room(g->n, sizeof *order);
    for (uint32_t i = 0; i < 3; i++) {
        s->low = i == 1 ? n : s->low;
        for (uint32_t v = 0; v < g->n; v++)
            if (s->side[v] == sides[i])
                order[n++] = v;
        s->high = i == 1 ? n : s->high;
    }
    check_graph_renumber(g, order);
    free(order);
    for (uint32_t v = 0; v < g->n; v++)
        s->side[v] = v < s->low ? 1 : v < s->high ? 0 : 2;
    s->from = s->low / 64;
    s->to = s->high / 64 + 1;
}

/* ---- Bounds. ---- */

/* More nodes than positions between two, in what their windows leave. */
static bool is_crowded(const search *s, int64_t first, int64_t last)
{
    int64_t inside = 0;
    for (uint32_t v = 0; v < s->g->n; v++)
        inside += s->earliest[v] >= first && s->latest[v] <= last;
    return inside > 0 && inside > last - first + 1;
}

static uint64_t node_bound(search *s, uint32_t v, bool before)
{
    const graph *g = s->g;
    uint8_t *above = check_room(g->n, sizeof *above), *below = check_room(g->n, sizeof *below);
    list inside = {0};
    (void)check_graph_reach(g, v, true, above);
    (void)check_graph_reach(g, v, false, below);
    above[v] = s->free_first && !before;
    below[v] = !above[v];
    walk_start(&s->w, s->g, s->free_first, false);
    for (uint32_t u = 0; u < g->n; u++)
        if (!below[u]) {
            walk_flip(&s->w, u);
            if (!above[u])
                check_push(&inside, u);
        }
    uint64_t live = walk_least_live(&s->w, inside.at, inside.n);
    free(inside.at);
    free(above);
    free(below);
    if (before)
        return live;
    return live + g->v[v].workspace + g->v[v].made - (s->free_first ? g->v[v].kept : 0) -
           walk_reuse(&s->w, v, true);
}

void check_bound(search *s)
{
    const proof_line *l = &s->line;
    uint64_t bytes = s->g->live_empty, claim = s->budget + 1;
    const list *x = &l->numbers;
    if (strcmp(l->which, "windows") == 0 && x->n == 2) {
        if (!is_crowded(s, x->at[0], x->at[1]))
            check_die(1, "the windows between these positions are not crowded");
        return;
    }
    if (strcmp(l->which, "live") == 0)
        bytes = s->g->live_full > bytes ? s->g->live_full : bytes;
    else if (x->n == 1 && x->at[0] < s->g->n)
        bytes = node_bound(s, s->g->place[x->at[0]], check_second(l->which, "node", "before"));
    if (bytes < claim)
        check_die(1, "the bound is %" PRIu64 ", not the %" PRIu64 " claimed", bytes, claim);
}
