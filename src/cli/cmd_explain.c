/* highwater explain: where an order loses the optimum, and what it holds at its peak. */
#include <inttypes.h>
#include <string.h>

#include "cli/explain_text.h"
#include "cli/shared.h"

static const hw_option options[] = {
    {"solver", "NAME[:K=V,...]", "greedy", "Whose order is explained."},
    {"against", "NAME[:K=V,...]", NULL,
     "Another solver: explain where its peak is lost, not the optimum."},
    {"prover", "NAME[:K=V,...]", "exact", "Who proves the optimum."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"time-limit", "SECONDS", "60",
     "Stop each solver, and the search for the wrong turn, after SECONDS.  Without --time-limit "
     "but with --state-limit: none."},
    {"state-limit", "N", "none",
     "Stop each solver, and the search for the wrong turn, after N states."},
    {"memory-limit", "BYTES", "half of the machine's memory",
     "The most that a solver may take for its tables."},
};

static const char *const examples[] = {
    "highwater explain graph.json",
    "highwater explain graph.json --solver lookahead:k=3 --accounting free-first --json",
    "highwater explain graph.json --solver level --against greedy",
};

#define DEFAULT_SECONDS 60

typedef struct explain_job {
    hw_memory_options memory;
    hw_explain_ask ask;
} explain_job;

static hw_code read_solver(const hw_cli *c, const char *option, const char *preset,
                           hw_explain_solver *solver, hw_error *err)
{
    const char *spec = hw_cli_has(c, option) ? hw_cli_value(c, option) : preset;
    if (!spec)
        return HW_OK;
    hw_code code = hw_solver_parse(spec, &solver->row, solver->values, err);
    if (code == HW_OK && solver->row->kind == HW_SOLVER_BOUND)
        code = hw_fail(err, HW_USAGE, "--%s: %s finds no order: give a solver that does", option,
                       solver->row->name);
    return code;
}

static hw_code read_limits(const hw_cli *c, hw_limits *limits, hw_error *err)
{
    bool states = hw_cli_has(c, "state-limit");
    *limits = (hw_limits){.seconds = states ? 0 : DEFAULT_SECONDS,
                          .memory_bytes = hw_cli_default_memory()};
    hw_code code = hw_cli_seconds(c, "time-limit", &limits->seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &limits->states, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "memory-limit", &limits->memory_bytes, err);
    if (code == HW_OK && limits->memory_bytes == 0 && hw_cli_has(c, "memory-limit"))
        code = hw_fail(err, HW_USAGE, "option --memory-limit: 0 leaves nothing: give 1 or more");
    return code;
}

static hw_code read_job(const hw_cli *c, explain_job *job, hw_error *err)
{
    hw_explain_ask *ask = &job->ask;
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = read_solver(c, "solver", "greedy", &ask->solver, err);
    if (code == HW_OK)
        code = read_solver(c, "against", NULL, &ask->against, err);
    if (code == HW_OK)
        code = read_solver(c, "prover", "exact", &ask->prover, err);
    if (code == HW_OK)
        code = read_limits(c, &ask->request.limits, err);
    ask->request.seed = c->seed;
    ask->request.threads = c->jobs;
    ask->request.stop = c->stop;
    return code;
}

static hw_code explain(hw_cli *c, const hw_model *m, const explain_job *job, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_explanation x;
    hw_code code = hw_graph_hash(m->graph, hash, err);
    if (code == HW_OK)
        code = hw_explain(m, &job->ask, &x, err);
    if (code != HW_OK)
        return code;
    const hw_explained e = {&x, &job->ask, hash};
    if (c->json)
        hw_explain_json(&e, c->out);
    else
        hw_explain_text(&e, c->out);
    code = hw_cli_flush(c, err);
    hw_explanation_clear(&x);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    explain_job job = {.memory = {0}};
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_code code = read_job(c, &job, err);
    if (code == HW_OK)
        code = hw_cli_not_input(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = hw_cli_model(g, &job.memory, &m, err);
    if (code == HW_OK &&
        (job.ask.solver.row->random || (job.ask.against.row && job.ask.against.row->random)))
        hw_cli_note(c, "seed %" PRIu64, c->seed);
    if (code == HW_OK)
        code = explain(c, m, &job, err);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

const hw_command hw_command_explain = {
    .name = "explain",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Show where an order loses the optimum, and why.",
    .details =
        "The wrong turn is the first step after which the optimum is out of reach, whatever runs "
        "later: the prefix before it has a completion that keeps to the optimum, the one with it "
        "has none. Told are the node that runs there and the one that should, every node that "
        "could run with its net change of live bytes, an order that agrees up to there and keeps "
        "to the optimum, the least peak that is left after it, and what is alive at the peak with "
        "its lifetimes in both orders. Steps count from 0.\n\n"
        "Where the limits end the proof of the optimum, the least peak known takes its place; "
        "where they end the search for the wrong turn, it is told between which steps it lies.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
