/* highwater import: graphs of other formats to those of highwater, with a report. */
#include <stdlib.h>
#include <string.h>

#include "cli/import_report.h"
#include "cli/shared.h"
#include "io/reader.h"

static const hw_option options[] = {
    {"format", "WORD", "by the ending of the output, else json",
     "Of the graph that is written: json, line, graphml or dot."},
    {"report", "FILE", NULL,
     "Write the report to FILE; without, it goes to standard output where the graph does not, and "
     "else its notes to standard error."},
};

static const char *const examples[] = {
    "printf '3 2\\n64 32 16\\n0 1\\n1 2\\n' > small.txt && highwater import small.txt",
    "printf 'a b 64\\nb c 32\\n' | highwater import - -o imported.json --json",
    "highwater import graph.json --window 3 -o window.json --report window.txt",
};

typedef struct importing {
    hw_cli *c;
    hw_format format;
    FILE *graphs; /* where graphs go               */
    FILE *report; /* NULL: notes to standard error */
    size_t n_graphs;
} importing;

static hw_code several(const importing *job, hw_error *err)
{
    if (job->n_graphs == 0 || job->format == HW_FORMAT_LINE)
        return HW_OK;
    return hw_fail(err, HW_BAD_INPUT,
                   "several graphs come in: only --format line can take them in one output");
}

static void tell(const importing *job, const hw_import_account *a)
{
    if (!job->report) {
        if (a->reader_notes)
            hw_cli_note(job->c, "%s: %s", hw_cli_input_name(a->file), a->reader_notes);
        for (size_t i = 0; i < a->report->n_notes; i++)
            hw_cli_note(job->c, "%s: %s", hw_cli_input_name(a->file), a->report->notes[i]);
    } else if (job->c->json) {
        hw_import_json(a, job->report);
    } else {
        hw_import_text(a, job->report);
    }
}

static hw_code take(importing *job, hw_reader *r, const char *path, hw_import_report *report,
                    bool *any, hw_error *err)
{
    hw_graph *g = NULL;
    hw_code code = hw_reader_next(r, &g, err);
    *any = g != NULL;
    if (code != HW_OK || !g)
        return code;
    code = *job->c->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal") : several(job, err);
    if (code == HW_OK)
        code = hw_graph_write(g, job->format, job->graphs, err);
    job->n_graphs++;
    if (code == HW_OK) /* of every graph of a stream, not its first alone */
        code = hw_import_report_count(report, g, err);
    if (code == HW_OK)
        tell(job, &(hw_import_account){path, g, report, hw_reader_notes(r)});
    hw_graph_free(g);
    return code;
}

static hw_code import_file(importing *job, const char *path, const hw_import_options *asked,
                           hw_error *err)
{
    hw_import_report report = {0};
    hw_reader *r = NULL;
    bool any = false;
    hw_code code = hw_import_open(path, asked, &report, &r, err);
    if (code == HW_OK)
        code = take(job, r, path, &report, &any, err);
    if (code == HW_OK && !any)
        code = hw_fail(err, HW_BAD_INPUT, "%s: holds no graph: it should have a line 'p highwater'",
                       hw_cli_input_name(path));
    while (code == HW_OK && any)
        code = take(job, r, path, &report, &any, err);
    hw_reader_close(r);
    hw_import_report_clear(&report);
    return code;
}

static hw_code import_all(importing *job, hw_error *err)
{
    hw_cli_import asked;
    hw_code code = hw_cli_import_options(job->c, &asked, err);
    for (size_t i = 0; code == HW_OK && i < job->c->n_args; i++)
        code = import_file(job, job->c->args[i], &asked.options, err);
    hw_cli_import_clear(&asked);
    return code;
}

static bool is_stdout(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* Open what is to be written, import, and let all files appear together. */
static hw_code run_open(hw_cli *c, importing *job, hw_error *err)
{
    const char *report = hw_cli_value(c, "report");
    hw_output graphs = {0}, account = {0};
    bool to_stdout = is_stdout(c->output_path);
    hw_code code = hw_cli_open(c->output_path, &graphs, err);
    if (code == HW_OK && report)
        code = hw_cli_open(report, &account, err);
    if (code == HW_OK) {
        job->graphs = graphs.stream;
        job->report = report ? account.stream : to_stdout ? NULL : c->out;
        code = import_all(job, err);
    }
    if (code == HW_OK)
        code = hw_cli_commit(&graphs, err);
    if (code == HW_OK && report)
        code = hw_cli_commit(&account, err);
    hw_cli_abandon(&graphs);
    hw_cli_abandon(&account);
    return code == HW_OK ? hw_cli_flush(c, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    importing job = {.c = c, .format = HW_FORMAT_JSON};
    const char *format = hw_cli_value(c, "format"), *report = hw_cli_value(c, "report");
    hw_code code = hw_cli_check_output(c, "-o", c->output_path, err);
    if (code == HW_OK)
        code = hw_cli_check_output(c, "--report", report, err);
    if (code == HW_OK)
        code = hw_cli_two_files("-o", c->output_path, "--report", report, err);
    if (code == HW_OK && is_stdout(c->output_path) && report && is_stdout(report))
        code = hw_fail(err, HW_USAGE,
                       "the graph and its report would both go to standard output: give one of "
                       "them a file");
    if (code == HW_OK && is_stdout(c->output_path) && !report && c->json)
        code = hw_fail(err, HW_USAGE,
                       "--json is for the report, which is not written: give it --report FILE, or "
                       "the graph -o FILE");
    if (code == HW_OK && format)
        code = hw_format_parse(format, &job.format, err);
    else if (code == HW_OK && !is_stdout(c->output_path))
        job.format = hw_format_of_name(c->output_path, job.format);
    return code == HW_OK ? run_open(c, &job, err) : code;
}

static const hw_option_values values[] = {
    {"format", HW_FORMAT_WORDS},
};

const hw_command hw_command_import = {
    .name = "import",
    .arguments = "FILE...",
    .least_args = 1,
    .most_args = INT32_MAX,
    .help = "Bring graphs of other formats in: ONNX, workflows, DOT, edge lists, ...",
    .details = "Every command that reads graphs takes these files as they are; import writes the "
               "graph that they then work on, and reports what came in and what was approximated. "
               "`highwater list formats` names the formats; each is told by content.\n\n"
               "Operators that draw random numbers, touch what outlives the run or talk to the "
               "world are locked: they keep their order among each other. highwater(1) says which "
               "traits --operators may give to types.",
    .common = HW_CLI_JSON | HW_CLI_OWN_FILE | HW_CLI_IMPORT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
