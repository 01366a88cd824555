/*
 * What re-solving windows is worth as an upper bound: orders of a heuristic
 * before and after it, beside beams, as mean peak over the best that `exact`
 * finds, and CPU time.
 *
 *     bench_window [INSTANCES [WINDOW_STATES]]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/family.h"
#include "solvers/exact_window.h"

static const char *const families[] = {"erdos:n=128,degree=2", "erdos:n=128,degree=3",
                                       "randwire:n=128", "erdos:n=256,degree=2", "layered:n=256"};
static const char *const starts[] = {"greedy-reverse", "lookahead", "beam:width=32",
                                     "beam:width=128"};
enum {
    FAMILIES = sizeof families / sizeof families[0],
    STARTS = sizeof starts / sizeof starts[0],
    EXACT_STATES = 300000
};

typedef struct tally {
    double before, after, start_ms, window_ms;
    uint64_t states;
    int best; /* graphs on which the result is the best known */
} tally;

static hw_code solve(const hw_model *m, const char *spec, uint64_t states, hw_answer *answer,
                     hw_error *err)
{
    const hw_solver_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_code code = hw_solver_parse(spec, &row, values, err);
    hw_request request = {.params = values, .limits = {.states = states}};
    return code == HW_OK ? hw_solve(m, row, &request, answer, err) : code;
}

static hw_code measure(const hw_model *m, const char *start, uint64_t best, uint64_t window_states,
                       tally *t, hw_error *err)
{
    hw_answer a;
    hw_meter meter;
    hw_request none = {0};
    exact_window_options o = {.states = window_states, .bound = m->simple_bound};
    o.search = (exact_options){.rules = {true, true, true, true, true}, .memory_bytes = 1 << 28};
    hw_code code = solve(m, start, 0, &a, err);
    if (code != HW_OK)
        return code;
    uint64_t peak = a.peak;
    t->before += (double)peak / (double)best;
    t->start_ms += a.cpu_seconds * 1e3;
    double begin = hw_cpu_seconds();
    hw_meter_start(&meter, &none);
    code = exact_window_improve(m, &o, a.order, &peak, &meter, err);
    t->window_ms += (hw_cpu_seconds() - begin) * 1e3;
    t->after += (double)peak / (double)best;
    t->states += meter.states;
    t->best += peak <= best;
    hw_answer_clear(&a);
    return code;
}

static hw_code one_graph(const hw_model *m, uint64_t window_states, tally *t, hw_error *err)
{
    hw_answer best;
    hw_code code = solve(m, "exact", EXACT_STATES, &best, err);
    if (code != HW_OK)
        return code;
    for (int s = 0; s < STARTS && code == HW_OK; s++)
        code = measure(m, starts[s], best.peak, window_states, &t[s], err);
    hw_answer_clear(&best);
    return code;
}

static hw_code one_family(const char *spec, int instances, uint64_t window_states,
                          hw_accounting accounting, hw_error *err)
{
    tally t[STARTS] = {{0}};
    const hw_family_row *family;
    hw_param_value shape[HW_PARAM_LIMIT];
    hw_code code = hw_family_parse(spec, &family, shape, err);
    for (int i = 0; code == HW_OK && i < instances; i++) {
        hw_graph *g = NULL;
        hw_model *m = NULL;
        code = hw_generate(family, shape, HW_DEFAULT_SEED, (uint64_t)i, &g, err);
        if (code == HW_OK)
            code = hw_model_new(g, accounting, false, &m, err);
        if (code == HW_OK)
            code = one_graph(m, window_states, t, err);
        hw_model_free(m);
        hw_graph_free(g);
    }
    if (code != HW_OK)
        return code;
    for (int s = 0; s < STARTS; s++)
        (void)printf("%-26s %-11s %-15s %8.2f ms  %6.4f  windows %8.2f ms  %6.4f  (%" PRIu64
                     " prefixes, best known %d of %d)\n",
                     spec, hw_accounting_name(accounting), starts[s], t[s].start_ms / instances,
                     t[s].before / instances, t[s].window_ms / instances, t[s].after / instances,
                     t[s].states / (uint64_t)instances, t[s].best, instances);
    return HW_OK;
}

int main(int argc, char **argv)
{
    hw_error err = {0};
    int instances = argc > 1 ? (int)strtoul(argv[1], NULL, 10) : 1;
    uint64_t window_states = argc > 2 ? strtoull(argv[2], NULL, 10) : 500;
    (void)printf("Windows: mean time and peak over the best known, before and after\n");
    for (int f = 0; f < FAMILIES; f++)
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++)
            if (one_family(families[f], instances > 0 ? instances : 1, window_states,
                           (hw_accounting)a, &err) != HW_OK) {
                (void)fprintf(stderr, "bench_window: %s\n", err.message);
                return 1;
            }
    return 0;
}
