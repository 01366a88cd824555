/* highwater gen: instances of a family of random or real graphs. */
#include <inttypes.h>
#include <string.h>

#include "cli/shared.h"
#include "gen/family.h"

enum { MOST_COUNT = 1000000000 };

static const hw_option options[] = {
    {"params", "K=V,...", NULL, "Parameters of the family in one word; the same as --K V."},
    {"index", "I", "0", "The number of the first instance."},
    {"count", "N", "1", "How many instances, from the first one on."},
    {"format", "WORD", "json; line for several or by the ending of FILE",
     "How graphs are written: json, line, graphml or dot; only line holds several."},
};

static const char *const examples[] = {
    "highwater gen layered --n 12 -o layered.json",
    "highwater gen erdos --seed 7 --index 3 | highwater solve -",
    "highwater gen layered --count 5 | highwater info - --json",
    "highwater gen layered --help",
};

static const hw_param_row *family_parameters(const hw_cli *c, size_t *n)
{
    *n = 0;
    if (c->n_args == 0)
        return NULL;
    const hw_family_row *row = hw_family_find(c->args[0], strcspn(c->args[0], ":"));
    if (!row)
        return NULL;
    *n = row->n_params;
    return row->params;
}

static void list_families(const hw_cli *c, FILE *out)
{
    if (c->n_args > 0 && hw_family_find(c->args[0], strcspn(c->args[0], ":")))
        return;
    if (c->n_args > 0)
        (void)fprintf(out, "\nNo family is named '%s'.\n", c->args[0]);
    size_t widest = 0;
    for (size_t i = 0; i < hw_n_families; i++)
        if (strlen(hw_families[i]->name) > widest)
            widest = strlen(hw_families[i]->name);
    (void)fputs("\nFamilies (`highwater gen FAMILY --help` shows the parameters):\n", out);
    for (size_t i = 0; i < hw_n_families; i++)
        (void)fprintf(out, "  %-*s %s\n", (int)widest, hw_families[i]->name, hw_families[i]->help);
}

/* The family, and its values from its own word, --params and single options. */
static hw_code read_family(const hw_cli *c, const hw_family_row **row, hw_param_value *values,
                           hw_error *err)
{
    hw_code code = hw_family_parse(c->args[0], row, values, err);
    char owner[80];
    if (code == HW_OK)
        (void)snprintf(owner, sizeof owner, "family %s", (*row)->name);
    const char *text;
    for (size_t cursor = 0; code == HW_OK && (text = hw_cli_next(c, "params", &cursor));)
        code = hw_params_parse((*row)->params, (*row)->n_params, owner, text, values, err);
    for (size_t i = 0; code == HW_OK && i < c->n_given; i++)
        if (c->given[i].is_parameter)
            code = hw_params_set((*row)->params, (*row)->n_params, owner, c->given[i].name,
                                 c->given[i].value, values, err);
    return code;
}

static hw_code choose_format(const hw_cli *c, uint64_t count, hw_format *format, hw_error *err)
{
    const char *name = hw_cli_value(c, "format");
    *format = count > 1 ? HW_FORMAT_LINE : HW_FORMAT_JSON;
    if (name) {
        hw_code code = hw_format_parse(name, format, err);
        if (code != HW_OK)
            return code;
    } else if (c->output_path) {
        *format = hw_format_of_name(c->output_path, *format);
    }
    if (count > 1 && *format != HW_FORMAT_LINE)
        return hw_fail(err, HW_USAGE,
                       "--count %" PRIu64 ": only the line format holds several "
                       "graphs: --format line, or a FILE that ends in .hwl",
                       count);
    return HW_OK;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    uint64_t index = 0, count = 1;
    hw_format format;
    hw_code code = read_family(c, &row, values, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "index", 0, UINT64_MAX - MOST_COUNT, &index, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "count", 1, MOST_COUNT, &count, err);
    if (code == HW_OK)
        code = choose_format(c, count, &format, err);
    if (code != HW_OK)
        return code;
    hw_cli_note(c, "seed %" PRIu64, c->seed);
    for (uint64_t i = 0; i < count && code == HW_OK; i++) {
        hw_graph *g = NULL;
        if (*c->stop)
            return hw_fail(err, HW_STOPPED, "stopped by a signal");
        code = hw_generate(row, values, c->seed, index + i, &g, err);
        if (code == HW_OK)
            code = hw_cli_write_graph(c, g, format, err);
        hw_graph_free(g);
    }
    return code;
}

static const hw_option_values values[] = {
    {"format", HW_FORMAT_WORDS},
};

const hw_command hw_command_gen = {
    .name = "gen",
    .arguments = "FAMILY",
    .least_args = 1,
    .most_args = 1,
    .help = "Generate graphs of a family.",
    .details = "Instance I of a family is a function of seed, family, parameters and I alone. "
               "The parameters of a family are options after its name.",
    .common = HW_CLI_SEED | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .parameters = family_parameters,
    .more_help = list_families,
    .run = run,
};
