/* The table of a census.  See census_report.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "census/census_report.h"

static const char any_order[] = "(any order)";

hw_code hw_census_report_add(hw_census_report *r, const hw_census *c, hw_error *err)
{
    const hw_census *other = hw_census_report_any(r);
    bool same = !other || other->plan.n_solvers == c->plan.n_solvers;
    for (size_t i = 0; other && same && i < c->plan.n_solvers; i++)
        same = strcmp(other->plan.solver[i].spec, c->plan.solver[i].spec) == 0;
    if (!same)
        return hw_fail(err, HW_USAGE,
                       "these censuses are of different solvers: give those of the same ones");
    for (uint32_t n = c->plan.least_nodes; n <= c->plan.most_nodes; n++) {
        if (!hw_census_whole(c, n))
            continue;
        if (r->at[n])
            return hw_fail(err, HW_USAGE,
                           "two of these censuses, which differ in sizes or numberings, tell of "
                           "%" PRIu32 " nodes: give one of them",
                           n);
        r->at[n] = c;
    }
    return HW_OK;
}

const hw_census *hw_census_report_any(const hw_census_report *r)
{
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        if (r->at[n])
            return r->at[n];
    return NULL;
}

static const char *name_of(const hw_census *c, size_t slot)
{
    return slot == c->plan.n_solvers ? any_order : c->plan.solver[slot].spec;
}

static bool is_control(const hw_census *c, size_t slot)
{
    return slot < c->plan.n_solvers && c->plan.solver[slot].row->kind == HW_SOLVER_EXACT;
}

static hw_ratio worst_ratio(const hw_census_cell *cell)
{
    return cell->worst.found ? cell->worst.ratio : (hw_ratio){1, 1};
}

hw_code hw_census_graph(const hw_census *c, uint32_t n, const char *solver,
                        hw_accounting accounting, const hw_census_worst *worst, hw_graph **out,
                        hw_error *err)
{
    char name[256], source[256];
    hw_genome g;
    hw_census_genome(&c->plan, n, worst, &g);
    (void)snprintf(name, sizeof name, "worst of %" PRIu32 " nodes for %s, %s", n, solver,
                   hw_accounting_name(accounting));
    (void)snprintf(source, sizeof source,
                   "census of all graphs with %" PRIu32 " nodes and sizes 1 to %" PRIu32
                   ": %s has peak %" PRIu64 ", the optimum is %" PRIu64,
                   n, c->plan.most_size, solver, worst->ratio.over, worst->ratio.under);
    return hw_genome_graph(&g, name, source, out, err);
}

/* ---- For people. ---- */

static bool put_ratio(hw_grid *grid, size_t row, size_t column, const hw_census_cell *cell)
{
    hw_ratio r = worst_ratio(cell);
    if (!cell->taken)
        return hw_grid_put(grid, row, column, "-");
    if (r.over == r.under)
        return hw_grid_put(grid, row, column, "1");
    return hw_grid_put(grid, row, column, "%.3f (%" PRIu64 "/%" PRIu64 ")", hw_ratio_value(r),
                       r.over, r.under);
}

static bool put_row(hw_grid *grid, size_t row, const hw_census_report *r, size_t slot,
                    hw_accounting accounting)
{
    const hw_census *any = hw_census_report_any(r);
    uint32_t first = 0;
    size_t column = 3;
    hw_census_cell cell = {0};
    bool fine = hw_grid_put(grid, row, 0, "%s", name_of(any, slot)) &&
                hw_grid_put(grid, row, 1, "%s", hw_accounting_name(accounting));
    for (uint32_t n = 1; fine && n <= HW_DAGS_MOST; n++) {
        if (!r->at[n])
            continue;
        cell = hw_census_up_to(r->at[n]->tally[n], accounting, slot, r->at[n]->plan.most_size);
        if (cell.worst.found && !first)
            first = n;
        fine = put_ratio(grid, row, column++, &cell);
    }
    fine = fine &&
           (first ? hw_grid_put(grid, row, 2, "%" PRIu32, first) : hw_grid_put(grid, row, 2, "-"));
    if (fine && cell.taken)
        fine = hw_grid_put(grid, row, column, "%" PRIu64, cell.fails) &&
               hw_grid_put(grid, row, column + 1, "%" PRIu64, cell.taken) &&
               hw_grid_put(grid, row, column + 2, "%.3g %%",
                           100.0 * (double)cell.fails / (double)cell.taken);
    return fine;
}

static hw_code write_people(const hw_census_report *r, hw_table_format format, FILE *out,
                            hw_error *err)
{
    const hw_census *any = hw_census_report_any(r);
    size_t n_nodes = 0, slots = any->plan.n_solvers + 1, row = 1;
    uint32_t last = 0;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        if (r->at[n]) {
            n_nodes++;
            last = n;
        }
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, n_nodes + 6, 2 * slots + 1, err);
    if (code != HW_OK)
        return code;
    size_t column = 3;
    bool fine = hw_grid_put(&grid, 0, 0, "solver") && hw_grid_put(&grid, 0, 1, "accounting") &&
                hw_grid_put(&grid, 0, 2, "fails first at");
    for (uint32_t n = 1; fine && n <= HW_DAGS_MOST; n++)
        if (r->at[n])
            fine = hw_grid_put(&grid, 0, column++, "n=%" PRIu32 " m=%" PRIu32, n,
                               r->at[n]->plan.most_size);
    fine = fine && hw_grid_put(&grid, 0, column, "fails, n=%" PRIu32, last) &&
           hw_grid_put(&grid, 0, column + 1, "of graphs") &&
           hw_grid_put(&grid, 0, column + 2, "share");
    for (size_t i = 2; i < grid.n_columns; i++)
        grid.is_number[i] = true;
    for (size_t slot = slots; fine && slot-- > 0;) /* any order first, for comparison */
        for (int a = HW_ALLOC_FIRST; fine && a <= HW_FREE_FIRST; a++)
            fine = put_row(&grid, row++, r, slot == slots - 1 ? slot : slots - 2 - slot,
                           (hw_accounting)a);
    if (fine)
        hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

/* ---- For programs. ---- */

enum {
    NODES,
    SIZES,
    NUMBERINGS,
    COUNTED,
    ACCOUNTING,
    SOLVER,
    CONTROL,
    GRAPHS,
    CASES,
    TAKEN,
    FAILS,
    RATIO,
    PEAK,
    OPTIMUM,
    GRAPH,
    CODE,
    VECTOR,
    N_COLUMNS
};
static const char *const head[N_COLUMNS] = {
    "nodes", "sizes", "numberings", "counted", "accounting", "solver", "control", "graphs", "cases",
    "taken", "fails", "ratio",      "peak",    "optimum",    "graph",  "code",    "vector"};

static bool put_worst(hw_grid *grid, size_t row, const hw_census *c, uint32_t n,
                      const hw_census_worst *worst)
{
    hw_genome g;
    char digits[HW_DAGS_MOST + 1] = "";
    hw_census_genome(&c->plan, n, worst, &g);
    for (uint32_t v = 0; v < n; v++)
        digits[v] = (char)('0' + g.size[v]);
    return hw_grid_put(grid, row, PEAK, "%" PRIu64, worst->ratio.over) &&
           hw_grid_put(grid, row, OPTIMUM, "%" PRIu64, worst->ratio.under) &&
           hw_grid_put(grid, row, GRAPH, "%" PRIu32, worst->dag) &&
           hw_grid_put(grid, row, CODE, "%" PRIu32, worst->code) &&
           hw_grid_put(grid, row, VECTOR, "%s", digits);
}

static bool put_figures(hw_grid *grid, size_t row, const hw_census *c, uint32_t n, uint32_t m,
                        hw_accounting accounting, size_t slot)
{
    const hw_census_tally *t = c->tally[n];
    hw_census_cell cell = hw_census_up_to(t, accounting, slot, m);
    uint64_t graphs = 0, cases = 0;
    for (uint32_t k = 0; k < m; k++) {
        graphs += t->graphs[k];
        cases += t->cases[k];
    }
    return hw_grid_put(grid, row, NODES, "%" PRIu32, n) &&
           hw_grid_put(grid, row, SIZES, "%" PRIu32, m) &&
           hw_grid_put(grid, row, NUMBERINGS, "%s", c->plan.all_numberings ? "all" : "one") &&
           hw_grid_put(grid, row, COUNTED, "%s", c->plan.all_fails ? "all" : "first") &&
           hw_grid_put(grid, row, ACCOUNTING, "%s", hw_accounting_name(accounting)) &&
           hw_grid_put(grid, row, SOLVER, "%s", name_of(c, slot)) &&
           hw_grid_put(grid, row, CONTROL, "%d", is_control(c, slot)) &&
           hw_grid_put(grid, row, GRAPHS, "%" PRIu64, graphs) &&
           hw_grid_put(grid, row, CASES, "%" PRIu64, cases) &&
           hw_grid_put(grid, row, TAKEN, "%" PRIu64, cell.taken) &&
           hw_grid_put(grid, row, FAILS, "%" PRIu64, cell.fails) &&
           (!cell.taken ||
            hw_grid_put(grid, row, RATIO, "%.9g", hw_ratio_value(worst_ratio(&cell)))) &&
           (!cell.worst.found || put_worst(grid, row, c, n, &cell.worst));
}

static hw_code write_programs(const hw_census_report *r, hw_table_format format, FILE *out,
                              hw_error *err)
{
    size_t rows = 1, row = 1;
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        if (r->at[n])
            rows += (size_t)2 * r->at[n]->plan.most_size * (r->at[n]->plan.n_solvers + 1);
    hw_grid grid;
    hw_code code = hw_grid_make(&grid, N_COLUMNS, rows, err);
    if (code != HW_OK)
        return code;
    bool fine = true;
    for (size_t i = 0; fine && i < N_COLUMNS; i++) {
        grid.is_number[i] =
            i != NUMBERINGS && i != COUNTED && i != ACCOUNTING && i != SOLVER && i != VECTOR;
        fine = hw_grid_put(&grid, 0, i, "%s", head[i]);
    }
    for (uint32_t n = 1; n <= HW_DAGS_MOST; n++)
        for (uint32_t m = 1; r->at[n] && m <= r->at[n]->plan.most_size; m++)
            for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
                for (size_t slot = 0; fine && slot <= r->at[n]->plan.n_solvers; slot++)
                    fine = put_figures(&grid, row++, r->at[n], n, m, (hw_accounting)a, slot);
    if (fine)
        hw_grid_write(&grid, format, out);
    hw_grid_free(&grid);
    return fine ? HW_OK : hw_fail_memory(err, "a table");
}

hw_code hw_census_table(const hw_census_report *r, hw_table_format format, FILE *out, hw_error *err)
{
    if (!hw_census_report_any(r))
        return hw_fail(err, HW_BAD_INPUT, "no number of nodes is whole yet: give all parts");
    return hw_table_for_people(format) ? write_people(r, format, out, err)
                                       : write_programs(r, format, out, err);
}
