/* Solvers compared pair by pair.  See pairs.h. */
#include "bench/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Peaks of all solvers on all units, and the groups that units fall into. */
typedef struct sheet {
    const hw_pairs_options *options;
    const char *solver[HW_PAIRS_SOLVERS];
    size_t n_solvers, against; /* position; SIZE_MAX: none */
    hw_partition units;
    hw_maybe_u64 *peak;      /* unit by unit, a solver each         */
    const hw_record **group; /* a record of each group of units     */
    size_t *group_of;        /* by unit                             */
    size_t n_groups;
    double *ratio, *finite; /* of one pair: by unit; those that are finite */
} sheet;

static void free_sheet(sheet *s)
{
    hw_partition_free(&s->units);
    free(s->peak);
    free((void *)s->group);
    free(s->group_of);
    free(s->ratio);
    free(s->finite);
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

static bool same_group(const sheet *s, const hw_record *a, const hw_record *b)
{
    for (size_t f = 0; f < s->options->n_fields; f++) {
        char x[HW_FIELD_TEXT], y[HW_FIELD_TEXT];
        if (strcmp(hw_field_text(a, s->options->fields[f], x),
                   hw_field_text(b, s->options->fields[f], y)) != 0)
            return false;
    }
    return true;
}

static hw_code lay_out(sheet *s, const hw_record *records, size_t n, hw_error *err)
{
    hw_code code = hw_partition_make(records, n, NULL, 0, &s->units, err);
    if (code != HW_OK)
        return code;
    size_t n_units = s->units.n_groups;
    s->peak = hw_calloc(n_units * HW_PAIRS_SOLVERS, sizeof *s->peak);
    s->group = HW_NEW(const hw_record *, n_units);
    s->group_of = HW_NEW(size_t, n_units);
    s->ratio = HW_NEW(double, n_units);
    s->finite = HW_NEW(double, n_units);
    if (!s->peak || !s->group || !s->group_of || !s->ratio || !s->finite)
        return hw_fail_memory(err, "pairs of solvers");
    for (size_t u = 0; u < n_units; u++) {
        const hw_record *first = s->units.member[s->units.start[u]];
        size_t g = 0;
        while (g < s->n_groups && !same_group(s, s->group[g], first))
            g++;
        if (g == s->n_groups)
            s->group[s->n_groups++] = first;
        s->group_of[u] = g;
        for (size_t i = s->units.start[u]; i < s->units.start[u + 1]; i++) {
            const hw_record *r = s->units.member[i];
            if (is_compared(s, r))
                s->peak[u * HW_PAIRS_SOLVERS + find_solver(s, r->solver)] = r->checked_peak;
        }
    }
    return HW_OK;
}

/* log(a / b), with log(b / a) its exact opposite, so that sizes tie. */
static double log_ratio(uint64_t a, uint64_t b)
{
    if (a == b)
        return 0;
    double size = log(a > b ? (double)a / (double)b : (double)b / (double)a);
    return a > b ? size : -size;
}

static hw_code compare(const sheet *s, size_t group, size_t a, size_t b, hw_pair *pair,
                       hw_error *err)
{
    size_t n_finite = 0;
    *pair = (hw_pair){.unit = s->group[group], .solver = s->solver[a], .against = s->solver[b]};
    for (size_t u = 0; u < s->units.n_groups; u++) {
        const hw_maybe_u64 *peak = s->peak + u * HW_PAIRS_SOLVERS;
        if (s->group_of[u] != group || !peak[a].known || !peak[b].known)
            continue;
        double ratio = log_ratio(peak[a].value, peak[b].value);
        pair->better += ratio < 0;
        pair->worse += ratio > 0;
        s->ratio[pair->n++] = ratio;
        if (isfinite(ratio))
            s->finite[n_finite++] = ratio;
    }
    hw_code code = hw_signed_rank_test(s->ratio, pair->n, HW_SIGNED_RANK_EXACT, &pair->test, err);
    if (code == HW_OK)
        code = hw_bootstrap_mean(s->finite, n_finite, s->options->resamples, s->options->seed,
                                 &pair->log_ratio, err);
    pair->p_holm = pair->n ? pair->test.p : NAN;
    return code;
}

static hw_code compare_all(const sheet *s, hw_pair **out, size_t *n_out, hw_error *err)
{
    size_t n = s->n_solvers, each = s->options->against ? n - 1 : n * (n - (n > 0)) / 2, made = 0;
    hw_pair *pairs = HW_NEW(hw_pair, s->n_groups * each);
    double *p = HW_NEW(double, s->n_groups *each);
    hw_code code = pairs && p ? HW_OK : hw_fail_memory(err, "pairs of solvers");
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; code == HW_OK && b < n; b++) {
                bool wanted = s->options->against ? b == s->against && a != b : a < b;
                if (wanted)
                    code = compare(s, g, a, b, &pairs[made++], err);
            }
    for (size_t i = 0; code == HW_OK && i < made; i++)
        p[i] = pairs[i].p_holm;
    if (code == HW_OK)
        code = hw_holm(p, made, err);
    for (size_t i = 0; code == HW_OK && i < made; i++)
        pairs[i].p_holm = p[i];
    free(p);
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
    sheet s = {.options = options, .against = SIZE_MAX};
    *pairs = NULL;
    *n_pairs = 0;
    hw_code code = list_solvers(&s, records, n, err);
    if (code == HW_OK)
        code = lay_out(&s, records, n, err);
    if (code == HW_OK)
        code = compare_all(&s, pairs, n_pairs, err);
    free_sheet(&s);
    return code;
}
