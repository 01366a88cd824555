/* Plans and tallies of the census.  See census.h. */
#include "census/census.h"

#include <stdio.h>
#include <string.h>

#include "census/census_dag.h"

/* Beside the presets: narrower and deeper. */
static const char *const variants[] = {
    "lookahead:k=2",         "lookahead:k=5", "lookahead:k=2,depth=2", "lookahead:depth=2",
    "lookahead:k=5,depth=2", "beam:width=1",  "beam:width=2",          "beam:width=8",
};

/* ---- Plans. ---- */

static hw_code add_solver(hw_census_plan *plan, const char *spec, hw_error *err)
{
    hw_census_solver s = {0};
    hw_code code = hw_solver_parse(spec, &s.row, s.values, err);
    if (code != HW_OK)
        return code;
    if (s.row->kind == HW_SOLVER_BOUND)
        return hw_fail(err, HW_USAGE, "solver %s finds no order: give one that does", s.row->name);
    if (s.row->foreign)
        return hw_fail(err, HW_USAGE,
                       "solver %s runs a program for every call, and a census makes millions: "
                       "`highwater adversary` looks for bad graphs of it",
                       s.row->name);
    if (s.row->random)
        return hw_fail(err, HW_USAGE,
                       "solver %s draws at random: a census is of rules that always answer the "
                       "same",
                       s.row->name);
    if (hw_params_spec(s.row->name, s.row->params, s.row->n_params, s.values, s.spec,
                       sizeof s.spec) >= sizeof s.spec)
        return hw_fail(err, HW_USAGE, "solver %s: too many parameters for a census", spec);
    for (size_t i = 0; i < plan->n_solvers; i++)
        if (strcmp(plan->solver[i].spec, s.spec) == 0)
            return hw_fail(err, HW_USAGE, "solver %s is given twice", s.spec);
    if (plan->n_solvers == HW_CENSUS_SOLVERS)
        return hw_fail(err, HW_USAGE, "more than %d solvers: take the census in several runs",
                       HW_CENSUS_SOLVERS);
    plan->solver[plan->n_solvers++] = s;
    return HW_OK;
}

hw_code hw_census_solvers(hw_census_plan *plan, const char *const *specs, size_t n, hw_error *err)
{
    hw_code code = HW_OK;
    plan->n_solvers = 0;
    for (size_t i = 0; code == HW_OK && i < n; i++)
        code = add_solver(plan, specs[i], err);
    if (n > 0)
        return code;
    for (size_t i = 0; code == HW_OK && i < hw_n_solvers; i++)
        if (!hw_solvers[i]->random && !hw_solvers[i]->foreign &&
            hw_solvers[i]->kind != HW_SOLVER_BOUND && strcmp(hw_solvers[i]->name, "milp") != 0)
            code = add_solver(plan, hw_solvers[i]->name, err);
    for (size_t i = 0; code == HW_OK && i < sizeof variants / sizeof variants[0]; i++)
        code = add_solver(plan, variants[i], err);
    return code;
}

/* ---- Tallies. ---- */

static int compare_places(const hw_census_worst *a, const hw_census_worst *b)
{
    if (a->dag != b->dag)
        return a->dag < b->dag ? -1 : 1;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->vector > b->vector) - (a->vector < b->vector);
}

bool hw_census_worse(const hw_census_worst *a, const hw_census_worst *b)
{
    if (!a->found || !b->found)
        return a->found;
    int d = hw_ratio_compare(a->ratio, b->ratio);
    return d > 0 || (d == 0 && compare_places(a, b) < 0);
}

static void add_cell(hw_census_cell *to, const hw_census_cell *more)
{
    to->taken += more->taken;
    to->fails += more->fails;
    if (hw_census_worse(&more->worst, &to->worst))
        to->worst = more->worst;
}

void hw_census_add(const hw_census_plan *plan, hw_census_tally *tally, const hw_census_tally *more)
{
    tally->runs += more->runs;
    for (uint32_t k = 0; k < plan->most_size; k++) {
        tally->graphs[k] += more->graphs[k];
        tally->cases[k] += more->cases[k];
        for (size_t a = 0; a < 2; a++)
            for (size_t s = 0; s <= plan->n_solvers; s++)
                add_cell(&tally->cell[a][k][s], &more->cell[a][k][s]);
    }
}

hw_census_cell hw_census_up_to(const hw_census_tally *tally, hw_accounting accounting, size_t slot,
                               uint32_t m)
{
    hw_census_cell sum = {0};
    for (uint32_t k = 0; k < m; k++)
        add_cell(&sum, &tally->cell[accounting][k][slot]);
    return sum;
}

void hw_census_genome(const hw_census_plan *plan, uint32_t n, const hw_census_worst *worst,
                      hw_genome *out)
{
    hw_dag d = hw_dag_of_code(n, worst->code);
    hw_genome_start(out, n);
    hw_census_sizes(n, plan->most_size, worst->vector, out->size);
    for (uint32_t v = 0; v < n; v++)
        out->parents[v] = d.parents[v];
}
