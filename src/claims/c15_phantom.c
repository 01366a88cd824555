/*
 * C15: does freeing the inputs and then allocating the outputs charge an
 * in-place operator a peak that it does not have?
 *
 * Each order is logged on the graph with its in-place pairs and on the same
 * graph without.  The phantom of a step is what the second charges above the
 * first: what a simulator adds that knows nothing of in-place work.
 */
#include "claims/graphs.h"
#include "claims/measure.h"
#include "model/builder.h"
#include "model/log.h"

typedef struct phantom {
    const hw_claim_run *run;
    hw_accounting accounting;
    uint64_t graphs, orders, steps, charged_steps, charged_orders;
    double worst; /* percent above the peak that the order has */
} phantom;

static hw_code compare(phantom *p, const hw_model *known, const hw_model *bare,
                       const uint32_t *order, hw_error *err)
{
    hw_log *a = NULL, *b = NULL;
    hw_code code = hw_log_new(known, order, false, &a, err);
    if (code == HW_OK)
        code = hw_log_new(bare, order, false, &b, err);
    if (code == HW_OK) {
        const hw_graph *g = known->graph;
        for (uint32_t i = 0; i < a->n_steps; i++) {
            uint32_t v = a->order[i];
            bool pairs = g->inplace_offset && g->inplace_offset[v] < g->inplace_offset[v + 1];
            p->steps += pairs;
            p->charged_steps += a->usage[i] != b->usage[i];
        }
        double above = hw_claim_percent_above(b->peak, a->peak);
        p->orders++;
        p->charged_orders += b->peak != a->peak;
        p->worst = above > p->worst ? above : p->worst;
    }
    hw_log_free(a);
    hw_log_free(b);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    static const char *const solvers[] = {"greedy", "level", "kahn-random"};
    phantom *p = context;
    hw_graph *bare = NULL;
    hw_model *known_model = NULL, *bare_model = NULL;
    (void)name;
    (void)kind;
    if (!g->inplace_offset)
        return HW_OK;
    hw_code code = hw_graph_strip(g, false, true, &bare, err);
    if (code == HW_OK)
        code = hw_model_new(g, p->accounting, false, &known_model, err);
    if (code == HW_OK)
        code = hw_model_new(bare, p->accounting, false, &bare_model, err);
    for (size_t i = 0; code == HW_OK && i < sizeof solvers / sizeof solvers[0]; i++) {
        hw_answer answer;
        code = hw_claim_within(p->run, known_model, solvers[i], 0, &answer, err);
        if (code == HW_OK && answer.has_order)
            code = compare(p, known_model, bare_model, answer.order, err);
        hw_answer_clear(&answer);
    }
    p->graphs += code == HW_OK;
    hw_model_free(known_model);
    hw_model_free(bare_model);
    hw_graph_free(bare);
    return code;
}

static hw_code measure(phantom *p, hw_error *err)
{
    uint32_t graphs = hw_claim_effort(p->run, 20, 400);
    hw_code code = hw_claim_each_graph(p->run, HW_CLAIM_REAL, take, p, err);
    for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
        hw_graph *g = NULL;
        code = hw_claim_generate("layered:n=24,inplace=0.5,sizes=lognormal", hw_claim_seed(p->run),
                                 i, &g, err);
        if (code == HW_OK)
            code = take(p, "", 0, g, err);
        hw_graph_free(g);
    }
    return code;
}

/* One operator that overwrites the only tensor there is: 100 bytes in, 100 bytes out. */
static hw_code one_operator(bool pair, hw_graph **out, hw_error *err)
{
    static const uint64_t first[] = {0}, second[] = {1}, pairs[] = {0, 1};
    hw_builder *b = hw_builder_new();
    hw_node_spec make = {.id = 0, .name = "make", .outputs = first, .n_outputs = 1};
    hw_node_spec work = {.id = 1,
                         .name = "relu",
                         .inputs = first,
                         .n_inputs = 1,
                         .outputs = second,
                         .n_outputs = 1,
                         .inplace = pairs,
                         .n_inplace = pair};
    if (!b)
        return hw_fail_memory(err, "an example");
    hw_code code = hw_builder_describe(b, pair ? "one operator in place" : "the same, not in place",
                                       "claim C15", NULL, err);
    if (code == HW_OK)
        code = hw_builder_tensor(b, 0, 100, HW_ACTIVATION, "x", err);
    if (code == HW_OK)
        code = hw_builder_tensor(b, 1, 100, HW_OUTPUT, "y", err);
    if (code == HW_OK)
        code = hw_builder_node(b, &make, err);
    if (code == HW_OK)
        code = hw_builder_node(b, &work, err);
    if (code == HW_OK)
        code = hw_builder_finish(b, out, err);
    hw_builder_free(b);
    return code;
}

/* Its peak under both accountings. */
static hw_code example(hw_claim_run *run, bool pair, uint64_t peak[2], hw_error *err)
{
    hw_graph *g = NULL;
    hw_code code = one_operator(pair, &g, err);
    if (code == HW_OK)
        code = hw_claim_example(run, pair ? "in-place" : "not-in-place", g, err);
    for (int a = 0; code == HW_OK && a < 2; a++) {
        hw_model *m = NULL;
        hw_answer answer = {0};
        code = hw_model_new(g, (hw_accounting)a, false, &m, err);
        if (code == HW_OK)
            code = hw_claim_within(run, m, "source", 0, &answer, err);
        if (code == HW_OK)
            code = hw_claim_shows(run, m, "source", answer.peak, err);
        peak[a] = answer.peak;
        hw_answer_clear(&answer);
        hw_model_free(m);
    }
    hw_graph_free(g);
    return code;
}

static hw_code tell(hw_claim_run *run, const phantom *p, const uint64_t pair[2],
                    const uint64_t bare[2], hw_error *err)
{
    const char *const reading[] = {
        "outputs allocated while inputs are still there (alloc-first)",
        "inputs freed, then outputs allocated, then measured (free-first): the article's words"};
    static const char *const names[2][2] = {{"alloc-first-steps", "alloc-first-peaks"},
                                            {"free-first-steps", "free-first-peaks"}};
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        code = hw_claim_reading(
            run, reading[a], p[a].charged_steps > 0, err,
            "%.1f %% of %llu steps that may work in place are charged too much, %.1f %% of %llu "
            "peaks, by at most %.1f %%; the example %llu bytes instead of %llu",
            hw_claim_percent(p[a].charged_steps, p[a].steps), (unsigned long long)p[a].steps,
            hw_claim_percent(p[a].charged_orders, p[a].orders), (unsigned long long)p[a].orders,
            p[a].worst, (unsigned long long)bare[a], (unsigned long long)pair[a]);
        if (code == HW_OK)
            code = hw_claim_number(run, names[a][0],
                                   hw_claim_percent(p[a].charged_steps, p[a].steps) / 100, "share",
                                   err);
        if (code == HW_OK)
            code = hw_claim_number(run, names[a][1],
                                   hw_claim_percent(p[a].charged_orders, p[a].orders) / 100,
                                   "share", err);
    }
    return code;
}

hw_code hw_claim_c15(hw_claim_run *run, hw_error *err)
{
    phantom p[2];
    uint64_t pair[2], bare[2];
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        p[a] = (phantom){.run = run, .accounting = (hw_accounting)a};
        code = measure(&p[a], err);
    }
    if (code == HW_OK)
        code = example(run, true, pair, err);
    if (code == HW_OK)
        code = example(run, false, bare, err);
    if (code == HW_OK)
        code = tell(run, p, pair, bare, err);
    if (code != HW_OK)
        return code;
    if (p[HW_ALLOC_FIRST].charged_steps == 0 && p[HW_FREE_FIRST].charged_steps == 0)
        return hw_fail(err, HW_CHECK_FAILED,
                       "no step of %llu worked in place under either accounting: the graphs say "
                       "nothing of the claim",
                       (unsigned long long)p[0].steps);
    const phantom *free_first = &p[HW_FREE_FIRST], *alloc_first = &p[HW_ALLOC_FIRST];
    if (free_first->charged_steps > 0)
        return hw_claim_conclude(
            run, HW_VERDICT_HOLDS, err, "free-first charges %llu of %llu steps too much",
            (unsigned long long)free_first->charged_steps, (unsigned long long)free_first->steps);
    return hw_claim_conclude(
        run, HW_VERDICT_FAILS, err,
        "free-first charges no step of %llu too much; the phantom is that of alloc-first, where "
        "%.1f %% of them are charged and peaks rise by up to %.1f %%",
        (unsigned long long)free_first->steps,
        hw_claim_percent(alloc_first->charged_steps, alloc_first->steps), alloc_first->worst);
}
