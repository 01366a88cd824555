/*
 * What all plots share: panels, series, colours, frame.  See plot.h.
 *
 * Colours are those of Okabe and Ito (2008), told apart by all common kinds of
 * colour vision; dashes and marks repeat what colours say.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_internal.h"
#include "core/memory.h"
#include "io/gnuplot_text.h"

/* Pixels: beside the panels, of a panel, between panels, for the legend. */
enum { LEFT = 96, PANEL = 430, BETWEEN = 30, LEGEND = 190, TOP = 100, HEIGHT = 400, BOTTOM = 62 };
enum { LEGEND_ROW = 20 };
enum { PANEL_COLUMNS = 48 };         /* of its title */
enum { NAMES = 125, FIGURES = 135 }; /* plots with solvers on the axis */

static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#56b4e9", "#e69f00", "#000000", "#8a6d00"};
enum { N_COLOURS = sizeof colours / sizeof colours[0] };

/* ---- Laying out. ---- */

const hw_record *const *hw_plot_runs(const hw_plot *p, size_t panel, size_t series, size_t *n)
{
    size_t g = p->cell[panel][series];
    *n = g == SIZE_MAX ? 0 : p->runs.start[g + 1] - p->runs.start[g];
    return g == SIZE_MAX ? NULL : p->runs.member + p->runs.start[g];
}

uint64_t hw_plot_bucket(uint64_t n_nodes)
{
    if (n_nodes <= 32)
        return n_nodes;
    return (uint64_t)(exp2(round(2 * log2((double)n_nodes)) / 2) + 0.5);
}

uint64_t hw_plot_next_bucket(const hw_record *const *runs, size_t n, uint64_t after)
{
    uint64_t next = 0;
    for (size_t i = 0; i < n; i++) {
        uint64_t bucket = hw_plot_bucket(runs[i]->n_nodes);
        if (runs[i]->graph && bucket > after && (next == 0 || bucket < next))
            next = bucket;
    }
    return next;
}

static size_t find_panel(hw_plot *p, const hw_record *r)
{
    char name[HW_PLOT_NAME];
    (void)snprintf(name, sizeof name, "%.30s%s", r->accounting, r->pinned ? ", inputs pinned" : "");
    for (size_t i = 0; i < p->n_panels; i++)
        if (strcmp(p->panel[i], name) == 0)
            return i;
    if (p->n_panels == HW_PLOT_PANELS)
        return SIZE_MAX;
    memcpy(p->panel[p->n_panels], name, sizeof name);
    return p->n_panels++;
}

static size_t find_series(hw_plot *p, const hw_record *r)
{
    for (size_t i = 0; i < p->n_series; i++)
        if (strcmp(p->series[i], r->solver) == 0)
            return i;
    if (p->n_series == HW_PLOT_SERIES)
        return SIZE_MAX;
    p->series[p->n_series] = r->solver;
    p->exact[p->n_series] = r->exact;
    return p->n_series++;
}

static int compare_graphs(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static hw_code count_graphs(hw_plot *p, const hw_record *records, size_t n, hw_error *err)
{
    const char **graph = HW_NEW(const char *, n);
    size_t n_graphs = 0;
    if (!graph)
        return hw_fail_memory(err, "a plot");
    p->least_nodes = UINT64_MAX;
    for (size_t i = 0; i < n; i++) {
        if (!records[i].graph)
            continue;
        graph[n_graphs++] = records[i].graph;
        if (records[i].n_nodes < p->least_nodes)
            p->least_nodes = records[i].n_nodes;
        if (records[i].n_nodes > p->most_nodes)
            p->most_nodes = records[i].n_nodes;
    }
    qsort((void *)graph, n_graphs, sizeof *graph, compare_graphs);
    for (size_t i = 0; i < n_graphs; i++)
        p->n_graphs += i == 0 || strcmp(graph[i - 1], graph[i]) != 0;
    free((void *)graph);
    return HW_OK;
}

static hw_code lay_out(hw_plot *p, const hw_record *records, size_t n, hw_error *err)
{
    static const hw_field fields[] = {HW_FIELD_ACCOUNTING, HW_FIELD_PINNED, HW_FIELD_SOLVER};
    hw_code code = count_graphs(p, records, n, err);
    if (code == HW_OK)
        code = hw_partition_make(records, n, fields, 3, &p->runs, err);
    if (code != HW_OK)
        return code;
    for (size_t i = 0; i < HW_PLOT_PANELS; i++)
        for (size_t k = 0; k < HW_PLOT_SERIES; k++)
            p->cell[i][k] = SIZE_MAX;
    for (size_t g = 0; g < p->runs.n_groups; g++) {
        const hw_record *r = p->runs.member[p->runs.start[g]];
        size_t panel = find_panel(p, r), series = find_series(p, r);
        if (panel == SIZE_MAX || series == SIZE_MAX)
            return hw_fail(err, HW_USAGE,
                           "more than %d accountings or %d solvers: choose some by --where",
                           HW_PLOT_PANELS, HW_PLOT_SERIES);
        p->cell[panel][series] = g;
    }
    return HW_OK;
}

/* ---- The frame. ---- */

unsigned hw_plot_width(const hw_plot *p)
{
    unsigned each = PANEL + (p->names_on_axis ? FIGURES : BETWEEN);
    return (p->names_on_axis ? NAMES : LEFT) + (unsigned)p->n_panels * each +
           (p->names_on_axis ? 0 : LEGEND - BETWEEN);
}

unsigned hw_plot_height(const hw_plot *p)
{
    unsigned rows = 26 * (unsigned)p->n_series + 40;
    unsigned legend =
        LEGEND_ROW * (unsigned)p->n_series; /* gnuplot leaves out the end of a longer one */
    if (!p->names_on_axis)
        rows = legend > HEIGHT ? legend : HEIGHT;
    return TOP + rows + BOTTOM;
}

void hw_plot_begin(const hw_plot *p, const char *title, const char *subtitle)
{
    double height = hw_plot_height(p), width = hw_plot_width(p);
    (void)fprintf(p->out,
                  "set multiplot\n"
                  "set style line 100 linecolor rgb '#d8d8d8' linewidth 0.6\n"
                  "set border 3 linecolor rgb '#404040' linewidth 0.8\n"
                  "set tics nomirror out scale 0.6\n"
                  "set label 1 \"%s\" at screen %.4f,%.4f left font ',16'\n"
                  "set label 2 \"%s\" at screen %.4f,%.4f left font ',11' "
                  "textcolor rgb '#404040'\n",
                  title, 16 / width, 1 - 24 / height, subtitle, 16 / width, 1 - 48 / height);
}

void hw_plot_panel(const hw_plot *p, size_t panel, bool legend)
{
    double width = hw_plot_width(p), height = hw_plot_height(p);
    double each = PANEL + (p->names_on_axis ? FIGURES : BETWEEN);
    double left = (p->names_on_axis ? NAMES : LEFT) + (double)panel * each;
    (void)fprintf(p->out,
                  "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
                  "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
                  "set title '",
                  left / width, (left + PANEL) / width, 1 - TOP / height, BOTTOM / height);
    hw_gnuplot_put_text(p->out, p->panel[panel], PANEL_COLUMNS);
    (void)fputs("' font ',13' offset 0,-0.4\n", p->out);
    if (panel > 0)
        (void)fputs("unset label 1\nunset label 2\nunset ylabel\nset format y ''\n", p->out);
    if (legend)
        (void)fprintf(p->out,
                      "set key at screen %.4f,%.4f left top Left reverse samplen 2.4 "
                      "spacing 1.15 font ',11'\n",
                      (left + PANEL + 12) / width, 1 - TOP / height);
    else
        (void)fputs("unset key\n", p->out);
}

void hw_plot_put_name(const hw_plot *p, const char *name)
{
    (void)fputc('\'', p->out);
    hw_gnuplot_put_text(p->out, name, HW_PLOT_NAME);
    (void)fputc('\'', p->out);
}

void hw_plot_put_tic(const hw_plot *p, const char *name)
{
    (void)fputc('\'', p->out);
    hw_gnuplot_put_tic(p->out, name, HW_PLOT_NAME);
    (void)fputc('\'', p->out);
}

void hw_plot_colour(const hw_plot *p, size_t series)
{
    (void)fprintf(p->out, "linecolor rgb '%s' dashtype %zu", colours[series % N_COLOURS],
                  series / N_COLOURS + 1);
}

void hw_plot_style(const hw_plot *p, size_t series)
{
    static const unsigned marks[] = {7, 5, 9, 11, 13, 6, 4, 8, 10, 12};
    enum { N_MARKS = sizeof marks / sizeof marks[0] };
    hw_plot_colour(p, series);
    (void)fprintf(p->out, " pointtype %u", marks[series % N_MARKS]);
}

static hw_code write_kind(hw_plot *p, const hw_record *records, size_t n, hw_plot_kind kind,
                          hw_error *err)
{
    static const char *const wanting[] = {
        "no heuristic has an order on an instance with a proven optimum",
        "no solver has three runs at one size",
        "no heuristic has three answers at one size to instances with a proven optimum",
        "no heuristic has an order"};
    bool empty = true;
    hw_code code = HW_OK;
    switch (kind) {
    case HW_PLOT_GAPS:
        hw_plot_gaps(p, &empty);
        break;
    case HW_PLOT_RUNTIME:
        hw_plot_runtime(p, &empty);
        break;
    case HW_PLOT_OPTIMAL:
        hw_plot_optimal(p, &empty);
        break;
    case HW_PLOT_PROFILE:
        code = hw_plot_profile(p, records, n, &empty, err);
        break;
    }
    if (code == HW_OK && empty)
        code = hw_fail(err, HW_BAD_INPUT, "the results hold nothing to draw: %s", wanting[kind]);
    (void)fputs("unset multiplot\n", p->out);
    return code;
}

hw_code hw_plot_script(const hw_record *records, size_t n, hw_plot_kind kind, char **script,
                       unsigned *width_px, unsigned *height_px, hw_error *err)
{
    size_t size;
    *script = NULL;
    hw_plot *p = HW_NEW0(hw_plot, 1);
    if (!p)
        return hw_fail_memory(err, "a plot");
    p->names_on_axis = kind == HW_PLOT_GAPS;
    p->scratch = HW_NEW(double, n);
    p->out = open_memstream(script, &size);
    hw_code code =
        p->scratch && p->out ? lay_out(p, records, n, err) : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        code = write_kind(p, records, n, kind, err);
    *width_px = hw_plot_width(p);
    *height_px = hw_plot_height(p);
    if (p->out && (fclose(p->out) != 0 && code == HW_OK))
        code = hw_fail_memory(err, "a plot");
    hw_partition_free(&p->runs);
    free(p->scratch);
    free(p);
    if (code != HW_OK) {
        free(*script);
        *script = NULL;
    }
    return code;
}
