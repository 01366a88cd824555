/* Profiles of pieces.  See exact_profile.h. */
#include "solvers/exact_profile.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solvers/exact_components.h"
#include "solvers/exact_descent.h"
#include "solvers/exact_parts.h"

enum { MOST_DEPTH = 400 }; /* components inside components; beyond, a search */

void exact_profile_free(exact_profile *profile)
{
    free(profile->segment);
    memset(profile, 0, sizeof *profile);
}

uint64_t exact_profile_peak(const exact_profile *profile)
{
    uint64_t hill = profile->count ? profile->segment[profile->count - 1].hill : 0;
    return hill > profile->tail_hill ? hill : profile->tail_hill;
}

bool exact_profile_append(exact_profile *profile, uint32_t nodes, uint64_t hill, uint64_t live)
{
    profile->tail_nodes += nodes;
    if (hill > profile->tail_hill)
        profile->tail_hill = hill;
    if (live > profile->tail_hill)
        profile->tail_hill = live;
    if (live >= profile->lowest)
        return true;
    exact_segment s = {profile->tail_nodes, profile->tail_hill, live};
    profile->lowest = live;
    profile->tail_nodes = 0;
    profile->tail_hill = 0;
    if (profile->count && profile->segment[profile->count - 1].hill >= s.hill) {
        profile->segment[profile->count - 1].nodes += s.nodes;
        profile->segment[profile->count - 1].valley = live;
        return true;
    }
    void *array = profile->segment;
    if (!hw_grow(&array, &profile->capacity, profile->count + 1, sizeof s))
        return false;
    profile->segment = array;
    profile->segment[profile->count++] = s;
    return true;
}

/* Stretches of the piece yet to be passed, the next one on top. */
typedef struct stretch {
    uint32_t low, high;
    bool no_cut, no_valley;
} stretch;

typedef struct passage {
    exact_profiler *c;
    const exact_profile_ask *ask;
    exact_profile *out;
    stretch *stack;
    size_t count, capacity;
    uint64_t live; /* at the near end of the next stretch */
} passage;

static bool push(passage *w, stretch s)
{
    void *array = w->stack;
    if (!hw_grow(&array, &w->capacity, w->count + 1, sizeof s))
        return false;
    w->stack = array;
    w->stack[w->count++] = s;
    return true;
}

/* The stretch falls into parts that follow each other: the near one on top. */
static bool push_parts(passage *w, const stretch *s, const exact_problem *p,
                       const exact_parts *parts, bool by_cuts)
{
    for (uint32_t i = 0; i < p->n; i++)
        w->c->order[s->low + i] = p->node[parts->order[i]];
    for (uint32_t i = 0; i < parts->count; i++) {
        uint32_t k = w->ask->reverse ? i : parts->count - 1 - i;
        stretch part = {s->low + (k ? parts->end[k - 1] : 0), s->low + parts->end[k], by_cuts,
                        !by_cuts};
        if (!push(w, part))
            return false;
    }
    return true;
}

static uint64_t far_live(const passage *w, const exact_problem *p)
{
    return w->ask->reverse ? p->live_start : p->live_end;
}

/* Hills up to here cost nothing any more. */
static uint64_t low_hill(const passage *w)
{
    uint64_t peak = exact_profile_peak(w->out);
    return peak > w->ask->low_hill ? peak : w->ask->low_hill;
}

/*
 * A question about the stretch alone, from its near or its far end.  Every
 * order passes through both, so live there is no hill.
 */
static exact_profile_ask ask_for(const passage *w, const stretch *s, uint64_t far, bool near)
{
    uint64_t live = near ? w->live : far, low = low_hill(w);
    return (exact_profile_ask){.low = s->low,
                               .high = s->high,
                               .reverse = near == w->ask->reverse,
                               .live = live,
                               .low_hill = low > live ? low : live,
                               .high_hill = w->ask->high_hill};
}

/*
 * Components: the stretch falls strictly from the near end or, if not, from
 * the far one, and then only its optimum counts.
 */
static exact_outcome pass_components(passage *w, const stretch *s, uint64_t far,
                                     exact_component *list, uint32_t n)
{
    bool falls = far < w->live, good = true;
    exact_profile_ask ask = ask_for(w, s, far, falls);
    exact_profile inner = {.lowest = ask.live};
    exact_outcome outcome = exact_components_merge(w->c, &ask, list, n, &inner);
    for (size_t i = 0; falls && i < inner.count && good; i++) {
        const exact_segment *g = &inner.segment[i];
        good = exact_profile_append(w->out, g->nodes, g->hill, g->valley);
    }
    if (!falls && outcome == EXACT_FOUND)
        good = exact_profile_append(w->out, s->high - s->low, exact_profile_peak(&inner), far);
    exact_profile_free(&inner);
    w->live = far;
    return good ? outcome : EXACT_FAILED;
}

/* No parts at all: the first valley if the stretch falls, else across it. */
static exact_outcome pass_search(passage *w, stretch s, const exact_problem *p)
{
    uint64_t far = far_live(w, p);
    bool falls = far < w->live;
    exact_profile_ask ask = ask_for(w, &s, far, true);
    exact_segment step = {p->n, 0, far};
    exact_outcome outcome = falls ? exact_descent_step(w->c, &ask, p, &step)
                                  : exact_descent_cross(w->c, &ask, p, &step.hill);
    if (outcome != EXACT_FOUND)
        return outcome;
    if (!exact_profile_append(w->out, step.nodes, step.hill, step.valley))
        return EXACT_FAILED;
    w->live = step.valley;
    if (w->ask->reverse)
        s.high -= step.nodes;
    else
        s.low += step.nodes;
    s.no_cut = s.no_valley = false;
    return s.low == s.high || push(w, s) ? EXACT_FOUND : EXACT_FAILED;
}

static exact_outcome pass_node(passage *w, const exact_problem *p)
{
    exact_walk walk;
    if (exact_walk_init(&walk, p, false, NULL) != HW_OK)
        return EXACT_FAILED;
    uint64_t hill = exact_walk_usage(&walk, 0), low = low_hill(w), far = far_live(w, p);
    exact_walk_free(&walk);
    if (hill < low)
        hill = low;
    if (hill > w->ask->high_hill || far > w->ask->high_hill)
        return EXACT_NONE;
    w->live = far;
    return exact_profile_append(w->out, 1, hill, far) ? EXACT_FOUND : EXACT_FAILED;
}

/*
 * Parts that follow each other are pushed; components are laid out in *list,
 * *n of them, for when the problem is released; the rest is settled here.
 */
static exact_outcome pass_problem(passage *w, const stretch *s, const exact_problem *p,
                                  exact_parts *parts, exact_component **list, uint32_t *n)
{
    if (w->c->cuts && !s->no_cut) {
        if (exact_parts_by_cuts(p, parts, NULL) != HW_OK)
            return EXACT_FAILED;
        if (parts->count > 1)
            return push_parts(w, s, p, parts, true) ? EXACT_FOUND : EXACT_FAILED;
    }
    if (!s->no_valley) {
        if (exact_parts_by_valleys(p, parts, NULL) != HW_OK)
            return EXACT_FAILED;
        if (parts->count > 1)
            return push_parts(w, s, p, parts, false) ? EXACT_FOUND : EXACT_FAILED;
    }
    if (far_live(w, p) > w->ask->high_hill)
        return EXACT_NONE; /* and no valley comes before */
    if (w->c->depth >= MOST_DEPTH)
        return pass_search(w, *s, p);
    if (exact_parts_by_components(p, parts, NULL) != HW_OK)
        return EXACT_FAILED;
    if (parts->count == 1)
        return pass_search(w, *s, p);
    *list = HW_NEW(exact_component, parts->count);
    if (!*list)
        return EXACT_FAILED;
    *n = parts->count;
    exact_components_lay(p, parts, s->low, *list);
    for (uint32_t i = 0; i < p->n; i++)
        w->c->order[s->low + i] = p->node[parts->order[i]];
    return EXACT_FOUND;
}

static exact_outcome pass(passage *w)
{
    exact_profiler *c = w->c;
    stretch s = w->stack[--w->count];
    exact_problem *p;
    exact_parts parts;
    exact_component *list = NULL;
    uint32_t n = 0;
    if (hw_meter_look(c->meter))
        return EXACT_OVER;
    if (exact_problem_new(c->m, c->order, s.low, s.high, w->live, c->options->memory_bytes / 2,
                          c->map, &p, NULL) != HW_OK)
        return EXACT_FAILED;
    if (w->ask->reverse) { /* live is known at the other end */
        uint64_t rise = p->live_end - p->live_start;
        p->live_end = w->live;
        p->live_start = w->live - rise;
    }
    uint64_t far = far_live(w, p);
    exact_outcome outcome = EXACT_FAILED;
    if (p->n == 1) {
        outcome = pass_node(w, p);
    } else if (exact_parts_init(&parts, p->n, NULL) == HW_OK) {
        outcome = pass_problem(w, &s, p, &parts, &list, &n);
        exact_parts_free(&parts);
    }
    exact_problem_free(p);
    if (outcome == EXACT_FOUND && n)
        outcome = pass_components(w, &s, far, list, n);
    free(list);
    return outcome;
}

exact_outcome exact_profile_find(exact_profiler *c, const exact_profile_ask *ask,
                                 exact_profile *out)
{
    passage w = {.c = c, .ask = ask, .out = out, .live = ask->live};
    *out = (exact_profile){.lowest = ask->live};
    exact_outcome outcome =
        push(&w, (stretch){ask->low, ask->high, false, false}) ? EXACT_FOUND : EXACT_FAILED;
    c->depth++;
    while (outcome == EXACT_FOUND && w.count)
        outcome = pass(&w);
    c->depth--;
    free(w.stack);
    return outcome;
}
