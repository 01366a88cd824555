/* highwater shrink: the smallest graph on which a solver still does badly. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "cli/shared.h"
#include "cli/shrink_text.h"

static const hw_option options[] = {
    {"solver", "NAME[:K=V,...]", NULL, "The solver that does badly; needed."},
    {"against", "NAME[:K=V,...]", "the optimum, by exact",
     "Compare its peak with that of another solver."},
    {"hard", NULL, NULL,
     "The goal is what the solver counts, at least --ratio: hard graphs for exact ones."},
    {"ratio", "R", "1, strictly",
     "Keep peak / optimum (or / the other's peak, or the count) at R or more: a decimal or p/q, "
     "compared exactly."},
    {"strictly", NULL, NULL, "Keep it above R."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"zero-sizes", NULL, NULL, "Sizes may become 0; else they stay at 1 or more."},
    {"rounds", "N", "20",
     "Once no single step is left, N times: change the graph at random where the goal allows it, "
     "and shrink it again."},
    {"evaluations", "N", "none", "Stop after N graphs were rated."},
    {"time-limit", "SECONDS", "none", "Stop after SECONDS."},
    {"state-limit", "N", "none",
     "Stop each run of a solver after N states; an optimum that is not proven then counts as "
     "none."},
    {"format", "WORD", "by the ending of FILE, else json",
     "Of the graph: json, line, graphml or dot."},
};

static const char *const examples[] = {
    "highwater gen layered --n 24 | highwater shrink - --solver by-output -o small.json",
    "highwater shrink small.json --solver by-output --against greedy --format dot",
    "highwater gen erdos | highwater shrink - --solver dp --hard --ratio 20 --json -o hard.hwl",
};

enum { ROUNDS = 20, MOST_ROUNDS = 1000000000 };

typedef struct shrink_job {
    hw_goal goal;
    hw_shrink_options options;
    hw_format format;
    hw_output file;
    hw_shrink_line line;
} shrink_job;

static hw_code read_ratio(const hw_cli *c, shrink_job *job, hw_error *err)
{
    const char *text = hw_cli_value(c, "ratio");
    job->options.least = (hw_ratio){1, 1};
    job->options.strictly = !text || hw_cli_has(c, "strictly");
    if (!text && job->goal.kind == HW_GOAL_HARD)
        return hw_fail(err, HW_USAGE, "--hard needs --ratio N: how much is hard");
    if (text && !hw_ratio_read(text, &job->options.least))
        return hw_fail(err, HW_USAGE,
                       "option --ratio: '%s' is no ratio: give a decimal such as 1.5, or p/q",
                       text);
    return HW_OK;
}

static hw_code read_goal(const hw_cli *c, shrink_job *job, hw_error *err)
{
    const char *solver = hw_cli_value(c, "solver");
    hw_memory_options memory;
    if (!solver)
        return hw_fail(err, HW_USAGE, "which solver does badly? Give --solver NAME");
    hw_code code =
        hw_goal_parse(solver, hw_cli_value(c, "against"), hw_cli_has(c, "hard"), &job->goal, err);
    if (code == HW_OK)
        code = hw_cli_memory_options(c, &memory, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &job->goal.limits.states, err);
    if (code != HW_OK)
        return code;
    job->goal.accounting = memory.accounting;
    job->goal.pin_inputs = memory.pin_inputs;
    job->goal.limits.memory_bytes = hw_cli_default_memory();
    job->goal.seed = c->seed;
    job->goal.stop = c->stop;
    return read_ratio(c, job, err);
}

static hw_code read_output(const hw_cli *c, shrink_job *job, hw_error *err)
{
    const char *format = hw_cli_value(c, "format");
    job->format = HW_FORMAT_JSON;
    if (c->json && !c->output_path)
        return hw_fail(err, HW_USAGE,
                       "with --json the figures take standard output: give the graph a file, -o "
                       "FILE");
    if (c->json && strcmp(c->output_path, "-") == 0)
        return hw_fail(err, HW_USAGE, "--json and -o - both take standard output: give -o FILE");
    hw_code code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK && format)
        code = hw_format_parse(format, &job->format, err);
    else if (code == HW_OK && c->output_path)
        job->format = hw_format_of_name(c->output_path, job->format);
    return code;
}

static hw_code read_job(const hw_cli *c, shrink_job *job, hw_error *err)
{
    uint64_t rounds = ROUNDS;
    hw_shrink_options *o = &job->options;
    hw_code code = read_goal(c, job, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "rounds", 0, MOST_ROUNDS, &rounds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "evaluations", 1, UINT64_MAX, &o->evaluations, err);
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &o->seconds, err);
    o->rounds = (uint32_t)rounds;
    o->seed = c->seed;
    o->zero_sizes = hw_cli_has(c, "zero-sizes");
    if (!c->quiet && isatty(STDERR_FILENO)) {
        o->progress = hw_shrink_show;
        o->context = &job->line;
    }
    return code == HW_OK ? read_output(c, job, err) : code;
}

/* The graph to its file, or to standard output; the figures to where that leaves room. */
static hw_code tell(hw_cli *c, shrink_job *job, const hw_shrunk *shrunk, hw_error *err)
{
    bool to_file = job->file.stream && job->file.path;
    hw_code code = hw_graph_write(shrunk->graph, job->format, job->file.stream, err);
    if (code == HW_OK)
        code = hw_cli_commit(&job->file, err);
    else
        hw_error_prefix(err, "%s: ", to_file ? c->output_path : "standard output");
    if (code != HW_OK)
        return code;
    if (c->json)
        code = hw_shrunk_json(shrunk, c->out, err);
    else if (to_file)
        hw_shrunk_text(shrunk, c->out);
    else
        hw_shrunk_notes(c, shrunk);
    return code == HW_OK ? hw_cli_flush(c, err) : code;
}

static hw_code shrink(hw_cli *c, shrink_job *job, const hw_graph *g, hw_error *err)
{
    hw_graph *small = NULL;
    hw_shrink_report report;
    hw_code code = hw_shrink(g, &job->goal, &job->options, &small, &report, err);
    hw_shrink_show_end(&job->line);
    if (code != HW_OK) {
        if (code == HW_CHECK_FAILED || code == HW_LIMIT || code == HW_BAD_INPUT)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
        return code;
    }
    hw_shrunk shrunk = {.from = g,
                        .graph = small,
                        .goal = &job->goal,
                        .options = &job->options,
                        .report = &report,
                        .stopped = *c->stop};
    code = tell(c, job, &shrunk, err);
    hw_graph_free(small);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    shrink_job job;
    hw_graph *g = NULL;
    memset(&job, 0, sizeof job);
    hw_code code = read_job(c, &job, err);
    if (code == HW_OK && (job.options.rounds || job.goal.row->random))
        hw_cli_note(c, "seed %" PRIu64, c->seed);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK) /* before the work: what cannot be written ends it */
        code = hw_cli_open(c->output_path, &job.file, err);
    if (code == HW_OK)
        code = shrink(c, &job, g, err);
    if (job.file.stream)
        hw_cli_abandon(&job.file);
    hw_graph_free(g);
    return code;
}

static const hw_option_values values[] = {
    {"format", HW_FORMAT_WORDS},
};

const hw_command hw_command_shrink = {
    .name = "shrink",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Make a graph on which a solver does badly as small as it can be.",
    .details =
        "Takes away nodes, edges, features and bytes as long as the goal holds: that the solver's "
        "peak is more than the optimum, or than that of --against, or at least --ratio times it. "
        "The graph goes to standard output and the figures to standard error; with -o the graph "
        "goes to FILE and the figures to standard output.\n\n"
        "The result is called minimal only when every single step was tried on it and breaks the "
        "goal. A limit or a signal leaves the smallest graph so far. The same command without a "
        "time limit gives the same graph.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OWN_FILE | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
