/*
 * Evaluations a second of the adversary: one random change, the small model,
 * greedy, and the optimum by down-sets; CPU time.
 *
 * Along a climb (a change stays where the ratio does not fall, restarts from
 * random graphs) and on random graphs, each with one change; sizes 1 to 100.
 * The climb is then repeated, for fewer evaluations, by graphs, models and the
 * solvers greedy and exact: the same changes have to lead to the same ratios.
 *
 * The last line compares the rates at n = 10 with the target of 200,000 a
 * second.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "adversary/goal.h"
#include "small/small.h"
#include "adversary/space.h"

enum {
    RESTARTS = 10,
    CLIMB = 30000,    /* evaluations of each climb */
    SLOW_CLIMB = 300, /* and by the solvers */
    RANDOM_GRAPHS = 1000,
    RANDOM_ROUNDS = 50, /* changes tried on each of them */
    TARGET_NODES = 10,
    TARGET_RATE = 200000
};

static hw_small small;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hw_space space_of(uint32_t n)
{
    return (hw_space){.least_nodes = n,
                      .most_nodes = n,
                      .most_edges = n * n,
                      .most_in = n,
                      .most_out = n,
                      .low = 1,
                      .high = 100};
}

static hw_ratio rate_small(const hw_genome *g, hw_accounting accounting)
{
    hw_small_set(&small, g, accounting);
    uint64_t greedy = hw_small_greedy(&small, NULL);
    return (hw_ratio){greedy, hw_small_optimum_below(&small, greedy)};
}

static hw_code rate_solvers(const hw_goal *goal, const hw_genome *g, hw_ratio *out, hw_error *err)
{
    hw_graph *graph = NULL;
    hw_rating rating;
    hw_code code = hw_genome_graph(g, NULL, NULL, &graph, err);
    if (code == HW_OK)
        code = hw_goal_rate(goal, graph, &rating, err);
    if (code == HW_OK)
        *out = rating.ratio;
    hw_graph_free(graph);
    return code;
}

typedef struct climbing {
    double rate; /* evaluations a second */
    hw_ratio best;
    uint64_t trace; /* of the ratios, in turn */
} climbing;

/* Restarts and climbs; goal NULL: by the small model. */
static hw_code climb(uint32_t n, hw_accounting accounting, const hw_goal *goal,
                     uint32_t evaluations, climbing *out, hw_error *err)
{
    hw_space s = space_of(n);
    hw_code code = HW_OK;
    *out = (climbing){.best = {1, 1}};
    double start = cpu_seconds();
    for (uint64_t seed = 1; code == HW_OK && seed <= RESTARTS; seed++) {
        gsl_rng *rng = hw_rng_new(seed);
        if (!rng)
            return hw_fail_memory(err, "a generator");
        hw_genome now, next;
        hw_ratio ratio = {1, 1}, tried = {0, 1};
        bool any = hw_space_draw(&s, rng, &now);
        for (uint32_t i = 0; any && code == HW_OK && i < evaluations; i++) {
            next = now;
            (void)hw_space_move(&s, rng, &next);
            if (goal)
                code = rate_solvers(goal, &next, &tried, err);
            else
                tried = rate_small(&next, accounting);
            out->trace = out->trace * 31 + tried.over * 7 + tried.under;
            if (code != HW_OK || hw_ratio_compare(tried, ratio) < 0)
                continue;
            ratio = tried;
            now = next;
        }
        if (hw_ratio_compare(ratio, out->best) > 0)
            out->best = ratio;
        gsl_rng_free(rng);
    }
    out->rate = (double)RESTARTS * evaluations / (cpu_seconds() - start);
    return code;
}

/* One change, and its rating, of each of many random graphs, again and again. */
static hw_code random_graphs(uint32_t n, hw_accounting accounting, climbing *out, hw_error *err)
{
    hw_space s = space_of(n);
    gsl_rng *rng = hw_rng_new(n);
    hw_genome *pool = malloc(RANDOM_GRAPHS * sizeof *pool);
    *out = (climbing){.best = {1, 1}};
    if (!rng || !pool) {
        if (rng)
            gsl_rng_free(rng);
        free(pool);
        return hw_fail_memory(err, "random graphs");
    }
    for (uint32_t i = 0; i < RANDOM_GRAPHS; i++)
        if (!hw_space_draw(&s, rng, &pool[i]))
            hw_genome_start(&pool[i], n);
    double start = cpu_seconds();
    for (uint32_t i = 0; i < RANDOM_GRAPHS * RANDOM_ROUNDS; i++) {
        hw_genome g = pool[i % RANDOM_GRAPHS];
        (void)hw_space_move(&s, rng, &g);
        hw_ratio ratio = rate_small(&g, accounting);
        if (hw_ratio_compare(ratio, out->best) > 0)
            out->best = ratio;
    }
    out->rate = (double)RANDOM_GRAPHS * RANDOM_ROUNDS / (cpu_seconds() - start);
    gsl_rng_free(rng);
    free(pool);
    return HW_OK;
}

/* A line of the table; *least becomes the lower of the two rates where that is less. */
static hw_code bench_nodes(uint32_t n, hw_accounting accounting, double *least, hw_error *err)
{
    climbing fast, random, slow, same;
    hw_goal goal;
    hw_code code = hw_goal_parse("greedy", NULL, false, &goal, err);
    goal.accounting = accounting;
    if (code == HW_OK)
        code = climb(n, accounting, NULL, CLIMB, &fast, err);
    if (code == HW_OK)
        code = random_graphs(n, accounting, &random, err);
    if (code == HW_OK)
        code = climb(n, accounting, NULL, SLOW_CLIMB, &same, err);
    if (code == HW_OK)
        code = climb(n, accounting, &goal, SLOW_CLIMB, &slow, err);
    if (code != HW_OK)
        return code;
    if (same.trace != slow.trace)
        return hw_fail(err, HW_INTERNAL, "n = %u, %s: small model and solvers climb differently", n,
                       hw_accounting_name(accounting));
    (void)printf("%4u  %-11s  %9.0f  %6.3f  %9.0f  %6.3f  %9.0f  %6.1f\n", n,
                 hw_accounting_name(accounting), fast.rate, hw_ratio_value(fast.best), random.rate,
                 hw_ratio_value(random.best), slow.rate, same.rate / slow.rate);
    if (fast.rate < *least)
        *least = fast.rate;
    if (random.rate < *least)
        *least = random.rate;
    return HW_OK;
}

int main(void)
{
    hw_error err = {0};
    hw_code code = HW_OK;
    double target = 1e300, others = 1e300;
    (void)printf("adversary, one core: evaluations a second (change, greedy, optimum) and the best "
                 "ratio\n"
                 "   n  accounting      climbing   ratio     random   ratio    solvers   times\n");
    for (uint32_t n = 6; code == HW_OK && n <= 12; n += 2)
        for (int a = HW_ALLOC_FIRST; code == HW_OK && a <= HW_FREE_FIRST; a++)
            code = bench_nodes(n, (hw_accounting)a, n == TARGET_NODES ? &target : &others, &err);
    if (code == HW_OK)
        (void)printf("adversary, n = %d: %.0f evaluations a second (at least %d)\n", TARGET_NODES,
                     target, TARGET_RATE);
    else
        (void)fprintf(stderr, "bench_adversary: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
