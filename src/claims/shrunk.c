/* Small examples.  See shrunk.h. */
#include "claims/shrunk.h"

#include "adversary/shrink.h"
#include "claims/tools.h"

static hw_code keep(hw_claim_run *run, const char *name, const hw_graph *g, const hw_goal *goal,
                    const char *worse, const char *better, const hw_rating *rating, hw_error *err)
{
    hw_model *m = NULL;
    hw_code code = hw_claim_example(run, name, g, err);
    if (code == HW_OK)
        code = hw_model_new(g, goal->accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, worse, rating->peak, err);
    if (code == HW_OK)
        code = hw_claim_shows(run, m, better, rating->reference, err);
    hw_model_free(m);
    return code;
}

hw_code hw_claim_shrunk(hw_claim_run *run, const char *name, const char *spec, uint32_t tries,
                        const char *worse, const char *better, hw_accounting accounting,
                        uint32_t *nodes, hw_error *err)
{
    hw_goal goal;
    hw_shrink_options options = {
        .least = {1, 1}, .strictly = true, .evaluations = hw_claim_effort(run, 400, 20000)};
    hw_code code = hw_goal_parse(worse, better, false, &goal, err);
    *nodes = 0;
    if (code != HW_OK)
        return code;
    goal.accounting = accounting;
    goal.stop = hw_claim_stop_flag(run);
    for (uint32_t i = 0; code == HW_OK && i < tries && *nodes == 0; i++) {
        hw_graph *g = NULL, *small = NULL;
        hw_rating rating;
        hw_shrink_report report;
        code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
        if (code == HW_OK)
            code = hw_goal_rate(&goal, g, &rating, err);
        if (code == HW_OK && rating.counts && rating.peak > rating.reference) {
            code = hw_shrink(g, &goal, &options, &small, &report, err);
            if (code == HW_OK)
                code = keep(run, name, small, &goal, worse, better, &report.rating, err);
            *nodes = code == HW_OK ? small->n_nodes : 0;
        }
        hw_graph_free(small);
        hw_graph_free(g);
    }
    if (code == HW_OK && hw_claim_stopped(run))
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    return code;
}
