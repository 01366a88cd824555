/* How many orders graphs have, and how many down-sets dp looks at.  See tables.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "stats/tables.h"

enum { P25, P50, P75, MOST, KNOWN, EACH };
enum column { INSTANCES, ORDERS, DP = ORDERS + EACH, N_COLUMNS = DP + EACH };

#define COUNT_COLUMNS(at, key, head, macro)                                                        \
    [(at) + P25] = {key "_p25", head " p25", macro "Quarter", HW_FIGURE_LARGE, 0, false},          \
            [(at) + P50] = {key "_p50", head " p50", macro "Median", HW_FIGURE_LARGE, 0, false},   \
            [(at) + P75] = {key "_p75",      head " p75", macro "ThreeQuarters",                   \
                            HW_FIGURE_LARGE, 0,           false},                                  \
            [(at) + MOST] = {key "_max", head " max", macro "Most", HW_FIGURE_LARGE, 0, false},    \
            [(at) + KNOWN] = {key "_known", NULL, macro "Known", HW_FIGURE_COUNT, 0, false}

static const hw_figure_column columns[N_COLUMNS] = {
    [INSTANCES] = {"instances", "graphs", "Instances", HW_FIGURE_COUNT, 0, false},
    COUNT_COLUMNS(ORDERS, "orders", "orders", "Orders"),
    COUNT_COLUMNS(DP, "dp_states", "dp states", "DpStates"),
};

typedef struct workspace {
    double *count[2]; /* by instance: orders, states of dp; NaN: unknown */
    double *value;
    size_t *instance; /* those of the stratum */
    bool *seen;
} workspace;

static bool open_workspace(workspace *w, const hw_strata *s)
{
    *w = (workspace){.count = {HW_NEW(double, s->n_instances), HW_NEW(double, s->n_instances)},
                     .value = HW_NEW(double, s->n_instances),
                     .instance = HW_NEW(size_t, s->n_instances),
                     .seen = HW_NEW0(bool, s->n_instances)};
    return w->count[0] && w->count[1] && w->value && w->instance && w->seen;
}

static void close_workspace(workspace *w)
{
    free(w->count[0]);
    free(w->count[1]);
    free(w->value);
    free(w->instance);
    free(w->seen);
}

static bool is_dp(const hw_record *r)
{
    return strcmp(r->solver, "dp") == 0 || strncmp(r->solver, "dp:", 3) == 0;
}

/* Under two accountings the graph is the same: the greater figure stands. */
static void raise_to(double *count, uint64_t value)
{
    if (isnan(*count) || (double)value > *count)
        *count = (double)value;
}

static size_t collect(const hw_strata *s, size_t stratum, workspace *w)
{
    size_t n = 0;
    for (size_t m = s->start[hw_cell(s, stratum, 0)]; m < s->start[hw_cell(s, stratum + 1, 0)];
         m++) {
        size_t i = s->instance[s->member[m]];
        const hw_record *r = &s->records[s->member[m]];
        if (!w->seen[i]) {
            w->seen[i] = true;
            w->instance[n++] = i;
            w->count[0][i] = w->count[1][i] = NAN;
        }
        if (r->orders.known && !r->limit_reached)
            raise_to(&w->count[0][i], r->orders.value);
        if (is_dp(r) && r->states.known && hw_run_is_solved(r))
            raise_to(&w->count[1][i], r->states.value);
    }
    for (size_t k = 0; k < n; k++)
        w->seen[w->instance[k]] = false;
    return n;
}

static size_t put_counts(hw_figures *f, size_t row, size_t at, const workspace *w,
                         const double *count, size_t n)
{
    size_t known = 0;
    for (size_t k = 0; k < n; k++)
        if (!isnan(count[w->instance[k]]))
            w->value[known++] = count[w->instance[k]];
    hw_sort_reals(w->value, known);
    hw_figures_put(f, row, at + P25, hw_quantile(w->value, known, 0.25));
    hw_figures_put(f, row, at + P50, hw_quantile(w->value, known, 0.5));
    hw_figures_put(f, row, at + P75, hw_quantile(w->value, known, 0.75));
    hw_figures_put(f, row, at + MOST, hw_quantile(w->value, known, 1));
    hw_figures_put(f, row, at + KNOWN, (double)known);
    return known;
}

/* A row for each stratum of which something is known. */
static hw_code fill(const hw_strata *s, hw_figures *f, hw_error *err)
{
    workspace w;
    size_t row = 0;
    bool fine = open_workspace(&w, s);
    for (size_t i = 0; fine && i < s->n_strata; i++) {
        size_t n = collect(s, i, &w);
        f->row[row] = (hw_figure_row){.first = s->first[i], .stratum = i};
        hw_figures_put(f, row, INSTANCES, (double)n);
        size_t known = put_counts(f, row, ORDERS, &w, w.count[0], n);
        known += put_counts(f, row, DP, &w, w.count[1], n);
        row += known > 0;
    }
    close_workspace(&w);
    hw_figures_cut(f, row);
    return fine ? HW_OK : hw_fail_memory(err, "counts");
}

hw_code hw_stats_counts(const hw_strata *s, const hw_stats_options *o, hw_figures *f, hw_error *err)
{
    hw_field fields[HW_N_FIELDS + 1];
    hw_strata by_nodes;
    size_t n = 0;
    (void)o;
    for (size_t i = 0; i < s->n_fields; i++)
        if (s->fields[i] != HW_FIELD_NODES)
            fields[n++] = s->fields[i];
    fields[n++] = HW_FIELD_NODES;
    hw_code code = hw_strata_make(s->records, s->n_records, fields, n, &by_nodes, err);
    if (code != HW_OK)
        return code;
    code = hw_figures_make(f, columns, N_COLUMNS, by_nodes.n_strata, fields, n, err);
    if (code == HW_OK) {
        f->title = "Orders of graphs, and states of dp";
        f->name = "counts";
        f->has_solver = false;
        code = fill(&by_nodes, f, err);
        if (code != HW_OK)
            hw_figures_free(f);
    }
    hw_strata_free(&by_nodes);
    return code;
}
