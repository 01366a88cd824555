/* The lines of one unit, judged together.  See merge.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/fits.h"
#include "bench/unit.h"
#include "core/memory.h"
#include "import/import.h"
#include "merge/merge_internal.h"

void hw_run_name(const hw_suite *suite, size_t unit, size_t solver, char *text, size_t size)
{
    char name[200];
    hw_unit_name(suite, &suite->units[unit], name, sizeof name);
    (void)snprintf(text, size, "%.80s on %s", hw_section_of_unit(suite, unit)->solvers[solver].spec,
                   name);
}

/* ---- Runs without a line. ---- */

/* Does any solver of the section run on graphs of every size? */
static bool runs_always(const hw_suite_section *section)
{
    for (size_t i = 0; i < section->n_solvers; i++)
        if (section->solvers[i].limits.most_nodes == 0)
            return true;
    return false;
}

/* Nodes of the instance of a unit that no line is of, by making it; 0: it cannot be made. */
static hw_code make_to_count(hw_merge *m, size_t unit, hw_error *err)
{
    const hw_suite_unit *u = &m->suite->units[unit];
    const hw_suite_source *source = &m->suite->sources[u->source];
    hw_graph *g = NULL;
    hw_error why = {.code = HW_OK};
    hw_code code = source->family ? hw_generate(source->family, source->values, m->suite->seed,
                                                u->index, &g, &why)
                                  : hw_import_load(source->path, NULL, NULL, &g, &why);
    if (code == HW_OK)
        m->n_nodes[unit] = g->n_nodes;
    hw_graph_free(g);
    if (code != HW_NO_MEMORY)
        return HW_OK; /* then its line would tell, and that is missing */
    *err = why;
    return code;
}

static bool same_instance(const hw_suite *suite, size_t a, size_t b)
{
    return suite->units[a].source == suite->units[b].source &&
           suite->units[a].index == suite->units[b].index;
}

/* The units of an instance follow each other: any line of them tells its size. */
static void ask_neighbours(hw_merge *m, size_t unit)
{
    const hw_suite *suite = m->suite;
    for (size_t u = unit; u > 0 && !m->n_nodes[unit] && same_instance(suite, u - 1, unit); u--)
        m->n_nodes[unit] = m->n_nodes[u - 1];
    for (size_t u = unit + 1;
         u < suite->n_units && !m->n_nodes[unit] && same_instance(suite, u, unit); u++)
        m->n_nodes[unit] = m->n_nodes[u];
}

hw_code hw_run_is_left_out(hw_merge *m, size_t unit, size_t solver, bool *left_out, hw_error *err)
{
    const hw_suite_section *section = hw_section_of_unit(m->suite, unit);
    uint64_t most = section->solvers[solver].limits.most_nodes;
    hw_code code = HW_OK;
    *left_out = false;
    if (most == 0)
        return HW_OK;
    if (!m->n_nodes[unit])
        ask_neighbours(m, unit);
    if (!m->n_nodes[unit] && !runs_always(section))
        code = make_to_count(m, unit, err);
    *left_out = m->n_nodes[unit] > most;
    return code;
}

/* ---- What the runs say together. ---- */

static hw_code judge(const hw_suite_section *section, const hw_merged_unit *unit,
                     hw_unit_verdict *verdict, hw_error *err)
{
    hw_run *run = HW_NEW0(hw_run, section->n_solvers);
    if (!run)
        return hw_fail_memory(err, "the runs of a unit");
    for (size_t i = 0; i < unit->n; i++)
        run[unit->run[i].solver] = hw_run_of_record(&unit->run[i].record);
    *verdict = hw_unit_judge(section, run);
    free(run);
    return HW_OK;
}

static bool is_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_number(hw_maybe_u64 a, hw_maybe_u64 b)
{
    return a.known == b.known && (!a.known || a.value == b.value);
}

/* The columns of the unit, into a record; false: it had them so. */
static bool set_verdict(const hw_suite_section *section, const hw_unit_verdict *v, hw_record *r)
{
    hw_record before = *r;
    r->optimum = v->optimum;
    r->optimum_by = v->optimum.known ? section->solvers[v->optimum_by].spec : NULL;
    r->best_bound = v->best_bound;
    r->conflict = v->conflict;
    if (hw_run_of_record(r).fate == HW_FATE_ANSWERED) /* others have a message of their own */
        r->message = v->conflict ? v->message : NULL;
    return !is_number(before.optimum, r->optimum) || !is_text(before.optimum_by, r->optimum_by) ||
           !is_number(before.best_bound, r->best_bound) || before.conflict != r->conflict ||
           !is_text(before.message, r->message) || !hw_gaps_fit(&before);
}

/* ---- Reading. ---- */

/* All lines of the unit, one behind the other; *n of them, *bytes in all. */
static hw_code read_lines(hw_merge *m, size_t unit, size_t n_solvers, size_t *n, size_t *bytes,
                          hw_error *err)
{
    uint64_t first = hw_plan_position(m->plan, unit, 0);
    *n = 0;
    *bytes = 0;
    if (!hw_grow((void **)&m->run, &m->run_capacity, n_solvers, sizeof *m->run))
        return hw_fail_memory(err, "the runs of a unit");
    for (size_t i = 0; i < n_solvers; i++) {
        const hw_slot *slot = &m->slot[first + i];
        if (!slot->part)
            continue;
        size_t end = *bytes + slot->length + 1;
        if (!hw_grow((void **)&m->lines, &m->lines_capacity, end, 1) ||
            !hw_grow((void **)&m->scratch, &m->scratch_capacity, end, 1))
            return hw_fail_memory(err, "the lines of a unit");
        const hw_part *part = &m->part[slot->part - 1];
        char *line = m->lines + *bytes;
        hw_code code = hw_part_again(part, slot->offset, slot->length, line, err);
        if (code != HW_OK)
            return code;
        if (hw_hash_bytes(HW_HASH_START, line, slot->length) != slot->text)
            return hw_fail(err, HW_IO, "%s: changed while it was read", part->path);
        line[slot->length] = '\n';
        m->run[(*n)++] = (hw_merged_run){
            .solver = i, .length = slot->length + (size_t)1, .cut_short = slot->cut_short};
        *bytes = end;
    }
    if (*bytes)
        memcpy(m->scratch, m->lines, *bytes);
    return HW_OK;
}

/* One instance is one graph, in every line of every unit of it. */
static void check_graph(hw_merge *m, size_t unit, const hw_merged_unit *u)
{
    uint64_t first = hw_plan_position(m->plan, unit, 0);
    const hw_merged_run *known = NULL;
    for (size_t i = 0; i < u->n; i++) {
        const hw_record *r = &u->run[i].record;
        if (!r->graph)
            continue;
        const char *column = known ? hw_instance_difference(&known->record, r) : NULL;
        if (column && strcmp(column, "graph") != 0) {
            char here[300], there[300], name[300];
            hw_slot_place(m, &m->slot[first + known->solver], here, sizeof here);
            hw_slot_place(m, &m->slot[first + u->run[i].solver], there, sizeof there);
            hw_unit_name(m->suite, &m->suite->units[unit], name, sizeof name);
            hw_merge_contradict(m, "%s and %s: %s: one graph, but %s differ", here, there, name,
                                column);
            return;
        }
        if (column) {
            char here[300], there[300], name[300];
            hw_slot_place(m, &m->slot[first + known->solver], here, sizeof here);
            hw_slot_place(m, &m->slot[first + u->run[i].solver], there, sizeof there);
            hw_unit_name(m->suite, &m->suite->units[unit], name, sizeof name);
            hw_merge_contradict(m, "%s and %s: %s: the graph is %.12s... here, %.12s... there",
                                here, there, name, known->record.graph, r->graph);
            return;
        }
        known = &u->run[i];
    }
    if (!known)
        return;
    /* The units of an instance come one after another. */
    if (m->graph_unit < unit && m->graph[0] && same_instance(m->suite, m->graph_unit, unit) &&
        strcmp(m->graph, known->record.graph) != 0) {
        char here[300], name[300];
        hw_slot_place(m, &m->slot[first + known->solver], here, sizeof here);
        hw_unit_name(m->suite, &m->suite->units[unit], name, sizeof name);
        hw_merge_contradict(m,
                            "%s: %s: the graph is %.12s... here, and %.12s... in the lines of the "
                            "other accounting or pinning",
                            here, name, known->record.graph, m->graph);
    }
    m->graph_unit = unit;
    (void)snprintf(m->graph, sizeof m->graph, "%s", known->record.graph);
}

/* Put lines with a verdict of their own in place of those that lack it. */
static hw_code renew_lines(hw_merge *m, const bool *changed, hw_merged_unit *u, size_t bytes,
                           hw_error *err)
{
    for (size_t i = 0; i < u->n; i++) {
        if (!changed[i])
            continue;
        char *line;
        size_t length;
        hw_code code = hw_record_format(&u->run[i].record, &line, &length, err);
        if (code != HW_OK)
            return code;
        bool room = hw_grow((void **)&m->lines, &m->lines_capacity, bytes + length, 1);
        if (room)
            memcpy(m->lines + bytes, line, length);
        free(line);
        if (!room)
            return hw_fail_memory(err, "the lines of a unit");
        u->run[i].text = NULL; /* at the end of m->lines, which may move once more */
        u->run[i].length = length;
        bytes += length;
        m->counts.rejudged++;
    }
    return HW_OK;
}

/* Where each line stands: those that are as they were, then the new ones. */
static void place_lines(hw_merge *m, uint64_t first, const bool *changed, hw_merged_unit *u,
                        size_t bytes)
{
    size_t old = 0, renewed = bytes;
    for (size_t i = 0; i < u->n; i++) {
        hw_merged_run *run = &u->run[i];
        run->text = m->lines + (changed[i] ? renewed : old);
        old += m->slot[first + run->solver].length + (size_t)1;
        renewed += changed[i] ? run->length : 0;
    }
}

static hw_code is_complete(hw_merge *m, size_t unit, size_t n_solvers, hw_merged_unit *u,
                           hw_error *err)
{
    uint64_t first = hw_plan_position(m->plan, unit, 0);
    hw_code code = HW_OK;
    u->complete = true;
    for (size_t i = 0; code == HW_OK && u->complete && i < n_solvers; i++)
        if (!m->slot[first + i].part)
            code = hw_run_is_left_out(m, unit, i, &u->complete, err);
    return code;
}

static hw_code judge_unit(hw_merge *m, size_t unit, hw_merged_unit *u, size_t bytes, bool *changed,
                          hw_error *err)
{
    const hw_suite_section *section = hw_section_of_unit(m->suite, unit);
    hw_code code = judge(section, u, &m->verdict, err);
    if (code != HW_OK)
        return code;
    for (size_t i = 0; i < u->n; i++)
        changed[i] = set_verdict(section, &m->verdict, &u->run[i].record);
    if (m->verdict.conflict && m->counts.conflicts++ == 0) {
        char name[200];
        hw_unit_name(m->suite, &m->suite->units[unit], name, sizeof name);
        (void)hw_fail(&m->counts.conflict_first, HW_CHECK_FAILED, "%s: %s", name,
                      m->verdict.message);
    }
    code = renew_lines(m, changed, u, bytes, err);
    place_lines(m, hw_plan_position(m->plan, unit, 0), changed, u, bytes);
    return code;
}

hw_code hw_merge_unit(hw_merge *m, size_t unit, hw_merged_unit *out, hw_error *err)
{
    const hw_suite_section *section = hw_section_of_unit(m->suite, unit);
    size_t bytes;
    *out = (hw_merged_unit){.unit = unit};
    hw_code code = read_lines(m, unit, section->n_solvers, &out->n, &bytes, err);
    out->run = m->run;
    size_t at = 0;
    for (size_t i = 0; code == HW_OK && i < out->n; at += out->run[i++].length)
        code = hw_record_parse(m->scratch + at, out->run[i].length - 1, &out->run[i].record, err);
    bool *changed = HW_NEW0(bool, section->n_solvers);
    if (code == HW_OK && !changed)
        code = hw_fail_memory(err, "the runs of a unit");
    if (code == HW_OK) {
        check_graph(m, unit, out);
        code = is_complete(m, unit, section->n_solvers, out, err);
    }
    if (code == HW_OK && out->n > 0)
        code = judge_unit(m, unit, out, bytes, changed, err);
    free(changed);
    return code;
}
