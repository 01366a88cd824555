/*
 * Performance profiles among the solvers drawn alone, as where no optimum is
 * known, with and without the best of them: taking away one solver can change
 * how the others stand to each other (Gould and Scott 2016,
 * doi:10.1145/2950048).  Only instances that all of them tried are counted.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"

static const double most_ratio = 3;

typedef struct rivals {
    hw_plot *p;
    size_t n_units;         /* that all tried */
    uint64_t *peak;         /* by unit and solver shown; UINT64_MAX: no order */
    double *ratio;          /* of one solver, sorted */
    size_t panel, left_out; /* index among the shown, or SIZE_MAX */
} rivals;

/* The peaks of the panel, row by row the units that all of the shown tried. */
static hw_code read_peaks(rivals *x, hw_error *err)
{
    const hw_plot_data *d = x->p->data;
    size_t n_shown = x->p->n_shown, kept = 0;
    uint32_t *tried = HW_NEW0(uint32_t, d->n_units), *row = HW_NEW(uint32_t, d->n_units);
    if (!tried || !row) {
        free(tried);
        free(row);
        return hw_fail_memory(err, "a plot");
    }
    for (size_t i = 0; i < n_shown; i++) {
        size_t n;
        const hw_plot_run *run = hw_plot_runs(d, x->panel, x->p->shown[i], &n);
        for (size_t k = 0; k < n; k++)
            if (tried[run[k].unit] == i)
                tried[run[k].unit]++;
    }
    for (size_t u = 0; u < d->n_units; u++) {
        row[u] = UINT32_MAX;
        if (n_shown && tried[u] == n_shown)
            row[u] = (uint32_t)kept++;
    }
    for (size_t i = 0; i < n_shown; i++) {
        size_t n;
        const hw_plot_run *run = hw_plot_runs(d, x->panel, x->p->shown[i], &n);
        for (size_t k = 0; k < n; k++)
            if (row[run[k].unit] != UINT32_MAX) {
                hw_maybe_u64 peak = run[k].record->checked_peak;
                x->peak[row[run[k].unit] * n_shown + i] = peak.known ? peak.value : UINT64_MAX;
            }
    }
    x->n_units = kept;
    free(tried);
    free(row);
    return HW_OK;
}

/* The ratios of one solver to the best of those that take part, sorted. */
static size_t ratios_of(const rivals *x, size_t solver)
{
    size_t n = 0, n_shown = x->p->n_shown;
    for (size_t u = 0; u < x->n_units; u++) {
        const uint64_t *peak = x->peak + u * n_shown;
        uint64_t best = UINT64_MAX;
        for (size_t i = 0; i < n_shown; i++)
            if (i != x->left_out && peak[i] < best)
                best = peak[i];
        if (peak[solver] == UINT64_MAX)
            continue;
        x->ratio[n++] = peak[solver] == best ? 1
                        : best               ? (double)peak[solver] / (double)best
                                             : INFINITY;
    }
    hw_sort_reals(x->ratio, n);
    return n;
}

/* How often each is best, ties included. */
static void count_wins(const rivals *x, size_t wins[HW_PLOT_LINES], double *reach)
{
    for (size_t i = 0; i < x->p->n_shown; i++) {
        size_t n = i == x->left_out ? 0 : ratios_of(x, i);
        for (wins[i] = 0; wins[i] < n && x->ratio[wins[i]] <= 1;)
            wins[i]++;
        double far = n ? hw_quantile(x->ratio, n, 0.95) : 1;
        *reach = far > *reach && far <= most_ratio ? far : far > most_ratio ? most_ratio : *reach;
    }
}

static void put_curves(const rivals *x, size_t panel, double reach)
{
    for (size_t i = 0; i < x->p->n_shown; i++) {
        if (i == x->left_out)
            continue;
        size_t n = ratios_of(x, i);
        (void)fprintf(x->p->out, "$data_%zu_%zu << EOD\n", panel, i);
        hw_plot_put_steps(x->p->out, x->ratio, n, x->n_units, 1, reach, false);
        (void)fputs("EOD\n", x->p->out);
    }
}

/* Pairs of solvers that stand the other way round once the best is gone. */
static void tell_changes(hw_plot *p, size_t panel, const size_t *with, const size_t *without,
                         size_t best)
{
    size_t used = strlen(p->caption), room = sizeof p->caption - used, changes = 0;
    int length = snprintf(p->caption + used, room, " %s without %s:", p->data->panel[panel],
                          p->data->solver[p->shown[best]]);
    for (size_t i = 0; i < p->n_shown; i++)
        for (size_t k = 0; k < p->n_shown; k++) {
            if (i == best || k == best || !(with[i] > with[k] && without[i] < without[k]))
                continue;
            used = strlen(p->caption);
            if (changes++ < 3)
                (void)snprintf(p->caption + used, sizeof p->caption - used, "%s %s passes %s",
                               changes > 1 ? "," : "", p->data->solver[p->shown[k]],
                               p->data->solver[p->shown[i]]);
        }
    used = strlen(p->caption);
    if (changes > 3)
        (void)snprintf(p->caption + used, sizeof p->caption - used, ", %zu such pairs in all",
                       changes);
    (void)snprintf(p->caption + strlen(p->caption), sizeof p->caption - strlen(p->caption), "%s",
                   changes ? "." : " the order of the others stays.");
    (void)length;
}

typedef struct pair {
    size_t best, with[HW_PLOT_LINES], without[HW_PLOT_LINES];
    uint64_t n_units;
} pair;

static hw_code compare(rivals *x, pair *pairs, double *reach, hw_error *err)
{
    for (x->panel = 0; x->panel < x->p->data->n_panels; x->panel++) {
        pair *now = &pairs[x->panel];
        hw_code code = read_peaks(x, err);
        if (code != HW_OK)
            return code;
        x->left_out = SIZE_MAX;
        count_wins(x, now->with, reach);
        for (size_t i = 0; i < x->p->n_shown; i++)
            now->best = now->with[i] > now->with[now->best] ? i : now->best;
        now->n_units = x->n_units;
        x->left_out = now->best;
        count_wins(x, now->without, reach);
        if (x->n_units)
            x->p->empty = false;
    }
    return HW_OK;
}

static hw_code draw(rivals *x, const pair *pairs, double reach, hw_error *err)
{
    hw_plot *p = x->p;
    hw_plot_begin(p);
    (void)fprintf(p->out, "set xrange [1:%.6g]\nset yrange [0:100]\nset ytics 20\n", reach);
    for (x->panel = 0; x->panel < p->data->n_panels; x->panel++) {
        hw_code code = read_peaks(x, err);
        if (code != HW_OK)
            return code;
        for (size_t side = 0; side < 2; side++) {
            bool drawn[HW_PLOT_LINES];
            char title[2 * HW_PLOT_NAME];
            size_t best = pairs[x->panel].best, panel = 2 * x->panel + side;
            x->left_out = side ? best : SIZE_MAX;
            for (size_t i = 0; i < p->n_shown; i++)
                drawn[i] = i != x->left_out && x->n_units > 0;
            put_curves(x, panel, reach);
            (void)snprintf(title, sizeof title, side ? "%s, without %.40s" : "%s",
                           p->data->panel[x->panel], p->data->solver[p->shown[best]]);
            hw_frame_panel(&p->frame, panel, title);
            hw_plot_put_lines(p, panel, drawn);
        }
    }
    return HW_OK;
}

hw_code hw_plot_rivals(hw_plot *p, hw_error *err)
{
    pair pairs[HW_PLOT_PANELS] = {{.best = 0}};
    double reach = 1.05;
    p->title = "Performance profile among rivals, with and without their best";
    p->wanting = "no instance was tried by all of at least three heuristics";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, 8, err);
    if (code != HW_OK || p->n_shown < 3)
        return code;
    rivals x = {.p = p,
                .peak = HW_NEW(uint64_t, p->data->n_units * p->n_shown),
                .ratio = HW_NEW(double, p->data->n_units)};
    code = x.peak && x.ratio ? compare(&x, pairs, &reach, err) : hw_fail_memory(err, "a plot");
    if (code == HW_OK && !p->empty) {
        (void)snprintf(p->caption, sizeof p->caption,
                       "%" PRIu64 " instances that all %zu tried; multiples of the best of those "
                       "drawn. By how often each is best (Gould and Scott 2016):",
                       pairs[0].n_units, p->n_shown);
        for (size_t i = 0; i < p->data->n_panels; i++)
            if (pairs[i].n_units)
                tell_changes(p, i, pairs[i].with, pairs[i].without, pairs[i].best);
        hw_plot_keys(p);
        p->frame.x_label = "peak, as a multiple of the best of the solvers drawn";
        p->frame.y_label = "instances (%)";
        p->frame.n_panels = 2 * p->data->n_panels;
        if (p->options->size == HW_PLOT_WEB)
            p->frame.least_width = 400;
        code = draw(&x, pairs, reach, err);
    }
    free(x.peak);
    free(x.ratio);
    return code;
}
