/*
 * Gap against time: a point a solver, and the front of those that none beats
 * in both.  Only instances on which all of them have an order and a time, and
 * whose optimum is proven, are counted; solvers that would leave less than nine
 * tenths of those are left out.  See plot.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"

static const double default_shift = 1e-5, least_part = 0.9;

typedef struct spot {
    size_t solver;
    double seconds, gap;
} spot;

typedef struct cloud {
    spot spot[HW_PLOT_LINES];
    size_t n;
    uint64_t n_units;
} cloud;

static bool counts(const hw_record *r)
{
    double gap;
    return r->wall_seconds >= 0 && hw_plot_gap(r, &gap);
}

/* Solvers that have enough of the panel's proven instances; how many these are. */
static size_t choose(const hw_plot *p, size_t panel, size_t chosen[HW_PLOT_LINES])
{
    size_t have[HW_PLOT_LINES], most = 0, n_chosen = 0;
    for (size_t i = 0; i < p->n_shown; i++) {
        size_t n;
        const hw_plot_run *run = hw_plot_runs(p->data, panel, p->shown[i], &n);
        have[i] = 0;
        for (size_t k = 0; k < n; k++)
            have[i] += counts(run[k].record);
        most = have[i] > most ? have[i] : most;
    }
    for (size_t i = 0; i < p->n_shown; i++)
        if (have[i] > 0 && (double)have[i] >= least_part * (double)most)
            chosen[n_chosen++] = p->shown[i];
    return n_chosen;
}

/* The quantile of the gaps and the mean of the times, summed in their order so that it has one
 * value. */
static spot sum_up(const hw_plot *p, size_t panel, size_t solver, const uint32_t *met,
                   size_t n_chosen)
{
    double shift = p->options->shift_seconds > 0 ? p->options->shift_seconds : default_shift;
    double quantile = p->options->quantile > 0 ? p->options->quantile : 0.5, logs = 0;
    size_t n, n_gaps = 0, n_times = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, &n);
    for (size_t k = 0; k < n; k++)
        if (met[run[k].unit] == n_chosen)
            n_gaps += hw_plot_gap(run[k].record, &p->scratch[n_gaps]);
    hw_sort_reals(p->scratch, n_gaps);
    spot s = {solver, NAN, hw_quantile(p->scratch, n_gaps, quantile)};
    for (size_t k = 0; k < n; k++)
        if (met[run[k].unit] == n_chosen && counts(run[k].record))
            p->scratch[n_times++] = run[k].record->wall_seconds;
    hw_sort_reals(p->scratch, n_times);
    for (size_t k = 0; k < n_times; k++)
        logs += log(p->scratch[k] + shift);
    s.seconds = n_times ? exp(logs / (double)n_times) - shift : NAN;
    return s;
}

static int by_time(const void *x, const void *y)
{
    const spot *a = x, *b = y;
    if (a->seconds != b->seconds)
        return a->seconds < b->seconds ? -1 : 1;
    if (a->gap != b->gap)
        return a->gap < b->gap ? -1 : 1;
    return (a->solver > b->solver) - (a->solver < b->solver);
}

static hw_code gather(const hw_plot *p, size_t panel, cloud *c, hw_error *err)
{
    size_t chosen[HW_PLOT_LINES], n_chosen = choose(p, panel, chosen);
    uint32_t *met = HW_NEW0(uint32_t, p->data->n_units);
    c->n = c->n_units = 0;
    if (!met)
        return hw_fail_memory(err, "a plot");
    for (size_t i = 0; i < n_chosen; i++) {
        size_t n;
        const hw_plot_run *run = hw_plot_runs(p->data, panel, chosen[i], &n);
        for (size_t k = 0; k < n; k++)
            if (met[run[k].unit] == i && counts(run[k].record))
                met[run[k].unit]++;
    }
    for (size_t u = 0; u < p->data->n_units; u++)
        c->n_units += n_chosen > 0 && met[u] == n_chosen;
    for (size_t i = 0; i < n_chosen && c->n_units; i++) {
        spot s = sum_up(p, panel, chosen[i], met, n_chosen);
        if (isfinite(s.gap)) /* infinite, above optima of 0: it has no place */
            c->spot[c->n++] = s;
    }
    free(met);
    qsort(c->spot, c->n, sizeof *c->spot, by_time);
    return HW_OK;
}

typedef struct axes {
    double left, right, low, high;
} axes;

static void widen(axes *a, const cloud *c)
{
    for (size_t i = 0; i < c->n; i++) {
        a->left = fmin(a->left, fmax(c->spot[i].seconds, 1e-9));
        a->right = fmax(a->right, c->spot[i].seconds);
        a->high = fmax(a->high, c->spot[i].gap);
    }
}

static void put_front(const hw_plot *p, const cloud *c, size_t panel, const axes *a)
{
    double least = INFINITY;
    (void)fprintf(p->out, "$front%zu << EOD\n", panel);
    for (size_t i = 0; i < c->n; i++)
        if (c->spot[i].gap < least) {
            least = c->spot[i].gap;
            (void)fprintf(p->out, "%.6g %.6g\n", c->spot[i].seconds, least);
        }
    (void)fprintf(p->out, "%.6g %.6g\nEOD\n", a->right, least);
}

static void put_points(const hw_plot *p, const cloud *c, size_t panel)
{
    double least = INFINITY;
    for (int on_front = 0; on_front < 2; on_front++) {
        (void)fprintf(p->out, "$points%d_%zu << EOD\n", on_front, panel);
        least = INFINITY;
        for (size_t i = 0; i < c->n; i++) {
            bool better = c->spot[i].gap < least;
            least = better ? c->spot[i].gap : least;
            if (better == (on_front == 1))
                (void)fprintf(p->out, "%.6g %.6g\n", c->spot[i].seconds, c->spot[i].gap);
        }
        (void)fputs("EOD\n", p->out);
    }
}

static double x_of(const hw_plot *p, const axes *a, double seconds)
{
    return log(fmax(seconds, 1e-9) / a->left) / log(a->right / a->left) * p->frame.panel_width;
}

static double y_of(const hw_plot *p, const axes *a, double gap)
{
    return (gap - a->low) / (a->high - a->low) * p->frame.panel_height;
}

/* The steps of the front, as boxes that no name may lie over. */
static size_t find_boxes(const hw_plot *p, const cloud *c, const axes *a, hw_plot_box *boxes)
{
    size_t n = 0, last = SIZE_MAX;
    for (size_t i = 0; i < c->n; i++) {
        if (last != SIZE_MAX && c->spot[i].gap >= c->spot[last].gap)
            continue;
        double x = x_of(p, a, c->spot[i].seconds), y = y_of(p, a, c->spot[i].gap);
        if (last != SIZE_MAX) {
            double from = x_of(p, a, c->spot[last].seconds), top = y_of(p, a, c->spot[last].gap);
            boxes[n++] = (hw_plot_box){from, x, top - 1, top + 1};
            boxes[n++] = (hw_plot_box){x - 1, x + 1, y, top};
        }
        last = i;
    }
    if (last != SIZE_MAX) {
        double y = y_of(p, a, c->spot[last].gap);
        boxes[n++] =
            (hw_plot_box){x_of(p, a, c->spot[last].seconds), p->frame.panel_width, y - 1, y + 1};
    }
    return n;
}

static void put_labels(const hw_plot *p, const cloud *c, const axes *a)
{
    hw_plot_label label[HW_PLOT_LINES];
    hw_plot_box boxes[2 * HW_PLOT_LINES];
    const hw_frame *f = &p->frame;
    for (size_t i = 0; i < c->n; i++)
        label[i] = (hw_plot_label){.name = p->data->solver[c->spot[i].solver],
                                   .x = x_of(p, a, c->spot[i].seconds),
                                   .y = y_of(p, a, c->spot[i].gap)};
    hw_plot_place_labels(label, c->n, boxes, find_boxes(p, c, a, boxes), f->panel_width,
                         f->panel_height, f->font - 1);
    (void)fputs("unset label\nunset arrow\n", p->out);
    for (size_t i = 0; i < c->n; i++) {
        const hw_plot_label *l = &label[i];
        double wide = f->panel_width, high = f->panel_height;
        (void)fputs("set label ", p->out);
        hw_frame_put_name(p->out, l->name);
        (void)fprintf(p->out, " at graph %.4f,%.4f left font ',%u' textcolor rgb ink front\n",
                      l->left / wide, l->base / high, f->font - 1);
        if (l->away)
            (void)fprintf(p->out,
                          "set arrow from graph %.4f,%.4f to graph %.4f,%.4f nohead linecolor rgb "
                          "other linewidth 0.5 back\n",
                          l->x / wide, l->y / high, l->from / wide, l->base / high);
    }
}

static void draw(hw_plot *p, const cloud *clouds, const axes *a)
{
    hw_plot_begin(p);
    (void)fprintf(p->out,
                  "set logscale x\nset format x '%%.0s %%cs'\nset xrange [%.6g:%.6g]\n"
                  "set yrange [%.6g:%.6g]\n",
                  a->left, a->right, a->low, a->high);
    for (size_t panel = 0; panel < p->data->n_panels; panel++) {
        const cloud *c = &clouds[panel];
        if (c->n) {
            put_front(p, c, panel, a);
            put_points(p, c, panel);
        }
        put_labels(p, c, a);
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        if (!c->n)
            (void)fputs("plot -1 notitle\n", p->out);
        else
            (void)fprintf(p->out,
                          "plot $front%zu using 1:2 with steps linecolor rgb live linewidth 1.2 "
                          "dashtype 13 notitle, \\\n"
                          " $points0_%zu using 1:2 with points pointtype 6 pointsize 0.9 linewidth "
                          "1.4 linecolor rgb other notitle, \\\n"
                          " $points1_%zu using 1:2 with points pointtype 7 pointsize 1 linecolor "
                          "rgb live notitle\n",
                          panel, panel, panel);
    }
}

hw_code hw_plot_pareto(hw_plot *p, hw_error *err)
{
    char label[2 * HW_PLOT_NAME], name[HW_PLOT_NAME], rest[400];
    axes a = {.left = INFINITY, .right = 0, .low = 0, .high = 0};
    p->title = "Gap against time";
    p->wanting = "no heuristic has an order and a time on an instance with a proven optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, HW_PLOT_LINES, err);
    cloud *clouds = HW_NEW0(cloud, HW_PLOT_PANELS);
    if (code == HW_OK && !clouds)
        code = hw_fail_memory(err, "a plot");
    for (size_t panel = 0; code == HW_OK && panel < p->data->n_panels; panel++) {
        code = gather(p, panel, &clouds[panel], err);
        widen(&a, &clouds[panel]);
        p->empty = p->empty && clouds[panel].n == 0;
    }
    if (code == HW_OK && !p->empty) {
        double span = fmax(log(a.right / a.left), 1);
        a.left = exp(log(a.left) - span * 0.08);
        a.right = exp(log(fmax(a.right, 1e-9)) + span * 0.12);
        a.high = a.high > 0 ? a.high * 1.12 : 1;
        a.low = -a.high * 0.15; /* room for names below points at 0 */
        (void)snprintf(
            rest, sizeof rest,
            "the %" PRIu64 " instances (first accounting) that all of the solvers here "
            "answered and whose optimum is proven; filled: no other is both faster and "
            "nearer to the optimum; times: geometric mean, shifted by %g \xc2\xb5s",
            clouds[0].n_units,
            1e6 * (p->options->shift_seconds > 0 ? p->options->shift_seconds : default_shift));
        hw_plot_caption(p, rest);
        p->frame.x_label = "wall time, shifted geometric mean";
        (void)snprintf(label, sizeof label, "%.80s to the optimum (%%)",
                       hw_plot_quantile_name(p, name));
        p->frame.y_label = label;
        p->frame.n_panels = p->data->n_panels;
        p->frame.panel_height = p->options->size == HW_PLOT_WEB ? 380 : 260;
        draw(p, clouds, &a);
    }
    free(clouds);
    return code;
}
