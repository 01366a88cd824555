/* Identical branches in the order of their numbers.  See exact_symmetry.h. */
#include "solvers/exact_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"
#include "solvers/exact_partition.h"
#include "solvers/exact_structure.h"

enum {
    MOST_NODES = 16384, /* sets of ancestors take n * n / 8 bytes, twice */
    MOST_ROUNDS = 32
};
static const uint64_t most_work = 100000000; /* edges and vertices looked at */

/* One round: the search for maps of one instance. */
typedef struct round {
    const hw_model *m;
    exact_symmetry *s;
    exact_symmetry_use use;
    exact_structure structure;
    exact_partition part;
    uint32_t n, words;
    uint32_t *position;  /* of a node in a topological order                        */
    uint64_t *above;     /* of a node: its ancestors and itself, before this round  */
    uint64_t *above_now; /* the same with the edges of this round                   */
    uint32_t *image;     /* of a node under the map at hand */
    uint32_t *choice;    /* nodes */
    uint64_t work;
} round;

void exact_symmetry_free(exact_symmetry *s)
{
    if (s->n_edges) {
        free(s->graph.preds.offset);
        free(s->graph.preds.item);
        free(s->graph.succs.offset);
        free(s->graph.succs.item);
    }
    free(s->edge);
    free(s->map);
    free(s->pair);
    memset(s, 0, sizeof *s);
}

static bool too_much(const round *r)
{
    return r->work + r->part.work > most_work;
}

static bool is_before(const round *r, const uint64_t *above, uint32_t u, uint32_t v)
{
    return hw_bits_have(above + (size_t)v * r->words, u);
}

/* Ancestors of all nodes along a topological order. */
static void lay_above(round *r, const uint32_t *order)
{
    const hw_graph *g = r->m->graph;
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t v = order[i];
        uint64_t *own = r->above + (size_t)v * r->words;
        hw_bits_add(own, v);
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            for (uint32_t w = 0; w < r->words; w++)
                own[w] |= r->above[(size_t)g->preds.item[k] * r->words + w];
    }
    memcpy(r->above_now, r->above, (size_t)r->n * r->words * sizeof *r->above);
}

static bool own_copy_in_cell(const round *r, uint32_t x)
{
    return r->part.cell[x] == r->part.cell[r->structure.n + x];
}

/* The smallest right vertex in the cell of left x. */
static uint32_t smallest_right(const round *r, uint32_t x)
{
    const exact_partition *p = &r->part;
    uint32_t start = p->cell[x], best = HW_NONE;
    for (uint32_t i = start; i < start + p->size[start]; i++)
        if (p->item[i] >= p->n && p->item[i] - p->n < best)
            best = p->item[i] - p->n;
    return best;
}

/*
 * One more choice: where x goes to y let y go to x; else give a vertex that
 * cannot stay a place.  HW_NONE in *x: every vertex has one partner or may stay.
 */
static void choose(const round *r, uint32_t *x, uint32_t *y)
{
    const exact_partition *p = &r->part;
    *x = HW_NONE;
    for (uint32_t i = 0; i < p->n; i++) {
        if (!exact_partition_single(p, i)) {
            *x = *x == HW_NONE && !own_copy_in_cell(r, i) ? i : *x;
            continue;
        }
        uint32_t to = exact_partition_image(p, i);
        if (to != i && !exact_partition_single(p, to) && p->cell[to] == p->cell[p->n + i]) {
            *x = to;
            *y = i;
            return;
        }
    }
    if (*x != HW_NONE)
        *y = smallest_right(r, *x);
}

/*
 * Complete the choices made so far to a map, without backtracking.  When all
 * vertices of larger cells may stay where they are, they do: each is joined to
 * a vertex with one partner just as its whole cell is, so no edge is lost.
 */
static bool complete(round *r)
{
    const exact_partition *p = &r->part;
    uint32_t x, y;
    for (;;) {
        r->work += p->n;
        choose(r, &x, &y);
        if (x == HW_NONE)
            break;
        if (too_much(r) || !exact_partition_pair(&r->part, x, y))
            return false;
    }
    for (uint32_t v = 0; v < r->n; v++)
        r->image[v] = exact_partition_single(p, v) ? exact_partition_image(p, v) : v;
    return true;
}

/* May the map be used as (C)?  Sorts the smaller nodes of its pairs. */
static bool is_chain(round *r)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < r->n; u++) {
        if (r->image[r->image[u]] != u)
            return false;
        if (u < r->image[u])
            r->choice[count++] = u;
    }
    for (uint32_t i = 1; i < count; i++) { /* nearly in order as a rule */
        uint32_t u = r->choice[i], at = i;
        for (; at > 0 && r->position[r->choice[at - 1]] > r->position[u]; at--)
            r->choice[at] = r->choice[at - 1];
        r->choice[at] = u;
        r->work += i - at;
    }
    for (uint32_t i = 1; i < count; i++)
        if (!is_before(r, r->above, r->choice[i - 1], r->choice[i]))
            return false;
    return true;
}

static bool add_edge(round *r, uint32_t from, uint32_t to)
{
    if (is_before(r, r->above_now, from, to))
        return true;
    void *array = r->s->edge;
    if (!hw_grow(&array, &r->s->edge_capacity, r->s->n_edges + 1, sizeof *r->s->edge))
        return false;
    r->s->edge = array;
    r->s->edge[r->s->n_edges++] = (hw_control_edge){from, to};
    const uint64_t *more = r->above_now + (size_t)from * r->words;
    for (uint32_t v = 0; v < r->n; v++)
        if (is_before(r, r->above_now, to, v))
            for (uint32_t w = 0; w < r->words; w++)
                r->above_now[(size_t)v * r->words + w] |= more[w];
    return true;
}

/* Keep the map and lay its edges; a is its smallest moved node. */
static bool use_map(round *r, uint32_t a, uint32_t number)
{
    exact_symmetry *s = r->s;
    void *array = s->map;
    if (!hw_grow(&array, &s->map_capacity, s->n_maps + 1, sizeof *s->map))
        return false;
    s->map = array;
    exact_symmetry_map *map = &s->map[s->n_maps++];
    *map = (exact_symmetry_map){number, r->use == EXACT_SYMMETRY_ALL && is_chain(r), s->n_pairs};
    for (uint32_t u = 0; u < r->n; u++) {
        if (r->image[u] == u)
            continue;
        array = s->pair;
        if (!hw_grow(&array, &s->pair_capacity, s->n_pairs + 1, sizeof *s->pair))
            return false;
        s->pair = array;
        s->pair[s->n_pairs++] = (hw_control_edge){u, r->image[u]};
        if (map->chain && u < r->image[u] && !add_edge(r, u, r->image[u]))
            return false;
    }
    return add_edge(r, a, r->image[a]);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Try to send a to each other node of its cell, smaller nodes staying. */
static bool try_node(round *r, uint32_t a, uint32_t *others, uint32_t number)
{
    exact_partition *p = &r->part;
    uint32_t start = p->cell[a], count = 0, mark = p->n_trail;
    for (uint32_t i = start; i < start + p->size[start]; i++)
        if (p->item[i] < p->n && p->item[i] != a)
            others[count++] = p->item[i];
    qsort(others, count, sizeof *others, ascending);
    bool good = true;
    for (uint32_t i = 0; good && i < count && !too_much(r); i++) {
        if (is_before(r, r->above_now, a, others[i]))
            continue;
        if (exact_partition_pair(p, a, others[i]) && complete(r))
            good = use_map(r, a, number);
        exact_partition_undo(p, mark);
    }
    return good;
}

/*
 * The nodes that can move while all smaller ones stay, each with where the
 * partition stood; then from the last of them to the first, so that what later
 * nodes bring need not be found again.
 */
static bool try_all(round *r, uint32_t *base, uint32_t *mark, uint32_t *others, uint32_t number)
{
    uint32_t levels = 0;
    for (uint32_t a = 0; a < r->n && !too_much(r); a++) {
        if (exact_partition_single(&r->part, a))
            continue;
        base[levels] = a;
        mark[levels++] = r->part.n_trail;
        (void)exact_partition_pair(&r->part, a, a);
    }
    bool good = true;
    while (good && levels-- > 0 && !too_much(r)) {
        exact_partition_undo(&r->part, mark[levels]);
        good = try_node(r, base[levels], others, number);
    }
    return good;
}

static void free_round(round *r)
{
    exact_structure_free(&r->structure);
    exact_partition_free(&r->part);
    free(r->position);
    free(r->above);
    free(r->above_now);
    free(r->image);
    free(r->choice);
}

/* Anything but pairs of copies?  Most graphs end here. */
static bool may_have_maps(const round *r)
{
    for (uint32_t v = 0; v < r->n; v++)
        if (!exact_partition_single(&r->part, v))
            return true;
    return false;
}

static hw_code search_round(round *r, uint32_t number, hw_error *err)
{
    size_t set_words = (size_t)r->n * r->words;
    uint32_t *nodes = HW_NEW(uint32_t, (size_t)4 * r->n);
    r->position = HW_NEW(uint32_t, r->n);
    r->above = HW_NEW0(uint64_t, set_words);
    r->above_now = HW_NEW(uint64_t, set_words);
    r->image = HW_NEW(uint32_t, r->n);
    r->choice = HW_NEW(uint32_t, r->n);
    bool good = nodes && r->position && r->above && r->above_now && r->image && r->choice;
    hw_code code = good ? hw_graph_level_order(r->m->graph, nodes, err)
                        : hw_fail_memory(err, "the symmetry of a graph");
    if (code == HW_OK) {
        hw_order_positions(nodes, r->n, r->position);
        lay_above(r, nodes);
        if (!try_all(r, nodes, nodes + r->n, nodes + 2 * (size_t)r->n, number))
            code = hw_fail_memory(err, "the symmetry of a graph");
    }
    free(nodes);
    return code;
}

/* Rows with more edges, one way. */
static bool extend_rows(const hw_rows *from, const exact_symmetry *s, uint32_t n, bool reverse,
                        hw_rows *to)
{
    to->offset = HW_NEW0(uint32_t, (size_t)n + 2);
    to->item = HW_NEW(uint32_t, from->offset[n] + s->n_edges);
    if (!to->offset || !to->item) {
        free(to->offset);
        free(to->item);
        return false;
    }
    for (uint32_t v = 0; v < n; v++)
        to->offset[v + 2] = from->offset[v + 1] - from->offset[v];
    for (size_t i = 0; i < s->n_edges; i++)
        to->offset[(reverse ? s->edge[i].to : s->edge[i].from) + 2]++;
    for (uint32_t v = 2; v <= n; v++)
        to->offset[v] += to->offset[v - 1];
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t k = from->offset[v]; k < from->offset[v + 1]; k++)
            to->item[to->offset[v + 1]++] = from->item[k];
    for (size_t i = 0; i < s->n_edges; i++) {
        uint32_t own = reverse ? s->edge[i].to : s->edge[i].from;
        to->item[to->offset[own + 1]++] = reverse ? s->edge[i].from : s->edge[i].to;
    }
    return true;
}

/* The graph of m with all edges found so far. */
static hw_code lay_graph(const hw_model *m, exact_symmetry *s, bool first, hw_error *err)
{
    hw_rows preds, succs;
    if (!extend_rows(&m->graph->preds, s, m->n_nodes, true, &preds))
        return hw_fail_memory(err, "a graph with more edges");
    if (!extend_rows(&m->graph->succs, s, m->n_nodes, false, &succs)) {
        free(preds.offset);
        free(preds.item);
        return hw_fail_memory(err, "a graph with more edges");
    }
    if (!first) {
        free(s->graph.preds.offset);
        free(s->graph.preds.item);
        free(s->graph.succs.offset);
        free(s->graph.succs.item);
    }
    s->graph.preds = preds;
    s->graph.succs = succs;
    s->graph.n_edges = m->graph->n_edges + (uint32_t)s->n_edges;
    return HW_OK;
}

static hw_code find_round(exact_symmetry *s, exact_symmetry_use use, uint32_t number,
                          uint64_t *work, hw_error *err)
{
    round r = {.m = &s->model, .s = s, .use = use, .n = s->model.n_nodes, .work = *work};
    r.words = (uint32_t)hw_words(r.n);
    hw_code code = exact_structure_new(r.m->graph, r.m->pin_inputs, &r.structure, err);
    if (code == HW_OK)
        code = exact_partition_init(&r.part, r.structure.n, &r.structure.out, &r.structure.in,
                                    r.structure.kind, err);
    if (code == HW_OK && may_have_maps(&r))
        code = search_round(&r, number, err);
    s->complete = s->complete && !too_much(&r);
    *work = r.work + r.part.work;
    free_round(&r);
    return code;
}

hw_code exact_symmetry_find(const hw_model *m, exact_symmetry_use use, exact_symmetry *s,
                            hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->graph = *m->graph;
    s->model = *m;
    s->model.graph = &s->graph;
    if (m->earliest || m->n_nodes > MOST_NODES)
        return HW_OK;
    s->complete = true;
    uint64_t work = 0;
    hw_code code = HW_OK;
    for (uint32_t number = 0; code == HW_OK; number++) {
        size_t before = s->n_edges;
        if (number == MOST_ROUNDS || !s->complete) {
            s->complete = false;
            break;
        }
        code = find_round(s, use, number, &work, err);
        if (s->n_edges == before)
            break; /* the rows of an earlier round, or the caller's, stand */
        hw_code laid = code == HW_OK ? lay_graph(m, s, before == 0, err) : code;
        if (laid != HW_OK) {
            if (before == 0) /* the rows are still the caller's */
                s->n_edges = 0;
            code = laid;
        }
        if (use == EXACT_SYMMETRY_FIRST)
            break;
    }
    if (code != HW_OK)
        exact_symmetry_free(s);
    return code;
}
