/* The best graph of a search, shrunk.  See adversary_shrink.h. */
#include "cli/adversary_shrink.h"

#include "adversary/search_confirm.h"
#include "cli/shrink_text.h"

enum { ROUNDS = 20 }; /* as `highwater shrink` has them */

static bool is_inside(void *context, const hw_graph *g)
{
    const hw_space *space = context;
    hw_genome genome;
    hw_error ignored;
    return hw_genome_of_graph(g, &genome, &ignored) == HW_OK && hw_space_holds(space, &genome);
}

static hw_code tell(const hw_cli *c, const hw_shrunk *shrunk, hw_output *file, hw_error *err)
{
    hw_format format = hw_format_of_name(hw_cli_value(c, "shrink"), HW_FORMAT_JSON);
    hw_code code = hw_graph_write(shrunk->graph, format, file->stream, err);
    if (code == HW_OK)
        code = hw_cli_commit(file, err);
    else
        hw_error_prefix(err, "%s: ", hw_cli_value(c, "shrink"));
    if (code != HW_OK)
        return code;
    if (c->json)
        return hw_shrunk_json(shrunk, c->out, err);
    hw_shrunk_text(shrunk, c->out);
    return HW_OK;
}

hw_code hw_adversary_shrink(const hw_cli *c, const hw_adversary_job *job,
                            const hw_search_state *state, hw_output *file, hw_error *err)
{
    hw_graph *g = NULL, *small = NULL;
    hw_goal goal = job->search.goal;
    hw_space space = job->search.space;
    hw_shrink_report report;
    space.least_nodes = 1;
    space.least_edges = 0;
    goal.stop = c->stop;
    hw_shrink_options options = {.least = state->best.rating.ratio,
                                 .rounds = ROUNDS,
                                 .seed = job->search.seed,
                                 .inside = is_inside,
                                 .context = &space};
    hw_code code =
        hw_find_graph(&job->search, job->command, state->best_lane, &state->best, &g, err);
    if (code == HW_OK)
        code = hw_shrink(g, &goal, &options, &small, &report, err);
    if (code == HW_OK) {
        hw_shrunk shrunk = {.from = g,
                            .graph = small,
                            .goal = &goal,
                            .options = &options,
                            .report = &report,
                            .stopped = *c->stop};
        code = tell(c, &shrunk, file, err);
    }
    hw_graph_free(small);
    hw_graph_free(g);
    return code;
}
