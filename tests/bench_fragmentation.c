/*
 * Height over load on random lifetimes, by allocator.
 *
 *   bench_fragmentation [COUNT [FILE]]
 *
 * COUNT (100) arenas of each law are drawn, the same at every run, and placed
 * by each allocator.  A line a law and allocator: median, 95th percentile and
 * greatest height / load, the share that needs no more than the load, and the
 * time of one placement.  FILE takes a line a placement, as CSV.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>

#include "arena/arena.h"
#include "arena/clock.h"
#include "core/memory.h"
#include "core/ratio.h"
#include "core/rng.h"
#include "gen/family.h"
#include "model/model.h"

enum { BUFFERS = 60, TICKS = 100, EXACT_STATES = 200000 };

static const char *const specs[] = {
    "first-fit",
    "best-fit",
    "free-list:policy=next",
    "free-list:policy=worst",
    "free-list:header=8,round=16",
    "bucket-pool",
    "bucket-pool:divisions=4",
    "greedy-by-size",
    "greedy-by-breadth",
    "greedy-by-conflicts",
    "greedy-by-conflicts:place=lowest",
    "hill-climb",
    "exact",
};
enum { SPECS = sizeof specs / sizeof specs[0] };

/* ---- Laws. ---- */

static uint64_t draw_size(unsigned law, gsl_rng *rng)
{
    switch (law) {
    case 1:
        return 1 + (uint64_t)exp(fmin(gsl_ran_gaussian(rng, 1.5) + 6, 14));
    case 2:
        return UINT64_C(1) << hw_rng_below(rng, 11);
    default:
        return 1 + hw_rng_below(rng, 1000);
    }
}

static hw_code draw_one(hw_arena *a, unsigned law, uint32_t i, gsl_rng *rng, hw_error *err)
{
    char label[16];
    hw_span span = {.first = (int64_t)hw_rng_below(rng, TICKS), .size = draw_size(law, rng)};
    span.end = span.first + 1 +
               (law == 1 ? (int64_t)fmin(gsl_ran_exponential(rng, 12), TICKS)
                         : (int64_t)hw_rng_below(rng, 30));
    (void)snprintf(label, sizeof label, "b%" PRIu32, i);
    return hw_arena_add(a, label, &span, 1, 1, HW_ARENA_FREE, err);
}

static hw_code draw_arena(unsigned law, uint64_t index, hw_arena **a, hw_error *err)
{
    static const char *const names[] = {"arena-uniform", "arena-lognormal", "arena-powers"};
    gsl_rng *rng = hw_rng_new(hw_instance_seed(HW_DEFAULT_SEED, names[law], index));
    hw_code code = rng ? hw_arena_start(names[law], a, err) : hw_fail_memory(err, "a generator");
    for (uint32_t i = 0; code == HW_OK && i < BUFFERS; i++)
        code = draw_one(*a, law, i, rng, err);
    if (code == HW_OK)
        code = hw_arena_finish(*a, err);
    if (rng)
        gsl_rng_free(rng);
    return code;
}

/* The source order of a random graph. */
static hw_code order_arena(const char *family, uint64_t index, hw_arena **a, hw_error *err)
{
    const hw_family_row *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_graph *g = NULL;
    hw_model *m = NULL;
    uint32_t *order = NULL;
    hw_code code = hw_family_parse(family, &row, values, err);
    if (code == HW_OK)
        code = hw_generate(row, values, HW_DEFAULT_SEED, index, &g, err);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK) {
        order = HW_NEW(uint32_t, m->n_nodes);
        for (uint32_t v = 0; order && v < m->n_nodes; v++)
            order[v] = v;
        code = order ? hw_arena_of_order(m, order, 1, a, err) : hw_fail_memory(err, "an order");
    }
    free(order);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

static const char *const laws[] = {"uniform sizes", "lognormal sizes", "powers of two",
                                   "orders: layered:n=60", "orders: erdos:n=60,degree=2"};
enum { LAWS = sizeof laws / sizeof laws[0], DRAWN_LAWS = 3 };

static hw_code make_arena(unsigned law, uint64_t index, hw_arena **a, hw_error *err)
{
    return law < DRAWN_LAWS ? draw_arena(law, index, a, err)
                            : order_arena(strchr(laws[law], ' ') + 1, index, a, err);
}

/* ---- Runs. ---- */

typedef struct sample {
    hw_ratio *ratio; /* by instance */
    size_t n;
    double seconds;
} sample;

static hw_code run_one(const hw_arena *a, const char *spec, sample *s, const char *law,
                       uint64_t index, FILE *csv, hw_error *err)
{
    const hw_allocator *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_code code = hw_allocator_parse(spec, &row, values, err);
    if (code != HW_OK)
        return code;
    const hw_placement_request request = {.params = values,
                                          .states = row->proves ? EXACT_STATES : 0,
                                          .seconds = row->proves ? 5 : 0,
                                          .seed = 1};
    hw_placement p;
    hw_clock clock = hw_clock_start(0);
    code = hw_arena_place(a, row, &request, &p, err);
    if (code != HW_OK)
        return code;
    s->seconds += hw_clock_elapsed(&clock);
    s->ratio[s->n++] = (hw_ratio){p.height, a->load};
    if (csv)
        (void)fprintf(csv, "\"%s\",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",\"%s\",%" PRIu64 ",%d\n",
                      law, index, a->n_buffers, a->load, spec, p.height, p.height == p.bound);
    hw_placement_clear(&p);
    return HW_OK;
}

static int by_ratio(const void *x, const void *y)
{
    return hw_ratio_compare(*(const hw_ratio *)x, *(const hw_ratio *)y);
}

static void summarise(const char *law, const char *spec, sample *s)
{
    size_t perfect = 0;
    if (s->n == 0)
        return;
    qsort(s->ratio, s->n, sizeof *s->ratio, by_ratio);
    while (perfect < s->n && s->ratio[perfect].over == s->ratio[perfect].under)
        perfect++;
    (void)printf("%s\t%s\t%.4f\t%.4f\t%.4f\t%.1f\t%.3g\n", law, spec,
                 hw_ratio_value(s->ratio[(s->n - 1) / 2]),
                 hw_ratio_value(s->ratio[(s->n * 95 + 99) / 100 - 1]),
                 hw_ratio_value(s->ratio[s->n - 1]), 100.0 * (double)perfect / (double)s->n,
                 1e6 * s->seconds / (double)s->n);
}

static hw_code run_law(unsigned law, uint64_t count, sample *samples, FILE *csv, hw_error *err)
{
    for (uint64_t i = 0; i < count; i++) {
        hw_arena *a = NULL;
        hw_code code = make_arena(law, i, &a, err);
        for (size_t k = 0; code == HW_OK && k < SPECS; k++)
            if (hw_allocator_find(specs[k], strcspn(specs[k], ":")))
                code = run_one(a, specs[k], &samples[k], laws[law], i, csv, err);
        hw_arena_free(a);
        if (code != HW_OK)
            return code;
    }
    for (size_t k = 0; k < SPECS; k++) {
        summarise(laws[law], specs[k], &samples[k]);
        samples[k].n = 0;
        samples[k].seconds = 0;
    }
    (void)fflush(stdout);
    return HW_OK;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100;
    FILE *csv = argc > 2 ? fopen(argv[2], "w") : NULL;
    sample samples[SPECS] = {{0}};
    hw_error err = {0};
    hw_code code = HW_OK;
    if (argc > 2 && !csv)
        code = hw_fail(&err, HW_IO, "%s: cannot be written", argv[2]);
    for (size_t k = 0; k < SPECS; k++) {
        samples[k].ratio = HW_NEW(hw_ratio, count);
        if (!samples[k].ratio)
            code = hw_fail_memory(&err, "samples");
    }
    if (csv)
        (void)fputs("law,instance,buffers,load,allocator,height,least\n", csv);
    (void)puts("law\tallocator\tmedian\t95 %\tworst\tequal to load (%)\tmicroseconds");
    for (unsigned law = 0; code == HW_OK && law < LAWS; law++)
        code = run_law(law, count, samples, csv, &err);
    for (size_t k = 0; k < SPECS; k++)
        free(samples[k].ratio);
    if (csv && fclose(csv) != 0 && code == HW_OK)
        code = hw_fail(&err, HW_IO, "%s: cannot be written", argv[2]);
    if (code != HW_OK)
        (void)fprintf(stderr, "bench_fragmentation: %s\n", err.message);
    return code == HW_OK ? 0 : 1;
}
