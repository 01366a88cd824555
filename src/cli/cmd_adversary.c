/* highwater adversary: search for graphs on which a solver does badly. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/adversary_options.h"
#include "cli/adversary_shrink.h"
#include "cli/shared.h"
#include "solve/called.h"

static const hw_option options[] = {
    {"against", "SOLVER", NULL,
     "Search for graphs on which this other solver does better, in place of the optimum."},
    {"hard", NULL, NULL, "Search for graphs on which an exact solver counts most states."},
    {"nodes", "A[:B]", "8", "From A to B nodes, at most 64."},
    {"edges", "A[:B]", "any", "From A to B edges."},
    {"sizes", "A[:B]", "1:100", "Sizes from A to B bytes."},
    {"max-in", "N", "none", "No node reads more than N others."},
    {"max-out", "N", "none", "No node is read by more than N others."},
    {"shape", "WORD", "any",
     "Stay inside a family: any, in-tree, out-tree, series-parallel or layered."},
    HW_OPTION_ACCOUNTING,
    {"features", "LIST", "none",
     "Any of workspace, inplace and split (a node makes a tensor of its own for each reader), with "
     "commas."},
    {"outputs", "WORD", "kept", "What nobody reads is kept to the end, or discarded at once."},
    {"method", "WORD", "all",
     "climb (hill climbing with restarts), anneal, evolve (a population), or all in turn."},
    {"time-limit", "SECONDS", "60, or none with --evaluations", "Stop after SECONDS."},
    {"evaluations", "N", "none",
     "Stop after N graphs were rated: the answer is then the same anywhere."},
    {"state-limit", "N", "100000 with --hard, 1048576 beyond 16 nodes, else none",
     "Stop each run of a solver after N states; what it has not proven does not count."},
    {"start", "GRAPH", NULL, "Begin with this graph instead of random ones."},
    {"lane", "N", NULL, "Run lane N alone, which repeats what was found there."},
    {"shrink", "FILE", NULL,
     "Shrink the graph at the end, with its ratio kept, into FILE (see `highwater shrink`)."},
    {"resume", NULL, NULL, "The folder may hold this search: do what is missing in it."},
};

static const char *const examples[] = {
    "highwater adversary greedy --evaluations 20000",
    "highwater adversary level --nodes 6 --evaluations 5000 --seed 7 -o found --json",
    "highwater adversary lookahead:k=5 --against greedy --nodes 10 --evaluations 5000 -j 2",
    "highwater adversary dfs --nodes 7 --evaluations 5000 --shrink small.json",
    "highwater adversary dp --hard --nodes 10:12 --sizes 1:9 --evaluations 500",
};

/* ---- The progress line: on a terminal, rewritten in place. ---- */

typedef struct progress {
    const hw_adversary_job *job;
    bool shown;
} progress;

static void show(void *context, const hw_search_state *s)
{
    progress *p = context;
    const hw_search_options *o = &p->job->options;
    const hw_goal *goal = &p->job->search.goal;
    char name[HW_FOREIGN_NAME];
    double rate = s->seconds > 0 ? (double)s->evaluations / s->seconds : 0;
    p->shown = true;
    (void)fprintf(stderr, "\r\033[K%s: %" PRIu64 " lanes, %" PRIu64 " graphs, %.0f a second",
                  hw_solver_short(goal->row, goal->values, name), s->lanes, s->evaluations, rate);
    if (s->any)
        (void)fprintf(stderr, ", worst %.5g (%" PRIu32 " nodes)",
                      hw_ratio_value(s->best.rating.ratio), s->best.genome.n);
    if (o->seconds > 0)
        (void)fprintf(stderr, ", %.0f of %.0f s", s->seconds, o->seconds);
    else
        (void)fprintf(stderr, ", %.0f s", s->seconds);
    (void)fflush(stderr);
}

/* ---- What was found. ---- */

static const char *goal_words(const hw_goal *goal)
{
    return goal->kind == HW_GOAL_HARD  ? "states"
           : goal->kind == HW_GOAL_GAP ? "peak / optimum"
                                       : "peak / peak of the other";
}

static hw_search_method method_of(const hw_search *s, uint64_t lane)
{
    hw_lane_plan plan;
    hw_search_plan(s, lane, &plan);
    return plan.method;
}

static void write_text(const hw_cli *c, const hw_adversary_job *job, const hw_search_state *s)
{
    const hw_genome *g = &s->best.genome;
    const hw_rating *r = &s->best.rating;
    const hw_goal *goal = &job->search.goal;
    (void)fprintf(c->out, "%s, %s: ", c->args[0], hw_accounting_name(goal->accounting));
    if (goal->kind == HW_GOAL_HARD)
        (void)fprintf(c->out, "%" PRIu64 " states", r->states);
    else
        (void)fprintf(c->out, "ratio %.6g = %" PRIu64 " / %" PRIu64 " (%s)",
                      hw_ratio_value(r->ratio), r->ratio.over, r->ratio.under, goal_words(goal));
    (void)fprintf(c->out, ", %" PRIu32 " nodes, %" PRIu32 " edges, outputs %s\n", g->n,
                  hw_genome_edges(g), g->discard ? "discarded" : "kept");
    (void)fprintf(c->out, "lane %" PRIu64 " (%s), evaluation %" PRIu64 "\n", s->best_lane,
                  hw_search_method_name(method_of(&job->search, s->best_lane)), s->best.evaluation);
    (void)fprintf(c->out, "%4s %12s  reads\n", "node", "bytes");
    for (uint32_t v = 0; v < g->n; v++) {
        (void)fprintf(c->out, "%4" PRIu32 " %12" PRIu64, v, g->size[v]);
        const char *space = "  ";
        for (uint32_t u = 0; u < v; u++)
            if (g->parents[v] >> u & 1) {
                (void)fprintf(c->out, "%s%" PRIu32, space, u);
                space = " ";
            }
        if (g->split >> v & 1)
            (void)fputs("  (a tensor a reader)", c->out);
        if (g->workspace[v])
            (void)fprintf(c->out, "  (workspace %" PRIu64 ")", g->workspace[v]);
        if (g->inplace[v] != HW_GENOME_NONE)
            (void)fprintf(c->out, "  (may overwrite %u)", g->inplace[v]);
        (void)fputc('\n', c->out);
    }
}

static void write_nodes(hw_json_out *j, const hw_genome *g)
{
    hw_json_open(j, "graph", '[');
    for (uint32_t v = 0; v < g->n; v++) {
        hw_json_open(j, NULL, '{');
        hw_json_put_u64(j, "bytes", g->size[v]);
        hw_json_open(j, "reads", '[');
        for (uint32_t u = 0; u < v; u++)
            if (g->parents[v] >> u & 1)
                hw_json_put_u64(j, NULL, u);
        hw_json_close(j, ']');
        hw_json_put_u64(j, "workspace", g->workspace[v]);
        bool overwrites = g->inplace[v] != HW_GENOME_NONE;
        hw_json_put_u64_or_null(j, "may_overwrite", overwrites, g->inplace[v]);
        hw_json_put_bool(j, "tensor_a_reader", g->split >> v & 1);
        hw_json_close(j, '}');
    }
    hw_json_close(j, ']');
}

static void write_json(const hw_cli *c, const hw_adversary_job *job, const hw_search_state *s)
{
    const hw_rating *r = &s->best.rating;
    hw_json_out j = hw_json_on(c->out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "command", job->command);
    hw_json_put_string(&j, "solver", c->args[0]);
    hw_json_put_string(&j, "accounting", hw_accounting_name(job->search.goal.accounting));
    hw_json_put_string(&j, "measure", goal_words(&job->search.goal));
    hw_json_put_real(&j, "ratio", hw_ratio_value(r->ratio));
    hw_json_put_u64(&j, "over", r->ratio.over);
    hw_json_put_u64(&j, "under", r->ratio.under);
    hw_json_put_u64(&j, "states", r->states);
    hw_json_put_u64(&j, "nodes", s->best.genome.n);
    hw_json_put_u64(&j, "edges", hw_genome_edges(&s->best.genome));
    hw_json_put_bool(&j, "discard", s->best.genome.discard);
    hw_json_put_u64(&j, "lane", s->best_lane);
    hw_json_put_string(&j, "method", hw_search_method_name(method_of(&job->search, s->best_lane)));
    hw_json_put_u64(&j, "evaluation", s->best.evaluation);
    hw_json_put_u64(&j, "lanes", s->lanes);
    hw_json_put_bool(&j, "complete", s->complete);
    write_nodes(&j, &s->best.genome);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static hw_code tell(const hw_cli *c, const hw_adversary_job *job, const hw_search_state *s,
                    hw_error *err)
{
    if (!s->any)
        return *c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal before a graph was found")
                        : hw_fail(err, HW_LIMIT,
                                  "no graph was found on which both figures are known: give more "
                                  "time, or a larger --state-limit");
    if (c->json)
        write_json(c, job, s);
    else
        write_text(c, job, s);
    if (job->search.goal.kind != HW_GOAL_HARD &&
        s->best.rating.ratio.over <= s->best.rating.ratio.under)
        hw_cli_note(c, "no graph was found on which %s does worse", c->args[0]);
    return hw_cli_flush(c, err);
}

static hw_code search(const hw_cli *c, hw_adversary_job *job, hw_output *shrunk, hw_error *err)
{
    hw_search_state state;
    progress p = {.job = job};
    if (!c->quiet && isatty(STDERR_FILENO)) {
        job->options.progress = show;
        job->options.context = &p;
    }
    hw_cli_detail(c, "%s", job->command);
    hw_code code = hw_search_run(&job->search, &job->options, &state, err);
    if (p.shown)
        (void)fputc('\n', stderr);
    if (code != HW_OK)
        return code;
    hw_cli_note(c, "%" PRIu64 " lane%s finished%s, %" PRIu64 " graphs in %.1f s, %.0f a second",
                state.lanes, state.lanes == 1 ? "" : "s",
                state.lanes_kept ? ", some by an earlier run" : "", state.evaluations,
                state.seconds, state.seconds > 0 ? (double)state.evaluations / state.seconds : 0);
    if (*c->stop)
        hw_cli_note(c, "stopped by a signal: this is what was found so far");
    code = tell(c, job, &state, err);
    if (code != HW_OK || !shrunk->stream)
        return code;
    if (*c->stop) {
        hw_cli_note(c, "stopped by a signal: nothing was shrunk");
        return HW_OK;
    }
    code = hw_adversary_shrink(c, job, &state, shrunk, err);
    return code == HW_OK ? hw_cli_flush(c, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    hw_adversary_job job;
    hw_output shrunk = {.stream = NULL};
    const char *file = hw_cli_value(c, "shrink");
    hw_code code = hw_adversary_job_read(c, &job, err);
    if (code == HW_OK && file && strcmp(file, "-") == 0)
        code =
            hw_fail(err, HW_USAGE, "--shrink names a file, not '-': standard output tells of it");
    if (code == HW_OK && file) /* before the work: what cannot be written ends it */
        code = hw_cli_open(file, &shrunk, err);
    if (code == HW_OK)
        code = search(c, &job, &shrunk, err);
    if (shrunk.stream)
        hw_cli_abandon(&shrunk);
    hw_adversary_job_clear(&job);
    return code;
}

static const hw_option_values values[] = {
    {"features", ",workspace|inplace|split"},
    {"method", HW_SEARCH_METHOD_WORDS},
    {"outputs", "kept|discarded"},
    {"shape", HW_SHAPE_WORDS},
};

const hw_command hw_command_adversary = {
    .name = "adversary",
    .arguments = "SOLVER",
    .least_args = 1,
    .most_args = 1,
    .help = "Search for graphs on which a solver does badly.",
    .details =
        "What is made great is the peak of SOLVER over the optimum, over the peak of another "
        "solver (--against), or the states that an exact SOLVER counts (--hard). Small graphs are "
        "bred and changed; the best is printed, with its peaks checked and its optimum proven.\n\n"
        "The search is cut into lanes, each with a method, a seed and a length of its own: what is "
        "found under --evaluations is the same for any -j, and --lane repeats the lane of a find. "
        "-o names a folder, made if need be, that takes a line for each lane and the graphs "
        "as they are found: highwater-formats(5). SIGINT, SIGTERM and SIGHUP stop the search, "
        "which tells what it has; --resume goes on with it.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_JOBS | HW_CLI_FOLDER,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
