/*
 * Rates of liu and best-postorder on large in-trees, as bench_greedy.c has them.
 *
 * The last line of a family says how the time per node grows from 10,000 to
 * 1,000,000 nodes: below 2 times where edges are short (a small reach).
 */
#include <inttypes.h>
#include <stdio.h>

#include "support_rate.h"

enum { LEAST_NODES = 10000, MOST_NODES = 1000000 };

static hw_code bench_family(const char *family, const char *aim, hw_error *err)
{
    static const char *const specs[] = {"liu", "best-postorder"};
    enum { SPECS = sizeof specs / sizeof specs[0] };
    rate first[SPECS] = {{0}}, last[SPECS] = {{0}};
    hw_code code = HW_OK;
    for (uint32_t n = LEAST_NODES; code == HW_OK && n <= MOST_NODES; n *= 10) {
        hw_graph *g = NULL;
        hw_model *m = NULL;
        code = rate_model(family, n, &g, &m, err);
        for (size_t i = 0; code == HW_OK && i < SPECS; i++) {
            code = rate_measure(m, specs[i], &last[i], err);
            if (code != HW_OK)
                break;
            rate_print(family, n, specs[i], &last[i]);
            if (n == LEAST_NODES)
                first[i] = last[i];
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    for (size_t i = 0; code == HW_OK && i < SPECS; i++)
        (void)printf("%-32s %s: growth %.2f%s\n", family, specs[i],
                     last[i].solve_ns / first[i].solve_ns, aim);
    return code;
}

int main(void)
{
    static const struct {
        const char *family, *aim;
    } families[] = {
        {"tree:reach=20", " (below 2)"},
        {"tree:reach=1", " (below 2)"},
        {"tree:shape=complete", ""},
        {"tree:reach=0", ""},
    };
    hw_error err = {0};
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof families / sizeof families[0]; i++)
        code = bench_family(families[i].family, families[i].aim, &err);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_trees: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
