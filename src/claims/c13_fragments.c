/*
 * C13: a logical peak of 1 GB can still fail a 400 MB allocation, by
 * fragmentation.
 *
 * "Can": so an instance decides.  It is the article's, made (fragments.h): the
 * claim holds if every allocator that serves requests as they come needs 1.4
 * times the logical peak on it, and the request for 400 MB is the one that
 * finds no place below 1 GB.  Beside it Robson's requests, on which the factor
 * grows without end, and how often it happens on random and on real graphs, by
 * allocator, alignment and order.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "claims/fragments.h"
#include "model/sim.h"

static const char *const allocators[] = {"first-fit", "best-fit", "free-list:policy=next",
                                         "free-list:policy=worst", "free-list:header=16,round=256"};
enum { N_ALLOCATORS = sizeof allocators / sizeof allocators[0] };

hw_code hw_claim_c13(hw_claim_run *run, hw_error *err);

static hw_code source_arena(const hw_model *m, hw_arena **out, hw_error *err)
{
    uint32_t order[64];
    if (m->n_nodes > sizeof order / sizeof order[0])
        return hw_fail(err, HW_INTERNAL, "the instance is too large");
    for (uint32_t v = 0; v < m->n_nodes; v++)
        order[v] = v;
    return hw_arena_of_order(m, order, 1, out, err);
}

/* Where an allocator puts the buffer of the last request. */
static hw_code offset_of_request(const hw_claim_run *run, const hw_arena *a, const char *spec,
                                 uint64_t *offset, hw_error *err)
{
    const hw_allocator *row;
    hw_param_value values[HW_PARAM_LIMIT];
    hw_placement p;
    const hw_placement_request request = {.params = values, .stop = hw_claim_stop_flag(run)};
    hw_code code = hw_allocator_parse(spec, &row, values, err);
    if (code == HW_OK)
        code = hw_arena_place(a, row, &request, &p, err);
    if (code != HW_OK)
        return code;
    *offset = 0;
    for (uint32_t i = 0; i < a->n_buffers; i++)
        if (a->buffer[i].size == 400 * HW_FRAGMENT_MB)
            *offset = p.offset[i];
    hw_placement_clear(&p);
    return HW_OK;
}

typedef struct instance {
    bool holds;
    uint32_t nodes;
    uint64_t free_mb; /* of the logical peak, when the request comes */
} instance;

/* What of the peak nothing lives in just before the last request, in the source order. */
static hw_code free_at_request(const hw_model *m, uint64_t load, instance *found, hw_error *err)
{
    hw_sim sim;
    hw_code code = hw_sim_init(&sim, m, err);
    if (code != HW_OK)
        return code;
    for (uint32_t v = 0; v < m->n_nodes && m->new_bytes[v] != 400 * HW_FRAGMENT_MB; v++)
        (void)hw_sim_step(&sim, v);
    found->nodes = m->n_nodes;
    found->free_mb = (load - sim.live) / HW_FRAGMENT_MB;
    hw_sim_free(&sim);
    return HW_OK;
}

static hw_code try_instance(hw_claim_run *run, instance *found, hw_error *err)
{
    hw_graph *g = NULL;
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_fragment_instance(&g, err);
    found->holds = true;
    if (code == HW_OK)
        code = hw_claim_models(g, m, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "holes", g, err);
    for (int k = 0; code == HW_OK && k < 2; k++) {
        hw_arena *a = NULL;
        code = source_arena(m[k], &a, err);
        if (!a)
            break;
        if (code == HW_OK)
            code = hw_claim_shows(run, m[k], "source", a->load, err);
        if (code == HW_OK)
            code = free_at_request(m[k], a->load, found, err);
        for (size_t i = 0; code == HW_OK && i < N_ALLOCATORS; i++) {
            uint64_t height = 0, offset = 0;
            char name[100];
            code = hw_fragment_height(run, a, allocators[i], &height, err);
            if (code == HW_OK)
                code = offset_of_request(run, a, allocators[i], &offset, err);
            bool fails = a->load == 1000 * HW_FRAGMENT_MB && offset >= a->load &&
                         (double)height >= 1.4 * (double)a->load;
            found->holds = found->holds && fails;
            (void)snprintf(name, sizeof name, "made instance, %s, %s",
                           hw_accounting_name(m[k]->accounting), allocators[i]);
            if (code == HW_OK)
                code = hw_claim_reading(run, name, fails, err,
                                        "logical peak %" PRIu64 " MB, the request for 400 MB lies "
                                        "at %" PRIu64 " MB, the arena ends at %.3f times the peak",
                                        a->load / HW_FRAGMENT_MB, offset / HW_FRAGMENT_MB,
                                        (double)height / (double)a->load);
        }
        hw_arena_free(a);
    }
    hw_claim_models_free(m);
    hw_graph_free(g);
    return code;
}

static hw_code try_robson(hw_claim_run *run, hw_error *err)
{
    hw_code code = HW_OK;
    for (int stages = 1; code == HW_OK && stages <= 4; stages++) {
        static const char *const first[] = {"first-fit"};
        hw_fragments f = {.allocators = first, .n_allocators = 1, .rule = "source", .alignment = 1};
        char name[60];
        hw_graph *g = NULL;
        hw_model *m = NULL;
        (void)snprintf(name, sizeof name, "robson:memory=64,stages=%d", stages);
        code = hw_claim_generate(name, 0, 0, &g, err);
        if (code == HW_OK)
            code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
        if (code == HW_OK)
            code = hw_fragments_take(run, &f, m, err);
        if (code == HW_OK)
            code = hw_claim_reading(run, name, f.ratio[0][0] >= 1.4, err,
                                    "a first-fit arena ends at %.3f times the peak", f.ratio[0][0]);
        (void)snprintf(name, sizeof name, "robson-%d", stages);
        if (code == HW_OK)
            code = hw_claim_number(run, name, f.ratio[0][0], "times", err);
        hw_fragments_clear(&f);
        hw_model_free(m);
        hw_graph_free(g);
    }
    return code;
}

static hw_code tell(hw_claim_run *run, const char *what, const char *prefix, hw_fragments *f,
                    hw_error *err)
{
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < f->n_allocators; i++) {
        hw_fragment_facts x = hw_fragments_ask(f, i);
        char name[160];
        (void)snprintf(name, sizeof name, "%s, %s order, alignment %" PRIu64 ", %s", what, f->rule,
                       f->alignment, f->allocators[i]);
        code = hw_claim_reading(run, name, x.above_1_4.k > 0, err,
                                "median %.3f, 95 %% %.3f, worst %.3f times the peak; 1.4 times or "
                                "more on %.1f %% of %zu orders",
                                x.median, x.high, x.worst, 100 * x.above_1_4.share, f->n);
        if (code == HW_OK && i == 0 && prefix) {
            (void)snprintf(name, sizeof name, "%s-median", prefix);
            code = hw_claim_number(run, name, x.median, "times", err);
            (void)snprintf(name, sizeof name, "%s-worst", prefix);
            if (code == HW_OK)
                code = hw_claim_number(run, name, x.worst, "times", err);
            (void)snprintf(name, sizeof name, "%s-above-1-4", prefix);
            if (code == HW_OK)
                code = hw_claim_number(run, name, x.above_1_4.share, "share", err);
        }
    }
    return code;
}

static hw_code try_population(hw_claim_run *run, bool real, const char *rule, uint64_t alignment,
                              hw_share *above, hw_error *err)
{
    hw_fragments f = {.allocators = allocators,
                      .n_allocators = N_ALLOCATORS,
                      .rule = rule,
                      .alignment = alignment};
    bool named = strcmp(rule, "greedy") == 0 && alignment == 1;
    hw_code code = real ? hw_fragments_real(run, &f, err)
                        : hw_fragments_random(run, &f, hw_claim_effort(run, 3, 20), err);
    if (code == HW_OK)
        code = tell(run, real ? "real graphs" : "random graphs",
                    !named ? NULL
                    : real ? "real"
                           : "random",
                    &f, err);
    if (code == HW_OK && named)
        *above = hw_fragments_ask(&f, 0).above_1_4;
    hw_fragments_clear(&f);
    return code;
}

hw_code hw_claim_c13(hw_claim_run *run, hw_error *err)
{
    instance found = {.holds = false};
    hw_share above[2] = {{0}, {0}};
    hw_code code = try_instance(run, &found, err);
    if (code == HW_OK)
        code = try_robson(run, err);
    for (int real = 0; real < 2; real++) {
        if (code == HW_OK)
            code = try_population(run, real, "greedy", 1, &above[real], err);
        if (code == HW_OK)
            code = try_population(run, real, "greedy", 256, &above[real], err);
        if (code == HW_OK)
            code = try_population(run, real, "level", 1, &above[real], err);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, found.holds ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS, err,
        "On an instance of %u nodes that peaks at 1 GB %s of %d allocators, under both "
        "accountings, finds room for 400 MB below 1.4 GB, with %" PRIu64
        " MB free; in greedy's orders "
        "first-fit needs that much on %.1f %% of random and %.1f %% of real graphs",
        (unsigned)found.nodes, found.holds ? "none" : "not every one", N_ALLOCATORS, found.free_mb,
        100 * above[0].share, 100 * above[1].share);
}
