/* Anytime plots: what a run has in hand against time or effort.  See trace.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_internal.h"
#include "bench/trace.h"
#include "core/memory.h"
#include "io/gnuplot_text.h"

enum { LABEL = 26, SUBTITLE = 200, GRAPH_BYTES = 200 };
static const double most_multiple = 2, least_multiple = 0.8; /* that the axis shows */

/* Traces laid out; series and panels are found by the first line of each. */
typedef struct view {
    hw_plot plot; /* panels, series, frame */
    const hw_trace *trace;
    const hw_trace_line *panel[HW_PLOT_PANELS];
    hw_maybe_u64 best[HW_PLOT_PANELS]; /* of all orders */
    size_t *panel_of, *series_of;      /* by line */
    bool by_ticks;
} view;

static bool same_panel(const hw_trace_line *a, const hw_trace_line *b)
{
    return a->pinned == b->pinned && strcmp(a->hash, b->hash) == 0 &&
           strcmp(a->accounting, b->accounting) == 0;
}

static size_t find_panel(view *v, const hw_trace_line *line)
{
    hw_plot *p = &v->plot;
    size_t i = 0;
    while (i < p->n_panels && !same_panel(v->panel[i], line))
        i++;
    if (i < p->n_panels || i == HW_PLOT_PANELS)
        return i;
    v->panel[i] = line;
    size_t length = strlen(line->graph);
    if (length > GRAPH_BYTES) /* between two characters */
        for (length = GRAPH_BYTES; length > 0 && (line->graph[length] & 0xc0) == 0x80;)
            length--;
    (void)snprintf(p->panel[i], HW_PLOT_NAME, "%.*s, %.11s%s", (int)length, line->graph,
                   line->accounting, line->pinned ? ", pinned" : "");
    p->n_panels++;
    return i;
}

static size_t find_series(view *v, const hw_trace_line *line)
{
    hw_plot *p = &v->plot;
    size_t i = 0;
    while (i < p->n_series && strcmp(p->series[i], line->solver) != 0)
        i++;
    if (i < p->n_series || i == HW_PLOT_SERIES)
        return i;
    p->series[p->n_series++] = line->solver;
    return i;
}

static hw_code lay_out(view *v, hw_error *err)
{
    for (size_t i = 0; i < v->trace->n_lines; i++) {
        const hw_trace_line *line = &v->trace->lines[i];
        size_t panel = find_panel(v, line), series = find_series(v, line);
        if (panel == HW_PLOT_PANELS || series == HW_PLOT_SERIES)
            return hw_fail(err, HW_USAGE,
                           "more than %d graphs and accountings, or %d solvers: give fewer traces",
                           HW_PLOT_PANELS, HW_PLOT_SERIES);
        v->panel_of[i] = panel;
        v->series_of[i] = series;
        hw_maybe_u64 *best = &v->best[panel];
        if (line->best.known && (!best->known || line->best.value < best->value))
            *best = line->best;
    }
    for (size_t i = 0; i < v->plot.n_panels; i++)
        if (v->best[i].known)
            return HW_OK;
    return hw_fail(err, HW_BAD_INPUT, "the traces hold nothing to draw: no run has an order");
}

/* Log axes have no 0. */
static double x_of(const view *v, const hw_trace_line *line)
{
    return v->by_ticks ? fmax(1, (double)line->ticks) : fmax(1e-6, line->seconds);
}

static double multiple(const view *v, size_t panel, uint64_t bytes)
{
    uint64_t best = v->best[panel].value;
    if (bytes == best)
        return 1;
    return best ? (double)bytes / (double)best : most_multiple;
}

/*
 * A bound that stands only in the last line of a run was added to it by someone
 * else, unless it is the proof with which the run ended.
 */
static bool has_own_bound(const hw_trace_line *line)
{
    return !line->status || strcmp(line->status, "optimal") == 0;
}

/* Bests or bounds of a series in a panel, a stretch of lines each run. */
static size_t put_block(const view *v, size_t panel, size_t series, bool bounds)
{
    size_t last_run = SIZE_MAX, count = 0;
    (void)fprintf(v->plot.out, "$%s_%zu_%zu << EOD\n", bounds ? "bound" : "best", panel, series);
    for (size_t i = 0; i < v->trace->n_lines; i++) {
        const hw_trace_line *line = &v->trace->lines[i];
        if (v->panel_of[i] != panel || v->series_of[i] != series || !v->best[panel].known ||
            (bounds ? !has_own_bound(line) : !line->best.known))
            continue;
        if (count && line->run != last_run)
            (void)fputc('\n', v->plot.out);
        last_run = line->run;
        (void)fprintf(v->plot.out, "%.9g %.6g\n", x_of(v, line),
                      multiple(v, panel, bounds ? line->bound : line->best.value));
        count++;
    }
    (void)fputs("EOD\n", v->plot.out);
    return count;
}

static void put_axes(const view *v)
{
    double left = INFINITY, right = 0, low = 1, high = 1;
    for (size_t i = 0; i < v->trace->n_lines; i++) {
        const hw_trace_line *line = &v->trace->lines[i];
        size_t panel = v->panel_of[i];
        left = fmin(left, x_of(v, line));
        right = fmax(right, x_of(v, line));
        if (!v->best[panel].known)
            continue;
        if (line->best.known)
            high = fmax(high, multiple(v, panel, line->best.value));
        double bound = multiple(v, panel, line->bound);
        low = has_own_bound(line) && bound >= least_multiple ? fmin(low, bound) : low;
    }
    high = fmin(fmax(high, 1.02), most_multiple);
    (void)fprintf(v->plot.out,
                  "set logscale x\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
                  "set xlabel '%s'\nset ylabel 'peak, as a multiple of the best'\n"
                  "set format x '%%.0s%s%%c%s'\nset grid xtics ytics linestyle 100\n",
                  left / 1.3, right * 1.3, low - (high - low) * 0.03, high,
                  v->by_ticks ? "ticks" : "wall time", v->by_ticks ? "" : " ",
                  v->by_ticks ? "" : "s");
}

/* The solver without its parameters, where that says enough. */
static void put_label(const view *v, size_t series)
{
    const char *spec = v->plot.series[series];
    size_t length = strcspn(spec, ":");
    bool alone = true;
    for (size_t i = 0; i < v->plot.n_series; i++)
        alone = alone && (i == series || strcspn(v->plot.series[i], ":") != length ||
                          strncmp(v->plot.series[i], spec, length) != 0);
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)(alone && length < sizeof name ? length : 63),
                   spec);
    hw_gnuplot_put_text(v->plot.out, name, LABEL);
}

static void draw_panel(const view *v, size_t panel, const size_t *bests)
{
    const hw_plot *p = &v->plot;
    hw_plot_panel(p, panel, panel + 1 == p->n_panels);
    (void)fputs("plot 1 with lines linecolor rgb '#b0b0b0' linewidth 0.8 notitle", p->out);
    for (size_t s = 0; s < p->n_series; s++) {
        /* Each legend entry once, also of a solver that has no line here. */
        (void)fputs(", \\\n NaN with linespoints linewidth 1.5 pointsize 0.6 ", p->out);
        hw_plot_style(p, s);
        (void)fputs(" title '", p->out);
        put_label(v, s);
        (void)fputc('\'', p->out);
        if (bests[s] == 0)
            continue;
        (void)fprintf(p->out, ", \\\n $best_%zu_%zu using 1:2 with steps linewidth 1.5 ", panel, s);
        hw_plot_colour(p, s);
        (void)fprintf(p->out, " notitle, \\\n '' using 1:2 with points pointsize 0.6 ");
        hw_plot_style(p, s);
        (void)fprintf(p->out, " notitle, \\\n $bound_%zu_%zu using 1:2 with steps linewidth 0.7 ",
                      panel, s);
        hw_plot_colour(p, s);
        (void)fputs(" notitle", p->out);
    }
    (void)fputc('\n', p->out);
}

static void draw(const view *v)
{
    size_t bests[HW_PLOT_PANELS][HW_PLOT_SERIES];
    char subtitle[SUBTITLE];
    (void)snprintf(subtitle, sizeof subtitle,
                   "%zu runs; thick: the best order so far, thin: the lower bound, where it is "
                   "above %g of the best",
                   v->trace->n_runs, least_multiple);
    hw_plot_begin(&v->plot,
                  v->by_ticks ? "The best order against effort" : "The best order against time",
                  subtitle);
    put_axes(v);
    for (size_t panel = 0; panel < v->plot.n_panels; panel++)
        for (size_t s = 0; s < v->plot.n_series; s++) {
            bests[panel][s] = put_block(v, panel, s, false);
            (void)put_block(v, panel, s, true);
        }
    for (size_t panel = 0; panel < v->plot.n_panels; panel++)
        draw_panel(v, panel, bests[panel]);
    (void)fputs("unset multiplot\n", v->plot.out);
}

hw_code hw_plot_anytime(const hw_trace *trace, bool by_ticks, char **script, unsigned *width_px,
                        unsigned *height_px, hw_error *err)
{
    size_t size;
    *script = NULL;
    view *v = HW_NEW0(view, 1);
    if (!v)
        return hw_fail_memory(err, "a plot");
    v->trace = trace;
    v->by_ticks = by_ticks;
    v->panel_of = HW_NEW(size_t, trace->n_lines);
    v->series_of = HW_NEW(size_t, trace->n_lines);
    v->plot.out = open_memstream(script, &size);
    hw_code code = v->panel_of && v->series_of && v->plot.out ? lay_out(v, err)
                                                              : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        draw(v);
    *width_px = hw_plot_width(&v->plot);
    *height_px = hw_plot_height(&v->plot);
    if (v->plot.out && fclose(v->plot.out) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "a plot");
    free(v->panel_of);
    free(v->series_of);
    free(v);
    if (code != HW_OK) {
        free(*script);
        *script = NULL;
    }
    return code;
}
