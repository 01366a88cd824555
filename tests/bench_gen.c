/* How fast families generate: nodes a second at 1,000,000 nodes. */
#include <stdio.h>

#include "gen/family.h"
#include "solve/solver.h"

int main(void)
{
    static const char *const specs[] = {
        "layered:n=1000000,width=10,degree=2.5,skip=2",
        "erdos:n=1000000,degree=2.5",
        "erdos:n=1000000,degree=2.5,span=100",
        "series-parallel:n=1000000",
        "tree:n=1000000",
        "tree:n=1000000,direction=out,arity=3,reach=50",
        "fan:n=1000000,stages=1000,width=20,nest=2",
        "chains:n=1000000,branches=1000",
        "daggen:n=1000000,fat=0.3,jump=3",
        "random-order:n=100000",
        "randwire:n=100000",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        const hw_family_row *row = NULL;
        hw_param_value values[HW_PARAM_LIMIT];
        hw_graph *g = NULL;
        hw_error err = {0};
        double start = hw_wall_seconds();
        hw_code code = hw_family_parse(specs[i], &row, values, &err);
        if (code == HW_OK)
            code = hw_generate(row, values, HW_DEFAULT_SEED, 0, &g, &err);
        if (code != HW_OK) {
            (void)fprintf(stderr, "bench_gen: %s\n", err.message);
            return hw_exit_status(code);
        }
        double seconds = hw_wall_seconds() - start;
        printf("gen  %-46s %5.2f M nodes/s  %.2f s\n", specs[i], g->n_nodes / seconds / 1e6,
               seconds);
        hw_graph_free(g);
    }
    return 0;
}
