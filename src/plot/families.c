/*
 * By family: how gaps are distributed, a small panel a family, and the shares
 * within 5 % and above 20 % with exact intervals.  See plot.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"

/* The gaps of a solver on a family in a panel into scratch, sorted. */
static size_t gaps_of(const hw_plot *p, size_t panel, size_t solver, size_t family)
{
    size_t n, n_gaps = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, &n);
    for (size_t i = 0; i < n; i++)
        if (p->data->unit[run[i].unit].family == family)
            n_gaps += hw_plot_gap(run[i].record, &p->scratch[n_gaps]);
    hw_sort_reals(p->scratch, n_gaps);
    return n_gaps;
}

/* Families on which any of the solvers has a gap; the ends of nearly all of them. */
static size_t find_families(const hw_plot *p, size_t *families, double *reach)
{
    size_t n_found = 0;
    *reach = 5;
    for (size_t f = 0; f < p->data->n_families; f++) {
        size_t most = 0;
        for (size_t i = 0; i < p->n_shown; i++) {
            size_t n = gaps_of(p, 0, p->shown[i], f);
            most = n > most ? n : most;
            if (n)
                *reach = fmax(*reach, hw_quantile(p->scratch, n, 0.9));
        }
        if (most >= HW_PLOT_LEAST_RUNS)
            families[n_found++] = f;
    }
    *reach = fmin(*reach, 99); /* a tic at 100 would meet the 0 of the next panel */
    return n_found;
}

static void draw_families(hw_plot *p, const size_t *families, size_t n, double reach)
{
    (void)fprintf(p->out, "set xrange [0:%.6g]\nset xtics %g\nset yrange [0:100]\nset ytics 25\n",
                  reach, hw_plot_tic_step(p, reach));
    for (size_t f = 0; f < n; f++) {
        bool drawn[HW_PLOT_LINES];
        char title[120];
        size_t most = 0;
        for (size_t i = 0; i < p->n_shown; i++) {
            size_t n_gaps = gaps_of(p, 0, p->shown[i], families[f]);
            most = n_gaps > most ? n_gaps : most;
            drawn[i] = n_gaps > 0;
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", f, i);
            hw_plot_put_steps(p->out, p->scratch, n_gaps, n_gaps, 0, reach, false);
            (void)fputs("EOD\n", p->out);
        }
        (void)snprintf(title, sizeof title, "%.60s (%zu)", p->data->family[families[f]], most);
        hw_frame_panel(&p->frame, f, title);
        hw_plot_put_lines(p, f, drawn);
    }
}

hw_code hw_plot_families(hw_plot *p, hw_error *err)
{
    double reach;
    (void)snprintf(p->title_text, sizeof p->title_text, "How the gap is distributed, by %s",
                   hw_field_name(p->data->by));
    p->title = p->title_text;
    p->wanting = "no heuristic has three orders on graphs of one family with a proven optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, 6, err);
    if (code != HW_OK || p->data->n_panels == 0)
        return code;
    size_t *families = HW_NEW(size_t, p->data->n_families);
    if (!families)
        return hw_fail_memory(err, "a plot");
    size_t n = find_families(p, families, &reach);
    p->empty = n == 0;
    if (n) {
        char rest[200];
        bool web = p->options->size == HW_PLOT_WEB;
        (void)snprintf(
            rest, sizeof rest,
            "share of the instances with a gap of at most that much, over proven optima; "
            "in parentheses their number");
        hw_plot_caption(p, rest);
        (void)snprintf(rest, sizeof rest, "gap (%%), %s", p->data->panel[0]);
        hw_plot_keys(p);
        p->frame.x_label = rest;
        p->frame.y_label = "instances (%)";
        p->frame.n_panels = n;
        p->frame.least_width = web ? 200 : 100;
        p->frame.panel_height = web ? 150 : 100;
        hw_plot_begin(p);
        draw_families(p, families, n, reach);
    }
    free(families);
    return code;
}

/* ---- Shares. ---- */

typedef struct row {
    hw_share within, above;
} row;

static row share_of(const hw_plot *p, size_t n)
{
    uint64_t within = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        within += p->scratch[i] <= 5;
        above += p->scratch[i] > 20;
    }
    return (row){hw_share_of(within, n), hw_share_of(above, n)};
}

static void put_row(const hw_plot *p, size_t at, const row *r)
{
    (void)fprintf(p->out, "%zu %.6g %.6g %.6g %.6g %.6g %.6g\n", at, 100 * r->within.share,
                  100 * r->within.low, 100 * r->within.high, 100 * r->above.share,
                  100 * r->above.low, 100 * r->above.high);
}

static void put_count(const hw_plot *p, size_t at, uint64_t n)
{
    (void)fprintf(p->out, "set label %zu \"%llu\" at graph %.3f, first %zu right font ',%u'\n",
                  at + 10, (unsigned long long)n,
                  1 + (double)(p->frame.beside - 4) / p->frame.panel_width, at, p->frame.font - 1);
}

/* The rows of a panel: all families together in row 0, then one by one. */
static void draw_shares(hw_plot *p, size_t number, size_t panel, size_t solver,
                        const size_t *families, size_t n_families)
{
    char title[200];
    (void)fputs("unset label\n", p->out);
    (void)fprintf(p->out, "$shares%zu << EOD\n", number);
    size_t n = hw_plot_gaps_of(p, panel, solver);
    row all = share_of(p, n);
    put_row(p, 0, &all);
    for (size_t f = 0; f < n_families; f++) {
        size_t n_gaps = gaps_of(p, panel, solver, families[f]);
        row r = share_of(p, n_gaps);
        if (n_gaps)
            put_row(p, f + 1, &r);
    }
    (void)fputs("EOD\n", p->out);
    put_count(p, 0, all.within.n);
    for (size_t f = 0; f < n_families; f++)
        put_count(p, f + 1, gaps_of(p, panel, solver, families[f]));
    (void)fputs("set ytics (", p->out);
    bool named = number % p->frame.columns == 0;
    hw_frame_put_tic(p->out, named ? "all" : "");
    (void)fputs(" 0", p->out);
    for (size_t f = 0; f < n_families; f++) {
        (void)fputs(", ", p->out);
        hw_frame_put_tic(p->out, named ? p->data->family[families[f]] : "");
        (void)fprintf(p->out, " %zu", f + 1);
    }
    (void)fputs(")\n", p->out);
    (void)snprintf(title, sizeof title, "%.60s, %s", p->data->solver[solver],
                   p->data->panel[panel]);
    hw_frame_panel(&p->frame, number, title);
    (void)fprintf(p->out,
                  "plot $shares%zu using 3:($1-0.12):($4-$3):(0) with vectors nohead linecolor rgb "
                  "live linewidth 1.4 notitle, \\\n"
                  " '' using 2:($1-0.12) with points pointtype 7 pointsize 0.9 linecolor rgb live "
                  "notitle, \\\n"
                  " '' using 6:($1+0.16):($7-$6):(0) with vectors nohead linecolor rgb mark "
                  "linewidth 1.4 notitle, \\\n"
                  " '' using 5:($1+0.16) with points pointtype 4 pointsize 0.8 linewidth 1.6 "
                  "linecolor rgb mark notitle\n",
                  number);
}

static void frame_shares(hw_plot *p, const size_t *families, size_t n_families)
{
    static const hw_frame_key keys[] = {
        {"within 5 % of the optimum", 1,
         "using 1:2 every ::1::1 with points pointtype 7 pointsize 0.9 linecolor rgb live"},
        {"more than 20 % above it", 2,
         "using 1:2 every ::1::1 with points pointtype 4 pointsize 0.8 linewidth 1.6 linecolor rgb "
         "mark"}};
    unsigned font = p->options->size == HW_PLOT_WEB ? 12 : 10, widest = 0;
    for (size_t f = 0; f < n_families; f++) {
        unsigned wide = hw_frame_text_width(p->data->family[families[f]], font);
        widest = wide > widest ? wide : widest;
    }
    p->frame.keys = keys;
    p->frame.n_keys = 2;
    p->frame.names = widest + 16;
    p->frame.beside = font * 4;
    p->frame.least_width = font * 13;
    p->frame.panel_height = (unsigned)(n_families + 1) * (font + 10) + 10;
    p->frame.x_label = "share of the instances (%)";
    p->frame.n_panels = p->data->n_panels * p->n_shown;
}

hw_code hw_plot_shares(hw_plot *p, hw_error *err)
{
    double reach;
    (void)snprintf(p->title_text, sizeof p->title_text, "Near the optimum, and far from it, by %s",
                   hw_field_name(p->data->by));
    p->title = p->title_text;
    p->wanting = "no heuristic has three orders on graphs of one family with a proven optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, 1, err);
    if (code != HW_OK || p->data->n_panels == 0)
        return code;
    size_t *families = HW_NEW(size_t, p->data->n_families);
    if (!families)
        return hw_fail_memory(err, "a plot");
    size_t n = find_families(p, families, &reach), number = 0;
    p->empty = n == 0;
    if (n) {
        hw_plot_caption(p, "proven optima only; bars: 95 % Clopper-Pearson intervals; at the right "
                           "the number of instances");
        frame_shares(p, families, n);
        hw_plot_begin(p);
        (void)fprintf(
            p->out,
            "set xrange [-1:101]\nset yrange [%.1f:-0.6]\nset xtics 20\nset grid noytics\n"
            "set arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead linestyle "
            "100 back\n",
            (double)n + 0.6);
        for (size_t i = 0; i < p->n_shown; i++)
            for (size_t panel = 0; panel < p->data->n_panels; panel++)
                draw_shares(p, number++, panel, p->shown[i], families, n);
    }
    free(families);
    return code;
}
