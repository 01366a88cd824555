/*
 * Runs of one content key have one answer, wherever they stand in the plan.
 *
 * An open-addressing table from keys to slots, at most half full: expected
 * O(runs).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "merge/merge_internal.h"

/* Name the unit and solver of a position of the plan; for messages, O(units). */
static void name_position(const hw_merge *m, uint64_t position, char *text, size_t size)
{
    for (size_t u = 0; u < m->suite->n_units; u++) {
        uint64_t n = hw_section_of_unit(m->suite, u)->n_solvers;
        if (position < n) {
            hw_run_name(m->suite, u, (size_t)position, text, size);
            return;
        }
        position -= n;
    }
}

static hw_code hold_against(hw_merge *m, uint64_t x, uint64_t y, hw_error *err)
{
    const hw_slot *a = &m->slot[x], *b = &m->slot[y];
    char *text[2] = {NULL, NULL};
    hw_record r, other;
    hw_code code = hw_slot_record(m, a, &text[0], &r, err);
    if (code == HW_OK)
        code = hw_slot_record(m, b, &text[1], &other, err);
    char why[300];
    bool first;
    /* Two keys may have one number by chance; then the graphs differ, or the solvers do. */
    if (code == HW_OK && strcmp(r.graph, other.graph) == 0 && strcmp(r.solver, other.solver) == 0 &&
        !hw_answers_agree(&r, &other, &first, why, sizeof why)) {
        char here[300], there[300], names[2][200];
        hw_slot_place(m, a, here, sizeof here);
        hw_slot_place(m, b, there, sizeof there);
        name_position(m, x, names[0], sizeof names[0]);
        name_position(m, y, names[1], sizeof names[1]);
        hw_merge_contradict(m, "%s and %s: one graph, one solver (%s; %s), but %s", here, there,
                            names[0], names[1], why);
    }
    free(text[0]);
    free(text[1]);
    return code;
}

hw_code hw_merge_cross(hw_merge *m, hw_error *err)
{
    uint64_t n = m->suite->n_runs;
    size_t size = 2;
    while (size < 2 * m->counts.runs + 2)
        size *= 2;
    uint64_t *table = HW_NEW0(uint64_t, size); /* position + 1 */
    if (!table)
        return hw_fail_memory(err, "the content keys of a sweep");
    hw_code code = HW_OK;
    for (uint64_t i = 0; code == HW_OK && i < n; i++) {
        const hw_slot *slot = &m->slot[i];
        if (!slot->part || !slot->key)
            continue;
        size_t at = (size_t)slot->key & (size - 1);
        while (table[at] && m->slot[table[at] - 1].key != slot->key)
            at = (at + 1) & (size - 1);
        if (!table[at])
            table[at] = i + 1;
        else if (m->slot[table[at] - 1].answer != slot->answer)
            code = hold_against(m, table[at] - 1, i, err);
        if (m->slot[table[at] - 1].cut_short)
            table[at] = i + 1; /* what was cut short denies little */
    }
    free(table);
    return code;
}
