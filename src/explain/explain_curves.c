/*
 * The memory of both orders, one above the other, by gnuplot.  See
 * explain_draw.h and, for the style, io/timeline_plot.c.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "explain/explain_draw.h"
#include "core/memory.h"
#include "core/ratio.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/memory_curve.h"

/* Pixels. */
enum {
    WIDTH = 1100,
    LEFT = 104,
    RIGHT = 30,
    HEAD = 92, /* title, the wrong turn, legend, name of the panel */
    CURVES = 230,
    FOOT = 64,       /* under a panel: numbers of steps */
    FOOT_NAMES = 76, /* with names of nodes             */
    PANEL_NAME = 30, /* above the second panel          */
    AXIS_NAME = 16,  /* under the foot of the second    */
    LEGEND = 12,
    COLUMN = 7, /* of text                        */
    TEXT = 20   /* a line of text and its box     */
};

enum { NAMED_STEPS = 30, NAME_COLUMNS = 16, TITLE_COLUMNS = 60, FIGURE_COLUMNS = 10 };

/* The axis of memory ends at this multiple of the greater peak. */
#define HEADROOM 1.3

typedef struct picture {
    const hw_explanation *x;
    const hw_explain_names *names;
    hw_curve_unit unit;
    double first, last; /* ends of the axis of steps */
    uint64_t top;       /* the greater of the peaks  */
    bool named;
    unsigned foot, height;
    FILE *out;
} picture;

typedef void (*put_text)(FILE *out, const char *text, size_t columns);

static void put_node(const picture *p, uint32_t v, put_text put)
{
    const hw_graph *g = p->x->m->graph;
    const char *op = hw_node_op(g, v);
    if (*hw_node_name(g, v)) {
        put(p->out, hw_node_name(g, v), NAME_COLUMNS);
        return;
    }
    put(p->out, *op ? op : "node", NAME_COLUMNS);
    (void)fprintf(p->out, " %" PRIu32, hw_node_id(g, v));
}

static double from_top(const picture *p, unsigned pixels)
{
    return 1 - (double)pixels / p->height;
}

static void put_title(const picture *p)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    (void)fputs("set label 1 '", out);
    hw_gnuplot_put_text(out, *x->m->graph->name ? x->m->graph->name : "unnamed graph",
                        TITLE_COLUMNS);
    (void)fputs(": ", out);
    hw_gnuplot_put_text(out, p->names->solver, TITLE_COLUMNS);
    (void)fputs(" beside ", out);
    hw_gnuplot_put_text(out, p->names->target, TITLE_COLUMNS);
    (void)fprintf(out, " (%s%s)' at screen 0.5, screen %.5f center font 'sans,15'\n",
                  hw_accounting_name(x->m->accounting), x->m->pin_inputs ? ", inputs pinned" : "",
                  from_top(p, 20));
    (void)fputs("set label 2 '", out);
    if (x->has_turn) {
        (void)fprintf(out, "Wrong turn at step %" PRIu32 ": runs ", x->turn.kept);
        put_node(p, x->wrong.node, hw_gnuplot_put_text);
        (void)fputs(", should run ", out);
        put_node(p, x->right.node, hw_gnuplot_put_text);
    } else if (hw_explain_keeps(x)) {
        (void)fputs("No wrong turn", out);
    } else {
        (void)fprintf(out, "The wrong turn is one of the steps %" PRIu32 " to %" PRIu32,
                      x->turn.kept, x->turn.lost - 1);
    }
    if (x->target_bytes && x->solver.peak > x->target_bytes)
        (void)fprintf(out, "; peak %.4g times as much",
                      hw_ratio_value((hw_ratio){x->solver.peak, x->target_bytes}));
    (void)fprintf(out, "' at screen 0.5, screen %.5f center\n", from_top(p, 43));
}

static void put_legend(const picture *p, unsigned number, unsigned from_right, const char *colour,
                       const char *text)
{
    (void)fprintf(p->out, "set label %u '%s' at screen %.5f, screen %.5f right tc rgb %s\n", number,
                  text, 1 - (double)(RIGHT + from_right) / WIDTH, from_top(p, HEAD - LEGEND),
                  colour);
}

/* A band behind the curves from one step to the next. */
static void put_band(const picture *p, unsigned number, double from, double to, const char *colour)
{
    (void)fprintf(p->out,
                  "set object %u rectangle from %.1f, graph 0 to %.1f, graph 1 behind fs solid 1 "
                  "noborder fc rgb %s\n",
                  number, from, to, colour);
}

/* The steps that both orders share, and the wrong turn or where it may be; `node` runs there. */
static void put_marks(const picture *p, const char *what, uint32_t node, const char *colour)
{
    const hw_explanation *x = p->x;
    FILE *out = p->out;
    (void)fputs("unset object\nunset arrow\nunset label 9\n", out);
    if (hw_explain_keeps(x))
        return;
    double turn = (double)x->turn.kept - 0.5;
    bool right = turn < (p->first + p->last) / 2;
    if (x->turn.kept > 0)
        put_band(p, 1, p->first, turn, "shared_band");
    if (!x->has_turn) {
        put_band(p, 2, turn, (double)x->turn.lost - 0.5, "wrong_band");
        return;
    }
    put_band(p, 2, turn, turn + 1, colour);
    (void)fprintf(out,
                  "set arrow 1 from %.1f, graph 0 to %.1f, graph 1 nohead lw 2 lc rgb "
                  "ink front\nset label 9 '%s ",
                  turn, turn, what);
    put_node(p, node, hw_gnuplot_put_text);
    (void)fprintf(out, "' at %.1f, graph 0.95 %s offset %s,0 font 'sans,12' front\n", turn,
                  right ? "left" : "right", right ? "0.6" : "-0.6");
}

static void put_steps(const picture *p, const hw_log *log)
{
    FILE *out = p->out;
    (void)fputs("set format x '%.0f'\n", out);
    if (p->named) {
        (void)fputs("set xtics () rotate by 35 right font 'sans,9'\n", out);
        for (uint32_t i = 0; i < log->n_steps; i++) {
            (void)fprintf(out, "set xtics add ('%" PRIu32 " ", i);
            put_node(p, log->order[i], hw_gnuplot_put_tic);
            (void)fprintf(out, "' %" PRIu32 ")\n", i);
        }
        if (p->first < -1)
            (void)fputs("set xtics add ('before' -1)\n", out);
    }
}

/* Bytes that a height of so many pixels of a panel stands for. */
static double bytes_of(const picture *p, double pixels)
{
    return pixels / CURVES * (double)p->top * HEADROOM;
}

/* Whether a curve runs through low .. high somewhere in the steps from .. to, their ends included.
 */
static bool runs_through(const hw_log *log, const uint64_t *bytes, double from, double to,
                         double low, double high)
{
    uint32_t last = log->n_steps - 1, end = to < last ? (uint32_t)fmax(to, 0) + 1 : last;
    for (uint32_t i = from > 0 ? (uint32_t)from : 0; i <= end; i++) {
        double here = (double)bytes[i], before = i ? (double)bytes[i - 1] : here;
        if (fmin(here, before) <= high && fmax(here, before) >= low)
            return true;
    }
    return false;
}

/*
 * Where a text above the line at `bytes` hides nothing of the curves and of the
 * wrong turn: the step at which it begins, or ends where `right`.  Tried from
 * the end away from the wrong turn on; that end where there is no such place.
 */
static double free_place(const picture *p, const hw_log *log, uint64_t bytes, size_t columns,
                         bool right)
{
    enum { TRIES = 24 };
    double span = p->last - p->first, width = (double)columns * COLUMN / (WIDTH - LEFT - RIGHT);
    double low = (double)bytes + bytes_of(p, 3), high = low + bytes_of(p, TEXT);
    double turn = hw_explain_keeps(p->x) ? -3 : (double)p->x->turn.kept - 0.5;
    for (int k = 0; log->n_steps > 0 && k < TRIES; k++) {
        double at = 0.01 + (1 - 0.02 - width) * k / TRIES;
        double from = p->first + span * (right ? 1 - at - width : at), to = from + span * width;
        if ((to < turn || from > turn + 1) &&
            !runs_through(log, log->usage, from + 0.5, to + 0.5, low, high) &&
            !runs_through(log, log->live, from + 0.5, to + 0.5, low, high))
            return right ? to : from;
    }
    return right ? p->last - 0.01 * span : p->first + 0.01 * span;
}

/*
 * A dashed line at a peak, and its figure where that hides nothing: `line`
 * lines of text above the height of `beside`, the line itself or one too near
 * above it.
 */
static void put_level(const picture *p, const hw_log *log, unsigned number, uint64_t bytes,
                      const char *name, const char *colour, uint64_t beside, unsigned line)
{
    double y = (double)bytes / p->unit.bytes;
    bool right = hw_explain_keeps(p->x) || p->x->turn.kept < (p->first + p->last) / 2;
    (void)fprintf(p->out,
                  "set arrow %u from graph 0, first %.9g to graph 1, first %.9g nohead dt 2 "
                  "lw 1.2 lc rgb %s front\n",
                  number, y, y, colour);
    (void)fprintf(p->out, "set label %u '", number);
    hw_gnuplot_put_text(p->out, name, TITLE_COLUMNS);
    (void)fputs(" ", p->out);
    hw_curve_put_bytes(p->out, bytes);
    size_t columns = strlen(name) < TITLE_COLUMNS ? strlen(name) : TITLE_COLUMNS;
    (void)fprintf(
        p->out, "' at first %.9g, %.9g %s offset 0,%.1f font 'sans,12' front boxed tc rgb %s\n",
        free_place(p, log, beside, columns + FIGURE_COLUMNS, right), (double)beside / p->unit.bytes,
        right ? "right" : "left", 0.7 + 1.2 * line, colour);
}

static void put_panel(const picture *p, const hw_log *log, const char *suffix, unsigned top,
                      const char *name)
{
    FILE *out = p->out;
    double peak = (double)p->top / p->unit.bytes, most = peak > 0 ? peak * HEADROOM : 1;
    (void)fprintf(out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, from_top(p, top),
                  from_top(p, top + CURVES));
    (void)fprintf(out,
                  "set xrange [%.1f:%.1f]\nset yrange [0:%.9g]\nset grid noxtics\n"
                  "set ylabel 'memory (%s)' offset -1\n",
                  p->first, p->last, most, p->unit.name);
    if (log == p->x->log)
        put_marks(p, "wrong turn:", p->x->wrong.node, "wrong_band");
    else
        put_marks(p, "should run:", p->x->right.node, "right_band");
    put_steps(p, log);
    (void)fprintf(out, "set label 3 '%s ",
                  log == p->x->log ? "the order of" : "an order that keeps to");
    hw_gnuplot_put_text(out, name, TITLE_COLUMNS);
    (void)fprintf(out, "' at graph 0, screen %.5f left font 'sans,13'\n",
                  from_top(p, top - LEGEND));
    uint64_t target = log == p->x->log ? p->x->target_bytes : log->peak;
    bool close =
        target < log->peak && (double)(log->peak - target) / p->unit.bytes / most * CURVES < TEXT;
    put_level(p, log, 7, log->peak, "peak", "usage", log->peak, close ? 1 : 0);
    if (target < log->peak)
        put_level(p, log, 8, target, p->names->target, "target", close ? log->peak : target, 0);
    else
        (void)fputs("unset label 8\n", out);
    (void)fprintf(out,
                  "plot $live%s using 1:2 with fillsteps fs transparent solid 0.75 noborder fc rgb "
                  "area notitle, "
                  "$live%s using 1:2 with steps lw 2.5 lc rgb live notitle, "
                  "$usage%s using 1:2 with steps lw 1.2 lc rgb usage notitle\n",
                  suffix, suffix, suffix);
}

static void lay_out(picture *p)
{
    const hw_explanation *x = p->x;
    const hw_log *log = x->log;
    uint32_t begin, end;
    hw_log_born(log, -1, &begin, &end);
    p->top = log->peak > x->other_log->peak ? log->peak : x->other_log->peak;
    p->unit = hw_curve_unit_for(p->top);
    p->first = begin < end ? -1.5 : -0.5;
    p->last = log->n_steps ? log->n_steps - 0.5 : 0.5;
    p->named = log->n_steps > 0 && log->n_steps <= NAMED_STEPS;
    p->foot = p->named ? FOOT_NAMES : FOOT;
    p->height = HEAD + CURVES + p->foot + PANEL_NAME + CURVES + p->foot + AXIS_NAME;
}

static void put_script(picture *p)
{
    const hw_explanation *x = p->x;
    lay_out(p);
    (void)fputs("unset key\n", p->out);
    hw_curve_put(p->out, x->log, "usage0", x->log->usage, p->first, p->unit);
    hw_curve_put(p->out, x->log, "live0", x->log->live, p->first, p->unit);
    hw_curve_put(p->out, x->other_log, "usage1", x->other_log->usage, p->first, p->unit);
    hw_curve_put(p->out, x->other_log, "live1", x->other_log->live, p->first, p->unit);
    (void)fputs("set multiplot\n", p->out);
    put_title(p);
    put_legend(p, 4, 0, "live", "\xe2\x96\xac live after the step");
    put_legend(p, 5, 160, "usage", "\xe2\x96\xac usage of the step");
    if (!hw_explain_keeps(x) && x->turn.kept > 0)
        put_legend(p, 6, 310, "faint", "\xe2\x96\xac grey: steps that both share");
    (void)fputs("unset xlabel\n", p->out);
    put_panel(p, x->log, "0", HEAD, p->names->solver);
    (void)fputs("unset label 1\nunset label 2\nunset label 4\nunset label 5\nunset label 6\n"
                "set xlabel 'step",
                p->out);
    if (p->named)
        (void)fputs(" and its node", p->out);
    else if (hw_curve_steps_a_point(x->log) > 1)
        (void)fprintf(p->out, " (each point of the curves: the largest of %" PRIu32 " steps)",
                      hw_curve_steps_a_point(x->log));
    (void)fputs("'\n", p->out);
    put_panel(p, x->other_log, "1", HEAD + CURVES + p->foot + PANEL_NAME, p->names->target);
    (void)fputs("unset multiplot\n", p->out);
}

hw_code hw_explain_draw_curves(const hw_explanation *x, const hw_explain_names *names,
                               const char *path, hw_error *err)
{
    picture p = {.x = x, .names = names};
    char *script = NULL;
    size_t size = 0;
    p.out = hw_text_stream(&script, &size);
    if (!p.out)
        return hw_fail_memory(err, "a plot");
    put_script(&p);
    bool whole = !ferror(p.out);
    hw_code code = fclose(p.out) == 0 && whole ? HW_OK : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        code = hw_gnuplot_render(script, WIDTH, p.height, path, err);
    free(script);
    return code;
}
