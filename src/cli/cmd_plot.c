/* highwater plot: results as pictures, by gnuplot. */
#include <stdlib.h>

#include "bench/plot.h"
#include "cli/results.h"
#include "io/gnuplot.h"

static const hw_option options[] = {
    {"kind", "NAME", "gaps",
     "gaps (distribution by solver), runtime (against nodes, log axes), optimal (share of optimal "
     "answers against nodes), or profile (performance profile of the peaks)."},
    {"script", NULL, NULL, "Write the gnuplot script instead of drawing it."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
};

static const char *const examples[] = {
    "highwater plot results.jsonl --kind gaps -o gaps.svg",
    "highwater plot results.jsonl --kind runtime -o runtime.pdf",
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

static hw_code run(hw_cli *c, hw_error *err)
{
    unsigned kind = HW_PLOT_GAPS, width_px, height_px;
    bool as_script = hw_cli_has(c, "script");
    hw_results *results;
    char *script;
    hw_code code = hw_cli_choice(c, "kind", "gaps|runtime|optimal|profile", &kind, err);
    if (code == HW_OK && !c->output_path && !as_script)
        code = hw_fail(err, HW_USAGE, "say where to draw: -o FILE.svg, FILE.pdf or FILE.png");
    if (code == HW_OK)
        code = hw_cli_results(c, &results, err);
    if (code != HW_OK)
        return code;
    code = hw_plot_script(results->records, results->n_records, (hw_plot_kind)kind, &script,
                          &width_px, &height_px, err);
    hw_results_free(results);
    if (code != HW_OK)
        return code;
    code = as_script ? put_script(c->output_path, script, err)
                     : hw_gnuplot_render(script, width_px, height_px, c->output_path, err);
    free(script);
    return code;
}

const hw_command hw_command_plot = {
    .name = "plot",
    .arguments = "RESULTS",
    .least_args = 1,
    .most_args = 1,
    .help = "Draw results: gaps, runtime, share of optimal answers, profile.",
    .details =
        "RESULTS is a file written by `highwater bench`; - is standard input. A panel for each "
        "accounting. The ending of FILE chooses SVG, PDF or PNG; gnuplot draws.",
    .common = HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
