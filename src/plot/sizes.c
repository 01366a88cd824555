/* Against the size of graphs: times, and shares of optimal answers.  See plot.h. */
#include <stdlib.h>

#include "plot/plot_internal.h"

/* Do enough sorted points of one size end at point i? */
static bool is_drawn(const hw_plot_point *points, size_t i)
{
    return points[i + 1 - HW_PLOT_LEAST_RUNS].bucket == points[i].bucket;
}

/* Lines by panel and solver: those without a point are not drawn, which gnuplot takes amiss. */
typedef bool drawn_lines[HW_PLOT_PANELS][HW_PLOT_LINES];

/* ---- Times. ---- */

static size_t put_times(const hw_plot *p, size_t panel, size_t solver, hw_plot_point *points,
                        uint64_t *most)
{
    size_t n, n_points = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, &n);
    for (size_t i = 0; i < n; i++)
        if (run[i].record->wall_seconds > 0)
            points[n_points++] = (hw_plot_point){hw_plot_bucket(p->data, run[i].record->n_nodes),
                                                 run[i].record->wall_seconds};
    hw_plot_sort_points(points, n_points);
    for (size_t i = HW_PLOT_LEAST_RUNS - 1; i < n_points; i++)
        if (points[i].bucket > *most && is_drawn(points, i))
            *most = points[i].bucket;
    return hw_plot_put_quartiles(p->out, points, n_points, p->scratch);
}

/* The lines of a panel, and before them the bands. */
static void plot_times(const hw_plot *p, size_t panel, const bool *drawn, bool bands)
{
    const char *before = "plot ";
    for (size_t i = 0; bands && i < p->n_shown; i++) {
        if (!drawn[i])
            continue;
        (void)fprintf(p->out, "%s$data_%zu_%zu using 1:2:4 with filledcurves linestyle %zu notitle",
                      before, panel, i, i + 1);
        before = ", ";
    }
    for (size_t i = 0; i < p->n_shown; i++) {
        if (!drawn[i])
            continue;
        (void)fprintf(p->out, "%s$data_%zu_%zu using 1:3 with linespoints linestyle %zu notitle",
                      before, panel, i, i + 1);
        before = ", ";
    }
    (void)fputs(*before == 'p' ? "plot [][1e-6:1] 10 notitle\n" : "\n", p->out);
}

hw_code hw_plot_runtime(hw_plot *p, hw_error *err)
{
    drawn_lines drawn = {{false}};
    enum { MOST = 8 }; /* bands of more are a blur */
    p->title = "Time of a solver against the size of the graph";
    p->wanting = "no solver has three runs at one size";
    hw_code code = hw_plot_choose(p, HW_PLOT_BOTH, MOST, err);
    hw_plot_point *points = HW_NEW(hw_plot_point, p->data->n_runs);
    uint64_t most = p->data->least_nodes;
    if (!points)
        return hw_fail_memory(err, "a plot");
    bool bands = p->n_shown <= MOST;
    char caption[160];
    (void)snprintf(caption, sizeof caption, "%s of all runs, those that a limit ended too%s",
                   bands ? "line: median, band: quartiles," : "medians",
                   p->data->many_sizes && p->data->most_nodes > 32
                       ? "; sizes above 32 nodes in steps of 41 %"
                       : "");
    hw_plot_caption(p, caption);
    hw_plot_keys(p);
    p->frame.x_label = "nodes";
    p->frame.y_label = "wall time";
    p->frame.y_format = "%.0s %cs";
    p->frame.n_panels = p->data->n_panels;
    hw_plot_begin(p);
    (void)fputs("set logscale y\nset style fill transparent solid 0.12 noborder\n", p->out);
    for (size_t panel = 0; code == HW_OK && panel < p->data->n_panels; panel++)
        for (size_t i = 0; i < p->n_shown; i++) {
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", panel, i);
            drawn[panel][i] = put_times(p, panel, p->shown[i], points, &most) > 0;
            p->empty = p->empty && !drawn[panel][i];
            (void)fputs("EOD\n", p->out);
        }
    free(points);
    hw_plot_nodes_axis(p, most);
    for (size_t panel = 0; code == HW_OK && panel < p->data->n_panels; panel++) {
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        plot_times(p, panel, drawn[panel], bands);
    }
    return code;
}

/* ---- Optimal answers. ---- */

static size_t put_shares(const hw_plot *p, size_t panel, size_t solver, hw_plot_point *points,
                         uint64_t *most)
{
    size_t n, n_points = 0, buckets = 0;
    double gap;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, &n);
    for (size_t i = 0; i < n; i++)
        if (hw_plot_gap(run[i].record, &gap))
            points[n_points++] =
                (hw_plot_point){hw_plot_bucket(p->data, run[i].record->n_nodes), gap};
    hw_plot_sort_points(points, n_points);
    for (size_t i = 0, end; i < n_points; i = end) {
        uint64_t optimal = 0;
        for (end = i; end < n_points && points[end].bucket == points[i].bucket; end++)
            optimal += points[end].value <= 0;
        if (end - i < HW_PLOT_LEAST_RUNS)
            continue;
        buckets++;
        if (points[i].bucket > *most)
            *most = points[i].bucket;
        hw_share share = hw_share_of(optimal, end - i);
        (void)fprintf(p->out, "%llu %.6g %.6g %.6g\n", (unsigned long long)points[i].bucket,
                      100 * share.share, 100 * share.low, 100 * share.high);
    }
    return buckets;
}

hw_code hw_plot_optimal(hw_plot *p, hw_error *err)
{
    drawn_lines drawn = {{false}};
    p->title = "How often a solver finds the optimum";
    p->wanting = "no heuristic has three answers at one size to instances with a proven optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, 8, err);
    if (code != HW_OK || p->n_shown == 0)
        return code;
    hw_plot_point *points = HW_NEW(hw_plot_point, p->data->n_runs);
    uint64_t most = p->data->least_nodes;
    if (!points)
        return hw_fail_memory(err, "a plot");
    hw_plot_caption(p, "of those with a proven optimum; bars: 95 % Clopper-Pearson intervals");
    hw_plot_keys(p);
    p->frame.x_label = "nodes";
    p->frame.y_label = "optimal answers (%)";
    p->frame.n_panels = p->data->n_panels;
    hw_plot_begin(p);
    (void)fputs("set yrange [0:100]\nset ytics 20\n", p->out);
    for (size_t panel = 0; panel < p->data->n_panels; panel++)
        for (size_t i = 0; i < p->n_shown; i++) {
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", panel, i);
            drawn[panel][i] = put_shares(p, panel, p->shown[i], points, &most) > 0;
            p->empty = p->empty && !drawn[panel][i];
            (void)fputs("EOD\n", p->out);
        }
    free(points);
    hw_plot_nodes_axis(p, most);
    for (size_t panel = 0; panel < p->data->n_panels; panel++) {
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        const char *before = "plot ";
        for (size_t i = 0; i < p->n_shown; i++) {
            if (!drawn[panel][i])
                continue;
            /* Side by side, so that bars at one size stay apart. */
            double shift = 1 + 0.004 * ((double)i - (double)(p->n_shown - 1) / 2);
            (void)fprintf(p->out,
                          "%s$data_%zu_%zu using ($1*%.4f):3:(0):($4-$3) with vectors nohead "
                          "linestyle %zu linewidth 0.6 dashtype 1 notitle, "
                          "'' using ($1*%.4f):2 with linespoints linestyle %zu notitle",
                          before, panel, i, shift, i + 1, shift, i + 1);
            before = ", \\\n ";
        }
        (void)fputs(*before == 'p' ? "plot -1 notitle\n" : "\n", p->out);
    }
    return HW_OK;
}
