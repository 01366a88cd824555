/*
 * C28: after fusion and ordering, is it worth looking at what could be
 * recomputed?
 *
 * Nets in inference and training, fused, in their best order: the tensors alive
 * at the peak, and the peak that dropping each would leave (held.h), however it
 * were brought back; and the least peak that is found with one node that runs
 * again, over all orders (search.h).  Worth it: on more than half of the graphs
 * of a kind the peak falls by one node that runs again.
 */
#include "advise/advise.h"
#include "claims/graphs.h"
#include "claims/measure.h"
#include "transform/fuse.h"

#include <stdlib.h>
#include <string.h>

#define LISTED "transformer-block"

enum { INFERENCE, TRAINING, FILES, NET_KINDS };

static const char *const kind_names[NET_KINDS] = {"inference", "training", "graph files"};
static const char *const kind_numbers[NET_KINDS] = {"inference", "training", "files"};

typedef struct recompute_tally {
    uint64_t graphs, dropped, again, unproven; /* peak falls by one drop, by one node again */
    uint64_t alive;                            /* tensors alive at the peaks, all together */
    hw_claim_figures drop, fall;               /* percent below the best order's peak      */
} recompute_tally;

typedef struct recompute {
    hw_claim_run *run;
    hw_operators *operators;
    hw_patterns *patterns;
    recompute_tally tally[2][NET_KINDS]; /* by accounting */
    bool listing;        /* the graph at hand is the one whose peak is told in full */
    char listed[512];    /* what is alive at it, largest savings first             */
    char best_drop[160]; /* the tensor whose drop saves most of all */
    double best_percent;
} recompute;

/* What the peak would be without each of the tensors that hold most of it; and the graph. */
static hw_code list(recompute *r, const hw_model *m, const hw_log *log, const hw_held *held,
                    size_t n, hw_error *err)
{
    enum { MOST = 5 };
    int length = snprintf(r->listed, sizeof r->listed, "%zu tensors at a peak of %llu bytes", n,
                          (unsigned long long)log->peak);
    for (size_t i = 0; i < n && i < MOST && length > 0 && (size_t)length < sizeof r->listed; i++)
        length +=
            snprintf(r->listed + length, sizeof r->listed - (size_t)length,
                     "%s %.40s (%llu bytes) leaves %llu", i ? "," : "; dropping",
                     hw_tensor_name(m->graph, held[i].life->tensor),
                     (unsigned long long)held[i].life->size, (unsigned long long)held[i].dropped);
    hw_code code = hw_claim_example(r->run, "fused", m->graph, err);
    return code == HW_OK ? hw_claim_shows(r->run, m, "exact", log->peak, err) : code;
}

/* What is alive at the peak of the order, and the best drop. */
static hw_code look(recompute *r, recompute_tally *t, const hw_model *m, const uint32_t *order,
                    hw_error *err)
{
    hw_log *log = NULL;
    hw_gaps gaps = {0};
    hw_held *held = NULL;
    size_t n = 0;
    hw_code code = hw_log_new(m, order, false, &log, err);
    if (code == HW_OK)
        code = hw_gaps_find(log, &gaps, err);
    if (code == HW_OK)
        code = hw_held_find(&gaps, &held, &n, err);
    if (code == HW_OK && n > 0) {
        double saved = hw_claim_percent_below(log->peak, held[0].dropped);
        t->alive += n;
        t->dropped += held[0].dropped < log->peak;
        code = hw_claim_figures_add(&t->drop, saved, err);
        if (saved > r->best_percent) {
            r->best_percent = saved;
            (void)snprintf(r->best_drop, sizeof r->best_drop, "%.60s of %.60s",
                           hw_tensor_name(m->graph, held[0].life->tensor), m->graph->name);
        }
    }
    if (code == HW_OK && r->listing)
        code = list(r, m, log, held, n, err);
    hw_held_free(held, n);
    hw_gaps_clear(&gaps);
    hw_log_free(log);
    return code;
}

/* One node that runs again, the order free. */
static hw_code search(recompute *r, recompute_tally *t, const hw_model *m, const hw_answer *best,
                      hw_error *err)
{
    hw_level level[2] = {{0}};
    hw_limit limit[HW_LIMIT_KINDS];
    hw_again_ask ask = {.accounting = m->accounting,
                        .copies = 1,
                        .request = {.limits.states = hw_claim_effort(r->run, 200, 2000),
                                    .threads = 1,
                                    .seed = hw_claim_seed(r->run),
                                    .stop = hw_claim_stop_flag(r->run)},
                        .operators = r->operators};
    hw_code code = hw_limits_find(m, &ask.request, limit, err);
    if (code == HW_OK)
        code = hw_again_search(m->graph, best->order, best->peak, best->bound,
                               limit[HW_LIMIT_AGAIN].bytes, &ask, level, err);
    if (code == HW_OK) {
        t->again += level[1].peak < best->peak;
        t->unproven += !level[1].proven;
        code =
            hw_claim_figures_add(&t->fall, hw_claim_percent_below(best->peak, level[1].peak), err);
    }
    hw_levels_clear(level, 1);
    return code;
}

static hw_code one(recompute *r, recompute_tally *t, const hw_graph *g, hw_accounting accounting,
                   hw_error *err)
{
    hw_model *m = NULL;
    hw_answer best = {0};
    hw_code code = hw_model_new(g, accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_within(r->run, m, "exact", 200000, &best, err);
    if (code == HW_OK && !best.has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s: no order is known", g->name);
    if (code == HW_OK)
        code = look(r, t, m, best.order, err);
    if (code == HW_OK)
        code = search(r, t, m, &best, err);
    t->graphs += code == HW_OK;
    hw_answer_clear(&best);
    hw_model_free(m);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    recompute *r = context;
    int to = kind == HW_CLAIM_TRAINING ? TRAINING : kind == HW_CLAIM_FILES ? FILES : INFERENCE;
    hw_fusion *fusion = NULL;
    hw_graph *fused = NULL;
    if (g->node_window || g->n_nodes > hw_claim_effort(r->run, 80, 260))
        return HW_OK; /* a large graph has too many changes to try them all */
    hw_code code = hw_fuse_plan(g, r->patterns, r->operators, UINT32_MAX,
                                hw_claim_stop_flag(r->run), &fusion, err);
    if (code == HW_OK)
        code = hw_fuse(g, fusion, &fused, err);
    if (code == HW_OK)
        code = hw_graph_rename(fused, name, fused->source, err);
    for (int a = 0; code == HW_OK && a < 2; a++) {
        r->listing =
            a == 0 && to == TRAINING && !r->listed[0] && strncmp(name, LISTED, strlen(LISTED)) == 0;
        code = one(r, &r->tally[a][to], fused, (hw_accounting)a, err);
    }
    hw_fusion_free(fusion);
    hw_graph_free(fused);
    return code;
}

static hw_code tell(hw_claim_run *run, recompute *r, hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; kind < NET_KINDS; kind++)
        for (int a = 0; code == HW_OK && a < 2; a++) {
            recompute_tally *t = &r->tally[a][kind];
            const char *accounting = hw_accounting_name((hw_accounting)a);
            char reading[96], name[64];
            if (t->graphs == 0)
                continue;
            (void)snprintf(reading, sizeof reading, "%s, %s", kind_names[kind], accounting);
            code = hw_claim_reading(
                run, reading, 2 * t->again > t->graphs, err,
                "of %llu fused graphs in their best order one drop lowers the peak of %llu, one "
                "node that runs again of %llu, by %.1f %% in the median and %.1f %% at most "
                "(dropped: %.1f %% at most); %.1f tensors are alive at a peak; %llu are not proven "
                "to have no better change",
                (unsigned long long)t->graphs, (unsigned long long)t->dropped,
                (unsigned long long)t->again, hw_claim_quantile(&t->fall, 0.5),
                hw_claim_quantile(&t->fall, 1), hw_claim_quantile(&t->drop, 1),
                (double)t->alive / (double)t->graphs, (unsigned long long)t->unproven);
            (void)snprintf(name, sizeof name, "%s-%s-again", kind_numbers[kind], accounting);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_percent(t->again, t->graphs) / 100,
                                       "share", err);
            (void)snprintf(name, sizeof name, "%s-%s-most", kind_numbers[kind], accounting);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_quantile(&t->fall, 1), "per cent", err);
        }
    if (code == HW_OK && r->listed[0])
        code = hw_claim_reading(run, "alive at the peak of a fused " LISTED " in training", true,
                                err, "%s", r->listed);
    return code;
}

static hw_code decide(hw_claim_run *run, const recompute *r, hw_error *err)
{
    uint64_t graphs[NET_KINDS] = {0}, again[NET_KINDS] = {0};
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < NET_KINDS; kind++) {
            graphs[kind] += r->tally[a][kind].graphs;
            again[kind] += r->tally[a][kind].again;
        }
    if (graphs[INFERENCE] == 0 || graphs[TRAINING] == 0)
        return hw_fail(err, HW_CHECK_FAILED,
                       "no graph of inference or none of training to look at");
    bool inference = 2 * again[INFERENCE] > graphs[INFERENCE];
    bool training = 2 * again[TRAINING] > graphs[TRAINING];
    hw_claim_verdict verdict = inference && training ? HW_VERDICT_HOLDS : HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (inference != training) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(run, err, "the graph is one of %s",
                                  training ? "training, where results of the forward pass wait for "
                                             "the backward pass"
                                           : "inference");
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "one node that runs again lowers the best peak on %llu of %llu graphs and accountings in "
        "training and %llu of %llu in inference; the best drop is %s: %.1f %%",
        (unsigned long long)again[TRAINING], (unsigned long long)graphs[TRAINING],
        (unsigned long long)again[INFERENCE], (unsigned long long)graphs[INFERENCE], r->best_drop,
        r->best_percent);
}

hw_code hw_claim_c28(hw_claim_run *run, hw_error *err)
{
    recompute r = {.run = run, .operators = hw_operators_new(), .patterns = hw_fuse_patterns(0)};
    hw_code code = r.operators && r.patterns
                       ? hw_claim_each_graph(run, HW_CLAIM_REAL, take, &r, err)
                       : hw_fail_memory(err, "the patterns of fusion");
    if (code == HW_OK)
        code = tell(run, &r, err);
    if (code == HW_OK)
        code = decide(run, &r, err);
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < NET_KINDS; kind++) {
            hw_claim_figures_clear(&r.tally[a][kind].drop);
            hw_claim_figures_clear(&r.tally[a][kind].fall);
        }
    hw_patterns_free(r.patterns);
    hw_operators_free(r.operators);
    return code;
}
