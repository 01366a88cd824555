/* Rating genomes, the fast way where there is one.  See search_rate.h. */
#include "adversary/search_rate.h"

#include <string.h>

#include "solve/dump.h"
#include "solve/foreign.h"

enum { AMPLE_STATES = 1 << (HW_SMALL_MOST + 4) };

void hw_rater_start(hw_rater *r, const hw_goal *goal)
{
    memset(r, 0, sizeof *r);
    r->goal = goal;
    const hw_solver_row *greedy = hw_solver_find("greedy", strlen("greedy"));
    /* Limits bind every solver: what they cut short is not to count.  What the fast model can hold
     * has 2^HW_SMALL_MOST prefixes, which is within reach of so many states. */
    bool ample = goal->limits.states == 0 || goal->limits.states >= AMPLE_STATES;
    bool proves = goal->kind == HW_GOAL_GAP && goal->limits.memory_bytes == 0;
    r->quick_solver = ample && goal->kind != HW_GOAL_HARD && goal->row == greedy;
    r->quick_other = ample && (proves || (goal->kind == HW_GOAL_AGAINST && goal->other == greedy));
}

/* One solver; *counts turns false where no order came of it. */
static hw_code run(hw_rater *r, const hw_model *m, const hw_solver_row *row,
                   const hw_param_value *values, bool must_prove, bool *counts, uint64_t *peak,
                   uint64_t *states, hw_error *err)
{
    const hw_goal *goal = r->goal;
    hw_answer answer;
    hw_request request = {
        .params = values, .limits = goal->limits, .seed = goal->seed, .stop = goal->stop};
    hw_error why = {0};
    hw_code code = hw_solve(m, row, &request, &answer, &why);
    if (code == HW_USAGE) {
        r->refusal = why;
        *counts = false;
        return HW_OK;
    }
    if (hw_foreign_failed(row, code))
        code = hw_dump_failure(m, &why);
    if (code != HW_OK)
        return hw_fail(err, code, "%s", why.message);
    *peak = answer.peak;
    *states = answer.states;
    *counts = *counts && answer.has_order && (!must_prove || answer.status == HW_OPTIMAL);
    hw_answer_clear(&answer);
    return HW_OK;
}

static hw_code rate_model(hw_rater *r, const hw_model *m, bool small, hw_rating *out, hw_error *err)
{
    const hw_goal *goal = r->goal;
    bool hard = goal->kind == HW_GOAL_HARD;
    uint64_t ignored;
    hw_code code = HW_OK;
    if (!(small && r->quick_solver))
        code =
            run(r, m, goal->row, goal->values, hard, &out->counts, &out->peak, &out->states, err);
    if (code == HW_OK && out->counts && !hard && !(small && r->quick_other))
        code = run(r, m, goal->other, goal->other_values, goal->kind == HW_GOAL_GAP, &out->counts,
                   &out->reference, &ignored, err);
    return code;
}

static hw_code rate_by_solvers(hw_rater *r, const hw_genome *g, bool small, hw_rating *out,
                               hw_error *err)
{
    hw_graph *graph = NULL;
    hw_model *m = NULL;
    hw_code code = hw_genome_graph(g, NULL, NULL, &graph, err);
    if (code == HW_OK)
        code = hw_model_new(graph, r->goal->accounting, r->goal->pin_inputs, &m, err);
    if (code == HW_OK)
        code = rate_model(r, m, small, out, err);
    hw_model_free(m);
    hw_graph_free(graph);
    return code;
}

hw_code hw_rater_rate(hw_rater *r, const hw_genome *g, hw_rating *out, hw_error *err)
{
    const hw_goal *goal = r->goal;
    bool hard = goal->kind == HW_GOAL_HARD;
    bool small = (r->quick_solver || r->quick_other) && hw_small_fits(g);
    hw_code code = HW_OK;
    *out = (hw_rating){.counts = true};
    if (small)
        hw_small_set(&r->small, g, goal->accounting);
    if (small && r->quick_solver)
        out->peak = hw_small_greedy(&r->small, NULL);
    if (!(small && r->quick_solver && r->quick_other))
        code = rate_by_solvers(r, g, small, out, err);
    if (code == HW_OK && out->counts && small && r->quick_other)
        out->reference = goal->kind == HW_GOAL_GAP ? hw_small_optimum(&r->small)
                                                   : hw_small_greedy(&r->small, NULL);
    if (goal->stop && *goal->stop)
        out->counts = false;
    out->ratio = hard ? (hw_ratio){out->states, 1} : (hw_ratio){out->peak, out->reference};
    return code;
}
