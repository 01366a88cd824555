/*
 * C21: does the printed scheduling loop implement the rule?
 *
 * The loop to the letter, then with repairs put in one after the other
 * (listing.h) until it is the rule of section 3.1 with keys that are always
 * right, which is the solver `greedy`.  Of every step: how often the loop ends
 * before all nodes have run (stalled), gives an order that breaks an edge, the
 * same order as the rule, and by how much the peak passes the optimum.
 *
 * Under what the loop is the rule: `lone` are graphs in which no key can go
 * stale and no count be wrong, for every tensor has one maker, one reader, and
 * at most one tensor joins two nodes.
 */
#include "claims/graphs.h"
#include "claims/listing.h"
#include "claims/measure.h"
#include "claims/shrunk.h"
#include "core/memory.h"
#include "model/check.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 5 };

static const unsigned repairs[STEPS] = {
    0, HW_LISTING_SOURCES, HW_LISTING_SOURCES | HW_LISTING_EDGES,
    HW_LISTING_SOURCES | HW_LISTING_EDGES | HW_LISTING_FRESH, HW_LISTING_ALL};
static const char *const step_names[STEPS] = {
    "to the letter", "and without waiting for inputs that nobody makes",
    "and with every edge counted once", "and with keys found when a node is chosen",
    "and with what truly dies as freed"};
static const char *const step_numbers[STEPS] = {"letter", "sources", "edges", "fresh", "freed"};

typedef enum listing_kind { LONE, PLAIN, RICH, REAL, LISTING_KINDS } listing_kind;
static const char *const kind_names[LISTING_KINDS] = {
    "random graphs, one reader a tensor", "random graphs",
    "random graphs with inputs, views and in-place nodes", "real graphs"};
static const char *const kind_numbers[LISTING_KINDS] = {"lone", "plain", "rich", "real"};

typedef struct step_tally {
    uint64_t runs, stalled, illegal, same;
    hw_claim_figures gap; /* percent above the optimum, of legal orders */
} step_tally;

typedef struct loops {
    const hw_claim_run *run;
    listing_kind kind; /* at hand */
    step_tally step[LISTING_KINDS][STEPS];
} loops;

/* The solver must have found the same: stalled, or the same order. */
static hw_code same_as_solver(const loops *l, const hw_model *m, const char *solver,
                              const uint32_t *order, uint32_t n, hw_error *err)
{
    hw_answer a;
    hw_code code = hw_claim_within(l->run, m, solver, 0, &a, err);
    if (code == HW_OK && a.has_order &&
        (n != m->n_nodes || memcmp(a.order, order, n * sizeof *order) != 0))
        code = hw_fail(err, HW_INTERNAL, "%s: the loop and the solver %s differ", m->graph->name,
                       solver);
    if (code == HW_OK && a.status == HW_STALLED && n == m->n_nodes)
        code =
            hw_fail(err, HW_INTERNAL, "%s: the loop ends, and %s does not", m->graph->name, solver);
    hw_answer_clear(&a);
    return code;
}

static hw_code note(step_tally *t, const hw_model *m, const uint32_t *order, uint32_t n,
                    const uint32_t *rule, uint64_t optimum, hw_error *err)
{
    hw_check check = {0};
    t->runs++;
    if (n < m->n_nodes) {
        t->stalled++;
        return HW_OK;
    }
    hw_code code =
        hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, false, order, n, &check, err);
    if (code == HW_OK && check.verdict == HW_ORDER_LEGAL)
        code = hw_claim_figures_add(&t->gap, hw_claim_percent_above(check.peak, optimum), err);
    t->illegal += check.verdict != HW_ORDER_LEGAL;
    t->same += memcmp(order, rule, n * sizeof *order) == 0;
    return code;
}

static hw_code one_model(loops *l, const hw_model *m, hw_error *err)
{
    uint32_t *order = HW_NEW(uint32_t, m->n_nodes), n = 0;
    hw_answer rule = {0}, best = {0};
    hw_code code = order ? hw_claim_within(l->run, m, "greedy", 0, &rule, err)
                         : hw_fail_memory(err, "an order");
    if (code == HW_OK)
        code = hw_claim_within(l->run, m, "exact", 500000, &best, err);
    if (code == HW_OK && !best.has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s: no order is known", m->graph->name);
    for (int i = 0; code == HW_OK && i < STEPS; i++) {
        code = hw_listing_run(m, repairs[i], order, &n, err);
        if (code == HW_OK && i == 0)
            code = same_as_solver(l, m, "greedy-listing", order, n, err);
        if (code == HW_OK && i == STEPS - 1)
            code = same_as_solver(l, m, "greedy", order, n, err);
        if (code == HW_OK)
            code = note(&l->step[l->kind][i], m, order, n, rule.order, best.peak, err);
    }
    free(order);
    hw_answer_clear(&rule);
    hw_answer_clear(&best);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    hw_model *m[2];
    (void)name;
    (void)kind;
    if (g->node_window)
        return HW_OK; /* the loop knows none, and greedy looks ahead for them */
    hw_code code = hw_claim_models(g, m, err);
    for (int a = 0; code == HW_OK && a < 2; a++)
        code = one_model(context, m[a], err);
    hw_claim_models_free(m);
    return code;
}

static hw_code random_graphs(loops *l, listing_kind kind, const char *tail, hw_error *err)
{
    static const char *const families[] = {"layered:n=16", "erdos:n=16,degree=1.5",
                                           "series-parallel:n=16", "tree:n=16,direction=in"};
    uint32_t graphs = hw_claim_effort(l->run, 10, 150);
    hw_code code = HW_OK;
    l->kind = kind;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            char spec[160];
            hw_graph *g = NULL;
            (void)snprintf(spec, sizeof spec, "%s%s", families[f], tail);
            code = hw_claim_generate(spec, hw_claim_seed(l->run), i, &g, err);
            if (code == HW_OK)
                code = take(l, NULL, 0, g, err);
            hw_graph_free(g);
        }
    return code;
}

/* ---- The report. ---- */

static hw_code tell_step(hw_claim_run *run, step_tally *t, int kind, int step, hw_error *err)
{
    char reading[160], name[64], gap[96] = "";
    (void)snprintf(reading, sizeof reading, "%s: %s", kind_names[kind], step_names[step]);
    if (t->gap.n)
        (void)snprintf(gap, sizeof gap,
                       "; above the best order by %.1f %% in the median, %.1f %% at most",
                       hw_claim_quantile(&t->gap, 0.5), hw_claim_quantile(&t->gap, 1));
    hw_code code = hw_claim_reading(
        run, reading, t->same == t->runs, err,
        "of %llu runs %.1f %% stall, %.1f %% break an edge, %.1f %% have the order of the rule%s",
        (unsigned long long)t->runs, hw_claim_percent(t->stalled, t->runs),
        hw_claim_percent(t->illegal, t->runs), hw_claim_percent(t->same, t->runs), gap);
    (void)snprintf(name, sizeof name, "%s-%s-stalled", kind_numbers[kind], step_numbers[step]);
    if (code == HW_OK)
        code =
            hw_claim_number(run, name, hw_claim_percent(t->stalled, t->runs) / 100, "share", err);
    (void)snprintf(name, sizeof name, "%s-%s-same", kind_numbers[kind], step_numbers[step]);
    return code == HW_OK
               ? hw_claim_number(run, name, hw_claim_percent(t->same, t->runs) / 100, "share", err)
               : code;
}

static hw_code decide(hw_claim_run *run, const loops *l, uint32_t nodes, hw_error *err)
{
    const step_tally *lone = &l->step[LONE][0], *plain = &l->step[PLAIN][0];
    const step_tally *rich = &l->step[RICH][0], *real = &l->step[REAL][0];
    bool alone = lone->same == lone->runs;
    bool everywhere =
        alone && plain->same == plain->runs && rich->same == rich->runs && real->same == real->runs;
    hw_code code = HW_OK;
    hw_claim_verdict verdict = everywhere ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS;
    if (alone && !everywhere) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "every tensor has a maker and one reader and no two join the same nodes: then no key "
            "can go stale and no count is wrong (the order of the rule on all %llu such runs)",
            (unsigned long long)lone->runs);
    }
    char smallest[96] = "";
    if (nodes)
        (void)snprintf(smallest, sizeof smallest,
                       "; a stale key costs memory on a graph of %u nodes", nodes);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "the loop stalls in %.1f %% of the runs on real graphs and in %.1f %% of those on random "
        "graphs with inputs; on plain ones it ends, with the order of the rule in %.1f %%%s",
        hw_claim_percent(real->stalled, real->runs), hw_claim_percent(rich->stalled, rich->runs),
        hw_claim_percent(plain->same, plain->runs), smallest);
}

hw_code hw_claim_c21(hw_claim_run *run, hw_error *err)
{
    loops l = {.run = run};
    uint32_t nodes = 0;
    hw_code code = random_graphs(&l, LONE, ",share=no", err);
    if (code == HW_OK)
        code = random_graphs(&l, PLAIN, "", err);
    if (code == HW_OK)
        code = random_graphs(&l, RICH, ",inputs=shared,views=0.2,inplace=0.3", err);
    l.kind = REAL;
    if (code == HW_OK)
        code = hw_claim_each_graph(run, HW_CLAIM_REAL, take, &l, err);
    if (code == HW_OK)
        code = hw_claim_shrunk(run, "stale-key", "erdos:n=10,degree=1.5", 200, "greedy-listing",
                               "greedy", HW_ALLOC_FIRST, &nodes, err);
    for (int kind = 0; kind < LISTING_KINDS; kind++)
        for (int step = 0; step < STEPS; step++) {
            if (code == HW_OK && (kind != LONE || step == 0))
                code = tell_step(run, &l.step[kind][step], kind, step, err);
            hw_claim_figures_clear(&l.step[kind][step].gap);
        }
    return code == HW_OK ? decide(run, &l, nodes, err) : code;
}
