/* highwater plot: results as pictures, by gnuplot. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot_set.h"
#include "cli/results.h"
#include "cli/shared.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/gnuplot.h"

static const hw_option options[] = {
    {"kind", "NAME", "gaps",
     "gaps (distribution by solver), runtime and optimal (against nodes), profile (of the peaks), "
     "rivals (profiles with and without the best), cactus (solved within a time), pareto (gap "
     "against time), heat (gap over nodes and density), families (gaps by family), shares (within "
     "5 %, above 20 %), counts (orders, down-sets, width), anytime (of traces), or all (but "
     "anytime)."},
    {"solver", "NAME", "at most eight",
     "Draw this solver, by its whole name or without parameters; may be repeated; all: every one."},
    {"by", "FIELD", "family",
     "What families, shares and counts tell apart: family, section, params, sizes, features."},
    {"quantile", "Q", "0.5", "Of the gaps that pareto and heat show."},
    {"size", "NAME", "by the ending",
     "web (960 pixels; of SVG and PNG), page (6.5 inches) or column (3.3 inches): without title "
     "and caption."},
    {"pdf", NULL, NULL, "With --kind all: PDF of page size beside each SVG."},
    {"axis", "NAME", "seconds", "With --kind anytime: against seconds, or ticks."},
    {"script", NULL, NULL, "Write the gnuplot script instead of drawing it."},
    {"style", NULL, NULL, "Write the style of all plots as a gnuplot script; reads no FILE."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
};

static const char *const examples[] = {
    "highwater plot results.jsonl --kind gaps -o gaps.svg",
    "highwater plot results.jsonl --kind runtime --solver greedy --solver dp -o runtime.pdf",
    "highwater plot results.jsonl --kind all -o plots",
    "highwater solve graph.json --solver enumerate --trace-out trace.jsonl",
    "highwater plot --kind anytime trace.jsonl -o anytime.svg",
    "highwater plot results.jsonl --kind profile --where accounting=alloc-first -o profile.svg",
};

static hw_code put_script(const char *path, const char *script, hw_error *err)
{
    hw_output out;
    hw_code code = hw_cli_open(path, &out, err);
    if (code != HW_OK)
        return code;
    hw_gnuplot_put_style(out.stream);
    if (script)
        (void)fputs(script, out.stream);
    return hw_cli_commit(&out, err);
}

/* What the options say of a plot of results; the names are freed by the caller. */
static hw_code read_options(const hw_cli *c, hw_plot_options *o, const char ***names, hw_field *by,
                            hw_error *err)
{
    const char *text, *quantile = hw_cli_value(c, "quantile");
    size_t cursor = 0, n = 0;
    char *end;
    *by = HW_FIELD_FAMILY;
    *names = HW_NEW(const char *, c->n_given);
    if (!*names)
        return hw_fail_memory(err, "options");
    while ((text = hw_cli_next(c, "solver", &cursor)) != NULL) {
        if (strcmp(text, "all") == 0)
            o->all_solvers = true;
        else
            (*names)[n++] = text;
    }
    o->solvers = *names;
    o->n_solvers = o->all_solvers ? 0 : n;
    if (quantile) {
        o->quantile = strtod(quantile, &end);
        if (end == quantile || *end || !(o->quantile > 0 && o->quantile < 1))
            return hw_fail(err, HW_USAGE,
                           "option --quantile: '%s' is no number between 0 and 1: give one, as 0.9",
                           quantile);
    }
    return hw_cli_has(c, "by") ? hw_field_parse(hw_cli_value(c, "by"), by, err) : HW_OK;
}

/*
 * Runs with pinned inputs are another model of the same graphs: where both are
 * there and --where does not choose, those without stand for the whole.
 */
static void leave_pinned_out(const hw_cli *c, hw_results *results)
{
    size_t cursor = 0, n_pinned = 0, kept = 0;
    const char *text;
    while ((text = hw_cli_next(c, "where", &cursor)) != NULL)
        if (strncmp(text, "pinned=", 7) == 0)
            return;
    for (size_t i = 0; i < results->n_records; i++)
        n_pinned += results->records[i].pinned;
    if (n_pinned == 0 || n_pinned == results->n_records)
        return;
    for (size_t i = 0; i < results->n_records; i++)
        if (!results->records[i].pinned)
            results->records[kept++] = results->records[i];
    results->n_records = kept;
    hw_cli_note(c, "%zu results with pinned inputs are left out: --where pinned=yes draws them",
                n_pinned);
}

static hw_code draw_results(const hw_cli *c, unsigned kind, hw_plot_size size, hw_plot_script *d,
                            hw_error *err)
{
    hw_results *results = NULL;
    hw_plot_data *data = NULL;
    hw_plot_options o = {.size = size};
    const char **names = NULL;
    hw_field by;
    if (c->n_args > 1)
        return hw_fail(err, HW_USAGE, "only --kind anytime takes several files");
    if (hw_cli_has(c, "axis"))
        return hw_fail(err, HW_USAGE, "--axis goes with --kind anytime");
    hw_code code = read_options(c, &o, &names, &by, err);
    if (code == HW_OK)
        code = hw_cli_results(c, &results, err);
    if (code == HW_OK) {
        leave_pinned_out(c, results);
        code = hw_plot_data_make(results->records, results->n_records, by, &data, err);
    }
    if (code == HW_OK)
        code = kind == HW_PLOT_KINDS ? hw_cli_plot_set(c, data, &o, hw_cli_has(c, "pdf"), err)
                                     : hw_plot_make(data, (hw_plot_kind)kind, &o, d, err);
    hw_plot_data_free(data);
    hw_results_free(results);
    free((void *)names);
    return code;
}

static hw_code draw_traces(const hw_cli *c, hw_plot_size size, hw_plot_script *d, hw_error *err)
{
    static const char *const of_results[] = {"where", "skip-broken", "solver", "by", "quantile"};
    unsigned axis = 0;
    hw_trace *trace;
    hw_code code = hw_cli_choice(c, "axis", &axis, err);
    for (size_t i = 0; code == HW_OK && i < sizeof of_results / sizeof of_results[0]; i++)
        if (hw_cli_has(c, of_results[i]))
            code = hw_fail(err, HW_USAGE, "--%s chooses results, not traces", of_results[i]);
    if (code == HW_OK)
        code = hw_trace_load(c->args, c->n_args, &trace, err);
    if (code != HW_OK)
        return code;
    code = hw_plot_anytime(trace, axis == 1, size, d, err);
    hw_trace_free(trace);
    return code;
}

/* The size that suits the kind of file. */
static hw_plot_size size_for(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    return length > 4 && strcmp(path + length - 4, ".pdf") == 0 ? HW_PLOT_PAGE : HW_PLOT_WEB;
}

enum { ANYTIME = HW_PLOT_KINDS + 1 };

static hw_code check(const hw_cli *c, unsigned kind, hw_error *err)
{
    if (c->n_args == 0)
        return hw_fail(err, HW_USAGE, "give a file of results, as highwater bench writes it");
    if (hw_cli_has(c, "pdf") && kind != HW_PLOT_KINDS)
        return hw_fail(err, HW_USAGE, "--pdf goes with --kind all: else name the file .pdf");
    if (hw_cli_has(c, "script"))
        return kind == HW_PLOT_KINDS
                   ? hw_fail(err, HW_USAGE, "--script writes one plot: choose one by --kind")
                   : hw_cli_check_output(c, "-o", c->output_path, err);
    if (!c->output_path)
        return hw_fail(err, HW_USAGE, "say where to draw: -o %s",
                       kind == HW_PLOT_KINDS ? "FOLDER" : "FILE.svg, FILE.pdf or FILE.png");
    hw_code code = hw_cli_not_input(c, "-o", c->output_path, err);
    if (code == HW_OK && kind == HW_PLOT_KINDS)
        return hw_folder_check(c->output_path, err);
    if (code == HW_OK)
        code = hw_gnuplot_check_ending(c->output_path, err);
    return code == HW_OK ? hw_output_check(c->output_path, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    unsigned kind = HW_PLOT_GAPS, size = size_for(c->output_path);
    hw_plot_script d = {.text = NULL};
    if (hw_cli_has(c, "style"))
        return put_script(c->output_path, NULL, err);
    hw_code code = hw_cli_choice(c, "kind", &kind, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "size", &size, err);
    if (code == HW_OK)
        code = check(c, kind, err);
    if (code == HW_OK)
        code = kind == ANYTIME ? draw_traces(c, (hw_plot_size)size, &d, err)
                               : draw_results(c, kind, (hw_plot_size)size, &d, err);
    if (code == HW_OK && d.text)
        code = hw_cli_has(c, "script")
                   ? put_script(c->output_path, d.text, err)
                   : hw_gnuplot_render(d.text, d.width_px, d.height_px, c->output_path, err);
    hw_plot_script_free(&d);
    return code;
}

static const hw_option_values values[] = {
    {"axis", "seconds|ticks"},
    {"by", "family|section|params|sizes|features"},
    {"kind",
     "gaps|runtime|optimal|profile|rivals|cactus|pareto|heat|families|shares|counts|all|anytime"},
    {"size", "web|page|column"},
    {"solver", HW_VALUES_SOLVERS},
};

const hw_command hw_command_plot = {
    .name = "plot",
    .arguments = "[FILE...]",
    .least_args = 0,
    .most_args = 256,
    .help = "Draw results: gaps, times, profiles, heat maps, shares; or traces.",
    .details =
        "FILE is written by `highwater bench`, for --kind anytime by `highwater solve "
        "--trace-out` (there may be several); - is standard input. A panel for each accounting, "
        "of traces for each graph and accounting. The ending of FILE chooses SVG, PDF or PNG; "
        "gnuplot draws. Pictures have a white ground, so that they read the same on light and "
        "dark pages, and equal input gives equal bytes.\n\n"
        "--kind all writes each plot that the results allow into the folder of -o, as KIND.svg, "
        "and plots.json, which has the title and the caption of each.",
    .common = HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
