/* highwater bench: run a suite, one line of results a run. */
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "cli/bench_dry_run.h"
#include "cli/cli.h"
#include "cli/shared.h"

static const hw_option options[] = {
    {"resume", NULL, NULL,
     "FILE may exist: run what is missing in it. A last line that was cut is removed."},
    {"drop-broken", NULL, NULL,
     "With --resume: move broken lines to FILE.broken, run what they were about again."},
    {"overwrite", NULL, NULL, "FILE may exist: begin anew."},
    {"part", "I/M", NULL, "Run part I of M: M sweeps anywhere make the whole."},
    {"sample", "K", NULL, "Run K units, drawn at random; with --part, a part of them."},
    {"sample-seed", "S", "20240229", "Draw them by this seed."},
    {"dry-run", NULL, NULL,
     "Only say what would be run, and about how long: some units are tried, nothing is written."},
    {"plan", NULL, NULL, "The same."},
    {"try-for", "SECONDS", "2", "With --dry-run: try units for so long."},
    {"times", "FILE", NULL, "With --dry-run: take the times from these results, try nothing."},
};

static const char *const examples[] = {
    "highwater bench smoke.suite -o results.jsonl",
    "highwater bench smoke.suite -o results.jsonl --resume -j 4",
    "highwater bench smoke.suite --dry-run",
    "highwater bench smoke.suite --part 1/40 -o part-1.jsonl",
};

/* ---- The progress line: on a terminal, rewritten in place. ---- */

typedef struct progress {
    const hw_cli *c;
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
    char spent[32], left[32] = "?", name[HW_SHOWN_TEXT];
    put_duration(c->seconds, spent, sizeof spent);
    uint64_t fresh = c->runs_done - c->runs_kept;
    if (fresh > 0)
        put_duration(c->seconds * (double)(c->runs_total - c->runs_done) / (double)fresh, left,
                     sizeof left);
    double share = c->runs_total ? 100.0 * (double)c->runs_done / (double)c->runs_total : 100;
    (void)fprintf(stderr,
                  "\r\033[K%s: %" PRIu64 " of %" PRIu64 " runs (%.0f %%), %s, about %s left",
                  hw_cli_shown(p->suite, name), c->runs_done, c->runs_total, share, spent, left);
    uint64_t ended = c->crashed + c->timeouts + c->out_of_memory;
    if (ended)
        (void)fprintf(stderr, ", %" PRIu64 " crashed, killed or out of memory", ended);
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
    if (n->crashed + n->timeouts + n->out_of_memory + n->wrong + n->failed + n->refused)
        hw_cli_note(c,
                    "%" PRIu64 " crashed, %" PRIu64 " killed after their time, %" PRIu64
                    " out of memory, %" PRIu64 " wrong, %" PRIu64 " failed, %" PRIu64
                    " refused by a solver that takes no such graph",
                    n->crashed, n->timeouts, n->out_of_memory, n->wrong, n->failed, n->refused);
    if (*n->untidy)
        hw_cli_note(c, "the lines stay in the order of the sweep: %s", n->untidy);
    if (n->lines_of_others)
        hw_cli_note(c,
                    "%" PRIu64 " lines of %s are of no run of this suite and seed, and stay there "
                    "as they are",
                    n->lines_of_others, c->output_path);
    if (n->lines_dropped)
        hw_cli_note(c, "%" PRIu64 " broken lines were moved to %s.broken", n->lines_dropped,
                    c->output_path);
    if (n->warnings)
        hw_cli_note(c, "%" PRIu64 " warnings: do not trust these times", n->warnings);
}

/* "3/8": the third of eight parts. */
static hw_code read_choice(const hw_cli *c, hw_plan_choice *choice, hw_error *err)
{
    const uint64_t most = UINT64_C(1) << 32;
    const char *part = hw_cli_value(c, "part");
    *choice = (hw_plan_choice){.sample_seed = HW_DEFAULT_SEED};
    if (part) {
        char first[24];
        size_t length = strcspn(part, "/");
        bool good = length > 0 && length < sizeof first && part[length] == '/';
        (void)snprintf(first, sizeof first, "%.*s", (int)length, part);
        if (!good || !hw_read_u64(first, &choice->part) ||
            !hw_read_u64(part + length + 1, &choice->parts) || choice->part < 1 ||
            choice->part > choice->parts)
            return hw_fail(err, HW_USAGE,
                           "option --part: '%s' is no part: write I/M, 1/8 for the first of eight",
                           part);
    }
    if (hw_cli_has(c, "sample-seed") && !hw_cli_has(c, "sample"))
        return hw_fail(err, HW_USAGE, "--sample-seed draws a sample: give its size by --sample");
    hw_code code = hw_cli_u64(c, "sample", 1, most, &choice->sample, err);
    return code == HW_OK ? hw_cli_u64(c, "sample-seed", 0, UINT64_MAX, &choice->sample_seed, err)
                         : code;
}

/* What of the whole is run: " in all; of them part 3 of 8", or nothing where it is all. */
static void put_choice(const hw_plan_choice *choice, char *text, size_t size)
{
    text[0] = '\0';
    if (choice->sample && choice->parts)
        (void)snprintf(text, size,
                       " in all; of them part %" PRIu64 " of %" PRIu64 " of a sample of %" PRIu64,
                       choice->part, choice->parts, choice->sample);
    else if (choice->sample)
        (void)snprintf(text, size, " in all; of them a sample of %" PRIu64, choice->sample);
    else if (choice->parts)
        (void)snprintf(text, size, " in all; of them part %" PRIu64 " of %" PRIu64, choice->part,
                       choice->parts);
}

static void warn(void *context, const char *sentence)
{
    const progress *p = context;
    if (p->shown)
        (void)fputs("\r\033[K", stderr);
    hw_cli_note(p->c, "warning: %s", sentence);
}

static hw_code run_suite(hw_cli *c, const hw_suite *suite, const hw_plan_choice *choice,
                         hw_error *err)
{
    progress p = {.c = c, .suite = suite->name};
    bool terminal = !c->quiet && isatty(STDERR_FILENO);
    hw_bench_options o = {
        .output = c->output_path,
        .resume = hw_cli_has(c, "resume"),
        .drop_broken = hw_cli_has(c, "drop-broken"),
        .overwrite = hw_cli_has(c, "overwrite"),
        .choice = *choice,
        .warn = warn,
        .warn_context = &p,
        .jobs = c->jobs,
        .stop = c->stop,
        .progress = terminal ? show : NULL,
        .progress_context = &p,
    };
    if (o.resume && o.overwrite)
        return hw_fail(err, HW_USAGE, "--resume and --overwrite exclude each other");
    if (o.drop_broken && !o.resume)
        return hw_fail(err, HW_USAGE, "--drop-broken mends a file that goes on: give --resume too");
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
    hw_plan_choice choice;
    bool dry = hw_cli_has(c, "dry-run") || hw_cli_has(c, "plan");
    if (!dry && (hw_cli_has(c, "try-for") || hw_cli_has(c, "times")))
        return hw_fail(err, HW_USAGE, "--try-for and --times estimate a sweep: give --dry-run too");
    hw_code code = read_choice(c, &choice, err);
    if (code == HW_OK)
        code = hw_suite_load(c->args[0], &suite, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "seed"))
        suite->seed = c->seed;
    for (size_t i = 0; i < suite->n_notes; i++)
        hw_cli_note(c, "%s", suite->notes[i]);
    char chosen[96];
    put_choice(&choice, chosen, sizeof chosen);
    hw_cli_note(c, "%s: seed %" PRIu64 ", %zu units, %" PRIu64 " runs%s", suite->name, suite->seed,
                suite->n_units, suite->n_runs, chosen);
    code = dry ? hw_bench_dry_run(c, suite, &choice, err) : run_suite(c, suite, &choice, err);
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
        "highwater-results(5). Instances and their solvers are run in an order drawn by the seed, "
        "so that a machine that slows down favours none; lines come in that order of "
        "instances, and a complete FILE is put into that of the suite. It is the same for any -j, "
        "but for times and memory.\n\n"
        "A run whose process dies, is killed after its time, or gets no memory is recorded as what "
        "it is, and the sweep goes on. Short calls are repeated until they can be timed. The exit "
        "status is 1 when two proofs disagree, an order beats a proven optimum, or an instance "
        "cannot be made.\n\n"
        "SIGINT, SIGTERM and SIGHUP stop the sweep; FILE grows by the lines of whole units, and "
        "those "
        "stay. Whatever ended a sweep, --resume runs what is missing, and the lines are those of a "
        "sweep that nothing has disturbed.",
    .common = HW_CLI_SEED | HW_CLI_JOBS | HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
