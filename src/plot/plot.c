/* The kinds of plots, and what they share.  See plot.h and plot_internal.h. */
#include "plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "plot/plot_internal.h"

static const struct {
    const char *name;
    hw_code (*make)(hw_plot *p, hw_error *err);
} kinds[HW_PLOT_KINDS] = {
    [HW_PLOT_GAPS] = {"gaps", hw_plot_gaps},
    [HW_PLOT_RUNTIME] = {"runtime", hw_plot_runtime},
    [HW_PLOT_OPTIMAL] = {"optimal", hw_plot_optimal},
    [HW_PLOT_PROFILE] = {"profile", hw_plot_profile},
    [HW_PLOT_RIVALS] = {"rivals", hw_plot_rivals},
    [HW_PLOT_CACTUS] = {"cactus", hw_plot_cactus},
    [HW_PLOT_PARETO] = {"pareto", hw_plot_pareto},
    [HW_PLOT_HEAT] = {"heat", hw_plot_heat},
    [HW_PLOT_FAMILIES] = {"families", hw_plot_families},
    [HW_PLOT_SHARES] = {"shares", hw_plot_shares},
    [HW_PLOT_COUNTS] = {"counts", hw_plot_counts},
};

const char *hw_plot_kind_name(hw_plot_kind kind)
{
    return kinds[kind].name;
}

/* ---- Shared by the kinds. ---- */

void hw_plot_caption(hw_plot *p, const char *rest)
{
    const hw_plot_data *d = p->data;
    char nodes[64];
    if (d->least_nodes == d->most_nodes)
        (void)snprintf(nodes, sizeof nodes, "%" PRIu64, d->most_nodes);
    else
        (void)snprintf(nodes, sizeof nodes, "%" PRIu64 " to %" PRIu64, d->least_nodes,
                       d->most_nodes);
    (void)snprintf(p->caption, sizeof p->caption, "%zu graph%s of %s nodes; %s", d->n_graphs,
                   d->n_graphs == 1 ? "" : "s", nodes, rest);
}

void hw_plot_keys(hw_plot *p)
{
    for (size_t i = 0; i < p->n_shown; i++)
        p->key[i] = (hw_frame_key){.name = p->data->solver[p->shown[i]], .style = i + 1};
    p->frame.keys = p->key;
    p->frame.n_keys = p->n_shown;
}

void hw_plot_begin(hw_plot *p)
{
    p->frame.title = p->title;
    p->frame.caption = p->caption;
    hw_frame_lay_out(&p->frame);
    hw_frame_begin(&p->frame);
}

bool hw_plot_gap(const hw_record *r, double *gap)
{
    if (!r->checked_peak.known || !r->optimum.known)
        return false;
    *gap = hw_gap_percent(r->checked_peak.value, r->optimum.value);
    return true;
}

const char *hw_plot_quantile_name(const hw_plot *p, char text[HW_PLOT_NAME])
{
    double q = p->options->quantile;
    if (q <= 0 || q == 0.5)
        (void)snprintf(text, HW_PLOT_NAME, "median gap");
    else
        (void)snprintf(text, HW_PLOT_NAME, "%.4g %% quantile of the gap", 100 * q);
    return text;
}

const char *hw_plot_whole(double gap, char text[HW_PLOT_NAME])
{
    if (isinf(gap))
        (void)snprintf(text, HW_PLOT_NAME, "\xE2\x88\x9E");
    else
        (void)snprintf(text, HW_PLOT_NAME, "%.0f", gap);
    return text;
}

size_t hw_plot_gaps_of(const hw_plot *p, size_t panel, size_t solver)
{
    size_t n, n_gaps = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, &n);
    for (size_t i = 0; i < n; i++)
        n_gaps += hw_plot_gap(run[i].record, &p->scratch[n_gaps]);
    hw_sort_reals(p->scratch, n_gaps);
    return n_gaps;
}

uint64_t hw_plot_bucket(const hw_plot_data *d, uint64_t n_nodes)
{
    if (!d->many_sizes || n_nodes <= 32)
        return n_nodes;
    return (uint64_t)(exp2(round(2 * log2((double)n_nodes)) / 2) + 0.5);
}

double hw_plot_tic_step(const hw_plot *p, double most)
{
    double least = most * 3 * p->frame.font / p->frame.panel_width;
    double power = pow(10, floor(log10(least)));
    return power * (least <= power ? 1 : least <= 2 * power ? 2 : least <= 5 * power ? 5 : 10);
}

void hw_plot_nodes_axis(const hw_plot *p, uint64_t most)
{
    const hw_plot_data *d = p->data;
    double low = (double)d->least_nodes / 1.08, high = (double)hw_plot_bucket(d, most) * 1.08;
    (void)fprintf(p->out, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xtics 2\n",
                  low > 0 ? low : 0.9, high > low ? high : 2);
    if (most < 64 && most >= d->least_nodes + 2) {
        (void)fputs("set xtics (", p->out);
        for (uint64_t x = d->least_nodes, n = 0; x <= most; n++) {
            (void)fprintf(p->out, "%s%" PRIu64, n ? ", " : "", x);
            x += 1 + x / 6;
        }
        (void)fputs(")\n", p->out);
    }
    (void)fputs("set format x '%g'\n", p->out);
}

void hw_plot_put_steps(FILE *out, const double *values, size_t n, size_t total, double low,
                       double high, bool factors)
{
    enum { STEPS = 240, MARK = 30 };
    double mark[STEPS / MARK + 1][2], before = -1, last_x = low;
    bool skipped = false;
    size_t at = 0;
    for (unsigned i = 0; i <= STEPS && total; i++) {
        double part = (double)i / STEPS;
        double x = factors ? low * pow(high / low, part) : low + (high - low) * part;
        while (at < n && values[at] <= x * (1 + 1e-12))
            at++;
        double share = 100.0 * (double)at / (double)total;
        bool level = i > 0 && i < STEPS && share == before;
        if (!level && skipped)
            (void)fprintf(out, "%.6g %.6g\n", last_x, before);
        if (!level)
            (void)fprintf(out, "%.6g %.6g\n", x, share);
        if (i % MARK == 0) {
            mark[i / MARK][0] = x;
            mark[i / MARK][1] = share;
        }
        skipped = level;
        before = share;
        last_x = x;
    }
    (void)fputs("\n\n", out);
    for (unsigned i = 0; i <= STEPS / MARK && total; i++)
        (void)fprintf(out, "%.6g %.6g\n", mark[i][0], mark[i][1]);
}

void hw_plot_put_lines(const hw_plot *p, size_t panel, const bool *drawn)
{
    enum { SMALL = 260 }; /* pixels: fewer marks in narrower panels */
    const char *before = "plot ", *marks = p->frame.panel_width < SMALL ? " every 2::1" : "";
    for (size_t i = 0; i < p->n_shown; i++) {
        if (!drawn[i])
            continue;
        (void)fprintf(p->out,
                      "%s$data_%zu_%zu index 0 using 1:2 with lines linestyle %zu notitle, "
                      "'' index 1%s using 1:2 with points linestyle %zu notitle",
                      before, panel, i, i + 1, marks, i + 1);
        before = ", \\\n ";
    }
    (void)fputs(*before == 'p' ? "plot -1 notitle\n" : "\n", p->out);
}

static int compare_points(const void *x, const void *y)
{
    const hw_plot_point *a = x, *b = y;
    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

void hw_plot_sort_points(hw_plot_point *points, size_t n)
{
    if (n)
        qsort(points, n, sizeof *points, compare_points);
}

size_t hw_plot_put_quartiles(FILE *out, const hw_plot_point *points, size_t n, double *scratch)
{
    size_t buckets = 0;
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && points[end].bucket == points[i].bucket; end++)
            scratch[end - i] = points[end].value;
        if (end - i < HW_PLOT_LEAST_RUNS)
            continue;
        buckets++;
        (void)fprintf(out, "%" PRIu64 " %.6g %.6g %.6g %zu\n", points[i].bucket,
                      hw_quantile(scratch, end - i, 0.25), hw_quantile(scratch, end - i, 0.5),
                      hw_quantile(scratch, end - i, 0.75), end - i);
    }
    return buckets;
}

/* ---- Making one. ---- */

void hw_plot_script_free(hw_plot_script *script)
{
    free(script->text);
    free(script->title);
    free(script->caption);
    *script = (hw_plot_script){.text = NULL};
}

static hw_code write_kind(hw_plot *p, hw_plot_kind kind, hw_error *err)
{
    p->empty = true;
    hw_code code = kinds[kind].make(p, err);
    if (code == HW_OK && p->empty)
        code = hw_fail(err, HW_BAD_INPUT, "the results hold nothing to draw: %s", p->wanting);
    if (code == HW_OK)
        hw_frame_end(&p->frame);
    return code;
}

hw_code hw_plot_make(const hw_plot_data *data, hw_plot_kind kind, const hw_plot_options *options,
                     hw_plot_script *out, hw_error *err)
{
    size_t size;
    *out = (hw_plot_script){.text = NULL};
    hw_plot *p = HW_NEW0(hw_plot, 1);
    if (!p)
        return hw_fail_memory(err, "a plot");
    p->data = data;
    p->options = options;
    p->frame.size = options->size;
    p->scratch = HW_NEW(double, data->n_runs);
    p->out = p->frame.out = hw_text_stream(&out->text, &size);
    hw_code code = p->scratch && p->out ? write_kind(p, kind, err) : hw_fail_memory(err, "a plot");
    if (p->out && fclose(p->out) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "a plot");
    out->width_px = p->frame.width;
    out->height_px = p->frame.height;
    if (code == HW_OK) {
        out->title = hw_copy(p->title, strlen(p->title) + 1, 1);
        out->caption = hw_copy(p->caption, strlen(p->caption) + 1, 1);
        if (!out->title || !out->caption)
            code = hw_fail_memory(err, "a plot");
    }
    free(p->scratch);
    free(p);
    if (code != HW_OK)
        hw_plot_script_free(out);
    return code;
}
