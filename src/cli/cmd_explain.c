/* highwater explain: where an order loses the optimum, and what it holds at its peak. */
#include <inttypes.h>
#include <string.h>

#include "explain/explain_draw.h"
#include "cli/explain_text.h"
#include "cli/shared.h"
#include "io/drawing.h"

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
    {"draw", "FILE", NULL, "Draw the graph with the wrong turn marked: .svg, .pdf or .png."},
    {"curves", "FILE", NULL,
     "Draw the memory of both orders, one above the other: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater explain graph.json",
    "highwater explain graph.json --solver lookahead:k=3 --accounting free-first --json",
    "highwater explain graph.json --solver level --against greedy",
    "highwater explain graph.json --solver level --draw turn.svg --curves memory.svg",
};

#define DEFAULT_SECONDS 60
#define DRAW_SECONDS    60 /* dot may take that long for a graph of many edges */

typedef struct explain_job {
    hw_memory_options memory;
    hw_explain_ask ask;
    const char *graph_path, *curves_path;
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
    job->graph_path = hw_cli_value(c, "draw");
    job->curves_path = hw_cli_value(c, "curves");
    if (code == HW_OK && job->graph_path)
        code = hw_drawing_check_ending(job->graph_path, err);
    if (code == HW_OK && job->curves_path)
        code = hw_drawing_check_ending(job->curves_path, err);
    ask->request.seed = c->seed;
    ask->request.threads = c->jobs;
    ask->request.stop = c->stop;
    return code;
}

/* Files that are written: three different ones, none of which is read. */
static hw_code check_files(const hw_cli *c, const explain_job *job, hw_error *err)
{
    const struct {
        const char *option, *path;
    } file[] = {
        {"-o", c->output_path}, {"--draw", job->graph_path}, {"--curves", job->curves_path}};
    enum { N = sizeof file / sizeof file[0] };
    hw_code code = HW_OK;
    for (int i = 0; i < N; i++) {
        if (code == HW_OK)
            code = hw_cli_check_output(c, file[i].option, file[i].path, err);
        for (int k = 0; k < i && code == HW_OK; k++)
            code =
                hw_cli_two_files(file[k].option, file[k].path, file[i].option, file[i].path, err);
    }
    return code;
}

/* What may end dot: a signal, or the clock. */
typedef struct patience {
    const volatile sig_atomic_t *stop;
    double end_seconds;
} patience;

static bool over(void *context)
{
    const patience *p = context;
    return *p->stop || hw_wall_seconds() > p->end_seconds;
}

/* The text is out, whatever becomes of the pictures. */
static hw_code draw(const hw_cli *c, const explain_job *job, const hw_explained *e, hw_error *err)
{
    char solver[HW_EXPLAIN_SPEC], target[HW_EXPLAIN_SPEC];
    patience limit = {c->stop, hw_wall_seconds() + DRAW_SECONDS};
    const hw_program_watch watch = {over, &limit};
    const hw_explain_names names = {hw_explain_short(&job->ask.solver, solver),
                                    hw_explain_target_text(e, target)};
    hw_code code = HW_OK;
    if (!job->graph_path && !job->curves_path)
        return HW_OK;
    if (!e->x->has_order) {
        hw_cli_note(c, "%s has no order: nothing is drawn", names.solver);
        return HW_OK;
    }
    if (job->curves_path)
        code = hw_explain_draw_curves(e->x, &names, job->curves_path, err);
    if (code == HW_OK && job->graph_path)
        code = hw_explain_draw_graph(e->x, &names, job->graph_path, &watch, err);
    if (code == HW_LIMIT && *c->stop)
        code = hw_fail(err, HW_STOPPED, "%s: stopped by a signal", job->graph_path);
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
    if (code == HW_OK)
        code = draw(c, job, &e, err);
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
        code = check_files(c, &job, err);
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
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
