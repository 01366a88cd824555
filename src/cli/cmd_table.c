/* highwater table: results summed up, as text, CSV, Markdown, LaTeX or JSON. */
#include <stdlib.h>

#include "bench/effort.h"
#include "bench/pairs.h"
#include "bench/table.h"
#include "cli/results.h"
#include "core/rng.h"

static const hw_option options[] = {
    {"by", "FIELDS", "solver,accounting",
     "A row for each set of values of these fields, of suite, section, family, params, nodes, "
     "accounting, pinned, solver. With --show pairs: pairs in each set apart, by default by "
     "accounting."},
    {"show", "WHAT", "gaps",
     "gaps: how far from the optimum. effort: what proofs cost: the share that a solver settles "
     "itself, times, states, memory. units: a row an instance and accounting. quality: graphs "
     "that a solver does not take, shares, gaps and times. pairs: solvers compared two by two on "
     "the same graphs."},
    {"across", "FIELD", NULL,
     "With --show effort: the values of this field side by side; a cell has the share settled, "
     "the median time and in parentheses the longest."},
    {"against", "SOLVER", NULL,
     "With --show pairs: every solver against this one; otherwise all against each other, but for "
     "those that prove optima."},
    {"format", "NAME", "text", "text, csv, markdown, or latex (booktabs)."},
    {"summary", NULL, NULL,
     "Whether the exact solvers agree, and a short table for each section; the exit status is 1 "
     "when they do not."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
};

static const char *const examples[] = {
    "highwater table results.jsonl",
    "highwater table results.jsonl --by solver,accounting,family --format csv -o table.csv",
    "highwater table results.jsonl --where accounting=alloc-first --format latex",
    "highwater table results.jsonl --show effort --by section,solver --across nodes",
    "highwater table results.jsonl --show units --where nodes=1..255",
    "highwater table results.jsonl --show quality --by solver,family",
    "highwater table results.jsonl --show pairs --against greedy",
    "highwater table results.jsonl --summary",
};

static hw_code put_summary(hw_cli *c, const hw_results *results, hw_error *err)
{
    bool agree;
    hw_code code = hw_summary_write(results->records, results->n_records, c->out, &agree, err);
    if (code == HW_OK && !agree) {
        c->keep_output = true;
        code = hw_fail(err, HW_CHECK_FAILED,
                       "%s: the proofs contradict each other: see the summary", c->args[0]);
    }
    return code;
}

static hw_code put_efforts(hw_cli *c, const hw_results *results, const hw_field *fields,
                           size_t n_fields, hw_table_format format, hw_error *err)
{
    hw_effort *efforts;
    size_t n;
    hw_code code =
        hw_efforts_make(results->records, results->n_records, fields, n_fields, &efforts, &n, err);
    if (code == HW_OK && hw_cli_has(c, "across"))
        code = hw_efforts_write_across(efforts, n, fields, n_fields, format, c->out, err);
    else if (code == HW_OK)
        code = hw_efforts_write(efforts, n, fields, n_fields, format, c->out, err);
    free(efforts);
    return code;
}

static hw_code put_pairs(hw_cli *c, const hw_results *results, const hw_field *fields,
                         size_t n_fields, hw_table_format format, hw_error *err)
{
    hw_pairs_options o = {.fields = fields,
                          .n_fields = n_fields,
                          .against = hw_cli_value(c, "against"),
                          .resamples = HW_PAIRS_RESAMPLES,
                          .seed = HW_DEFAULT_SEED,
                          .stop = c->stop};
    hw_pair *pairs;
    size_t n;
    hw_code code = hw_pairs_make(results->records, results->n_records, &o, &pairs, &n, err);
    if (code == HW_OK)
        code = hw_pairs_write(pairs, n, fields, n_fields, format, c->out, err);
    free(pairs);
    return code;
}

static hw_code put_gaps(hw_cli *c, const hw_results *results, const hw_field *fields,
                        size_t n_fields, hw_table_format format, bool quality, hw_error *err)
{
    hw_group *groups;
    size_t n_groups;
    hw_code code = hw_groups_make(results->records, results->n_records, fields, n_fields, &groups,
                                  &n_groups, err);
    if (code == HW_OK)
        code = quality ? hw_quality_write(groups, n_groups, fields, n_fields, format, c->out, err)
                       : hw_table_write(groups, n_groups, fields, n_fields, format, c->out, err);
    free(groups);
    return code;
}

enum { SHOW_GAPS, SHOW_EFFORT, SHOW_UNITS, SHOW_QUALITY, SHOW_PAIRS };

/* What is asked for, beyond the results themselves. */
typedef struct wishes {
    unsigned format, show;
    hw_field fields[HW_N_FIELDS]; /* of a row; last the one that goes across, if any */
    size_t n_fields;
} wishes;

static hw_code read_across(const hw_cli *c, wishes *w, hw_error *err)
{
    const char *name = hw_cli_value(c, "across");
    hw_field across;
    hw_code code = hw_field_parse(name, &across, err);
    if (code == HW_OK && w->show != SHOW_EFFORT)
        code = hw_fail(err, HW_USAGE, "--across goes with --show effort");
    for (size_t i = 0; code == HW_OK && i < w->n_fields; i++)
        if (w->fields[i] == across)
            code = hw_fail(err, HW_USAGE, "--by and --across both name %s", name);
    if (code == HW_OK)
        w->fields[w->n_fields++] = across;
    return code;
}

static hw_code read_wishes(const hw_cli *c, wishes *w, hw_error *err)
{
    const char *by = hw_cli_value(c, "by");
    bool has_format = hw_cli_has(c, "format");
    *w = (wishes){.format = HW_TABLE_TEXT};
    hw_code code = hw_cli_choice(c, "format", &w->format, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "show", &w->show, err);
    if (code == HW_OK)
        code = hw_fields_parse(by                      ? by
                               : w->show == SHOW_PAIRS ? "accounting"
                                                       : "solver,accounting",
                               w->fields, &w->n_fields, err);
    if (code == HW_OK && hw_cli_has(c, "across"))
        code = read_across(c, w, err);
    if (code == HW_OK && c->json && has_format)
        code = hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    if (code == HW_OK && hw_cli_has(c, "summary") &&
        (c->json || has_format || by || hw_cli_has(c, "show")))
        code = hw_fail(err, HW_USAGE, "--summary takes none of --by, --show, --format and --json");
    if (code == HW_OK && w->show == SHOW_UNITS && by)
        code = hw_fail(err, HW_USAGE, "--show units has a row a unit: it takes no --by");
    for (size_t i = 0; code == HW_OK && w->show == SHOW_PAIRS && i < w->n_fields; i++)
        if (w->fields[i] == HW_FIELD_SOLVER)
            code = hw_fail(err, HW_USAGE,
                           "--show pairs has two solvers in a row: leave solver out of --by");
    if (code == HW_OK && hw_cli_has(c, "against") && w->show != SHOW_PAIRS)
        code = hw_fail(err, HW_USAGE, "--against goes with --show pairs");
    if (c->json)
        w->format = HW_TABLE_JSON;
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    wishes w;
    hw_results *results;
    hw_code code = read_wishes(c, &w, err);
    if (code == HW_OK)
        code = hw_cli_results(c, &results, err);
    if (code != HW_OK)
        return code;
    hw_table_format format = (hw_table_format)w.format;
    if (hw_cli_has(c, "summary"))
        code = put_summary(c, results, err);
    else if (w.show == SHOW_UNITS)
        code = hw_units_write(results->records, results->n_records, format, c->out, err);
    else if (w.show == SHOW_EFFORT)
        code = put_efforts(c, results, w.fields, w.n_fields, format, err);
    else if (w.show == SHOW_PAIRS)
        code = put_pairs(c, results, w.fields, w.n_fields, format, err);
    else
        code = put_gaps(c, results, w.fields, w.n_fields, format, w.show == SHOW_QUALITY, err);
    hw_results_free(results);
    return code;
}

static const hw_option_values values[] = {
    {"across", HW_VALUES_FIELDS},
    {"by", HW_VALUES_FIELDS},
    {"format", "text|csv|markdown|latex"},
    {"show", "gaps|effort|units|quality|pairs"},
};

const hw_command hw_command_table = {
    .name = "table",
    .arguments = "RESULTS",
    .least_args = 1,
    .most_args = 1,
    .help = "Sum up results: shares, gaps and times by solver.",
    .details =
        "RESULTS is a file written by `highwater bench`; - is standard input. Of two runs of a "
        "solver "
        "on a unit the later counts. Shares and gaps are "
        "over the runs with an order whose instance has a proven optimum; their number stands in "
        "the column `proven`. Shares carry their 95 % Clopper-Pearson interval. Times and gaps "
        "are medians. States/s is all states by all seconds.\n\n"
        "With --show effort a run that is not settled counts as endless in the medians (`-` where "
        "half or more are not); the longest and the most are over the settled runs, and the worst "
        "open gap is that of an order to the bound of its own run.\n\n"
        "With --show pairs `better` counts the graphs on which the solver has the smaller peak; "
        "`peak` is the mean of the ratio of peaks (geometric) less 1, with its 95 % bootstrap "
        "interval (BCa, over graphs); p is that of Wilcoxon's signed rank test (Pratt's zeros; "
        "exact for up to 50 that differ), beside it p after Holm's correction for all rows.",
    .common = HW_CLI_JSON | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
