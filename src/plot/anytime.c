/* Anytime plots: what a run has in hand against time or effort.  See plot.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text_stream.h"
#include "plot/plot.h"

enum { LABEL = 64, CAPTION = 200, GRAPH_BYTES = 200, NAME = 256, PANELS = 4, SERIES = 64 };
static const double most_multiple = 2, least_multiple = 0.8; /* that the axis shows */

/* Traces laid out; series and panels are found by the first line of each. */
typedef struct view {
    hw_frame frame;
    FILE *out;
    const hw_trace *trace;
    const hw_trace_line *panel[PANELS];
    char title[PANELS][NAME];
    const char *series[SERIES];
    char label[SERIES][LABEL];
    hw_frame_key key[SERIES];
    size_t n_panels, n_series;
    hw_maybe_u64 best[PANELS];    /* of all orders */
    size_t *panel_of, *series_of; /* by line */
    bool by_ticks;
} view;

static bool same_panel(const hw_trace_line *a, const hw_trace_line *b)
{
    return a->pinned == b->pinned && strcmp(a->hash, b->hash) == 0 &&
           strcmp(a->accounting, b->accounting) == 0;
}

static size_t find_panel(view *v, const hw_trace_line *line)
{
    size_t i = 0;
    while (i < v->n_panels && !same_panel(v->panel[i], line))
        i++;
    if (i < v->n_panels || i == PANELS)
        return i;
    v->panel[i] = line;
    size_t length = strlen(line->graph);
    if (length > GRAPH_BYTES) /* between two characters */
        for (length = GRAPH_BYTES; length > 0 && (line->graph[length] & 0xc0) == 0x80;)
            length--;
    (void)snprintf(v->title[i], NAME, "%.*s, %.11s%s", (int)length, line->graph, line->accounting,
                   line->pinned ? ", pinned" : "");
    v->n_panels++;
    return i;
}

static size_t find_series(view *v, const hw_trace_line *line)
{
    size_t i = 0;
    while (i < v->n_series && strcmp(v->series[i], line->solver) != 0)
        i++;
    if (i < v->n_series || i == SERIES)
        return i;
    v->series[v->n_series++] = line->solver;
    return i;
}

static hw_code lay_out(view *v, hw_error *err)
{
    for (size_t i = 0; i < v->trace->n_lines; i++) {
        const hw_trace_line *line = &v->trace->lines[i];
        size_t panel = find_panel(v, line), series = find_series(v, line);
        if (panel == PANELS || series == SERIES)
            return hw_fail(err, HW_USAGE,
                           "more than %d graphs and accountings, or %d solvers: give fewer traces",
                           PANELS, SERIES);
        v->panel_of[i] = panel;
        v->series_of[i] = series;
        hw_maybe_u64 *best = &v->best[panel];
        if (line->best.known && (!best->known || line->best.value < best->value))
            *best = line->best;
    }
    for (size_t i = 0; i < v->n_panels; i++)
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
    (void)fprintf(v->out, "$%s_%zu_%zu << EOD\n", bounds ? "bound" : "best", panel, series);
    for (size_t i = 0; i < v->trace->n_lines; i++) {
        const hw_trace_line *line = &v->trace->lines[i];
        if (v->panel_of[i] != panel || v->series_of[i] != series || !v->best[panel].known ||
            (bounds ? !has_own_bound(line) : !line->best.known))
            continue;
        if (count && line->run != last_run)
            (void)fputc('\n', v->out);
        last_run = line->run;
        (void)fprintf(v->out, "%.9g %.6g\n", x_of(v, line),
                      multiple(v, panel, bounds ? line->bound : line->best.value));
        count++;
    }
    (void)fputs("EOD\n", v->out);
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
    (void)fprintf(v->out,
                  "set logscale x\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n"
                  "set format x '%%.0s%s%%c%s'\n",
                  left / 1.3, right * 1.3, low - (high - low) * 0.03, high, v->by_ticks ? "" : " ",
                  v->by_ticks ? "" : "s");
}

/* The solver without its parameters, where that says enough. */
static void name_series(view *v, size_t series)
{
    const char *spec = v->series[series];
    size_t length = strcspn(spec, ":");
    bool alone = true;
    for (size_t i = 0; i < v->n_series; i++)
        alone = alone && (i == series || strcspn(v->series[i], ":") != length ||
                          strncmp(v->series[i], spec, length) != 0);
    (void)snprintf(v->label[series], LABEL, "%.*s",
                   (int)(alone && length < LABEL ? length : LABEL - 1), spec);
    v->key[series] = (hw_frame_key){.name = v->label[series], .style = series + 1};
}

static void draw_panel(const view *v, size_t panel, const size_t *bests)
{
    hw_frame_panel(&v->frame, panel, v->title[panel]);
    (void)fputs("plot 1 with lines linecolor rgb other linewidth 0.8 notitle", v->out);
    for (size_t s = 0; s < v->n_series; s++) {
        if (bests[s] == 0)
            continue;
        (void)fprintf(v->out,
                      ", \\\n $best_%zu_%zu using 1:2 with steps linestyle %zu notitle, \\\n"
                      " '' using 1:2 with points linestyle %zu pointsize 0.6 notitle, \\\n"
                      " $bound_%zu_%zu using 1:2 with steps linestyle %zu linewidth 0.7 notitle",
                      panel, s, s + 1, s + 1, panel, s, s + 1);
    }
    (void)fputc('\n', v->out);
}

static void draw(view *v, char caption[CAPTION])
{
    size_t bests[PANELS][SERIES];
    (void)snprintf(caption, CAPTION,
                   "%zu runs; thick: the best order so far, thin: the lower bound, where it is "
                   "above %g of the best",
                   v->trace->n_runs, least_multiple);
    for (size_t s = 0; s < v->n_series; s++)
        name_series(v, s);
    v->frame.out = v->out;
    v->frame.title = v->by_ticks ? "The best order against effort" : "The best order against time";
    v->frame.caption = caption;
    v->frame.x_label = v->by_ticks ? "ticks" : "wall time";
    v->frame.y_label = "peak, as a multiple of the best";
    v->frame.keys = v->key;
    v->frame.n_keys = v->n_series;
    v->frame.n_panels = v->n_panels;
    hw_frame_lay_out(&v->frame);
    hw_frame_begin(&v->frame);
    put_axes(v);
    for (size_t panel = 0; panel < v->n_panels; panel++)
        for (size_t s = 0; s < v->n_series; s++) {
            bests[panel][s] = put_block(v, panel, s, false);
            (void)put_block(v, panel, s, true);
        }
    for (size_t panel = 0; panel < v->n_panels; panel++)
        draw_panel(v, panel, bests[panel]);
    hw_frame_end(&v->frame);
}

hw_code hw_plot_anytime(const hw_trace *trace, bool by_ticks, hw_plot_size size,
                        hw_plot_script *out, hw_error *err)
{
    char caption[CAPTION] = "";
    size_t bytes;
    *out = (hw_plot_script){.text = NULL};
    view *v = HW_NEW0(view, 1);
    if (!v)
        return hw_fail_memory(err, "a plot");
    v->trace = trace;
    v->by_ticks = by_ticks;
    v->frame.size = size;
    v->panel_of = HW_NEW(size_t, trace->n_lines);
    v->series_of = HW_NEW(size_t, trace->n_lines);
    v->out = hw_text_stream(&out->text, &bytes);
    hw_code code =
        v->panel_of && v->series_of && v->out ? lay_out(v, err) : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        draw(v, caption);
    out->width_px = v->frame.width;
    out->height_px = v->frame.height;
    if (v->out && fclose(v->out) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "a plot");
    if (code == HW_OK) {
        out->title = hw_copy(v->frame.title, strlen(v->frame.title) + 1, 1);
        out->caption = hw_copy(caption, strlen(caption) + 1, 1);
        if (!out->title || !out->caption)
            code = hw_fail_memory(err, "a plot");
    }
    free(v->panel_of);
    free(v->series_of);
    free(v);
    if (code != HW_OK)
        hw_plot_script_free(out);
    return code;
}
