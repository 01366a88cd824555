/*
 * C29: is memory that is freed only when a whole sub-graph has ended, instead
 * of by counts, what caused the out-of-memory?
 *
 * The peak of the source order of real graphs with tensors given back at the
 * end of a block against that by counts, and against the best order by counts.
 * Blocks are stretches of the order: what lies between two places where one
 * tensor is left (residual blocks, layers), an eighth, a third, all of the
 * graph; in the last nothing is ever freed.  In-place pairs are left out on
 * both sides, for what is overwritten needs no freeing.
 *
 * The story is one of inference and has figures: 300 MB of weights and at most 800 MB of
 * activations ought to fit into 4 GB, and do not.  So release by blocks must have held NEEDED times
 * what counts would have, or more.
 */
#include "claims/blocks.h"
#include "claims/graphs.h"
#include "claims/measure.h"
#include "core/memory.h"

#include <stdlib.h>

#define NEEDED ((4000.0 - 300.0) / 800.0)

typedef enum block_kind { NARROW, EIGHTHS, THIRDS, WHOLE, BLOCK_KINDS } block_kind;
enum { RULES = 2, INFERENCE = 0, TRAINING, FILES, NET_KINDS };

static const char *const block_names[BLOCK_KINDS] = {"between places where one tensor is left",
                                                     "an eighth of the graph",
                                                     "a third of the graph", "the whole graph"};
static const char *const block_numbers[BLOCK_KINDS] = {"narrow", "eighth", "third", "whole"};
static const char *const rule_names[RULES] = {"that of the maker", "that of the last consumer"};
static const char *const net_names[NET_KINDS] = {"inference", "training", "graph files"};
static const char *const net_numbers[NET_KINDS] = {"inference", "training", "files"};

typedef struct releases {
    const hw_claim_run *run;
    uint64_t graphs;
    hw_claim_figures ratio[NET_KINDS][BLOCK_KINDS][RULES]; /* times the peak by counts */
    double reorder; /* the most that the best order saves by counts, percent */
} releases;

static hw_code one_release(releases *r, const hw_model *m, const uint32_t *order,
                           const uint32_t *block, block_kind kind, int rule, int to,
                           uint64_t counts, hw_error *err)
{
    hw_graph *kept = NULL;
    uint64_t peak = 0;
    hw_code code = hw_blocks_release(m->graph, order, block, (hw_blocks_rule)rule, &kept, err);
    if (code == HW_OK)
        code = hw_claim_check(kept, m->accounting, order, &peak, err);
    if (code == HW_OK && peak < counts)
        code =
            hw_fail(err, HW_INTERNAL, "%s: less memory with blocks than by counts", m->graph->name);
    double ratio = counts ? (double)peak / (double)counts : 1;
    if (code == HW_OK)
        code = hw_claim_figures_add(&r->ratio[to][kind][rule], ratio, err);
    hw_graph_free(kept);
    return code;
}

static hw_code one_model(releases *r, const hw_model *m, int to, hw_error *err)
{
    uint32_t *block = HW_NEW(uint32_t, m->n_nodes);
    hw_answer source = {0}, best = {0};
    hw_code code = block ? hw_claim_within(r->run, m, "source", 0, &source, err)
                         : hw_fail_memory(err, "blocks");
    if (code == HW_OK && !source.has_order) /* a file whose order is not legal */
        goto end;
    if (code == HW_OK)
        code = hw_claim_within(r->run, m, "exact", 100000, &best, err);
    for (int kind = 0; code == HW_OK && kind < BLOCK_KINDS; kind++) {
        if (kind == NARROW)
            code = hw_blocks_narrow(m, source.order, block, err);
        else
            hw_blocks_equal(m->n_nodes, kind == EIGHTHS ? 8 : kind == THIRDS ? 3 : 1, block);
        for (int rule = 0; code == HW_OK && rule < RULES; rule++)
            code = one_release(r, m, source.order, block, (block_kind)kind, rule, to, source.peak,
                               err);
    }
    if (code == HW_OK) {
        double saved = hw_claim_percent_below(source.peak, best.peak);
        r->graphs++;
        r->reorder = saved > r->reorder ? saved : r->reorder;
    }
end:
    hw_answer_clear(&source);
    hw_answer_clear(&best);
    free(block);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    int to = kind == HW_CLAIM_TRAINING ? TRAINING : kind == HW_CLAIM_FILES ? FILES : INFERENCE;
    hw_graph *plain = NULL;
    hw_model *m[2] = {NULL, NULL};
    (void)name;
    hw_code code = hw_graph_strip(g, false, true, &plain, err);
    if (code == HW_OK)
        code = hw_claim_models(plain, m, err);
    for (int a = 0; code == HW_OK && a < 2; a++)
        code = one_model(context, m[a], to, err);
    hw_claim_models_free(m);
    hw_graph_free(plain);
    return code;
}

static hw_code tell_one(hw_claim_run *run, releases *r, int to, int kind, int rule, hw_error *err)
{
    hw_claim_figures *f = &r->ratio[to][kind][rule];
    uint64_t enough = hw_claim_above(f, NEEDED);
    char reading[160], name[64];
    (void)snprintf(reading, sizeof reading, "%s, a block: %s, %s", net_names[to], block_names[kind],
                   rule_names[rule]);
    hw_code code = hw_claim_reading(
        run, reading, 2 * enough > f->n, err,
        "%.2f times the peak by counts in the median, %.2f times at most; the %.2f times of the "
        "story are passed in %llu of %llu runs",
        hw_claim_quantile(f, 0.5), hw_claim_quantile(f, 1), NEEDED, (unsigned long long)enough,
        (unsigned long long)f->n);
    (void)snprintf(name, sizeof name, "%s-%s-%s", net_numbers[to], block_numbers[kind],
                   rule == HW_BLOCKS_MAKER ? "maker" : "reader");
    return code == HW_OK ? hw_claim_number(run, name, hw_claim_quantile(f, 0.5), "times", err)
                         : code;
}

static hw_code tell(hw_claim_run *run, releases *r, hw_error *err)
{
    hw_code code = HW_OK;
    for (int to = 0; to < NET_KINDS; to++)
        for (int kind = 0; kind < BLOCK_KINDS; kind++)
            for (int rule = 0; code == HW_OK && rule < RULES; rule++)
                if (r->ratio[to][kind][rule].n && (kind != WHOLE || rule == HW_BLOCKS_MAKER))
                    code = tell_one(run, r, to, kind, rule, err);
    return code;
}

/* Half of the runs of inference, which the story is about, pass what it needs under both rules. */
static bool passes(const releases *r, int kind)
{
    for (int rule = 0; rule < RULES; rule++) {
        const hw_claim_figures *f = &r->ratio[INFERENCE][kind][rule];
        if (2 * hw_claim_above(f, NEEDED) <= f->n)
            return false;
    }
    return true;
}

static hw_code decide(hw_claim_run *run, releases *r, hw_error *err)
{
    hw_claim_figures(*f)[RULES] = r->ratio[INFERENCE];
    if (f[WHOLE][0].n == 0)
        return hw_fail(err, HW_CHECK_FAILED, "no graph of inference has a source order to execute");
    bool small = passes(r, NARROW) && passes(r, EIGHTHS) && passes(r, THIRDS);
    hw_claim_verdict verdict = small ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (!small && passes(r, WHOLE)) {
        int least = WHOLE;
        while (least > NARROW + 1 && passes(r, least - 1))
            least--;
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code =
            hw_claim_condition(run, err,
                               "the sub-graph that is waited for is as large as %s: smaller ones "
                               "do not hold enough back",
                               block_names[least]);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "in inference, in the median, %.2f times the peak by counts for blocks between places "
        "where "
        "one tensor is left, %.2f for eighths, %.2f for thirds, %.2f where nothing is freed before "
        "the end (training %.2f); the story needs %.2f; ordering alone saves %.1f %% at most",
        hw_claim_quantile(&f[NARROW][0], 0.5), hw_claim_quantile(&f[EIGHTHS][0], 0.5),
        hw_claim_quantile(&f[THIRDS][0], 0.5), hw_claim_quantile(&f[WHOLE][0], 0.5),
        hw_claim_quantile(&r->ratio[TRAINING][WHOLE][0], 0.5), NEEDED, r->reorder);
}

hw_code hw_claim_c29(hw_claim_run *run, hw_error *err)
{
    releases r = {.run = run};
    hw_code code = hw_claim_each_graph(run, HW_CLAIM_REAL, take, &r, err);
    if (code == HW_OK)
        code = tell(run, &r, err);
    if (code == HW_OK)
        code = decide(run, &r, err);
    for (int to = 0; to < NET_KINDS; to++)
        for (int kind = 0; kind < BLOCK_KINDS; kind++)
            for (int rule = 0; rule < RULES; rule++)
                hw_claim_figures_clear(&r.ratio[to][kind][rule]);
    return code;
}
