/*
 * Questions to a sample: tables and verdicts for each reading, correlations,
 * regressions.  See traits.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traits/traits.h"
#include "bench/logistic.h"
#include "bench/paired.h"
#include "core/memory.h"
#include "core/rng.h"

const double hw_trait_shared = 0.95;

const char *hw_trait_verdict_name(hw_trait_verdict verdict)
{
    static const char *const names[] = {"open", "fails", "holds only if", "shared", "holds"};
    return names[verdict];
}

/* ---- Tables. ---- */

/* The trait and the cases that a table is made of. */
typedef struct question {
    hw_reading reading;
    size_t at_large, at_similar;
    double bad_percent;
    size_t grouping; /* HW_TRAIT_GROUPINGS: all cases */
    uint32_t group;
} question;

static hw_code make_table(const hw_trait_sample *s, const question *q, hw_trait_table *t,
                          hw_error *err)
{
    uint64_t with[3] = {0}, all[3] = {0}; /* optimal, slight, bad */
    for (size_t i = 0; i < s->n; i++) {
        const hw_trait_case *c = &s->cases[i];
        if (q->grouping < HW_TRAIT_GROUPINGS && c->group[q->grouping] != q->group)
            continue;
        int at = c->gap_percent > q->bad_percent ? 2 : c->gap_percent > 0;
        all[at]++;
        with[at] += hw_trait_has(c, q->reading, q->at_large, q->at_similar);
    }
    t->optimal = hw_share_of(with[0], all[0]);
    t->slight = hw_share_of(with[1], all[1]);
    t->bad = hw_share_of(with[2], all[2]);
    uint64_t good_with = with[1], good = all[1];
    if (!hw_reading_rows[q->reading].of_failure) {
        good_with += with[0];
        good += all[0];
    }
    hw_code code =
        hw_odds_of(with[2], all[2] - with[2], good_with, good - good_with, &t->odds, err);
    t->shared = t->bad.n > 0 && t->bad.share >= hw_trait_shared;
    t->compared = good > 0;
    t->marks = t->odds.low > 1;
    return code;
}

static bool holds(const hw_trait_table *t)
{
    return t->bad.n >= HW_TRAIT_LEAST_BAD && t->shared && t->marks;
}

/* Under this condition, does it hold?  Then it is kept. */
static hw_code try_condition(const hw_trait_sample *s, const question *q,
                             hw_trait_condition_kind kind, hw_trait_answer *a, hw_error *err)
{
    hw_trait_condition c = {.kind = kind,
                            .gap_percent = q->bad_percent,
                            .at_large = q->at_large,
                            .at_similar = q->at_similar,
                            .grouping = q->grouping,
                            .group = q->group};
    hw_code code = make_table(s, q, &c.table, err);
    if (code != HW_OK || !holds(&c.table))
        return code;
    if (!hw_grow((void **)&a->condition, &a->capacity, a->n_conditions + 1, sizeof c))
        return hw_fail_memory(err, "the conditions of a verdict");
    a->condition[a->n_conditions++] = c;
    return HW_OK;
}

static hw_code try_conditions(const hw_trait_sample *s, question q, hw_trait_answer *a,
                              hw_error *err)
{
    static const double gaps[] = {50, 100, 200};
    hw_code code = HW_OK;
    question x = q;
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0] && code == HW_OK; i++) {
        x.bad_percent = gaps[i];
        if (gaps[i] > q.bad_percent)
            code = try_condition(s, &x, HW_TRAIT_IF_GAP, a, err);
    }
    x = q;
    for (x.at_large = 0; x.at_large < HW_TRAIT_LARGE; x.at_large++)
        for (x.at_similar = 0; x.at_similar < HW_TRAIT_SIMILAR && code == HW_OK; x.at_similar++)
            if (x.at_large != q.at_large || x.at_similar != q.at_similar)
                code = try_condition(s, &x, HW_TRAIT_IF_WORDS, a, err);
    x = q;
    for (x.grouping = 0; x.grouping < HW_TRAIT_GROUPINGS; x.grouping++) {
        uint32_t groups = 0;
        for (size_t i = 0; i < s->n; i++) {
            uint32_t group = s->cases[i].group[x.grouping];
            groups = group != HW_NONE && group >= groups ? group + 1 : groups;
        }
        for (x.group = 0; x.group < groups && code == HW_OK; x.group++)
            code = try_condition(s, &x, HW_TRAIT_IF_GROUP, a, err);
    }
    return code;
}

/* ---- Counter-examples. ---- */

/* Fewer nodes, then fewer edges, then the larger gap. */
static bool better_example(const hw_trait_case *a, const hw_trait_case *b)
{
    if (a->graph->n_nodes != b->graph->n_nodes)
        return a->graph->n_nodes < b->graph->n_nodes;
    if (a->graph->n_edges != b->graph->n_edges)
        return a->graph->n_edges < b->graph->n_edges;
    return a->gap_percent > b->gap_percent;
}

static void find_examples(const hw_trait_sample *s, const question *q, hw_trait_answer *a)
{
    a->bad_without = a->optimal_with = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        const hw_trait_case *c = &s->cases[i];
        bool has = hw_trait_has(c, q->reading, q->at_large, q->at_similar);
        size_t *kept = !has && c->gap_percent > q->bad_percent ? &a->bad_without
                       : has && c->gap_percent == 0            ? &a->optimal_with
                                                               : NULL;
        if (kept && (*kept == SIZE_MAX || better_example(c, &s->cases[*kept])))
            *kept = i;
    }
}

/* ---- Regressions. ---- */

static hw_code regress_balance(const hw_trait_sample *s, const question *q, hw_trait_answer *a,
                               hw_error *err)
{
    double *x = HW_NEW(double, s->n);
    unsigned char *yes = HW_NEW(unsigned char, s->n);
    hw_logistic l = {0};
    hw_code code = x && yes ? HW_OK : hw_fail_memory(err, "a regression");
    size_t n = 0;
    for (size_t i = 0; i < s->n && code == HW_OK; i++) {
        const hw_trait_case *c = &s->cases[i];
        if (hw_reading_rows[q->reading].of_failure && c->gap_percent == 0)
            continue;
        x[n] = c->balance[q->at_large][q->reading];
        yes[n++] = c->gap_percent > q->bad_percent;
    }
    if (code == HW_OK) {
        hw_standardise(x, n, 1, 0);
        code = hw_auc(x, yes, n, &a->auc, err);
    }
    a->slope = a->slope_error = a->r2 = NAN;
    if (code == HW_OK && !isnan(a->auc)) { /* cases of both kinds */
        code = hw_logistic_fit(x, yes, n, 1, &l, err);
        if (code == HW_OK && l.converged) {
            a->slope = l.coefficient[1];
            a->slope_error = l.error[1];
            a->r2 = hw_logistic_r2(&l);
            a->penalised = l.penalised;
        }
        hw_logistic_clear(&l);
    }
    free(x);
    free(yes);
    return code;
}

static hw_code ask_reading(const hw_trait_sample *s, const hw_trait_options *options,
                           hw_reading reading, hw_trait_answer *a, hw_error *err)
{
    question q = {
        .reading = reading, .bad_percent = options->bad_percent, .grouping = HW_TRAIT_GROUPINGS};
    hw_code code = HW_OK;
    question x = q;
    for (x.at_large = 0; x.at_large < HW_TRAIT_LARGE; x.at_large++)
        for (x.at_similar = 0; x.at_similar < HW_TRAIT_SIMILAR && code == HW_OK; x.at_similar++)
            code = make_table(s, &x, &a->words[x.at_large][x.at_similar], err);
    if (code == HW_OK)
        code = try_conditions(s, q, a, err);
    if (code == HW_OK)
        code = regress_balance(s, &q, a, err);
    find_examples(s, &q, a);
    const hw_trait_table *t = &a->words[0][0];
    a->verdict = t->bad.n < HW_TRAIT_LEAST_BAD ? HW_TRAIT_OPEN
                 : holds(t)                    ? HW_TRAIT_HOLDS
                 : t->shared && !t->compared   ? HW_TRAIT_SHARED
                 : a->n_conditions > 0         ? HW_TRAIT_ONLY_IF
                                               : HW_TRAIT_FAILS;
    return code;
}

/* Rows of the features of the graph, standardised over all cases; unknown ones at the mean. */
static size_t lay_features(const hw_trait_sample *s, double *x, hw_feature *of_column)
{
    size_t k = 0, stride = 0;
    for (int f = 0; f < HW_N_FEATURES; f++)
        stride += hw_feature_rows[f].kind == HW_FEATURE_OF_GRAPH;
    for (int f = 0; f < HW_N_FEATURES; f++) {
        double sum = 0, known = 0;
        if (hw_feature_rows[f].kind != HW_FEATURE_OF_GRAPH)
            continue;
        for (size_t i = 0; i < s->n; i++)
            if (!isnan(s->cases[i].features.value[f])) {
                sum += s->cases[i].features.value[f];
                known++;
            }
        for (size_t i = 0; i < s->n; i++) {
            double value = s->cases[i].features.value[f];
            x[i * stride + k] = !isnan(value) ? value : known > 0 ? sum / known : 0;
        }
        hw_standardise(x, s->n, stride, k);
        of_column[k++] = (hw_feature)f;
    }
    return k;
}

/*
 * Which row each case is laid at: shuffled, so that the halves do not differ in
 * kind where cases come in a pattern (one family after the other).
 */
static hw_code shuffle(size_t n, uint64_t seed, size_t *at, hw_error *err)
{
    gsl_rng *rng = hw_rng_new(seed);
    if (!rng)
        return hw_fail_memory(err, "a shuffle");
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)hw_rng_below(rng, i + 1);
        at[i] = at[k];
        at[k] = i;
    }
    gsl_rng_free(rng);
    return HW_OK;
}

/* Fit one half of the cases, and see how well that tells the other. */
static hw_code regress_features(const hw_trait_sample *s, const hw_trait_options *options,
                                hw_trait_report *r, hw_error *err)
{
    size_t half[2] = {(s->n + 1) / 2, s->n / 2}, k = 0;
    double *x = HW_NEW(double, s->n *HW_N_FEATURES), *sorted = HW_NEW(double, s->n *HW_N_FEATURES);
    double *score = HW_NEW(double, s->n);
    unsigned char *yes = HW_NEW(unsigned char, s->n);
    size_t *row = HW_NEW(size_t, s->n);
    hw_feature of_column[HW_N_FEATURES];
    hw_logistic l = {0};
    hw_code code = x && sorted && score && yes && row
                       ? HW_OK
                       : hw_fail_memory(err, "a regression of features");
    if (code == HW_OK)
        code = shuffle(s->n, options->seed, row, err);
    if (code == HW_OK) {
        k = lay_features(s, x, of_column);
        for (size_t i = 0; i < s->n; i++) {
            size_t at = row[i];
            memcpy(sorted + at * k, x + i * k, k * sizeof *x);
            yes[at] = s->cases[i].gap_percent > options->bad_percent;
        }
        code = hw_logistic_fit(sorted, yes, half[0], k, &l, err);
    }
    r->fitted = code == HW_OK && l.converged;
    if (r->fitted) { /* steps that never came to rest tell nothing */
        for (size_t c = 0; c < k; c++)
            r->term[of_column[c]] = (hw_trait_term){l.coefficient[c + 1], l.error[c + 1]};
        for (size_t i = 0; i < s->n; i++)
            score[i] = hw_logistic_score(&l, sorted + i * k);
        r->penalised = l.penalised;
        r->r2 = hw_logistic_r2(&l);
        code = hw_auc(score, yes, half[0], &r->auc, err);
    }
    if (r->fitted && code == HW_OK)
        code = hw_auc(score + half[0], yes + half[0], half[1], &r->auc_held_out, err);
    hw_logistic_clear(&l);
    free(x);
    free(sorted);
    free(score);
    free(yes);
    free(row);
    return code;
}

/* ---- Correlations. ---- */

static hw_code correlate(const hw_trait_sample *s, const hw_trait_options *options,
                         hw_trait_report *r, hw_error *err)
{
    double *x = HW_NEW(double, s->n), *gap = HW_NEW(double, s->n);
    hw_code code = x && gap ? HW_OK : hw_fail_memory(err, "correlations");
    for (size_t i = 0; i < s->n && code == HW_OK; i++)
        gap[i] = s->cases[i].gap_percent;
    for (int f = 0; f < HW_N_FEATURES && code == HW_OK; f++) {
        for (size_t i = 0; i < s->n; i++)
            x[i] = s->cases[i].features.value[f];
        code = hw_rank_correlate(x, gap, s->n, options->resamples, options->seed,
                                 &r->correlation[f], err);
        r->rho_holm[f] = r->correlation[f].rho.p;
        r->tau_holm[f] = r->correlation[f].tau_b.p;
    }
    if (code == HW_OK)
        code = hw_holm(r->rho_holm, HW_N_FEATURES, err);
    if (code == HW_OK)
        code = hw_holm(r->tau_holm, HW_N_FEATURES, err);
    if (code == HW_OK) {
        hw_sort_reals(gap, s->n);
        r->median_gap = hw_quantile(gap, s->n, 0.5);
        r->worst_gap = s->n ? gap[s->n - 1] : (double)NAN;
    }
    free(x);
    free(gap);
    return code;
}

hw_code hw_trait_ask(const hw_trait_sample *s, const hw_trait_options *options,
                     hw_trait_report *out, hw_error *err)
{
    *out = (hw_trait_report){.n = s->n, .r2 = NAN, .auc = NAN, .auc_held_out = NAN};
    for (int f = 0; f < HW_N_FEATURES; f++)
        out->term[f] = (hw_trait_term){NAN, NAN};
    for (size_t i = 0; i < s->n; i++) {
        double gap = s->cases[i].gap_percent;
        out->n_bad += gap > options->bad_percent;
        out->n_optimal += gap == 0;
    }
    out->n_slight = out->n - out->n_bad - out->n_optimal;
    hw_code code = correlate(s, options, out, err);
    for (int i = 0; i < HW_N_READINGS && code == HW_OK; i++)
        code = ask_reading(s, options, (hw_reading)i, &out->answer[i], err);
    if (code == HW_OK && out->n_bad > 0 && out->n_bad < out->n)
        code = regress_features(s, options, out, err);
    if (code != HW_OK)
        hw_trait_report_clear(out);
    return code;
}

void hw_trait_report_clear(hw_trait_report *r)
{
    for (int i = 0; i < HW_N_READINGS; i++) {
        free(r->answer[i].condition);
        r->answer[i].condition = NULL;
        r->answer[i].n_conditions = r->answer[i].capacity = 0;
    }
}
