/* Rates of solvers.  See support_rate.h. */
#include "support_rate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/family.h"
#include "model/sim.h"

enum { RUNS_TO_SPREAD = 1000000 }; /* nodes */

hw_code rate_model(const char *family, uint32_t n, hw_graph **g, hw_model **m, hw_error *err)
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

hw_code rate_measure(const hw_model *m, const char *spec, rate *best, hw_error *err)
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

void rate_print(const char *family, uint32_t n, const char *spec, const rate *r)
{
    (void)printf("%-32s %8" PRIu32 " nodes  %-14s %7.1f ns a node %7.2f million/s"
                 " %6.1f simulations (%.1f ns)\n",
                 family, n, spec, r->solve_ns, 1e3 / r->solve_ns, r->solve_ns / r->simulate_ns,
                 r->simulate_ns);
}
