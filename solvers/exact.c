/*
 * exact: the least peak, proven, by search over prefixes from both ends.
 *
 * Orders to begin with and better ones come from exact_upper.h; the order in
 * hand is cut into pieces whose orders are independent (exact_plan.h); the piece
 * with the highest peak is refined, then settled (exact_settle.h): a lower one is
 * looked for until that is proven impossible, or another piece is the highest.
 * Once the answer stands, a certificate is written on request (exact_proof.h).
 *
 * Rules with their proofs: exact_engine.c (R1, R1'), exact_macros.c (R2, R3),
 * exact_commit.h (R2 over several moves); reductions with theirs:
 * exact_blocks.h (R4), exact_valley.h, exact_ends.h, exact_profile.h
 * (components), exact_contract.h, exact_images.h (symmetry).  Exponential in
 * the worst case; bounded memory.  Source: this project.
 */
#include <stdlib.h>

#include "core/memory.h"
#include "solvers/exact_proof.h"
#include "solvers/exact_settle.h"
#include "solvers/exact_upper.h"

/* Memory where no limit is set: of one search, both directions. */
#define DEFAULT_MEMORY_BYTES (UINT64_C(4) << 30)

static hw_code search(exact_run *r, hw_error *err)
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
    if (code == HW_OK) {
        plan->map.meter = &r->meter;
        exact_run_bound(r);
    }
    bool stop = false;
    while (code == HW_OK && !stop && !exact_run_met(r) && !exact_run_missed(r)) {
        uint32_t index = exact_plan_highest(plan);
        if (plan->piece[index].peak <= plan->bound || hw_meter_look(&r->meter))
            break;
        bool split;
        code = exact_plan_refine(plan, index, &split, err);
        if (code == HW_OK)
            code = split ? exact_run_take(r, err) : exact_settle(r, index, &stop, err);
    }
    return code;
}

/* The certificate of the bound, where it settles the question. */
static hw_code prove(exact_run *r, hw_error *err)
{
    const hw_request *q = r->request;
    exact_plan *plan = &r->plan;
    uint64_t claim = plan->bound;
    if (q->has_budget && claim > q->budget_bytes)
        claim = q->budget_bytes + 1;
    else if (!r->answer->has_order || r->answer->peak != claim)
        return HW_OK;
    return exact_proof(r->m, plan->order, plan->legal, claim, plan->memory_bytes, q,
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
    exact_run r = {.m = m, .request = request, .answer = answer};
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
    r.windows = v[WINDOWS].i != 0;
    r.contract = v[CONTRACT].i != 0;
    r.components = v[COMPONENTS].i != 0;
    r.plan.memory_bytes = r.options.memory_bytes / 2;
    hw_meter_start(&r.meter, request);
    /* A state takes up to O(n^2 / 64): the clock is to be looked at every few milliseconds. */
    hw_meter_look_every(&r.meter, 4096 / (1 + (uint64_t)m->n_nodes * m->n_nodes / 65536));
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
