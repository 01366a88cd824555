/* highwater census: all small graphs, and how bad every rule can be on them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "census/census_report.h"
#include "census/census_run.h"
#include "cli/census_files.h"
#include "cli/shared.h"
#include "core/memory.h"

static const hw_option options[] = {
    {"nodes", "N", "5", "The most nodes, up to 7."},
    {"from", "N", "1", "The fewest nodes."},
    {"sizes", "M", "3", "Every node makes 1 to M bytes, up to 9; smaller M are told apart."},
    {"numberings", "WORD", "all",
     "Source orders of a graph, by which rules break ties: all, or one (the least, see "
     "highwater-census(1))."},
    {"fails", "WORD", "all",
     "On how many graphs a solver misses the optimum: in some case (all), or in the first case of "
     "a "
     "graph (first), which is much quicker."},
    {"solver", "NAME[:K=V,...]", "all deterministic ones and some variants",
     "Whom to count; may be repeated."},
    {"part", "I/M", "1/1", "Only part I of M, which cut the graphs alike; needs --lines."},
    {"lines", "FILE", NULL,
     "Keep what is done in FILE, a JSON object a line, for --resume and --merge."},
    {"resume", NULL, NULL, "The file of --lines may exist: do what is missing in it."},
    {"overwrite", NULL, NULL, "The file of --lines may exist: begin anew."},
    {"merge", NULL, NULL, "Count nothing: report on the FILEs, all parts of one or several."},
    {"format", "NAME", "text", "text, csv, markdown, or latex (booktabs)."},
    {"plot", "FILE", NULL, "Draw the worst ratios against nodes: .svg, .pdf or .png."},
    {"graphs", "FOLDER", NULL, "Write the worst graph of each solver, accounting and n there."},
};

static const char *const examples[] = {
    "highwater census --nodes 4",
    "highwater census --nodes 4 --sizes 2 --solver greedy --solver lookahead:k=2 --json",
    "highwater census --nodes 4 --sizes 2 --part 1/2 --lines one.jsonl",
    "highwater census --nodes 4 --sizes 2 --part 2/2 --lines two.jsonl",
    "highwater census --merge one.jsonl two.jsonl --plot worst.svg --graphs worst",
};

/* ---- What is asked for. ---- */

static hw_code read_part(const hw_cli *c, hw_census_plan *plan, hw_error *err)
{
    const char *text = hw_cli_value(c, "part");
    char i_text[24];
    uint64_t i, of;
    plan->part = plan->parts = 1;
    if (!text)
        return HW_OK;
    const char *slash = strchr(text, '/');
    size_t length = slash ? (size_t)(slash - text) : sizeof i_text;
    bool fine = length < sizeof i_text;
    if (fine) {
        memcpy(i_text, text, length);
        i_text[length] = '\0';
        fine = hw_read_u64(i_text, &i) && hw_read_u64(slash + 1, &of) && i >= 1 && i <= of &&
               of <= UINT32_MAX;
    }
    if (!fine)
        return hw_fail(err, HW_USAGE,
                       "option --part: '%s' is no part: write I/M, 2/4 for the second of four",
                       text);
    plan->part = (uint32_t)i;
    plan->parts = (uint32_t)of;
    if (plan->parts > 1 && !hw_cli_has(c, "lines"))
        return hw_fail(err, HW_USAGE, "a part alone has no table: keep it by --lines FILE");
    return HW_OK;
}

static hw_code read_solvers(const hw_cli *c, hw_census_plan *plan, hw_error *err)
{
    const char *specs[HW_CENSUS_SOLVERS + 1], *spec;
    size_t n = 0, cursor = 0;
    while (n <= HW_CENSUS_SOLVERS && (spec = hw_cli_next(c, "solver", &cursor)))
        specs[n++] = spec;
    return hw_census_solvers(plan, specs, n, err);
}

static hw_code read_plan(const hw_cli *c, hw_census_plan *plan, hw_error *err)
{
    uint64_t nodes = 5, from = 1, sizes = 3;
    unsigned one = 0, first = 0;
    *plan = (hw_census_plan){0};
    if (c->n_args > 0)
        return hw_fail(err, HW_USAGE, "%s: files are read with --merge alone", c->args[0]);
    hw_code code = hw_cli_u64(c, "nodes", 1, HW_DAGS_MOST, &nodes, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "from", 1, HW_DAGS_MOST, &from, err);
    if (code == HW_OK && from > nodes)
        code = hw_fail(err, HW_USAGE,
                       "--from %" PRIu64 " lies above --nodes %" PRIu64 ": give a smaller one",
                       from, nodes);
    if (code == HW_OK)
        code = hw_cli_u64(c, "sizes", 1, HW_CENSUS_SIZES, &sizes, err);
    if (code == HW_OK)
        code = hw_cli_choice(c, "numberings", &one, err);
    plan->least_nodes = (uint32_t)from;
    plan->most_nodes = (uint32_t)nodes;
    plan->most_size = (uint32_t)sizes;
    plan->all_numberings = one == 0;
    if (code == HW_OK)
        code = hw_cli_choice(c, "fails", &first, err);
    plan->all_fails = first == 0;
    if (code == HW_OK)
        code = read_part(c, plan, err);
    if (code == HW_OK)
        code = read_solvers(c, plan, err);
    if (code == HW_OK && hw_cli_has(c, "resume") && hw_cli_has(c, "overwrite"))
        code = hw_fail(err, HW_USAGE, "--resume and --overwrite exclude each other");
    if (code == HW_OK && !hw_cli_has(c, "lines") &&
        (hw_cli_has(c, "resume") || hw_cli_has(c, "overwrite")))
        code = hw_fail(err, HW_USAGE, "--resume and --overwrite need a file: --lines FILE");
    return code;
}

/* ---- Counting. ---- */

typedef struct progress {
    double begin_seconds, shown_seconds;
    size_t kept;
    bool shown;
} progress;

static void show(void *context, const hw_census *census)
{
    progress *p = context;
    double now = hw_wall_seconds() - p->begin_seconds;
    size_t done, total;
    if (now - p->shown_seconds < 0.2)
        return;
    hw_census_progress(census, &done, &total);
    p->shown_seconds = now;
    p->shown = true;
    (void)fprintf(stderr, "\r\033[Kcensus: %zu of %zu blocks (%.0f %%), %.0f s", done, total,
                  100.0 * (double)done / (double)total, now);
    (void)fflush(stderr);
}

static void note_end(const hw_cli *c, const hw_census *census, double seconds)
{
    uint64_t cases = 0, runs = 0;
    size_t done, total;
    hw_census_progress(census, &done, &total);
    for (uint32_t n = census->plan.least_nodes; n <= census->plan.most_nodes; n++) {
        runs += census->tally[n]->runs;
        for (uint32_t k = 0; k < census->plan.most_size; k++)
            cases += census->tally[n]->cases[k];
    }
    hw_cli_note(c,
                "%zu of %zu blocks, %" PRIu64 " cases under both accountings, %" PRIu64
                " runs of solvers, in %.1f s",
                done, total, cases, runs, seconds);
}

static hw_code count(hw_cli *c, hw_census *census, hw_error *err)
{
    progress p = {.begin_seconds = hw_wall_seconds()};
    hw_census_options o = {
        .path = hw_cli_value(c, "lines"),
        .resume = hw_cli_has(c, "resume"),
        .overwrite = hw_cli_has(c, "overwrite"),
        .jobs = c->jobs,
        .stop = c->stop,
        .progress = !c->quiet && isatty(STDERR_FILENO) ? show : NULL,
        .context = &p,
    };
    hw_code code = hw_census_run(census, &o, err);
    if (p.shown)
        (void)fputc('\n', stderr);
    if (code == HW_OK || code == HW_STOPPED)
        note_end(c, census, hw_wall_seconds() - p.begin_seconds);
    return code;
}

/* ---- Reporting. ---- */

static hw_code report(hw_cli *c, hw_census *census, size_t n, hw_error *err)
{
    unsigned format = HW_TABLE_TEXT;
    hw_census_report r = {0};
    hw_code code = hw_cli_choice(c, "format", &format, err);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        code = hw_census_recheck(&census[i], err);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        code = hw_census_report_add(&r, &census[i], err);
    if (code == HW_OK)
        code = hw_census_table(&r, c->json ? HW_TABLE_JSON : (hw_table_format)format, c->out, err);
    if (code == HW_OK && hw_cli_has(c, "plot"))
        code = hw_cli_census_plot(&r, hw_cli_value(c, "plot"), err);
    if (code == HW_OK && hw_cli_has(c, "graphs"))
        code = hw_cli_census_graphs(c, &r, hw_cli_value(c, "graphs"), err);
    return code;
}

static hw_code take(hw_cli *c, hw_error *err)
{
    hw_census_plan plan;
    hw_census census;
    hw_code code = read_plan(c, &plan, err);
    if (code == HW_OK)
        code = hw_census_make(&plan, &census, err);
    if (code != HW_OK)
        return code;
    code = count(c, &census, err);
    if (code == HW_OK && plan.parts == 1)
        code = report(c, &census, 1, err);
    else if (code == HW_OK)
        hw_cli_note(c, "part %" PRIu32 "/%" PRIu32 " is in %s: --merge it with the others",
                    plan.part, plan.parts, hw_cli_value(c, "lines"));
    hw_census_free(&census);
    return code;
}

/* What is missing for a number of nodes is said, and the rest reported. */
static void note_missing(const hw_cli *c, const hw_census *census)
{
    for (uint32_t n = census->plan.least_nodes; n <= census->plan.most_nodes; n++)
        if (!hw_census_whole(census, n))
            hw_cli_note(c, "%" PRIu32 " nodes are left out: %zu of %zu blocks are there", n,
                        census->n_done[n], census->n_blocks[n]);
}

static hw_code load(hw_cli *c, hw_census *census, size_t *n, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < c->n_args; i++) {
        hw_census_plan plan;
        uint64_t whole;
        size_t at = 0;
        code = hw_census_load_plan(c->args[i], &plan, err);
        while (code == HW_OK && at < *n && !hw_census_alike(&plan, &census[at].plan))
            at++;
        if (code == HW_OK && at == *n) {
            code = hw_census_make(&plan, &census[at], err);
            *n += code == HW_OK;
        }
        if (code == HW_OK)
            code = hw_census_load(&census[at], c->args[i], &whole, err);
    }
    for (size_t i = 0; code == HW_OK && i < *n; i++)
        note_missing(c, &census[i]);
    return code;
}

static hw_code merge(hw_cli *c, hw_error *err)
{
    static const char *const counting[] = {"nodes",  "from", "sizes", "numberings", "fails",
                                           "solver", "part", "lines", "resume",     "overwrite"};
    for (size_t i = 0; i < sizeof counting / sizeof counting[0]; i++)
        if (hw_cli_has(c, counting[i]))
            return hw_fail(err, HW_USAGE, "--merge counts nothing: leave out --%s", counting[i]);
    if (c->n_args == 0)
        return hw_fail(err, HW_USAGE, "--merge needs the files of --lines");
    hw_census *census = HW_NEW0(hw_census, c->n_args);
    size_t n = 0;
    if (!census)
        return hw_fail_memory(err, "censuses");
    hw_code code = load(c, census, &n, err);
    if (code == HW_OK)
        code = report(c, census, n, err);
    for (size_t i = 0; i < n; i++)
        hw_census_free(&census[i]);
    free(census);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    if (c->json && hw_cli_has(c, "format"))
        return hw_fail(err, HW_USAGE, "--json and --format exclude each other");
    hw_code code = hw_cli_census_check(c, err);
    if (code != HW_OK)
        return code;
    return hw_cli_has(c, "merge") ? merge(c, err) : take(c, err);
}

static const hw_option_values values[] = {
    {"fails", "all|first"},
    {"format", "text|csv|markdown|latex"},
    {"numberings", "all|one"},
};

const hw_command hw_command_census = {
    .name = "census",
    .arguments = "[FILE...]",
    .least_args = 0,
    .most_args = 4096,
    .help = "Solve all small graphs by all rules: the exact worst ratio of each.",
    .details =
        "All unlabelled acyclic graphs of up to N nodes (1, 2, 6, 31, 302, 5984, 243668), with "
        "all sizes 1 to M up to symmetry, under both accountings. A node makes one tensor, and "
        "what nobody reads is kept. The table has the worst peak / optimum of every solver, the "
        "number of nodes at which it first misses an optimum, and on how many graphs it does. "
        "All are exact, and every worst graph is solved and its optimum "
        "proven "
        "anew before it is shown. `(any order)` is what the worst order of all reaches. Exact "
        "solvers are controls: they run on one graph for each acyclic one, where a bad order is "
        "worst.\n\n"
        "CSV and JSON have a row for each number of nodes, M, accounting and solver, with the "
        "worst graph as code (the parents of node 1, 2, ... in bits) and sizes.",
    .common = HW_CLI_JSON | HW_CLI_JOBS | HW_CLI_OUTPUT,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .values = values,
    .n_values = sizeof values / sizeof values[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
