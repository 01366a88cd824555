/* Times of runs, and the virtual best of the solvers that prove.  See tables.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "stats/rivals.h"
#include "stats/tables.h"

enum column {
    RUNS,
    SOLVED,
    UNSOLVED,
    LIMIT,
    MEDIAN,
    PAR2,
    GEOMETRIC,
    FASTEST,
    ALONE = FASTEST + 3,
    CONTRIBUTION = ALONE + 3,
    N_COLUMNS
};

static const hw_figure_column columns[N_COLUMNS] = {
    [RUNS] = {"runs", "runs", "TimeRuns", HW_FIGURE_COUNT, 0, false},
    [SOLVED] = {"solved", "solved", "TimeSolved", HW_FIGURE_COUNT, 0, false},
    [UNSOLVED] = {"unsolved", NULL, "Unsolved", HW_FIGURE_COUNT, 0, false},
    [LIMIT] = {"limit_seconds", NULL, "TimeLimit", HW_FIGURE_SECONDS, 0, false},
    [MEDIAN] = {"median_seconds", "median", "MedianTime", HW_FIGURE_SECONDS, -1, false},
    [PAR2] = {"par2_seconds", "PAR2", "ParTwo", HW_FIGURE_SECONDS, -1, false},
    [GEOMETRIC] = {"geometric_mean_seconds", "geometric mean", "MeanTime", HW_FIGURE_SECONDS, -1,
                   false},
    [FASTEST] = {"fastest_share", "fastest", "Fastest", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("fastest", "Fastest", HW_FIGURE_SHARE),
    [ALONE] = {"fastest_alone_share", NULL, "FastestAlone", HW_FIGURE_SHARE, 1, true},
    HW_FIGURE_ENDS("fastest_alone", "FastestAlone", HW_FIGURE_SHARE),
    [CONTRIBUTION] = {"contribution_seconds", "contribution", "TimeContribution", HW_FIGURE_SECONDS,
                      1, false},
};

/* What a run counts for in a stratum. */
typedef struct clock {
    double longest; /* the limit of runs without one */
    double shift;
} clock;

static double limit_of(const hw_record *r, const clock *c)
{
    return r->time_limit > 0 ? r->time_limit : c->longest;
}

/* Solved, but no time is known: nothing can be said. */
static bool is_timed(const hw_record *r)
{
    return !hw_run_is_refused(r) && (r->wall_seconds >= 0 || !hw_run_is_solved(r));
}

/* PAR2 of a run of a solver that proves; NaN: it takes no part. */
static double par2_of(const hw_record *r, const void *context)
{
    if (!r->exact || !is_timed(r))
        return NAN;
    return hw_run_is_solved(r) ? r->wall_seconds : 2 * limit_of(r, context);
}

/* Its seconds where it has its proof: nobody is the fastest where nobody has. */
static double proof_of(const hw_record *r, const void *context)
{
    return hw_run_is_solved(r) ? par2_of(r, context) : NAN;
}

static double longest_of(const hw_strata *s, size_t stratum)
{
    double longest = 0;
    for (size_t m = s->start[hw_cell(s, stratum, 0)]; m < s->start[hw_cell(s, stratum + 1, 0)]; m++)
        longest = fmax(longest, s->records[s->member[m]].wall_seconds);
    return longest;
}

/* NaN: it is endless. */
static double finite_median(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    hw_sort_reals(values, n);
    double low = values[(n - 1) / 2], high = values[n / 2];
    return isfinite(high) ? low + (high - low) / 2 : NAN;
}

static void put_cell(const hw_strata *s, size_t cell, const clock *c, double *times, hw_figures *f,
                     size_t row)
{
    size_t n = 0, solved = 0, from = s->start[cell], to = s->start[cell + 1];
    double par2 = 0, logs = 0, limit = 0;
    for (size_t m = from; m < to; m++) {
        const hw_record *r = &s->records[s->member[m]];
        if (!is_timed(r))
            continue;
        bool done = hw_run_is_solved(r);
        double most = limit_of(r, c);
        limit = fmax(limit, most);
        solved += done;
        par2 += done ? r->wall_seconds : 2 * most;
        logs += log((done ? r->wall_seconds : most) + c->shift);
        times[n++] = done ? r->wall_seconds : INFINITY;
    }
    hw_figures_put(f, row, RUNS, (double)n);
    hw_figures_put(f, row, SOLVED, (double)solved);
    hw_figures_put(f, row, UNSOLVED, (double)(n - solved));
    if (n == 0)
        return;
    hw_figures_put(f, row, LIMIT, limit);
    hw_figures_put(f, row, MEDIAN, finite_median(times, n));
    hw_figures_put(f, row, PAR2, par2 / (double)n);
    hw_figures_put(f, row, GEOMETRIC, fmax(0, exp(logs / (double)n) - c->shift));
    for (enum column d = SOLVED; d <= GEOMETRIC; d++)
        f->dagger[row * f->n_columns + d] = solved < n && (d == SOLVED || d >= PAR2);
}

static void put_rival(hw_figures *f, size_t row, const hw_rivals *all, const hw_rival *one,
                      const hw_rival *proofs)
{
    const hw_share best = hw_share_of(proofs->best, all->n_units);
    const hw_share alone = hw_share_of(proofs->alone, all->n_units);
    hw_figures_put_share(f, row, FASTEST, &best);
    hw_figures_put_share(f, row, ALONE, &alone);
    if (one->n_shared)
        hw_figures_put(f, row, CONTRIBUTION, one->gain / (double)one->n_shared);
}

/* The virtual best is worth a row where two solvers prove. */
static void put_virtual(const hw_strata *s, size_t stratum, const hw_rivals *all, hw_figures *f,
                        size_t *row)
{
    size_t rivals = 0;
    for (size_t v = 0; v < s->n_solvers; v++)
        rivals += all->rival[v].n > 0;
    if (rivals < 2)
        return;
    f->row[*row] = (hw_figure_row){.first = s->first[stratum],
                                   .stratum = stratum,
                                   .solver = "virtual-best",
                                   .is_reference = true};
    hw_figures_put(f, *row, RUNS, (double)all->n_units);
    hw_figures_put(f, (*row)++, PAR2, all->sum / (double)all->n_units);
}

/* Room for a stratum at a time. */
typedef struct workspace {
    hw_rivals all;
    hw_rival *proofs; /* by solver: who proves first */
    double *times;
} workspace;

static void put_stratum(const hw_strata *s, size_t stratum, clock *c, workspace *w, hw_figures *f,
                        size_t *row)
{
    hw_rivals *all = &w->all;
    c->longest = longest_of(s, stratum);
    hw_rivals_compare(all, s, stratum, proof_of, c);
    memcpy(w->proofs, all->rival, s->n_solvers * sizeof *w->proofs);
    hw_rivals_compare(all, s, stratum, par2_of, c);
    for (size_t v = 0; v < s->n_solvers; v++) {
        size_t cell = hw_cell(s, stratum, v);
        if (s->start[cell] == s->start[cell + 1])
            continue;
        f->row[*row] = (hw_figure_row){
            .first = s->first[stratum], .stratum = stratum, .solver = s->by[v]->solver};
        put_cell(s, cell, c, w->times, f, *row);
        if (all->rival[v].n)
            put_rival(f, *row, all, &all->rival[v], &w->proofs[v]);
        (*row)++;
    }
    put_virtual(s, stratum, all, f, row);
}

hw_code hw_stats_times(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    clock c = {.shift = o->shift_seconds};
    workspace w = {.proofs = HW_NEW(hw_rival, s->n_solvers), .times = HW_NEW(double, s->n_records)};
    size_t row = 0;
    hw_code code = hw_figures_make(f, columns, N_COLUMNS, hw_strata_filled(s) + s->n_strata,
                                   s->fields, s->n_fields, err);
    bool made = code == HW_OK;
    if (made)
        code = hw_rivals_open(&w.all, s, err);
    if (code == HW_OK && (!w.times || !w.proofs))
        code = hw_fail_memory(err, "times");
    for (size_t stratum = 0; code == HW_OK && stratum < s->n_strata; stratum++)
        put_stratum(s, stratum, &c, &w, f, &row);
    hw_rivals_close(&w.all);
    free(w.proofs);
    free(w.times);
    if (code == HW_OK) {
        f->title = "Times";
        f->name = "times";
        f->note =
            "with runs that were not solved: twice their limit in PAR2, once in the geometric mean";
        hw_figures_cut(f, row);
    } else if (made) {
        hw_figures_free(f);
    }
    return code;
}
