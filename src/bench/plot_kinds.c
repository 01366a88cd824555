/* The four kinds of plots.  See plot.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/plot_internal.h"
#include "core/memory.h"

enum { SUBTITLE = 320, LEAST_RUNS = 3 /* fewer are no distribution */ };
enum { MOST_BANDS = 10 }; /* more are a blur */

/* "900 graphs of 6 to 10 nodes; rest" */
static void subtitle_of(const hw_plot *p, const char *rest, char text[SUBTITLE])
{
    if (p->least_nodes >= p->most_nodes)
        (void)snprintf(text, SUBTITLE, "%" PRIu64 " graphs of %" PRIu64 " nodes; %s", p->n_graphs,
                       p->most_nodes, rest);
    else
        (void)snprintf(text, SUBTITLE, "%" PRIu64 " graphs of %" PRIu64 " to %" PRIu64 " nodes; %s",
                       p->n_graphs, p->least_nodes, p->most_nodes, rest);
}

/* The gaps of a series over proven optima into scratch, sorted. */
static size_t gaps_of(const hw_plot *p, size_t panel, size_t series, double *gaps)
{
    size_t n, n_gaps = 0;
    const hw_record *const *runs = hw_plot_runs(p, panel, series, &n);
    for (size_t i = 0; i < n; i++)
        if (runs[i]->checked_peak.known && runs[i]->optimum.known)
            gaps[n_gaps++] = hw_gap_percent(runs[i]->checked_peak.value, runs[i]->optimum.value);
    hw_sort_reals(gaps, n_gaps);
    return n_gaps;
}

/* ---- Gaps: a box a solver. ---- */

/* Solvers from the least to the largest third quartile, over all panels. */
static size_t order_by_gap(const hw_plot *p, size_t order[HW_PLOT_SERIES], double *widest)
{
    double key[HW_PLOT_SERIES];
    size_t n_shown = 0;
    *widest = 0;
    for (size_t s = 0; s < p->n_series; s++) {
        double sum = 0;
        size_t seen = 0;
        for (size_t panel = 0; panel < p->n_panels && !p->exact[s]; panel++) {
            size_t n = gaps_of(p, panel, s, p->scratch);
            if (n == 0)
                continue;
            double reach = hw_quantile(p->scratch, n, 0.95);
            sum += hw_quantile(p->scratch, n, 0.75) + reach * 1e-3;
            *widest = reach > *widest ? reach : *widest;
            seen++;
        }
        if (seen == 0)
            continue;
        size_t at = n_shown++;
        double value = sum / (double)seen;
        for (; at > 0 && key[at - 1] > value; at--) {
            key[at] = key[at - 1];
            order[at] = order[at - 1];
        }
        key[at] = value;
        order[at] = s;
    }
    return n_shown;
}

static void put_box(const hw_plot *p, const double *gaps, size_t n, size_t row)
{
    static const double at[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    (void)fprintf(p->out, "%zu", row);
    for (size_t q = 0; q < sizeof at / sizeof at[0]; q++)
        (void)fprintf(p->out, " %.6g", hw_quantile(gaps, n, at[q]));
    (void)fputc('\n', p->out);
}

/* The figures to the right of a row, which the axis has no room for. */
static void put_figures(const hw_plot *p, const double *gaps, size_t n, size_t row, size_t label)
{
    uint64_t within = 0;
    while (within < n && gaps[within] <= 5)
        within++;
    (void)fprintf(p->out, "set label %zu \"%3.0f %%\" at graph 1.13, first %zu right font ',11'\n",
                  label, 100.0 * (double)within / (double)n, row);
    (void)fprintf(p->out, "set label %zu \"%.0f %%\" at graph 1.27, first %zu right font ',11'\n",
                  label + 1, gaps[n - 1], row);
}

void hw_plot_gaps(hw_plot *p, bool *empty)
{
    enum { FIRST_LABEL = 10 };
    size_t order[HW_PLOT_SERIES];
    double widest;
    size_t n_shown = order_by_gap(p, order, &widest);
    char subtitle[SUBTITLE];
    subtitle_of(p,
                "proven optima only; box: quartiles, dot: median, line: 5 % to 95 % of the "
                "graphs",
                subtitle);
    *empty = n_shown == 0;
    hw_plot_begin(p, "How far the peak is from the optimum", subtitle);
    (void)fprintf(
        p->out,
        "set xrange [0:%.6g]\nset yrange [%.1f:0.4]\nset xlabel 'gap to the optimum (%%)'\n"
        "set grid xtics linestyle 100\nset style fill solid 0.35 noborder\n",
        widest > 0 ? widest * 1.04 : 1, (double)n_shown + 0.6);
    for (size_t panel = 0; panel < p->n_panels; panel++) {
        (void)fprintf(p->out, "$boxes%zu << EOD\n", panel);
        for (size_t i = 0; i < n_shown; i++) {
            size_t n = gaps_of(p, panel, order[i], p->scratch);
            if (n > 0)
                put_box(p, p->scratch, n, i + 1);
        }
        (void)fputs("EOD\n", p->out);
        for (size_t i = 0; i < n_shown; i++) {
            size_t n = gaps_of(p, panel, order[i], p->scratch);
            size_t label = FIRST_LABEL + 2 * i;
            if (n > 0)
                put_figures(p, p->scratch, n, i + 1, label);
            else
                (void)fprintf(p->out, "unset label %zu\nunset label %zu\n", label, label + 1);
        }
        (void)fputs("set label 3 '\xE2\x89\xA4 5 %' at graph 1.13, graph 1.03 right font ',11'\n"
                    "set label 4 'largest' at graph 1.27, graph 1.03 right font ',11'\n"
                    "set ytics (",
                    p->out);
        for (size_t i = 0; i < n_shown; i++) {
            (void)fputs(i ? ", " : "", p->out);
            hw_plot_put_tic(p, panel == 0 ? p->series[order[i]] : "");
            (void)fprintf(p->out, " %zu", i + 1);
        }
        (void)fputs(")\n", p->out);
        hw_plot_panel(p, panel, false);
        (void)fprintf(p->out,
                      "plot $boxes%zu using 2:1:($6-$2):(0) with vectors nohead linewidth 1.2 "
                      "linecolor rgb '#0072b2', \\\n"
                      " '' using 4:1:3:5:($1-0.28):($1+0.28) with boxxyerror linecolor rgb "
                      "'#0072b2', \\\n"
                      " '' using 4:1 with points pointtype 7 pointsize 0.8 linecolor rgb "
                      "'#d55e00'\n",
                      panel);
    }
}

/* ---- Against nodes. ---- */

static void put_nodes_axis(const hw_plot *p)
{
    double low = (double)p->least_nodes / 1.08, high = (double)hw_plot_bucket(p->most_nodes) * 1.08;
    (void)fprintf(p->out, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xlabel 'nodes'\n",
                  low > 0 ? low : 0.9, high);
    if (p->most_nodes <= 40) {
        (void)fputs("set xtics (", p->out);
        uint64_t step = p->most_nodes - p->least_nodes > 16 ? 2 : 1;
        for (uint64_t x = p->least_nodes; x <= p->most_nodes; x += x < 12 ? 1 : 2 * step)
            (void)fprintf(p->out, "%s%" PRIu64, x == p->least_nodes ? "" : ", ", x);
        (void)fputs(")\n", p->out);
    } else {
        (void)fputs("set xtics 2\nset format x '%g'\n", p->out);
    }
}

/* Name of a data block. */
static void put_block_name(const hw_plot *p, size_t panel, size_t series)
{
    (void)fprintf(p->out, "$data_%zu_%zu", panel, series);
}

static void put_times(const hw_plot *p, size_t panel, size_t series, bool *empty)
{
    size_t n;
    const hw_record *const *runs = hw_plot_runs(p, panel, series, &n);
    for (uint64_t at = 0; (at = hw_plot_next_bucket(runs, n, at)) != 0;) {
        size_t n_times = 0;
        for (size_t i = 0; i < n; i++)
            if (runs[i]->graph && hw_plot_bucket(runs[i]->n_nodes) == at &&
                runs[i]->wall_seconds > 0)
                p->scratch[n_times++] = runs[i]->wall_seconds;
        hw_sort_reals(p->scratch, n_times);
        if (n_times < LEAST_RUNS)
            continue;
        *empty = false;
        (void)fprintf(p->out, "%" PRIu64 " %.6g %.6g %.6g\n", at,
                      hw_quantile(p->scratch, n_times, 0.25), hw_quantile(p->scratch, n_times, 0.5),
                      hw_quantile(p->scratch, n_times, 0.75));
    }
}

void hw_plot_runtime(hw_plot *p, bool *empty)
{
    char subtitle[SUBTITLE];
    bool bands = p->n_series <= MOST_BANDS;
    subtitle_of(p,
                bands ? "line: median, band: quartiles; sizes above 32 nodes in steps of 41 %"
                      : "medians; sizes above 32 nodes in steps of 41 %",
                subtitle);
    hw_plot_begin(p, "Time of a solver against the size of the graph", subtitle);
    put_nodes_axis(p);
    (void)fputs(
        "set logscale y\nset format y '%.0s %cs'\nset ylabel 'wall time'\n"
        "set grid xtics ytics linestyle 100\nset style fill transparent solid 0.12 noborder\n",
        p->out);
    for (size_t panel = 0; panel < p->n_panels; panel++)
        for (size_t s = 0; s < p->n_series; s++) {
            put_block_name(p, panel, s);
            (void)fputs(" << EOD\n", p->out);
            put_times(p, panel, s, empty);
            (void)fputs("EOD\n", p->out);
        }
    for (size_t panel = 0; panel < p->n_panels; panel++) {
        hw_plot_panel(p, panel, panel + 1 == p->n_panels);
        (void)fputs("plot ", p->out);
        for (size_t s = 0; bands && s < p->n_series; s++) {
            put_block_name(p, panel, s);
            (void)fputs(" using 1:2:4 with filledcurves notitle ", p->out);
            hw_plot_colour(p, s);
            (void)fputs(", ", p->out);
        }
        for (size_t s = 0; s < p->n_series; s++) {
            (void)fputs(s ? ", " : "", p->out);
            put_block_name(p, panel, s);
            (void)fputs(" using 1:3 with linespoints linewidth 1.5 pointsize 0.55 ", p->out);
            hw_plot_style(p, s);
            (void)fputs(" title ", p->out);
            hw_plot_put_name(p, p->series[s]);
        }
        (void)fputc('\n', p->out);
    }
}

static void put_shares(const hw_plot *p, size_t panel, size_t series, bool *empty)
{
    size_t n;
    const hw_record *const *runs = hw_plot_runs(p, panel, series, &n);
    for (uint64_t at = 0; (at = hw_plot_next_bucket(runs, n, at)) != 0;) {
        uint64_t proven = 0, optimal = 0;
        for (size_t i = 0; i < n; i++) {
            const hw_record *r = runs[i];
            if (!r->checked_peak.known || !r->optimum.known || hw_plot_bucket(r->n_nodes) != at)
                continue;
            proven++;
            optimal += r->checked_peak.value == r->optimum.value;
        }
        if (proven < LEAST_RUNS)
            continue;
        *empty = false;
        hw_share share = hw_share_of(optimal, proven);
        (void)fprintf(p->out, "%" PRIu64 " %.6g %.6g %.6g\n", at, 100 * share.share,
                      100 * share.low, 100 * share.high);
    }
}

void hw_plot_optimal(hw_plot *p, bool *empty)
{
    char subtitle[SUBTITLE];
    subtitle_of(p, "of those with a proven optimum; bars: 95 % Clopper-Pearson intervals",
                subtitle);
    hw_plot_begin(p, "How often a heuristic finds the optimum", subtitle);
    put_nodes_axis(p);
    (void)fputs("set yrange [0:100]\nset ylabel 'optimal answers (%)'\nset ytics 20\n"
                "set grid xtics ytics linestyle 100\n",
                p->out);
    size_t shown[HW_PLOT_SERIES], n_shown = 0;
    for (size_t s = 0; s < p->n_series; s++)
        if (!p->exact[s])
            shown[n_shown++] = s;
    for (size_t panel = 0; panel < p->n_panels; panel++)
        for (size_t i = 0; i < n_shown; i++) {
            put_block_name(p, panel, shown[i]);
            (void)fputs(" << EOD\n", p->out);
            put_shares(p, panel, shown[i], empty);
            (void)fputs("EOD\n", p->out);
        }
    for (size_t panel = 0; panel < p->n_panels && n_shown; panel++) {
        hw_plot_panel(p, panel, panel + 1 == p->n_panels);
        (void)fputs("plot ", p->out);
        for (size_t i = 0; i < n_shown; i++) {
            /* Side by side, so that bars at one size stay apart. */
            double shift = 1 + 0.004 * ((double)i - (double)(n_shown - 1) / 2);
            (void)fputs(i ? ", " : "", p->out);
            put_block_name(p, panel, shown[i]);
            (void)fprintf(
                p->out, " using ($1*%.4f):3:(0):($4-$3) with vectors nohead linewidth 0.6 ", shift);
            hw_plot_colour(p, shown[i]);
            (void)fputs(" notitle, ", p->out);
            put_block_name(p, panel, shown[i]);
            (void)fprintf(
                p->out, " using ($1*%.4f):2 with linespoints linewidth 1.5 pointsize 0.7 ", shift);
            hw_plot_style(p, shown[i]);
            (void)fputs(" title ", p->out);
            hw_plot_put_name(p, p->series[shown[i]]);
        }
        (void)fputc('\n', p->out);
    }
}
