/* The virtual best of the solvers that do not prove.  See tables.h. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "stats/rivals.h"
#include "stats/tables.h"

enum column {
    UNITS,
    ANSWERED,
    MEAN,
    BEST,
    ALONE = BEST + 3,
    CONTRIBUTION = ALONE + 3,
    ONLY,
    WHICH,
    N_COLUMNS
};

static const hw_figure_column columns[N_COLUMNS] = {
    [UNITS] = {"units", "units", "RivalUnits", HW_FIGURE_COUNT, 0, false},
    [ANSWERED] = {"answered", "answered", "RivalAnswered", HW_FIGURE_COUNT, 0, false},
    [MEAN] = {"mean_gap_percent", "mean gap", "RivalMeanGap", HW_FIGURE_PERCENT, -1, false},
    [BEST] = {"best_share", "best", "Best", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("best", "Best", HW_FIGURE_SHARE),
    [ALONE] = {"alone_share", "alone", "Alone", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("alone", "Alone", HW_FIGURE_SHARE),
    [CONTRIBUTION] = {"contribution_percent", "contribution", "Contribution", HW_FIGURE_PERCENT, 1,
                      false},
    [ONLY] = {"only", NULL, "RivalOnly", HW_FIGURE_COUNT, 0, false},
    [WHICH] = {"which", "which", "Which", HW_FIGURE_TEXT, 0, false},
};

/* The gap of a run that takes part; NaN: it does not. */
static double gap_of(const hw_record *r, const void *context)
{
    (void)context;
    if (r->exact || !r->checked_peak.known || !r->optimum.known || r->optimum.value == 0)
        return NAN;
    return hw_gap_percent(r->checked_peak.value, r->optimum.value);
}

static void put_solver(hw_figures *f, size_t row, const hw_rivals *all, const hw_rival *one)
{
    const hw_share best = hw_share_of(one->best, all->n_units);
    const hw_share alone = hw_share_of(one->alone, all->n_units);
    hw_figures_put(f, row, UNITS, (double)all->n_units);
    hw_figures_put(f, row, ANSWERED, (double)one->n);
    hw_figures_put(f, row, MEAN, one->n ? one->sum / (double)one->n : NAN);
    hw_figures_put_share(f, row, BEST, &best);
    hw_figures_put_share(f, row, ALONE, &alone);
    if (one->n_shared)
        hw_figures_put(f, row, CONTRIBUTION, one->gain / (double)one->n_shared);
    hw_figures_put(f, row, ONLY, (double)(all->n_units - one->n_shared));
}

/* More orders, then the smaller mean gap. */
static bool is_better(const hw_rival *a, const hw_rival *b)
{
    if (a->n != b->n)
        return a->n > b->n;
    return a->sum < b->sum;
}

static bool put_stratum(const hw_strata *s, size_t stratum, const hw_rivals *all, hw_figures *f,
                        size_t *row)
{
    size_t best = SIZE_MAX;
    for (size_t v = 0; v < s->n_solvers; v++) {
        const hw_rival *one = &all->rival[v];
        if (one->n == 0)
            continue;
        f->row[*row] = (hw_figure_row){
            .first = s->first[stratum], .stratum = stratum, .solver = s->by[v]->solver};
        put_solver(f, (*row)++, all, one);
        if (best == SIZE_MAX || is_better(one, &all->rival[best]))
            best = v;
    }
    if (best == SIZE_MAX)
        return true;
    f->row[*row] = (hw_figure_row){.first = s->first[stratum],
                                   .stratum = stratum,
                                   .solver = "single-best",
                                   .is_reference = true};
    put_solver(f, *row, all, &all->rival[best]);
    bool fine = hw_figures_put_text(f, (*row)++, WHICH, s->by[best]->solver);
    f->row[*row] = (hw_figure_row){.first = s->first[stratum],
                                   .stratum = stratum,
                                   .solver = "virtual-best",
                                   .is_reference = true};
    hw_figures_put(f, *row, UNITS, (double)all->n_units);
    hw_figures_put(f, *row, ANSWERED, (double)all->n_units);
    hw_figures_put(f, (*row)++, MEAN, all->sum / (double)all->n_units);
    return fine;
}

hw_code hw_stats_best(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    hw_rivals all;
    size_t row = 0;
    (void)o;
    hw_code code = hw_figures_make(f, columns, N_COLUMNS, hw_strata_filled(s) + 2 * s->n_strata,
                                   s->fields, s->n_fields, err);
    if (code != HW_OK)
        return code;
    f->title = "The virtual best solver, by gap";
    f->name = "best";
    code = hw_rivals_open(&all, s, err);
    for (size_t stratum = 0; code == HW_OK && stratum < s->n_strata; stratum++) {
        hw_rivals_compare(&all, s, stratum, gap_of, NULL);
        if (!put_stratum(s, stratum, &all, f, &row))
            code = hw_fail_memory(err, "figures");
    }
    hw_rivals_close(&all);
    if (code != HW_OK)
        hw_figures_free(f);
    else
        hw_figures_cut(f, row);
    return code;
}
