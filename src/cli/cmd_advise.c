/* highwater advise: what to do next when a peak has to fall. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/advise_text.h"
#include "cli/shared.h"
#include "cli/solve_files.h"
#include "core/memory.h"
#include "model/check.h"

static const hw_option options[] = {
    {"order", "ORDER", "the best found",
     "Whose peak is looked at: an order file, `source` or a solver."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"top", "N", "10", "Show N tensors, and look for the recomputation of each; 0: none."},
    {"copies", "N", "2", "At most N nodes run again in the best recomputation; 0: none."},
    {"apply", "FILE", NULL,
     "Write the graph with the best recomputation to FILE (.json, .hwl or .graphml)."},
    {"apply-order", "FILE", NULL, "Write the best order of that graph to FILE."},
    {"time-limit", "SECONDS", "60",
     "Be done after about SECONDS.  Without --time-limit but with --state-limit: none."},
    {"state-limit", "N", "none", "Stop each run of a solver after N states."},
    {"memory-limit", "BYTES", "half of the machine's memory",
     "The most that a solver may take for its tables."},
};

static const char *const examples[] = {
    "highwater advise graph.json",
    "highwater advise graph.json --order level --top 3 --json",
    "highwater gen nets --net mlp --mode training --batch 512 -q | highwater advise - --top 3",
    "highwater advise graph.json --copies 4 --time-limit 10 --apply again.json",
};

#define DEFAULT_SECONDS 60
enum { TOP = 10, COPIES = 2, MOST_COPIES = 64 };

typedef struct advise_job {
    hw_memory_options memory;
    hw_advise_ask ask;
    const char *order_name, *graph_path, *order_path;
    hw_operators *operators;
    hw_cli_import import;
    hw_advise_line line;
} advise_job;

static hw_code read_limits(const hw_cli *c, advise_job *job, hw_error *err)
{
    hw_request *r = &job->ask.search.request;
    job->ask.seconds = hw_cli_has(c, "state-limit") ? 0 : DEFAULT_SECONDS;
    *r = (hw_request){.limits.memory_bytes = hw_cli_default_memory(),
                      .seed = c->seed,
                      .threads = c->jobs,
                      .stop = c->stop};
    hw_code code = hw_cli_seconds(c, "time-limit", &job->ask.seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &r->limits.states, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "memory-limit", &r->limits.memory_bytes, err);
    if (code == HW_OK && r->limits.memory_bytes == 0)
        code = hw_fail(err, HW_USAGE, "option --memory-limit: 0 leaves nothing: give 1 or more");
    return code;
}

/* Files that are written: different ones, none of which is read. */
static hw_code check_files(const hw_cli *c, const advise_job *job, hw_error *err)
{
    const struct {
        const char *option, *path;
    } file[] = {{"-o", c->output_path ? c->output_path : "-"}, /* where the advice goes */
                {"--apply", job->graph_path},
                {"--apply-order", job->order_path}};
    enum { N = sizeof file / sizeof file[0] };
    hw_code code = HW_OK;
    if (strcmp(c->args[0], "-") == 0 && job->order_name && strcmp(job->order_name, "-") == 0)
        return hw_fail(err, HW_USAGE, "standard input cannot be both graph and order");
    for (int i = 0; i < N; i++) {
        bool to_stdout = file[i].path && strcmp(file[i].path, "-") == 0;
        if (code == HW_OK && file[i].path && !to_stdout)
            code = hw_cli_check_output(c, file[i].option, file[i].path, err);
        for (int k = 0; k < i && code == HW_OK; k++) {
            code =
                hw_cli_two_files(file[k].option, file[k].path, file[i].option, file[i].path, err);
            if (code == HW_OK && to_stdout && file[k].path && strcmp(file[k].path, "-") == 0)
                code = hw_fail(err, HW_USAGE,
                               "%s and %s both go to standard output: give one of them a file",
                               k == 0 ? "the advice" : file[k].option, file[i].option);
        }
    }
    return code;
}

static hw_code read_operators(const hw_cli *c, advise_job *job, hw_error *err)
{
    hw_code code = hw_cli_import_options(c, &job->import, err);
    if (code != HW_OK)
        return code;
    job->ask.search.operators = job->import.operators;
    if (!job->import.operators &&
        !(job->ask.search.operators = job->operators = hw_operators_new()))
        return hw_fail_memory(err, "the table of operators");
    return HW_OK;
}

static hw_code read_job(const hw_cli *c, advise_job *job, hw_error *err)
{
    uint64_t top = TOP, copies = COPIES;
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "top", 0, UINT32_MAX, &top, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "copies", 0, MOST_COPIES, &copies, err);
    if (code == HW_OK)
        code = read_limits(c, job, err);
    job->ask.top = (uint32_t)top;
    job->ask.search.copies = (uint32_t)copies;
    job->order_name = hw_cli_value(c, "order");
    job->graph_path = hw_cli_value(c, "apply");
    job->order_path = hw_cli_value(c, "apply-order");
    if (!c->quiet && isatty(STDERR_FILENO)) {
        job->ask.search.progress = hw_advise_show;
        job->ask.search.context = &job->line;
    }
    if (code == HW_OK)
        code = check_files(c, job, err);
    return code == HW_OK ? read_operators(c, job, err) : code;
}

/* ---- The graph with the best recomputation. ---- */

static hw_code write_graph(const hw_graph *g, const char *path, hw_error *err)
{
    hw_output o;
    hw_code code = hw_cli_open(path, &o, err);
    if (code != HW_OK)
        return code;
    code = hw_graph_write(g, hw_format_of_name(path, HW_FORMAT_JSON), o.stream, err);
    if (code == HW_OK)
        return hw_cli_commit(&o, err);
    hw_error_prefix(err, "%s: ", path);
    hw_cli_abandon(&o);
    return code;
}

/* The last level that is better than the one before, checked once more as it is written. */
static hw_code apply(const hw_model *m, const hw_advice *advice, hw_applied *out, hw_error *err)
{
    hw_check check;
    for (uint32_t k = 0; k <= advice->copies; k++)
        if (advice->level[k].found)
            out->level = &advice->level[k];
    if (!out->level)
        return HW_OK;
    const hw_again *best = &out->level->best;
    hw_code code = hw_again_named(best, m->graph, &out->graph, err);
    if (code == HW_OK)
        code = hw_check_order(out->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                              best->order, out->graph->n_nodes, &check, err);
    if (code == HW_OK && (check.verdict != HW_ORDER_LEGAL || check.peak != out->level->peak))
        code = hw_fail(err, HW_INTERNAL,
                       "the graph with recomputation is not what was promised: its order has "
                       "another peak; please report this");
    return code;
}

static hw_code write_applied(const hw_cli *c, const advise_job *job, const hw_applied *applied,
                             hw_error *err)
{
    hw_code code = HW_OK;
    if (!applied->level) {
        if (job->graph_path)
            hw_cli_note(c, "no recomputation lowers the peak: %s is not written", job->graph_path);
        if (job->order_path)
            hw_cli_note(c, "no recomputation lowers the peak: %s is not written", job->order_path);
        return HW_OK;
    }
    if (job->graph_path)
        code = write_graph(applied->graph, job->graph_path, err);
    if (code == HW_OK && job->order_path)
        code =
            hw_solve_write_order(job->order_path, applied->graph, applied->level->best.order, err);
    return code;
}

/* ---- The command. ---- */

static hw_code advise(hw_cli *c, const hw_model *m, advise_job *job, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_advice advice;
    hw_applied applied = {0};
    hw_code code = hw_graph_hash(m->graph, hash, err);
    if (code != HW_OK)
        return code;
    code = hw_advise(m, &job->ask, &advice, err);
    hw_advise_show_end(&job->line);
    if (code == HW_OK)
        code = apply(m, &advice, &applied, err);
    if (code == HW_OK) {
        const hw_advised d = {&advice,         &applied,
                              job->order_name, hash,
                              job->ask.top,    job->memory.with_resident ? m->resident_bytes : 0};
        if (c->json)
            hw_advise_json(&d, c->out);
        else
            hw_advise_text(&d, c->out);
        code = hw_cli_flush(c, err); /* the advice is out, whatever becomes of the files */
    }
    if (code == HW_OK)
        code = write_applied(c, job, &applied, err);
    hw_graph_free(applied.graph);
    hw_advice_clear(&advice);
    return code;
}

static hw_code with_order(hw_cli *c, const hw_model *m, advise_job *job, hw_error *err)
{
    uint32_t *order = NULL;
    hw_code code = HW_OK;
    if (job->order_name) {
        const hw_limits limits = {job->ask.search.request.limits.states, job->ask.seconds / 4,
                                  job->ask.search.request.limits.memory_bytes};
        order = HW_NEW(uint32_t, m->n_nodes);
        code = order ? hw_cli_order(c, m, job->order_name, &limits, order, err)
                     : hw_fail_memory(err, "an order");
        job->ask.order = order;
    }
    if (code == HW_OK)
        code = advise(c, m, job, err);
    free(order);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    advise_job job = {.memory = {0}};
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_code code = read_job(c, &job, err);
    if (code == HW_OK)
        code = hw_cli_one_graph(c, c->args[0], &g, err);
    if (code == HW_OK)
        code = hw_cli_model(g, &job.memory, &m, err);
    if (code == HW_OK) {
        code = with_order(c, m, &job, err);
        if (code == HW_CHECK_FAILED || code == HW_LIMIT)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    }
    hw_model_free(m);
    hw_graph_free(g);
    hw_cli_import_clear(&job.import);
    hw_operators_free(job.operators);
    return code;
}

const hw_command hw_command_advise = {
    .name = "advise",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Say what to do next: drop, recompute, spill, in-place, and what each saves.",
    .details =
        "A row a tensor alive at the peak: the peak that is left when it is not held between its "
        "last use before the peak and its next one after it, and what that saves; its size, the "
        "steps since it was made and until it is used; the bytes that spilling it moves; and the "
        "peak when its maker runs again right before it is used, in the same order, with the "
        "nodes that run again and the bytes these read and write. `given`: an input; `fixed`: its "
        "maker is locked, random or stateful. Where several steps reach the peak, dropping one "
        "tensor may save nothing: then the set is named that lowers all of them.\n\n"
        "Then how low the peak can go, each with the order that is best for it: by order alone; "
        "without in-place pairs, or with all that there can be; without views; and with the "
        "best choice of nodes that run again, for any part of those that read them. Proven where "
        "all choices could be settled; else the best that was found and a bound.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
