/* highwater tradeoff: how much of a second objective a larger peak buys. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "cli/tradeoff_curve.h"
#include "core/memory.h"
#include "io/gnuplot.h"

static const hw_option options[] = {
    {"then", "OBJECTIVE", "area",
     "The second objective: area (the sum of live bytes over the steps) or critical-path (longest "
     "remaining paths first)."},
    {"solver", "NAME[:K=V,...]", "exact", "Who finds the least peak, where the curve begins."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"points", "N", "100", "The most points."},
    {"time-limit", "SECONDS", "none",
     "Stop the solver after SECONDS, and so each of the two searches for the curve: of its proven "
     "points, and where those are out of reach of the best."},
    {"state-limit", "N", "none", "Stop each of them after N states."},
    {"memory-limit", "BYTES", "half of the machine's memory",
     "The most that the solver may take for its tables."},
    {"plot", "FILE", NULL, "Draw the curve: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater tradeoff graph.json",
    "highwater tradeoff graph.json --then critical-path --json",
    "highwater tradeoff graph.json --plot curve.svg",
};

enum { POINTS = 100, MOST_POINTS = 100000 };

typedef struct tradeoff_job {
    hw_memory_options memory;
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_limits limits;
    hw_second kind;
    uint64_t points;
} tradeoff_job;

static hw_code read_job(const hw_cli *c, tradeoff_job *job, hw_error *err)
{
    unsigned kind = 0;
    const char *solver = hw_cli_has(c, "solver") ? hw_cli_value(c, "solver") : "exact";
    job->points = POINTS;
    job->limits.memory_bytes = hw_cli_default_memory();
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_solver_parse(solver, &job->row, job->values, err);
    if (code == HW_OK && job->row->kind == HW_SOLVER_BOUND)
        code =
            hw_fail(err, HW_USAGE, "solver %s finds no order: give one that does", job->row->name);
    if (code == HW_OK)
        code = hw_cli_choice(c, "then", &kind, err);
    job->kind = (hw_second)kind;
    if (code == HW_OK)
        code = hw_cli_u64(c, "points", 1, MOST_POINTS, &job->points, err);
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &job->limits.seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &job->limits.states, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "memory-limit", &job->limits.memory_bytes, err);
    if (code == HW_OK && hw_cli_has(c, "plot"))
        code = hw_gnuplot_check_ending(hw_cli_value(c, "plot"), err);
    if (code == HW_OK)
        code = hw_cli_two_files("--plot", hw_cli_value(c, "plot"), "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--plot", hw_cli_value(c, "plot"), err);
    return code;
}

static void write_json(const hw_cli *c, const hw_model *m, const tradeoff_job *job,
                       const hw_tradeoff *t, const char *hash, bool least_peak, uint64_t added)
{
    char cost[HW_COST_TEXT];
    hw_json_out j = hw_json_on(c->out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "graph", m->graph->name);
    hw_json_put_string(&j, "hash", hash);
    hw_json_put_u64(&j, "nodes", m->n_nodes);
    hw_json_put_string(&j, "accounting", hw_accounting_name(m->accounting));
    hw_json_put_bool(&j, "pin_inputs", m->pin_inputs);
    hw_json_put_bool(&j, "with_resident", job->memory.with_resident);
    hw_json_put_string(&j, "then", hw_second_name(job->kind));
    hw_json_put_string(&j, "unit", hw_second_unit(job->kind));
    hw_json_put_bool(&j, "least_peak_proven", least_peak);
    hw_json_put_bool(&j, "proven", t->whole);
    hw_json_open(&j, "points", '[');
    for (size_t i = 0; i < t->n_points; i++) {
        hw_json_open(&j, NULL, '{');
        hw_json_put_u64(&j, "peak", t->point[i].peak + added);
        hw_json_put_digits(&j, "value", hw_cost_text(t->point[i].cost, cost));
        hw_json_put_bool(&j, "proven", t->point[i].proven);
        hw_json_close(&j, '}');
    }
    hw_json_close(&j, ']');
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static void write_text(const hw_cli *c, const hw_model *m, const tradeoff_job *job,
                       const hw_tradeoff *t, bool least_peak, uint64_t added)
{
    char cost[HW_COST_TEXT], name[HW_SHOWN_TEXT];
    (void)fprintf(c->out, "%s: %" PRIu32 " nodes, %s%s, %s in %s\n",
                  hw_cli_graph_name(m->graph, name), m->n_nodes, hw_accounting_name(m->accounting),
                  m->pin_inputs ? ", pinned inputs" : "", hw_second_name(job->kind),
                  hw_second_unit(job->kind));
    (void)fprintf(c->out, "%24s  %24s\n", "peak (bytes)", hw_second_name(job->kind));
    for (size_t i = 0; i < t->n_points; i++)
        (void)fprintf(c->out, "%24" PRIu64 "  %24s%s\n", t->point[i].peak + added,
                      hw_cost_text(t->point[i].cost, cost),
                      t->point[i].proven ? "" : "  not proven");
    if (t->whole)
        (void)fprintf(c->out, "proven: no order lies below this curve%s\n",
                      least_peak ? ", none has a smaller peak" : "");
}

static hw_code tell(hw_cli *c, const hw_model *m, const tradeoff_job *job, const hw_tradeoff *t,
                    bool least_peak, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    uint64_t added = job->memory.with_resident ? m->resident_bytes : 0;
    hw_code code = hw_graph_hash(m->graph, hash, err);
    if (code != HW_OK)
        return code;
    if (c->json)
        write_json(c, m, job, t, hash, least_peak, added);
    else
        write_text(c, m, job, t, least_peak, added);
    code = hw_cli_flush(c, err); /* the curve is out, whatever becomes of the picture */
    if (code == HW_OK && hw_cli_has(c, "plot"))
        code = hw_tradeoff_plot(m, job->kind, t, hw_cli_value(c, "plot"), err);
    return code;
}

static hw_code find(hw_cli *c, const hw_model *m, const tradeoff_job *job, hw_error *err)
{
    hw_answer answer;
    hw_tradeoff curve = {0};
    hw_request request = {.params = job->values,
                          .limits = job->limits,
                          .seed = c->seed,
                          .threads = c->jobs,
                          .stop = c->stop};
    hw_code code = hw_solve(m, job->row, &request, &answer, err);
    if (code != HW_OK)
        return code;
    if (answer.has_order)
        code = hw_tradeoff_find(m, job->kind, answer.order, job->points, &request, &curve, err);
    else
        code = hw_fail(err, m->legal ? HW_LIMIT : HW_CHECK_FAILED, "%s",
                       m->legal ? "no order is in hand: give more time or another solver"
                                : "no order is legal");
    if (code == HW_OK)
        code = tell(c, m, job, &curve, answer.status == HW_OPTIMAL, err);
    hw_tradeoff_free(&curve);
    hw_answer_clear(&answer);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    tradeoff_job job = {.points = POINTS};
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_code code = read_job(c, &job, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = hw_cli_model(g, &job.memory, &m, err);
    if (code == HW_OK) {
        code = find(c, m, &job, err);
        if (code != HW_OK && code != HW_NO_MEMORY && code != HW_STOPPED)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    }
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

static const hw_option_values values[] = {
    {"then", HW_THEN_WORDS},
};

const hw_command hw_command_tradeoff = {
    .name = "tradeoff",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Show what a larger peak buys of a second objective.",
    .details =
        "A row a point: a peak and the least value of the second objective among the orders of at "
        "most that peak, from the least peak to where a larger one buys nothing. Graphs of up to "
        "64 nodes whose down-sets are few enough get every point, proven; others get up to "
        "--points of them, the best that was found.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
