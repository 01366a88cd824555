/*
 * How many orders and down-sets graphs have, and how many prefixes the exact
 * search makes of that: medians and quartiles against nodes, a line a family.
 * See plot.h.
 *
 * Orders come from `enumerate:prune=no`, which visits every one; down-sets from
 * tflite-tools, which solves each once and prunes nothing (its states count all
 * but the empty set).  Runs that ended at a limit are left out.
 */
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"

enum { MOST_FAMILIES = 8 };

static bool is_whole(const hw_record *r)
{
    return strcmp(r->status, "optimal") == 0 && !r->limit_reached;
}

static bool count_orders(const hw_record *r, double *value)
{
    bool all = strncmp(r->solver, "enumerate:", 10) == 0 && strstr(r->solver, "prune=no");
    *value = (double)r->orders.value;
    return all && is_whole(r) && r->orders.known;
}

static bool count_down_sets(const hw_record *r, double *value)
{
    *value = (double)r->states.value + 1;
    return strncmp(r->solver, "tflite-tools", 12) == 0 && is_whole(r) && r->states.known;
}

static bool count_states(const hw_record *r, double *value)
{
    *value = (double)r->states.value;
    return strcmp(r->solver, "exact") == 0 && is_whole(r) && r->states.known && r->states.value > 0;
}

static const struct measure {
    const char *title, *y_label;
    bool (*value)(const hw_record *r, double *value);
} measures[] = {
    {"topological orders", "orders", count_orders},
    {"down-sets", "down-sets", count_down_sets},
    {"prefixes that exact expands", "prefixes", count_states},
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

typedef struct sample {
    uint32_t family;
    hw_plot_point point;
} sample;

static int by_family(const void *x, const void *y)
{
    const sample *a = x, *b = y;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->point.bucket != b->point.bucket)
        return a->point.bucket < b->point.bucket ? -1 : 1;
    return (a->point.value > b->point.value) - (a->point.value < b->point.value);
}

/* All values of a measure, from the first accounting that has any. */
static size_t gather(const hw_plot *p, const struct measure *m, sample *samples)
{
    size_t n_samples = 0;
    double value;
    for (size_t panel = 0; n_samples == 0 && panel < p->data->n_panels; panel++)
        for (size_t s = 0; s < p->data->n_solvers; s++) {
            size_t n;
            const hw_plot_run *run = hw_plot_runs(p->data, panel, s, &n);
            for (size_t i = 0; i < n; i++)
                if (m->value(run[i].record, &value))
                    samples[n_samples++] =
                        (sample){p->data->unit[run[i].unit].family,
                                 {hw_plot_bucket(run[i].record->n_nodes), value}};
        }
    if (n_samples)
        qsort(samples, n_samples, sizeof *samples, by_family);
    return n_samples;
}

/* Families by the number of their samples, the most first; ties by name. */
static void choose_families(const hw_plot *p, size_t *seen, size_t *families, size_t *n_families)
{
    for (*n_families = 0; *n_families < MOST_FAMILIES; ++*n_families) {
        size_t best = SIZE_MAX;
        for (size_t f = 0; f < p->data->n_families; f++)
            if (seen[f] >= HW_PLOT_LEAST_RUNS && (best == SIZE_MAX || seen[f] > seen[best]))
                best = f;
        if (best == SIZE_MAX)
            break;
        seen[best] = 0;
        families[*n_families] = best;
    }
}

static size_t put_family(const hw_plot *p, const sample *samples, size_t n, size_t family,
                         hw_plot_point *points)
{
    size_t n_points = 0;
    for (size_t i = 0; i < n; i++)
        if (samples[i].family == family)
            points[n_points++] = samples[i].point;
    return hw_plot_put_quartiles(p->out, points, n_points, p->scratch);
}

typedef struct space {
    sample *samples;
    hw_plot_point *points;
    size_t *seen, families[MOST_FAMILIES], n_families;
    bool has[MEASURES];
} space;

static void survey(const hw_plot *p, space *x)
{
    for (size_t m = 0; m < MEASURES; m++) {
        size_t n = gather(p, &measures[m], x->samples);
        x->has[m] = n >= HW_PLOT_LEAST_RUNS;
        for (size_t i = 0; i < n; i++)
            x->seen[x->samples[i].family]++;
    }
    choose_families(p, x->seen, x->families, &x->n_families);
}

static void draw_measure(hw_plot *p, const space *x, size_t m, size_t panel)
{
    size_t n = gather(p, &measures[m], x->samples);
    for (size_t f = 0; f < x->n_families; f++) {
        (void)fprintf(p->out, "$data_%zu_%zu << EOD\n", m, f);
        if (put_family(p, x->samples, n, x->families[f], x->points) > 0)
            p->empty = false;
        (void)fputs("EOD\n", p->out);
    }
    hw_frame_panel(&p->frame, panel, measures[m].title);
    (void)fputs("plot ", p->out);
    for (size_t f = 0; f < x->n_families; f++) {
        double shift = 1 + 0.006 * ((double)f - (double)(x->n_families - 1) / 2);
        (void)fprintf(p->out,
                      "%s$data_%zu_%zu using ($1*%.4f):2:(0):($4-$2) with vectors nohead linestyle "
                      "%zu linewidth 0.7 dashtype 1 notitle, "
                      "'' using ($1*%.4f):3 with linespoints linestyle %zu notitle",
                      f ? ", \\\n " : "", m, f, shift, f + 1, shift, f + 1);
    }
    (void)fputc('\n', p->out);
}

hw_code hw_plot_counts(hw_plot *p, hw_error *err)
{
    size_t panel = 0;
    p->title = "Orders, down-sets and prefixes against the size of the graph";
    p->wanting = "no three runs of enumerate:prune=no, tflite-tools or exact that came to their "
                 "end";
    space x = {.samples = HW_NEW(sample, p->data->n_runs),
               .points = HW_NEW(hw_plot_point, p->data->n_runs),
               .seen = HW_NEW0(size_t, p->data->n_families)};
    hw_code code = x.samples && x.points && x.seen ? HW_OK : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        survey(p, &x);
    if (code == HW_OK && x.n_families) {
        for (size_t f = 0; f < x.n_families; f++)
            p->key[f] = (hw_frame_key){.name = p->data->family[x.families[f]], .style = f + 1};
        for (size_t m = 0; m < MEASURES; m++)
            p->frame.n_panels += x.has[m];
        p->frame.keys = p->key;
        p->frame.n_keys = x.n_families;
        p->frame.x_label = "nodes";
        p->frame.own_scale = true;
        p->frame.y_format = "%.0s%c";
        p->frame.least_width = p->options->size == HW_PLOT_WEB ? 220 : 140;
        hw_plot_caption(p, "line: median, bar: quartiles; only graphs on which the counting came "
                           "to its end, the eight families with most of them");
        hw_plot_begin(p);
        hw_plot_nodes_axis(p);
        (void)fputs("set logscale y\n", p->out);
        for (size_t m = 0; m < MEASURES; m++)
            if (x.has[m])
                draw_measure(p, &x, m, panel++);
    }
    free(x.samples);
    free(x.points);
    free(x.seen);
    return code;
}
