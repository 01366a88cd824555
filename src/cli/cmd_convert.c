/* highwater convert: graphs from one format to another. */
#include <string.h>

#include "cli/shared.h"
#include "solvers/milp_model.h"

/* Beside the formats of graphs: the integer program of the order. */
typedef enum program_format { NO_PROGRAM, PROGRAM_LP, PROGRAM_MPS } program_format;

static const hw_option options[] = {
    {"format", "WORD", "by the ending of OUT, else json",
     "json, line, graphml or dot (for graphviz; not read back); lp or mps: the integer program of "
     "the order of least peak, for programs that solve such."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"strip-views", NULL, NULL, "Make views ordinary nodes with storages of their own."},
    {"strip-inplace", NULL, NULL, "Leave in-place pairs out."},
};

static const char *const examples[] = {
    "highwater convert graph.json graph.hwl",
    "highwater convert graph.json --format dot",
    "highwater gen layered --count 2 | highwater convert - --format line --strip-inplace",
    "highwater convert graph.json order.lp --accounting free-first",
};

typedef struct conversion {
    hw_format format;
    program_format program;
    hw_memory_options memory; /* of the program */
    bool strip_views, strip_inplace;
    size_t n_graphs;
} conversion;

/* The program in units of `unit` bytes; comments would not be the same in both formats. */
static hw_code write_program(hw_cli *c, const hw_graph *g, const conversion *job, hw_error *err)
{
    hw_model *m;
    milp_model *p = NULL;
    hw_code code = hw_cli_model(g, &job->memory, &m, err);
    if (code == HW_OK)
        code = milp_model_new(m, &p, err);
    if (code == HW_OK) {
        hw_cli_note(c, "one unit of the objective is %llu byte%s",
                    (unsigned long long)p->unit_bytes, p->unit_bytes == 1 ? "" : "s");
        if (job->program == PROGRAM_LP)
            hw_linear_write_lp(p->program, c->out);
        else
            code = hw_linear_write_mps(p->program, c->out, err);
    }
    if (code == HW_OK)
        code = hw_cli_flush(c, err);
    milp_model_free(p);
    hw_model_free(m);
    return code;
}

static hw_code write_one(hw_cli *c, const hw_graph *g, const conversion *job, hw_error *err)
{
    return job->program == NO_PROGRAM ? hw_cli_write_graph(c, g, job->format, err)
                                      : write_program(c, g, job, err);
}

static hw_code convert(hw_cli *c, const hw_graph *g, void *context, hw_error *err)
{
    conversion *job = context;
    if (job->n_graphs++ > 0 && (job->format != HW_FORMAT_LINE || job->program))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: holds several graphs: only --format line can take them",
                       hw_cli_input_name(c->args[0]));
    if (!job->strip_views && !job->strip_inplace)
        return write_one(c, g, job, err);
    hw_graph *stripped;
    hw_code code = hw_graph_strip(g, job->strip_views, job->strip_inplace, &stripped, err);
    if (code != HW_OK)
        return code;
    code = write_one(c, stripped, job, err);
    hw_graph_free(stripped);
    return code;
}

/* Does `name` end so? */
static bool ends(const char *name, const char *with)
{
    size_t length = strlen(name), n = strlen(with);
    return length > n && strcmp(name + length - n, with) == 0;
}

static program_format program_of(const char *format, const char *path)
{
    if (format)
        return strcmp(format, "lp") == 0    ? PROGRAM_LP
               : strcmp(format, "mps") == 0 ? PROGRAM_MPS
                                            : NO_PROGRAM;
    if (!path)
        return NO_PROGRAM;
    return ends(path, ".lp") ? PROGRAM_LP : ends(path, ".mps") ? PROGRAM_MPS : NO_PROGRAM;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    conversion job = {.format = HW_FORMAT_JSON,
                      .strip_views = hw_cli_has(c, "strip-views"),
                      .strip_inplace = hw_cli_has(c, "strip-inplace")};
    const char *name = hw_cli_value(c, "format");
    job.program = program_of(name, c->output_path);
    hw_code code = hw_cli_memory_options(c, &job.memory, err);
    if (code != HW_OK)
        return code;
    if (job.program == NO_PROGRAM && name)
        code = hw_format_parse(name, &job.format, err);
    else if (job.program == NO_PROGRAM && c->output_path)
        job.format = hw_format_of_name(c->output_path, job.format);
    if (code == HW_OK)
        code = hw_cli_each_graph(c, c->args, 1, convert, &job, err);
    return code;
}

static const hw_option_values values[] = {
    {"format", HW_FORMAT_WORDS "|lp|mps"},
};

const hw_command hw_command_convert = {
    .name = "convert",
    .arguments = "IN [OUT]",
    .least_args = 1,
    .most_args = 2,
    .help = "Convert graphs between formats.",
    .details = "The format of IN is told by its content. Several graphs, one after the other, "
               "exist only as lines.",
    .common = HW_CLI_OUTPUT | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .output_arg = 1,
    .run = run,
};
