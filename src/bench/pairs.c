/* Solvers compared pair by pair.  See pairs.h. */
#include "bench/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/numbering.h"
#include "core/memory.h"

/* Pairs whose intervals are made under the same draws at once. */
enum { AT_ONCE = 32 };

typedef struct cell {
    hw_maybe_u64 peak;
    double gap; /* to the proven optimum, in per cent; NaN: unknown */
} cell;

/* Peaks of all solvers on all units, and the groups that units fall into. */
typedef struct sheet {
    const hw_pairs_options *options;
    const char *solver[HW_PAIRS_SOLVERS];
    size_t n_solvers, against; /* position; SIZE_MAX: none */
    size_t n_units, n_groups, n_instances;
    cell *cells;             /* unit by unit, a solver each        */
    size_t *instance_of;     /* by unit                            */
    size_t *start, *unit;    /* the units of group g: unit[start[g]] .. unit[start[g + 1]] */
    const hw_record **first; /* by unit: its first record           */

    /* Of one group and a batch of pairs. */
    size_t *local; /* by instance: its number in the group, or SIZE_MAX */
    double *ratio; /* by unit */
    double *gaps[2];
    hw_sample sample[AT_ONCE];
    hw_estimate mean[AT_ONCE];
} sheet;

static void free_sheet(sheet *s)
{
    free(s->cells);
    free(s->instance_of);
    free(s->start);
    free(s->unit);
    free((void *)s->first);
    free(s->local);
    free(s->ratio);
    free(s->gaps[0]);
    free(s->gaps[1]);
    for (size_t i = 0; i < AT_ONCE; i++) {
        free(s->sample[i].value);
        free(s->sample[i].cluster);
    }
}

static size_t find_solver(const sheet *s, const char *solver)
{
    size_t i = 0;
    while (i < s->n_solvers && strcmp(s->solver[i], solver) != 0)
        i++;
    return i;
}

/* Bounds have no order and proven optima leave nothing to test. */
static bool is_compared(const sheet *s, const hw_record *r)
{
    const char *against = s->options->against;
    return r->checked_peak.known && (!r->exact || (against && strcmp(r->solver, against) == 0));
}

static hw_code list_solvers(sheet *s, const hw_record *records, size_t n, hw_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_compared(s, &records[i]) || find_solver(s, records[i].solver) < s->n_solvers)
            continue;
        if (s->n_solvers == HW_PAIRS_SOLVERS)
            return hw_fail(err, HW_USAGE, "more than %d solvers: choose some by --where",
                           HW_PAIRS_SOLVERS);
        s->solver[s->n_solvers++] = records[i].solver;
    }
    if (!s->options->against)
        return HW_OK;
    s->against = find_solver(s, s->options->against);
    if (s->against == s->n_solvers)
        return hw_fail(err, HW_USAGE,
                       "--against: there is no order of a solver '%s' to compare with",
                       s->options->against);
    return HW_OK;
}

/* ---- Laying out. ---- */

static bool allocate(sheet *s, size_t n_units, size_t n_groups, size_t n_instances)
{
    s->n_units = n_units;
    s->n_groups = n_groups;
    s->n_instances = n_instances;
    s->cells = hw_calloc(n_units, s->n_solvers * sizeof(cell));
    s->instance_of = HW_NEW(size_t, n_units);
    s->start = HW_NEW0(size_t, n_groups + 1);
    s->unit = HW_NEW(size_t, n_units);
    s->first = HW_NEW0(const hw_record *, n_units);
    s->local = HW_NEW(size_t, n_instances);
    s->ratio = HW_NEW(double, n_units);
    s->gaps[0] = HW_NEW(double, n_units);
    s->gaps[1] = HW_NEW(double, n_units);
    bool fine = s->cells && s->instance_of && s->start && s->unit && s->first && s->local &&
                s->ratio && s->gaps[0] && s->gaps[1];
    for (size_t i = 0; i < AT_ONCE; i++) {
        s->sample[i].value = HW_NEW(double, n_units);
        s->sample[i].cluster = HW_NEW(size_t, n_units);
        fine = fine && s->sample[i].value && s->sample[i].cluster;
    }
    for (size_t i = 0; fine && i < n_instances; i++)
        s->local[i] = SIZE_MAX;
    return fine;
}

/* The numbers of each record: unit, group, instance; later records replace earlier. */
static void fill(sheet *s, const hw_record *records, size_t n, size_t *const number[3])
{
    for (size_t i = 0; i < n; i++) {
        size_t u = number[0][i];
        const hw_record *r = &records[i];
        if (!s->first[u]) {
            s->first[u] = r;
            s->instance_of[u] = number[2][i];
            s->start[number[1][i] + 1]++;
        }
        if (!is_compared(s, r))
            continue;
        s->cells[u * s->n_solvers + find_solver(s, r->solver)] = (cell){
            .peak = r->checked_peak,
            .gap = r->optimum.known ? hw_gap_percent(r->checked_peak.value, r->optimum.value) : NAN,
        };
    }
    size_t before = 0; /* counting sort, as of partitions */
    for (size_t g = 0; g < s->n_groups; g++) {
        size_t units = s->start[g + 1];
        s->start[g + 1] = before;
        before += units;
    }
    for (size_t i = 0; i < n; i++)
        if (s->first[number[0][i]] == &records[i])
            s->unit[s->start[number[1][i] + 1]++] = number[0][i];
}

static hw_code lay_out(sheet *s, const hw_record *records, size_t n, hw_error *err)
{
    size_t *number[3] = {HW_NEW(size_t, n), HW_NEW(size_t, n), HW_NEW(size_t, n)}, count[3];
    static const hw_record_key keys[3] = {HW_RECORD_KEY_UNIT, HW_RECORD_KEY_FIELDS,
                                          HW_RECORD_KEY_INSTANCE};
    hw_code code =
        number[0] && number[1] && number[2] ? HW_OK : hw_fail_memory(err, "pairs of solvers");
    for (size_t k = 0; code == HW_OK && k < 3; k++)
        code = hw_number_records(records, n, keys[k], s->options->fields, s->options->n_fields,
                                 number[k], &count[k], err);
    if (code == HW_OK && !allocate(s, count[0], count[1], count[2]))
        code = hw_fail_memory(err, "pairs of solvers");
    if (code == HW_OK)
        fill(s, records, n, number);
    for (size_t k = 0; k < 3; k++)
        free(number[k]);
    return code;
}

/* ---- One pair. ---- */

/* log(a / b), with log(b / a) its exact opposite, so that sizes tie. */
static double log_ratio(uint64_t a, uint64_t b)
{
    if (a == b)
        return 0;
    double size = log(a > b ? (double)a / (double)b : (double)b / (double)a);
    return a > b ? size : -size;
}

static hw_code compare(sheet *s, size_t group, size_t a, size_t b, hw_sample *sample, hw_pair *pair,
                       hw_error *err)
{
    *pair = (hw_pair){.unit = s->first[s->unit[s->start[group]]],
                      .solver = s->solver[a],
                      .against = s->solver[b]};
    sample->n = 0;
    for (size_t i = s->start[group]; i < s->start[group + 1]; i++) {
        const cell *cells = s->cells + s->unit[i] * s->n_solvers, *x = &cells[a], *y = &cells[b];
        if (!x->peak.known || !y->peak.known)
            continue;
        double ratio = log_ratio(x->peak.value, y->peak.value);
        pair->better += ratio < 0;
        pair->worse += ratio > 0;
        s->ratio[pair->n++] = ratio;
        if (isfinite(ratio)) {
            sample->value[sample->n] = ratio;
            sample->cluster[sample->n++] = s->local[s->instance_of[s->unit[i]]];
        }
        if (!isnan(x->gap) && !isnan(y->gap)) {
            s->gaps[0][pair->n_gaps] = x->gap;
            s->gaps[1][pair->n_gaps++] = y->gap;
        }
    }
    hw_sort_reals(s->gaps[0], pair->n_gaps);
    hw_sort_reals(s->gaps[1], pair->n_gaps);
    pair->a12 = hw_a12(s->gaps[0], pair->n_gaps, s->gaps[1], pair->n_gaps);
    hw_code code = hw_signed_rank_test(s->ratio, pair->n, HW_SIGNED_RANK_EXACT, &pair->test, err);
    pair->p_holm = pair->n ? pair->test.p : NAN;
    return code;
}

/* ---- All pairs. ---- */

/* The instances of a group, numbered from 0 as they come; reset: none has a number. */
static size_t number_instances(sheet *s, size_t group, bool reset)
{
    size_t n = 0;
    for (size_t i = s->start[group]; i < s->start[group + 1]; i++) {
        size_t *local = &s->local[s->instance_of[s->unit[i]]];
        if (reset)
            *local = SIZE_MAX;
        else if (*local == SIZE_MAX)
            *local = n++;
    }
    return n;
}

static hw_code put_intervals(sheet *s, hw_pair *pairs, size_t n, size_t n_clusters, hw_error *err)
{
    hw_code code = hw_bootstrap_samples(s->sample, n, n_clusters, s->options->resamples,
                                        s->options->seed, s->mean, NULL, err);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        pairs[i].log_ratio = s->mean[i];
    return code;
}

static hw_code compare_group(sheet *s, size_t group, hw_pair *pairs, size_t *made, hw_error *err)
{
    size_t n_clusters = number_instances(s, group, false), waiting = 0;
    hw_code code = HW_OK;
    for (size_t a = 0; a < s->n_solvers; a++)
        for (size_t b = 0; code == HW_OK && b < s->n_solvers; b++) {
            if (s->options->against ? b != s->against || a == b : a >= b)
                continue;
            if (s->options->stop && *s->options->stop)
                code = hw_fail(err, HW_STOPPED, "stopped by a signal");
            else
                code = compare(s, group, a, b, &s->sample[waiting++], &pairs[(*made)++], err);
            if (code == HW_OK && waiting == AT_ONCE) {
                code = put_intervals(s, pairs + *made - waiting, waiting, n_clusters, err);
                waiting = 0;
            }
        }
    if (code == HW_OK && waiting)
        code = put_intervals(s, pairs + *made - waiting, waiting, n_clusters, err);
    (void)number_instances(s, group, true);
    return code;
}

static hw_code correct(hw_pair *pairs, size_t n, hw_error *err)
{
    double *p = HW_NEW(double, n);
    if (!p)
        return hw_fail_memory(err, "pairs of solvers");
    for (size_t i = 0; i < n; i++)
        p[i] = pairs[i].p_holm;
    hw_code code = hw_holm(p, n, err);
    for (size_t i = 0; code == HW_OK && i < n; i++)
        pairs[i].p_holm = p[i];
    free(p);
    return code;
}

static hw_code compare_all(sheet *s, hw_pair **out, size_t *n_out, hw_error *err)
{
    size_t n = s->n_solvers, each = s->options->against ? n - 1 : n * (n - (n > 0)) / 2, made = 0;
    hw_pair *pairs = hw_calloc(s->n_groups, each * sizeof(hw_pair));
    hw_code code = pairs ? HW_OK : hw_fail_memory(err, "pairs of solvers");
    for (size_t g = 0; code == HW_OK && g < s->n_groups; g++)
        code = compare_group(s, g, pairs, &made, err);
    if (code == HW_OK)
        code = correct(pairs, made, err);
    if (code != HW_OK) {
        free(pairs);
        return code;
    }
    *out = pairs;
    *n_out = made;
    return HW_OK;
}

hw_code hw_pairs_make(const hw_record *records, size_t n, const hw_pairs_options *options,
                      hw_pair **pairs, size_t *n_pairs, hw_error *err)
{
    sheet *s = HW_NEW0(sheet, 1);
    *pairs = NULL;
    *n_pairs = 0;
    if (!s)
        return hw_fail_memory(err, "pairs of solvers");
    s->options = options;
    s->against = SIZE_MAX;
    hw_code code = list_solvers(s, records, n, err);
    if (code == HW_OK)
        code = lay_out(s, records, n, err);
    if (code == HW_OK)
        code = compare_all(s, pairs, n_pairs, err);
    free_sheet(s);
    free(s);
    return code;
}
