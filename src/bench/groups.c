/* Choosing, partitioning and summing up results.  See groups.h. */
#include "bench/groups.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/numbering.h"
#include "core/memory.h"
#include "core/params.h"

/* ---- Fields. ---- */

static const char *const field_names[HW_N_FIELDS] = {
    [HW_FIELD_SUITE] = "suite",       [HW_FIELD_SECTION] = "section",
    [HW_FIELD_FAMILY] = "family",     [HW_FIELD_PARAMS] = "params",
    [HW_FIELD_NODES] = "nodes",       [HW_FIELD_ACCOUNTING] = "accounting",
    [HW_FIELD_PINNED] = "pinned",     [HW_FIELD_SOLVER] = "solver",
    [HW_FIELD_DENSITY] = "density",   [HW_FIELD_SIZES] = "sizes",
    [HW_FIELD_FEATURES] = "features",
};

const char *hw_field_name(hw_field field)
{
    return field_names[field];
}

hw_code hw_field_parse(const char *name, hw_field *field, hw_error *err)
{
    for (unsigned f = 0; f < HW_N_FIELDS; f++)
        if (strcmp(field_names[f], name) == 0) {
            *field = (hw_field)f;
            return HW_OK;
        }
    const char *near = hw_nearest_name(name, field_names, HW_N_FIELDS);
    return hw_fail(err, HW_USAGE,
                   "results have no field '%s' to group or choose by%s%s%s there are suite, "
                   "section, family, params, nodes, accounting, pinned, solver, density, sizes, "
                   "features",
                   name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : ":");
}

hw_code hw_fields_parse(const char *text, hw_field fields[HW_N_FIELDS], size_t *n, hw_error *err)
{
    *n = 0;
    for (const char *at = text;; at++) {
        char name[32];
        size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name)
            return hw_fail(err, HW_USAGE, "'%s' is no list of fields: write solver,accounting",
                           text);
        memcpy(name, at, length);
        name[length] = '\0';
        hw_field field;
        hw_code code = hw_field_parse(name, &field, err);
        if (code != HW_OK)
            return code;
        for (size_t i = 0; i < *n; i++)
            if (fields[i] == field)
                return hw_fail(err, HW_USAGE, "'%s' names %s twice", text, name);
        fields[(*n)++] = field;
        at += length;
        if (*at == '\0')
            return HW_OK;
    }
}

const char *hw_field_text(const hw_record *r, hw_field field, char buffer[HW_FIELD_TEXT])
{
    switch (field) {
    case HW_FIELD_SUITE:
        return r->suite;
    case HW_FIELD_SECTION:
        return r->section;
    case HW_FIELD_FAMILY:
        return r->family;
    case HW_FIELD_PARAMS:
        return r->params;
    case HW_FIELD_NODES:
        (void)snprintf(buffer, HW_FIELD_TEXT, "%" PRIu64, r->n_nodes);
        return buffer;
    case HW_FIELD_ACCOUNTING:
        return r->accounting;
    case HW_FIELD_PINNED:
        return r->pinned ? "yes" : "no";
    case HW_FIELD_SOLVER:
        return r->solver;
    case HW_FIELD_DENSITY:
        if (!r->graph || r->n_nodes == 0)
            return "unknown";
        (void)snprintf(buffer, HW_FIELD_TEXT, "%.1f", (double)r->n_edges / (double)r->n_nodes);
        return buffer;
    case HW_FIELD_SIZES:
        return r->sizes ? r->sizes : "none";
    case HW_FIELD_FEATURES:
        return !r->features ? "unknown" : *r->features ? r->features : "plain";
    case HW_N_FIELDS:
        break;
    }
    return "";
}

static int compare_field(const hw_record *a, const hw_record *b, hw_field field)
{
    if (field == HW_FIELD_NODES)
        return (a->n_nodes > b->n_nodes) - (a->n_nodes < b->n_nodes);
    char x[HW_FIELD_TEXT], y[HW_FIELD_TEXT];
    return strcmp(hw_field_text(a, field, x), hw_field_text(b, field, y));
}

static hw_code parse_range(hw_condition *c, hw_error *err)
{
    const char *dots = strstr(c->value, ".."), *digits = "0123456789";
    size_t low = strspn(c->value, digits), high = strspn(dots + 2, digits);
    errno = 0;
    c->low = strtoull(c->value, NULL, 10);
    c->high = strtoull(dots + 2, NULL, 10);
    c->is_range = true;
    if (low == 0 || c->value + low != dots || high == 0 || dots[2 + high] != '\0' ||
        errno == ERANGE || c->low > c->high)
        return hw_fail(err, HW_USAGE, "nodes=%s is no range: write nodes=1..255", c->value);
    return HW_OK;
}

hw_code hw_condition_parse(const char *text, hw_condition *condition, hw_error *err)
{
    char name[32];
    size_t length = strcspn(text, "=");
    if (length == 0 || length >= sizeof name || text[length] != '=')
        return hw_fail(err, HW_USAGE, "'%s' is no choice: write field=value, as solver=greedy",
                       text);
    memcpy(name, text, length);
    name[length] = '\0';
    *condition = (hw_condition){.value = text + length + 1};
    hw_code code = hw_field_parse(name, &condition->field, err);
    if (code == HW_OK && condition->field == HW_FIELD_NODES && strstr(condition->value, ".."))
        code = parse_range(condition, err);
    return code;
}

static bool fulfils(const hw_record *r, const hw_condition *c)
{
    char buffer[HW_FIELD_TEXT];
    if (c->is_range)
        return r->n_nodes >= c->low && r->n_nodes <= c->high;
    return strcmp(hw_field_text(r, c->field, buffer), c->value) == 0;
}

static bool is_chosen(const hw_record *r, const hw_condition *conditions, size_t n)
{
    bool asked[HW_N_FIELDS] = {false}, fulfilled[HW_N_FIELDS] = {false};
    for (size_t c = 0; c < n; c++) {
        asked[conditions[c].field] = true;
        fulfilled[conditions[c].field] |= fulfils(r, &conditions[c]);
    }
    for (unsigned f = 0; f < HW_N_FIELDS; f++)
        if (asked[f] && !fulfilled[f])
            return false;
    return true;
}

size_t hw_records_choose(hw_record *records, size_t n, const hw_condition *conditions,
                         size_t n_conditions)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (is_chosen(&records[i], conditions, n_conditions))
            records[kept++] = records[i];
    return kept;
}

hw_code hw_records_latest(hw_record *records, size_t *n, size_t *replaced, hw_error *err)
{
    size_t count, kept = 0, *number = HW_NEW(size_t, *n), *last = HW_NEW(size_t, *n);
    hw_code code = number && last ? HW_OK : hw_fail_memory(err, "results");
    if (code == HW_OK)
        code = hw_number_records(records, *n, HW_RECORD_KEY_RUN, NULL, 0, number, &count, err);
    if (code == HW_OK) {
        for (size_t i = 0; i < *n; i++)
            last[number[i]] = i;
        for (size_t i = 0; i < *n; i++)
            if (last[number[i]] == i)
                records[kept++] = records[i];
        *replaced = *n - kept;
        *n = kept;
    }
    free(number);
    free(last);
    return code;
}

void hw_record_instance(const hw_record *r, char *text, size_t size)
{
    if (strcmp(r->family, "file") == 0)
        (void)snprintf(text, size, "%s", r->params);
    else
        (void)snprintf(text, size, "%s%s%s#%" PRIu64, r->family, *r->params ? ":" : "", r->params,
                       r->index);
}

int hw_record_compare_units(const hw_record *a, const hw_record *b)
{
    static const hw_field fields[] = {HW_FIELD_SUITE,  HW_FIELD_SECTION,    HW_FIELD_FAMILY,
                                      HW_FIELD_PARAMS, HW_FIELD_ACCOUNTING, HW_FIELD_PINNED};
    int d = (a->index > b->index) - (a->index < b->index);
    for (size_t i = 0; d == 0 && i < sizeof fields / sizeof fields[0]; i++)
        d = compare_field(a, b, fields[i]);
    return d ? d : (a->seed > b->seed) - (a->seed < b->seed);
}

/* ---- Partitions. ---- */

void hw_partition_free(hw_partition *p)
{
    free(p->start);
    free((void *)p->member);
    *p = (hw_partition){.n_groups = 0};
}

/* start[g + 1] counts the members of group g, then says where they begin, then
 * moves on with each that is put there, and so ends where g + 1 begins. */
static void sort_by_number(const hw_record *records, size_t n, const size_t *number,
                           hw_partition *p)
{
    for (size_t i = 0; i < n; i++)
        p->start[number[i] + 1]++;
    size_t before = 0;
    for (size_t g = 0; g < p->n_groups; g++) {
        size_t members = p->start[g + 1];
        p->start[g + 1] = before;
        before += members;
    }
    for (size_t i = 0; i < n; i++)
        p->member[p->start[number[i] + 1]++] = &records[i];
}

hw_code hw_partition_make(const hw_record *records, size_t n, const hw_field *fields,
                          size_t n_fields, hw_partition *p, hw_error *err)
{
    *p = (hw_partition){.start = HW_NEW0(size_t, n + 1), .member = HW_NEW(const hw_record *, n)};
    size_t *number = HW_NEW(size_t, n);
    hw_code code =
        p->start && p->member && number ? HW_OK : hw_fail_memory(err, "groups of results");
    if (code == HW_OK)
        code = hw_number_records(records, n, fields ? HW_RECORD_KEY_FIELDS : HW_RECORD_KEY_UNIT,
                                 fields, n_fields, number, &p->n_groups, err);
    if (code == HW_OK)
        sort_by_number(records, n, number, p);
    else
        hw_partition_free(p);
    free(number);
    return code;
}

/* ---- Sums. ---- */

/* scratch holds twice as many numbers as the group has records. */
static hw_group sum_up(const hw_record *const *member, size_t n, double *scratch)
{
    hw_group g = {.first = member[0], .runs = n, .median_gap = NAN, .worst_gap = NAN};
    double *gaps = scratch, *times = scratch + n, all_states = 0, all_seconds = 0;
    size_t n_gaps = 0, n_times = 0;
    uint64_t optimal = 0, within_5 = 0, above_20 = 0;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = member[i];
        g.answered += r->checked_peak.known;
        g.refused += strcmp(r->status, "refused") == 0;
        if (r->wall_seconds >= 0) {
            times[n_times++] = r->wall_seconds;
            if (r->states.known) {
                all_states += (double)r->states.value;
                all_seconds += r->wall_seconds;
            }
        }
        if (!r->checked_peak.known || !r->optimum.known)
            continue;
        double gap = hw_gap_percent(r->checked_peak.value, r->optimum.value);
        optimal += r->checked_peak.value == r->optimum.value;
        within_5 += gap <= 5;
        above_20 += gap > 20;
        if (!g.worst || gap > g.worst_gap) {
            g.worst_gap = gap;
            g.worst = r;
        }
        gaps[n_gaps++] = gap;
    }
    g.proven = n_gaps;
    g.optimal = hw_share_of(optimal, n_gaps);
    g.within_5 = hw_share_of(within_5, n_gaps);
    g.above_20 = hw_share_of(above_20, n_gaps);
    hw_sort_reals(gaps, n_gaps);
    hw_sort_reals(times, n_times);
    g.median_gap = hw_quantile(gaps, n_gaps, 0.5);
    g.median_seconds = hw_quantile(times, n_times, 0.5);
    g.most_seconds = hw_quantile(times, n_times, 1);
    g.states_per_second = all_seconds > 0 ? all_states / all_seconds : NAN;
    return g;
}

hw_code hw_groups_make(const hw_record *records, size_t n, const hw_field *fields, size_t n_fields,
                       hw_group **groups, size_t *n_groups, hw_error *err)
{
    hw_partition p;
    *groups = NULL;
    *n_groups = 0;
    hw_code code = hw_partition_make(records, n, fields, n_fields, &p, err);
    if (code != HW_OK)
        return code;
    double *scratch = HW_NEW(double, 2 * n);
    hw_group *made = HW_NEW(hw_group, p.n_groups);
    if (scratch && made) {
        for (size_t g = 0; g < p.n_groups; g++)
            made[g] = sum_up(p.member + p.start[g], p.start[g + 1] - p.start[g], scratch);
        *groups = made;
        *n_groups = p.n_groups;
    } else {
        free(made);
        code = hw_fail_memory(err, "groups of results");
    }
    free(scratch);
    hw_partition_free(&p);
    return code;
}
