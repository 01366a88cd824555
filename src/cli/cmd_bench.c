/* highwater bench: run a suite, one line of results a run. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/cli.h"

static const hw_option options[] = {
    {"resume", NULL, NULL,
     "FILE may exist: run what is missing in it. A last line that was cut is removed."},
    {"overwrite", NULL, NULL, "FILE may exist: begin anew."},
    {"plan", NULL, NULL, "Only say what would be run."},
};

static const char *const examples[] = {
    "highwater bench smoke.suite -o results.jsonl",
    "highwater bench smoke.suite -o results.jsonl --resume -j 4",
    "highwater bench smoke.suite --plan",
};

/* ---- The progress line: on a terminal, rewritten in place. ---- */

typedef struct progress {
    const char *suite;
    double shown_seconds;
    bool shown;
} progress;

static void put_duration(double seconds, char *text, size_t size)
{
    uint64_t s = (uint64_t)(seconds + 0.5);
    if (s >= 3600)
        (void)snprintf(text, size, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, s / 3600, s / 60 % 60,
                       s % 60);
    else
        (void)snprintf(text, size, "%" PRIu64 ":%02" PRIu64, s / 60, s % 60);
}

static void show(void *context, const hw_bench_counts *c)
{
    progress *p = context;
    bool last = c->runs_done == c->runs_total;
    if (!last && c->seconds - p->shown_seconds < 0.2)
        return;
    p->shown_seconds = c->seconds;
    p->shown = true;
    char spent[32], left[32] = "?";
    put_duration(c->seconds, spent, sizeof spent);
    uint64_t fresh = c->runs_done - c->runs_kept;
    if (fresh > 0)
        put_duration(c->seconds * (double)(c->runs_total - c->runs_done) / (double)fresh, left,
                     sizeof left);
    double share = c->runs_total ? 100.0 * (double)c->runs_done / (double)c->runs_total : 100;
    (void)fprintf(stderr,
                  "\r\033[K%s: %" PRIu64 " of %" PRIu64 " runs (%.0f %%), %s, about %s left",
                  p->suite, c->runs_done, c->runs_total, share, spent, left);
    if (c->crashed + c->timeouts)
        (void)fprintf(stderr, ", %" PRIu64 " crashed or killed", c->crashed + c->timeouts);
    if (c->conflicts)
        (void)fprintf(stderr, ", %" PRIu64 " CONFLICTS", c->conflicts);
    (void)fflush(stderr);
}

/* ---- Words before and after. ---- */

static void note_end(const hw_cli *c, const hw_suite *suite, const hw_bench_counts *n)
{
    char spent[32];
    put_duration(n->seconds, spent, sizeof spent);
    hw_cli_note(c,
                "%s: %" PRIu64 " of %" PRIu64 " runs in %s, %" PRIu64 " of them kept from before",
                suite->name, n->runs_done, n->runs_total, spent, n->runs_kept);
    if (n->left_out)
        hw_cli_note(c,
                    "%" PRIu64 " left out: the suite wants them on no graph so large (most-nodes)",
                    n->left_out);
    if (n->crashed + n->timeouts + n->failed + n->refused)
        hw_cli_note(c,
                    "%" PRIu64 " crashed, %" PRIu64 " killed after their time, %" PRIu64
                    " failed, %" PRIu64 " refused by a solver that takes no such graph",
                    n->crashed, n->timeouts, n->failed, n->refused);
}

static void put_plan(hw_cli *c, const hw_suite *suite)
{
    (void)fprintf(c->out, "%s: seed %" PRIu64 ", %zu units, %" PRIu64 " runs\n", suite->name,
                  suite->seed, suite->n_units, suite->n_runs);
    for (size_t k = 0; k < suite->n_sections; k++) {
        const hw_suite_section *s = &suite->sections[k];
        uint64_t instances = 0;
        for (size_t i = 0; i < suite->n_sources; i++)
            if (suite->sources[i].section == k)
                instances += suite->sources[i].n_instances;
        if (instances == 0)
            continue;
        (void)fprintf(c->out, "[%s] %" PRIu64 " instances by", s->name, instances);
        for (size_t i = 0; i < s->n_solvers; i++)
            (void)fprintf(c->out, " %s", s->solvers[i].spec);
        (void)fputc('\n', c->out);
    }
}

static hw_code run_suite(hw_cli *c, hw_suite *suite, hw_error *err)
{
    progress p = {.suite = suite->name};
    bool terminal = !c->quiet && isatty(STDERR_FILENO);
    hw_bench_options o = {
        .output = c->output_path,
        .resume = hw_cli_has(c, "resume"),
        .overwrite = hw_cli_has(c, "overwrite"),
        .jobs = c->jobs,
        .stop = c->stop,
        .progress = terminal ? show : NULL,
        .progress_context = &p,
    };
    if (o.resume && o.overwrite)
        return hw_fail(err, HW_USAGE, "--resume and --overwrite exclude each other");
    if ((o.resume || o.overwrite) && (!o.output || strcmp(o.output, "-") == 0))
        return hw_fail(err, HW_USAGE, "--resume and --overwrite need a file: -o FILE");
    hw_bench_counts counts;
    hw_code code = hw_bench_run(suite, &o, &counts, err);
    if (p.shown)
        (void)fputc('\n', stderr);
    if (code == HW_OK || code == HW_CHECK_FAILED || code == HW_STOPPED)
        note_end(c, suite, &counts);
    return code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    hw_suite *suite;
    hw_code code = hw_suite_load(c->args[0], &suite, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "seed"))
        suite->seed = c->seed;
    for (size_t i = 0; i < suite->n_notes; i++)
        hw_cli_note(c, "%s", suite->notes[i]);
    hw_cli_note(c, "%s: seed %" PRIu64 ", %zu units, %" PRIu64 " runs", suite->name, suite->seed,
                suite->n_units, suite->n_runs);
    if (hw_cli_has(c, "plan"))
        put_plan(c, suite);
    else
        code = run_suite(c, suite, err);
    hw_suite_free(suite);
    return code;
}

const hw_command hw_command_bench = {
    .name = "bench",
    .arguments = "SUITE",
    .least_args = 1,
    .most_args = 1,
    .help = "Run a suite: families x sizes x instances x solvers x accountings.",
    .details =
        "SUITE is a text file, and what comes out one JSON object a line: both are described in "
        "highwater-results(5). The lines stand in the order of the suite and are the same for any "
        "-j, but for times and memory.\n\n"
        "A run whose process dies, or is killed after its time, is recorded as crashed or timeout "
        "and the sweep goes on. The exit status is 1 when two proofs disagree, an order beats a "
        "proven optimum, or an instance cannot be made. SIGINT and SIGTERM stop the sweep; FILE "
        "grows "
        "by the lines of whole units, and those stay.",
    .common = HW_CLI_SEED | HW_CLI_JOBS | HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
