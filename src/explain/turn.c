/* The wrong turn of an order.  See turn.h. */
#include "explain/turn.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "model/slice.h"

/* Of what the limits leave, each question may take so much: one in SHARE. */
enum { SHARE = 4 };

/* What can run after a prefix of the order. */
typedef struct rest {
    const hw_model *m;
    const uint32_t *order;
    hw_slicer slicer;
    uint64_t *live; /* before the step at each position, and at the end */
    uint64_t *peak; /* of the steps before it, at least live(empty)     */
    const hw_solver_row *exact;
    hw_param_value values[HW_PARAM_LIMIT];
    const hw_request *request;
    double begin_seconds;
    uint64_t states;
} rest;

static hw_code rest_open(rest *r, const hw_model *m, const uint32_t *order,
                         const hw_request *request, hw_error *err)
{
    uint32_t n = m->n_nodes;
    *r = (rest){.m = m, .order = order, .request = request, .begin_seconds = hw_wall_seconds()};
    r->live = HW_NEW(uint64_t, (size_t)n + 1);
    r->peak = HW_NEW(uint64_t, (size_t)n + 1);
    hw_sim s = {0};
    hw_code code = r->live && r->peak ? hw_solver_parse("exact", &r->exact, r->values, err)
                                      : hw_fail_memory(err, "the wrong turn of an order");
    if (code == HW_OK)
        code = hw_sim_init(&s, m, err);
    if (code == HW_OK)
        code = hw_slicer_open(&r->slicer, m, order, err);
    for (uint32_t i = 0; code == HW_OK && i <= n; i++) {
        r->live[i] = s.live;
        r->peak[i] = s.peak;
        if (i < n)
            (void)hw_sim_step(&s, order[i]);
    }
    hw_sim_free(&s);
    return code;
}

static void rest_close(rest *r)
{
    hw_slicer_close(&r->slicer);
    free(r->live);
    free(r->peak);
}

static bool stopped(const rest *r)
{
    return r->request->stop && *r->request->stop;
}

/* What the limits leave, one part in `share` of it; false: nothing. */
static bool allow(const rest *r, unsigned share, hw_limits *limits)
{
    *limits = r->request->limits;
    if (limits->states) {
        uint64_t left = limits->states > r->states ? limits->states - r->states : 0;
        limits->states = left / share + (left < share);
        if (left == 0)
            return false;
    }
    if (limits->seconds > 0) {
        limits->seconds =
            (limits->seconds - (hw_wall_seconds() - r->begin_seconds)) / (double)share;
        if (limits->seconds <= 0)
            return false;
    }
    return !stopped(r);
}

/*
 * The best order of what is left after the first `at` nodes, within a budget
 * where there is one: answer->order[] has nodes of the model.  The answer is
 * released by hw_answer_clear().
 */
static hw_code finish(rest *r, uint32_t at, const uint64_t *budget, const hw_limits *limits,
                      hw_answer *answer, hw_error *err)
{
    uint32_t n = r->m->n_nodes;
    hw_model *slice = NULL;
    memset(answer, 0, sizeof *answer);
    answer->order = HW_NEW(uint32_t, n - at);
    hw_code code = answer->order ? hw_slice_new(&r->slicer, at, n, r->live[at], &slice, err)
                                 : hw_fail_memory(err, "an order");
    if (code == HW_OK) {
        hw_request q = {.params = r->values,
                        .limits = *limits,
                        .has_budget = budget != NULL,
                        .budget_bytes = budget ? *budget : 0,
                        .threads = r->request->threads,
                        .stop = r->request->stop};
        code = r->exact->solve(slice, &q, answer, err);
        r->states += answer->states;
    }
    for (uint32_t i = 0; code == HW_OK && answer->has_order && i < n - at; i++)
        answer->order[i] = r->order[at + answer->order[i]];
    hw_slice_free(slice);
    if (code != HW_OK)
        hw_answer_clear(answer);
    return code;
}

/* ---- The wrong turn. ---- */

typedef struct search {
    rest rest;
    uint64_t target;
    hw_turn turn;
    uint32_t open_low, open_high; /* prefixes in between were asked about in vain; 0, 0: none */
    uint32_t *completion;
} search;

/* Both orders have run the same nodes so far: how many more do they share? */
static uint32_t shared(const uint32_t *order, const uint32_t *other, uint32_t most)
{
    uint32_t count = 0;
    while (count < most && order[count] == other[count])
        count++;
    return count;
}

/* Is the prefix of `at` nodes reachable?  *open: that was left undecided. */
static hw_code ask(search *s, uint32_t at, const hw_limits *limits, bool *open, hw_error *err)
{
    rest *r = &s->rest;
    hw_answer a;
    hw_code code = finish(r, at, &s->target, limits, &a, err);
    if (code != HW_OK)
        return code;
    *open = false;
    if (a.has_order && a.peak <= s->target) {
        memcpy(s->completion, r->order, (size_t)at * sizeof *r->order);
        memcpy(s->completion + at, a.order, (size_t)(r->m->n_nodes - at) * sizeof *a.order);
        s->turn.kept = at + shared(r->order + at, a.order, s->turn.lost - 1 - at);
    } else if (a.has_bound && a.bound > s->target) {
        s->turn.lost = at;
    } else {
        *open = true;
    }
    hw_answer_clear(&a);
    return HW_OK;
}

/*
 * The next prefix to ask about: the middle of what is unknown; after a question
 * in vain that between it and the later end, where less is left to decide, then
 * that between it and the earlier one.  False: there is none.
 */
static bool next_question(const search *s, uint32_t *at)
{
    uint32_t low = s->turn.kept, high = s->turn.lost;
    if (high - low <= 1)
        return false;
    bool open = s->open_high > low && s->open_low < high && s->open_high != 0;
    if (open && high - s->open_high > 1)
        low = s->open_high;
    else if (open && s->open_low > low + 1)
        high = s->open_low;
    else if (open)
        return false;
    *at = low + (high - low) / 2;
    return true;
}

static hw_code halve(search *s, hw_error *err)
{
    uint32_t at;
    hw_limits limits;
    hw_code code = HW_OK;
    while (code == HW_OK && next_question(s, &at) && allow(&s->rest, SHARE, &limits)) {
        bool open;
        code = ask(s, at, &limits, &open, err);
        if (code != HW_OK || !open)
            continue;
        bool first = s->open_high <= s->turn.kept || s->open_low >= s->turn.lost;
        s->open_low = first || at < s->open_low ? at : s->open_low;
        s->open_high = first || at > s->open_high ? at : s->open_high;
    }
    return code;
}

hw_code hw_turn_find(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                     uint64_t target, const hw_request *request, hw_turn *out, uint32_t *completion,
                     hw_error *err)
{
    uint32_t n = m->n_nodes;
    uint64_t peak;
    search s = {.target = target, .turn = {.lost = n + 1}, .completion = completion};
    hw_code code = hw_peak(m, witness, &peak, err);
    if (code == HW_OK && peak > target)
        code = hw_fail(err, HW_USAGE,
                       "the order given as a witness has peak %" PRIu64
                       ", above the target %" PRIu64 ": give an order within it",
                       peak, target);
    if (code != HW_OK)
        return code;
    code = rest_open(&s.rest, m, order, request, err);
    if (code == HW_OK) {
        while (s.turn.lost > 1 && s.rest.peak[s.turn.lost - 1] > target)
            s.turn.lost--; /* to the first step above the target */
        bool keeps = s.turn.lost > n;
        memcpy(completion, keeps ? order : witness, (size_t)n * sizeof *order);
        s.turn.kept = keeps ? n : shared(order, witness, s.turn.lost - 1);
        code = halve(&s, err);
    }
    s.turn.states = s.rest.states;
    rest_close(&s.rest);
    *out = s.turn;
    return code;
}

/* ---- What is left after it. ---- */

hw_code hw_turn_least(const hw_model *m, const uint32_t *order, uint32_t at,
                      const hw_request *request, uint64_t *peak, uint64_t *bound, hw_error *err)
{
    rest r;
    hw_limits limits;
    hw_answer a;
    hw_code code = rest_open(&r, m, order, request, err);
    if (code == HW_OK) {
        *peak = r.peak[m->n_nodes];
        *bound = r.peak[at];
        if (at == m->n_nodes) {
            *bound = *peak;
        } else if (allow(&r, 1, &limits)) {
            code = finish(&r, at, NULL, &limits, &a, err);
            if (code == HW_OK) {
                uint64_t before = r.peak[at],
                         all = a.has_order && a.peak > before ? a.peak : before;
                if (a.has_order && all < *peak)
                    *peak = all;
                if (a.has_bound && a.bound > *bound)
                    *bound = a.bound;
                hw_answer_clear(&a);
            }
        }
    }
    rest_close(&r);
    return code;
}
