/*
 * exact: the least peak, proven, by search over prefixes from both ends.
 *
 * Orders to begin with and better ones come from exact_upper.h; the order in
 * hand is cut into pieces whose orders are independent (exact_plan.h); the piece
 * with the highest peak is refined, contracted (exact_contract.h), then searched
 * for a lower one (exact_search.h) until that is proven impossible, or another
 * piece is the highest; components are solved apart and merged
 * (exact_profile.h).
 *
 * Rules with their proofs: exact_engine.c (R1, R1'), exact_macros.c (R2, R3),
 * exact_commit.h (R2 over several moves); reductions with theirs:
 * exact_blocks.h (R4), exact_valley.h, exact_ends.h, exact_profile.h,
 * exact_contract.h.  Exponential in the worst case; bounded memory.  Source:
 * this project.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/bound.h"
#include "solvers/exact_contract.h"
#include "solvers/exact_parts.h"
#include "solvers/exact_plan.h"
#include "solvers/exact_profile.h"
#include "solvers/exact_proof.h"
#include "solvers/exact_search.h"
#include "solvers/exact_symmetry.h"
#include "solvers/exact_upper.h"

/* Memory where no limit is set: of one search, both directions. */
#define DEFAULT_MEMORY_BYTES (UINT64_C(4) << 30)

typedef struct run {
    const hw_model *m;
    const hw_request *request;
    exact_options options;
    hw_meter meter;
    hw_answer *answer;
    exact_plan plan;
    bool components;   /* solve them apart           */
    uint32_t *scratch; /* n entries                  */
    bool cut_bound;    /* the min-cut bound is in it */
    bool windowed;     /* windows have been re-solved, or are not to be */
    bool contract;     /* contract pieces before they are searched */
} run;

/*
 * States of a piece's search after which better bounds are worth what they
 * cost: an order by windows, which may take so many states, and the min-cut
 * bound with its flows.
 */
enum { WINDOWS_AFTER = 1000, WINDOWS_STATES = 20000, CUT_BOUND_AFTER = 4000 };

/* States after which a proof is so long that symmetry may shorten it. */
enum { SYMMETRY_STATES = 500 };

/*
 * States of the first attempt to solve components apart.  It may fail: profiles
 * are made from one end, and where one large component stands beside small
 * ones the search from both ends may be far ahead.  So the two take turns.
 */
enum { APART_STATES = 1000, APART_GROWTH = 4 };

static void tell(const run *r)
{
    if (r->request->trace)
        r->request->trace(r->request->trace_context, r->meter.states,
                          hw_wall_seconds() - r->meter.start_seconds, r->answer->peak,
                          r->plan.bound);
}

/* The plan's order has changed: is it a better answer? */
static hw_code take_order(run *r, hw_error *err)
{
    uint64_t peak;
    if (!r->plan.legal)
        return HW_OK;
    hw_code code = hw_peak(r->m, r->plan.order, &peak, err);
    if (code == HW_OK && hw_answer_improve(r->m, r->answer, r->plan.order, peak))
        tell(r);
    return code;
}

/* What is searched: a piece, contracted if that makes it smaller. */
typedef struct searched {
    const exact_problem *piece;
    exact_contraction contraction;
    exact_search search;
} searched;

/* A better order of a piece: into the order in hand. */
static hw_code adopt(run *r, uint32_t index, const searched *x, hw_error *err)
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
    return code == HW_OK ? take_order(r, err) : code;
}

static bool budget_met(const run *r)
{
    return r->request->has_budget && r->answer->has_order &&
           r->answer->peak <= r->request->budget_bytes;
}

static bool budget_missed(const run *r)
{
    return r->request->has_budget && r->plan.bound > r->request->budget_bytes;
}

/* The next budget to try on a piece. */
static uint64_t target(const run *r, const exact_piece *b)
{
    if (r->request->has_budget && r->request->budget_bytes < b->peak)
        return r->request->budget_bytes;
    return b->peak - 1;
}

/* The min-cut bound of the whole graph, once. */
static hw_code raise_bound(run *r, hw_error *err)
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
        tell(r);
    return code;
}

/* The states after which the search of a piece is to pause. */
static uint64_t next_pause(const run *r, const exact_piece *b)
{
    if (!r->windowed)
        return WINDOWS_AFTER;
    return r->cut_bound ? b->apart_states : CUT_BOUND_AFTER;
}

/*
 * The search of a piece has paused: raise the bounds of the whole.  *leave: it
 * has fallen into parts because of that, or its components are to be tried.
 */
static hw_code use_pause(run *r, uint32_t index, bool *leave, hw_error *err)
{
    exact_plan *plan = &r->plan;
    uint64_t before = plan->bound;
    hw_code code = HW_OK;
    if (!r->windowed) {
        r->windowed = true;
        code = exact_upper_windows(plan, &r->options, WINDOWS_STATES, &r->meter, err);
        return code == HW_OK ? take_order(r, err) : code;
    }
    *leave = plan->piece[index].apart_states != 0;
    if (!r->cut_bound)
        code = raise_bound(r, err);
    if (code == HW_OK && !*leave && plan->bound > before) {
        code = exact_plan_refine(plan, index, leave, err);
        if (code == HW_OK && *leave)
            code = take_order(r, err);
    }
    return code;
}

/*
 * Search one piece until it is settled, or no longer the highest, or falls
 * into parts because the bound has risen by other means, or its components are
 * to be tried again.
 */
static hw_code search_problem(run *r, uint32_t index, searched *x, bool *stop, hw_error *err)
{
    exact_search *s = &x->search;
    exact_piece *b = &r->plan.piece[index];
    hw_code code = HW_OK;
    bool leave = false;
    s->pause_at = next_pause(r, b);
    while (code == HW_OK && !*stop && !leave && exact_plan_highest(&r->plan) == index &&
           b->peak > r->plan.bound && !budget_met(r)) {
        uint64_t budget = target(r, b);
        switch (exact_search_decide(s, budget, &r->meter, r->scratch)) {
        case EXACT_FOUND:
            code = adopt(r, index, x, err);
            break;
        case EXACT_NONE:
            exact_plan_prove(&r->plan, index, budget + 1);
            *stop = budget_missed(r);
            tell(r);
            break;
        case EXACT_PAUSED:
            code = use_pause(r, index, &leave, err);
            s->pause_at = next_pause(r, b);
            *stop = budget_missed(r);
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

static hw_code search_piece(run *r, uint32_t index, bool *stop, hw_error *err)
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
static hw_code look_apart(run *r, uint32_t index, bool *apart, hw_error *err)
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
static hw_code merge_piece(run *r, uint32_t index, bool *stop, hw_error *err)
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
    r->meter.states = meter.states;
    if (outcome == EXACT_FOUND) {
        memcpy(plan->order + b->low, order + b->low, (b->high - b->low) * sizeof *order);
        exact_plan_prove(plan, index, exact_profile_peak(&profile));
        code = exact_plan_measure(plan, err);
        if (code == HW_OK)
            code = take_order(r, err);
    } else if (outcome == EXACT_NONE) {
        exact_plan_prove(plan, index, ask.high_hill + 1);
    } else if (outcome == EXACT_FAILED) {
        code = hw_fail_memory(err, "the components of a piece");
    } else {
        *stop = hw_meter_look(&r->meter);
        if (!*stop)
            code = search_piece(r, index, stop, err);
    }
    *stop = *stop || budget_missed(r);
    exact_profile_free(&profile);
    free(order);
    tell(r);
    return code;
}

static hw_code search(run *r, hw_error *err)
{
    exact_plan *plan = &r->plan;
    uint32_t *order = HW_NEW(uint32_t, r->m->n_nodes);
    if (!order)
        return hw_fail_memory(err, "the search");
    hw_code code = exact_upper_first(r->m, r->request, r->answer, order, err);
    if (code != HW_OK) {
        free(order);
        return code;
    }
    code = exact_plan_init(plan, r->m, order, r->answer->has_order, r->m->simple_bound, err);
    if (code == HW_OK)
        tell(r);
    bool stop = false;
    while (code == HW_OK && !stop && !budget_met(r) && !budget_missed(r)) {
        uint32_t index = exact_plan_highest(plan);
        if (plan->piece[index].peak <= plan->bound || hw_meter_look(&r->meter))
            break;
        bool split, apart = false;
        code = exact_plan_refine(plan, index, &split, err);
        if (code == HW_OK && !split)
            code = look_apart(r, index, &apart, err);
        if (code == HW_OK && split)
            code = take_order(r, err);
        else if (code == HW_OK && apart)
            code = merge_piece(r, index, &stop, err);
        else if (code == HW_OK)
            code = search_piece(r, index, &stop, err);
    }
    return code;
}

/* The certificate of the bound, where it settles the question. */
static hw_code prove(run *r, hw_error *err)
{
    const hw_request *q = r->request;
    exact_plan *plan = &r->plan;
    uint64_t claim = plan->bound;
    if (q->has_budget && claim > q->budget_bytes)
        claim = q->budget_bytes + 1;
    else if (!r->answer->has_order || r->answer->peak != claim)
        return HW_OK;
    return exact_proof(r->m, plan->order, plan->legal, claim,
                       r->options.symmetry ? SYMMETRY_STATES : 0, plan->memory_bytes, q,
                       &r->answer->proof, err);
}

enum {
    R1,
    R1R,
    R2,
    R3,
    DEEP,
    R4,
    SYMMETRY,
    VALLEYS,
    ENDS,
    COMPONENTS,
    CONTRACT,
    DIRECTION,
    WINDOWS,
    BEAM,
    N_PARAMS
};

static const hw_param_row params[N_PARAMS] = {
    [R1] = {"r1", HW_PARAM_BOOL, 0, 1, 1, NULL, "make safe moves at once, forwards"},
    [R1R] = {"r1r", HW_PARAM_BOOL, 0, 1, 1, NULL, "make safe moves at once, backwards"},
    [R2] = {"r2", HW_PARAM_BOOL, 0, 1, 1, NULL, "commit to valleys"},
    [R3] = {"r3", HW_PARAM_BOOL, 0, 1, 1, NULL, "branch on lazy macro-steps"},
    [DEEP] = {"deep", HW_PARAM_BOOL, 0, 1, 1, NULL, "commit to valleys over several moves"},
    [R4] = {"r4", HW_PARAM_BOOL, 0, 1, 1, NULL, "split at cut nodes"},
    [SYMMETRY] = {"symmetry", HW_PARAM_BOOL, 0, 1, 1, NULL,
                  "take prefixes that identical branches make equal as one"},
    [VALLEYS] = {"valleys", HW_PARAM_BOOL, 0, 1, 1, NULL, "split at least-live prefixes"},
    [ENDS] = {"ends", HW_PARAM_BOOL, 0, 1, 1, NULL, "take safe moves off both ends before"},
    [COMPONENTS] = {"components", HW_PARAM_BOOL, 0, 1, 1, NULL, "solve components apart"},
    [CONTRACT] = {"contract", HW_PARAM_BOOL, 0, 1, 1, NULL,
                  "join nodes that may run one right after the other"},
    [DIRECTION] = {"direction", HW_PARAM_CHOICE, 0, 2, 0, "both|forward|reverse",
                   "from which end to search"},
    [WINDOWS] = {"windows", HW_PARAM_BOOL, 0, 1, 1, NULL,
                 "improve the order in hand by re-solving windows of it"},
    [BEAM] = {"beam", HW_PARAM_INT, 0, 65536, 128, NULL,
              "width of the beam for upper bounds; 0: none"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_param_value *v = request->params;
    run r = {.m = m, .request = request, .answer = answer};
    r.options = (exact_options){
        .rules = {v[R1].i != 0, v[R1R].i != 0, v[R2].i != 0, v[R3].i != 0, v[DEEP].i != 0},
        .symmetry = v[SYMMETRY].i != 0,
        .direction = (exact_direction)v[DIRECTION].i,
        .beam = (uint32_t)v[BEAM].i,
        .threads = request->threads,
        .memory_bytes =
            request->limits.memory_bytes ? request->limits.memory_bytes : DEFAULT_MEMORY_BYTES,
    };
    if (r.options.memory_bytes < 2) /* halves are taken, and none may be 0: no limit */
        r.options.memory_bytes = 2;
    r.plan.cuts = v[R4].i != 0;
    r.plan.valleys = v[VALLEYS].i != 0;
    r.plan.ends = v[ENDS].i != 0;
    r.windowed = v[WINDOWS].i == 0;
    r.contract = v[CONTRACT].i != 0;
    r.components = v[COMPONENTS].i != 0;
    r.plan.memory_bytes = r.options.memory_bytes / 2;
    hw_meter_start(&r.meter, request);
    r.scratch = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = r.scratch ? search(&r, err) : hw_fail_memory(err, "the search");
    if (code == HW_OK && request->proof)
        code = prove(&r, err);
    answer->states = r.meter.states;
    answer->has_bound = true;
    answer->bound = r.plan.bound;
    answer->limit_reached = answer->limit_reached || r.meter.over;
    if (answer->has_order && answer->peak == answer->bound)
        answer->status = HW_OPTIMAL;
    free(r.scratch);
    exact_plan_free(&r.plan);
    return code;
}

const hw_solver_row hw_solver_exact = {
    .name = "exact",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .proves = true,
    .counts = "prefixes",
    .params = params,
    .n_params = N_PARAMS,
    .help = "the optimum, proven, by search over prefixes with dominance rules from both ends",
    .source = "this project",
    .solve = solve,
};
