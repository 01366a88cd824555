/* The plan of a suite that has been read: its units.  See suite_internal.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suite_internal.h"
#include "core/memory.h"

static const uint64_t most_units = 10000000;

static uint64_t units_of(const hw_suite *suite, const hw_suite_source *source)
{
    const hw_suite_section *s = &suite->sections[source->section];
    unsigned each =
        (unsigned)(s->accounting[0] + s->accounting[1]) * (unsigned)(s->pinned[0] + s->pinned[1]);
    return source->n_instances * each; /* at most most_units * 4 */
}

static void fill_plan(hw_suite *suite)
{
    size_t at = 0;
    for (size_t i = 0; i < suite->n_sources; i++) {
        const hw_suite_source *source = &suite->sources[i];
        const hw_suite_section *s = &suite->sections[source->section];
        for (uint64_t index = 0; index < source->n_instances; index++)
            for (unsigned choice = 0; choice < 4; choice++)
                if (s->pinned[choice / 2] && s->accounting[choice % 2]) {
                    suite->units[at++] = (hw_suite_unit){.source = (uint32_t)i,
                                                         .accounting = (uint8_t)(choice % 2),
                                                         .pinned = choice / 2 == 1,
                                                         .index = index};
                    suite->n_runs += s->n_solvers;
                }
    }
}

typedef struct named {
    const hw_suite_source *source;
    const char *family;
} named;

static int compare_named(const void *x, const void *y)
{
    const named *a = x, *b = y;
    int d = (a->source->section > b->source->section) - (a->source->section < b->source->section);
    d = d ? d : strcmp(a->family, b->family);
    return d ? d : strcmp(a->source->label, b->source->label);
}

static int compare_named_lines(const void *x, const void *y)
{
    const named *a = x, *b = y;
    int d = compare_named(x, y);
    return d ? d : (a->source->line > b->source->line) - (a->source->line < b->source->line);
}

/*
 * Two sources of a section with one family and one text of parameters, or two
 * files of one name, would be told apart by no column of the results.
 */
static hw_code refuse_twins(const hw_suite_reader *r, hw_error *err)
{
    const hw_suite *suite = r->suite;
    named *all = HW_NEW(named, suite->n_sources);
    if (!all)
        return hw_fail_memory(err, "a suite");
    for (size_t i = 0; i < suite->n_sources; i++)
        all[i] = (named){&suite->sources[i],
                         suite->sources[i].family ? suite->sources[i].family->name : HW_SUITE_FILE};
    qsort(all, suite->n_sources, sizeof *all, compare_named_lines);
    hw_code code = HW_OK;
    for (size_t i = 1; code == HW_OK && i < suite->n_sources; i++)
        if (compare_named(&all[i - 1], &all[i]) == 0)
            code = hw_fail(err, HW_BAD_INPUT,
                           "%s: lines %u and %u of section [%s] both have %s:%s, so that their "
                           "results could not be told apart: give it once, or move one into a "
                           "section of its own",
                           r->file, all[i - 1].source->line, all[i].source->line,
                           suite->sections[all[i].source->section].name, all[i].family,
                           all[i].source->label);
    free(all);
    return code;
}

hw_code hw_suite_make_plan(const hw_suite_reader *r, hw_error *err)
{
    hw_suite *suite = r->suite;
    uint64_t n = 0;
    hw_code code = refuse_twins(r, err);
    if (code != HW_OK)
        return code;
    for (size_t i = 0; i < suite->n_sources; i++) {
        const hw_suite_section *s = &suite->sections[suite->sources[i].section];
        if (s->n_solvers == 0)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s: section [%s] has no solver: add `solver = NAME` lines, there or "
                           "before the first section",
                           r->file, s->name);
        n += units_of(suite, &suite->sources[i]);
        if (n > most_units)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s: more than %" PRIu64 " units: lower the numbers of instances",
                           r->file, most_units);
    }
    if (n == 0 && suite->n_notes == 0)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: there is nothing to run: add `family = NAME:n=8 x10` or `graph = FILE`",
                       r->file);
    suite->units = HW_NEW(hw_suite_unit, n);
    if (!suite->units)
        return hw_fail_memory(err, "the plan of a suite");
    suite->n_units = (size_t)n;
    fill_plan(suite);
    return HW_OK;
}
