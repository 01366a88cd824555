/*
 * The performance profile: for each solver the share of instances on which its
 * peak is at most tau times the best known peak (Dolan and Moré 2002).  A run
 * without an order never counts.  See plot.h.
 *
 * Where the best known peak is the proven optimum, the curve of a solver depends
 * on no other solver; among rivals it does, see rivals.c.
 */
#include <math.h>

#include "plot/plot_internal.h"

static const double most_ratio = 3;

/* A zero best peak is only equalled by zero: the ratio is then 1 or none. */
static double ratio_of(uint64_t peak, uint64_t best)
{
    if (peak == best)
        return 1;
    return best ? (double)peak / (double)best : INFINITY;
}

/* The ratios of a solver, sorted, in scratch; *n_runs counts those without one as well. */
static size_t ratios_of(const hw_plot *p, size_t panel, size_t solver, size_t *n_runs)
{
    size_t n = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, n_runs);
    for (size_t i = 0; i < *n_runs; i++)
        if (run[i].record->checked_peak.known)
            p->scratch[n++] =
                ratio_of(run[i].record->checked_peak.value, p->data->unit[run[i].unit].best.value);
    hw_sort_reals(p->scratch, n);
    return n;
}

/* How far the axis must go for nearly all runs of nearly all solvers. */
static double reach_of(const hw_plot *p)
{
    double reach = 1.1;
    for (size_t panel = 0; panel < p->data->n_panels; panel++)
        for (size_t i = 0; i < p->n_shown; i++) {
            size_t n_runs, n = ratios_of(p, panel, p->shown[i], &n_runs);
            double far = n ? hw_quantile(p->scratch, n, 0.95) : 1;
            reach = far > reach ? far : reach;
        }
    return reach < most_ratio ? reach : most_ratio;
}

hw_code hw_plot_profile(hw_plot *p, hw_error *err)
{
    bool drawn[HW_PLOT_PANELS][HW_PLOT_LINES];
    p->title = "Performance profile of the peaks";
    p->wanting = "no heuristic has an order";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, 8, err);
    if (code != HW_OK)
        return code;
    hw_plot_caption(p, "share of instances with a peak within that multiple of the best known, "
                       "which is of all solvers, exact ones included");
    hw_plot_keys(p);
    p->frame.x_label = "peak, as a multiple of the best known";
    p->frame.y_label = "instances (%)";
    p->frame.n_panels = p->data->n_panels;
    hw_plot_begin(p);
    double reach = reach_of(p);
    (void)fprintf(p->out, "set xrange [1:%.6g]\nset yrange [0:100]\nset ytics 20\n", reach);
    for (size_t panel = 0; panel < p->data->n_panels; panel++)
        for (size_t i = 0; i < p->n_shown; i++) {
            size_t n_runs = 0, n = ratios_of(p, panel, p->shown[i], &n_runs);
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", panel, i);
            hw_plot_put_steps(p->out, p->scratch, n, n_runs, 1, reach, false);
            (void)fputs("EOD\n", p->out);
            drawn[panel][i] = n_runs > 0;
            p->empty = p->empty && n == 0;
        }
    for (size_t panel = 0; panel < p->data->n_panels; panel++) {
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        hw_plot_put_lines(p, panel, drawn[panel]);
    }
    return HW_OK;
}
