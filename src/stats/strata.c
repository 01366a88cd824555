/* Strata, cells and numbers.  See strata.h. */
#include "stats/strata.h"

#include <stdlib.h>
#include <string.h>

#include "bench/numbering.h"
#include "core/memory.h"
#include "solve/solver.h"

bool hw_run_is_solved(const hw_record *r)
{
    if (!r->exact)
        return r->checked_peak.known;
    return strcmp(r->status, hw_status_name(HW_OPTIMAL)) == 0 ||
           strcmp(r->status, hw_status_name(HW_INFEASIBLE)) == 0;
}

bool hw_run_is_refused(const hw_record *r)
{
    return strcmp(r->status, "refused") == 0;
}

void hw_strata_free(hw_strata *s)
{
    free(s->stratum);
    free(s->unit);
    free(s->instance);
    free(s->solver);
    free((void *)s->first);
    free((void *)s->by);
    free(s->start);
    free(s->member);
    *s = (hw_strata){.n_records = 0};
}

/* Counting sort by cell; start[c + 1] counts, then moves (as in groups.c). */
static void sort_by_cell(hw_strata *s)
{
    size_t n_cells = s->n_strata * s->n_solvers, before = 0;
    for (size_t i = 0; i < s->n_records; i++)
        s->start[hw_cell(s, s->stratum[i], s->solver[i]) + 1]++;
    for (size_t c = 0; c < n_cells; c++) {
        size_t members = s->start[c + 1];
        s->start[c + 1] = before;
        before += members;
    }
    for (size_t i = 0; i < s->n_records; i++)
        s->member[s->start[hw_cell(s, s->stratum[i], s->solver[i]) + 1]++] = i;
}

/* A stratum on its way to its place: a number for each field, to be compared. */
typedef struct place {
    double rank[HW_N_FIELDS];
    size_t stratum, n_fields;
} place;

static int compare_places(const void *x, const void *y)
{
    const place *a = x, *b = y;
    int d = 0;
    for (size_t f = 0; d == 0 && f < a->n_fields; f++)
        d = (a->rank[f] > b->rank[f]) - (a->rank[f] < b->rank[f]);
    return d;
}

/* rank[f] of all places: the value of a number, the number of another value. */
static hw_code rank_field(const hw_strata *s, size_t f, const hw_record *first, size_t *number,
                          place *places, hw_error *err)
{
    hw_field field = s->fields[f];
    size_t count;
    if (field == HW_FIELD_NODES || field == HW_FIELD_DENSITY) {
        for (size_t i = 0; i < s->n_strata; i++) {
            char text[HW_FIELD_TEXT];
            places[i].rank[f] = strtod(hw_field_text(&first[i], field, text), NULL);
        }
        return HW_OK;
    }
    hw_code code =
        hw_number_records(first, s->n_strata, HW_RECORD_KEY_FIELDS, &field, 1, number, &count, err);
    for (size_t i = 0; code == HW_OK && i < s->n_strata; i++)
        places[i].rank[f] = (double)number[i];
    return code;
}

/* Number the strata anew, in the order of their fields. */
static hw_code sort_strata(hw_strata *s, hw_error *err)
{
    size_t n = s->n_strata, *number = HW_NEW(size_t, n);
    hw_record *first = HW_NEW(hw_record, n);
    place *places = HW_NEW(place, n);
    hw_code code = number && first && places ? HW_OK : hw_fail_memory(err, "strata of results");
    for (size_t i = code == HW_OK ? s->n_records : 0; i-- > 0;)
        first[s->stratum[i]] = s->records[i];
    for (size_t i = 0; code == HW_OK && i < n; i++)
        places[i] = (place){.stratum = i, .n_fields = s->n_fields};
    for (size_t f = 0; code == HW_OK && f < s->n_fields; f++)
        code = rank_field(s, f, first, number, places, err);
    if (code == HW_OK && n)
        qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        number[places[i].stratum] = i;
    for (size_t i = 0; code == HW_OK && i < s->n_records; i++)
        s->stratum[i] = number[s->stratum[i]];
    free(number);
    free(first);
    free(places);
    return code;
}

static hw_code lay_out(hw_strata *s, hw_error *err)
{
    if (s->n_solvers && s->n_strata > HW_STRATA_CELLS / s->n_solvers)
        return hw_fail(err, HW_USAGE, "%zu strata of %zu solvers are too many: name fewer in --by",
                       s->n_strata, s->n_solvers);
    s->first = HW_NEW0(const hw_record *, s->n_strata);
    s->by = HW_NEW0(const hw_record *, s->n_solvers);
    s->start = HW_NEW0(size_t, s->n_strata * s->n_solvers + 1);
    s->member = HW_NEW(size_t, s->n_records);
    if (!s->first || !s->by || !s->start || !s->member)
        return hw_fail_memory(err, "strata of results");
    for (size_t i = s->n_records; i-- > 0;) {
        s->first[s->stratum[i]] = &s->records[i];
        s->by[s->solver[i]] = &s->records[i];
    }
    sort_by_cell(s);
    return HW_OK;
}

hw_code hw_strata_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                       hw_strata *s, hw_error *err)
{
    const hw_field solver[] = {HW_FIELD_SOLVER};
    *s = (hw_strata){.records = records,
                     .n_records = n,
                     .fields = fields,
                     .n_fields = n_fields,
                     .stratum = HW_NEW(size_t, n),
                     .unit = HW_NEW(size_t, n),
                     .instance = HW_NEW(size_t, n),
                     .solver = HW_NEW(size_t, n)};
    hw_code code = s->unit && s->instance && s->solver && s->stratum
                       ? HW_OK
                       : hw_fail_memory(err, "strata of results");
    if (code == HW_OK)
        code =
            hw_number_records(records, n, HW_RECORD_KEY_UNIT, NULL, 0, s->unit, &s->n_units, err);
    if (code == HW_OK)
        code = hw_number_records(records, n, HW_RECORD_KEY_INSTANCE, NULL, 0, s->instance,
                                 &s->n_instances, err);
    if (code == HW_OK)
        code = hw_number_records(records, n, HW_RECORD_KEY_FIELDS, solver, 1, s->solver,
                                 &s->n_solvers, err);
    if (code == HW_OK)
        code = hw_number_records(records, n, HW_RECORD_KEY_FIELDS, fields, n_fields, s->stratum,
                                 &s->n_strata, err);
    if (code == HW_OK)
        code = sort_strata(s, err);
    if (code == HW_OK)
        code = lay_out(s, err);
    if (code != HW_OK)
        hw_strata_free(s);
    return code;
}

size_t hw_strata_filled(const hw_strata *s)
{
    size_t filled = 0;
    for (size_t c = 0; c < s->n_strata * s->n_solvers; c++)
        filled += s->start[c + 1] > s->start[c];
    return filled;
}
