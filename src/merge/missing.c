/* What a merge lacks.  See merge.h. */
#include <stdlib.h>

#include "core/memory.h"
#include "merge/merge_internal.h"

void hw_missing_clear(hw_missing *missing)
{
    free(missing->by_section);
    free(missing->by_part);
    free((void *)missing->file_of_part);
    *missing = (hw_missing){.runs = 0};
}

/* The part of every unit, from 0; NULL: no memory. */
static uint64_t *parts_of_units(const hw_suite *suite, uint64_t parts, hw_error *err)
{
    size_t *order, n;
    if (hw_plan_choose(suite, NULL, &order, &n, err) != HW_OK)
        return NULL;
    uint64_t *part = HW_NEW(uint64_t, n);
    for (size_t i = 0; part && i < n; i++)
        part[order[i]] = i % parts;
    free(order);
    if (!part)
        hw_note_memory(err, "the parts of a sweep");
    return part;
}

/*
 * The file whose lines are all of one part, where that is so of one file only:
 * then that part may be resumed there.
 */
static hw_code name_files(const hw_merge *m, const uint64_t *part_of_unit, uint64_t parts,
                          hw_missing *out, hw_error *err)
{
    enum { NONE_YET = 0, SEVERAL = 1, FIRST = 2 }; /* FIRST + part */
    uint64_t *holds = HW_NEW0(uint64_t, m->n_parts);
    if (!holds)
        return hw_fail_memory(err, "the files of a sweep");
    for (size_t u = 0; u < m->suite->n_units; u++) {
        uint64_t first = hw_plan_position(m->plan, u, 0);
        for (size_t i = 0; i < hw_section_of_unit(m->suite, u)->n_solvers; i++) {
            uint32_t file = m->slot[first + i].part;
            if (!file)
                continue;
            uint64_t *held = &holds[file - 1], here = FIRST + part_of_unit[u];
            *held = *held == NONE_YET || *held == here ? here : SEVERAL;
        }
    }
    for (size_t f = m->n_parts; f > 0; f--)
        if (holds[f - 1] >= FIRST && holds[f - 1] - FIRST < parts)
            out->file_of_part[holds[f - 1] - FIRST] = m->part[f - 1].path;
    free(holds);
    return HW_OK;
}

static hw_code count_unit(hw_merge *m, size_t unit, const uint64_t *part_of_unit, hw_missing *out,
                          hw_error *err)
{
    uint64_t first = hw_plan_position(m->plan, unit, 0), lacking = 0;
    size_t n = hw_section_of_unit(m->suite, unit)->n_solvers;
    for (size_t i = 0; i < n; i++) {
        bool left_out = false;
        if (m->slot[first + i].part)
            continue;
        hw_code code = hw_run_is_left_out(m, unit, i, &left_out, err);
        if (code != HW_OK)
            return code;
        if (!left_out && out->runs == 0 && lacking == 0) {
            out->first_unit = unit;
            out->first_solver = i;
        }
        lacking += !left_out;
    }
    out->runs += lacking;
    out->units += lacking > 0;
    out->by_section[m->suite->sources[m->suite->units[unit].source].section] += lacking;
    if (part_of_unit)
        out->by_part[part_of_unit[unit]] += lacking;
    return HW_OK;
}

hw_code hw_merge_missing(hw_merge *m, uint64_t parts, hw_missing *out, hw_error *err)
{
    *out = (hw_missing){.parts = parts};
    uint64_t *part_of_unit = NULL;
    hw_code code = HW_OK;
    out->by_section = HW_NEW0(uint64_t, m->suite->n_sections);
    out->by_part = HW_NEW0(uint64_t, parts);
    out->file_of_part = HW_NEW0(const char *, parts);
    if (!out->by_section || !out->by_part || !out->file_of_part)
        code = hw_fail_memory(err, "the parts of a sweep");
    if (code == HW_OK && parts && !(part_of_unit = parts_of_units(m->suite, parts, err)))
        code = HW_NO_MEMORY;
    if (code == HW_OK && parts)
        code = name_files(m, part_of_unit, parts, out, err);
    for (size_t u = 0; code == HW_OK && u < m->suite->n_units; u++)
        code = count_unit(m, u, part_of_unit, out, err);
    free(part_of_unit);
    if (code != HW_OK)
        hw_missing_clear(out);
    return code;
}
