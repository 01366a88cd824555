/* Settling one piece of the plan.  See exact_settle.h. */
#include "solvers/exact_settle.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/bound.h"
#include "solvers/exact_contract.h"
#include "solvers/exact_parts.h"
#include "solvers/exact_profile.h"
#include "solvers/exact_upper.h"

/*
 * States of a piece's search after which better bounds are worth what they
 * cost: an order by windows, which may take so many states, and the min-cut
 * bound with its flows.
 */
enum { WINDOWS_AFTER = 1000, WINDOWS_STATES = 20000, WINDOW_STATES = 500, CUT_BOUND_AFTER = 4000 };

/* While a search finds no end, larger windows again and again: a part of its states. */
enum { WINDOWS_AGAIN = 50000, WINDOWS_PART = 16, WINDOWS_GROWTH = 4, MOST_WINDOWS = 16 };

/*
 * States of the first attempt to solve components apart.  It may fail: profiles
 * are made from one end, and where one large component stands beside small
 * ones the search from both ends may be far ahead.  So the two take turns.
 */
enum { APART_STATES = 1000, APART_GROWTH = 4 };

void exact_run_bound(const exact_run *r)
{
    (void)hw_answer_bound(r->m, r->answer, r->plan.bound);
}

hw_code exact_run_take(exact_run *r, hw_error *err)
{
    uint64_t peak;
    if (!r->plan.legal)
        return HW_OK;
    hw_code code = hw_peak(r->m, r->plan.order, &peak, err);
    if (code == HW_OK)
        (void)hw_answer_improve(r->m, r->answer, r->plan.order, peak);
    return code;
}

/* What is searched: a piece, contracted if that makes it smaller. */
typedef struct searched {
    const exact_problem *piece;
    exact_contraction contraction;
    exact_search search;
} searched;

/* A better order of a piece: into the order in hand. */
static hw_code adopt(exact_run *r, uint32_t index, const searched *x, hw_error *err)
{
    const exact_problem *p = x->piece;
    uint32_t *order = r->plan.order + r->plan.piece[index].low;
    if (x->contraction.small)
        exact_contract_expand(&x->contraction, r->scratch, order);
    else
        memcpy(order, r->scratch, p->n * sizeof *order);
    for (uint32_t i = 0; i < p->n; i++)
        order[i] = p->node[order[i]];
    r->plan.legal = r->plan.legal || p->n == r->m->n_nodes;
    hw_code code = exact_plan_measure(&r->plan, err);
    return code == HW_OK ? exact_run_take(r, err) : code;
}

bool exact_run_met(const exact_run *r)
{
    return r->request->has_budget && r->answer->has_order &&
           r->answer->peak <= r->request->budget_bytes;
}

bool exact_run_missed(const exact_run *r)
{
    return r->request->has_budget && r->plan.bound > r->request->budget_bytes;
}

/* The next budget to try on a piece. */
static uint64_t target(const exact_run *r, const exact_piece *b)
{
    if (r->request->has_budget && r->request->budget_bytes < b->peak)
        return r->request->budget_bytes;
    return b->peak - 1;
}

/* The min-cut bound of the whole graph, once. */
static hw_code raise_bound(exact_run *r, hw_error *err)
{
    exact_plan *plan = &r->plan;
    r->cut_bound = true;
    if (!plan->legal)
        return HW_OK;
    uint64_t before = plan->bound, *usage = HW_NEW(uint64_t, r->m->n_nodes);
    if (!usage)
        return hw_fail_memory(err, "a lower bound");
    memset(usage, 0xff, r->m->n_nodes * sizeof *usage);
    uint32_t node = HW_NONE;
    hw_code code = hw_bound_usage(r->m, plan->order, usage, err);
    if (code == HW_OK)
        code = bound_by_nodes(r->m, BOUND_MINCUT, usage, &r->meter, &plan->bound, &node, err);
    free(usage);
    if (code == HW_OK && plan->bound > before)
        exact_run_bound(r);
    return code;
}

/* The states after which windows are to be re-solved. */
static uint64_t windows_at(const exact_run *r)
{
    uint64_t at = WINDOWS_AGAIN;
    if (!r->windows || r->n_windows == MOST_WINDOWS)
        return UINT64_MAX;
    for (uint32_t i = 1; i < r->n_windows; i++)
        at *= WINDOWS_GROWTH;
    return r->n_windows ? at : WINDOWS_AFTER;
}

static hw_code improve_by_windows(exact_run *r, uint64_t states, hw_error *err)
{
    uint64_t all = r->n_windows ? states / WINDOWS_PART : WINDOWS_STATES, each = WINDOW_STATES;
    for (uint32_t i = 0; i < r->n_windows; i++)
        each *= WINDOWS_GROWTH;
    r->n_windows++;
    return exact_upper_windows(&r->plan, &r->options, all, each, &r->meter, err);
}

/* The states after which the search of a piece is to pause. */
static uint64_t next_pause(const exact_run *r, const exact_piece *b)
{
    uint64_t windows = windows_at(r), other = r->cut_bound ? b->apart_states : CUT_BOUND_AFTER;
    return other && other < windows ? other : windows;
}

/*
 * The search of a piece has paused: raise the bounds of the whole.  *leave: it
 * has fallen into parts because of that, or its components are to be tried.
 */
static hw_code use_pause(exact_run *r, uint32_t index, uint64_t states, bool *leave, hw_error *err)
{
    exact_plan *plan = &r->plan;
    uint64_t before = plan->bound;
    hw_code code = HW_OK;
    if (states >= windows_at(r)) {
        code = improve_by_windows(r, states, err);
        return code == HW_OK ? exact_run_take(r, err) : code;
    }
    *leave = plan->piece[index].apart_states != 0;
    if (!r->cut_bound)
        code = raise_bound(r, err);
    if (code == HW_OK && !*leave && plan->bound > before) {
        code = exact_plan_refine(plan, index, leave, err);
        if (code == HW_OK && *leave)
            code = exact_run_take(r, err);
    }
    return code;
}

/*
 * Search one piece until it is settled, or no longer the highest, or falls
 * into parts because the bound has risen by other means, or its components are
 * to be tried again.
 */
static hw_code search_problem(exact_run *r, uint32_t index, searched *x, bool *stop, hw_error *err)
{
    exact_search *s = &x->search;
    exact_piece *b = &r->plan.piece[index];
    hw_code code = HW_OK;
    bool leave = false;
    s->pause_at = next_pause(r, b);
    while (code == HW_OK && !*stop && !leave && exact_plan_highest(&r->plan) == index &&
           b->peak > r->plan.bound && !exact_run_met(r)) {
        uint64_t budget = target(r, b);
        switch (exact_search_decide(s, budget, &r->meter, r->scratch)) {
        case EXACT_FOUND:
            code = adopt(r, index, x, err);
            break;
        case EXACT_NONE:
            exact_plan_prove(&r->plan, index, budget + 1);
            *stop = exact_run_missed(r);
            exact_run_bound(r);
            break;
        case EXACT_PAUSED:
            code = use_pause(r, index, s->states, &leave, err);
            s->pause_at = next_pause(r, b);
            *stop = exact_run_missed(r);
            break;
        case EXACT_OVER:
            *stop = true;
            break;
        case EXACT_FAILED:
            code = hw_fail_memory(err, "the search");
            break;
        }
    }
    return code;
}

static hw_code search_piece(exact_run *r, uint32_t index, bool *stop, hw_error *err)
{
    exact_problem *p;
    searched x = {0};
    hw_code code = exact_plan_problem(&r->plan, index, &p, err);
    if (code == HW_OK && r->contract)
        code = exact_contract(p, &x.contraction, err);
    if (code == HW_NO_MEMORY) { /* too large to be searched: the order in hand stands */
        *stop = true;
        r->answer->limit_reached = true;
        exact_problem_free(p);
        return HW_OK;
    }
    if (code != HW_OK)
        return code;
    x.piece = p;
    code = exact_search_init(&x.search, x.contraction.small ? x.contraction.small : p, &r->options,
                             err);
    if (code == HW_OK) {
        code = search_problem(r, index, &x, stop, err);
        exact_search_free(&x.search);
    }
    exact_contract_free(&x.contraction);
    exact_problem_free(p);
    return code;
}

/* Does the piece fall into components?  Found once. */
static hw_code look_apart(exact_run *r, uint32_t index, bool *apart, hw_error *err)
{
    exact_piece *b = &r->plan.piece[index];
    exact_problem *p;
    exact_parts parts;
    *apart = false;
    if (!r->components || b->connected || !r->plan.legal || r->m->earliest)
        return HW_OK;
    b->connected = true;
    if (exact_plan_problem(&r->plan, index, &p, NULL) != HW_OK)
        return HW_OK; /* too large: the search will say so */
    hw_code code = exact_parts_init(&parts, p->n, err);
    if (code == HW_OK) {
        code = exact_parts_by_components(p, &parts, err);
        b->connected = parts.count == 1;
        exact_parts_free(&parts);
    }
    exact_problem_free(p);
    *apart = code == HW_OK && !b->connected;
    return code;
}

/* Settle a piece by its components, if that does not take too long. */
static hw_code merge_piece(exact_run *r, uint32_t index, bool *stop, hw_error *err)
{
    exact_plan *plan = &r->plan;
    exact_piece *b = &plan->piece[index];
    uint32_t *order = HW_NEW(uint32_t, r->m->n_nodes);
    if (!order)
        return hw_fail_memory(err, "the components of a piece");
    memcpy(order, plan->order, r->m->n_nodes * sizeof *order);
    b->apart_states = b->apart_states ? b->apart_states * APART_GROWTH : APART_STATES;
    hw_request inner;
    hw_meter meter = exact_upper_meter(&r->meter, b->apart_states, &inner);
    exact_profiler profiler = {r->m, order, &plan->map, &r->options, plan->cuts, &meter, 0};
    exact_profile_ask ask = {b->low, b->high, false, b->live, plan->bound, target(r, b)};
    exact_profile profile;
    hw_code code = HW_OK;
    exact_outcome outcome = exact_profile_find(&profiler, &ask, &profile);
    exact_upper_meter_back(&r->meter, &meter);
    if (outcome == EXACT_FOUND) {
        memcpy(plan->order + b->low, order + b->low, (b->high - b->low) * sizeof *order);
        exact_plan_prove(plan, index, exact_profile_peak(&profile));
        code = exact_plan_measure(plan, err);
        if (code == HW_OK)
            code = exact_run_take(r, err);
    } else if (outcome == EXACT_NONE) {
        exact_plan_prove(plan, index, ask.high_hill + 1);
    } else {
        /* A limit, or no room for a component: the search of all together goes on. */
        b->connected = b->connected || outcome == EXACT_FAILED;
        *stop = hw_meter_look(&r->meter);
        if (!*stop)
            code = search_piece(r, index, stop, err);
    }
    *stop = *stop || exact_run_missed(r);
    exact_profile_free(&profile);
    free(order);
    exact_run_bound(r);
    return code;
}

hw_code exact_settle(exact_run *r, uint32_t index, bool *stop, hw_error *err)
{
    bool apart;
    hw_code code = look_apart(r, index, &apart, err);
    if (code != HW_OK)
        return code;
    return apart ? merge_piece(r, index, stop, err) : search_piece(r, index, stop, err);
}
