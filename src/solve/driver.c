/*
 * What is common to all solvers, around the call of one.  See solver.h.
 *
 * Statuses follow highwater-model(7).  A bound may prove what a heuristic does not: when
 * peak and lower bound meet the order is optimal, and a bound above the budget
 * settles the budget.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/check.h"
#include "model/sim.h"
#include "proof/settled.h"
#include "solve/dump.h"
#include "solve/solver.h"

const char *hw_status_name(hw_status status)
{
    static const char *const names[] = {"unknown", "feasible", "optimal", "infeasible", "stalled"};
    return names[status];
}

void hw_answer_clear(hw_answer *answer)
{
    free(answer->order);
    memset(answer, 0, sizeof *answer);
}

/* Every order passes through the independent checker before anyone sees it. */
static hw_code verify(const hw_model *m, const hw_solver_row *row, const hw_answer *answer,
                      hw_error *err)
{
    hw_check check;
    hw_code code = hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                  answer->order, m->n_nodes, &check, err);
    if (code != HW_OK)
        return code;
    char what[256];
    if (check.verdict != HW_ORDER_LEGAL)
        hw_check_message(m->graph, &check, what, sizeof what);
    else if (check.peak != answer->peak)
        (void)snprintf(what, sizeof what, "it claims peak %" PRIu64 ", the checker finds %" PRIu64,
                       answer->peak, check.peak);
    else if (answer->has_bound && answer->bound > check.peak)
        (void)snprintf(what, sizeof what, "its bound %" PRIu64 " exceeds the peak %" PRIu64,
                       answer->bound, check.peak);
    else
        return HW_OK;
    return hw_dump_disagreement(m, row->name, answer, what, err);
}

/* Status and bound as highwater-model(7) defines them, whatever the solver filled in. */
static void settle(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                   hw_answer *answer)
{
    if (answer->status == HW_STALLED || (answer->status == HW_INFEASIBLE && !request->has_budget))
        return;
    bool proven_best = answer->status == HW_OPTIMAL && row->kind == HW_SOLVER_EXACT;
    if (proven_best && (!answer->has_bound || answer->bound < answer->peak)) {
        answer->has_bound = true;
        answer->bound = answer->peak;
    }
    if (!answer->has_bound || answer->bound < m->simple_bound) {
        answer->has_bound = true;
        answer->bound = m->simple_bound;
    }
    if (request->has_budget && answer->status == HW_INFEASIBLE &&
        request->budget_bytes < UINT64_MAX && answer->bound <= request->budget_bytes)
        answer->bound = request->budget_bytes + 1;
    if (request->has_budget && answer->bound > request->budget_bytes)
        answer->status = HW_INFEASIBLE;
    else if (!answer->has_order || (request->has_budget && answer->peak > request->budget_bytes))
        answer->status = HW_UNKNOWN;
    else
        answer->status = answer->bound == answer->peak ? HW_OPTIMAL : HW_FEASIBLE;
}

hw_code hw_answer_raise_bound(const hw_model *m, const hw_solver_row *row,
                              const hw_request *request, hw_answer *answer, uint64_t bound,
                              hw_error *err)
{
    bool settled = answer->status == HW_STALLED || answer->status == HW_INFEASIBLE;
    if (settled || (answer->has_bound && answer->bound >= bound))
        return HW_OK;
    answer->has_bound = true;
    answer->bound = bound;
    hw_code code = answer->has_order ? verify(m, row, answer, err) : HW_OK;
    if (code == HW_OK)
        settle(m, row, request, answer);
    return code;
}

hw_code hw_answer_replace(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                          hw_answer *answer, const uint32_t *order, hw_error *err)
{
    memcpy(answer->order, order, (size_t)m->n_nodes * sizeof *order);
    hw_code code = hw_peak(m, order, &answer->peak, err);
    if (code == HW_OK)
        code = verify(m, row, answer, err);
    if (code == HW_OK && answer->status == HW_OPTIMAL)
        answer->status = HW_FEASIBLE; /* settled anew: the bound stands */
    if (code == HW_OK)
        settle(m, row, request, answer);
    return code;
}

/* What was settled without the solver is proven without it. */
static hw_code prove_settled(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                             hw_answer *answer, hw_error *err)
{
    if (!request->proof || !row->proves)
        return HW_OK;
    uint64_t claim = m->legal ? m->live_empty : UINT64_MAX;
    if (request->has_budget && request->budget_bytes < claim)
        claim = request->budget_bytes + 1;
    hw_code code = m->legal ? hw_proof_empty(request->proof, m, claim, err)
                            : hw_proof_no_order(request->proof, m, claim, err);
    if (code == HW_OK)
        answer->proof = HW_PROOF_COMPLETE;
    return code;
}

/* A proof that cannot be written takes nothing from the answer: stream and message tell. */
static hw_code keep_answer(const hw_request *request, hw_answer *answer, hw_code code)
{
    if (code != HW_IO || !request->proof || !ferror(request->proof))
        return code;
    answer->proof = HW_PROOF_CUT;
    return HW_OK;
}

hw_code hw_solve(const hw_model *m, const hw_solver_row *row, const hw_request *request,
                 hw_answer *answer, hw_error *err)
{
    memset(answer, 0, sizeof *answer);
    hw_code code = hw_solver_takes(row, m, err);
    if (code != HW_OK)
        return code;
    answer->order = HW_NEW(uint32_t, m->n_nodes);
    if (!answer->order)
        return hw_fail_memory(err, "an order");
    double wall = hw_wall_seconds(), cpu = hw_cpu_seconds();
    if (!m->legal) {
        answer->status = HW_INFEASIBLE;
        code = keep_answer(request, answer, prove_settled(m, row, request, answer, err));
        answer->seconds = hw_wall_seconds() - wall;
        if (code != HW_OK)
            hw_answer_clear(answer);
        return code;
    }
    if (m->n_nodes == 0 && row->kind != HW_SOLVER_BOUND) {
        (void)hw_answer_improve(m, answer, answer->order, m->live_empty);
        answer->status = HW_OPTIMAL;
        code = prove_settled(m, row, request, answer, err);
    } else {
        hw_request heard = *request;
        hw_watch watch = {.request = &heard, .start_seconds = wall};
        heard.watch = answer->watch = &watch;
        code = row->solve(m, &heard, answer, err);
        answer->watch = NULL;
    }
    code = keep_answer(request, answer, code);
    answer->seconds = hw_wall_seconds() - wall;
    answer->cpu_seconds += hw_cpu_seconds() - cpu;
    if (code == HW_OK && answer->has_order)
        code = verify(m, row, answer, err);
    if (code == HW_OK)
        settle(m, row, request, answer);
    if (code != HW_OK)
        hw_answer_clear(answer);
    return code;
}
