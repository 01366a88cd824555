/* How far peaks are from the optimum: a box a solver.  See plot.h. */
#include <math.h>

#include "plot/plot_internal.h"

enum { FIRST_LABEL = 10 };

/*
 * A quantile, or what there is below it: above an optimum of 0 a gap is
 * infinite, and boxes end where the axis does.
 */
static double farthest_finite(const double *sorted, size_t n, double q)
{
    double far = hw_quantile(sorted, n, q);
    for (size_t i = n; isinf(far) && i-- > 0;)
        far = sorted[i];
    return isinf(far) ? 0 : far;
}

/* Solvers from the least to the largest third quartile, over all panels. */
static void order_by_gap(hw_plot *p, double *widest)
{
    const hw_plot_data *d = p->data;
    double key[HW_PLOT_LINES];
    size_t chosen = p->n_shown, solver[HW_PLOT_LINES];
    for (size_t i = 0; i < chosen; i++)
        solver[i] = p->shown[i];
    p->n_shown = 0;
    *widest = 0;
    for (size_t i = 0; i < chosen; i++) {
        double sum = 0;
        size_t seen = 0;
        for (size_t panel = 0; panel < d->n_panels; panel++) {
            size_t n = hw_plot_gaps_of(p, panel, solver[i]);
            if (n == 0)
                continue;
            sum += hw_quantile(p->scratch, n, 0.75) + hw_quantile(p->scratch, n, 0.95) * 1e-3;
            double reach = farthest_finite(p->scratch, n, 0.95);
            *widest = reach > *widest ? reach : *widest;
            seen++;
        }
        if (seen == 0)
            continue;
        size_t at = p->n_shown++;
        double value = sum / (double)seen;
        for (; at > 0 && key[at - 1] > value; at--) {
            key[at] = key[at - 1];
            p->shown[at] = p->shown[at - 1];
        }
        key[at] = value;
        p->shown[at] = solver[i];
    }
}

static void put_box(const hw_plot *p, size_t n, size_t row, double end)
{
    static const double at[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    (void)fprintf(p->out, "%zu", row);
    for (size_t q = 0; q < sizeof at / sizeof at[0]; q++)
        (void)fprintf(p->out, " %.6g", fmin(end, hw_quantile(p->scratch, n, at[q])));
    (void)fputc('\n', p->out);
}

/* Pixels right of the panel, as a part of its width. */
static double beside(const hw_plot *p, unsigned pixels)
{
    return 1 + (double)pixels / p->frame.panel_width;
}

static unsigned figure_width(const hw_plot *p)
{
    return p->frame.font * 4;
}

/* The figures to the right of a row, which the axis has no room for. */
static void put_figures(const hw_plot *p, size_t n, size_t row)
{
    uint64_t within = 0;
    while (within < n && p->scratch[within] <= 5)
        within++;
    size_t label = FIRST_LABEL + 2 * row;
    unsigned wide = figure_width(p);
    (void)fprintf(p->out, "set label %zu \"%3.0f %%\" at graph %.3f, first %zu right font ',%u'\n",
                  label, 100.0 * (double)within / (double)n, beside(p, wide), row,
                  p->frame.font - 1);
    char most[HW_PLOT_NAME];
    (void)fprintf(p->out, "set label %zu \"%s %%\" at graph %.3f, first %zu right font ',%u'\n",
                  label + 1, hw_plot_whole(p->scratch[n - 1], most), beside(p, 2 * wide + 4), row,
                  p->frame.font - 1);
}

static void put_rows(const hw_plot *p, size_t panel, double end)
{
    (void)fprintf(p->out, "$boxes%zu << EOD\n", panel);
    for (size_t i = 0; i < p->n_shown; i++) {
        size_t n = hw_plot_gaps_of(p, panel, p->shown[i]);
        if (n > 0)
            put_box(p, n, i + 1, end);
    }
    (void)fputs("EOD\nunset label\n", p->out);
    for (size_t i = 0; i < p->n_shown; i++) {
        size_t n = hw_plot_gaps_of(p, panel, p->shown[i]);
        if (n > 0)
            put_figures(p, n, i + 1);
    }
    (void)fprintf(p->out,
                  "set label 3 '\xE2\x89\xA4 5 %%' at graph %.3f, graph 1.03 right font ',%u'\n"
                  "set label 4 'largest' at graph %.3f, graph 1.03 right font ',%u'\n",
                  beside(p, figure_width(p)), p->frame.font - 1, beside(p, 2 * figure_width(p) + 4),
                  p->frame.font - 1);
}

/* Room for the longest name at the left of the rows. */
unsigned hw_plot_name_room(const hw_plot *p, const char *const *names, size_t n, unsigned font)
{
    unsigned widest = 0;
    (void)p;
    for (size_t i = 0; i < n; i++) {
        unsigned wide = hw_frame_text_width(names[i], font);
        widest = wide > widest ? wide : widest;
    }
    return widest + 16;
}

static void lay_out(hw_plot *p)
{
    const char *names[HW_PLOT_LINES];
    unsigned font = p->options->size == HW_PLOT_WEB ? 12 : 10;
    for (size_t i = 0; i < p->n_shown; i++)
        names[i] = p->data->solver[p->shown[i]];
    p->frame.x_label = "gap to the optimum (%)";
    p->frame.n_panels = p->data->n_panels;
    p->frame.names = hw_plot_name_room(p, names, p->n_shown, font);
    p->frame.beside = font * 9;
    p->frame.least_width = font * 11;
    p->frame.panel_height = (unsigned)p->n_shown * (font + 8) + 16;
}

hw_code hw_plot_gaps(hw_plot *p, hw_error *err)
{
    double widest;
    p->title = "How far the peak is from the optimum";
    p->wanting = "no heuristic has an order on an instance with a proven optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, HW_PLOT_LINES, err);
    if (code != HW_OK)
        return code;
    order_by_gap(p, &widest);
    p->empty = p->n_shown == 0;
    if (p->empty)
        return HW_OK;
    hw_plot_caption(p, "proven optima only; box: quartiles, dot: median, line: 5 % to 95 % of the "
                       "graphs");
    lay_out(p);
    hw_plot_begin(p);
    double reach = widest > 0 ? widest * 1.04 : 1;
    (void)fprintf(p->out,
                  "set xrange [0:%.6g]\nset xtics %g\nset yrange [%.1f:0.4]\nset grid noytics\n",
                  reach, hw_plot_tic_step(p, reach), (double)p->n_shown + 0.6);
    for (size_t panel = 0; panel < p->data->n_panels; panel++) {
        put_rows(p, panel, reach);
        (void)fputs("set ytics (", p->out);
        for (size_t i = 0; i < p->n_shown; i++) {
            (void)fputs(i ? ", " : "", p->out);
            hw_frame_put_tic(p->out,
                             panel % p->frame.columns == 0 ? p->data->solver[p->shown[i]] : "");
            (void)fprintf(p->out, " %zu", i + 1);
        }
        (void)fputs(")\n", p->out);
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        (void)fprintf(p->out,
                      "plot $boxes%zu using 2:1:($6-$2):(0) with vectors nohead linewidth 1.2 "
                      "linecolor rgb live notitle, \\\n"
                      " '' using 4:1:3:5:($1-0.28):($1+0.28) with boxxyerror fillcolor rgb area "
                      "fillstyle solid 1 border linecolor rgb live notitle, \\\n"
                      " '' using 4:1 with points pointtype 7 pointsize 0.8 linecolor rgb "
                      "mark notitle\n",
                      panel);
    }
    return HW_OK;
}
