/*
 * The performance profile: for each solver the share of instances on which its
 * peak is at most tau times the best known peak (Dolan and Moré, 2002).  A run
 * without an order never counts.  See plot.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_internal.h"
#include "core/memory.h"

enum { STEPS = 240 };
static const double most_ratio = 3;

/* A run beside the best peak of its unit. */
typedef struct rated {
    const hw_record *record;
    double ratio; /* NaN: no order, or no solver has one */
} rated;

static int compare_by_unit(const void *x, const void *y)
{
    const rated *a = x, *b = y;
    int d = hw_record_compare_units(a->record, b->record);
    return d ? d : (a->record > b->record) - (a->record < b->record);
}

static int compare_by_record(const void *x, const void *y)
{
    const rated *a = x, *b = y;
    return (a->record > b->record) - (a->record < b->record);
}

/* A zero best peak is only equalled by zero: the ratio is then 1 or none. */
static double ratio_of(const hw_record *r, uint64_t best)
{
    if (!r->checked_peak.known)
        return NAN;
    if (r->checked_peak.value == best)
        return 1;
    return best ? (double)r->checked_peak.value / (double)best : INFINITY;
}

static void rate_unit(rated *runs, size_t n)
{
    uint64_t best = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const hw_record *r = runs[i].record;
        if (r->checked_peak.known && r->checked_peak.value < best)
            best = r->checked_peak.value;
        if (r->optimum.known && r->optimum.value < best)
            best = r->optimum.value;
    }
    for (size_t i = 0; i < n; i++)
        runs[i].ratio = ratio_of(runs[i].record, best);
}

static void rate(rated *runs, size_t n)
{
    qsort(runs, n, sizeof *runs, compare_by_unit);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1;
             end < n && hw_record_compare_units(runs[i].record, runs[end].record) == 0;)
            end++;
        rate_unit(runs + i, end - i);
    }
    qsort(runs, n, sizeof *runs, compare_by_record);
}

/* The ratios of a series, sorted; *n_runs counts those without one as well. */
static size_t ratios_of(const hw_plot *p, const hw_record *records, const rated *runs, size_t panel,
                        size_t series, size_t *n_runs)
{
    size_t n = 0;
    const hw_record *const *member = hw_plot_runs(p, panel, series, n_runs);
    for (size_t i = 0; i < *n_runs; i++) {
        double ratio = runs[member[i] - records].ratio;
        if (!isnan(ratio))
            p->scratch[n++] = ratio;
    }
    hw_sort_reals(p->scratch, n);
    return n;
}

static void put_curve(const hw_plot *p, size_t n, size_t n_runs, double reach)
{
    size_t at = 0;
    for (unsigned step = 0; step <= STEPS && n_runs; step++) {
        double tau = 1 + (reach - 1) * step / STEPS;
        while (at < n && p->scratch[at] <= tau + 1e-12)
            at++;
        (void)fprintf(p->out, "%.6g %.6g\n", tau, 100.0 * (double)at / (double)n_runs);
    }
}

/* How far the axis must go for nearly all runs of nearly all solvers. */
static double reach_of(const hw_plot *p, const hw_record *records, const rated *runs)
{
    double reach = 1.1;
    for (size_t panel = 0; panel < p->n_panels; panel++)
        for (size_t s = 0; s < p->n_series; s++) {
            size_t n_runs, n = p->exact[s] ? 0 : ratios_of(p, records, runs, panel, s, &n_runs);
            double far = n ? hw_quantile(p->scratch, n, 0.95) : 1;
            reach = far > reach ? far : reach;
        }
    return reach < most_ratio ? reach : most_ratio;
}

static void draw(hw_plot *p, const hw_record *records, const rated *runs, bool *empty)
{
    double reach = reach_of(p, records, runs);
    (void)fprintf(p->out,
                  "set xrange [1:%.6g]\nset yrange [0:100]\n"
                  "set xlabel 'peak, as a multiple of the best known'\n"
                  "set ylabel 'instances (%%)'\nset ytics 20\nset grid xtics ytics linestyle 100\n",
                  reach);
    for (size_t panel = 0; panel < p->n_panels; panel++)
        for (size_t s = 0; s < p->n_series; s++) {
            size_t n_runs = 0, n = p->exact[s] ? 0 : ratios_of(p, records, runs, panel, s, &n_runs);
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", panel, s);
            put_curve(p, n, n_runs, reach);
            (void)fputs("EOD\n", p->out);
            *empty = *empty && n == 0;
        }
    for (size_t panel = 0; panel < p->n_panels && !*empty; panel++) {
        hw_plot_panel(p, panel, panel + 1 == p->n_panels);
        (void)fputs("plot ", p->out);
        bool first = true;
        for (size_t s = 0; s < p->n_series; s++) {
            if (p->exact[s])
                continue;
            (void)fprintf(p->out,
                          "%s$data_%zu_%zu using 1:2 with linespoints pointinterval 30 "
                          "pointsize 0.7 linewidth 1.5 ",
                          first ? "" : ", ", panel, s);
            hw_plot_style(p, s);
            (void)fputs(" title ", p->out);
            hw_plot_put_name(p, p->series[s]);
            first = false;
        }
        (void)fputc('\n', p->out);
    }
}

hw_code hw_plot_profile(hw_plot *p, const hw_record *records, size_t n, bool *empty, hw_error *err)
{
    rated *runs = HW_NEW(rated, n);
    if (!runs)
        return hw_fail_memory(err, "a plot");
    for (size_t i = 0; i < n; i++)
        runs[i] = (rated){.record = &records[i]};
    rate(runs, n);
    char subtitle[320];
    (void)snprintf(subtitle, sizeof subtitle,
                   "%" PRIu64 " graphs of %" PRIu64 " to %" PRIu64
                   " nodes; share of instances with a peak within that multiple; best of all "
                   "solvers, exact ones included",
                   p->n_graphs, p->least_nodes, p->most_nodes);
    hw_plot_begin(p, "Performance profile of the peaks", subtitle);
    draw(p, records, runs, empty);
    free(runs);
    return HW_OK;
}
