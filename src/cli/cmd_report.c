/* highwater report: a folder of results as one page of HTML. */
#include <string.h>

#include "cli/results.h"
#include "cli/shared.h"
#include "report/page.h"

static const hw_option options[] = {
    {"results", "FILE", "DIR/results.jsonl", "Results that stand elsewhere."},
    HW_OPTION_WHERE,
    HW_OPTION_SKIP_BROKEN,
    {"claims", "FILE", "DIR/claims.json", "Verdicts that stand elsewhere."},
    {"solver", "NAME", "greedy", "The rule that the answer and the timelines are about."},
    {"timelines", "N", "12",
     "Show so many instances over time: the worst of each family, the worst families first."},
    {"nodes", "N", "200", "Of at most so many nodes each."},
    {"graph", "FILE", NULL, "Show this graph over time as well; may be repeated."},
    HW_OPTION_ACCOUNTING,
    HW_OPTION_PIN_INPUTS,
    {"states", "N", "2000000", "What `exact` may spend on an instance."},
    {"rows", "N", "300", "Show so many rows of a table at most."},
    {"title", "TEXT", "the suite", "The heading."},
    {"machine", "TEXT", NULL, "On what the runs were made, for the head of the page."},
};

static const char *const examples[] = {
    "highwater report . -o report.html",
    "highwater report . --results results.jsonl --graph graph.json --title Graphs -o report.html",
};

static void pass_note(void *context, const char *text)
{
    const hw_cli *c = context;
    char shown[HW_SHOWN_TEXT];
    hw_cli_note(c, "%s", hw_cli_shown(text, shown));
}

/* A page that is called like one cannot be written over results, tables or drawings. */
static hw_code check_output(const hw_cli *c, hw_error *err)
{
    const char *path = c->output_path, *dot = path ? strrchr(path, '.') : NULL;
    if (!path || strcmp(path, "-") == 0 || (dot && strcmp(dot, ".html") == 0))
        return HW_OK;
    return hw_fail(err, HW_USAGE, "%s: a page is written as .html: -o report.html", path);
}

static hw_code read_options(const hw_cli *c, hw_page_options *o, hw_error *err)
{
    static const uint64_t most = 1000000;
    hw_memory_options memory;
    hw_code code = hw_cli_memory_options(c, &memory, err);
    o->accounting = memory.accounting;
    o->pin_inputs = memory.pin_inputs;
    if (code == HW_OK)
        code = hw_cli_u64(c, "timelines", 0, 256, &o->most_timelines, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "nodes", 1, 10000, &o->most_nodes, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "states", 1, UINT64_MAX, &o->states, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "rows", 1, most, &o->most_rows, err);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    enum { MOST_GRAPHS = 64 };
    hw_condition conditions[HW_CLI_MOST_CONDITIONS];
    const char *graphs[MOST_GRAPHS], *path;
    size_t cursor = 0;
    hw_page_options o = {.folder = c->args[0],
                         .results = hw_cli_value(c, "results"),
                         .skip_broken = hw_cli_has(c, "skip-broken"),
                         .claims = hw_cli_value(c, "claims"),
                         .title = hw_cli_value(c, "title"),
                         .machine = hw_cli_value(c, "machine"),
                         .solver = hw_cli_has(c, "solver") ? hw_cli_value(c, "solver") : "greedy",
                         .conditions = conditions,
                         .graphs = graphs,
                         .most_rows = 300,
                         .most_timelines = 12,
                         .most_nodes = 200,
                         .states = 2000000,
                         .stop = c->stop,
                         .note = pass_note,
                         .context = c};
    while ((path = hw_cli_next(c, "graph", &cursor)) != NULL) {
        if (o.n_graphs == MOST_GRAPHS)
            return hw_fail(err, HW_USAGE, "more than %d options --graph: give fewer", MOST_GRAPHS);
        graphs[o.n_graphs++] = path;
    }
    hw_code code = check_output(c, err);
    if (code == HW_OK)
        code = hw_cli_conditions(c, conditions, &o.n_conditions, err);
    if (code == HW_OK)
        code = read_options(c, &o, err);
    return code == HW_OK ? hw_page_write(&o, c->out, err) : code;
}

static const hw_option_values values[] = {
    {"solver", HW_VALUES_SOLVERS},
};

const hw_command hw_command_report = {
    .name = "report",
    .arguments = "DIR",
    .least_args = 1,
    .most_args = 1,
    .help = "Write one page of HTML about a folder of results, to be read anywhere.",
    .details =
        "DIR is a folder as `make reproduce` leaves it: results.jsonl (the answer, tables by "
        "solver and family, timelines), *.svg (drawings), *.csv (tables), claims.json (verdicts) "
        "and summary.txt. All of them are optional: the page says what is not there.\n\n"
        "The page needs nothing beside itself and fetches nothing. Its tables sort; a viewer "
        "shows memory over the steps of the rule and of the optimum with the tensors alive at "
        "each. Instances for it are made anew from what the results say, and must have the same "
        "hash, peaks and optimum. The same input gives the same bytes.",
    .common = HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
