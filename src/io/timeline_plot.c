/*
 * Memory over steps and lifetimes as bars.  See timeline_plot.h.
 */
#include "io/timeline_plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/real.h"
#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/memory_curve.h"

/* Pixels. */
enum {
    WIDTH = 1100,
    LEAST_LEFT = 90, /* names of storages stand at the left */
    RIGHT = 30,
    HEAD = 88, /* title, the sum at the peak, legend */
    CURVES = 270,
    BETWEEN = 56,
    BAR = 15,
    FOOT = 66,
    FOOT_NAMES = 110, /* with names of nodes along the axis */
    LEGEND = 18       /* from a panel up to its legend */
};

enum {
    MOST_BARS = 48,
    NAMED_STEPS = 30, /* up to so many, steps carry the names of their nodes */
    NAME_COLUMNS = 22
};

/* ---- Texts. ---- */

static void put_node(FILE *out, const hw_log *log, uint32_t step,
                     void (*put)(FILE *out, const char *text, size_t columns))
{
    const hw_graph *g = log->model->graph;
    uint32_t v = log->order[step];
    if (*hw_node_name(g, v))
        put(out, hw_node_name(g, v), NAME_COLUMNS);
    else
        (void)fprintf(out, "node %" PRIu32, hw_node_id(g, v));
}

/* ---- Which storages to show. ---- */

typedef struct bar {
    hw_lifetime life;
    bool at_peak;
} bar;

static int by_weight(const void *a, const void *b)
{
    const bar *x = a, *y = b;
    if (x->at_peak != y->at_peak)
        return x->at_peak ? -1 : 1;
    if (x->life.size != y->life.size)
        return x->life.size > y->life.size ? -1 : 1;
    return (x->life.tensor > y->life.tensor) - (x->life.tensor < y->life.tensor);
}

static int by_birth(const void *a, const void *b)
{
    const bar *x = a, *y = b;
    if (x->life.birth != y->life.birth)
        return x->life.birth < y->life.birth ? -1 : 1;
    if (x->life.death != y->life.death)
        return x->life.death < y->life.death ? -1 : 1;
    return (x->life.tensor > y->life.tensor) - (x->life.tensor < y->life.tensor);
}

typedef struct picture {
    const hw_log *log;
    const char *order_name;
    hw_curve_unit unit;
    bar *bars;
    uint32_t n_bars, n_at_peak;
    uint64_t bytes_at_peak;
    unsigned height, left;
    bool named_steps;
    double first, last; /* ends of the axis of steps */
    FILE *out;
} picture;

static hw_code choose_bars(picture *p, hw_error *err)
{
    const hw_log *log = p->log;
    p->bars = HW_NEW(bar, log->n_lives);
    if (!p->bars)
        return hw_fail_memory(err, "a plot");
    for (uint32_t i = 0; i < log->n_lives; i++) {
        p->bars[i] = (bar){log->life[i], hw_log_holds(log, &log->life[i], log->peak_step)};
        if (p->bars[i].at_peak) {
            p->n_at_peak++;
            p->bytes_at_peak += log->life[i].size;
        }
    }
    p->n_bars = log->n_lives < MOST_BARS ? log->n_lives : MOST_BARS;
    qsort(p->bars, log->n_lives, sizeof *p->bars, by_weight);
    qsort(p->bars, p->n_bars, sizeof *p->bars, by_birth);
    return HW_OK;
}

/* ---- Parts of the script. ---- */

/* Place the next panel: pixels from the top of the picture. */
static void place(const picture *p, unsigned top, unsigned bottom)
{
    (void)fprintf(p->out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  (double)p->left / WIDTH, 1 - (double)RIGHT / WIDTH, 1 - (double)top / p->height,
                  1 - (double)bottom / p->height);
}

/*
 * A line of the legend, in the colour that it explains, ending `from_right`
 * pixels before the right edge of the panel that begins at `top`.
 */
static void put_legend(const picture *p, unsigned number, unsigned from_right, unsigned top,
                       const char *colour, const char *text)
{
    (void)fprintf(p->out, "set label %u '%s' at screen %.5f, screen %.5f right tc rgb %s\n", number,
                  text, 1 - (double)(RIGHT + from_right) / WIDTH,
                  1 - (double)(top - LEGEND) / p->height, colour);
}

static void put_title(const picture *p)
{
    const hw_log *log = p->log;
    const hw_model *m = log->model;
    FILE *out = p->out;
    (void)fputs("set label 1 '", out);
    hw_gnuplot_put_text(out, *m->graph->name ? m->graph->name : "unnamed graph", 60);
    (void)fputs(": memory while the ", out);
    hw_gnuplot_put_text(out, p->order_name, 30);
    (void)fprintf(out, " order runs (%s%s)' at screen 0.5, screen %.5f center font 'sans,15'\n",
                  hw_accounting_name(m->accounting), m->pin_inputs ? ", inputs pinned" : "",
                  1 - 20.0 / p->height);
    (void)fputs("set label 2 'Peak ", out);
    hw_curve_put_bytes(out, log->peak);
    if (p->unit.bytes > 1)
        (void)fprintf(out, " (%" PRIu64 " bytes)", log->peak);
    if (log->peak_step < 0) {
        (void)fputs(" before step 0", out);
    } else {
        (void)fprintf(out, " at step %" PRId64 " (", log->peak_step);
        put_node(out, log, (uint32_t)log->peak_step, hw_gnuplot_put_text);
        (void)fputs(")", out);
    }
    (void)fprintf(out, " = %" PRIu32 " storage%s of ", p->n_at_peak, p->n_at_peak == 1 ? "" : "s");
    hw_curve_put_bytes(out, p->bytes_at_peak);
    uint64_t workspace = log->peak_step < 0 ? 0 : hw_workspace(m, log->order[log->peak_step]);
    uint64_t resident = log->with_resident ? log->resident_bytes : 0;
    uint64_t reuse = p->bytes_at_peak + workspace + resident - log->peak;
    if (workspace) {
        (void)fputs(" + workspace ", out);
        hw_curve_put_bytes(out, workspace);
    }
    if (resident) {
        (void)fputs(" + constants ", out);
        hw_curve_put_bytes(out, resident);
    }
    if (reuse) {
        (void)fputs(" \xe2\x88\x92 reused in place ", out);
        hw_curve_put_bytes(out, reuse);
    }
    (void)fprintf(out, "' at screen 0.5, screen %.5f center\n", 1 - 43.0 / p->height);
}

static void put_axes(const picture *p)
{
    const hw_log *log = p->log;
    (void)fprintf(p->out,
                  "set xrange [%.1f:%.1f]\n"
                  "set arrow 1 from %" PRId64 ", graph 0 to %" PRId64
                  ", graph 1 nohead dt 2 lc rgb frame front\n",
                  p->first, p->last, log->peak_step, log->peak_step);
}

static void put_curves(const picture *p)
{
    const hw_log *log = p->log;
    FILE *out = p->out;
    double peak = (double)log->peak / p->unit.bytes;
    bool label_right = log->peak_step < (int64_t)(log->n_steps / 2);
    place(p, HEAD, HEAD + CURVES);
    (void)fprintf(out, "set yrange [0:%.9g]\nset ylabel 'memory (%s)' offset -1\n",
                  peak > 0 ? peak * 1.15 : 1, p->unit.name);
    (void)fputs("set format x ''\nset grid noxtics\nset label 3 'peak ", out);
    hw_curve_put_bytes(out, log->peak);
    (void)fprintf(out, "' at %" PRId64 ", %.9g %s offset %s,0.9 font 'sans,12' front\n",
                  log->peak_step, peak, label_right ? "left" : "right",
                  label_right ? "0.6" : "-0.6");
    put_legend(p, 5, 0, HEAD, "live", "\xe2\x96\xac live after the step");
    put_legend(p, 6, 160, HEAD, "usage", "\xe2\x96\xac usage of the step");
    (void)fprintf(out,
                  "plot $live using 1:2 with fillsteps fs solid 1 noborder fc rgb area notitle, "
                  "$live using 1:2 with steps lw 2.5 lc rgb live notitle, "
                  "$usage using 1:2 with steps lw 1.2 lc rgb usage notitle, "
                  "'+' using (%" PRId64 "):(%.9g) every ::0::0 with points pt 7 ps 1 lc rgb "
                  "'#000000' notitle\n",
                  log->peak_step, peak);
}

static void put_bar_name(const picture *p, const bar *b, FILE *out)
{
    const hw_graph *g = p->log->model->graph;
    uint32_t t = b->life.tensor;
    if (*hw_tensor_name(g, t))
        hw_gnuplot_put_tic(out, hw_tensor_name(g, t), NAME_COLUMNS);
    else
        (void)fprintf(out, "tensor");
    (void)fprintf(out, " #%" PRIu32 "  ", hw_tensor_id(g, t));
    hw_curve_put_bytes(out, b->life.size);
}

static void put_bar_names(const picture *p)
{
    if (p->n_bars == 0) {
        (void)fputs("unset ytics\n", p->out);
        return;
    }
    (void)fputs("set ytics () scale 0 font 'sans,9'\n", p->out);
    for (uint32_t i = 0; i < p->n_bars; i++) {
        (void)fputs("set ytics add ('", p->out);
        put_bar_name(p, &p->bars[i], p->out);
        (void)fprintf(p->out, "' %" PRIu32 ")\n", i);
    }
}

/* Room at the left for the longest name. */
static hw_code measure_names(picture *p, hw_error *err)
{
    enum { PIXELS_A_CHARACTER = 6, MARGIN = 18 };
    p->left = LEAST_LEFT;
    for (uint32_t i = 0; i < p->n_bars; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = hw_text_stream(&text, &size);
        if (!out)
            return hw_fail_memory(err, "a plot");
        put_bar_name(p, &p->bars[i], out);
        bool whole = fclose(out) == 0 && text;
        size_t wide = whole ? MARGIN + PIXELS_A_CHARACTER * hw_gnuplot_characters(text) : 0;
        free(text);
        if (!whole)
            return hw_fail_memory(err, "a plot");
        if (wide > p->left)
            p->left = (unsigned)wide;
    }
    return HW_OK;
}

static bool put_bar_rows(const picture *p, const char *name, bool of_peak)
{
    bool any = false;
    double least = 2.5 * (p->last - p->first) / (WIDTH - RIGHT - p->left);
    (void)fprintf(p->out, "$%s << EOD\n", name);
    for (uint32_t i = 0; i < p->n_bars; i++) {
        const bar *b = &p->bars[i];
        if (b->at_peak != of_peak)
            continue;
        double left = b->life.birth < 0 ? p->first : (double)b->life.birth - 0.5;
        double right = (double)(b->life.death < p->log->n_steps ? b->life.death + 1
                                                                : (int64_t)p->log->n_steps) -
                       0.5;
        if (right - left < least) { /* a short life stays visible */
            double middle = (left + right) / 2;
            left = middle - least / 2;
            right = middle + least / 2;
        }
        (void)fprintf(p->out, "%.7g %" PRIu32 " %.7g %.7g\n", left, i, left, right);
        any = true;
    }
    (void)fputs("EOD\n", p->out);
    return any;
}

static void put_steps_axis(const picture *p)
{
    const hw_log *log = p->log;
    FILE *out = p->out;
    (void)fputs("set format x '%.0f'\n", out);
    if (p->named_steps) {
        (void)fputs("set xtics () rotate by 35 right font 'sans,9'\n", out);
        for (uint32_t i = 0; i < log->n_steps; i++) {
            (void)fprintf(out, "set xtics add ('%" PRIu32 " ", i);
            put_node(out, log, i, hw_gnuplot_put_tic);
            (void)fprintf(out, "' %" PRIu32 ")\n", i);
        }
    }
    if (log->n_steps == 0)
        (void)fputs("set xtics ()\n", out);
    if (p->first < -1 && p->named_steps)
        (void)fputs("set xtics add ('before' -1)\n", out);
    (void)fputs("set xlabel 'step", out);
    if (p->named_steps)
        (void)fputs(" and its node", out);
    else if (p->first < -1)
        (void)fputs(" (at the left of 0: before the run)", out);
    if (hw_curve_steps_a_point(log) > 1)
        (void)fprintf(out, " (each point of the curves: the largest of %" PRIu32 " steps)",
                      hw_curve_steps_a_point(log));
    (void)fputs("'\n", out);
}

static void put_bars(const picture *p)
{
    const hw_log *log = p->log;
    FILE *out = p->out;
    unsigned top = HEAD + CURVES + BETWEEN;
    place(p, top, top + BAR * (p->n_bars ? p->n_bars : 1));
    (void)fprintf(out,
                  "unset label\nunset ylabel\nunset grid\n"
                  "set yrange [%.1f:-0.5]\n",
                  p->n_bars ? p->n_bars - 0.5 : 0.5);
    (void)fprintf(out, "set label 4 'Lifetimes: ");
    if (p->n_bars < log->n_lives)
        (void)fprintf(out,
                      "%" PRIu32 " of %" PRIu32 " storages, those of the peak first, then the "
                      "largest",
                      p->n_bars, log->n_lives);
    else
        (void)fprintf(out, "all %" PRIu32 " storages", log->n_lives);
    (void)fprintf(out, "' at graph 0, screen %.5f left\n", 1 - (double)(top - LEGEND) / p->height);
    put_legend(p, 5, 0, top, "other_text", "\xe2\x96\xac not at the peak");
    put_legend(p, 6, 135, top, "usage", "\xe2\x96\xac in memory at the peak");
    put_bar_names(p);
    put_steps_axis(p);
    bool peak = put_bar_rows(p, "peak", true), other = put_bar_rows(p, "other", false);
    (void)fputs("plot ", out);
    if (other)
        (void)fputs("$other using 1:2:3:4:($2-0.36):($2+0.36) with boxxyerror fs solid 1 noborder "
                    "fc rgb other_area notitle, ",
                    out);
    if (peak)
        (void)fputs("$peak using 1:2:3:4:($2-0.36):($2+0.36) with boxxyerror fs solid 1 noborder "
                    "fc rgb usage notitle, ",
                    out);
    (void)fputs("NaN notitle\n", out);
}

static void lay_out(picture *p)
{
    const hw_log *log = p->log;
    uint32_t begin, end;
    hw_log_born(log, -1, &begin, &end);
    p->unit = hw_curve_unit_for(log->peak);
    p->first = begin < end || log->peak_step < 0 ? -1.5 : -0.5;
    p->last = log->n_steps - 0.5;
    p->named_steps = log->n_steps > 0 && log->n_steps <= NAMED_STEPS;
    p->height = HEAD + CURVES + BETWEEN + BAR * (p->n_bars ? p->n_bars : 1) +
                (p->named_steps ? FOOT_NAMES : FOOT);
}

static void put_script(picture *p)
{
    const hw_log *log = p->log;
    lay_out(p);
    (void)fputs("unset key\n", p->out);
    hw_curve_put(p->out, log, "usage", log->usage, p->first, p->unit);
    hw_curve_put(p->out, log, "live", log->live, p->first, p->unit);
    (void)fputs("set multiplot\n", p->out);
    put_title(p);
    put_axes(p);
    put_curves(p);
    put_bars(p);
    (void)fputs("unset multiplot\n", p->out);
}

hw_code hw_timeline_plot(const hw_log *log, const char *order_name, const char *path, hw_error *err)
{
    picture p = {.log = log, .order_name = order_name};
    char *script = NULL;
    size_t size = 0;
    hw_code code = choose_bars(&p, err);
    if (code == HW_OK)
        code = measure_names(&p, err);
    if (code == HW_OK) {
        p.out = hw_text_stream(&script, &size);
        if (!p.out)
            code = hw_fail_memory(err, "a plot");
    }
    if (code == HW_OK) {
        hw_point point;
        hw_point_begin(&point);
        put_script(&p);
        hw_point_end(&point);
        bool whole = !ferror(p.out);
        if (fclose(p.out) != 0 || !whole)
            code = hw_fail_memory(err, "a plot");
    }
    if (code == HW_OK)
        code = hw_gnuplot_render(script, WIDTH, p.height, path, err);
    free(script);
    free(p.bars);
    return code;
}
