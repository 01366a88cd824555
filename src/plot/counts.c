/*
 * How many orders and down-sets graphs have, how wide they are, and how many
 * prefixes the exact search makes of that: medians and quartiles against nodes,
 * a line a family.  See plot.h.
 *
 * Orders, down-sets and width are counted here, on graphs made anew (recount.h);
 * prefixes are the states of runs of `exact` that came to a proof.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot_internal.h"
#include "plot/recount.h"

enum { MOST_FAMILIES = 8 };

typedef enum measure { ORDERS, DOWN_SETS, WIDTH, PREFIXES, MEASURES } measure;

static const char *const titles[MEASURES] = {
    "topological orders", "down-sets", "width (largest antichain)", "prefixes that exact expands"};

typedef struct sample {
    uint32_t family;
    hw_plot_point point;
} sample;

typedef struct space {
    hw_plot_graph *graphs;
    size_t n_graphs;
    sample *samples;
    hw_plot_point *points;
    size_t *seen, families[MOST_FAMILIES], n_families;
    bool has[MEASURES];    /* something to draw */
    double most[MEASURES]; /* the largest value   */
    uint64_t most_nodes;
} space;

static int by_family(const void *x, const void *y)
{
    const sample *a = x, *b = y;
    if (a->family != b->family)
        return a->family < b->family ? -1 : 1;
    if (a->point.bucket != b->point.bucket)
        return a->point.bucket < b->point.bucket ? -1 : 1;
    return (a->point.value > b->point.value) - (a->point.value < b->point.value);
}

/* Under the first accounting that has any. */
static size_t gather_prefixes(const hw_plot *p, sample *samples)
{
    const hw_plot_data *d = p->data;
    size_t n_samples = 0, n;
    for (size_t panel = 0; n_samples == 0 && panel < d->n_panels; panel++)
        for (size_t s = 0; s < d->n_solvers; s++) {
            const hw_plot_run *run = hw_plot_runs(d, panel, s, &n);
            for (size_t i = 0; i < n && strcmp(d->solver[s], "exact") == 0; i++) {
                const hw_record *r = run[i].record;
                if (strcmp(r->status, "optimal") == 0 && r->states.known && r->states.value > 0)
                    samples[n_samples++] =
                        (sample){d->unit[run[i].unit].family,
                                 {hw_plot_bucket(d, r->n_nodes), (double)r->states.value}};
            }
        }
    return n_samples;
}

static size_t gather(const hw_plot *p, const space *x, measure m)
{
    size_t n = 0;
    if (m == PREFIXES)
        n = gather_prefixes(p, x->samples);
    for (size_t i = 0; i < x->n_graphs && m != PREFIXES; i++) {
        const hw_plot_graph *g = &x->graphs[i];
        double value = m == ORDERS ? g->orders : m == DOWN_SETS ? g->down_sets : g->width;
        if (m == WIDTH ? g->width > 0 : g->counted)
            x->samples[n++] = (sample){g->family, {g->bucket, value}};
    }
    if (n)
        qsort(x->samples, n, sizeof *x->samples, by_family);
    return n;
}

/* Families by the number of their samples, the most first; ties by name. */
static void choose_families(const hw_plot *p, space *x)
{
    for (x->n_families = 0; x->n_families < MOST_FAMILIES; x->n_families++) {
        size_t best = SIZE_MAX;
        for (size_t f = 0; f < p->data->n_families; f++)
            if (x->seen[f] >= HW_PLOT_LEAST_RUNS &&
                (best == SIZE_MAX || x->seen[f] > x->seen[best]))
                best = f;
        if (best == SIZE_MAX)
            break;
        x->seen[best] = 0;
        x->families[x->n_families] = best;
    }
}

static bool is_chosen(const space *x, size_t family)
{
    for (size_t i = 0; i < x->n_families; i++)
        if (x->families[i] == family)
            return true;
    return false;
}

/* The largest size and value that will be drawn; samples are in order. */
static void find_ends(space *x, size_t n, measure m)
{
    for (size_t i = 0, end; i < n; i = end) {
        const sample *first = &x->samples[i];
        for (end = i + 1; end < n && x->samples[end].family == first->family &&
                          x->samples[end].point.bucket == first->point.bucket;)
            end++;
        if (end - i < HW_PLOT_LEAST_RUNS || !is_chosen(x, first->family))
            continue;
        x->most[m] = fmax(x->most[m], x->samples[end - 1].point.value);
        if (first->point.bucket > x->most_nodes)
            x->most_nodes = first->point.bucket;
    }
}

static void survey(const hw_plot *p, space *x)
{
    for (size_t m = 0; m < MEASURES; m++) {
        size_t n = gather(p, x, (measure)m);
        for (size_t i = 0; i < n; i++)
            x->seen[x->samples[i].family]++;
    }
    choose_families(p, x);
    for (size_t m = 0; m < MEASURES; m++)
        find_ends(x, gather(p, x, (measure)m), (measure)m);
    bool any = false;
    for (size_t m = 0; m < MEASURES; m++) {
        x->has[m] = x->most[m] >= 1; /* on an axis of powers */
        any = any || x->has[m];
    }
    if (!any)
        x->n_families = 0;
}

static size_t put_family(const hw_plot *p, const space *x, size_t n, size_t family)
{
    size_t n_points = 0;
    for (size_t i = 0; i < n; i++)
        if (x->samples[i].family == family)
            x->points[n_points++] = x->samples[i].point;
    return hw_plot_put_quartiles(p->out, x->points, n_points, p->scratch);
}

/* Tics at powers of ten, no more than eight, with raised digits for the exponents. */
static void put_powers(FILE *out, double most)
{
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    unsigned last = most > 1 ? (unsigned)ceil(log10(most)) : 1, step = (last + 7) / 8;
    (void)fprintf(out, "set yrange [0.8:%.6g]\nset ytics ('1' 1", most * 1.3);
    for (unsigned i = step; i <= last; i += step) {
        (void)fputs(", '10", out);
        if (i >= 10)
            (void)fputs(raised[i / 10], out);
        if (i > 1)
            (void)fputs(raised[i % 10], out);
        (void)fprintf(out, "' 1e%u", i);
    }
    (void)fputs(")\n", out);
}

static void draw_measure(hw_plot *p, const space *x, measure m, size_t panel)
{
    size_t n = gather(p, x, m);
    put_powers(p->out, x->most[m]);
    for (size_t f = 0; f < x->n_families; f++) {
        (void)fprintf(p->out, "$data_%u_%zu << EOD\n", (unsigned)m, f);
        if (put_family(p, x, n, x->families[f]) > 0)
            p->empty = false;
        (void)fputs("EOD\n", p->out);
    }
    hw_frame_panel(&p->frame, panel, titles[m]);
    (void)fputs("plot ", p->out);
    for (size_t f = 0; f < x->n_families; f++) {
        double shift = 1 + 0.006 * ((double)f - (double)(x->n_families - 1) / 2);
        (void)fprintf(p->out,
                      "%s$data_%u_%zu using ($1*%.4f):2:(0):($4-$2) with vectors nohead linestyle "
                      "%zu linewidth 0.7 dashtype 1 notitle, "
                      "'' using ($1*%.4f):3 with linespoints linestyle %zu notitle",
                      f ? ", \\\n " : "", (unsigned)m, f, shift, f + 1, shift, f + 1);
    }
    (void)fputc('\n', p->out);
}

static void draw(hw_plot *p, space *x)
{
    size_t panel = 0;
    for (size_t f = 0; f < x->n_families; f++)
        p->key[f] = (hw_frame_key){.name = p->data->family[x->families[f]], .style = f + 1};
    for (size_t m = 0; m < MEASURES; m++)
        p->frame.n_panels += x->has[m];
    p->frame.keys = p->key;
    p->frame.n_keys = x->n_families;
    p->frame.x_label = "nodes";
    p->frame.own_scale = true;
    p->frame.least_width = p->options->size == HW_PLOT_WEB ? 220 : 140;
    p->frame.panel_height = p->options->size == HW_PLOT_WEB ? 260 : 170;
    hw_plot_caption(p, "line: median, bar: quartiles, of at most 40 graphs a family and size, of "
                       "prefixes: of all; orders and down-sets up to the size where all of these "
                       "graphs can be counted");
    hw_plot_begin(p);
    hw_plot_nodes_axis(p, x->most_nodes);
    (void)fputs("set logscale y\n", p->out);
    for (size_t m = 0; m < MEASURES; m++)
        if (x->has[m])
            draw_measure(p, x, (measure)m, panel++);
}

hw_code hw_plot_counts(hw_plot *p, hw_error *err)
{
    size_t room = p->data->n_runs + p->data->n_units;
    p->title = "Orders, down-sets, width and prefixes against the size of the graph";
    p->wanting = "no three graphs of one family that can be made anew, and no runs of exact";
    space x = {.samples = HW_NEW(sample, room),
               .points = HW_NEW(hw_plot_point, room),
               .seen = HW_NEW0(size_t, p->data->n_families)};
    hw_code code = x.samples && x.points && x.seen ? HW_OK : hw_fail_memory(err, "a plot");
    if (code == HW_OK)
        code = hw_plot_recount(p->data, &x.graphs, &x.n_graphs, err);
    if (code == HW_OK) {
        survey(p, &x);
        if (x.n_families)
            draw(p, &x);
    }
    free(x.graphs);
    free(x.samples);
    free(x.points);
    free(x.seen);
    return code;
}
