/* Gaps to proven optima.  See tables.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/resample.h"
#include "core/memory.h"
#include "stats/tables.h"

enum column {
    RUNS,
    REFUSED,
    ANSWERED,
    SOLVED,
    PROVEN,
    OPTIMAL,
    MEAN = OPTIMAL + 3,
    MEDIAN = MEAN + 3,
    P90 = MEDIAN + 3,
    P95,
    P99,
    MOST,
    WORST,
    WITHIN_5,
    ABOVE_20 = WITHIN_5 + 3,
    N_COLUMNS = ABOVE_20 + 3
};

static const hw_figure_column columns[N_COLUMNS] = {
    [RUNS] = {"runs", "runs", "Runs", HW_FIGURE_COUNT, 0, false},
    [REFUSED] = {"refused", NULL, "Refused", HW_FIGURE_COUNT, 0, false},
    [ANSWERED] = {"answered", NULL, "Answered", HW_FIGURE_COUNT, 0, false},
    [SOLVED] = {"solved", "solved", "Solved", HW_FIGURE_COUNT, 0, false},
    [PROVEN] = {"proven", "proven", "Proven", HW_FIGURE_COUNT, 0, false},
    [OPTIMAL] = {"optimal_share", "optimal", "Optimal", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("optimal", "Optimal", HW_FIGURE_SHARE),
    [MEAN] = {"mean_gap_percent", "mean gap", "MeanGap", HW_FIGURE_PERCENT, -1, true},
    HW_FIGURE_ENDS("mean_gap", "MeanGap", HW_FIGURE_PERCENT),
    [MEDIAN] = {"p50_gap_percent", "p50", "MedianGap", HW_FIGURE_PERCENT, -1, false},
    HW_FIGURE_ENDS("p50_gap", "MedianGap", HW_FIGURE_PERCENT),
    [P90] = {"p90_gap_percent", "p90", "NinetyGap", HW_FIGURE_PERCENT, -1, false},
    [P95] = {"p95_gap_percent", "p95", "NinetyFiveGap", HW_FIGURE_PERCENT, -1, false},
    [P99] = {"p99_gap_percent", "p99", "NinetyNineGap", HW_FIGURE_PERCENT, -1, false},
    [MOST] = {"max_gap_percent", "max", "WorstGap", HW_FIGURE_PERCENT, -1, false},
    [WORST] = {"worst_instance", NULL, NULL, HW_FIGURE_TEXT, 0, false},
    [WITHIN_5] = {"within_5_share", "\xE2\x89\xA4 5 %", "WithinFive", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("within_5", "WithinFive", HW_FIGURE_SHARE),
    [ABOVE_20] = {"above_20_share", "> 20 %", "AboveTwenty", HW_FIGURE_SHARE, -1, true},
    HW_FIGURE_ENDS("above_20", "AboveTwenty", HW_FIGURE_SHARE),
};

/* Room for the gaps of a stratum, cell after cell. */
typedef struct workspace {
    double *gap, *finite;
    size_t *cluster;    /* of the finite                                        */
    size_t *local;      /* by instance: its number within the stratum, or SIZE_MAX */
    hw_sample *samples; /* by solver                                            */
    hw_estimate *mean, *median;
} workspace;

static void close_workspace(workspace *w)
{
    free(w->gap);
    free(w->finite);
    free(w->cluster);
    free(w->local);
    free(w->samples);
    free(w->mean);
    free(w->median);
}

static bool open_workspace(workspace *w, const hw_strata *s)
{
    *w = (workspace){.gap = HW_NEW(double, s->n_records),
                     .finite = HW_NEW(double, s->n_records),
                     .cluster = HW_NEW(size_t, s->n_records),
                     .local = HW_NEW(size_t, s->n_instances),
                     .samples = HW_NEW0(hw_sample, s->n_solvers),
                     .mean = HW_NEW(hw_estimate, s->n_solvers),
                     .median = HW_NEW(hw_estimate, s->n_solvers)};
    for (size_t i = 0; w->local && i < s->n_instances; i++)
        w->local[i] = SIZE_MAX;
    return w->gap && w->finite && w->cluster && w->local && w->samples && w->mean && w->median;
}

static bool put_worst(hw_figures *f, size_t row, const hw_record *worst)
{
    char name[256];
    if (!worst)
        return true;
    hw_record_instance(worst, name, sizeof name);
    return hw_figures_put_text(f, row, WORST, name);
}

/* What can be told of a cell's runs one by one; gaps[] has room for them. */
static bool sum_up(const hw_strata *s, size_t cell, double *gaps, hw_figures *f, size_t row)
{
    size_t runs = 0, refused = 0, answered = 0, solved = 0, proven = 0;
    size_t optimal = 0, within_5 = 0, above_20 = 0;
    double most = 0;
    const hw_record *worst = NULL;
    for (size_t m = s->start[cell]; m < s->start[cell + 1]; m++) {
        const hw_record *r = &s->records[s->member[m]];
        runs++;
        refused += hw_run_is_refused(r);
        answered += r->checked_peak.known;
        solved += hw_run_is_solved(r);
        if (!r->checked_peak.known || !r->optimum.known)
            continue;
        double gap = hw_gap_percent(r->checked_peak.value, r->optimum.value);
        optimal += r->checked_peak.value == r->optimum.value;
        within_5 += gap <= 5;
        above_20 += gap > 20;
        if (gap > most) {
            most = gap;
            worst = r;
        }
        gaps[proven++] = gap;
    }
    hw_sort_reals(gaps, proven);
    const hw_share shares[] = {hw_share_of(optimal, proven), hw_share_of(within_5, proven),
                               hw_share_of(above_20, proven)};
    hw_figures_put(f, row, RUNS, (double)runs);
    hw_figures_put(f, row, REFUSED, (double)refused);
    hw_figures_put(f, row, ANSWERED, (double)answered);
    hw_figures_put(f, row, SOLVED, (double)solved);
    hw_figures_put(f, row, PROVEN, (double)proven);
    f->dagger[row * f->n_columns + SOLVED] = solved + refused < runs;
    hw_figures_put_share(f, row, OPTIMAL, &shares[0]);
    hw_figures_put_share(f, row, WITHIN_5, &shares[1]);
    hw_figures_put_share(f, row, ABOVE_20, &shares[2]);
    hw_figures_put(f, row, MEDIAN, hw_quantile(gaps, proven, 0.5));
    hw_figures_put(f, row, P90, hw_quantile(gaps, proven, 0.9));
    hw_figures_put(f, row, P95, hw_quantile(gaps, proven, 0.95));
    hw_figures_put(f, row, P99, hw_quantile(gaps, proven, 0.99));
    hw_figures_put(f, row, MOST, hw_quantile(gaps, proven, 1));
    return put_worst(f, row, worst);
}

/* The finite gaps of a cell with their instances, numbered within the stratum. */
static size_t take_finite(const hw_strata *s, size_t cell, workspace *w, size_t at,
                          size_t *n_clusters)
{
    for (size_t m = s->start[cell]; m < s->start[cell + 1]; m++) {
        size_t i = s->member[m];
        const hw_record *r = &s->records[i];
        if (!r->checked_peak.known || !r->optimum.known)
            continue;
        double gap = hw_gap_percent(r->checked_peak.value, r->optimum.value);
        if (!isfinite(gap))
            continue;
        size_t *local = &w->local[s->instance[i]];
        if (*local == SIZE_MAX)
            *local = (*n_clusters)++;
        w->finite[at] = gap;
        w->cluster[at++] = *local;
    }
    return at;
}

static hw_code put_stratum(const hw_strata *s, const hw_stats_options *o, size_t stratum,
                           workspace *w, hw_figures *f, size_t *row, hw_error *err)
{
    size_t at = 0, n_clusters = 0;
    for (size_t v = 0; v < s->n_solvers; v++) {
        size_t from = at;
        at = take_finite(s, hw_cell(s, stratum, v), w, at, &n_clusters);
        w->samples[v] = (hw_sample){w->finite + from, w->cluster + from, at - from};
    }
    hw_code code = hw_bootstrap_samples(w->samples, s->n_solvers, n_clusters, o->resamples, o->seed,
                                        w->mean, w->median, err);
    for (size_t v = 0; code == HW_OK && v < s->n_solvers; v++) {
        size_t cell = hw_cell(s, stratum, v);
        for (size_t m = s->start[cell]; m < s->start[cell + 1]; m++)
            w->local[s->instance[s->member[m]]] = SIZE_MAX;
        if (s->start[cell] == s->start[cell + 1])
            continue;
        f->row[*row] = (hw_figure_row){.first = s->first[stratum],
                                       .stratum = stratum,
                                       .solver = s->by[v]->solver,
                                       .is_reference = s->by[v]->exact};
        if (!sum_up(s, cell, w->gap, f, *row))
            code = hw_fail_memory(err, "gaps");
        f->dagger[*row * f->n_columns + MEAN] =
            (double)w->samples[v].n < f->value[*row * f->n_columns + PROVEN];
        hw_figures_put_three(f, *row, MEAN, w->mean[v].value, w->mean[v].low, w->mean[v].high);
        hw_figures_put(f, *row, MEDIAN + 1, w->median[v].low);
        hw_figures_put(f, *row, MEDIAN + 2, w->median[v].high);
        (*row)++;
    }
    return code;
}

hw_code hw_stats_gaps(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    workspace w;
    size_t row = 0;
    hw_code code =
        hw_figures_make(f, columns, N_COLUMNS, hw_strata_filled(s), s->fields, s->n_fields, err);
    if (code != HW_OK)
        return code;
    f->title = "Gaps to the proven optimum";
    f->name = "gaps";
    f->note = "solved: some runs ended without an order, or without the proof that their solver "
              "gives; mean gap: without the infinite gaps, above an optimum of 0";
    if (!open_workspace(&w, s))
        code = hw_fail_memory(err, "gaps");
    for (size_t stratum = 0; code == HW_OK && stratum < s->n_strata; stratum++)
        code = o->stop && *o->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                                   : put_stratum(s, o, stratum, &w, f, &row, err);
    close_workspace(&w);
    if (code != HW_OK)
        hw_figures_free(f);
    return code;
}
