/*
 * Orders, down-sets and width of graphs, which results do not hold: some
 * graphs of each number of nodes are made anew and counted.  See tables.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/remake.h"
#include "core/memory.h"
#include "model/structure.h"
#include "stats/tables.h"

enum { P25, P50, P75, MOST, KNOWN, EACH };
enum column { GRAPHS, ORDERS, DOWN_SETS = ORDERS + EACH, WIDTH = DOWN_SETS + EACH };
enum { N_COLUMNS = WIDTH + EACH, N_COUNTS = 3 };

#define COUNT_COLUMNS(at, key, head, macro)                                                        \
    [(at) + P25] = {key "_p25", NULL, macro "Quarter", HW_FIGURE_LARGE, 0, false},                 \
            [(at) + P50] = {key "_p50", head, macro "Median", HW_FIGURE_LARGE, 0, false},          \
            [(at) + P75] = {key "_p75", NULL, macro "ThreeQuarters", HW_FIGURE_LARGE, 0, false},   \
            [(at) + MOST] = {key "_max", head " max", macro "Most", HW_FIGURE_LARGE, 0, false},    \
            [(at) + KNOWN] = {key "_known", NULL, macro "Known", HW_FIGURE_COUNT, 0, false}

static const hw_figure_column columns[N_COLUMNS] = {
    [GRAPHS] = {"graphs", "graphs", "Graphs", HW_FIGURE_COUNT, 0, false},
    COUNT_COLUMNS(ORDERS, "orders", "orders", "Orders"),
    COUNT_COLUMNS(DOWN_SETS, "down_sets", "down-sets", "DownSets"),
    COUNT_COLUMNS(WIDTH, "width", "width", "Width"),
};

/* Of each stratum at most so many graphs; each within these limits. */
enum { MOST_GRAPHS = 40, WIDTH_NODES = 1100, MOST_DOWN_SETS = 30000 };

typedef struct workspace {
    const hw_record **graph;             /* one run of each instance of a stratum       */
    bool *seen;                          /* by instance                                 */
    double count[N_COUNTS][MOST_GRAPHS]; /* INFINITY: more than the limit */
    size_t n;                            /* graphs that were counted      */
} workspace;

/* One run of each instance; how many there are. */
static size_t collect(const hw_strata *s, size_t stratum, workspace *w)
{
    size_t n = 0, from = s->start[hw_cell(s, stratum, 0)];
    size_t to = s->start[hw_cell(s, stratum + 1, 0)];
    for (size_t m = from; m < to; m++) {
        size_t i = s->instance[s->member[m]];
        if (!w->seen[i])
            w->graph[n++] = &s->records[s->member[m]];
        w->seen[i] = true;
    }
    for (size_t m = from; m < to; m++)
        w->seen[s->instance[s->member[m]]] = false;
    return n;
}

/* Count one graph, if it can be made anew. */
static hw_code count(const hw_record *r, bool countable, workspace *w, hw_error *err)
{
    const hw_structure_limits limits = {WIDTH_NODES, countable ? MOST_DOWN_SETS : 0};
    const char *why;
    hw_structure x;
    hw_graph *g;
    hw_code code = hw_record_remake(r, &g, &why, err);
    if (code != HW_OK || !g)
        return code;
    code = hw_structure_find(g, limits, &x, err);
    hw_graph_free(g);
    if (code != HW_OK)
        return code;
    w->count[0][w->n] =
        x.has_orders ? ldexp((double)x.orders_high, 64) + (double)x.orders_low : INFINITY;
    w->count[1][w->n] = x.has_down_sets ? (double)x.down_sets : INFINITY;
    w->count[2][w->n++] = x.has_width ? (double)x.width : INFINITY;
    return HW_OK;
}

/* Quantiles; one that falls among those beyond the limit is unknown. */
static void put_counts(hw_figures *f, size_t row, size_t at, double *values, size_t n)
{
    static const double levels[] = {[P25] = 0.25, [P50] = 0.5, [P75] = 0.75, [MOST] = 1};
    size_t known = 0;
    hw_sort_reals(values, n);
    while (known < n && isfinite(values[known]))
        known++;
    for (size_t i = P25; i <= MOST && n; i++) {
        size_t above = (size_t)ceil(levels[i] * (double)(n - 1));
        if (above < known)
            hw_figures_put(f, row, at + i, hw_quantile(values, n, levels[i]));
    }
    hw_figures_put(f, row, at + KNOWN, (double)known);
}

/* The strata are one but for the number of nodes, the last of their fields. */
static bool same_but_nodes(const hw_strata *s, size_t a, size_t b)
{
    for (size_t i = 0; i + 1 < s->n_fields; i++) {
        char x[HW_FIELD_TEXT], y[HW_FIELD_TEXT];
        if (strcmp(hw_field_text(s->first[a], s->fields[i], x),
                   hw_field_text(s->first[b], s->fields[i], y)) != 0)
            return false;
    }
    return true;
}

/* A row for each stratum of which graphs can be counted.  Behind a size at which
 * half of them pass the limit, larger ones are not tried. */
static hw_code fill(const hw_strata *s, const hw_stats_options *o, workspace *w, hw_figures *f,
                    hw_error *err)
{
    size_t row = 0;
    bool countable = true;
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < s->n_strata; i++) {
        size_t n = collect(s, i, w), wanted = n < MOST_GRAPHS ? n : MOST_GRAPHS;
        countable = countable || !same_but_nodes(s, i - 1, i);
        w->n = 0;
        for (size_t k = 0; code == HW_OK && k < wanted; k++)
            code = o->stop && *o->stop ? hw_fail(err, HW_STOPPED, "stopped by a signal")
                                       : count(w->graph[k * n / wanted], countable, w, err);
        if (code != HW_OK || w->n == 0)
            continue;
        f->row[row] = (hw_figure_row){.first = s->first[i], .stratum = i};
        hw_figures_put(f, row, GRAPHS, (double)w->n);
        for (size_t c = 0; c < N_COUNTS; c++)
            put_counts(f, row, ORDERS + c * EACH, w->count[c], w->n);
        countable = !isnan(f->value[row * f->n_columns + DOWN_SETS + P50]);
        row++;
    }
    hw_figures_cut(f, row);
    return code;
}

hw_code hw_stats_counts(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    hw_field fields[HW_N_FIELDS + 1];
    hw_strata by_nodes;
    size_t n = 0;
    for (size_t i = 0; i < s->n_fields; i++)
        if (s->fields[i] != HW_FIELD_NODES)
            fields[n++] = s->fields[i];
    fields[n++] = HW_FIELD_NODES;
    hw_code code = hw_strata_make(s->records, s->n_records, fields, n, &by_nodes, err);
    if (code != HW_OK)
        return code;
    code = hw_figures_make(f, columns, N_COLUMNS, by_nodes.n_strata, fields, n, err);
    if (code == HW_OK) {
        workspace w = {.graph = HW_NEW(const hw_record *, by_nodes.n_instances),
                       .seen = HW_NEW0(bool, by_nodes.n_instances)};
        f->title = "Orders, down-sets and width of graphs";
        f->name = "counts";
        f->has_solver = false;
        code = w.graph && w.seen ? fill(&by_nodes, o, &w, f, err) : hw_fail_memory(err, "counts");
        free((void *)w.graph);
        free(w.seen);
        if (code != HW_OK)
            hw_figures_free(f);
    }
    hw_strata_free(&by_nodes);
    return code;
}
