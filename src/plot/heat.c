/*
 * The gap over nodes and density, as shades and as figures: a panel a solver
 * under the first accounting, or, of one solver, a panel an accounting.  Cells
 * with fewer than three runs stay hatched.  See plot.h.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/plot_internal.h"

/* Where cells begin; the last one has no end. */
static const unsigned node_edges[] = {1,  4,  6,   8,   10,  12,  14,   18,   24,   32,
                                      48, 64, 100, 200, 400, 800, 1600, 5000, 20000};
static const double density_edges[] = {0, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10, 20};
enum {
    NODES = sizeof node_edges / sizeof node_edges[0],
    DENSITIES = sizeof density_edges / sizeof density_edges[0]
};

typedef struct map {
    size_t panel, solver; /* of the data */
    hw_plot_point *point; /* bucket: cell */
    size_t n;
} map;

typedef struct range {
    size_t first, last;
} range;

static size_t cell_of(const hw_record *r)
{
    size_t x = 0, y = 0;
    double density = r->n_nodes ? (double)r->n_edges / (double)r->n_nodes : 0;
    while (x + 1 < NODES && r->n_nodes >= node_edges[x + 1])
        x++;
    while (y + 1 < DENSITIES && density >= density_edges[y + 1])
        y++;
    return y * NODES + x;
}

static hw_code fill(const hw_plot *p, map *m, hw_error *err)
{
    size_t n;
    double gap;
    const hw_plot_run *run = hw_plot_runs(p->data, m->panel, m->solver, &n);
    m->point = HW_NEW(hw_plot_point, n);
    if (!m->point)
        return hw_fail_memory(err, "a plot");
    for (size_t i = 0; i < n; i++)
        if (hw_plot_gap(run[i].record, &gap))
            m->point[m->n++] = (hw_plot_point){cell_of(run[i].record), gap};
    hw_plot_sort_points(m->point, m->n);
    return HW_OK;
}

/* Cells with enough runs: calls see() with cell and value. */
static void each_cell(const hw_plot *p, const map *m,
                      void (*see)(void *context, size_t cell, double value, size_t n),
                      void *context)
{
    double quantile = p->options->quantile > 0 ? p->options->quantile : 0.5;
    for (size_t i = 0, end; i < m->n; i = end) {
        for (end = i; end < m->n && m->point[end].bucket == m->point[i].bucket; end++)
            p->scratch[end - i] = m->point[end].value;
        if (end - i >= HW_PLOT_LEAST_RUNS)
            see(context, (size_t)m->point[i].bucket, hw_quantile(p->scratch, end - i, quantile),
                end - i);
    }
}

typedef struct extent {
    range x, y;
    double most; /* of the cells of a solver; of the shades, once they are chosen */
    bool any, any_infinite;
} extent;

static void widen(void *context, size_t cell, double value, size_t n)
{
    extent *e = context;
    size_t x = cell % NODES, y = cell / NODES;
    (void)n;
    if (!e->any)
        e->x = (range){x, x}, e->y = (range){y, y};
    e->any = true;
    e->x.first = x < e->x.first ? x : e->x.first;
    e->x.last = x > e->x.last ? x : e->x.last;
    e->y.first = y < e->y.first ? y : e->y.first;
    e->y.last = y > e->y.last ? y : e->y.last;
    e->any_infinite = e->any_infinite || isinf(value);
    e->most = isinf(value) ? e->most : fmax(e->most, value);
}

typedef struct writing {
    FILE *out;
    double from, to; /* only values from here to below there */
    double most;     /* the shade of all that is more        */
} writing;

static void put_cell(void *context, size_t cell, double value, size_t n)
{
    const writing *w = context;
    char whole[HW_PLOT_NAME];
    double shade = isinf(value) ? w->most : value;
    if (shade >= w->from && shade < w->to)
        (void)fprintf(w->out, "%zu %zu %.6g %s %zu\n", cell % NODES, cell / NODES, shade,
                      hw_plot_whole(value, whole), n);
}

static void put_cells(const hw_plot *p, const map *m, const char *name, size_t panel, double from,
                      double to, double most)
{
    writing w = {p->out, from, to, most};
    (void)fprintf(p->out, "$%s%zu << EOD\n", name, panel);
    each_cell(p, m, put_cell, &w);
    (void)fputs("EOD\n", p->out);
}

static void put_axes(const hw_plot *p, const extent *e)
{
    char name[HW_PLOT_NAME];
    const hw_frame *f = &p->frame;
    (void)fprintf(p->out,
                  "set xrange [%zu-0.5:%zu+0.5]\nset yrange [%zu-0.5:%zu+0.5]\nunset grid\n",
                  e->x.first, e->x.last, e->y.first, e->y.last);
    (void)fputs("set xtics (", p->out);
    size_t step = 1, cells = e->x.last - e->x.first + 1;
    while (f->panel_width * step < cells * f->font * 5 / 2) /* room for three digits */
        step++;
    for (size_t i = e->x.first; i <= e->x.last; i += step)
        (void)fprintf(p->out, "%s'%u' %zu-0.5", i > e->x.first ? ", " : "", node_edges[i], i);
    (void)fprintf(p->out,
                  ")\nset cbrange [0:%.6g]\nset cbtics font ',%u' scale 0.4\n"
                  "set cblabel '%s (%%)' font ',%u'\nunset colorbox\n",
                  e->most > 0 ? e->most : 1, f->font - 1, hw_plot_quantile_name(p, name), f->font);
}

/* Densities beside the panels at the left, bare tics elsewhere. */
static void put_densities(const hw_plot *p, const extent *e, bool named)
{
    (void)fputs("set ytics (", p->out);
    for (size_t i = e->y.first; i <= e->y.last; i++) {
        (void)fputs(i > e->y.first ? ", '" : "'", p->out);
        if (named)
            (void)fprintf(p->out, "%g", density_edges[i]);
        (void)fprintf(p->out, "' %zu-0.5", i);
    }
    (void)fputs(")\n", p->out);
}

static void put_colorbox(const hw_plot *p)
{
    const hw_frame *f = &p->frame;
    double width = f->width, height = f->height;
    double low = height - f->top - f->panel_height;
    (void)fprintf(
        p->out, "set colorbox vertical user origin screen %.4f,%.4f size screen %.4f,%.4f\n",
        (width - f->right - 2) / width, low / height, 12 / width, f->panel_height / height);
}

static void draw_panel(const hw_plot *p, const map *m, const extent *e, size_t panel,
                       const char *title)
{
    const hw_frame *f = &p->frame;
    double most = e->most > 0 ? e->most : 1, turn = most * 0.5;
    bool figures = f->panel_width / (e->x.last - e->x.first + 1) > 2 * (size_t)f->font;
    put_cells(p, m, "cells", panel, -1, INFINITY, most);
    put_cells(p, m, "pale", panel, -1, turn, most);
    put_cells(p, m, "dark", panel, turn, INFINITY, most);
    (void)fprintf(p->out, "$ground << EOD\n%g %g %g %g %g %g\nEOD\n", (double)e->x.first,
                  (double)e->y.first, (double)e->x.first - 0.5, (double)e->x.last + 0.5,
                  (double)e->y.first - 0.5, (double)e->y.last + 0.5);
    if (panel == 0)
        put_colorbox(p);
    put_densities(p, e, panel % f->columns == 0);
    hw_frame_panel(f, panel, title);
    (void)fprintf(p->out,
                  "plot $ground using 1:2:3:4:5:6 with boxxyerror fillstyle pattern 4 noborder "
                  "linecolor rgb '#b8b8b8' notitle, \\\n"
                  " $cells%zu using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror "
                  "fillstyle solid 1 border linecolor rgb paper fillcolor palette notitle",
                  panel);
    if (figures)
        (void)fprintf(p->out,
                      ", \\\n $pale%zu using 1:2:4 with labels font ',%u' textcolor rgb ink "
                      "notitle, $dark%zu using 1:2:4 with labels font ',%u' textcolor rgb paper "
                      "notitle",
                      panel, f->font - 2, panel, f->font - 2);
    (void)fputs("\nunset colorbox\n", p->out);
}

/*
 * A map for each of at most `most` solvers under the first accounting, or of a
 * single one under all.  Of those that nobody named, some are never far from the
 * optimum: they make no picture.
 */
static hw_code make_maps(hw_plot *p, size_t most, map *maps, size_t *n_maps, extent *e,
                         hw_error *err)
{
    static const double far_enough = 5;
    bool named = p->options->n_solvers || p->options->all_solvers;
    size_t n_panels = p->n_shown == 1 ? p->data->n_panels : 1;
    *n_maps = 0;
    for (size_t i = 0; i < p->n_shown && *n_maps < most; i++)
        for (size_t panel = 0; panel < n_panels; panel++) {
            map *m = &maps[*n_maps];
            extent own = {.any = false};
            *m = (map){.panel = panel, .solver = p->shown[i]};
            hw_code code = fill(p, m, err);
            if (code != HW_OK)
                return code;
            each_cell(p, m, widen, &own);
            if (!named && p->n_shown > 1 && own.most < far_enough && !own.any_infinite) {
                free(m->point);
                continue;
            }
            each_cell(p, m, widen, e);
            ++*n_maps;
        }
    return HW_OK;
}

typedef struct values {
    double *value;
    size_t n, room;
    bool failed;
} values;

static void collect(void *context, size_t cell, double value, size_t n)
{
    values *v = context;
    void *array = v->value;
    (void)cell;
    (void)n;
    if (isinf(value))
        return;
    if (v->failed || !hw_grow(&array, &v->room, v->n + 1, sizeof value)) {
        v->failed = true;
        return;
    }
    v->value = array;
    v->value[v->n++] = value;
}

/* Where the shades end: beyond nearly all cells, so that a single one does not pale the rest. */
static hw_code choose_shades(const hw_plot *p, const map *maps, size_t n_maps, extent *e,
                             hw_error *err)
{
    static const double nearly_all = 0.97;
    values v = {.n = 0};
    for (size_t i = 0; i < n_maps; i++)
        each_cell(p, &maps[i], collect, &v);
    if (!v.failed) {
        hw_sort_reals(v.value, v.n);
        double high = hw_quantile(v.value, v.n, nearly_all);
        e->most = v.n && high >= 1 ? high : e->most;
    }
    free(v.value);
    return v.failed ? hw_fail_memory(err, "a plot") : HW_OK;
}

hw_code hw_plot_heat(hw_plot *p, hw_error *err)
{
    map maps[HW_PLOT_LINES + HW_PLOT_PANELS];
    size_t n_maps = 0;
    extent e = {.any = false};
    p->title = "Gap over the size and the density of graphs";
    p->wanting = "no heuristic has three orders on graphs of like size and density with a proven "
                 "optimum";
    hw_code code = hw_plot_choose(p, HW_PLOT_HEURISTICS, HW_PLOT_LINES, err);
    bool named = p->options->n_solvers || p->options->all_solvers;
    if (code == HW_OK)
        code = make_maps(p, named ? HW_PLOT_LINES : 6, maps, &n_maps, &e, err);
    p->empty = !e.any;
    if (code == HW_OK && e.any)
        code = choose_shades(p, maps, n_maps, &e, err);
    if (code == HW_OK && e.any) {
        char rest[300], name[HW_PLOT_NAME];
        (void)snprintf(rest, sizeof rest,
                       "shades: %s over proven optima, the darkest from %.3g %% on; hatched: fewer "
                       "than three graphs",
                       hw_plot_quantile_name(p, name), e.most);
        hw_plot_caption(p, rest);
        p->frame.x_label = "nodes, from";
        p->frame.y_label = "edges a node, from";
        p->frame.n_panels = n_maps;
        p->frame.right = p->options->size == HW_PLOT_WEB ? 66 : 56;
        p->frame.least_width = p->options->size == HW_PLOT_WEB ? 230 : 150;
        p->frame.panel_height = p->options->size == HW_PLOT_WEB ? 230 : 150;
        hw_plot_begin(p);
        put_axes(p, &e);
        for (size_t i = 0; i < n_maps; i++) {
            char title[2 * HW_PLOT_NAME];
            (void)snprintf(title, sizeof title, "%.60s, %s", p->data->solver[maps[i].solver],
                           p->data->panel[maps[i].panel]);
            draw_panel(p, &maps[i], &e, i, title);
        }
    }
    for (size_t i = 0; i < n_maps; i++)
        free(maps[i].point);
    return code;
}
