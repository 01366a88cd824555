/* Valleys and optima by search.  See exact_descent.h. */
#include "solvers/exact_descent.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact_valley.h"

/* The best way found so far: moves from the asked end, and their highest usage. */
typedef struct way {
    uint32_t *move;
    uint32_t count;
    uint64_t peak, live;
} way;

/* Walk the moves for their peak; the walk is fresh and stays at their end. */
static void measure(exact_walk *w, way *found)
{
    found->peak = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        uint64_t usage = exact_walk_usage(w, found->move[i]);
        if (usage > found->peak)
            found->peak = usage;
        exact_walk_do(w, found->move[i]);
    }
    found->live = w->live;
}

static bool measure_anew(const exact_problem *p, bool reverse, way *found)
{
    exact_walk w;
    if (exact_walk_init(&w, p, reverse, NULL) != HW_OK)
        return false;
    measure(&w, found);
    exact_walk_free(&w);
    return true;
}

/* Is there a way below the asked end within the budget? */
static exact_outcome look(exact_engine *e, const exact_profiler *c, uint64_t budget, way *found)
{
    exact_outcome outcome = exact_engine_run(e, budget, UINT64_MAX / 2, c->meter);
    if (outcome != EXACT_FOUND)
        return outcome;
    found->count = e->walk.count;
    memcpy(found->move, e->walk.trail, found->count * sizeof *found->move);
    return measure_anew(e->p, e->walk.reverse, found) ? EXACT_FOUND : EXACT_FAILED;
}

static exact_outcome open_engine(exact_engine *e, const exact_profiler *c,
                                 const exact_profile_ask *ask, const exact_problem *p)
{
    if (exact_engine_init(e, p, ask->reverse, &c->options->rules, c->options->memory_bytes / 2,
                          NULL) != HW_OK)
        return EXACT_FAILED;
    e->goal = ask->live;
    return EXACT_FOUND;
}

/* A way for the least hill: at low_hill, or by budgets that fall from high_hill. */
static exact_outcome find_way(const exact_profiler *c, const exact_profile_ask *ask,
                              const exact_problem *p, way *found)
{
    exact_engine e;
    uint64_t low = ask->low_hill, high = ask->high_hill;
    exact_outcome outcome = open_engine(&e, c, ask, p);
    if (outcome != EXACT_FOUND)
        return outcome;
    outcome = look(&e, c, low, found);
    exact_engine_free(&e);
    if (outcome != EXACT_NONE || high <= low)
        return outcome;
    outcome = open_engine(&e, c, ask, p); /* what is dead at low_hill is not above */
    if (outcome != EXACT_FOUND)
        return outcome;
    outcome = look(&e, c, high, found);
    bool any = outcome == EXACT_FOUND;
    while (outcome == EXACT_FOUND && found->peak > low + 1)
        outcome = look(&e, c, found->peak - 1, found);
    exact_engine_free(&e);
    return any && outcome == EXACT_NONE ? EXACT_FOUND : outcome;
}

/*
 * Keep of the way what leads to a least-live prefix between the asked end and
 * the way's own.  The moves in the middle are sorted by part, stably.
 */
static exact_outcome cut_way(const exact_profiler *c, const exact_profile_ask *ask,
                             const exact_problem *p, way *found)
{
    /* The stretch of the way, as a piece: its nodes and the order are in c. */
    uint32_t n = found->count, low = ask->reverse ? ask->high - n : ask->low;
    exact_problem *q;
    if (exact_problem_new(c->m, c->order, low, low + n, 0, 0, c->map, &q, NULL) != HW_OK)
        return EXACT_FAILED;
    uint32_t *part = HW_NEW(uint32_t, n), n_parts = 1, kept = 0;
    way shorter = {.move = HW_NEW(uint32_t, n)};
    exact_outcome outcome = EXACT_FAILED;
    if (part && shorter.move && exact_valley_parts(q, part, &n_parts, NULL) == HW_OK) {
        outcome = EXACT_FOUND;
        /* Nodes of q stand in execution order: the reverse of moves, backwards. */
        uint32_t far = ask->reverse ? 0 : n_parts - 1;
        for (uint32_t i = 0; i < n; i++)
            if (part[ask->reverse ? n - 1 - i : i] != far)
                shorter.move[kept++] = found->move[i];
        shorter.count = kept;
        if (kept && !measure_anew(p, ask->reverse, &shorter))
            outcome = EXACT_FAILED;
        if (outcome == EXACT_FOUND && kept && shorter.live < found->live) {
            memcpy(found->move, shorter.move, kept * sizeof *found->move);
            found->count = kept;
            found->peak = shorter.peak;
            found->live = shorter.live;
        }
    }
    free(part);
    free(shorter.move);
    exact_problem_free(q);
    return outcome;
}

/* The nodes of the way to the asked end of the order, the others as they are. */
static bool lay_way(const exact_profiler *c, const exact_profile_ask *ask, const exact_problem *p,
                    const way *found)
{
    uint8_t *taken = HW_NEW0(uint8_t, p->n);
    if (!taken)
        return false;
    uint32_t *order = c->order + ask->low, n = p->n, at = ask->reverse ? 0 : found->count;
    for (uint32_t i = 0; i < found->count; i++) {
        taken[found->move[i]] = 1;
        order[ask->reverse ? n - 1 - i : i] = p->node[found->move[i]];
    }
    for (uint32_t v = 0; v < n; v++)
        if (!taken[v])
            order[at++] = p->node[v];
    free(taken);
    return true;
}

exact_outcome exact_descent_step(exact_profiler *c, const exact_profile_ask *ask,
                                 const exact_problem *p, exact_segment *step)
{
    way found = {.move = HW_NEW(uint32_t, p->n)};
    exact_outcome outcome = found.move ? find_way(c, ask, p, &found) : EXACT_FAILED;
    if (outcome == EXACT_FOUND && !lay_way(c, ask, p, &found))
        outcome = EXACT_FAILED;
    if (outcome == EXACT_FOUND && found.count < p->n)
        outcome = cut_way(c, ask, p, &found);
    if (outcome == EXACT_FOUND && !lay_way(c, ask, p, &found))
        outcome = EXACT_FAILED;
    if (outcome == EXACT_FOUND)
        *step = (exact_segment){
            found.count, found.peak > ask->low_hill ? found.peak : ask->low_hill, found.live};
    free(found.move);
    return outcome;
}

static exact_outcome decide(exact_search *s, const exact_profiler *c, uint64_t budget, way *found)
{
    exact_outcome outcome = exact_search_decide(s, budget, c->meter, found->move);
    if (outcome != EXACT_FOUND)
        return outcome;
    return measure_anew(s->p, false, found) ? EXACT_FOUND : EXACT_FAILED;
}

exact_outcome exact_descent_cross(exact_profiler *c, const exact_profile_ask *ask,
                                  const exact_problem *p, uint64_t *hill)
{
    exact_search s;
    uint32_t *local = HW_NEW(uint32_t, p->n);
    if (!local || exact_search_init(&s, p, c->options, NULL) != HW_OK) {
        free(local);
        return EXACT_FAILED;
    }
    way found = {.move = local, .count = p->n};
    for (uint32_t v = 0; v < p->n; v++) /* the order in hand, whatever it is worth */
        local[v] = v;
    exact_outcome outcome = measure_anew(p, false, &found) ? EXACT_FOUND : EXACT_FAILED;
    uint64_t low = ask->low_hill, budget = ask->high_hill;
    bool any = false;
    if (outcome == EXACT_FOUND && found.peak > budget)
        outcome = decide(&s, c, budget, &found);
    while (outcome == EXACT_FOUND) {
        any = true;
        *hill = found.peak > low ? found.peak : low;
        for (uint32_t i = 0; i < p->n; i++)
            c->order[ask->low + i] = p->node[local[i]];
        if (found.peak <= low)
            break;
        outcome = decide(&s, c, found.peak - 1, &found);
    }
    exact_search_free(&s);
    free(local);
    return any && outcome == EXACT_NONE ? EXACT_FOUND : outcome;
}
