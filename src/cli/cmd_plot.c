/* highwater plot: results as pictures, by gnuplot. */
#include <stdlib.h>

#include "bench/plot.h"
#include "bench/trace.h"
#include "cli/results.h"
#include "cli/shared.h"
#include "io/gnuplot.h"

static const hw_option options[] = {
    {"kind", "NAME", "gaps",
     "gaps (distribution by solver), runtime (against nodes, log axes), optimal (share of optimal "
     "answers against nodes), profile (performance profile of the peaks), or anytime (best order "
     "and bound against time, of traces)."},
    {"axis", "NAME", "seconds", "With --kind anytime: against seconds, or ticks."},
    {"script", NULL, NULL, "Write the gnuplot script instead of drawing it."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
};

static const char *const examples[] = {
    "highwater plot results.jsonl --kind gaps -o gaps.svg",
    "highwater plot results.jsonl --kind runtime -o runtime.pdf",
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
    (void)fputs(script, out.stream);
    return hw_cli_commit(&out, err);
}

typedef struct drawing {
    char *script;
    unsigned width_px, height_px;
} drawing;

static hw_code draw_results(const hw_cli *c, hw_plot_kind kind, drawing *d, hw_error *err)
{
    hw_results *results;
    if (c->n_args > 1)
        return hw_fail(err, HW_USAGE, "only --kind anytime takes several files");
    if (hw_cli_has(c, "axis"))
        return hw_fail(err, HW_USAGE, "--axis goes with --kind anytime");
    hw_code code = hw_cli_results(c, &results, err);
    if (code != HW_OK)
        return code;
    code = hw_plot_script(results->records, results->n_records, kind, &d->script, &d->width_px,
                          &d->height_px, err);
    hw_results_free(results);
    return code;
}

static hw_code draw_traces(const hw_cli *c, drawing *d, hw_error *err)
{
    unsigned axis = 0;
    hw_trace *trace;
    hw_code code = hw_cli_choice(c, "axis", "seconds|ticks", &axis, err);
    if (code == HW_OK && (hw_cli_has(c, "where") || hw_cli_has(c, "skip-broken")))
        code = hw_fail(err, HW_USAGE, "--where and --skip-broken choose results, not traces");
    if (code == HW_OK)
        code = hw_cli_not_input(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_trace_load(c->args, c->n_args, &trace, err);
    if (code != HW_OK)
        return code;
    code = hw_plot_anytime(trace, axis == 1, &d->script, &d->width_px, &d->height_px, err);
    hw_trace_free(trace);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    unsigned kind = HW_PLOT_GAPS;
    bool as_script = hw_cli_has(c, "script");
    drawing d = {.script = NULL};
    hw_code code = hw_cli_choice(c, "kind", "gaps|runtime|optimal|profile|anytime", &kind, err);
    if (code == HW_OK && !c->output_path && !as_script)
        code = hw_fail(err, HW_USAGE, "say where to draw: -o FILE.svg, FILE.pdf or FILE.png");
    if (code == HW_OK)
        code = kind > HW_PLOT_PROFILE ? draw_traces(c, &d, err)
                                      : draw_results(c, (hw_plot_kind)kind, &d, err);
    if (code == HW_OK)
        code = as_script
                   ? put_script(c->output_path, d.script, err)
                   : hw_gnuplot_render(d.script, d.width_px, d.height_px, c->output_path, err);
    free(d.script);
    return code;
}

const hw_command hw_command_plot = {
    .name = "plot",
    .arguments = "FILE...",
    .least_args = 1,
    .most_args = 256,
    .help = "Draw results: gaps, runtime, share of optimal answers, profile, traces.",
    .details =
        "FILE is written by `highwater bench`, for --kind anytime by `highwater solve "
        "--trace-out` (there may be several); - is standard input. A panel for each accounting, "
        "of traces for each graph and accounting. The ending of FILE chooses SVG, PDF or PNG; "
        "gnuplot draws.",
    .common = HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
