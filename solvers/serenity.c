/*
 * serenity: down-sets level by level, cut nodes apart, under soft budgets.
 *
 * Source: Ahn, Lee, Lin, Cheng, Hou, Esmaeilzadeh, "Ordering Chaos:
 * Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge
 * Devices", MLSys 2020, arXiv 2003.02369.  Their rules, and what is done here:
 *
 * 1. Dynamic programming.  Partial schedules with the same zero-indegree set
 *    have run the same nodes; the one of least peak is kept, step by step.
 *    Here the nodes run are the key themselves (dp_search.h, shared with `dp`).
 *    Their step allocates the outputs, takes the footprint, then frees; this is
 *    alloc-first.  Free-first, workspace, views, in-place, windows and graph
 *    inputs are ours.
 * 2. Divide and conquer.  The graph is divided at single nodes through which
 *    everything passes; parts are solved alone, their schedules put in a row.
 *    Here at nodes that are an ancestor or a descendant of every other
 *    (exact_blocks.h), which every order has between the same two prefixes:
 *    that needs no word about tensors that live across the cut, since live is a
 *    function of the prefix.  They solve every part; here parts come by falling
 *    peak of the order in hand, and those whose peak another part proves
 *    necessary are left as they are: the answer is the peak of the whole.
 * 3. Adaptive soft budgeting.  Their hard budget is the peak of Kahn's order;
 *    partial schedules above the soft budget are dropped.  If a step (all
 *    schedules of one length) takes more than T seconds, the round times out
 *    and the budget is halved; without a solution it goes to the middle between
 *    the last two; the first solution is the optimum.  Here (serenity_budget.c)
 *    - the hard budget is one below the least peak of Kahn's order and the
 *      greedy rules (`hard`), as in `dp`, so that the two compare; no solution
 *      there proves the order in hand.  A step that turns out wide pauses for a
 *      beam, whose order may lower it (`beam`; each is 16 times as wide as the
 *      one before, and a 16th of the step; its prefixes count as down-sets);
 *    - T is a number of down-sets (`step`), so that runs repeat;
 *    - budgets are bisected between the proven lower bound and the least budget
 *      that timed out: halving alone can fall below the bound, and their update
 *      can come back to a budget that timed out before, without end;
 *    - a round without solution proves more than its budget: the least peak at
 *      which a path was dropped;
 *    - memory that is full counts as a timeout: a lower budget needs less;
 *    - when the least budget of interest times out, `step` is doubled.
 *    The default step is long, since rounds pay only where the first one cannot
 *    end: on random graphs of 40 nodes a round at the optimum visits about 0.7
 *    of the down-sets of one at greedy's peak, and one that fails 0.8 of the way
 *    to it still 0.2 to 0.6.
 * 4. Graph rewriting (partial convolutions) changes the graph, not its order:
 *    not here.
 *
 * Exponential in the width of the largest part; the same optimum as `dp`.  Of
 * every two rounds of one length of step, the interval of budgets halves; a
 * timed-out round costs at most `step` down-sets a level.
 */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/sim.h"
#include "model/slice.h"
#include "solvers/exact_blocks.h"
#include "solvers/first.h"
#include "solvers/serenity_budget.h"

enum { HARD, BEAM, STEP, CUTS, N_PARAMS };
enum { GREEDY, KAHN };

static const hw_param_row params[N_PARAMS] = {
    [HARD] =
        {"hard", HW_PARAM_CHOICE, 0, 1, GREEDY, "greedy|kahn",
         "hard budget: the least peak of Kahn's order and the greedy rules, or of Kahn's alone"},
    [BEAM] = {"beam", HW_PARAM_INT, 0, 65536, 4, NULL,
              "width of the first beam that lowers the hard budget of a wide part; 0: none"},
    [STEP] = {"step", HW_PARAM_INT, 1, 1e12, 1048576, NULL,
              "most down-sets of one size in the first round"},
    [CUTS] = {"cuts", HW_PARAM_BOOL, 0, 1, 1, NULL, "divide at cut nodes"},
};

typedef struct part {
    uint32_t low, high; /* positions in the order             */
    uint64_t live;      /* before its first step              */
    uint64_t peak;      /* of the order in hand               */
} part;

typedef struct run {
    const hw_model *m;
    const hw_request *request;
    hw_answer *answer;
    hw_meter meter;
    uint32_t *order; /* in hand */
    hw_slicer slicer;
    part *part; /* highest first */
    uint32_t n_parts;
    uint64_t bound;   /* proven for the whole           */
    uint64_t settled; /* the highest peak of parts done */
} run;

static int by_peak(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->peak != b->peak)
        return a->peak > b->peak ? -1 : 1;
    return a->low < b->low ? -1 : a->low > b->low;
}

/* The parts of the order in hand, with their figures, highest first. */
static hw_code divide(run *r, hw_error *err)
{
    const hw_graph *g = r->m->graph;
    uint32_t n = r->m->n_nodes, *end = HW_NEW(uint32_t, n);
    hw_sim s = {0};
    hw_code code = end ? hw_sim_init(&s, r->m, err) : hw_fail_memory(err, "the parts of a graph");
    if (code == HW_OK && r->request->params[CUTS].i)
        code = exact_blocks(&g->preds, &g->succs, n, r->order, end, &r->n_parts, err);
    else if (code == HW_OK)
        end[0] = n, r->n_parts = 1;
    r->part = HW_NEW(part, r->n_parts);
    if (code == HW_OK && !r->part)
        code = hw_fail_memory(err, "the parts of a graph");
    for (uint32_t i = 0; code == HW_OK && i < r->n_parts; i++) {
        part *p = &r->part[i];
        *p = (part){.low = i ? end[i - 1] : 0, .high = end[i], .live = s.live, .peak = s.live};
        for (uint32_t at = p->low; at < p->high; at++) {
            uint64_t usage = hw_sim_step(&s, r->order[at]);
            if (usage > p->peak)
                p->peak = usage;
        }
        /* The prefixes at its ends are forced; so is all of a part of one node. */
        uint64_t proven = p->high == p->low + 1 ? p->peak : p->live > s.live ? p->live : s.live;
        if (proven > r->bound)
            r->bound = proven;
    }
    if (code == HW_OK)
        qsort(r->part, r->n_parts, sizeof *r->part, by_peak);
    hw_sim_free(&s);
    free(end);
    return code;
}

/* The best order of a part into the order in hand.  *limit: no verdict. */
static hw_code settle(run *r, part *p, bool *limit, hw_error *err)
{
    const hw_request *q = r->request;
    const uint32_t n = p->high - p->low;
    serenity_rounds rounds = {.high = p->peak - 1,
                              .enough = q->has_budget ? q->budget_bytes : 0,
                              .step = (size_t)q->params[STEP].i,
                              .beam = (uint32_t)q->params[BEAM].i,
                              .most_bytes = q->limits.memory_bytes};
    uint32_t *order = HW_NEW(uint32_t, n);
    hw_model *slice = NULL;
    hw_code code = order ? hw_slice_new(&r->slicer, p->low, p->high, p->live, &slice, err)
                         : hw_fail_memory(err, "an order");
    if (code == HW_OK) {
        if (slice->simple_bound > r->bound)
            r->bound = slice->simple_bound;
        rounds.low = r->bound;
        if (q->has_budget && q->budget_bytes < rounds.high)
            rounds.high = q->budget_bytes;
        code = serenity_search(slice, &rounds, order, &r->meter, err);
    }
    bool will_do = rounds.found && rounds.peak <= rounds.enough;
    *limit = code == HW_OK && !rounds.settled && !will_do;
    if (code == HW_OK && rounds.found && rounds.peak < p->peak) {
        for (uint32_t i = 0; i < n; i++)
            order[i] = r->order[p->low + order[i]];
        memcpy(r->order + p->low, order, n * sizeof *order);
        p->peak = rounds.peak;
    }
    if (code == HW_OK) {
        uint64_t proven = rounds.low < p->peak ? rounds.low : p->peak;
        if (proven > r->bound)
            r->bound = proven;
    }
    free(order);
    hw_slice_free(slice);
    return code;
}

/* Does the question end with the order and the bound in hand? */
static bool answered(const run *r)
{
    const hw_request *q = r->request;
    return r->answer->peak <= r->bound ||
           (q->has_budget && (r->answer->peak <= q->budget_bytes || r->bound > q->budget_bytes));
}

static hw_code search(run *r, hw_error *err)
{
    memcpy(r->order, r->answer->order, r->m->n_nodes * sizeof *r->order);
    hw_code code = divide(r, err);
    if (code == HW_OK)
        code = hw_slicer_open(&r->slicer, r->m, r->order, err);
    bool limit = false;
    (void)hw_answer_bound(r->m, r->answer, r->bound);
    for (uint32_t i = 0; code == HW_OK && !limit && i < r->n_parts && !answered(r); i++) {
        code = settle(r, &r->part[i], &limit, err);
        if (code != HW_OK)
            break;
        uint64_t peak = i + 1 < r->n_parts ? r->part[i + 1].peak : 0;
        if (r->part[i].peak > r->settled)
            r->settled = r->part[i].peak;
        (void)hw_answer_improve(r->m, r->answer, r->order, peak > r->settled ? peak : r->settled);
        (void)hw_answer_bound(r->m, r->answer, r->bound);
    }
    r->answer->limit_reached = limit;
    return code;
}

static hw_code solve(const hw_model *m, const hw_request *request, hw_answer *answer, hw_error *err)
{
    static const char *const first[] = {"level", "greedy-reverse", "greedy"};
    const size_t n_first = request->params[HARD].i == KAHN ? 1 : sizeof first / sizeof first[0];
    run r = {.m = m, .request = request, .answer = answer, .bound = m->simple_bound};
    hw_meter_start(&r.meter, request);
    r.order = HW_NEW(uint32_t, m->n_nodes);
    hw_code code = r.order ? HW_OK : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_answer_start(m, request, answer, err);
    for (size_t i = 0; code == HW_OK && i < n_first; i++)
        code = hw_first_order(m, first[i], request, answer, err);
    if (code == HW_OK && answer->has_order)
        code = search(&r, err);
    else if (code == HW_OK)
        answer->limit_reached = true; /* time was over before an order was in hand */
    answer->states = r.meter.states;
    if (code == HW_OK && answer->has_order) {
        if (request->has_budget && r.bound > request->budget_bytes)
            answer->status = HW_INFEASIBLE;
        else
            answer->status = answer->peak <= r.bound ? HW_OPTIMAL : HW_FEASIBLE;
    }
    hw_slicer_close(&r.slicer);
    free(r.part);
    free(r.order);
    return code;
}

const hw_solver_row hw_solver_serenity = {
    .name = "serenity",
    .kind = HW_SOLVER_EXACT,
    .budget_aware = true,
    .counts = "down-sets",
    .params = params,
    .n_params = N_PARAMS,
    .help = "down-sets level by level between cut nodes, under adaptive soft budgets",
    .source = "Ahn et al. 2020, arXiv:2003.02369",
    .solve = solve,
};
