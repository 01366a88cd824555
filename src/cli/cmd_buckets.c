/* highwater buckets: orders for a graph whose sizes vary, and how many are needed. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buckets/heat.h"
#include "cli/buckets_report.h"
#include "io/gnuplot.h"
#include "io/folder.h"

static const hw_option options[] = {
    {"buckets", "K", "3", "At most K orders, each for a range of sizes."},
    {"scale", "RULE", "the file or family knows the dimension",
     "How tensors grow with the dimension: all (linear), some=P (a seeded share P of them, linear "
     "or quadratic), or a file of rules 'op|node|tensor|kind PATTERN fixed|linear|quadratic'."},
    {"base", "N", "the first value",
     "With --scale: the value that the graph's own sizes hold for."},
    {"index", "I", "0", "The number of the instance, of a family."},
    {"minimize", "WORD", "worst",
     "What the cuts make small: worst (the largest regret in percent), worst-bytes or "
     "total-bytes."},
    {"solver", "NAME[:K=V,...]", "portfolio", "Who finds the order of each size."},
    {"reschedule", "NAME[:K=V,...]", "greedy",
     "Whom to compare buckets with: a solver that runs anew at each size; none: nobody."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    HW_OPTION_WITH_RESIDENT,
    {"time-limit", "SECONDS", "none", "Stop a solver after SECONDS at each size."},
    {"state-limit", "N", "none", "Stop a solver after N states at each size."},
    {"memory-limit", "BYTES", "half of the machine's memory",
     "The most that a solver may take for its tables."},
    {"matrix", "FILE", NULL, "Write the matrix of regret to FILE, as CSV."},
    {"draw", "FILE", NULL, "Draw it with the cuts: .svg, .pdf or .png."},
    {"orders", "FOLDER", NULL, "Write the best order of each size there."},
    {"summary", NULL, NULL, "A head and one line of CSV in place of the tables."},
    {"times", NULL, NULL, "Tell how long the solvers took."},
};

static const char *const examples[] = {
    "highwater buckets graph.json --dim H=1:8 --scale some=0.5 --buckets 2",
    "highwater buckets graph.json --dim H=1:4 --scale all --json",
    "highwater buckets nets:net=unet --dim resolution=256:1024:256 --solver greedy --draw map.svg",
    "highwater buckets nets:net=mobilenet-v1 --dim batch=1:3 --solver dfs --matrix r.csv",
};

typedef struct buckets_job {
    hw_memory_options memory;
    const hw_solver_row *row, *again;
    hw_param_value values[HW_PARAM_LIMIT], again_values[HW_PARAM_LIMIT];
    hw_limits limits;
    uint64_t buckets, base, index;
    hw_bucket_goal goal;
    hw_cli_import import;
    hw_sweep_axis axis;
} buckets_job;

/* ---- What is asked for. ---- */

static const char *solver_name(const hw_cli *c)
{
    return hw_cli_has(c, "solver") ? hw_cli_value(c, "solver") : hw_cli_default_solver();
}

/* NULL: none. */
static const char *again_name(const hw_cli *c)
{
    const char *name = hw_cli_has(c, "reschedule") ? hw_cli_value(c, "reschedule") : "greedy";
    return strcmp(name, "none") == 0 ? NULL : name;
}

static hw_code read_solver(const char *name, const hw_solver_row **row, hw_param_value *values,
                           hw_error *err)
{
    hw_code code = hw_solver_parse(name, row, values, err);
    if (code == HW_OK && (*row)->kind == HW_SOLVER_BOUND)
        code = hw_fail(err, HW_USAGE, "solver %s finds no order: give one that does", (*row)->name);
    return code;
}

static hw_code check_files(const hw_cli *c, hw_error *err)
{
    static const char *const name[] = {"--matrix", "--draw", "-o"};
    const char *path[] = {hw_cli_value(c, "matrix"), hw_cli_value(c, "draw"), c->output_path};
    hw_code code = path[1] ? hw_gnuplot_check_ending(path[1], err) : HW_OK;
    for (size_t i = 0; i < 3 && code == HW_OK; i++) {
        code = hw_cli_check_output(c, name[i], path[i], err);
        if (code == HW_OK)
            code = hw_cli_two_files("--scale", hw_cli_value(c, "scale"), name[i], path[i], err);
        for (size_t k = 0; k < i && code == HW_OK; k++)
            code = hw_cli_two_files(name[k], path[k], name[i], path[i], err);
    }
    return code == HW_OK ? hw_folder_check(hw_cli_value(c, "orders"), err) : code;
}

static hw_code read_job(const hw_cli *c, buckets_job *job, hw_error *err)
{
    unsigned goal = 0;
    job->buckets = 3;
    job->limits.memory_bytes = hw_cli_default_memory();
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_cli_sweep_axis(c, &job->axis, err);
    if (code == HW_OK)
        code = hw_cli_import_options(c, &job->import, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "buckets", 1, HW_SWEEP_MOST_VALUES, &job->buckets, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "base", 1, UINT32_MAX, &job->base, err);
    if (code == HW_OK && job->base && !hw_cli_has(c, "scale"))
        code = hw_fail(err, HW_USAGE, "--base belongs to a rule of growth: give --scale too");
    if (code == HW_OK && c->json && hw_cli_has(c, "summary"))
        code = hw_fail(err, HW_USAGE, "--json and --summary are two forms of one answer: give one");
    if (code == HW_OK)
        code = hw_cli_u64(c, "index", 0, UINT64_MAX, &job->index, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "minimize", &goal, err);
    job->goal = (hw_bucket_goal)goal;
    if (code == HW_OK)
        code = read_solver(solver_name(c), &job->row, job->values, err);
    if (code == HW_OK && again_name(c))
        code = read_solver(again_name(c), &job->again, job->again_values, err);
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &job->limits.seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &job->limits.states, err);
    if (code == HW_OK)
        code = hw_cli_bytes(c, "memory-limit", &job->limits.memory_bytes, err);
    return code == HW_OK ? check_files(c, err) : code;
}

/* ---- Running. ---- */

static void show(void *context, size_t done, size_t of)
{
    (void)context;
    (void)fprintf(stderr, "\r\033[Kbuckets: %zu of %zu sizes%s", done, of, done == of ? "\n" : "");
    (void)fflush(stderr);
}

static hw_code report(hw_cli *c, const hw_buckets_report *b, hw_error *err)
{
    const char *matrix = hw_cli_value(c, "matrix"), *draw = hw_cli_value(c, "draw");
    const char *orders = hw_cli_value(c, "orders");
    hw_code code = hw_cli_has(c, "summary") ? hw_buckets_summary(b, c->out, err)
                   : c->json                ? hw_buckets_json(b, c->out, err)
                                            : hw_buckets_text(b, c->out, err);
    if (code == HW_OK) /* what was found is out, whatever becomes of the files */
        code = hw_cli_flush(c, err);
    if (code == HW_OK && matrix)
        code = hw_buckets_matrix(b, matrix, err);
    if (code == HW_OK && orders)
        code = hw_buckets_orders(b, orders, err);
    if (code == HW_OK && draw)
        code = hw_regret_draw(b->regret, hw_buckets_chosen(b), b->name, b->axis->name[0],
                              b->memory->accounting, draw, err);
    return code;
}

static hw_code find(hw_cli *c, const buckets_job *job, const hw_sweep *sweep, hw_error *err)
{
    hw_regret regret;
    hw_cuts_table table = {0};
    hw_regret_request request = {
        .sweep = sweep,
        .axis = &job->axis,
        .accounting = job->memory.accounting,
        .pin_inputs = job->memory.pin_inputs,
        .with_resident = job->memory.with_resident,
        .solver = job->row,
        .params = job->values,
        .again = job->again,
        .again_params = job->again_values,
        .limits = job->limits,
        .seed = c->seed,
        .threads = c->jobs,
        .stop = c->stop,
        .progress = !c->quiet && isatty(STDERR_FILENO) ? show : NULL,
    };
    hw_code code = hw_regret_find(&request, &regret, err);
    if (code != HW_OK)
        return code;
    size_t rows = job->buckets > 8 ? (size_t)job->buckets : 8;
    code = hw_cuts_find(&regret, job->goal, rows, regret.cut ? NULL : c->stop, &table, err);
    hw_buckets_report b = {.sweep = sweep,
                           .axis = &job->axis,
                           .regret = &regret,
                           .table = &table,
                           .buckets = (size_t)job->buckets,
                           .goal = job->goal,
                           .memory = &job->memory,
                           .solver = solver_name(c),
                           .again = again_name(c),
                           .name = hw_cli_input_name(c->args[0]),
                           .times = hw_cli_has(c, "times")};
    if (code == HW_OK)
        code = report(c, &b, err);
    hw_cuts_clear(&table);
    hw_regret_clear(&regret);
    return code;
}

static void pass_notes(const hw_cli *c, const hw_import_report *report)
{
    for (size_t i = 0; i < report->n_notes; i++)
        hw_cli_note(c, "%s: %s", hw_cli_input_name(c->args[0]), report->notes[i]);
}

static bool draws(const hw_cli *c, const buckets_job *job)
{
    const char *scale = hw_cli_value(c, "scale");
    return job->row->random || (job->again && job->again->random) ||
           (scale && strncmp(scale, "some=", 5) == 0);
}

static hw_code run(hw_cli *c, hw_error *err)
{
    buckets_job job = {.buckets = 3};
    hw_sweep *sweep = NULL;
    hw_import_report notes = {0};
    hw_code code = read_job(c, &job, err);
    hw_sweep_request request = {.source = c->args[0],
                                .axis = &job.axis,
                                .options = &job.import.options,
                                .seed = c->seed,
                                .index = job.index,
                                .scale = hw_cli_value(c, "scale"),
                                .base = job.base};
    if (code == HW_OK)
        code = hw_sweep_open(&request, &notes, &sweep, err);
    if (code == HW_OK) {
        pass_notes(c, &notes);
        if (draws(c, &job))
            hw_cli_note(c, "seed %" PRIu64, c->seed);
        code = find(c, &job, sweep, err);
        if (code != HW_OK && code != HW_NO_MEMORY && code != HW_STOPPED && code != HW_IO)
            hw_error_prefix(err, "%s: ", hw_cli_input_name(c->args[0]));
    }
    hw_sweep_close(sweep);
    hw_import_report_clear(&notes);
    hw_cli_import_clear(&job.import);
    hw_sweep_axis_clear(&job.axis);
    return code;
}

static const hw_option_values values[] = {
    {"minimize", HW_BUCKET_GOAL_WORDS},
};

const hw_command hw_command_buckets = {
    .name = "buckets",
    .arguments = "GRAPH",
    .least_args = 1,
    .most_args = 1,
    .help = "Orders for a graph whose sizes vary: regret, and the best ranges for shared orders.",
    .details =
        "GRAPH is a file with symbolic dimensions, a family with a parameter (nets:net=unet), or "
        "any graph with --scale. One --dim gives a range: NAME=LOW:HIGH:STEP or NAME=A,B,C; names "
        "that vary together are parted by commas. The graphs may differ in sizes alone.\n\n"
        "Every size gets its best order, and every order is run at every size: its regret there is "
        "its peak less the best one. Dynamic programming finds the ranges (buckets) that share one "
        "order at the least regret. Beside them stand simpler choices: the order of the nearest of "
        "as many evenly spread sizes, or of the next that is not smaller; and to schedule anew at "
        "each size (--reschedule).\n\n"
        "Where all tensors are scaled alike the regret of an optimal order is zero: every peak is "
        "multiplied by the same factor. Rounding to whole bytes adds less than a byte a tensor.\n\n"
        "SIGINT, SIGTERM or SIGHUP stops the search; sizes without one run the orders of the "
        "others.",
    .common =
        HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_THREADS | HW_CLI_IMPORT | HW_CLI_SWEEP,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
