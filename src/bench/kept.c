/* Reading what is there, mending what is broken.  See kept.h. */
#include "bench/kept.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/fits.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/io.h"

/* ---- Broken lines, moved aside. ---- */

static bool is_whole(const char *line, size_t length)
{
    hw_record unused;
    char *copy = HW_NEW(char, length + 1);
    if (!copy)
        return true; /* told when it is read */
    memcpy(copy, line, length);
    bool whole = hw_record_parse(copy, length, &unused, NULL) == HW_OK;
    free(copy);
    return whole;
}

/* The whole lines of text to `good`, the others to `bad`; how many these are. */
static uint64_t split(const char *text, size_t size, FILE *good, FILE *bad)
{
    uint64_t n_bad = 0;
    for (const char *at = text, *end = text + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        bool whole = stop && is_whole(at, length);
        (void)fwrite(at, 1, length, whole ? good : bad);
        (void)fputc('\n', whole ? good : bad);
        n_bad += !whole;
        at += length + 1;
    }
    return n_bad;
}

static hw_code write_aside(const char *name, const char *text, size_t size, uint64_t *n_bad,
                           hw_error *err)
{
    char aside[4096];
    int n = snprintf(aside, sizeof aside, "%s.broken", name);
    if (n < 0 || (size_t)n >= sizeof aside)
        return hw_fail(err, HW_IO, "%s: the name is too long", name);
    int file;
    hw_code code = hw_folder_append(aside, &file, err);
    if (code != HW_OK)
        return code;
    FILE *bad = fdopen(file, "a");
    if (!bad) {
        (void)close(file);
        return hw_fail_memory(err, "results");
    }
    hw_output good;
    code = hw_output_open(name, &good, err);
    if (code != HW_OK) {
        (void)fclose(bad);
        return code;
    }
    *n_bad = split(text, size, good.stream, bad);
    bool failed = ferror(bad) != 0;
    if (fclose(bad) != 0 || failed) {
        code = hw_fail(err, HW_IO, "%s: cannot write: %s", aside, strerror(errno));
        hw_output_abandon(&good);
        return code;
    }
    return hw_output_commit(&good, err);
}

/* The new file takes the place of the old one, whose lock goes with it. */
static hw_code drop_broken_lines(hw_sink *sink, hw_kept *kept, hw_error *err)
{
    char *text;
    size_t size;
    hw_code code = hw_results_text(sink->name, &text, &size, err);
    if (code != HW_OK)
        return code;
    const char *name = sink->name;
    code = write_aside(name, text, size, &kept->n_dropped, err);
    free(text);
    if (code == HW_OK)
        code = hw_sink_close(sink, err);
    return code == HW_OK ? hw_sink_open(name, HW_SINK_APPEND, sink, err) : code;
}

/* ---- Reading. ---- */

static hw_code read_lines(hw_sink *sink, bool drop_broken, hw_kept *kept, hw_error *err)
{
    hw_code code = hw_results_load(sink->name, true, &kept->results, err);
    if (code != HW_OK)
        return code;
    hw_results *r = kept->results;
    bool only_torn = r->torn_broken && r->n_broken == 1 && !r->foreign;
    if (r->n_broken && !only_torn && drop_broken) {
        hw_results_free(r);
        kept->results = NULL;
        code = drop_broken_lines(sink, kept, err);
        return code == HW_OK ? read_lines(sink, false, kept, err) : code;
    }
    if (r->foreign) /* nothing of it is touched */
        return hw_fail(err, HW_BAD_INPUT, "%s", r->broken.message);
    if (r->n_broken && !only_torn)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": no line of results: %s (%" PRIu64
                       " such lines): mend it, or let --drop-broken move them to %s.broken and "
                       "run what they were about again",
                       sink->name, r->broken_line, r->broken_why.message, r->n_broken, sink->name);
    /* A last line may be whole but for its newline: it is written again. */
    if (r->torn_end && !r->n_broken)
        r->n_records--;
    if (r->torn_end && ftruncate(sink->file, (off_t)r->whole_bytes) != 0)
        return hw_sink_failed(sink, errno, err);
    return HW_OK;
}

static bool same_number(hw_maybe_u64 a, hw_maybe_u64 b)
{
    return a.known == b.known && (!a.known || a.value == b.value);
}

/* Ended by a clock or for want of memory, a run may well answer otherwise the next time. */
static bool same_answer(const hw_record *a, const hw_record *b)
{
    if (strcmp(a->status, b->status) != 0)
        return a->limit_reached || b->limit_reached || !a->checked_peak.known ||
               !b->checked_peak.known;
    return a->limit_reached || b->limit_reached ||
           (same_number(a->checked_peak, b->checked_peak) && same_number(a->optimum, b->optimum));
}

static hw_code keep(const hw_sink *sink, const hw_suite *suite, size_t unit, size_t solver,
                    const hw_record *r, const hw_record **place, hw_error *err)
{
    char key[HW_KEY_TEXT], why[200];
    if (strcmp(r->version, HW_VERSION) != 0)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64
                       ": written by version %s, and this is %s: go on with that one, "
                       "or begin anew in another file",
                       sink->name, r->line, r->version, HW_VERSION);
    if (r->command && !hw_same_program(suite, unit, solver, r))
        return hw_fail(
            err, HW_BAD_INPUT,
            "%s:%" PRIu64
            ": the program of solver %.40s has changed since (%.12s then): begin anew in "
            "another file (or --overwrite), or give it another name",
            sink->name, r->line, r->solver, r->command_digest ? r->command_digest : "no file");
    (void)snprintf(why, sizeof why, "gap_percent or gap_bound_percent is not that of checked_peak");
    if (!hw_line_fits(suite, unit, solver, r, key, why, sizeof why) || !hw_gaps_fit(r))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s:%" PRIu64 ": %s: the line was changed: delete it, and --resume runs it "
                       "again",
                       sink->name, r->line, why);
    if (*place && !same_answer(*place, r))
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: lines %" PRIu64 " and %" PRIu64
                       " give the same run (%s on %s:%s#%" PRIu64
                       " under %s) different answers: delete the one that is wrong",
                       sink->name, (*place)->line, r->line, r->solver, r->family, r->params,
                       r->index, r->accounting);
    if (!*place)
        *place = r;
    return HW_OK;
}

/* All runs of a unit are of one graph. */
static hw_code check_units(const hw_kept *kept, const hw_sink *sink, const hw_plan *plan,
                           const hw_suite *suite, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t u = 0; code == HW_OK && u < suite->n_units; u++) {
        const hw_suite_source *source = &suite->sources[suite->units[u].source];
        const hw_record *first = NULL;
        for (size_t i = 0; code == HW_OK && i < suite->sections[source->section].n_solvers; i++) {
            const hw_record *r = kept->run[hw_plan_position(plan, u, i)];
            const char *column = r && first ? hw_instance_difference(first, r) : NULL;
            if (r && first)
                code = hw_kept_check_graph(r, sink->name, first->graph, err);
            if (code == HW_OK && column)
                code = hw_fail(err, HW_BAD_INPUT,
                               "%s: lines %" PRIu64 " and %" PRIu64
                               " are of one graph, but %s differ: delete the one that was changed",
                               sink->name, first->line, r->line, column);
            else if (r)
                first = r;
        }
    }
    return code;
}

hw_code hw_kept_check_graph(const hw_record *r, const char *file, const char *graph, hw_error *err)
{
    if (graph ? r->graph && strcmp(r->graph, graph) == 0 : !r->graph)
        return HW_OK;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": is of the graph %.12s, but %s%s%s#%" PRIu64
                   " is %.12s now: it has changed since; give another file, or begin anew "
                   "(--overwrite)",
                   file, r->line, r->graph ? r->graph : "that could not be made", r->family,
                   *r->params ? ":" : "", r->params, r->index, graph ? graph : "not to be made");
}

hw_code hw_kept_load(hw_sink *sink, const hw_plan *plan, const hw_suite *suite, bool drop_broken,
                     hw_kept *kept, hw_error *err)
{
    *kept = (hw_kept){.results = NULL};
    hw_code code = read_lines(sink, drop_broken, kept, err);
    if (code != HW_OK)
        return code;
    kept->run = HW_NEW0(const hw_record *, suite->n_runs);
    if (!kept->run)
        return hw_fail_memory(err, "results");
    for (size_t i = 0; code == HW_OK && i < kept->results->n_records; i++) {
        const hw_record *r = &kept->results->records[i];
        size_t unit, solver;
        bool found = hw_plan_find(plan, r, &unit, &solver);
        kept->n_others += !found;
        if (found)
            code = keep(sink, suite, unit, solver, r,
                        &kept->run[hw_plan_position(plan, unit, solver)], err);
    }
    return code == HW_OK ? check_units(kept, sink, plan, suite, err) : code;
}

void hw_kept_free(hw_kept *kept)
{
    hw_results_free(kept->results);
    free((void *)kept->run);
    *kept = (hw_kept){.results = NULL};
}
