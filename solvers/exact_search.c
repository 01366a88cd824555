/*
 * The two directions in turn, or at once.  See exact_search.h.
 *
 * On two processors the reverse search takes its turns ahead of time, in a
 * thread.  What it proves ends the search at once: that no order fits is so,
 * whoever finds it out first.  An order that it finds waits until its turn has
 * come, so that orders, and with them all budgets, are those of one processor.
 * For the same reason the reverse search of a long search begins anew whenever
 * the budget falls by another's order, as how far it has come by then is a
 * matter of time.  (That costs little: the dead prefixes lost are those of a
 * budget that was too high.)  Only the number of states that went into a proof
 * may differ; a limit of states is kept by turns.
 */
#include "solvers/exact_search.h"

#include <string.h>

#include "solvers/exact_beam.h"

enum {
    FIRST_SHARE = 500,        /* states of the first turn                    */
    FIRST_BEAM_STATES = 2000, /* states after which the first beam is worth it */
    IMAGES_STATES = 500,      /* states after which maps of the piece are */
    LONG_STATES = 4000,       /* states after which a second thread is worth it */
    SLICE_STATES = 256,       /* of a forward turn between two looks at the other */
    NEW_SHARE = 1000,         /* the largest first share of a new budget          */
    JUDGED_SHARE = 2000,      /* share from which the better direction gets more  */
    LESS = 4,                 /* and the other one so many times less             */
    CHEAPER = 4               /* states backwards in the time of one forwards     */
};

static hw_code open_engine(exact_search *s, uint32_t r, hw_error *err)
{
    const exact_options *o = s->options;
    uint64_t memory = o->memory_bytes / (o->direction == EXACT_BOTH ? 4 : 2);
    hw_code code = exact_engine_init(&s->engine[r], s->p, r == 1, &o->rules, memory, err);
    s->open[r] = code == HW_OK;
    if (s->looked)
        s->engine[r].images = &s->images;
    return code;
}

hw_code exact_search_init(exact_search *s, const exact_problem *p, const exact_options *options,
                          hw_error *err)
{
    memset(s, 0, sizeof *s);
    s->p = p;
    s->options = options;
    s->share = FIRST_SHARE;
    hw_code code = HW_OK;
    for (uint32_t r = 0; r < 2 && code == HW_OK; r++)
        if (options->direction != (r ? EXACT_FORWARD : EXACT_REVERSE))
            code = open_engine(s, r, err);
    s->turn = s->open[0] ? 0 : 1;
    if (code != HW_OK)
        exact_search_free(s);
    return code;
}

void exact_search_free(exact_search *s)
{
    exact_pair_free(s->pair);
    for (int r = 0; r < 2; r++)
        if (s->open[r])
            exact_engine_free(&s->engine[r]);
    exact_images_free(&s->images);
    memset(s, 0, sizeof *s);
}

/* Maps of the piece when the search has become long.  False: out of memory. */
static bool find_images(exact_search *s)
{
    if (!s->options->symmetry || s->looked || s->states < IMAGES_STATES)
        return true;
    s->looked = true;
    if (exact_images_find(s->p, &s->images, NULL) != HW_OK)
        return false;
    s->engine[0].images = s->engine[1].images = &s->images;
    return true;
}

/* A beam each way when the search has become long, a wider one later. */
static exact_outcome try_beam(exact_search *s, uint64_t budget, hw_meter *meter, uint32_t *order)
{
    uint64_t due = FIRST_BEAM_STATES;
    for (uint32_t i = 0; i < s->beams / 2; i++)
        due *= 32;
    if (!s->options->beam || s->beams >= 4 || s->states < due || budget == UINT64_MAX)
        return EXACT_NONE;
    uint32_t width = s->beams < 2 ? (s->options->beam + 3) / 4 : s->options->beam;
    bool found;
    uint32_t reverse = s->beams++ % 2 == 0;
    if (exact_beam(s->p, reverse, width, budget + 1, meter, order, &found, NULL) != HW_OK)
        return EXACT_FAILED;
    return found ? EXACT_FOUND : EXACT_NONE;
}

/* The forward turn, given up when the reverse search has a proof. */
static exact_outcome take_forward_turn(exact_search *s, uint64_t budget, uint64_t share,
                                       hw_meter *meter)
{
    exact_outcome outcome = EXACT_PAUSED;
    for (uint64_t left = share; left && outcome == EXACT_PAUSED;) {
        uint64_t slice = left < SLICE_STATES ? left : SLICE_STATES;
        if (exact_pair_has_proof(s->pair))
            break;
        outcome = exact_engine_run(&s->engine[0], budget, slice, meter);
        left -= slice;
    }
    if (outcome != EXACT_PAUSED || !exact_pair_has_proof(s->pair))
        return outcome;
    s->turn = 1; /* the turns up to the proof */
    return exact_pair_take(s->pair, UINT64_MAX, meter, &s->pace[1].progress);
}

/* The states that a direction seems to need, in the time of forward ones. */
static uint64_t seems_left(const exact_pace *x, bool reverse)
{
    if (x->progress <= x->first_progress)
        return UINT64_MAX;
    uint64_t left = (x->states - x->first_states) * (uint64_t)-x->progress /
                    (uint64_t)(x->progress - x->first_progress);
    return reverse ? left / CHEAPER : left;
}

/*
 * The states of the next turn.  The directions differ by orders of magnitude,
 * mostly; the one that seems nearer to its end gets most of the work.
 */
static uint64_t turn_share(const exact_search *s)
{
    uint64_t share = s->turn ? CHEAPER * s->share : s->share;
    if (s->share < JUDGED_SHARE || !s->open[1 - s->turn])
        return share;
    bool worse =
        seems_left(&s->pace[s->turn], s->turn) > seems_left(&s->pace[1 - s->turn], !s->turn);
    return worse ? share / LESS : share;
}

/* The direction whose turn it is, for its share. */
static exact_outcome take_turn(exact_search *s, uint64_t budget, hw_meter *meter)
{
    uint64_t before = meter->states, share = turn_share(s);
    exact_pace *x = &s->pace[s->turn];
    exact_outcome outcome;
    if (exact_pair_runs(s->pair) && s->turn == 0)
        outcome = take_forward_turn(s, budget, share, meter);
    else if (exact_pair_runs(s->pair))
        outcome = exact_pair_take(s->pair, share / s->unit, meter, &x->progress);
    else
        outcome = exact_engine_run(&s->engine[s->turn], budget, share, meter);
    s->states += meter->states - before;
    if (outcome == EXACT_PAUSED) {
        if (!exact_pair_runs(s->pair) || s->turn == 0)
            x->progress = exact_engine_progress(&s->engine[s->turn]);
        x->states += share;
        if (x->states == share) {
            x->first_states = share;
            x->first_progress = x->progress;
        }
    } else if (exact_pair_runs(s->pair)) {
        exact_pair_stop(s->pair);
    }
    return outcome;
}

/* The reverse search of a long search knows nothing of an earlier budget that another met. */
static bool begin_budget(exact_search *s, uint64_t budget)
{
    bool falls = s->asked != budget;
    if (falls && exact_pair_runs(s->pair))
        exact_pair_stop(s->pair);
    bool anew =
        falls && !s->found_reverse && s->states >= LONG_STATES && s->open[1] && s->engine[1].states;
    if (falls) {
        memset(s->pace, 0, sizeof s->pace);
        s->share = s->share < NEW_SHARE ? s->share : NEW_SHARE;
    }
    s->asked = budget;
    s->found_reverse = false;
    if (!anew)
        return true;
    hw_error err;
    exact_engine_free(&s->engine[1]);
    s->open[1] = false;
    return open_engine(s, 1, &err) == HW_OK;
}

/* Let the reverse search go ahead, where that is allowed and of use. */
static void go_ahead(exact_search *s, uint64_t budget, const hw_meter *meter)
{
    bool wanted = s->options->threads > 1 && !meter->request->limits.states && s->open[0] &&
                  s->open[1] && s->turn == 0 && s->states >= LONG_STATES;
    if (!wanted || (s->options->symmetry && !s->looked) || exact_pair_runs(s->pair))
        return;
    if (!s->pair && !s->alone)
        s->pair = exact_pair_new();
    s->alone = !s->pair;
    s->unit = s->share; /* all its turns will be multiples of it */
    if (s->pair)
        exact_pair_begin(s->pair, &s->engine[1], budget, s->unit);
}

exact_outcome exact_search_decide(exact_search *s, uint64_t budget, hw_meter *meter,
                                  uint32_t *order)
{
    if (!begin_budget(s, budget))
        return EXACT_FAILED;
    for (;;) {
        go_ahead(s, budget, meter);
        exact_outcome outcome = take_turn(s, budget, meter);
        if (outcome == EXACT_NONE)
            s->proved_by = s->turn;
        if (outcome == EXACT_FOUND) {
            s->found_reverse = s->turn == 1;
            exact_engine_order(&s->engine[s->turn], order);
        }
        if (outcome != EXACT_PAUSED)
            return outcome;
        if (s->open[1 - s->turn])
            s->turn = 1 - s->turn;
        if (s->turn == 0 || !s->open[0]) {
            s->share *= 2;
            if (!find_images(s)) /* first: pauses would put it off turn by turn */
                return EXACT_FAILED;
            if (s->pause_at && s->states >= s->pause_at) {
                s->pause_at = 0;
                return EXACT_PAUSED;
            }
            outcome = try_beam(s, budget, meter, order);
            if (outcome != EXACT_NONE)
                return outcome;
            if (meter->over)
                return EXACT_OVER;
        }
    }
}
