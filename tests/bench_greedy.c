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

#include "support_rate.h"

enum { LEAST_NODES = 10000, MOST_NODES = 1000000 };

static hw_code bench_family(const char *family, const char *const *specs, hw_error *err)
{
    rate first = {0}, last = {0};
    hw_code code = HW_OK;
    for (uint32_t n = LEAST_NODES; code == HW_OK && n <= MOST_NODES; n *= 10) {
        hw_graph *g = NULL;
        hw_model *m = NULL;
        code = rate_model(family, n, &g, &m, err);
        for (size_t i = 0; code == HW_OK && specs[i]; i++) {
            rate r;
            code = rate_measure(m, specs[i], &r, err);
            if (code != HW_OK)
                break;
            rate_print(family, n, specs[i], &r);
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
        "greedy",        "level",        "dfs",     "by-output",     "greedy-reverse",
        "lookahead:k=5", "xla-list",     "xla-dfs", "xla-postorder", "lpmf",
        "inductor-bfs",  "inductor-dfs", "ort-dfs", "ort-memory",    NULL};
    static const char *const greedy[] = {"greedy", NULL};
    hw_error err = {0};
    hw_code code = bench_family("layered:width=10,degree=2.5", all, &err);
    if (code == HW_OK)
        code = bench_family("layered:width=100,degree=2.5", greedy, &err);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_greedy: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
