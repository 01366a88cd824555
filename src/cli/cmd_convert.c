/* highwater convert: graphs from one format to another. */
#include <string.h>

#include "cli/shared.h"

static const hw_option options[] = {
    {"format", "WORD", "by the ending of OUT, else json",
     "json, line, graphml or dot (for graphviz; not read back)."},
    {"strip-views", NULL, NULL, "Make views ordinary nodes with storages of their own."},
    {"strip-inplace", NULL, NULL, "Leave in-place pairs out."},
};

static const char *const examples[] = {
    "highwater convert graph.json graph.hwl",
    "highwater convert graph.json --format dot",
    "highwater gen layered --count 2 | highwater convert - --format line --strip-inplace",
};

typedef struct conversion {
    hw_format format;
    bool strip_views, strip_inplace;
    size_t n_graphs;
} conversion;

static hw_code convert(hw_cli *c, const hw_graph *g, void *context, hw_error *err)
{
    conversion *job = context;
    if (job->n_graphs++ > 0 && job->format != HW_FORMAT_LINE)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: holds several graphs: only --format line can take them",
                       hw_cli_input_name(c->args[0]));
    if (!job->strip_views && !job->strip_inplace)
        return hw_cli_write_graph(c, g, job->format, err);
    hw_graph *stripped;
    hw_code code = hw_graph_strip(g, job->strip_views, job->strip_inplace, &stripped, err);
    if (code != HW_OK)
        return code;
    code = hw_cli_write_graph(c, stripped, job->format, err);
    hw_graph_free(stripped);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    conversion job = {.format = HW_FORMAT_JSON,
                      .strip_views = hw_cli_has(c, "strip-views"),
                      .strip_inplace = hw_cli_has(c, "strip-inplace")};
    const char *name = hw_cli_value(c, "format");
    hw_code code = HW_OK;
    if (name)
        code = hw_format_parse(name, &job.format, err);
    else if (c->output_path)
        job.format = hw_format_of_name(c->output_path, job.format);
    if (code == HW_OK)
        code = hw_cli_each_graph(c, c->args, 1, convert, &job, err);
    return code;
}

const hw_command hw_command_convert = {
    .name = "convert",
    .arguments = "IN [OUT]",
    .least_args = 1,
    .most_args = 2,
    .help = "Convert graphs between formats.",
    .details = "The format of IN is told by its content. Several graphs, one after the other, "
               "exist only as lines.",
    .common = HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .output_arg = 1,
    .run = run,
};
