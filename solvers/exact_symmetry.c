/* Identical branches in the order of their numbers.  See exact_symmetry.h. */
#include "solvers/exact_symmetry.h"

#include <stdlib.h>
#include <string.h>

#include "core/bitset.h"
#include "core/memory.h"
#include "solvers/exact_maps.h"

enum {
    MOST_NODES = 16384, /* sets of ancestors take n * n / 8 bytes, twice */
    MOST_ROUNDS = 32
};
static const uint64_t most_work = 100000000; /* edges and vertices looked at */

/* One round: what the maps of one instance are used for. */
typedef struct round {
    const hw_model *m;
    exact_symmetry *s;
    exact_symmetry_use use;
    uint32_t number, n, words;
    uint32_t *position;  /* of a node in a topological order                       */
    uint64_t *above;     /* of a node: its ancestors and itself, before this round */
    uint64_t *above_now; /* the same with the edges of this round                  */
    uint32_t *choice;    /* nodes                                                  */
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

/* May the map be used as (C)?  Sorts the smaller nodes of its pairs. */
static bool is_chain(round *r, const uint32_t *image)
{
    uint32_t count = 0;
    for (uint32_t u = 0; u < r->n; u++) {
        if (image[image[u]] != u)
            return false;
        if (u < image[u])
            r->choice[count++] = u;
    }
    for (uint32_t i = 1; i < count; i++) { /* nearly in order as a rule */
        uint32_t u = r->choice[i], at = i;
        for (; at > 0 && r->position[r->choice[at - 1]] > r->position[u]; at--)
            r->choice[at] = r->choice[at - 1];
        r->choice[at] = u;
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
static bool use_map(void *context, uint32_t a, const uint32_t *image)
{
    round *r = context;
    exact_symmetry *s = r->s;
    void *array = s->map;
    if (!hw_grow(&array, &s->map_capacity, s->n_maps + 1, sizeof *s->map))
        return false;
    s->map = array;
    exact_symmetry_map *map = &s->map[s->n_maps++];
    *map = (exact_symmetry_map){r->number, r->use == EXACT_SYMMETRY_ALL && is_chain(r, image),
                                s->n_pairs};
    for (uint32_t u = 0; u < r->n; u++) {
        if (image[u] == u)
            continue;
        array = s->pair;
        if (!hw_grow(&array, &s->pair_capacity, s->n_pairs + 1, sizeof *s->pair))
            return false;
        s->pair = array;
        s->pair[s->n_pairs++] = (hw_control_edge){u, image[u]};
        if (map->chain && u < image[u] && !add_edge(r, u, image[u]))
            return false;
    }
    return add_edge(r, a, image[a]);
}

/* The edge from a to b would say nothing new. */
static bool is_known(void *context, uint32_t a, uint32_t b)
{
    const round *r = context;
    return is_before(r, r->above_now, a, b);
}

static void free_round(round *r)
{
    free(r->position);
    free(r->above);
    free(r->above_now);
    free(r->choice);
}

static bool start_round(void *context)
{
    round *r = context;
    size_t set_words = (size_t)r->n * r->words;
    r->position = HW_NEW(uint32_t, r->n);
    r->above = HW_NEW0(uint64_t, set_words);
    r->above_now = HW_NEW(uint64_t, set_words);
    r->choice = HW_NEW(uint32_t, r->n);
    if (!r->position || !r->above || !r->above_now || !r->choice ||
        hw_graph_level_order(r->m->graph, r->choice, NULL) != HW_OK)
        return false;
    hw_order_positions(r->choice, r->n, r->position);
    lay_above(r, r->choice);
    return true;
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
    round r = {.m = &s->model, .s = s, .use = use, .number = number, .n = s->model.n_nodes};
    r.words = (uint32_t)hw_words(r.n);
    exact_structure structure;
    exact_map_user user = {&r, start_round, is_known, use_map};
    hw_code code = exact_structure_of_graph(r.m->graph, r.m->pin_inputs, &structure, err);
    if (code != HW_OK)
        return code;
    code = exact_maps_find(&structure, r.n, &user, most_work, work, &s->complete, err);
    free_round(&r);
    exact_structure_free(&structure);
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
