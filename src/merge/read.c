/* Reading the parts: where the line of each run stands.  See merge.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/fits.h"
#include "bench/results.h"
#include "core/memory.h"
#include "merge/foreign.h"
#include "merge/merge_internal.h"
#include "merge/strip.h"

/* ---- Contradictions. ---- */

void hw_slot_place(const hw_merge *m, const hw_slot *slot, char *text, size_t size)
{
    (void)snprintf(text, size, "%s:%" PRIu64, m->part[slot->part - 1].path, slot->line);
}

void hw_merge_contradict(hw_merge *m, const char *format, ...)
{
    hw_error text = {.code = HW_OK};
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text.message, sizeof text.message, format, args);
    va_end(args);
    m->n_contradictions++;
    if (m->options.contradiction)
        m->options.contradiction(m->options.contradiction_context, text.message);
}

hw_code hw_merge_end(const hw_merge *m, hw_error *err)
{
    if (m->n_contradictions == 0)
        return HW_OK;
    return hw_fail(err, HW_CHECK_FAILED,
                   "%" PRIu64 " contradiction%s between lines: run again what they name, by one "
                   "build, and delete the lines that it does not confirm",
                   m->n_contradictions, m->n_contradictions == 1 ? "" : "s");
}

hw_code hw_slot_record(const hw_merge *m, const hw_slot *slot, char **text, hw_record *r,
                       hw_error *err)
{
    const hw_part *part = &m->part[slot->part - 1];
    *text = HW_NEW(char, slot->length + (size_t)1);
    if (!*text)
        return hw_fail_memory(err, "a line of results");
    hw_code code = hw_part_again(part, slot->offset, slot->length, *text, err);
    if (code == HW_OK && hw_hash_bytes(HW_HASH_START, *text, slot->length) != slot->text)
        code = hw_fail(err, HW_IO, "%s: changed while it was read", part->path);
    if (code == HW_OK)
        code = hw_record_parse(*text, slot->length, r, err);
    if (code != HW_OK) {
        free(*text);
        *text = NULL;
    }
    return code;
}

/* ---- Lines that are left out, or end the merge. ---- */

static hw_code broken_line(hw_merge *m, const hw_part *part, const hw_part_line *line,
                           const hw_error *why, hw_error *err)
{
    hw_error message = {.code = HW_OK};
    (void)hw_fail(&message, HW_BAD_INPUT, "%s:%" PRIu64 ": no line of results: %s: %s", part->path,
                  part->line, why->message,
                  hw_results_cure(line->text, line->length, part->line, line->torn));
    if (m->counts.broken++ == 0)
        m->counts.broken_first = message;
    if (m->options.skip_broken)
        return HW_OK;
    *err = message;
    return HW_BAD_INPUT;
}

static hw_code foreign_line(hw_merge *m, const hw_part *part, const hw_record *r, hw_error *err)
{
    if (m->counts.foreign++ > 0 && m->options.only_plan)
        return HW_OK;
    char why[400];
    hw_foreign_reason(m->suite, r, why, sizeof why);
    hw_error message = {.code = HW_OK};
    (void)hw_fail(&message, HW_BAD_INPUT,
                  "%s:%" PRIu64 ": not in the suite: %s: name the suite and the seed that it was "
                  "run with, or leave such lines out (--only-plan)",
                  part->path, part->line, why);
    m->counts.foreign_first = message;
    if (m->options.only_plan)
        return HW_OK;
    *err = message;
    return HW_BAD_INPUT;
}

static hw_code check_version(hw_merge *m, const hw_part *part, const hw_record *r, hw_error *err)
{
    if (!m->version) {
        size_t size = strlen(r->version) + 1;
        m->version = hw_copy(r->version, size, 1);
        m->version_path = part->path;
        m->version_line = part->line;
        return m->version ? HW_OK : hw_fail_memory(err, "results");
    }
    if (m->options.any_version || strcmp(r->version, m->version) == 0)
        return HW_OK;
    return hw_fail(err, HW_BAD_INPUT,
                   "%s:%" PRIu64 ": of highwater %.40s, but %s:%" PRIu64 " is of %.40s: run one of "
                   "them again, or take both (--any-version)",
                   part->path, part->line, r->version, m->version_path, m->version_line,
                   m->version);
}

/* ---- Lines that stay. ---- */

/* A second line of a run. */
static hw_code settle_twice(hw_merge *m, hw_slot *slot, const hw_slot *again, const hw_record *r,
                            size_t unit, size_t solver, hw_error *err)
{
    m->counts.duplicates++;
    char *text;
    hw_record before;
    hw_code code = hw_slot_record(m, slot, &text, &before, err);
    if (code != HW_OK)
        return code;
    bool first = slot->text <= again->text; /* of two that say the same, one for good */
    char why[300] = "", here[300], there[300], name[300];
    bool agree = true;
    if (before.graph && r->graph && strcmp(before.graph, r->graph) != 0) {
        agree = false;
        (void)snprintf(why, sizeof why, "the graph is %.12s... here, %.12s... there", before.graph,
                       r->graph);
    } else if (slot->answer != again->answer) {
        agree = hw_answers_agree(&before, r, &first, why, sizeof why);
        m->counts.cut_short += agree;
    }
    if (!agree) {
        hw_slot_place(m, slot, here, sizeof here);
        hw_slot_place(m, again, there, sizeof there);
        hw_run_name(m->suite, unit, solver, name, sizeof name);
        hw_merge_contradict(m, "%s and %s: %s: %s", here, there, name, why);
    }
    free(text);
    if (!first)
        *slot = *again;
    return HW_OK;
}

static hw_code take_line(hw_merge *m, uint32_t part_number, const hw_part_line *line, hw_error *err)
{
    const hw_part *part = &m->part[part_number - 1];
    hw_slot slot = {.offset = line->offset,
                    .line = part->line,
                    .text = hw_hash_bytes(HW_HASH_START, line->text, line->length),
                    .length = (uint32_t)line->length,
                    .part = part_number};
    hw_record r;
    hw_error why = {.code = HW_OK};
    m->counts.lines++;
    if (hw_record_parse(line->text, line->length, &r, &why) != HW_OK)
        return broken_line(m, part, line, &why, err);
    size_t unit, solver;
    if (!hw_plan_find(m->plan, &r, &unit, &solver))
        return foreign_line(m, part, &r, err);
    hw_code code = check_version(m, part, &r, err);
    if (code != HW_OK)
        return code;
    char key[HW_KEY_TEXT], unfit[200];
    if (!hw_line_fits(m->suite, unit, solver, &r, key, unfit, sizeof unfit))
        hw_merge_contradict(m, "%s:%" PRIu64 ": %s", part->path, part->line, unfit);
    slot.key = strtoull(key, NULL, 16);
    slot.answer = hw_answer_hash(&r);
    slot.cut_short = hw_record_cut_short(&r);
    if (r.graph && r.n_nodes <= UINT32_MAX)
        m->n_nodes[unit] = (uint32_t)r.n_nodes;
    hw_slot *known = &m->slot[hw_plan_position(m->plan, unit, solver)];
    if (known->part)
        return settle_twice(m, known, &slot, &r, unit, solver, err);
    *known = slot;
    m->counts.runs++;
    return HW_OK;
}

/* ---- Files. ---- */

static hw_code read_part(hw_merge *m, uint32_t number, hw_error *err)
{
    enum { LINES_BETWEEN_LOOKS = 1024 };
    hw_part *part = &m->part[number - 1];
    for (;;) {
        hw_part_line line;
        hw_code code = hw_part_next(part, &line, err);
        if (code != HW_OK || !line.text)
            return code;
        code = take_line(m, number, &line, err);
        if (code != HW_OK)
            return code;
        m->bytes_read += line.length + 1;
        if (part->line % LINES_BETWEEN_LOOKS != 0)
            continue;
        if (m->options.stop && *m->options.stop)
            return hw_fail(err, HW_STOPPED, "stopped by a signal");
        if (m->options.progress)
            m->options.progress(m->options.progress_context, m->bytes_read, m->bytes);
    }
}

static hw_code open_parts(hw_merge *m, const char *const *paths, size_t n, hw_error *err)
{
    m->part = HW_NEW(hw_part, n);
    if (!m->part)
        return hw_fail_memory(err, "the files of a sweep");
    for (size_t i = 0; i < n; i++) {
        hw_code code = hw_part_open(paths[i], &m->part[i], err);
        if (code != HW_OK)
            return code;
        m->n_parts++;
        struct stat status;
        if (fstat(m->part[i].fd, &status) == 0)
            m->bytes += (uint64_t)status.st_size;
    }
    return HW_OK;
}

static hw_code read_all(hw_merge *m, const char *const *paths, size_t n_paths, hw_error *err)
{
    const hw_suite *suite = m->suite;
    hw_code code = hw_plan_new(suite, &m->plan, err);
    if (code != HW_OK)
        return code;
    m->counts.runs_total = suite->n_runs;
    m->slot = HW_NEW0(hw_slot, suite->n_runs);
    m->n_nodes = HW_NEW0(uint32_t, suite->n_units);
    if (!m->slot || !m->n_nodes)
        return hw_fail_memory(err, "the plan of a sweep");
    code = open_parts(m, paths, n_paths, err);
    for (size_t i = 0; code == HW_OK && i < n_paths; i++)
        code = read_part(m, (uint32_t)i + 1, err);
    if (code == HW_OK)
        code = hw_merge_cross(m, err);
    return code == HW_OK ? hw_merge_end(m, err) : code;
}

hw_code hw_merge_open(const hw_suite *suite, const char *const *paths, size_t n_paths,
                      const hw_merge_options *options, hw_merge **out, hw_error *err)
{
    *out = NULL;
    hw_merge *m = HW_NEW0(hw_merge, 1);
    if (!m)
        return hw_fail_memory(err, "a merge");
    m->suite = suite;
    m->options = *options;
    hw_code code = read_all(m, paths, n_paths, err);
    if (code != HW_OK) {
        hw_merge_close(m);
        return code;
    }
    *out = m;
    return HW_OK;
}

void hw_merge_close(hw_merge *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n_parts; i++)
        hw_part_close(&m->part[i]);
    free(m->part);
    hw_plan_free(m->plan);
    free(m->slot);
    free(m->n_nodes);
    free(m->version);
    free(m->run);
    free(m->lines);
    free(m->scratch);
    free(m);
}

const hw_merge_counts *hw_merge_count(const hw_merge *m)
{
    return &m->counts;
}

const char *hw_merge_version(const hw_merge *m)
{
    return m->version;
}
