/*
 * C26: do constants in the live set waste the scheduler's effort?
 *
 * Real graphs with constants in three models: constants resident, as they are;
 * LIVE, alive from the start to their last reader; LOADED, made by a node right
 * before they are wanted, so that a scheduler has to place it.  Orders found in
 * each are measured in the first: are they others, are they worse or better;
 * and what effort they took, in steps and states, which is the same on every
 * machine, and in seconds.
 *
 * Wasted: greedy, the article's scheduler, takes WASTE times its steps or more,
 * and no more than a tenth of its orders are any better for it.
 */
#include "claims/graphs.h"
#include "claims/measure.h"
#include "core/idmap.h"
#include "core/memory.h"
#include "transform/sources.h"

#include <stdlib.h>
#include <string.h>

#define WASTE 1.5

typedef enum constant_model { RESIDENT, LIVE, LOADED, CONSTANT_MODELS } constant_model;
enum { SOLVERS = 3 };

static const char *const model_names[CONSTANT_MODELS] = {
    "resident", "alive from the start to their last reader", "made by nodes that load them"};
static const char *const model_numbers[CONSTANT_MODELS] = {"resident", "live", "loaded"};
static const char *const solvers[SOLVERS] = {"greedy", "beam:width=8", "exact"};
static const char *const solver_numbers[SOLVERS] = {"greedy", "beam", "exact"};

typedef struct constant_tally {
    uint64_t runs, other, worse, better, states;
    double seconds, most_worse;
} constant_tally;

typedef struct constants {
    const hw_claim_run *run;
    uint64_t graphs;
    constant_tally tally[SOLVERS][CONSTANT_MODELS];
} constants;

/* The nodes of g in the order that `order` of `other`, which has them too, gives them. */
static hw_code project(const hw_graph *g, const hw_graph *other, const uint32_t *order,
                       uint32_t *projected, hw_error *err)
{
    hw_idmap map = {0};
    uint32_t n = 0;
    hw_code code = HW_OK;
    for (uint32_t v = 0; code == HW_OK && v < g->n_nodes; v++)
        if (hw_idmap_add(&map, hw_node_id(g, v)) != HW_IDMAP_NEW)
            code = hw_fail_memory(err, "the ids of nodes");
    for (uint32_t i = 0; code == HW_OK && i < other->n_nodes; i++) {
        uint32_t v = hw_idmap_find(&map, hw_node_id(other, order[i]));
        if (v != UINT32_MAX && n < g->n_nodes)
            projected[n++] = v;
    }
    if (code == HW_OK && n != g->n_nodes)
        code = hw_fail(err, HW_INTERNAL, "%s: an order lost nodes of the graph", g->name);
    hw_idmap_clear(&map);
    return code;
}

static hw_code one_solver(constants *c, const hw_graph *const models[CONSTANT_MODELS],
                          hw_accounting accounting, int solver, hw_error *err)
{
    const hw_graph *g = models[RESIDENT];
    uint32_t *first = HW_NEW(uint32_t, g->n_nodes), *order = HW_NEW(uint32_t, g->n_nodes);
    uint64_t best = 0;
    hw_code code = first && order ? HW_OK : hw_fail_memory(err, "orders");
    for (int k = 0; code == HW_OK && k < CONSTANT_MODELS; k++) {
        constant_tally *t = &c->tally[solver][k];
        hw_answer a;
        uint64_t peak = 0;
        code = hw_claim_solve_graph(c->run, models[k], accounting, solvers[solver], 50000, &a, err);
        if (code == HW_OK && !a.has_order)
            code = hw_fail(err, HW_CHECK_FAILED, "%s: %s has no order", g->name, solvers[solver]);
        if (code == HW_OK)
            code = project(g, models[k], a.order, order, err);
        if (code == HW_OK)
            code = hw_claim_check(g, accounting, order, &peak, err);
        if (code == HW_OK && k == RESIDENT) {
            best = peak;
            memcpy(first, order, g->n_nodes * sizeof *order);
        }
        double lost = hw_claim_percent_above(peak, best);
        t->runs++;
        t->other += memcmp(first, order, g->n_nodes * sizeof *order) != 0;
        t->worse += peak > best;
        t->better += peak < best;
        t->states += a.states;
        t->seconds += a.cpu_seconds; /* of single runs, on a machine that may be busy */
        t->most_worse = lost > t->most_worse ? lost : t->most_worse;
        hw_answer_clear(&a);
    }
    free(first);
    free(order);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    constants *c = context;
    hw_graph *live = NULL, *loaded = NULL;
    (void)name;
    (void)kind;
    if (hw_graph_resident_bytes(g) == 0 || g->node_window)
        return HW_OK;
    hw_code code = hw_live_constants(g, &live, err);
    if (code == HW_OK)
        code = hw_add_sources(g, HW_CONSTANT, "load-constant", HW_BEFORE_USE, &loaded, err);
    const hw_graph *const models[CONSTANT_MODELS] = {g, live, loaded};
    for (int a = 0; a < 2; a++)
        for (int s = 0; code == HW_OK && s < SOLVERS; s++)
            code = one_solver(c, models, (hw_accounting)a, s, err);
    c->graphs++;
    hw_graph_free(live);
    hw_graph_free(loaded);
    return code;
}

/* Of what it is where constants are resident; no state at all counts as one. */
static double effort(const constants *c, int solver, int model)
{
    uint64_t states = c->tally[solver][model].states, first = c->tally[solver][RESIDENT].states;
    return (double)(states ? states : 1) / (double)(first ? first : 1);
}

static hw_code tell_model(hw_claim_run *run, const constants *c, int solver, int model,
                          hw_error *err)
{
    const constant_tally *t = &c->tally[solver][model];
    char reading[128], name[64], seconds[64];
    (void)snprintf(seconds, sizeof seconds, "%s-%s-seconds", solver_numbers[solver],
                   model_numbers[model]);
    hw_code code = hw_claim_number(run, seconds, t->seconds, "seconds", err);
    if (model == RESIDENT || code != HW_OK)
        return code;
    (void)snprintf(name, sizeof name, "%s-%s-effort", solver_numbers[solver], model_numbers[model]);
    code = hw_claim_number(run, name, effort(c, solver, model), "times", err);
    (void)snprintf(reading, sizeof reading, "constants %s, %s", model_names[model],
                   solver_numbers[solver]);
    if (code == HW_OK)
        code = hw_claim_reading(
            run, reading, effort(c, solver, model) >= WASTE && 10 * t->better <= t->runs, err,
            "%.2f times the effort ({%s} instead of {%s-resident-seconds}); of %llu orders %.1f %% "
            "are others, %.1f %% worse (by %.1f %% at most), %.1f %% better",
            effort(c, solver, model), seconds, solver_numbers[solver], (unsigned long long)t->runs,
            hw_claim_percent(t->other, t->runs), hw_claim_percent(t->worse, t->runs), t->most_worse,
            hw_claim_percent(t->better, t->runs));
    return code;
}

static bool is_wasted(const constants *c, constant_model model)
{
    const constant_tally *t = &c->tally[0][model];
    return effort(c, 0, (int)model) >= WASTE && 10 * t->better <= t->runs;
}

static hw_code decide(hw_claim_run *run, const constants *c, hw_error *err)
{
    if (c->graphs == 0)
        return hw_fail(err, HW_CHECK_FAILED, "no graph has constants");
    bool live = is_wasted(c, LIVE), loaded = is_wasted(c, LOADED);
    const constant_tally *t = &c->tally[0][LOADED];
    hw_claim_verdict verdict = live && loaded ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (live != loaded) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            loaded ? "there are nodes that load constants, which a scheduler then has to place; "
                     "where constants only lie in the live set from the start, greedy takes as "
                     "many steps as before"
                   : "constants lie in the live set from the start");
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "with constants loaded by nodes greedy takes %.2f times its steps, beam %.2f times its "
        "states and exact %.2f times; %.1f %% of greedy's orders come out otherwise, %.1f %% worse "
        "and %.1f %% better; with constants merely alive %.2f, %.2f and %.2f times",
        effort(c, 0, LOADED), effort(c, 1, LOADED), effort(c, 2, LOADED),
        hw_claim_percent(t->other, t->runs), hw_claim_percent(t->worse, t->runs),
        hw_claim_percent(t->better, t->runs), effort(c, 0, LIVE), effort(c, 1, LIVE),
        effort(c, 2, LIVE));
}

hw_code hw_claim_c26(hw_claim_run *run, hw_error *err)
{
    constants c = {.run = run};
    hw_code code = hw_claim_each_graph(run, HW_CLAIM_INFERENCE | HW_CLAIM_FILES, take, &c, err);
    for (int s = 0; s < SOLVERS; s++)
        for (int k = 0; code == HW_OK && k < CONSTANT_MODELS; k++)
            code = tell_model(run, &c, s, k, err);
    return code == HW_OK ? decide(run, &c, err) : code;
}
