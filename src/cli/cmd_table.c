/* highwater table: results summed up, as text, CSV, Markdown, LaTeX or JSON. */
#include <stdlib.h>

#include "bench/table.h"
#include "cli/results.h"

static const hw_option options[] = {
    {"by", "FIELDS", "solver,accounting",
     "A row for each set of values of these fields, of suite, section, family, params, nodes, "
     "accounting, pinned, solver."},
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

static hw_code put_table(hw_cli *c, const hw_results *results, const hw_field *fields,
                         size_t n_fields, hw_table_format format, hw_error *err)
{
    hw_group *groups;
    size_t n_groups;
    hw_code code = hw_groups_make(results->records, results->n_records, fields, n_fields, &groups,
                                  &n_groups, err);
    if (code == HW_OK)
        code = hw_table_write(groups, n_groups, fields, n_fields, format, c->out, err);
    free(groups);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    unsigned format = HW_TABLE_TEXT;
    hw_field fields[HW_N_FIELDS];
    size_t n_fields;
    hw_results *results;
    const char *by = hw_cli_value(c, "by");
    hw_code code = hw_cli_choice(c, "format", "text|csv|markdown|latex", &format, err);
    if (code == HW_OK)
        code = hw_fields_parse(by ? by : "solver,accounting", fields, &n_fields, err);
    if (code == HW_OK && c->json && hw_cli_has(c, "format"))
        code = hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    if (code == HW_OK && hw_cli_has(c, "summary") &&
        (c->json || hw_cli_has(c, "format") || hw_cli_has(c, "by")))
        code = hw_fail(err, HW_USAGE, "--summary takes none of --by, --format and --json");
    if (code == HW_OK)
        code = hw_cli_results(c, &results, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "summary"))
        code = put_summary(c, results, err);
    else
        code = put_table(c, results, fields, n_fields,
                         c->json ? HW_TABLE_JSON : (hw_table_format)format, err);
    hw_results_free(results);
    return code;
}

const hw_command hw_command_table = {
    .name = "table",
    .arguments = "RESULTS",
    .least_args = 1,
    .most_args = 1,
    .help = "Sum up results: shares, gaps and times by solver.",
    .details =
        "RESULTS is a file written by `highwater bench`; - is standard input. Shares and gaps are "
        "over the runs with an order whose instance has a proven optimum; their number stands in "
        "the column `proven`. Shares carry their 95 % Clopper-Pearson interval. Times and gaps "
        "are medians. States/s is all states by all seconds.",
    .common = HW_CLI_JSON | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
