/*
 * Instances solved within a time, a step for each: the cactus plot, with time
 * along the axis.  An exact solver has solved an instance when it answered
 * `optimal` or `infeasible`, a heuristic when its order has the proven least
 * peak.  See plot.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"

static bool is_solved(const hw_record *r)
{
    if (r->exact)
        return strcmp(r->status, "optimal") == 0 || strcmp(r->status, "infeasible") == 0;
    return r->checked_peak.known && r->optimum.known && r->checked_peak.value == r->optimum.value;
}

/* The times of the solved runs, sorted, in scratch. */
static size_t times_of(const hw_plot *p, size_t panel, size_t solver, size_t *n_runs)
{
    size_t n = 0;
    const hw_plot_run *run = hw_plot_runs(p->data, panel, solver, n_runs);
    for (size_t i = 0; i < *n_runs; i++)
        if (is_solved(run[i].record) && run[i].record->wall_seconds >= 0)
            p->scratch[n++] = fmax(run[i].record->wall_seconds, 1e-9);
    hw_sort_reals(p->scratch, n);
    return n;
}

typedef struct key_text {
    char text[96];
} key_text;

/* "dp: 7400 of 7900", over all panels, and the ends of the axis. */
static void count(hw_plot *p, key_text *keys, double *low, double *high, size_t *most)
{
    *low = INFINITY;
    *high = 0;
    *most = 0;
    for (size_t i = 0; i < p->n_shown; i++) {
        size_t solved = 0, tried = 0;
        for (size_t panel = 0; panel < p->data->n_panels; panel++) {
            size_t n_runs, n = times_of(p, panel, p->shown[i], &n_runs);
            solved += n;
            tried += n_runs;
            *most = n > *most ? n : *most;
            *low = n ? fmin(*low, p->scratch[0]) : *low;
            *high = n ? fmax(*high, p->scratch[n - 1]) : *high;
        }
        (void)snprintf(keys[i].text, sizeof keys[i].text, "%.40s: %zu of %zu",
                       p->data->solver[p->shown[i]], solved, tried);
        p->key[i].name = keys[i].text;
        if (solved)
            p->empty = false;
    }
}

hw_code hw_plot_cactus(hw_plot *p, hw_error *err)
{
    bool drawn[HW_PLOT_PANELS][HW_PLOT_LINES];
    double low, high;
    size_t most;
    p->title = "Instances solved within a time";
    p->wanting = "no exact solver has solved an instance";
    hw_code code = hw_plot_choose(p, HW_PLOT_EXACT, 8, err);
    key_text *keys = HW_NEW(key_text, p->n_shown);
    if (code == HW_OK && !keys)
        code = hw_fail_memory(err, "a plot");
    if (code == HW_OK) {
        hw_plot_keys(p);
        count(p, keys, &low, &high, &most);
    }
    if (code != HW_OK || p->empty) {
        free(keys);
        return code;
    }
    hw_plot_caption(p, "solved: proven optimal or infeasible, of heuristics: as good as the proven "
                       "optimum; in the legend the instances solved of those tried, under all "
                       "accountings");
    p->frame.x_label = "wall time of the solver";
    p->frame.y_label = "instances solved";
    p->frame.n_panels = p->data->n_panels;
    hw_plot_begin(p);
    (void)fprintf(p->out,
                  "set logscale x\nset format x '%%.0s %%cs'\nset xrange [%.6g:%.6g]\n"
                  "set yrange [0:%.6g]\n",
                  low / 1.2, high * 1.5, (double)most * 1.04);
    for (size_t panel = 0; panel < p->data->n_panels; panel++)
        for (size_t i = 0; i < p->n_shown; i++) {
            size_t n_runs, n = times_of(p, panel, p->shown[i], &n_runs);
            (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", panel, i);
            /* Of a hundred: the number itself. */
            hw_plot_put_steps(p->out, p->scratch, n, n ? 100 : 0, low / 1.2, high * 1.5, true);
            (void)fputs("EOD\n", p->out);
            drawn[panel][i] = n > 0;
        }
    for (size_t panel = 0; panel < p->data->n_panels; panel++) {
        hw_frame_panel(&p->frame, panel, p->data->panel[panel]);
        hw_plot_put_lines(p, panel, drawn[panel]);
    }
    free(keys);
    return HW_OK;
}
