/* Rating graphs by running solvers on them.  See goal.h. */
#include "adversary/goal.h"

#include <string.h>

#include "solve/dump.h"
#include "solve/foreign.h"

static hw_code parse(const char *spec, const hw_solver_row **row, hw_param_value *values,
                     hw_error *err)
{
    hw_code code = hw_solver_parse(spec, row, values, err);
    if (code == HW_OK && (*row)->kind == HW_SOLVER_BOUND)
        code = hw_fail(err, HW_USAGE, "solver %s finds no order: give one that does", (*row)->name);
    return code;
}

hw_code hw_goal_parse(const char *solver, const char *against, bool hard, hw_goal *out,
                      hw_error *err)
{
    memset(out, 0, sizeof *out);
    out->seed = HW_DEFAULT_SEED;
    out->kind = hard ? HW_GOAL_HARD : against ? HW_GOAL_AGAINST : HW_GOAL_GAP;
    if (hard && against)
        return hw_fail(err, HW_USAGE,
                       "hard graphs for %s and graphs on which it loses against %s are two "
                       "searches: ask for one of them",
                       solver, against);
    hw_code code = parse(solver, &out->row, out->values, err);
    if (code == HW_OK && hard && out->row->kind != HW_SOLVER_EXACT)
        code = hw_fail(err, HW_USAGE, "solver %s is a heuristic: hard graphs are for exact solvers",
                       solver);
    if (code == HW_OK && !hard)
        code = parse(against ? against : "exact", &out->other, out->other_values, err);
    return code;
}

/* One solver on one model; *counts stays as it is only if an order came of it. */
static hw_code run(const hw_goal *goal, const hw_model *m, const hw_solver_row *row,
                   const hw_param_value *values, bool must_prove, bool *counts, uint64_t *peak,
                   uint64_t *states, hw_error *err)
{
    hw_answer answer;
    hw_request request = {
        .params = values, .limits = goal->limits, .seed = goal->seed, .stop = goal->stop};
    hw_error refusal = {0};
    hw_code code = hw_solve(m, row, &request, &answer, &refusal);
    if (code == HW_USAGE) { /* a solver for other graphs */
        *counts = false;
        return HW_OK;
    }
    if (hw_foreign_failed(row, code))
        code = hw_dump_failure(m, &refusal);
    if (code != HW_OK)
        return hw_fail(err, code, "%s", refusal.message);
    *peak = answer.peak;
    *states = answer.states;
    *counts = *counts && answer.has_order && (!must_prove || answer.status == HW_OPTIMAL);
    hw_answer_clear(&answer);
    return HW_OK;
}

hw_code hw_goal_rate_model(const hw_goal *goal, const hw_model *m, hw_rating *out, hw_error *err)
{
    uint64_t ignored = 0;
    bool hard = goal->kind == HW_GOAL_HARD;
    *out = (hw_rating){.counts = true};
    hw_code code =
        run(goal, m, goal->row, goal->values, hard, &out->counts, &out->peak, &out->states, err);
    if (code == HW_OK && out->counts && !hard)
        code = run(goal, m, goal->other, goal->other_values, goal->kind == HW_GOAL_GAP,
                   &out->counts, &out->reference, &ignored, err);
    if (goal->stop && *goal->stop)
        out->counts = false;
    out->ratio = hard ? (hw_ratio){out->states, 1} : (hw_ratio){out->peak, out->reference};
    return code;
}

hw_code hw_goal_rate(const hw_goal *goal, const hw_graph *g, hw_rating *out, hw_error *err)
{
    hw_model *m = NULL;
    hw_code code = hw_model_new(g, goal->accounting, goal->pin_inputs, &m, err);
    if (code == HW_OK)
        code = hw_goal_rate_model(goal, m, out, err);
    hw_model_free(m);
    return code;
}
