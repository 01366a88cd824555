/*
 * Rates of the heuristics on large layered graphs with short-range edges
 * (2.5 a node): nodes a second, and times the plain simulation (hw_peak) of
 * the order returned.  The model is built outside the timing; each figure is
 * the best of a few runs in CPU time, solver and simulation taking turns.
 *
 * The last lines compare greedy with its targets: 5 million nodes a second and
 * at most 6 simulations at 1,000,000 nodes, time per node at most doubled from
 * 10,000 nodes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/family.h"
#include "model/sim.h"
#include "solve/solver.h"

enum { LEAST_NODES = 10000, MOST_NODES = 1000000, RUNS_TO_SPREAD = 1000000 };

typedef struct rate {
    double solve_ns, simulate_ns; /* a node */
} rate;

static hw_code make_model(const char *family, uint32_t n, hw_graph **g, hw_model **m, hw_error *err)
{
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    char spec[96];
    (void)snprintf(spec, sizeof spec, "%s,n=%" PRIu32, family, n);
    hw_code code = hw_family_parse(spec, &row, values, err);
    if (code == HW_OK)
        code = hw_generate(row, values, HW_DEFAULT_SEED, 0, g, err);
    return code == HW_OK ? hw_model_new(*g, HW_ALLOC_FIRST, false, m, err) : code;
}

static hw_code measure(const hw_model *m, const char *spec, rate *best, hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_code code = hw_solver_parse(spec, &row, values, err);
    hw_request request = {.params = values, .seed = HW_DEFAULT_SEED};
    hw_answer answer = {.order = calloc(m->n_nodes, sizeof *answer.order)};
    if (!answer.order)
        code = hw_fail(err, HW_NO_MEMORY, "out of memory");
    *best = (rate){1e300, 1e300};
    for (uint32_t run = 0; code == HW_OK && run < 3 + RUNS_TO_SPREAD / m->n_nodes; run++) {
        uint64_t peak = 0;
        double start = hw_cpu_seconds();
        answer.has_order = false;
        code = row->solve(m, &request, &answer, err);
        double solved = hw_cpu_seconds();
        if (code == HW_OK)
            code = hw_peak(m, answer.order, &peak, err);
        double simulated = hw_cpu_seconds();
        if (code == HW_OK && peak != answer.peak)
            code = hw_fail(err, HW_INTERNAL, "%s claims a peak that is not its order's", spec);
        double solve_ns = (solved - start) / m->n_nodes * 1e9;
        double simulate_ns = (simulated - solved) / m->n_nodes * 1e9;
        best->solve_ns = solve_ns < best->solve_ns ? solve_ns : best->solve_ns;
        best->simulate_ns = simulate_ns < best->simulate_ns ? simulate_ns : best->simulate_ns;
    }
    free(answer.order);
    return code;
}

static hw_code bench_family(const char *family, const char *const *specs, hw_error *err)
{
    rate first = {0}, last = {0};
    hw_code code = HW_OK;
    for (uint32_t n = LEAST_NODES; code == HW_OK && n <= MOST_NODES; n *= 10) {
        hw_graph *g = NULL;
        hw_model *m = NULL;
        code = make_model(family, n, &g, &m, err);
        for (size_t i = 0; code == HW_OK && specs[i]; i++) {
            rate r;
            code = measure(m, specs[i], &r, err);
            if (code != HW_OK)
                break;
            (void)printf("%-32s %8" PRIu32 " nodes  %-14s %7.1f ns a node %7.2f million/s"
                         " %6.1f simulations (%.1f ns)\n",
                         family, n, specs[i], r.solve_ns, 1e3 / r.solve_ns,
                         r.solve_ns / r.simulate_ns, r.simulate_ns);
            if (i == 0) { /* greedy */
                first = n == LEAST_NODES ? r : first;
                last = r;
            }
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    if (code == HW_OK)
        (void)printf("%-32s greedy: %.1f million nodes/s (at least 5), %.1f simulations (at most "
                     "6), growth %.2f (below 2)\n",
                     family, 1e3 / last.solve_ns, last.solve_ns / last.simulate_ns,
                     last.solve_ns / first.solve_ns);
    return code;
}

int main(void)
{
    static const char *const all[] = {
        "greedy",        "level",    "dfs",     "by-output",     "greedy-reverse",
        "lookahead:k=5", "xla-list", "xla-dfs", "xla-postorder", NULL};
    static const char *const greedy[] = {"greedy", NULL};
    hw_error err = {0};
    hw_code code = bench_family("layered:width=10,degree=2.5", all, &err);
    if (code == HW_OK)
        code = bench_family("layered:width=100,degree=2.5", greedy, &err);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_greedy: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
