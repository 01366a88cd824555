/* Resident against logical memory.  See replay_plot.h. */
#include "replay/replay_plot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "io/gnuplot.h"
#include "io/gnuplot_text.h"
#include "io/memory_curve.h"
#include "replay/summary.h"

/* Pixels. */
enum {
    WIDTH = 1100,
    LEFT = 90,
    RIGHT = 30,
    HEAD = 64,
    CURVES = 340,
    AXIS = 74,
    LINE = 21,
    FOOT = 8
};

enum { MOST_POINTS = 1200, NAME_COLUMNS = 60 };

/* Lines from the second style on: the first has the blue of the logical bytes. */
enum { FIRST_STYLE = 2, N_STYLES = 7 };

typedef struct picture {
    const hw_replay_plan *plan;
    const hw_replay_line *line;
    size_t n_lines, n_points; /* samples of all passes */
    size_t together;          /* samples a point of the curves */
    hw_curve_unit unit;
    uint64_t top; /* bytes */
    unsigned height;
    FILE *out;
} picture;

/* Where a sample stands on the axis of steps: between two steps, or in the middle of one. */
static double place_of(size_t sample)
{
    return (double)sample / 2 - 0.5;
}

static uint64_t value_of(const picture *p, const hw_replay_line *line, size_t sample)
{
    return line ? hw_replay_resident(line->result, sample)
                : p->plan->logical[sample % p->plan->n_moments];
}

/* The data block $NAME; of samples that share a point the largest counts. */
static void put_data(const picture *p, const char *name, size_t number, const hw_replay_line *line)
{
    size_t n =
        line && line->result->n_samples < p->n_points ? line->result->n_samples : p->n_points;
    (void)fprintf(p->out, "$%s%zu << EOD\n", name, number);
    for (size_t i = 0; i < n; i += p->together) {
        uint64_t most = 0;
        for (size_t k = i; k < n && k - i < p->together; k++) {
            uint64_t value = value_of(p, line, k);
            most = value > most ? value : most;
        }
        (void)fprintf(p->out, "%.2f %.9g\n", place_of(i), (double)most / p->unit.bytes);
    }
    (void)fputs("EOD\n", p->out);
}

static void put_title(const picture *p, const char *order_name, uint64_t scale)
{
    const hw_model *m = p->plan->log->model;
    FILE *out = p->out;
    (void)fputs("set label 1 '", out);
    hw_gnuplot_put_text(out, *m->graph->name ? m->graph->name : "unnamed graph", 50);
    (void)fputs(": resident memory while the ", out);
    hw_gnuplot_put_text(out, order_name, 30);
    (void)fprintf(out, " order runs (%s)' at screen 0.5, screen %.5f center font 'sans,15'\n",
                  hw_accounting_name(m->accounting), 1 - 20.0 / p->height);
    (void)fputs("set label 2 'Logical peak ", out);
    hw_curve_put_bytes(out, hw_replay_peak(p->plan));
    if (scale > 1)
        (void)fprintf(out, ", sizes divided by %" PRIu64, scale);
    (void)fprintf(out, "' at screen 0.5, screen %.5f center\n", 1 - 43.0 / p->height);
}

static void put_legend_line(const picture *p, size_t i)
{
    const hw_replay_line *line = &p->line[i];
    hw_replay_summary s;
    FILE *out = p->out;
    hw_replay_summarize(p->plan, line->result, 0, line->result->passes, &s);
    (void)fprintf(out, "set label %zu '\xe2\x96\xac ", i + 4);
    hw_gnuplot_put_text(out, line->name, NAME_COLUMNS);
    (void)fputs(": resident peak ", out);
    hw_curve_put_bytes(out, s.resident_peak);
    if (s.logical_peak > 0)
        (void)fprintf(out, " (%.3f of the logical)",
                      (double)s.resident_peak / (double)s.logical_peak);
    (void)fputs(", greatest lag ", out);
    hw_curve_put_bytes(out, s.greatest_lag > 0 ? (uint64_t)s.greatest_lag : 0);
    (void)fputs(", at the end ", out);
    hw_curve_put_bytes(out, s.end_lag > 0 ? (uint64_t)s.end_lag : 0);
    (void)fprintf(out, "' at screen %.5f, screen %.5f left tc rgb word(colours, %zu)\n",
                  (double)LEFT / WIDTH,
                  1 - (double)(HEAD + CURVES + AXIS + LINE * (i + 1)) / p->height,
                  FIRST_STYLE + i % N_STYLES);
}

static void put_axes(const picture *p)
{
    (void)fprintf(p->out,
                  "set lmargin at screen %.5f\nset rmargin at screen %.5f\n"
                  "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
                  (double)LEFT / WIDTH, 1 - (double)RIGHT / WIDTH, 1 - (double)HEAD / p->height,
                  1 - (double)(HEAD + CURVES) / p->height);
    (void)fprintf(p->out,
                  "set xrange [-0.5:%.2f]\nset yrange [0:%.9g]\nset grid noxtics\n"
                  "set ylabel 'memory (%s)' offset -1\nset xlabel 'step%s'\n",
                  place_of(p->n_points), p->top ? (double)p->top / p->unit.bytes * 1.08 : 1,
                  p->unit.name,
                  p->n_points > p->plan->n_moments ? " (all passes, one after another)" : "");
}

static void put_plot(const picture *p)
{
    double peak = (double)hw_replay_peak(p->plan) / p->unit.bytes;
    FILE *out = p->out;
    (void)fprintf(out,
                  "set label 3 '\xe2\x96\xac logical bytes: usage while a step runs, live "
                  "after it' at screen %.5f, screen %.5f left tc rgb live\n",
                  (double)LEFT / WIDTH, 1 - (double)(HEAD + CURVES + AXIS) / p->height);
    (void)fprintf(out,
                  "plot $logical0 using 1:2 with fillsteps fs solid 1 noborder fc rgb "
                  "area notitle, "
                  "$logical0 using 1:2 with steps lw 1.5 lc rgb live notitle, "
                  "%.9g with lines lw 1 dt 2 lc rgb live notitle",
                  peak);
    for (size_t i = p->n_lines; i-- > 0;) { /* the first lies on top */
        hw_replay_summary s;
        hw_replay_summarize(p->plan, p->line[i].result, 0, p->line[i].result->passes, &s);
        size_t style = FIRST_STYLE + i % N_STYLES;
        (void)fprintf(out,
                      ", $line%zu using 1:2 with steps ls %zu dt 1 notitle, %.9g with lines ls "
                      "%zu lw 0.8 dt 3 notitle",
                      i, style, (double)s.resident_peak / p->unit.bytes, style);
    }
    (void)fputc('\n', out);
}

static void lay_out(picture *p)
{
    size_t passes = 1;
    p->top = hw_replay_peak(p->plan);
    for (size_t i = 0; i < p->n_lines; i++) {
        const hw_replay_result *r = p->line[i].result;
        passes = r->passes > passes ? r->passes : passes;
        for (size_t k = 0; k < r->n_samples; k++) {
            uint64_t resident = hw_replay_resident(r, k);
            p->top = resident > p->top ? resident : p->top;
        }
    }
    p->n_points = p->plan->n_moments * passes;
    p->together = (p->n_points + MOST_POINTS - 1) / MOST_POINTS;
    p->unit = hw_curve_unit_for(p->top);
    p->height = (unsigned)(HEAD + CURVES + AXIS + LINE * (p->n_lines + 1) + FOOT);
}

static void put_script(const picture *p, const char *order_name, uint64_t scale)
{
    (void)fputs("unset key\nset samples 2\n", p->out);
    put_data(p, "logical", 0, NULL);
    for (size_t i = 0; i < p->n_lines; i++)
        put_data(p, "line", i, &p->line[i]);
    put_title(p, order_name, scale);
    for (size_t i = 0; i < p->n_lines; i++)
        put_legend_line(p, i);
    put_axes(p);
    put_plot(p);
}

hw_code hw_replay_plot(const hw_replay_plan *plan, const hw_replay_line *line, size_t n,
                       const char *order_name, uint64_t scale, const char *path, hw_error *err)
{
    picture p = {.plan = plan, .line = line, .n_lines = n};
    char *script = NULL;
    size_t size = 0;
    lay_out(&p);
    p.out = hw_text_stream(&script, &size);
    if (!p.out)
        return hw_fail_memory(err, "a plot");
    put_script(&p, order_name, scale);
    bool whole = !ferror(p.out);
    hw_code code = fclose(p.out) == 0 && whole
                       ? hw_gnuplot_render(script, WIDTH, p.height, path, err)
                       : hw_fail_memory(err, "a plot");
    free(script);
    return code;
}
