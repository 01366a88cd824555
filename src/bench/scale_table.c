/* Growth as CSV and Markdown.  See scale.h. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cells.h"
#include "bench/fit.h"
#include "bench/scale.h"
#include "core/memory.h"

enum { MOST_SIZES = 16 };

/* ---- For programs. ---- */

static const char *const csv_head[] = {"section",
                                       "family",
                                       "params",
                                       "nodes",
                                       "edges",
                                       "solver",
                                       "fate",
                                       "seconds",
                                       "nodes_per_second",
                                       "simulations",
                                       "simulate_seconds",
                                       "generate_seconds",
                                       "model_seconds",
                                       "check_seconds",
                                       "graph_bytes",
                                       "solve_bytes",
                                       "generate_bytes",
                                       "process_bytes",
                                       "peak",
                                       "bound",
                                       "gap_bound_percent",
                                       "repeats",
                                       "message"};
enum { N_CSV = sizeof csv_head / sizeof csv_head[0] };

static bool put_maybe(hw_grid *g, size_t row, size_t column, hw_maybe_u64 value)
{
    return !value.known || hw_grid_put(g, row, column, "%" PRIu64, value.value);
}

static bool put_seconds(hw_grid *g, size_t row, size_t column, const hw_scale_run *r, double value)
{
    return r->n_nodes == 0 || hw_put_number(g, row, column, value);
}

/* Nothing where the clock stood still all the while. */
static bool put_least(hw_grid *g, size_t row, size_t column, double seconds)
{
    return seconds <= 0 || hw_put_number(g, row, column, seconds);
}

static bool put_csv_row(hw_grid *g, size_t row, const hw_scale_point *p)
{
    const hw_scale_run *r = &p->run;
    bool answered = r->fate == HW_FATE_ANSWERED;
    return hw_grid_put(g, row, 0, "%s", p->section->name) &&
           hw_grid_put(g, row, 1, "%s",
                       p->source->family ? p->source->family->name : HW_SUITE_FILE) &&
           hw_grid_put(g, row, 2, "%s", p->source->label) &&
           hw_grid_put(g, row, 3, "%" PRIu64, r->n_nodes ? r->n_nodes : p->n) &&
           (r->n_nodes == 0 || hw_grid_put(g, row, 4, "%" PRIu32, r->n_edges)) &&
           hw_grid_put(g, row, 5, "%s", p->solver->spec) &&
           hw_grid_put(g, row, 6, "%s", hw_scale_fate(r)) &&
           (!answered || put_least(g, row, 7, r->solve_seconds)) &&
           hw_put_number(g, row, 8, hw_scale_rate(p)) &&
           hw_put_number(g, row, 9, hw_scale_simulations(p)) &&
           (!r->peak.known || put_least(g, row, 10, r->simulate_seconds)) &&
           put_seconds(g, row, 11, r, r->generate_seconds) &&
           put_seconds(g, row, 12, r, r->model_seconds) &&
           (!r->peak.known || hw_put_number(g, row, 13, r->check_seconds)) &&
           put_maybe(g, row, 14, r->graph_bytes) && put_maybe(g, row, 15, r->solve_bytes) &&
           put_maybe(g, row, 16, r->generate_bytes) && put_maybe(g, row, 17, r->process_bytes) &&
           put_maybe(g, row, 18, r->peak) && put_maybe(g, row, 19, p->best_bound) &&
           hw_put_number(g, row, 20, hw_scale_gap_percent(p)) &&
           hw_grid_put(g, row, 21, "%" PRIu32, r->repeats) &&
           hw_grid_put(g, row, 22, "%s", r->message);
}

hw_code hw_scale_write_csv(const hw_scale_point *points, size_t n, FILE *out, hw_error *err)
{
    hw_grid g;
    hw_code code = hw_grid_make(&g, N_CSV, n + 1, err);
    if (code != HW_OK)
        return code;
    bool fine = true;
    for (size_t c = 0; fine && c < N_CSV; c++)
        fine = hw_grid_put(&g, 0, c, "%s", csv_head[c]);
    for (size_t i = 0; fine && i < n; i++)
        fine = put_csv_row(&g, i + 1, &points[i]);
    if (fine)
        hw_grid_write_csv(&g, out);
    hw_grid_free(&g);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

/* ---- For people: one section. ---- */

typedef struct view {
    const hw_scale_point *points; /* of all sections */
    size_t n;
    const hw_suite_section *section;
    const hw_suite_source *source[MOST_SIZES]; /* of the section */
    size_t n_sources;
} view;

static view view_of(const hw_scale_point *points, size_t n, const hw_suite_section *section)
{
    view v = {.points = points, .n = n, .section = section};
    for (size_t i = 0; i < n; i++) {
        size_t s = 0;
        while (s < v.n_sources && v.source[s] != points[i].source)
            s++;
        if (points[i].section == section && s == v.n_sources && s < MOST_SIZES)
            v.source[v.n_sources++] = points[i].source;
    }
    return v;
}

static const hw_scale_point *find(const view *v, const hw_suite_source *source,
                                  const hw_suite_solver *solver)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->points[i].source == source && v->points[i].solver == solver)
            return &v->points[i];
    return NULL;
}

/* Any point of a source whose graph was made; NULL: none was. */
static const hw_scale_point *made(const view *v, const hw_suite_source *source, bool with_order)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->points[i].source == source && v->points[i].run.n_nodes > 0 &&
            (!with_order || v->points[i].run.peak.known))
            return &v->points[i];
    return NULL;
}

static double nodes_of(const view *v, const hw_suite_source *source)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->points[i].source == source)
            return (double)v->points[i].n;
    return 0;
}

/* A curve: the sizes rise from source to source. */
static bool is_curve(const view *v)
{
    for (size_t s = 1; s < v->n_sources; s++)
        if (nodes_of(v, v->source[s]) <= nodes_of(v, v->source[s - 1]))
            return false;
    return v->n_sources > 1;
}

static bool put_rate(hw_grid *g, size_t row, size_t column, const hw_scale_point *p)
{
    double rate = p ? hw_scale_rate(p) : NAN, simulations = p ? hw_scale_simulations(p) : NAN;
    if (!p)
        return hw_grid_put(g, row, column, "-");
    if (isnan(rate))
        return hw_grid_put(g, row, column, "%s", hw_scale_fate(&p->run));
    const char *note = p->run.limit_reached ? ", limit" : "";
    if (isnan(simulations))
        return hw_grid_put(g, row, column, "%.3g M/s%s", rate / 1e6, note);
    return hw_grid_put(g, row, column, "%.3g M/s, %.3g sim%s", rate / 1e6, simulations, note);
}

static bool put_gap(hw_grid *g, size_t row, size_t column, const hw_scale_point *p)
{
    double gap = p ? hw_scale_gap_percent(p) : NAN;
    return isfinite(gap) ? hw_grid_put(g, row, column, "%.2f %%", gap)
                         : hw_grid_put(g, row, column, "-");
}

static bool put_bytes(hw_grid *g, size_t row, size_t column, const hw_scale_point *p)
{
    if (!p || !p->run.solve_bytes.known || p->run.n_nodes == 0 || p->run.fate != HW_FATE_ANSWERED)
        return hw_grid_put(g, row, column, "-");
    return hw_grid_put(g, row, column, "%.0f", (double)p->run.solve_bytes.value / p->run.n_nodes);
}

/* ---- A curve: a row a solver, sizes side by side. ---- */

/* Time per node at n nodes; NaN: not measured. */
static double per_node(const hw_scale_point *points, size_t n_points,
                       const hw_suite_section *section, const hw_suite_solver *solver, double n)
{
    for (size_t i = 0; i < n_points; i++) {
        const hw_scale_point *p = &points[i];
        if (p->section == section && p->solver == solver && (double)p->n == n &&
            !p->run.limit_reached)
            return 1 / hw_scale_rate(p);
    }
    return NAN;
}

double hw_scale_growth(const hw_scale_point *points, size_t n, const hw_suite_section *section,
                       const hw_suite_solver *solver)
{
    return per_node(points, n, section, solver, 1e6) / per_node(points, n, section, solver, 1e4);
}

static bool put_growth(hw_grid *g, size_t row, size_t at, const view *v,
                       const hw_suite_solver *solver)
{
    double x[MOST_SIZES], y[MOST_SIZES];
    size_t n = 0;
    for (size_t s = 0; s < v->n_sources; s++) {
        const hw_scale_point *p = find(v, v->source[s], solver);
        if (!p || isnan(hw_scale_rate(p)) || p->run.limit_reached)
            continue;
        x[n] = p->run.n_nodes;
        y[n++] = p->run.solve_seconds;
    }
    hw_power_law law = hw_power_law_of(x, y, n);
    bool fine = isnan(law.exponent) ? hw_grid_put(g, row, at, "-")
                : isnan(law.error)
                    ? hw_grid_put(g, row, at, "%.2f", law.exponent)
                    : hw_grid_put(g, row, at, "%.2f \xC2\xB1 %.2f", law.exponent, law.error);
    double growth = hw_scale_growth(v->points, v->n, v->section, solver);
    return fine && (isnan(growth) ? hw_grid_put(g, row, at + 1, "-")
                                  : hw_grid_put(g, row, at + 1, "%.2f", growth));
}

static bool fill_curve(hw_grid *g, const view *v)
{
    size_t at = 1 + v->n_sources;
    bool fine = hw_grid_put(g, 0, 0, "solver");
    for (size_t s = 0; fine && s < v->n_sources; s++)
        fine = hw_grid_put(g, 0, 1 + s, "n = %.0f", nodes_of(v, v->source[s]));
    fine = fine && hw_grid_put(g, 0, at, "exponent") &&
           hw_grid_put(g, 0, at + 1, "time a node, 10^6 : 10^4") &&
           hw_grid_put(g, 0, at + 2, "bytes a node") && hw_grid_put(g, 0, at + 3, "gap at most");
    for (size_t c = 1; c < g->n_columns; c++)
        g->is_number[c] = true;
    for (size_t i = 0; fine && i < v->section->n_solvers; i++) {
        const hw_suite_solver *solver = &v->section->solvers[i];
        const hw_scale_point *last = NULL;
        fine = hw_grid_put(g, i + 1, 0, "%s", solver->spec);
        for (size_t s = 0; fine && s < v->n_sources; s++) {
            const hw_scale_point *p = find(v, v->source[s], solver);
            fine = put_rate(g, i + 1, 1 + s, p);
            last = p && p->run.fate == HW_FATE_ANSWERED ? p : last;
        }
        fine = fine && put_growth(g, i + 1, at, v, solver) && put_bytes(g, i + 1, at + 2, last) &&
               put_gap(g, i + 1, at + 3, last);
    }
    return fine;
}

/* ---- Shapes: a row a shape and solver. ---- */

static bool fill_shapes(hw_grid *g, const view *v)
{
    static const char *const head[] = {"graph", "solver", "speed", "bytes a node", "gap at most"};
    bool fine = true;
    size_t row = 1;
    for (size_t c = 0; fine && c < sizeof head / sizeof head[0]; c++) {
        g->is_number[c] = c > 1;
        fine = hw_grid_put(g, 0, c, "%s", head[c]);
    }
    for (size_t i = 0; fine && i < v->n; i++) {
        const hw_scale_point *p = &v->points[i];
        if (p->section != v->section)
            continue;
        fine = hw_grid_put(g, row, 0, "%s:%s", p->source->family ? p->source->family->name : "file",
                           p->source->label) &&
               hw_grid_put(g, row, 1, "%s", p->solver->spec) && put_rate(g, row, 2, p) &&
               put_bytes(g, row, 3, p) && put_gap(g, row, 4, p);
        row++;
    }
    return fine;
}

static hw_code write_section(const view *v, FILE *out, hw_error *err)
{
    bool curve = is_curve(v);
    size_t rows = 1 + v->section->n_solvers, columns = v->n_sources + 5;
    if (!curve) {
        columns = 5;
        rows = 1;
        for (size_t i = 0; i < v->n; i++)
            rows += v->points[i].section == v->section;
    }
    const hw_scale_point *largest = NULL;
    for (size_t s = 0; s < v->n_sources; s++)
        largest = made(v, v->source[s], false) ? made(v, v->source[s], false) : largest;
    (void)fprintf(out, "\n## %s\n\n", v->section->name);
    if (curve && largest)
        (void)fprintf(out,
                      "`%s:%s`: %" PRIu32 " edges; aim for graph, model and greedy: %.0f bytes a "
                      "node.\n\n",
                      largest->source->family ? largest->source->family->name : "file",
                      largest->source->label, largest->run.n_edges,
                      hw_scale_memory_aim(largest->run.n_nodes, largest->run.n_edges) /
                          largest->run.n_nodes);
    hw_grid g;
    hw_code code = hw_grid_make(&g, columns, rows, err);
    if (code != HW_OK)
        return code;
    bool fine = curve ? fill_curve(&g, v) : fill_shapes(&g, v);
    if (fine)
        hw_grid_write_markdown(&g, out);
    hw_grid_free(&g);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

/* ---- What surrounds solvers: generating, model, simulation, checker. ---- */

static bool put_million(hw_grid *g, size_t row, size_t column, double nodes, double seconds)
{
    return seconds > 0 ? hw_grid_put(g, row, column, "%.3g M/s", nodes / seconds / 1e6)
                       : hw_grid_put(g, row, column, "-");
}

static bool put_around(hw_grid *g, size_t row, const hw_scale_point *p)
{
    const hw_scale_run *r = &p->run;
    double n = r->n_nodes;
    return hw_grid_put(g, row, 0, "%s:%s", p->source->family ? p->source->family->name : "file",
                       p->source->label) &&
           put_million(g, row, 1, n, r->generate_seconds) &&
           put_million(g, row, 2, n, r->model_seconds) &&
           put_million(g, row, 3, n, r->simulate_seconds) &&
           put_million(g, row, 4, n, r->check_seconds) &&
           (r->graph_bytes.known ? hw_grid_put(g, row, 5, "%.0f", (double)r->graph_bytes.value / n)
                                 : hw_grid_put(g, row, 5, "-")) &&
           (r->generate_bytes.known
                ? hw_grid_put(g, row, 6, "%.0f", (double)r->generate_bytes.value / n)
                : hw_grid_put(g, row, 6, "-"));
}

static hw_code write_around(const hw_scale_point *points, size_t n, FILE *out, hw_error *err)
{
    static const char *const head[] = {"graph",
                                       "generate",
                                       "model",
                                       "simulate",
                                       "check",
                                       "bytes a node, graph and model",
                                       "bytes a node, generating"};
    enum { N_HEAD = sizeof head / sizeof head[0] };
    const hw_scale_point **kept = HW_NEW(const hw_scale_point *, n);
    if (!kept)
        return hw_fail_memory(err, "a table");
    size_t n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        view v = {.points = points, .n = n};
        const hw_scale_point *p = made(&v, points[i].source, true);
        if (p == &points[i])
            kept[n_kept++] = p;
    }
    hw_grid g;
    hw_code code = hw_grid_make(&g, N_HEAD, n_kept + 1, err);
    if (code == HW_OK) {
        bool fine = true;
        for (size_t c = 0; fine && c < N_HEAD; c++) {
            g.is_number[c] = c > 0;
            fine = hw_grid_put(&g, 0, c, "%s", head[c]);
        }
        for (size_t i = 0; fine && i < n_kept; i++)
            fine = put_around(&g, i + 1, kept[i]);
        if (fine)
            hw_grid_write_markdown(&g, out);
        else
            code = hw_fail_memory(err, "a table");
        hw_grid_free(&g);
    }
    free((void *)kept);
    return code;
}

hw_code hw_scale_write_markdown(const hw_scale_point *points, size_t n, FILE *out, hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n; i++)
        if (i == 0 || points[i].section != points[i - 1].section) {
            view v = view_of(points, n, points[i].section);
            code = write_section(&v, out, err);
        }
    if (code != HW_OK)
        return code;
    (void)fputs("\n## Around the solvers\n\n", out);
    return write_around(points, n, out, err);
}
