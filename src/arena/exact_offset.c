/*
 * exact: an allocation within a capacity, or of the least height, by search.
 *
 * Runs of the search (exact_offset_search.h) with different strategies take turns: one
 * finds in a few hundred steps what another misses for millions, and which one
 * it is changes from arena to arena.  A round gives every strategy a slice of
 * steps, as it is and with its keys multiplied by weights drawn at random; the next
 * round's slices are longer.  As a slice that is long enough ends with a proof,
 * every question is settled in the end.
 *
 * Without a capacity: start from greedy-by-size; in each round try the proven
 * bound first (the load, mostly: reached, it is the least), then halve what
 * is left between the heights that this round could not settle and the best known.
 *
 * A state is a step of a search: an item laid.  Limits by states give the same
 * outcome on every machine.
 */
#include <stdlib.h>
#include <string.h>

#include "arena/allocators.h"
#include "arena/clock.h"
#include "arena/exact_offset_search.h"
#include "core/memory.h"
#include "core/rng.h"

enum { SUPPORTS, SECTIONS, HEADS, HOLES, TWINS, CUTS, KEYS, NEXT, SLICE, WEIGHTS, N_PARAMS };

static const hw_param_row PARAMS[N_PARAMS] = {
    [SUPPORTS] = {"supports", HW_PARAM_BOOL, 0, 1, 1, NULL,
                  "a buffer that was passed over rests on one still to come"},
    [SECTIONS] = {"sections", HW_PARAM_BOOL, 0, 1, 1, NULL,
                  "what is still to come in a section of time must fit on its floor"},
    [HEADS] = {"heads", HW_PARAM_BOOL, 0, 1, 1, NULL,
               "the same for those that cannot lie below some height"},
    [HOLES] = {"holes", HW_PARAM_BOOL, 0, 1, 1, NULL, "no room is left that a later buffer fits"},
    [TWINS] = {"twins", HW_PARAM_BOOL, 0, 1, 1, NULL, "buffers that are alike keep their order"},
    [CUTS] = {"cuts", HW_PARAM_BOOL, 0, 1, 1, NULL,
              "sections that no buffer to come joins are searched apart"},
    [KEYS] = {"keys", HW_PARAM_CHOICE, 0, 0, 0, "race|wat|twa|taw|rwa|raw|zwa|owt",
              "ties by Total, Rest, Width, Area, siZe, Overlaps; race: take turns"},
    [NEXT] = {"next", HW_PARAM_CHOICE, 0, 0, 0, "race|lowest|fewest|relative|fullest",
              "lay the lowest buffer, or that of the section with fewest choices or most to come"},
    [SLICE] = {"slice", HW_PARAM_INT, 1, 1e9, 1000, NULL, "states of a strategy's first turn"},
    [WEIGHTS] = {"weights", HW_PARAM_BOOL, 0, 1, 1, NULL, "turns with weights drawn at random"},
};

enum { N_STRATEGIES = 8, N_WEIGHTED = 2 };

static const char *const KEYS_OF[] = {"WAT", "TWA", "TAW", "RWA", "RAW", "ZWA", "OWT"};
enum { N_KEYS = sizeof KEYS_OF / sizeof *KEYS_OF, N_CHOOSERS = OFFSET_FULLEST + 1 };
enum { MOST_STRATEGIES = N_KEYS * N_CHOOSERS };

/*
 * Those that take turns where neither keys nor next are asked for; the first
 * two, which gain most by it, also with weights.
 */
static const offset_strategy RACE[N_STRATEGIES] = {
    {"WAT", OFFSET_RELATIVE}, {"WAT", OFFSET_FULLEST}, {"WAT", OFFSET_LOWEST},
    {"TWA", OFFSET_LOWEST},   {"TAW", OFFSET_FEWEST},  {"WAT", OFFSET_FEWEST},
    {"TAW", OFFSET_RELATIVE}, {"TAW", OFFSET_LOWEST},
};

typedef struct race {
    const hw_arena *arena;
    const hw_placement_request *request;
    hw_placement *out;
    offset_problem problem;
    offset_search *search;
    offset_strategy strategy[MOST_STRATEGIES];
    uint32_t n_strategies;
    uint32_t *weight;
    gsl_rng *rng;
    hw_clock clock;
    bool over;     /* a limit was reached */
    uint64_t best; /* units; lowest height known, rounded up */
} race;

static bool past(void *context)
{
    race *r = context;
    r->over |= (r->request->stop && *r->request->stop) || hw_clock_over(&r->clock);
    return r->over;
}

/* ---- Outcomes. ---- */

static void take(race *r)
{
    const offset_problem *p = &r->problem;
    const uint64_t *offset = offset_search_offsets(r->search);
    uint64_t height = 0;
    for (uint32_t i = 0; i < p->n_items; i++)
        if (offset[i] + p->item[i].size > height)
            height = offset[i] + p->item[i].size;
    if (height >= r->best)
        return;
    r->best = height;
    r->out->height = height * p->unit;
    for (uint32_t i = 0; i < p->n_items; i++)
        r->out->offset[p->item[i].buffer] = offset[i] * p->unit;
}

/* What is proven: no allocation of `units`. */
static void exclude(race *r, uint64_t units)
{
    uint64_t bound = (units + 1) * r->problem.unit;
    if (bound > r->out->bound)
        r->out->bound = bound;
}

/* ---- Turns. ---- */

static hw_code turn(race *r, uint64_t capacity, const offset_strategy *strategy, bool weighted,
                    uint64_t slice, offset_outcome *outcome, hw_error *err)
{
    uint64_t used, states = r->request->states;
    if (weighted)
        for (uint32_t i = 0; i < r->problem.n_items; i++)
            r->weight[i] = 924 + (uint32_t)hw_rng_below(r->rng, 201);
    if (states && states - r->out->states < slice)
        slice = states - r->out->states;
    *outcome =
        offset_search_run(r->search, capacity, strategy, weighted ? r->weight : NULL, slice, &used);
    r->out->states += used;
    if (*outcome == OFFSET_NO_MEMORY)
        return hw_fail_memory(err, "the search");
    if (*outcome == OFFSET_FOUND)
        take(r);
    if (*outcome == OFFSET_IMPOSSIBLE)
        exclude(r, capacity);
    r->over |= states && r->out->states >= states;
    return HW_OK;
}

/* 1 1 2 1 1 2 4 ...: short turns often, long ones seldom (Luby, Sinclair, Zuckerman 1993). */
static uint64_t luby(uint64_t i)
{
    uint64_t power = 1;
    while (2 * power <= i)
        power *= 2;
    return i == 2 * power - 1 ? power : luby(i - power + 1);
}

static hw_code all_turns(race *r, uint64_t capacity, bool weighted, uint64_t slice,
                         offset_outcome *outcome, hw_error *err)
{
    hw_code code = HW_OK;
    uint32_t n = r->n_strategies;
    if (weighted && n > N_WEIGHTED)
        n = N_WEIGHTED;
    *outcome = OFFSET_CUT_SHORT;
    for (uint32_t i = 0; i < n; i++) {
        if (past(r))
            break;
        code = turn(r, capacity, &r->strategy[i], weighted, slice, outcome, err);
        if (code != HW_OK || *outcome != OFFSET_CUT_SHORT)
            break;
    }
    return code;
}

/*
 * A round at a capacity, until a strategy settles it: every strategy as it is, with a slice that
 * doubles from round to round, and the first ones with weights: in the first round for about as
 * many states, later for more, since the number of turns doubles and their mean length grows.
 */
static hw_code round_at(race *r, uint64_t capacity, uint32_t round, bool weights,
                        offset_outcome *outcome, hw_error *err)
{
    uint64_t slice = (uint64_t)r->request->params[SLICE].i;
    uint32_t level = round < 32 ? round : 32;
    hw_code code = all_turns(r, capacity, false, slice << level, outcome, err);
    for (uint64_t i = 1; weights && i >> level < N_STRATEGIES / N_WEIGHTED; i++) {
        if (code != HW_OK || *outcome != OFFSET_CUT_SHORT || r->over)
            break;
        code = all_turns(r, capacity, true, slice * luby(i), outcome, err);
    }
    return code;
}

static hw_code within(race *r, uint64_t capacity, hw_error *err)
{
    hw_code code = HW_OK;
    offset_outcome outcome = OFFSET_CUT_SHORT;
    for (uint32_t round = 0; code == HW_OK && outcome == OFFSET_CUT_SHORT && !r->over; round++)
        code = round_at(r, capacity, round, r->request->params[WEIGHTS].i != 0, &outcome, err);
    return code;
}

/* The lowest height that is not excluded, in units. */
static uint64_t open_from(const race *r)
{
    return r->out->bound / r->problem.unit + (r->out->bound % r->problem.unit != 0);
}

static hw_code least(race *r, hw_error *err)
{
    hw_code code = HW_OK;
    bool weights = r->request->params[WEIGHTS].i != 0;
    for (uint32_t round = 0; !r->over && open_from(r) < r->best; round++) {
        uint64_t from = open_from(r), target = from;
        while (code == HW_OK && !r->over && from < r->best) {
            offset_outcome outcome;
            bool first = target == open_from(r);
            code = round_at(r, target, first ? round : round / 2, first && weights, &outcome, err);
            if (outcome != OFFSET_FOUND)
                from = target + 1;
            if (from < r->best)
                target = from + (r->best - 1 - from) / 2;
        }
        if (code != HW_OK)
            return code;
    }
    return HW_OK;
}

/* ---- The allocator. ---- */

static void choose_strategies(race *r)
{
    const hw_param_value *v = r->request->params;
    if (v[NEXT].i == 0 && v[KEYS].i == 0) {
        memcpy(r->strategy, RACE, sizeof RACE);
        r->n_strategies = sizeof RACE / sizeof *RACE;
        return;
    }
    for (int next = 0; next < N_CHOOSERS; next++)
        for (int keys = 0; keys < N_KEYS; keys++)
            if ((v[NEXT].i == 0 || v[NEXT].i == next + 1) &&
                (v[KEYS].i == 0 || v[KEYS].i == keys + 1))
                r->strategy[r->n_strategies++] =
                    (offset_strategy){KEYS_OF[keys], (offset_chooser)next};
}

/* The best of the greedy rules, to begin with. */
static hw_code begin(race *r, hw_error *err)
{
    hw_placement first = {0};
    const hw_allocator *greedy = &hw_allocator_greedy_by_size;
    hw_placement_request request = {
        .seed = r->request->seed, .seconds = r->request->seconds, .stop = r->request->stop};
    hw_code code = hw_arena_place(r->arena, greedy, &request, &first, err);
    if (code == HW_LIMIT) { /* no time even for that: nothing is placed, and the bound stands */
        r->over = true;
        return HW_OK;
    }
    if (code != HW_OK)
        return code;
    r->out->offset = first.offset;
    r->out->height = first.height;
    r->out->placed = true;
    return HW_OK;
}

static hw_code prepare(race *r, hw_error *err)
{
    const hw_param_value *v = r->request->params;
    offset_rules rules = {v[SUPPORTS].i != 0, v[SECTIONS].i != 0, v[HEADS].i != 0,
                          v[HOLES].i != 0,    v[TWINS].i != 0,    v[CUTS].i != 0};
    hw_code code = offset_problem_init(&r->problem, r->arena, err);
    if (code == HW_OK)
        code = offset_search_new(&r->problem, &rules, past, r, &r->search, err);
    if (code != HW_OK)
        return code;
    r->weight = HW_NEW(uint32_t, r->problem.n_items);
    r->rng = hw_rng_new(r->request->seed);
    if (!r->weight || !r->rng)
        return hw_fail_memory(err, "the search");
    choose_strategies(r);
    r->best = r->out->height / r->problem.unit + (r->out->height % r->problem.unit != 0);
    return HW_OK;
}

/* Whether greedy and bound leave nothing to search. */
static bool settled(const race *r)
{
    uint64_t capacity = r->request->capacity;
    return r->out->height <= (capacity ? capacity : r->out->bound) ||
           (capacity && capacity < r->out->bound);
}

static hw_code search(race *r, hw_error *err)
{
    hw_code code = prepare(r, err);
    if (code == HW_LIMIT) /* too large: greedy and the bound are the answer */
        return HW_OK;
    uint64_t capacity = r->request->capacity;
    if (code == HW_OK)
        code = capacity ? within(r, capacity / r->problem.unit, err) : least(r, err);
    return code;
}

static hw_code place(const hw_arena *a, const hw_placement_request *request, hw_placement *out,
                     hw_error *err)
{
    race r = {.arena = a, .request = request, .out = out};
    r.clock = hw_clock_start(request->seconds);
    hw_code code = begin(&r, err);
    if (code == HW_OK && out->placed && !settled(&r))
        code = search(&r, err);
    if (code == HW_OK && request->capacity && out->height > request->capacity)
        out->placed = false;
    offset_search_free(r.search);
    offset_problem_clear(&r.problem);
    free(r.weight);
    if (r.rng)
        gsl_rng_free(r.rng);
    return code;
}

const hw_allocator hw_allocator_exact = {
    .name = "exact",
    .help = "searches for the least height, or within a capacity, and proves what it says",
    .source = "after Moffitt, MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated "
              "Machine Learning, ASPLOS 2023, doi 10.1145/3623278.3624752",
    .params = PARAMS,
    .n_params = N_PARAMS,
    .proves = true,
    .place = place,
};
