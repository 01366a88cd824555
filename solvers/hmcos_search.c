/* The search of hmcos.  See hmcos_search.h. */
#include "solvers/hmcos_search.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* A set of units that have run, and how it was reached. */
typedef struct place {
    uint64_t live, peak, hash;
} place;

typedef struct move {
    uint64_t live, peak, hash; /* after it */
    const uint32_t *nodes;     /* in the order in which the unit runs */
    uint32_t parent, unit;
} move;

typedef struct back {
    const uint32_t *nodes;
    uint32_t parent, unit;
} back;

/* The sets of one size; row i of `sets`: nodes that have run, units that are ready. */
typedef struct level {
    place *places;
    uint64_t *sets;
    back *backs; /* count of them; kept for the way back */
    size_t count, capacity;
} level;

typedef struct search {
    hmcos_run *run;
    const hmcos_units *units;
    uint64_t budget, left; /* moves that may still be tried */
    size_t words, stride;  /* of a set of nodes; of a row   */
    level now, next;
    back **backs; /* by size */
    move *moves;
    size_t n_moves, moves_capacity;
    uint64_t *seen; /* hashes of a level, open addressing; 0: empty */
    size_t n_seen;
    uint32_t *due; /* under windows: nodes left by the last position they may take */
} search;

/* ---- One move. ---- */

typedef struct result {
    uint64_t live, peak;
} result;

/* Run nodes after `set`, which grows.  False: a step passes the budget. */
static bool run_nodes(const hw_dp_problem *p, uint64_t *set, const uint32_t *nodes, uint32_t count,
                      uint64_t budget, result *r)
{
    const hw_model *m = p->m;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t v = nodes[i];
        uint64_t after = r->live + p->net[v] - hw_dp_freed(p, set, v, p->words);
        uint64_t usage = (m->accounting == HW_FREE_FIRST ? after : r->live) + p->cost[v];
        if (m->reuse_offset)
            usage -= hw_dp_reuse(p, set, v);
        if (usage > budget)
            return false;
        if (usage > r->peak)
            r->peak = usage;
        r->live = after;
        hw_bits_add(set, v);
    }
    return true;
}

/* ---- A group as one unit. ---- */

static hw_code search_units(hmcos_run *run, const hmcos_units *units, const uint64_t *start,
                            place from, uint64_t budget, uint64_t effort, uint32_t *order,
                            bool *found, hw_error *err);

/*
 * How the group runs after `set`: in reverse post-order where that does not
 * lift the peak, else as a search of its own finds best.  *nodes is NULL where
 * no way is within the budget.
 */
static hw_code plan_group(search *s, uint32_t unit, const uint64_t *set, const place *from,
                          const uint32_t **nodes, hw_error *err)
{
    hmcos_run *run = s->run;
    const uint32_t group = s->units->group[unit], first = s->units->nodes.offset[unit];
    const uint32_t count = s->units->nodes.offset[unit + 1] - first;
    result r = {from->live, from->peak};
    memcpy(run->scratch, set, s->words * sizeof *set);
    *nodes = s->units->nodes.item + first;
    if (run_nodes(&run->problem, run->scratch, *nodes, count, from->peak, &r))
        return HW_OK;
    *nodes = NULL;
    hmcos_plan *way;
    hw_code code = hmcos_plans_find(&run->plans[group], run->graph, group, set, &way, err);
    if (code != HW_OK)
        return code;
    const uint64_t room = s->budget - from->live;
    if (!way->nodes && (way->failed == 0 || room > way->failed)) {
        uint32_t *order = HW_NEW(uint32_t, count);
        bool found = false;
        place start = {.live = from->live, .peak = from->live};
        code = order ? search_units(run, &run->plans[group].units, set, start, s->budget,
                                    run->group_effort, order, &found, err)
                     : hw_fail_memory(err, "the groups of a graph");
        if (found) {
            way->nodes = order;
        } else {
            free(order);
            way->failed = room;
        }
    }
    *nodes = way->nodes;
    return code;
}

/* ---- One level. ---- */

/* The first position up to which the nodes left need every one that is left. */
static uint32_t find_tight(search *s, const uint64_t *set, uint32_t step)
{
    const hw_model *m = s->run->graph->m;
    uint32_t due = 0, at = step;
    memset(s->due, 0, m->n_nodes * sizeof *s->due);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        if (!hw_bits_have(set, v))
            s->due[m->latest[v]]++;
    for (; at < m->n_nodes; at++) {
        due += s->due[at];
        if (due == at - step + 1)
            break;
    }
    return at;
}

/* Under windows a unit is one node: may it be the next, so that the rest can be completed? */
static bool fits_windows(const search *s, uint32_t unit, uint32_t step, uint32_t tight)
{
    const hw_model *m = s->run->graph->m;
    uint32_t v = s->units->nodes.item[s->units->nodes.offset[unit]];
    return m->earliest[v] <= step && m->latest[v] <= tight;
}

static hw_code try_move(search *s, uint32_t parent, uint32_t unit, hw_error *err)
{
    const hmcos_units *u = s->units;
    const uint64_t *set = s->now.sets + parent * s->stride;
    const place *from = &s->now.places[parent];
    const uint32_t *nodes = u->nodes.item + u->nodes.offset[unit];
    if (u->group[unit] != HW_NONE) {
        hw_code code = plan_group(s, unit, set, from, &nodes, err);
        if (code != HW_OK || !nodes)
            return code;
    }
    result r = {from->live, from->peak};
    memcpy(s->run->scratch, set, s->words * sizeof *set);
    if (!run_nodes(&s->run->problem, s->run->scratch, nodes,
                   u->nodes.offset[unit + 1] - u->nodes.offset[unit], s->budget, &r))
        return HW_OK;
    if (!hw_grow((void **)&s->moves, &s->moves_capacity, s->n_moves + 1, sizeof *s->moves))
        return hw_fail_memory(err, "the moves of a search");
    s->moves[s->n_moves++] =
        (move){r.live, r.peak, from->hash ^ u->hash[unit], nodes, parent, unit};
    return HW_OK;
}

/* All moves of a level.  Stops early when the meter says so. */
static hw_code list_moves(search *s, uint32_t step, hw_error *err)
{
    s->n_moves = 0;
    for (uint32_t i = 0; i < s->now.count; i++) {
        const uint64_t *set = s->now.sets + i * s->stride, *ready = set + s->words;
        uint32_t tight = s->due ? find_tight(s, set, step) : 0, tried = 0;
        for (size_t k = 0; k < s->stride - s->words; k++)
            for (uint64_t bits = ready[k]; bits; bits &= bits - 1) {
                uint32_t unit = (uint32_t)(64 * k) + hw_lowest_bit(bits);
                if (s->due && !fits_windows(s, unit, step, tight))
                    continue;
                hw_code code = try_move(s, i, unit, err);
                if (code != HW_OK)
                    return code;
                tried++;
            }
        s->left -= tried < s->left ? tried : s->left;
        if (hw_meter_count(s->run->meter, tried))
            return HW_OK;
    }
    return HW_OK;
}

static int by_rank(const void *left, const void *right)
{
    const move *a = left, *b = right;
    if (a->peak != b->peak)
        return a->peak < b->peak ? -1 : 1;
    if (a->live != b->live)
        return a->live < b->live ? -1 : 1;
    if (a->parent != b->parent)
        return a->parent < b->parent ? -1 : 1;
    return a->unit < b->unit ? -1 : a->unit > b->unit;
}

/* First time on this level?  Two sets of one hash lose one: a heuristic. */
static bool is_new(search *s, uint64_t hash)
{
    const uint64_t key = hash ? hash : 1;
    size_t at = (size_t)key & (s->n_seen - 1);
    for (; s->seen[at]; at = (at + 1) & (s->n_seen - 1))
        if (s->seen[at] == key)
            return false;
    s->seen[at] = key;
    return true;
}

static bool clear_seen(search *s, size_t count)
{
    size_t need = 64;
    while (need < 2 * count)
        need *= 2;
    if (need > s->n_seen) {
        free(s->seen);
        s->seen = HW_NEW(uint64_t, need);
        s->n_seen = s->seen ? need : 0;
    }
    if (s->seen)
        memset(s->seen, 0, s->n_seen * sizeof *s->seen);
    return s->seen != NULL;
}

static bool make_room(search *s, level *l, size_t count)
{
    size_t places = l->capacity, sets = l->capacity, backs = 0;
    if (!hw_grow((void **)&l->backs, &backs, count, sizeof *l->backs))
        return false;
    if (count <= l->capacity)
        return true;
    if (!hw_grow((void **)&l->places, &places, count, sizeof *l->places) ||
        !hw_grow((void **)&l->sets, &sets, count, s->stride * sizeof *l->sets))
        return false;
    l->capacity = places < sets ? places : sets;
    return true;
}

/* The set after a move at the end of `next`; the number of units ready then. */
static uint32_t append(search *s, const move *c)
{
    const hmcos_units *u = s->units;
    const uint64_t *from = s->now.sets + c->parent * s->stride;
    const uint32_t count = u->nodes.offset[c->unit + 1] - u->nodes.offset[c->unit];
    uint64_t *set = s->next.sets + s->next.count * s->stride, *ready = set + s->words;
    uint32_t n_ready = 0;
    memcpy(set, from, s->stride * sizeof *set);
    for (uint32_t i = 0; i < count; i++)
        hw_bits_add(set, c->nodes[i]);
    hw_bits_remove(ready, c->unit);
    for (uint32_t i = u->succs.offset[c->unit]; i < u->succs.offset[c->unit + 1]; i++) {
        uint32_t y = u->succs.item[i], k = u->preds.offset[y];
        while (k < u->preds.offset[y + 1] &&
               hw_bits_have(set, u->nodes.item[u->nodes.offset[u->preds.item[k]]]))
            k++;
        if (k == u->preds.offset[y + 1])
            hw_bits_add(ready, y);
    }
    for (size_t k = 0; k < s->stride - s->words; k++)
        n_ready += hw_count_bits(ready[k]);
    s->next.places[s->next.count] = (place){c->live, c->peak, c->hash};
    s->next.backs[s->next.count++] = (back){c->nodes, c->parent, c->unit};
    return n_ready;
}

/* Keep the best sets whose moves, `allowed` in all, may still be tried. */
static bool take_best(search *s, uint64_t allowed)
{
    const uint64_t row = s->stride * sizeof(uint64_t) + sizeof(place) + sizeof(back);
    size_t most = allowed < s->n_moves ? (size_t)allowed : s->n_moves; /* each promises one */
    if (s->run->most_bytes && s->run->most_bytes / (2 * row) + 1 < most)
        most = (size_t)(s->run->most_bytes / (2 * row)) + 1;
    s->next.count = 0;
    s->next.backs = NULL;
    if (s->n_moves) /* qsort must not see a list that was never laid */
        qsort(s->moves, s->n_moves, sizeof *s->moves, by_rank);
    if (!clear_seen(s, s->n_moves) || !make_room(s, &s->next, most))
        return false;
    uint64_t promised = 0;
    for (size_t i = 0; i < s->n_moves && promised < allowed && s->next.count < most; i++)
        if (is_new(s, s->moves[i].hash))
            promised += append(s, &s->moves[i]);
    return true;
}

/* ---- The whole. ---- */

static hw_code search_open(search *s, const uint64_t *start, place from, hw_error *err)
{
    const hmcos_units *u = s->units;
    const hw_model *m = s->run->graph->m;
    s->words = s->run->problem.words;
    s->stride = s->words + hw_words(u->count);
    s->backs = HW_NEW0(back *, (size_t)u->count + 1);
    s->due = m->earliest ? HW_NEW(uint32_t, m->n_nodes) : NULL;
    bool laid = make_room(s, &s->now, 1);
    if (!s->backs || (m->earliest && !s->due) || !laid)
        return hw_fail_memory(err, "a search");
    memset(s->now.sets, 0, s->stride * sizeof *s->now.sets);
    memcpy(s->now.sets, start, s->words * sizeof *start);
    for (uint32_t k = 0; k < u->count; k++)
        if (u->preds.offset[k] == u->preds.offset[k + 1])
            hw_bits_add(s->now.sets + s->words, k);
    s->now.places[0] = from;
    s->now.count = 1;
    s->backs[0] = s->now.backs;
    return HW_OK;
}

static void search_close(search *s)
{
    bool listed = s->backs && s->backs[0];
    for (uint32_t k = 0; listed && k <= s->units->count; k++)
        free(s->backs[k]);
    if (!listed)
        free(s->now.backs);
    free(s->backs);
    free(s->now.places);
    free(s->now.sets);
    free(s->next.places);
    free(s->next.sets);
    free(s->moves);
    free(s->seen);
    free(s->due);
}

static void trace_back(const search *s, uint32_t *order)
{
    const hw_rows *nodes = &s->units->nodes;
    uint32_t end = nodes->offset[s->units->count], state = 0;
    for (uint32_t k = s->units->count; k > 0; k--) {
        const back *b = &s->backs[k][state];
        uint32_t count = nodes->offset[b->unit + 1] - nodes->offset[b->unit];
        end -= count;
        memcpy(order + end, b->nodes, count * sizeof *order);
        state = b->parent;
    }
}

/* From the set `start`, of the figures `from`. */
static hw_code search_units(hmcos_run *run, const hmcos_units *units, const uint64_t *start,
                            place from, uint64_t budget, uint64_t effort, uint32_t *order,
                            bool *found, hw_error *err)
{
    search s = {.run = run, .units = units, .budget = budget, .left = effort};
    *found = false;
    hw_code code = search_open(&s, start, from, err);
    for (uint32_t k = 0; code == HW_OK && k < units->count && s.now.count; k++) {
        code = list_moves(&s, k, err);
        if (code != HW_OK || run->meter->over)
            break;
        uint64_t allowed = s.left / (units->count - k);
        if (!take_best(&s, allowed ? allowed : 1)) {
            free(s.next.backs);
            code = hw_fail_memory(err, "a search");
            break;
        }
        level done = s.now;
        s.now = s.next;
        s.next = done;
        s.backs[k + 1] = s.now.backs;
    }
    if (code == HW_OK && !run->meter->over && s.now.count) {
        trace_back(&s, order);
        *found = true;
    }
    search_close(&s);
    return code;
}

hw_code hmcos_run_open(hmcos_run *run, const hmcos_graph *graph, hw_error *err)
{
    run->graph = graph;
    run->plans = HW_NEW0(hmcos_plans, graph->n_groups);
    hw_code code = hw_dp_problem_open(&run->problem, graph->m, err);
    run->scratch = HW_NEW(uint64_t, hw_words(graph->m->n_nodes));
    if (!run->plans || !run->scratch)
        return hw_fail_memory(err, "a search");
    return code;
}

void hmcos_run_close(hmcos_run *run)
{
    for (uint32_t i = 0; run->plans && i < run->graph->n_groups; i++)
        hmcos_plans_clear(&run->plans[i]);
    free(run->plans);
    free(run->scratch);
    hw_dp_problem_close(&run->problem);
}

hw_code hmcos_search(hmcos_run *run, uint64_t budget, uint32_t *order, bool *found, hw_error *err)
{
    const hw_model *m = run->graph->m;
    hmcos_units units;
    *found = false;
    uint64_t *none = HW_NEW0(uint64_t, run->problem.words);
    hw_code code = hmcos_units_open(&units, run->graph, HW_NONE, err);
    if (code == HW_OK && !none)
        code = hw_fail_memory(err, "a search");
    if (code == HW_OK && m->live_empty <= budget)
        code = search_units(run, &units, none, (place){m->live_empty, m->live_empty, 0}, budget,
                            run->effort, order, found, err);
    hmcos_units_close(&units);
    free(none);
    return code;
}
