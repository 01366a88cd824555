/* highwater traits: what the bad cases of a solver share. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/shared.h"
#include "cli/traits_write.h"
#include "io/gnuplot.h"
#include "io/folder.h"
#include "solve/called.h"

static const hw_option options[] = {
    {"solver", "NAME[:K=V,...]", "greedy", "Whose bad cases."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"count", "N", "4800; 0 where graphs are given", "Draw N random graphs."},
    {"family", "NAME[:K=V,...]", "twelve families under four laws of sizes",
     "Draw them from this family; may be repeated: from each in turn."},
    {"nodes", "A:B", "10:14", "Draw graphs of A to B nodes, of each number as many."},
    {"bad", "PERCENT", "20", "A gap to the optimum above PERCENT is bad."},
    {"resamples", "N", "400", "Draws of each bootstrap interval; 0: no intervals."},
    {"time-limit", "SECONDS", "none", "Stop each run of a solver after SECONDS."},
    {"state-limit", "N", "none", "Stop each run of a solver after N states."},
    {"format", "NAME", "text",
     "text, markdown, csv: a line a graph with all its features, or readings: csv, a line a "
     "reading "
     "and meaning of its words."},
    {"examples", "FOLDER", NULL, "Write the counter-examples into FOLDER."},
    {"plot", "FILE", NULL, "Draw the share of bad cases against the balance: .svg, .pdf or .png."},
};

static const char *const examples[] = {
    "highwater traits --count 240 --resamples 50",
    "highwater traits --count 200 --family layered --family fan:width=3 --nodes 6:9 --json",
    "highwater traits graph.json --solver level --accounting free-first --format csv",
};

enum { COUNT = 4800, MOST_COUNT = 10000000, RESAMPLES = 400, MOST_NODES = 64 };

/* In the order of the words of --format. */
typedef enum traits_format {
    TRAITS_TEXT,
    TRAITS_MARKDOWN,
    TRAITS_CSV,
    TRAITS_READINGS
} traits_format;

typedef struct traits_job {
    hw_memory_options memory;
    hw_trait_sample asked; /* solver and limits */
    hw_trait_options options;
    traits_draw draw;
    traits_format format;
} traits_job;

/* "A:B" or "A". */
static hw_code read_nodes(const hw_cli *c, traits_draw *draw, hw_error *err)
{
    const char *text = hw_cli_value(c, "nodes");
    char least[24] = "";
    if (!text)
        return HW_OK;
    size_t n = strcspn(text, ":");
    if (n < sizeof least)
        memcpy(least, text, n);
    const char *most = text[n] ? text + n + 1 : least;
    if (!hw_read_u64(least, &draw->least_nodes) || !hw_read_u64(most, &draw->most_nodes) ||
        draw->least_nodes < 1 || draw->least_nodes > draw->most_nodes ||
        draw->most_nodes > MOST_NODES)
        return hw_fail(err, HW_USAGE,
                       "option --nodes: '%s' is no range: give A:B with 1 <= A <= B <= %d", text,
                       (int)MOST_NODES);
    return HW_OK;
}

static hw_code read_bad(const hw_cli *c, double *bad, hw_error *err)
{
    const char *text = hw_cli_value(c, "bad");
    char *end;
    if (!text)
        return HW_OK;
    *bad = strtod(text, &end);
    if (end == text || *end || !(*bad >= 0) || isinf(*bad))
        return hw_fail(err, HW_USAGE,
                       "option --bad: '%s' is no percentage: give a number from 0 on", text);
    return HW_OK;
}

static hw_code read_files(const hw_cli *c, hw_error *err)
{
    hw_code code = HW_OK;
    if (hw_cli_has(c, "plot"))
        code = hw_gnuplot_check_ending(hw_cli_value(c, "plot"), err);
    if (code == HW_OK)
        code = hw_cli_two_files("--plot", hw_cli_value(c, "plot"), "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--plot", hw_cli_value(c, "plot"), err);
    return code == HW_OK ? hw_folder_check(hw_cli_value(c, "examples"), err) : code;
}

static hw_code read_job(const hw_cli *c, traits_job *job, hw_error *err)
{
    const char *solver = hw_cli_has(c, "solver") ? hw_cli_value(c, "solver") : "greedy";
    uint64_t resamples = RESAMPLES;
    unsigned format = 0;
    hw_trait_sample *asked = &job->asked;
    job->draw = (traits_draw){c->n_args ? 0 : COUNT, 10, 14, c->seed};
    job->options = (hw_trait_options){.bad_percent = 20, .seed = c->seed};
    hw_code code = hw_cli_memory_options(c, &job->memory, err);
    if (code == HW_OK)
        code = hw_solver_parse(solver, &asked->row, asked->values, err);
    if (code == HW_OK && asked->row->kind == HW_SOLVER_BOUND)
        code = hw_fail(err, HW_USAGE, "solver %s finds no order: give one that does",
                       asked->row->name);
    if (code == HW_OK)
        code = hw_cli_u64(c, "count", 0, MOST_COUNT, &job->draw.count, err);
    if (code == HW_OK)
        code = read_nodes(c, &job->draw, err);
    if (code == HW_OK)
        code = read_bad(c, &job->options.bad_percent, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "resamples", 0, 1000000, &resamples, err);
    if (code == HW_OK)
        code = hw_cli_seconds(c, "time-limit", &asked->limits.seconds, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "state-limit", 1, UINT64_MAX, &asked->limits.states, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "format", &format, err);
    if (code == HW_OK && c->json && hw_cli_has(c, "format"))
        code = hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    if (code == HW_OK && c->n_args == 0 && job->draw.count == 0)
        code = hw_fail(err, HW_USAGE, "no graphs: give files, folders, or --count N above 0");
    job->options.resamples = (size_t)resamples;
    job->format = (traits_format)format;
    asked->accounting = job->memory.accounting;
    asked->pin_inputs = job->memory.pin_inputs;
    asked->limits.memory_bytes = hw_cli_default_memory();
    asked->seed = c->seed;
    asked->stop = c->stop;
    return code == HW_OK ? read_files(c, err) : code;
}

static hw_code tell(hw_cli *c, const traits_job *job, const traits_page *p, hw_error *err)
{
    hw_code code = HW_OK;
    if (c->json)
        traits_write_json(p, c->out);
    else if (job->format == TRAITS_CSV)
        traits_write_csv(p, c->out);
    else if (job->format == TRAITS_READINGS)
        traits_write_readings(p, c->out);
    else
        code = traits_write(p, job->format == TRAITS_TEXT ? HW_TABLE_TEXT : HW_TABLE_MARKDOWN,
                            c->out, err);
    if (code == HW_OK)
        code = hw_cli_flush(c, err); /* the report is out, whatever becomes of the rest */
    if (code == HW_OK && hw_cli_has(c, "examples"))
        code = traits_write_examples(p, hw_cli_value(c, "examples"), err);
    if (code == HW_OK && hw_cli_has(c, "plot"))
        code = traits_plot(p, hw_cli_value(c, "plot"), err);
    return code;
}

static hw_code ask(hw_cli *c, const traits_job *job, traits_set *sets, traits_page *p,
                   hw_error *err)
{
    hw_code code = HW_OK;
    char solver[HW_SPEC_TEXT];
    for (size_t i = 0; i < 2; i++)
        if (sets[i].sample.n > 0)
            p->sets[p->n_sets++] = &sets[i];
    p->options = job->options;
    p->stopped = *c->stop;
    if (p->n_sets == 0)
        return *c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                        : hw_fail(err, HW_LIMIT,
                                  "none of the graphs could be scored: %s gave no order, or the "
                                  "optimum was not proven within the limits",
                                  hw_solver_called(job->asked.row, job->asked.values, solver));
    if (p->stopped)
        hw_cli_note(c, "stopped by a signal: the report is of what was scored so far");
    for (size_t i = 0; i < p->n_sets && code == HW_OK; i++)
        code = hw_trait_ask(&p->sets[i]->sample, &p->options, &p->sets[i]->report, err);
    return code == HW_OK ? tell(c, job, p, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    traits_job job = {0};
    hw_code code = read_job(c, &job, err);
    if (code != HW_OK)
        return code;
    traits_set sets[2] = {{.title = "random", .sample = job.asked},
                          {.title = "given", .sample = job.asked}};
    if (job.draw.count > 0)
        code = traits_draw_all(c, &job.draw, &sets[0], err);
    if (code == HW_OK)
        code = traits_read_all(c, &sets[1], err);
    traits_page page = {.n_sets = 0};
    if (code == HW_OK)
        code = ask(c, &job, sets, &page, err);
    for (size_t i = 0; i < 2; i++)
        traits_set_clear(&sets[i]);
    return code;
}

static const hw_option_values values[] = {
    {"family", HW_VALUES_FAMILIES},
    {"format", "text|markdown|csv|readings"},
};

const hw_command hw_command_traits = {
    .name = "traits",
    .arguments = "[GRAPH|FOLDER]...",
    .least_args = 0,
    .most_args = INT32_MAX,
    .help = "Show what the bad cases of a solver share.",
    .details =
        "Draws random graphs, or takes those of files and folders, proves the optimum of each, and "
        "asks: do the bad cases have two branches with large blocks of similar size, in several "
        "readings of these words, and do the others not? Which features go with the gap, by rank "
        "and by logistic regression? Random and given graphs are never thrown together.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
