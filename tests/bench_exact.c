/*
 * Rates of the exact solvers of the spine: orders a second of `enumerate`,
 * down-sets a second of `dp`, each the best of a few runs by CPU time.
 */
#include <inttypes.h>
#include <stdio.h>

#include "gen/family.h"
#include "solve/solver.h"

enum { REPEATS = 3 };

/* What a line is about; a rate below `wanted` is marked. */
typedef struct line {
    const char *family, *solver;
    uint64_t instances; /* rates are over all of them together */
    double wanted;      /* million a second; 0: none           */
} line;

static const line lines[] = {
    /* 12 nodes without edges have 479001600 orders: the limit counts steps. */
    {"erdos:n=12,degree=0,inputs=own", "enumerate:prune=no", 1, 50},
    {"fan:n=12", "enumerate:prune=no", 1, 0},
    {"erdos:n=14,degree=1.5", "enumerate:prune=no", 8, 20},
    {"erdos:n=14,degree=1.5", "enumerate", 8, 0},
    {"layered:n=40", "dp", 12, 1.5},
    {"erdos:n=36,degree=2", "dp", 6, 1.5},
    {"layered:n=50", "dp", 6, 1.5},
};

static const uint64_t most_steps = 200000000;

typedef struct tally {
    uint64_t work;
    double seconds;
    const char *unit;
} tally;

/* The best of a few runs on one model, into the tally. */
static hw_code run(const hw_model *m, const hw_solver_row *row, const hw_param_value *values,
                   tally *t, hw_error *err)
{
    hw_request request = {.params = values, .limits = {.states = most_steps}};
    double best = 0;
    uint64_t work = 0;
    for (int i = 0; i < REPEATS; i++) {
        hw_answer answer;
        hw_code code = hw_solve(m, row, &request, &answer, err);
        if (code != HW_OK)
            return code;
        work = answer.has_orders ? answer.orders : answer.states;
        t->unit = answer.has_orders ? "orders" : row->counts;
        best = i == 0 || answer.cpu_seconds < best ? answer.cpu_seconds : best;
        hw_answer_clear(&answer);
    }
    t->work += work;
    t->seconds += best;
    return HW_OK;
}

static hw_code measure(const line *l, hw_accounting accounting, hw_error *err)
{
    const hw_solver_row *row;
    const hw_family_row *family;
    hw_param_value values[HW_PARAM_LIMIT], shape[HW_PARAM_LIMIT];
    tally t = {0, 0, ""};
    hw_code code = hw_solver_parse(l->solver, &row, values, err);
    if (code == HW_OK)
        code = hw_family_parse(l->family, &family, shape, err);
    for (uint64_t i = 0; code == HW_OK && i < l->instances; i++) {
        hw_graph *g = NULL;
        hw_model *m = NULL;
        code = hw_generate(family, shape, HW_DEFAULT_SEED, i, &g, err);
        if (code == HW_OK)
            code = hw_model_new(g, accounting, false, &m, err);
        if (code == HW_OK)
            code = run(m, row, values, &t, err);
        hw_model_free(m);
        hw_graph_free(g);
    }
    if (code != HW_OK)
        return code;
    double rate = t.seconds > 0 ? (double)t.work / t.seconds / 1e6 : 0;
    (void)printf("%-31s %-19s %-12s %11" PRIu64 " %-10s %7.2f", l->family, l->solver,
                 hw_accounting_name(accounting), t.work, t.unit, rate);
    if (l->wanted > 0)
        (void)printf("  (target %g)%s", l->wanted, rate < l->wanted ? " below" : "");
    (void)printf("\n");
    return HW_OK;
}

int main(void)
{
    hw_error err = {0};
    (void)printf("Exact solvers: million orders or down-sets a second of CPU time\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
            if (measure(&lines[i], (hw_accounting)a, &err) != HW_OK) {
                (void)fprintf(stderr, "bench_exact: %s\n", err.message);
                return 1;
            }
    return 0;
}
