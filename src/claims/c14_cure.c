/*
 * C14: a size-bucketed pool, or one arena with offsets, cures fragmentation.
 *
 * The measurement of C13 with the cures.  "Arena with offsets" is read twice:
 * a planner that knows all lifetimes (largest first, or a search for the least
 * height), and offsets handed out as requests come.  The pool is read twice,
 * too: for all tensors, or for small ones with the rest in an arena.
 *
 * A cure cures if the request for 400 MB fits into 1.05 GB, and if on random
 * and on real graphs the arena ends within 5 % of the logical peak on at least
 * nine orders in ten.  The claim holds if the pool for all and the planned
 * arena both do, and only for those that do otherwise.
 */
#include <inttypes.h>
#include <stdio.h>

#include "claims/fragments.h"

static const struct cure {
    const char *allocator, *name, *number;
} cures[] = {
    {"free-list", "no cure: a malloc's free list", "free-list"},
    {"first-fit", "an arena with offsets as requests come (first fit)", "first-fit"},
    {"bucket-pool", "a pool of size classes for all tensors (powers of two)", "pool"},
    {"bucket-pool:divisions=4", "the same with four classes to a power of two", "pool-4"},
    {HW_FRAGMENT_SPLIT, "a pool for small tensors, an arena for the rest", "pool-small"},
    {"greedy-by-size", "an arena planned with all lifetimes, largest first", "planned"},
    {"exact", "an arena planned with all lifetimes, least height", "least"},
};
enum { N_CURES = sizeof cures / sizeof cures[0], POOL = 2, PLANNED = 5, LEAST = 6 };
static const double near_peak = 1.05, mostly = 0.9;

hw_code hw_claim_c14(hw_claim_run *run, hw_error *err);

typedef struct outcome {
    double instance[2]; /* height / peak of the instance, by accounting */
    double within[2];   /* share of orders near the peak, random and real */
    hw_fragment_facts facts[2];
} outcome;

static hw_code try_instance(hw_claim_run *run, outcome o[N_CURES], hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    const char *list[N_CURES];
    hw_code code = hw_fragment_instance(&g, err);
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "holes", g, err);
    for (size_t k = 0; k < N_CURES; k++)
        list[k] = cures[k].allocator;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        hw_fragments f = {
            .allocators = list, .n_allocators = N_CURES, .rule = "source", .alignment = 1};
        uint64_t peak = 0;
        code = hw_claim_peak(run, m[a], "source", &peak, err);
        if (code == HW_OK)
            code = hw_claim_shows(run, m[a], "source", peak, err);
        if (code == HW_OK)
            code = hw_fragments_take(run, &f, m[a], err);
        for (size_t k = 0; code == HW_OK && k < N_CURES; k++)
            o[k].instance[a] = f.ratio[k][0];
        hw_fragments_clear(&f);
    }
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}

static double share_within(const hw_fragments *f, size_t k)
{
    size_t within = 0;
    for (size_t i = 0; i < f->n; i++)
        within += f->ratio[k][i] <= near_peak;
    return f->n > 0 ? (double)within / (double)f->n : 0;
}

static hw_code try_population(hw_claim_run *run, int real, outcome o[N_CURES], hw_error *err)
{
    const char *list[N_CURES];
    for (size_t k = 0; k < N_CURES; k++)
        list[k] = cures[k].allocator;
    hw_fragments f = {
        .allocators = list, .n_allocators = N_CURES, .rule = "greedy", .alignment = 1};
    hw_code code = real ? hw_fragments_real(run, &f, err)
                        : hw_fragments_random(run, &f, hw_claim_effort(run, 3, 20), err);
    for (size_t k = 0; code == HW_OK && k < N_CURES; k++) {
        o[k].facts[real] = hw_fragments_ask(&f, k);
        o[k].within[real] = share_within(&f, k);
    }
    hw_fragments_clear(&f);
    return code;
}

static bool does_cure(const outcome *o)
{
    return o->instance[0] <= near_peak && o->instance[1] <= near_peak && o->within[0] >= mostly &&
           o->within[1] >= mostly;
}

static hw_code tell(hw_claim_run *run, const outcome *o, const struct cure *c, hw_error *err)
{
    char name[80];
    hw_code code = hw_claim_reading(
        run, c->name, does_cure(o), err,
        "%.3f times the peak on the made instance; within 5 %% of the peak on %.1f %% of random "
        "(median %.3f, worst %.3f) and %.1f %% of real orders (median %.3f, worst %.3f)",
        o->instance[0] > o->instance[1] ? o->instance[0] : o->instance[1], 100 * o->within[0],
        o->facts[0].median, o->facts[0].worst, 100 * o->within[1], o->facts[1].median,
        o->facts[1].worst);
    (void)snprintf(name, sizeof name, "%s-instance", c->number);
    if (code == HW_OK)
        code = hw_claim_number(run, name, o->instance[0], "times", err);
    (void)snprintf(name, sizeof name, "%s-random-median", c->number);
    if (code == HW_OK)
        code = hw_claim_number(run, name, o->facts[0].median, "times", err);
    (void)snprintf(name, sizeof name, "%s-real-within-5", c->number);
    if (code == HW_OK)
        code = hw_claim_number(run, name, o->within[1], "share", err);
    return code;
}

hw_code hw_claim_c14(hw_claim_run *run, hw_error *err)
{
    outcome o[N_CURES] = {0};
    char which[400] = "";
    size_t length = 0;
    hw_code code = try_instance(run, o, err);
    for (int real = 0; code == HW_OK && real < 2; real++)
        code = try_population(run, real, o, err);
    for (size_t k = 0; code == HW_OK && k < N_CURES; k++) {
        code = tell(run, &o[k], &cures[k], err);
        if (does_cure(&o[k]))
            length += (size_t)snprintf(which + length, sizeof which - length, "%s%s",
                                       length ? "; or " : "", cures[k].name);
    }
    bool holds = does_cure(&o[POOL]) && (does_cure(&o[PLANNED]) || does_cure(&o[LEAST]));
    if (code == HW_OK && !holds && length > 0)
        code = hw_claim_condition(run, err, "the cure is %s", which);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run,
        holds        ? HW_VERDICT_HOLDS
        : length > 0 ? HW_VERDICT_HOLDS_ONLY_IF
                     : HW_VERDICT_FAILS,
        err,
        "On the made instance a pool needs %.3f times the peak, the planned arena %.3f; of real "
        "graphs' orders the pool is within 5 %% on %.1f %%, largest first on %.1f %%, the least "
        "height on %.1f %%",
        o[POOL].instance[0], o[PLANNED].instance[0], 100 * o[POOL].within[1],
        100 * o[PLANNED].within[1], 100 * o[LEAST].within[1]);
}
