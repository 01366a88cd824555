/* The lower bound beside the answers of `solve`.  See solve_bound.h. */
#include "cli/solve_bound.h"

#include "solvers/exact_proof.h"

/* What is looked for, at which cost; a limit of seconds holds where no steps are counted. */
static hw_code fill(const hw_model *m, const hw_request *request, hw_solve_bound wanted,
                    hw_bound_cache *cache, hw_error *err)
{
    static const uint64_t any = UINT64_MAX;
    const uint64_t steps[][BOUND_KINDS] = {
        [HW_SOLVE_BOUND_AUTO] = {bound_quick_steps[BOUND_FOOTPRINT],
                                 bound_quick_steps[BOUND_MINCUT]},
        [HW_SOLVE_BOUND_MINCUT] = {any, any},
        [HW_SOLVE_BOUND_FOOTPRINT] = {any, 0},
    };
    hw_request limits = {.stop = request->stop};
    if (wanted != HW_SOLVE_BOUND_AUTO)
        limits.limits.seconds = request->limits.seconds;
    hw_code code = bound_ladder_find(m, &limits, steps[wanted], &cache->ladder, err);
    cache->filled = code == HW_OK;
    return code;
}

/* Who proved the bound that the solver came back with. */
static const char *origin_of(const hw_model *m, const hw_solver_row *row, const hw_answer *answer)
{
    if (!answer->has_bound)
        return NULL;
    bool own = row->kind == HW_SOLVER_BOUND || answer->bound > m->simple_bound ||
               (row->kind == HW_SOLVER_EXACT && answer->status == HW_OPTIMAL);
    return own ? row->name : "simple";
}

/*
 * What the bound from elsewhere has settled is in no proof yet: the solver left
 * the question open, at a budget that was met or at a limit.
 */
static hw_code prove_raised(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                            hw_answer *answer, hw_error *err)
{
    bool settled = answer->status == HW_OPTIMAL || answer->status == HW_INFEASIBLE;
    if (!settled || !request->proof || !row->proves || !answer->has_order ||
        answer->proof != HW_PROOF_NONE)
        return HW_OK;
    uint64_t claim = answer->status == HW_OPTIMAL ? answer->peak : request->budget_bytes + 1;
    hw_code code = exact_proof(m, answer->order, true, claim, request->limits.memory_bytes, request,
                               &answer->proof, err);
    if (code != HW_IO || !ferror(request->proof))
        return code;
    answer->proof = HW_PROOF_CUT; /* the answer stands; stream and message tell */
    return HW_OK;
}

hw_code hw_solve_raise(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                       hw_solve_bound wanted, hw_bound_cache *cache, hw_answer *answer,
                       hw_bound_origin *origin, hw_error *err)
{
    *origin = (hw_bound_origin){.by = origin_of(m, row, answer)};
    bool open = answer->status == HW_FEASIBLE || answer->status == HW_UNKNOWN;
    if (!open || row->kind == HW_SOLVER_BOUND || wanted == HW_SOLVE_BOUND_SIMPLE)
        return HW_OK;
    hw_code code = cache->filled ? HW_OK : fill(m, request, wanted, cache, err);
    if (code != HW_OK)
        return code;
    bound_kind last = wanted == HW_SOLVE_BOUND_FOOTPRINT ? BOUND_FOOTPRINT : BOUND_MINCUT;
    bound_part best = cache->ladder.part[last];
    if (best.bytes > answer->bound) {
        bool below = cache->ladder.part[BOUND_FOOTPRINT].bytes < best.bytes;
        origin->by = bound_kind_name(below ? BOUND_MINCUT : BOUND_FOOTPRINT);
        code = hw_answer_raise_bound(m, row, request, answer, best.bytes, err);
    }
    if (code == HW_OK)
        code = prove_raised(m, row, request, answer, err);
    open = answer->status == HW_FEASIBLE || answer->status == HW_UNKNOWN;
    origin->cut_short = open && best.cut;
    return code;
}
