/* How time and states grow with the number of nodes.  See tables.h. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "bench/fit.h"
#include "core/memory.h"
#include "stats/tables.h"

enum {
    SIZES,
    EXPONENT,
    EXPONENT_ERROR = EXPONENT + 3,
    RATE,
    RATE_ERROR = RATE + 3,
    AIC,
    LAW,
    EACH
};
enum column { RUNS, SOLVED, LEAST, MOST, TIME, STATES = TIME + EACH, N_COLUMNS = STATES + EACH };

#define GROWTH_COLUMNS(at, key, head, macro)                                                       \
    [(at) + SIZES] = {key "_sizes", NULL, macro "Sizes", HW_FIGURE_COUNT, 0, false},               \
            [(at) + EXPONENT] =                                                                    \
                {key "_exponent", head ": n^a", macro "Exponent", HW_FIGURE_REAL, 0, true},        \
            HW_FIGURE_ENDS(key "_exponent", macro "Exponent", HW_FIGURE_REAL),                     \
            [(at) + EXPONENT_ERROR] = {key "_exponent_error", NULL, macro "ExponentError",         \
                                       HW_FIGURE_REAL,        0,    false},                        \
            [(at) + RATE] = {key "_rate", "2^(cn)", macro "Rate", HW_FIGURE_FINE, 0, true},        \
            HW_FIGURE_ENDS(key "_rate", macro "Rate", HW_FIGURE_FINE),                             \
            [(at) + RATE_ERROR] = {key "_rate_error", NULL, macro "RateError",                     \
                                   HW_FIGURE_REAL,    0,    false},                                \
            [(at) + AIC] = {key "_aic_difference", NULL, macro "Aic", HW_FIGURE_REAL, 0, false},   \
            [(at) + LAW] = {key "_law", "law", macro "Law", HW_FIGURE_TEXT, 0, false}

static const hw_figure_column columns[N_COLUMNS] = {
    [RUNS] = {"runs", NULL, NULL, HW_FIGURE_COUNT, 0, false},
    [SOLVED] = {"solved", NULL, NULL, HW_FIGURE_COUNT, 0, false},
    [LEAST] = {"least_nodes", "from", "GrowthLeast", HW_FIGURE_COUNT, 0, false},
    [MOST] = {"most_nodes", "to", "GrowthMost", HW_FIGURE_COUNT, 0, false},
    GROWTH_COLUMNS(TIME, "time", "time", "Time"),
    GROWTH_COLUMNS(STATES, "states", "states", "States"),
};

typedef struct point {
    uint64_t nodes;
    double seconds, states; /* INFINITY: not solved */
} point;

typedef struct workspace {
    point *point; /* of a cell */
    double *value, *x, *y;
} workspace;

static int by_nodes(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return (p->nodes > q->nodes) - (p->nodes < q->nodes);
}

/* Of n values that come one after the other; INFINITY: not solved; NaN: unknown. */
static double median_of(double *values, size_t n)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    if (known == 0)
        return NAN;
    hw_sort_reals(values, known);
    double low = values[(known - 1) / 2], high = values[known / 2];
    return isfinite(high) ? low + (high - low) / 2 : NAN;
}

/* The ends of the 95 % interval: Student's t with two degrees lost to the line. */
static void put_estimate(hw_figures *f, size_t row, size_t column, double value, double error,
                         size_t n)
{
    double reach = n > 2 ? gsl_cdf_tdist_Pinv(0.975, (double)n - 2) * error : NAN;
    hw_figures_put_three(f, row, column, value, value - reach, value + reach);
}

static bool put_growth(hw_figures *f, size_t row, size_t at, const hw_growth *g)
{
    hw_figures_put(f, row, at + SIZES, (double)g->n);
    put_estimate(f, row, at + EXPONENT, g->exponent, g->exponent_error, g->n);
    hw_figures_put(f, row, at + EXPONENT_ERROR, g->exponent_error);
    put_estimate(f, row, at + RATE, g->rate, g->rate_error, g->n);
    hw_figures_put(f, row, at + RATE_ERROR, g->rate_error);
    hw_figures_put(f, row, at + AIC, g->aic_difference);
    const char *law = hw_growth_law(g);
    return !law || hw_figures_put_text(f, row, at + LAW, law);
}

/* The medians at each n of n_points sorted points, of time or of states. */
static hw_growth fit(workspace *w, size_t n_points, bool of_states)
{
    size_t n = 0;
    for (size_t i = 0, end; i < n_points; i = end) {
        for (end = i; end < n_points && w->point[end].nodes == w->point[i].nodes; end++)
            w->value[end - i] = of_states ? w->point[end].states : w->point[end].seconds;
        w->x[n] = (double)w->point[i].nodes;
        w->y[n++] = median_of(w->value, end - i);
    }
    return hw_growth_of(w->x, w->y, n);
}

static bool put_cell(const hw_strata *s, size_t cell, workspace *w, hw_figures *f, size_t row)
{
    size_t n = 0, solved = 0;
    for (size_t m = s->start[cell]; m < s->start[cell + 1]; m++) {
        const hw_record *r = &s->records[s->member[m]];
        if (hw_run_is_refused(r) || !r->graph)
            continue;
        bool done = hw_run_is_solved(r);
        solved += done;
        w->point[n++] = (point){
            .nodes = r->n_nodes,
            .seconds = !done                  ? INFINITY
                       : r->wall_seconds >= 0 ? r->wall_seconds
                                              : NAN,
            .states = !done             ? INFINITY
                      : r->states.known ? (double)r->states.value
                                        : NAN,
        };
    }
    hw_figures_put(f, row, RUNS, (double)n);
    hw_figures_put(f, row, SOLVED, (double)solved);
    if (n == 0)
        return true;
    qsort(w->point, n, sizeof *w->point, by_nodes);
    hw_figures_put(f, row, LEAST, (double)w->point[0].nodes);
    hw_figures_put(f, row, MOST, (double)w->point[n - 1].nodes);
    hw_growth time = fit(w, n, false), states = fit(w, n, true);
    return put_growth(f, row, TIME, &time) && put_growth(f, row, STATES, &states);
}

hw_code hw_stats_growth(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    size_t row = 0, n = s->n_records;
    (void)o;
    hw_code code =
        hw_figures_make(f, columns, N_COLUMNS, hw_strata_filled(s), s->fields, s->n_fields, err);
    if (code != HW_OK)
        return code;
    f->title = "Growth with the number of nodes";
    f->name = "growth";
    workspace w = {HW_NEW(point, n), HW_NEW(double, n), HW_NEW(double, n), HW_NEW(double, n)};
    bool fine = w.point && w.value && w.x && w.y;
    for (size_t cell = 0; fine && cell < s->n_strata * s->n_solvers; cell++) {
        if (s->start[cell] == s->start[cell + 1])
            continue;
        size_t stratum = cell / s->n_solvers;
        f->row[row] = (hw_figure_row){.first = s->first[stratum],
                                      .stratum = stratum,
                                      .solver = s->by[cell % s->n_solvers]->solver};
        fine = put_cell(s, cell, &w, f, row++);
    }
    free(w.point);
    free(w.value);
    free(w.x);
    free(w.y);
    if (fine)
        return HW_OK;
    hw_figures_free(f);
    return hw_fail_memory(err, "growth");
}
