/*
 * exact: the least peak, proven, by search over prefixes from both ends.
 *
 * Upper bounds come from heuristics; cut nodes split the graph into blocks
 * whose orders are independent (exact_blocks.h); the block with the highest
 * peak in hand is searched for a lower one (exact_search.h) until that is
 * proven impossible, or another block is the highest.  Rules with their proofs:
 * exact_engine.c (R1, R1'), exact_moves.c (R2, R3).  Exponential in the worst
 * case; bounded memory.  Source: this project.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "solvers/bound.h"
#include "solvers/exact_blocks.h"
#include "solvers/exact_proof.h"
#include "solvers/exact_search.h"

/* Memory where no limit is set: of one search, both directions. */
#define DEFAULT_MEMORY_BYTES (UINT64_C(4) << 30)

typedef struct block {
    uint32_t low, high;   /* positions in every order           */
    uint64_t live;        /* before its first step              */
    uint64_t peak, bound; /* of the order in hand; proven least */
    bool reverse;         /* how the bound was proven */
} block;

typedef struct run {
    const hw_model *m;
    const hw_request *request;
    exact_options options;
    hw_meter meter;
    exact_map map;
    hw_answer *answer;
    uint32_t *order;   /* the best order in hand */
    uint32_t *scratch; /* n entries              */
    bool legal;        /* `order` is legal       */
    block *block;
    uint32_t n_blocks;
    uint64_t bound; /* proven for the whole */
    bool cut_bound; /* the min-cut bound is in it */
} run;

/* States after which the min-cut bound is worth its flows. */
enum { CUT_BOUND_STATES = 4000 };

/* The best of the heuristics; with windows there may be none. */
static hw_code first_order(run *r, hw_error *err)
{
    static const char *const names[] = {"greedy-reverse", "greedy", "source"};
    hw_answer *a = r->answer;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const hw_solver_row *row = hw_solver_find(names[i], strlen(names[i]));
        if (!row || (a->has_order && a->peak == r->bound))
            continue;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_params_preset(row->params, row->n_params, values);
        hw_request request = {.params = values,
                              .limits = {.seconds = r->request->limits.seconds},
                              .stop = r->request->stop};
        hw_answer found = {.order = r->scratch};
        hw_code code = row->solve(r->m, &request, &found, err);
        if (code != HW_OK)
            return code;
        if (found.has_order)
            (void)hw_answer_improve(r->m, a, found.order, found.peak);
    }
    if (!a->has_order && !r->m->earliest) {
        uint64_t peak;
        hw_code code = hw_graph_level_order(r->m->graph, r->scratch, err);
        if (code == HW_OK)
            code = hw_peak(r->m, r->scratch, &peak, err);
        if (code != HW_OK)
            return code;
        (void)hw_answer_improve(r->m, a, r->scratch, peak);
    }
    r->legal = a->has_order;
    if (r->legal)
        memcpy(r->order, a->order, r->m->n_nodes * sizeof *r->order);
    return r->legal ? HW_OK : hw_graph_level_order(r->m->graph, r->order, err);
}

/* live, peak and bound of every block along the order in hand. */
static hw_code measure_blocks(run *r, hw_error *err)
{
    hw_sim s;
    hw_code code = hw_sim_init(&s, r->m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        block *b = &r->block[i];
        b->live = b->peak = s.live;
        for (uint32_t p = b->low; p < b->high; p++) {
            uint64_t usage = hw_sim_step(&s, r->order[p]);
            if (usage > b->peak)
                b->peak = usage;
        }
        if (!r->legal)
            b->peak = UINT64_MAX;
        else if (b->high == b->low + 1)
            b->bound = b->peak;
        if (b->live > b->bound)
            b->bound = b->live;
        if (s.live > b->bound)
            b->bound = s.live;
        if (b->bound > r->bound)
            r->bound = b->bound;
    }
    hw_sim_free(&s);
    return HW_OK;
}

static hw_code lay_blocks(run *r, hw_error *err)
{
    uint32_t n = r->m->n_nodes;
    r->block = HW_NEW0(block, n);
    if (!r->block)
        return hw_fail_memory(err, "the blocks of a graph");
    r->n_blocks = 1;
    if (r->options.blocks && r->legal) {
        hw_code code = exact_blocks(r->m->graph, r->order, r->scratch, &r->n_blocks, err);
        if (code != HW_OK)
            return code;
    } else {
        r->scratch[0] = n;
    }
    for (uint32_t i = 0; i < r->n_blocks; i++) {
        r->block[i].low = i ? r->block[i - 1].high : 0;
        r->block[i].high = r->scratch[i];
    }
    return measure_blocks(r, err);
}

static void tell(const run *r)
{
    if (r->request->trace)
        r->request->trace(r->request->trace_context, r->meter.states,
                          hw_wall_seconds() - r->meter.start_seconds, r->answer->peak, r->bound);
}

static uint32_t highest(const run *r)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < r->n_blocks; i++)
        if (r->block[i].peak > r->block[best].peak)
            best = i;
    return best;
}

/* A better order of a block: into the order in hand. */
static hw_code adopt(run *r, const block *b, const exact_problem *p, const uint32_t *local,
                     hw_error *err)
{
    uint64_t peak = 0;
    for (uint32_t i = 0; i < p->n; i++)
        r->order[b->low + i] = p->node[local[i]];
    r->legal = r->legal || (b->low == 0 && b->high == r->m->n_nodes);
    hw_code code = measure_blocks(r, err);
    if (code == HW_OK && r->legal)
        code = hw_peak(r->m, r->order, &peak, err);
    if (code == HW_OK && r->legal && hw_answer_improve(r->m, r->answer, r->order, peak))
        tell(r);
    return code;
}

static bool budget_met(const run *r)
{
    return r->request->has_budget && r->answer->has_order &&
           r->answer->peak <= r->request->budget_bytes;
}

/* The next budget to try on a block. */
static uint64_t target(const run *r, const block *b)
{
    if (r->request->has_budget && r->request->budget_bytes < b->peak)
        return r->request->budget_bytes;
    return b->peak - 1;
}

/* The min-cut bound of the whole graph, once. */
static hw_code raise_bound(run *r, hw_error *err)
{
    r->cut_bound = true;
    if (!r->legal)
        return HW_OK;
    uint64_t before = r->bound, *usage = HW_NEW(uint64_t, r->m->n_nodes);
    if (!usage)
        return hw_fail_memory(err, "a lower bound");
    memset(usage, 0xff, r->m->n_nodes * sizeof *usage);
    uint32_t node = HW_NONE;
    hw_code code = hw_bound_usage(r->m, r->order, usage, err);
    if (code == HW_OK)
        code = bound_by_nodes(r->m, BOUND_MINCUT, usage, &r->meter, &r->bound, &node, err);
    free(usage);
    if (code == HW_OK && r->bound > before)
        tell(r);
    return code;
}

/* Search one block until it is settled or no longer the highest. */
static hw_code search_block(run *r, uint32_t index, bool *stop, hw_error *err)
{
    block *b = &r->block[index];
    exact_problem *p;
    exact_search s;
    hw_code code = exact_problem_new(r->m, r->order, b->low, b->high, b->live,
                                     r->options.memory_bytes / 2, &r->map, &p, err);
    if (code == HW_NO_MEMORY) { /* too large to be searched: the order in hand stands */
        *stop = true;
        r->answer->limit_reached = true;
        return HW_OK;
    }
    if (code != HW_OK)
        return code;
    code = exact_search_init(&s, p, &r->options, err);
    if (code != HW_OK) {
        exact_problem_free(p);
        return code;
    }
    s.pause_at = r->cut_bound ? 0 : CUT_BOUND_STATES;
    while (code == HW_OK && !*stop && highest(r) == index && b->peak > r->bound && !budget_met(r)) {
        uint64_t budget = target(r, b);
        switch (exact_search_decide(&s, budget, &r->meter, r->scratch)) {
        case EXACT_FOUND:
            code = adopt(r, b, p, r->scratch, err);
            break;
        case EXACT_NONE:
            b->bound = budget + 1;
            b->reverse = s.proved_by == 1;
            if (b->bound > r->bound)
                r->bound = b->bound;
            *stop = r->request->has_budget && r->bound > r->request->budget_bytes;
            tell(r);
            break;
        case EXACT_PAUSED:
            code = raise_bound(r, err);
            *stop = r->request->has_budget && r->bound > r->request->budget_bytes;
            break;
        case EXACT_OVER:
            *stop = true;
            break;
        case EXACT_FAILED:
            code = hw_fail_memory(err, "the search");
            break;
        }
    }
    exact_search_free(&s);
    exact_problem_free(p);
    return code;
}

static hw_code search(run *r, hw_error *err)
{
    hw_code code = first_order(r, err);
    if (code == HW_OK)
        code = lay_blocks(r, err);
    bool stop = false;
    if (code == HW_OK)
        tell(r);
    while (code == HW_OK && !stop && !budget_met(r)) {
        uint32_t index = highest(r);
        if (r->block[index].peak <= r->bound ||
            (r->request->has_budget && r->bound > r->request->budget_bytes))
            break;
        code = search_block(r, index, &stop, err);
    }
    return code;
}

/* The certificate of the bound, where it settles the question. */
static hw_code prove(run *r, hw_error *err)
{
    const hw_request *q = r->request;
    uint64_t claim = r->bound;
    if (q->has_budget && claim > q->budget_bytes)
        claim = q->budget_bytes + 1;
    else if (!r->answer->has_order || r->answer->peak != claim)
        return HW_OK;
    const block *b = NULL;
    for (uint32_t i = 0; i < r->n_blocks && !b; i++)
        if (r->block[i].bound >= claim)
            b = &r->block[i];
    exact_proof_block piece = {0};
    if (b)
        piece = (exact_proof_block){b->low, b->high, b->live,
                                    b->high == b->low + 1 && r->n_blocks > 1, b->reverse};
    return exact_proof(r->m, r->order, r->legal, claim, b ? &piece : NULL,
                       r->options.memory_bytes / 2, q, &r->map, &r->answer->proof, err);
}

enum { R1, R1R, R2, R3, R4, DIRECTION, BEAM, N_PARAMS };

static const hw_param_row params[N_PARAMS] = {
    [R1] = {"r1", HW_PARAM_BOOL, 0, 1, 1, NULL, "make safe moves at once, forwards"},
    [R1R] = {"r1r", HW_PARAM_BOOL, 0, 1, 1, NULL, "make safe moves at once, backwards"},
    [R2] = {"r2", HW_PARAM_BOOL, 0, 1, 1, NULL, "commit to valleys"},
    [R3] = {"r3", HW_PARAM_BOOL, 0, 1, 1, NULL, "branch on lazy macro-steps"},
    [R4] = {"r4", HW_PARAM_BOOL, 0, 1, 1, NULL, "split at cut nodes"},
    [DIRECTION] = {"direction", HW_PARAM_CHOICE, 0, 2, 0, "both|forward|reverse",
                   "from which end to search"},
    [BEAM] = {"beam", HW_PARAM_INT, 0, 65536, 128, NULL,
              "width of the beam for upper bounds; 0: none"},
};

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    const hw_param_value *v = request->params;
    run r = {.m = m, .request = request, .answer = answer, .bound = m->simple_bound};
    r.options = (exact_options){
        .rules = {v[R1].i != 0, v[R1R].i != 0, v[R2].i != 0, v[R3].i != 0},
        .blocks = v[R4].i != 0,
        .direction = (exact_direction)v[DIRECTION].i,
        .beam = (uint32_t)v[BEAM].i,
        .memory_bytes =
            request->limits.memory_bytes ? request->limits.memory_bytes : DEFAULT_MEMORY_BYTES,
    };
    if (r.options.memory_bytes < 2) /* halves are taken, and none may be 0: no limit */
        r.options.memory_bytes = 2;
    hw_meter_start(&r.meter, request);
    r.order = HW_NEW(uint32_t, m->n_nodes);
    r.scratch = HW_NEW(uint32_t, m->n_nodes);
    hw_code code =
        r.order && r.scratch ? exact_map_init(&r.map, m, err) : hw_fail_memory(err, "the search");
    if (code == HW_OK) {
        code = search(&r, err);
        if (code == HW_OK && request->proof)
            code = prove(&r, err);
        exact_map_free(&r.map);
    }
    answer->states = r.meter.states;
    answer->has_bound = true;
    answer->bound = r.bound;
    answer->limit_reached = answer->limit_reached || r.meter.over;
    if (answer->has_order && answer->peak == r.bound)
        answer->status = HW_OPTIMAL;
    free(r.order);
    free(r.scratch);
    free(r.block);
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
