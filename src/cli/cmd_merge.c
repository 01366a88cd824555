/* highwater merge: the parts of a sweep joined, checked, summed up. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench/unit.h"
#include "cli/merge_report.h"
#include "cli/shared.h"
#include "core/control.h"
#include "core/memory.h"
#include "merge/digest.h"
#include "merge/index.h"
#include "merge/merge.h"
#include "merge/strip.h"

static const hw_option options[] = {
    {"parts", "M", NULL, "The sweep was cut into M parts (bench --part I/M): say what each lacks."},
    {"list-missing", NULL, NULL,
     "With --parts: only the numbers of the parts that lack runs, one a line."},
    {"partial", NULL, NULL, "Runs may be missing."},
    {"strip", NULL, NULL,
     "Write the columns alone that the same program finds again on every machine: no times, no "
     "memory, no version."},
    {"digest", "FILE", NULL, "Write the digests of all units there, to be kept."},
    {"verify", "FILE", NULL,
     "Compare with the digests of FILE, and name the units that differ. Runs may be missing: a "
     "sample (bench --sample K) is enough."},
    {"sqlite", "FILE", NULL, "Write an SQLite file there, for queries."},
    {"skip-broken", NULL, NULL, "Leave out lines that are no results, and say how many."},
    {"only-plan", NULL, NULL, "Leave out runs that are not in the suite, and say how many."},
    {"any-version", NULL, NULL, "Lines may be of several versions of highwater."},
};

static const char *const examples[] = {
    "highwater bench smoke.suite --part 1/2 -o half-1.jsonl",
    "highwater bench smoke.suite --part 2/2 -o half-2.jsonl",
    "highwater merge smoke.suite half-*.jsonl --parts 2 -o results.jsonl",
    "highwater merge smoke.suite results.jsonl --digest digests.jsonl --sqlite results.db",
    "highwater merge smoke.suite results.jsonl --verify digests.jsonl",
    "highwater merge smoke.suite results.jsonl --strip -o results.txt",
};

enum { CONTRADICTIONS_SHOWN = 20 };

typedef struct merge_command {
    hw_cli *c;
    hw_suite *suite;
    hw_merge *merge;
    hw_missing missing;
    hw_output lines, digest_file, index_file;
    hw_digest_writer *digests;
    hw_index *index;
    hw_digests *known;
    uint64_t likeness[HW_N_LIKENESSES], runs_compared;
    uint64_t n_contradictions;
    bool shown; /* a progress line stands on the terminal */
} merge_command;

static void show(void *context, uint64_t done, uint64_t total)
{
    merge_command *m = context;
    char name[HW_SHOWN_TEXT];
    m->shown = true;
    (void)fprintf(stderr, "\r\033[K%s: %" PRIu64 " of %" PRIu64 " MB read",
                  hw_cli_shown(m->suite->name, name), done / 1000000, total / 1000000);
    (void)fflush(stderr);
}

static void end_progress(merge_command *m)
{
    if (m->shown)
        (void)fputs("\r\033[K", stderr);
    m->shown = false;
}

static void tell_contradiction(void *context, const char *text)
{
    merge_command *m = context;
    end_progress(m);
    hw_error err = {.code = HW_CHECK_FAILED};
    if (m->n_contradictions++ >= CONTRADICTIONS_SHOWN)
        return;
    (void)snprintf(err.message, sizeof err.message, "%.1000s", text);
    hw_cli_complain(&err);
}

/* ---- Outputs. ---- */

static bool makes_lines(const hw_cli *c)
{
    return c->output_path || hw_cli_has(c, "strip");
}

static hw_code check_names(const hw_cli *c, hw_error *err)
{
    const char *name[] = {"-o", "--digest", "--sqlite"};
    const char *path[] = {c->output_path, hw_cli_value(c, "digest"), hw_cli_value(c, "sqlite")};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < 3; i++) {
        code = hw_cli_check_output(c, name[i], path[i], err);
        for (size_t k = 0; code == HW_OK && k < i; k++)
            code = hw_cli_two_files(name[k], path[k], name[i], path[i], err);
    }
    if (code == HW_OK && hw_cli_has(c, "list-missing") && !hw_cli_has(c, "parts"))
        code = hw_fail(err, HW_USAGE, "--list-missing names parts: say of how many (--parts M)");
    if (code == HW_OK && path[2] && strcmp(path[2], "-") == 0)
        code = hw_fail(err, HW_USAGE, "--sqlite needs a file: SQLite cannot write a stream");
    return code;
}

static hw_code open_outputs(merge_command *m, hw_error *err)
{
    const hw_cli *c = m->c;
    const char *digest = hw_cli_value(c, "digest"), *index = hw_cli_value(c, "sqlite");
    hw_code code = HW_OK;
    if (makes_lines(c))
        code = hw_cli_open(c->output_path ? c->output_path : "-", &m->lines, err);
    if (code == HW_OK && digest)
        code = hw_cli_open(digest, &m->digest_file, err);
    if (code == HW_OK && digest)
        code = hw_digest_begin(m->suite, m->merge, m->digest_file.stream, &m->digests, err);
    if (code == HW_OK && index)
        code = hw_cli_open(index, &m->index_file, err);
    if (code == HW_OK && index)
        code = hw_index_open(m->index_file.temporary, index, m->suite, &m->index, err);
    return code;
}

static void close_outputs(merge_command *m)
{
    hw_digest_end(m->digests);
    hw_index_close(m->index);
    hw_output *output[] = {&m->lines, &m->digest_file, &m->index_file};
    for (size_t i = 0; i < 3; i++)
        if (output[i]->stream)
            hw_cli_abandon(output[i]);
}

static hw_code commit(hw_output *output, hw_code code, hw_error *err)
{
    if (code != HW_OK || !output->stream)
        return code;
    code = hw_cli_commit(output, err);
    output->stream = NULL;
    return code;
}

static hw_code commit_outputs(merge_command *m, hw_error *err)
{
    hw_code code = HW_OK;
    if (m->index) {
        code = hw_index_finish(m->index, m->merge, err);
        if (code == HW_OK && hw_index_large(m->index))
            hw_cli_note(m->c,
                        "%" PRIu64 " numbers pass 2^63 - 1, the most that SQLite can hold: they "
                        "stand as text of 20 digits",
                        hw_index_large(m->index));
        hw_index_close(m->index);
        m->index = NULL;
    }
    hw_digest_end(m->digests);
    m->digests = NULL;
    code = commit(&m->lines, code, err);
    code = commit(&m->digest_file, code, err);
    return commit(&m->index_file, code, err);
}

/* ---- A unit. ---- */

static hw_code write_lines(merge_command *m, const hw_merged_unit *unit, hw_error *err)
{
    bool strip = hw_cli_has(m->c, "strip");
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < unit->n; i++) {
        const hw_merged_run *run = &unit->run[i];
        if (!strip) {
            (void)fwrite(run->text, 1, run->length, m->lines.stream);
            continue;
        }
        char *line = hw_copy(run->text, run->length, 1);
        code = line ? hw_strip_line(line, run->length - 1, HW_STRIP_MACHINE, m->lines.stream, err)
                    : hw_fail_memory(err, "a line of results");
        free(line);
    }
    if (code == HW_OK && ferror(m->lines.stream))
        code = hw_cli_commit(&m->lines, err); /* fails, and says why */
    return code;
}

static hw_code compare_unit(merge_command *m, const hw_merged_unit *unit, hw_error *err)
{
    hw_likeness likeness;
    size_t runs;
    if (unit->n == 0)
        return HW_OK;
    hw_code code = hw_digests_compare(m->known, unit, &likeness, &runs, err);
    if (code != HW_OK)
        return code;
    m->likeness[likeness]++;
    m->runs_compared += likeness == HW_ALIKE || likeness == HW_UNLIKE ? runs : 0;
    if (likeness != HW_UNLIKE)
        return HW_OK;
    char name[200];
    const hw_suite_unit *u = &m->suite->units[unit->unit];
    hw_unit_name(m->suite, u, name, sizeof name);
    (void)fputc('[', m->c->out);
    hw_control_put(m->c->out, m->suite->sections[m->suite->sources[u->source].section].name);
    (void)fputs("] ", m->c->out);
    hw_control_put(m->c->out, name);
    (void)fputs(" differs\n", m->c->out);
    return HW_OK;
}

static hw_code each_unit(merge_command *m, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t u = 0; code == HW_OK && u < m->suite->n_units; u++) {
        hw_merged_unit unit;
        if (*m->c->stop)
            return hw_fail(err, HW_STOPPED, "stopped by a signal");
        code = hw_merge_unit(m->merge, u, &unit, err);
        if (code == HW_OK && m->lines.stream)
            code = write_lines(m, &unit, err);
        if (code == HW_OK && m->digests)
            code = hw_digest_unit(m->digests, &unit, err);
        if (code == HW_OK && m->index)
            code = hw_index_unit(m->index, &unit, err);
        if (code == HW_OK && m->known)
            code = compare_unit(m, &unit, err);
    }
    return code == HW_OK ? hw_merge_end(m->merge, err) : code;
}

/* ---- Words. ---- */

static void note_counts(const merge_command *m)
{
    const hw_merge_counts *n = hw_merge_count(m->merge);
    hw_cli_note(m->c, "%s: %" PRIu64 " lines of %zu file%s: %" PRIu64 " of %" PRIu64 " runs",
                m->suite->name, n->lines, m->c->n_args - 1, m->c->n_args == 2 ? "" : "s", n->runs,
                n->runs_total);
    if (n->broken)
        hw_cli_note(m->c, "%" PRIu64 " lines left out; the first: %s", n->broken,
                    n->broken_first.message);
    if (n->foreign)
        hw_cli_note(m->c, "%" PRIu64 " lines left out; the first: %s", n->foreign,
                    n->foreign_first.message);
    if (n->duplicates)
        hw_cli_note(m->c,
                    "%" PRIu64 " lines of runs that others have as well; %" PRIu64
                    " of them with another answer, as a clock, memory or a signal ended one: the "
                    "better one is kept",
                    n->duplicates, n->cut_short);
}

static hw_code conclude_verify(merge_command *m, hw_error *err)
{
    const uint64_t *n = m->likeness;
    const char *path = hw_cli_value(m->c, "verify");
    uint64_t compared = n[HW_ALIKE] + n[HW_UNLIKE];
    (void)fprintf(
        m->c->out,
        "%" PRIu64 " units (%" PRIu64 " runs) compared with those of highwater %s: %" PRIu64
        " alike, %" PRIu64 " differ\n",
        compared, m->runs_compared, hw_digests_version(m->known), n[HW_ALIKE], n[HW_UNLIKE]);
    if (n[HW_NOT_SETTLED])
        (void)fprintf(m->c->out,
                      "%" PRIu64
                      " units not compared: a clock, memory or a signal ended a run here "
                      "and not then\n",
                      n[HW_NOT_SETTLED]);
    if (n[HW_NO_DIGEST])
        (void)fprintf(m->c->out, "%" PRIu64 " units not compared: they have no digest\n",
                      n[HW_NO_DIGEST]);
    if (n[HW_INCOMPLETE])
        (void)fprintf(m->c->out, "%" PRIu64 " units not compared: they lack runs\n",
                      n[HW_INCOMPLETE]);
    if (n[HW_UNLIKE])
        return hw_fail(err, HW_CHECK_FAILED,
                       "%s: %" PRIu64
                       " units differ: `merge --strip` of both results shows in what",
                       path, n[HW_UNLIKE]);
    if (compared == 0)
        return hw_fail(err, HW_CHECK_FAILED, "%s: no unit could be compared", path);
    return HW_OK;
}

static hw_code conclude(merge_command *m, hw_error *err)
{
    const hw_merge_counts *n = hw_merge_count(m->merge);
    if (n->rejudged)
        hw_cli_note(m->c,
                    "%" PRIu64
                    " lines with a new verdict: other runs of their units come from other "
                    "files, are missing, or were changed",
                    n->rejudged);
    hw_code code = m->known ? conclude_verify(m, err) : HW_OK;
    if (n->conflicts && code == HW_OK)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "%" PRIu64 " of the instances show a bug in a solver; the first: %s",
                       n->conflicts, n->conflict_first.message);
    return code;
}

/* ---- The command. ---- */

/* All parts are open at once, and may be more than a process is granted at first. */
static void allow_files(size_t n)
{
    const rlim_t others = 64;
    struct rlimit limit;
    rlim_t wanted = (rlim_t)n + others;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static hw_code open_merge(merge_command *m, hw_error *err)
{
    const hw_cli *c = m->c;
    hw_merge_options o = {
        .skip_broken = hw_cli_has(c, "skip-broken"),
        .only_plan = hw_cli_has(c, "only-plan"),
        .any_version = hw_cli_has(c, "any-version"),
        .stop = c->stop,
        .contradiction = tell_contradiction,
        .contradiction_context = m,
        .progress = !c->quiet && isatty(STDERR_FILENO) ? show : NULL,
        .progress_context = m,
    };
    allow_files(c->n_args - 1);
    hw_code code = hw_merge_open(m->suite, &c->args[1], c->n_args - 1, &o, &m->merge, err);
    end_progress(m);
    return code;
}

static hw_code merge_all(merge_command *m, hw_error *err)
{
    hw_cli *c = m->c;
    uint64_t parts = 0;
    hw_code code = check_names(c, err);
    if (code == HW_OK)
        code = hw_cli_u64(c, "parts", 1, 1000000, &parts, err);
    if (code == HW_OK && hw_cli_has(c, "verify"))
        code = hw_digests_load(hw_cli_value(c, "verify"), m->suite, &m->known, err);
    if (code == HW_OK)
        code = open_merge(m, err);
    if (code == HW_OK)
        code = hw_merge_missing(m->merge, parts, &m->missing, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "list-missing")) {
        hw_merge_list_missing(c->out, &m->missing);
        return m->missing.runs
                   ? hw_fail(err, HW_CHECK_FAILED, "%" PRIu64 " runs are missing", m->missing.runs)
                   : HW_OK;
    }
    note_counts(m);
    if (m->missing.runs && !m->known)
        hw_merge_note_missing(c, m->suite, &m->missing);
    if (m->missing.runs && !m->known && !hw_cli_has(c, "partial"))
        return hw_merge_fail_missing(c, m->suite, &m->missing, err);
    code = open_outputs(m, err);
    if (code == HW_OK)
        code = each_unit(m, err);
    if (code == HW_OK)
        code = commit_outputs(m, err);
    return code == HW_OK ? conclude(m, err) : code;
}

static hw_code run(hw_cli *c, hw_error *err)
{
    merge_command m = {.c = c};
    hw_code code = hw_suite_load(c->args[0], &m.suite, err);
    if (code != HW_OK)
        return code;
    if (hw_cli_has(c, "seed"))
        m.suite->seed = c->seed;
    for (size_t i = 0; i < m.suite->n_notes; i++)
        hw_cli_note(c, "%s", m.suite->notes[i]);
    code = merge_all(&m, err);
    close_outputs(&m);
    hw_missing_clear(&m.missing);
    hw_digests_free(m.known);
    hw_merge_close(m.merge);
    hw_suite_free(m.suite);
    return code;
}

const hw_command hw_command_merge = {
    .name = "merge",
    .arguments = "SUITE RESULTS...",
    .least_args = 2,
    .most_args = 1000000,
    .help = "Join the parts of a sweep, check that nothing is missing, twice, or contradicts.",
    .details =
        "RESULTS are files of `highwater bench SUITE`, of its parts (--part I/M) or of all. With "
        "-o their lines are written in the order of the suite, whatever the number of files and "
        "their order; without, they are only checked. Of a run that stands there twice one line "
        "is kept. Where runs of one unit come from several files, its optimum and bound are "
        "judged anew.\n\n"
        "The exit status is 1, and nothing is written, when runs are missing (unless --partial), "
        "and when lines contradict each other: the same run, or the same solver with the same "
        "limits on the same graph, with two answers. It is 1 also, and the files are written, "
        "when an instance shows a bug in a solver, as in bench. It is 3 for lines that are "
        "broken, or not of this suite.\n\n"
        "Digests are a few bytes a unit. A run that a clock, memory or a signal ended is no part "
        "of them, nor is a unit compared in which such a thing happens now.",
    .common = HW_CLI_SEED | HW_CLI_OWN_FILE,
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .examples = examples,
    .n_examples = sizeof examples / sizeof examples[0],
    .run = run,
};
