/* highwater claims: the seed article, put to the test line by line. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "claims/claims.h"
#include "cli/shared.h"
#include "core/memory.h"
#include "io/folder.h"

static const hw_option options[] = {
    {"format", "NAME", "text", "text, json, markdown, latex (a longtable) or macros (LaTeX)."},
    {"effort", "WORD", "full", "quick (under half a minute for all) or full (some minutes)."},
    {"examples", "FOLDER", NULL, "Write examples and counter-examples there, a graph a file."},
    {"graphs", "FOLDER", NULL, "Real graphs beside the family nets: all graph files there."},
    {"into", "FOLDER", NULL,
     "Write claims.txt, .json, .md, .tex, claims-macros.tex and claims/ (the examples) there, "
     "instead of printing one format."},
};

static const char *const examples[] = {
    "highwater claims C01 C02",
    "highwater claims C01 --format markdown -o claims.md",
    "highwater claims C02 --json --examples shown",
};

typedef struct ask {
    const hw_claim_row **rows;
    size_t n;
    hw_claims_options run;
    hw_claims_format format;
    char *own_examples; /* the folder within that of --into */
    bool shown;         /* a line of progress stands         */
    double begin_seconds;
} ask;

static hw_code read_rows(const hw_cli *c, ask *a, hw_error *err)
{
    a->rows = HW_NEW(const hw_claim_row *, hw_n_claim_rows);
    if (!a->rows)
        return hw_fail_memory(err, "claims");
    for (size_t i = 0; i < hw_n_claim_rows; i++) {
        bool wanted = c->n_args == 0;
        for (size_t k = 0; k < c->n_args; k++) {
            const hw_claim_row *row = NULL;
            hw_code code = hw_claim_row_find(c->args[k], &row, err);
            if (code != HW_OK)
                return code;
            wanted = wanted || row == &hw_claim_rows[i];
        }
        if (wanted)
            a->rows[a->n++] = &hw_claim_rows[i];
    }
    return HW_OK;
}

static hw_code make_folder(const char *folder, hw_error *err)
{
    return folder ? hw_folder_make(folder, err) : HW_OK;
}

static hw_code read_folders(const hw_cli *c, ask *a, hw_error *err)
{
    const char *into = hw_cli_value(c, "into");
    struct stat kind;
    a->run.examples = hw_cli_value(c, "examples");
    a->run.graphs = hw_cli_value(c, "graphs");
    if (a->run.graphs && (stat(a->run.graphs, &kind) != 0 || !S_ISDIR(kind.st_mode)))
        return hw_fail(err, HW_IO, "%s: no such folder of graphs", a->run.graphs);
    if (into && (c->output_path || c->json || hw_cli_has(c, "format")))
        return hw_fail(err, HW_USAGE,
                       "--into writes all formats: leave out --format, --json and -o");
    hw_code code = make_folder(into, err);
    if (code == HW_OK && into && !a->run.examples) {
        a->own_examples = hw_folder_path(into, "claims");
        if (!a->own_examples)
            return hw_fail_memory(err, "a path");
        a->run.examples = a->own_examples;
    }
    return code == HW_OK ? make_folder(a->run.examples, err) : code;
}

static hw_code read_ask(const hw_cli *c, ask *a, hw_error *err)
{
    unsigned format = HW_CLAIMS_TEXT, full = 1;
    if (c->json && hw_cli_has(c, "format"))
        return hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    hw_code code = hw_cli_choice(c, "format", &format, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "effort", &full, err);
    a->format = c->json ? HW_CLAIMS_JSON : (hw_claims_format)format;
    a->run =
        (hw_claims_options){.seed = c->seed, .quick = full == 0, .jobs = c->jobs, .stop = c->stop};
    if (code == HW_OK)
        code = read_rows(c, a, err);
    return code == HW_OK ? read_folders(c, a, err) : code;
}

static void show(void *context, size_t done, const char *running)
{
    ask *a = context;
    a->shown = true;
    (void)fprintf(stderr, "\r\033[Kclaims: %zu of %zu, %.0f s; at work: %.60s", done, a->n,
                  hw_wall_seconds() - a->begin_seconds, running);
    (void)fflush(stderr);
}

static hw_code write_file(const hw_claims_report *r, const char *folder, const char *name,
                          hw_claims_format format, hw_error *err)
{
    hw_output o;
    char *path = hw_folder_path(folder, name);
    if (!path)
        return hw_fail_memory(err, "a path");
    hw_code code = hw_cli_open_inside(path, &o, err);
    if (code == HW_OK) {
        code = hw_claims_write(r, format, o.stream, err);
        if (code == HW_OK)
            code = hw_cli_commit(&o, err);
        else
            hw_cli_abandon(&o);
    }
    free(path);
    return code;
}

static hw_code write_all(const hw_claims_report *r, const char *folder, hw_error *err)
{
    static const struct {
        const char *name;
        hw_claims_format format;
    } files[] = {{"claims.txt", HW_CLAIMS_TEXT},
                 {"claims.json", HW_CLAIMS_JSON},
                 {"claims.md", HW_CLAIMS_MARKDOWN},
                 {"claims.tex", HW_CLAIMS_LATEX},
                 {"claims-macros.tex", HW_CLAIMS_MACROS}};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof files / sizeof files[0]; i++)
        code = write_file(r, folder, files[i].name, files[i].format, err);
    return code;
}

/* Each claim without a verdict by name; HW_CHECK_FAILED: there are some. */
static hw_code tell_undecided(const hw_claim_finding *finding, size_t n, hw_error *err)
{
    size_t undecided = hw_claims_count(finding, n).undecided;
    for (size_t i = 0; i < n; i++)
        if (finding[i].code != HW_OK) {
            hw_error why = {.code = finding[i].code};
            (void)snprintf(why.message, sizeof why.message, "%s: %.900s", finding[i].row->id,
                           finding[i].message ? finding[i].message : "no memory for its message");
            hw_cli_complain(&why);
        }
    return undecided == 0
               ? HW_OK
               : hw_fail(err, HW_CHECK_FAILED, "%zu of %zu claims are undecided", undecided, n);
}

static hw_code run_all(hw_cli *c, ask *a, hw_claim_finding *finding, hw_error *err)
{
    a->begin_seconds = hw_wall_seconds();
    a->run.progress = !c->quiet && isatty(STDERR_FILENO) ? show : NULL;
    a->run.progress_context = a;
    hw_code code = hw_claims_run(a->rows, a->n, &a->run, finding, err);
    if (a->shown)
        (void)fputs("\r\033[K", stderr);
    if (code != HW_OK)
        return code;
    hw_claims_report report = {.finding = finding,
                               .n = a->n,
                               .seed = a->run.seed,
                               .quick = a->run.quick,
                               .graphs = a->run.graphs};
    const char *into = hw_cli_value(c, "into");
    code = into ? write_all(&report, into, err) : hw_claims_write(&report, a->format, c->out, err);
    c->keep_output = true;
    return code == HW_OK ? tell_undecided(finding, a->n, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    ask a = {0};
    hw_code code = read_ask(c, &a, err);
    hw_claim_finding *finding = code == HW_OK ? HW_NEW0(hw_claim_finding, a.n) : NULL;
    if (code == HW_OK && !finding)
        code = hw_fail_memory(err, "findings");
    if (code == HW_OK)
        code = run_all(c, &a, finding, err);
    for (size_t i = 0; finding && i < a.n; i++)
        hw_claim_finding_clear(&finding[i]);
    free(finding);
    free(a.own_examples);
    free(a.rows);
    return code;
}

static const hw_option_values values[] = {
    {"effort", "quick|full"},
    {"format", "text|json|markdown|latex|macros"},
};

const hw_command hw_command_claims = {
    .name = "claims",
    .arguments = "[C01 C05...]",
    .least_args = 0,
    .most_args = 64,
    .help = "Put the claims of the seed article to the test: 29 experiments.",
    .details =
        "Each claim has an experiment, which runs in a process of its own and ends with a "
        "verdict: it holds, holds only if ..., or fails; with the figure that this rests on, the "
        "readings of the article that were tried, numbers and (counter-)examples. Nothing is "
        "typed in: all comes from the run.\n\n"
        "The same seed and effort find the same, but for what is measured (times, resident "
        "memory), which stands apart under `measured` and `seconds` in JSON.\n\n"
        "The exit status is 1 when an experiment could not decide: it is named on standard error, "
        "and the others are reported.",
    .common = HW_CLI_JSON | HW_CLI_SEED | HW_CLI_JOBS | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
