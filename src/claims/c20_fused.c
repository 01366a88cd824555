/*
 * C20: does the gain of ordering shrink to about 5 % on a graph that is fused?
 *
 * Each real graph as it is, after fusing convolutions and elementwise chains,
 * and after fusing attention and residual additions too: the fall of the peak
 * from level order to the best order, which is the proven optimum wherever it
 * is proven.  A graph counts that had a gain of at least LEAST before.  The
 * gain of such a graph shrinks when less than half of it is left.
 */
#include "claims/graphs.h"
#include "claims/measure.h"
#include "model/log.h"
#include "transform/fuse.h"

#define LEAST 5.0

typedef enum fused_kind { FUSED, FUSED_ALL, FUSIONS } fused_kind;

static const char *const kind_names[FUSIONS] = {
    "convolutions and elementwise chains fused",
    "attention and residual additions fused too",
};
static const char *const number_names[FUSIONS] = {"fused", "fused-all"};

typedef struct fused_tally {
    uint64_t graphs, shrunk;          /* had a gain; less than half of it is left             */
    uint64_t at_peak, shrunk_at_peak; /* of them: a tensor that vanishes stood at the peak */
    hw_claim_figures before, after;   /* gains, percent                                      */
} fused_tally;

typedef struct fused {
    const hw_claim_run *run;
    hw_accounting accounting;
    hw_patterns *patterns[FUSIONS];
    hw_operators *operators;
    uint64_t graphs, unproven;
    uint64_t within[1 + FUSIONS]; /* graphs that gain at most LEAST, unfused first */
    fused_tally tally[FUSIONS];
    double decoder[1 + FUSIONS]; /* gains of the decoder with a node for each head */
} fused;

/* From level order to the best order in hand, percent. */
static hw_code gain_of(fused *f, const hw_graph *g, double *gain, hw_error *err)
{
    uint64_t level = 0;
    hw_answer best = {0};
    hw_code code = hw_claim_peak_of(f->run, g, f->accounting, "level", &level, err);
    if (code == HW_OK)
        code = hw_claim_solve_graph(f->run, g, f->accounting, "exact", 200000, &best, err);
    if (code == HW_OK && !best.has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s: no order is known", g->name);
    f->unproven += best.status != HW_OPTIMAL;
    *gain = hw_claim_percent_below(level, best.peak);
    hw_answer_clear(&best);
    return code;
}

/* Does a tensor that vanishes stand at the peak of level order? */
static hw_code stands_at_peak(const fused *f, const hw_graph *g, const hw_fusion *fusion,
                              bool *stands, hw_error *err)
{
    hw_model *m = NULL;
    hw_answer level = {0};
    hw_log *log = NULL;
    *stands = false;
    hw_code code = hw_model_new(g, f->accounting, false, &m, err);
    if (code == HW_OK)
        code = hw_claim_within(f->run, m, "level", 0, &level, err);
    if (code == HW_OK)
        code = hw_log_new(m, level.order, false, &log, err);
    for (uint32_t i = 0; code == HW_OK && i < log->n_lives; i++)
        *stands |= log->life[i].size > 0 && fusion->inner[log->life[i].tensor] &&
                   hw_log_holds(log, &log->life[i], log->peak_step);
    hw_log_free(log);
    hw_answer_clear(&level);
    hw_model_free(m);
    return code;
}

static hw_code fuse(fused *f, fused_kind kind, const hw_graph *g, double before, double *after,
                    hw_error *err)
{
    fused_tally *t = &f->tally[kind];
    hw_fusion *fusion = NULL;
    hw_graph *now = NULL;
    bool stands = false;
    hw_code code = hw_fuse_plan(g, f->patterns[kind], f->operators, UINT32_MAX,
                                hw_claim_stop_flag(f->run), &fusion, err);
    if (code == HW_OK)
        code = hw_fuse(g, fusion, &now, err);
    if (code == HW_OK)
        code = gain_of(f, now, after, err);
    if (code == HW_OK)
        code = stands_at_peak(f, g, fusion, &stands, err);
    if (code == HW_OK && before >= LEAST) {
        bool shrunk = *after < before / 2;
        t->graphs++;
        t->shrunk += shrunk;
        t->at_peak += stands;
        t->shrunk_at_peak += shrunk && stands;
        code = hw_claim_figures_add(&t->before, before, err);
        if (code == HW_OK)
            code = hw_claim_figures_add(&t->after, *after, err);
    }
    hw_fusion_free(fusion);
    hw_graph_free(now);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    fused *f = context;
    double gain[1 + FUSIONS] = {0};
    (void)kind;
    if (g->node_window)
        return HW_OK; /* fusing shifts the places that windows count from */
    hw_code code = gain_of(f, g, &gain[0], err);
    for (int i = 0; code == HW_OK && i < FUSIONS; i++)
        code = fuse(f, (fused_kind)i, g, gain[0], &gain[1 + i], err);
    f->graphs += code == HW_OK;
    for (int i = 0; i <= FUSIONS; i++)
        f->within[i] += gain[i] <= LEAST;
    for (int i = 0; name == NULL && i <= FUSIONS; i++)
        f->decoder[i] = gain[i];
    return code;
}

/* The decoder on which ordering gains much (claim C19). */
static hw_code decoder(fused *f, hw_error *err)
{
    hw_graph *g = NULL;
    hw_code code = hw_claim_generate("nets:net=gpt2-heads,layers=2,sequence=8192", 0, 0, &g, err);
    if (code == HW_OK)
        code = take(f, NULL, 0, g, err);
    hw_graph_free(g);
    return code;
}

static hw_code measure(fused *f, hw_error *err)
{
    f->operators = hw_operators_new();
    f->patterns[FUSED] = hw_fuse_patterns(0);
    f->patterns[FUSED_ALL] = hw_fuse_patterns(HW_FUSE_RESIDUAL | HW_FUSE_ATTENTION);
    if (!f->operators || !f->patterns[FUSED] || !f->patterns[FUSED_ALL])
        return hw_fail_memory(err, "the patterns of fusion");
    hw_code code = hw_claim_each_graph(f->run, HW_CLAIM_REAL, take, f, err);
    return code == HW_OK ? decoder(f, err) : code;
}

/* A gain of 5 % or less: is that a mark of fused graphs at all? */
static hw_code tell_all(hw_claim_run *run, const fused *f, const char *accounting, hw_error *err)
{
    char reading[128];
    uint64_t most = f->within[1] > f->within[2] ? f->within[1] : f->within[2];
    (void)snprintf(reading, sizeof reading, "a gain of at most %.0f %%, of all graphs, %s", LEAST,
                   accounting);
    return hw_claim_reading(
        run, reading, most > f->within[0] + f->graphs / 10, err,
        "on %.1f %% of %llu graphs before anything is fused, on %.1f %% and %.1f %% after; %llu "
        "best orders are not proven to be",
        hw_claim_percent(f->within[0], f->graphs), (unsigned long long)f->graphs,
        hw_claim_percent(f->within[1], f->graphs), hw_claim_percent(f->within[2], f->graphs),
        (unsigned long long)f->unproven);
}

static hw_code tell(hw_claim_run *run, fused f[2], hw_error *err)
{
    hw_code code = HW_OK;
    char reading[128], name[64];
    for (int a = 0; code == HW_OK && a < 2; a++) {
        const char *accounting = hw_accounting_name((hw_accounting)a);
        for (int kind = 0; code == HW_OK && kind < FUSIONS; kind++) {
            fused_tally *t = &f[a].tally[kind];
            double after = hw_claim_quantile(&t->after, 0.5);
            (void)snprintf(reading, sizeof reading, "%s, %s", kind_names[kind], accounting);
            code = hw_claim_reading(
                run, reading, 2 * t->shrunk > t->graphs, err,
                "of %llu graphs with a gain of %.0f %% or more the gain falls below its half on "
                "%llu; median %.1f %% before, %.1f %% after",
                (unsigned long long)t->graphs, LEAST, (unsigned long long)t->shrunk,
                hw_claim_quantile(&t->before, 0.5), after);
            (void)snprintf(name, sizeof name, "%s-%s-after", number_names[kind], accounting);
            if (code == HW_OK)
                code = hw_claim_number(run, name, after, "per cent", err);
        }
        (void)snprintf(reading, sizeof reading, "the decoder with a node for each head, %s",
                       accounting);
        if (code == HW_OK)
            code = tell_all(run, &f[a], accounting, err);
        if (code == HW_OK)
            code = hw_claim_reading(run, reading, f[a].decoder[2] < f[a].decoder[0] / 2, err,
                                    "%.1f %% unfused, %.1f %% with elementwise chains fused, "
                                    "%.1f %% with attention fused",
                                    f[a].decoder[0], f[a].decoder[1], f[a].decoder[2]);
    }
    return code;
}

static hw_code decide(hw_claim_run *run, const fused f[2], hw_error *err)
{
    uint64_t graphs[FUSIONS] = {0}, shrunk[FUSIONS] = {0}, at_peak = 0, shrunk_at_peak = 0;
    uint64_t elsewhere = 0, shrunk_elsewhere = 0;
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < FUSIONS; kind++) {
            const fused_tally *t = &f[a].tally[kind];
            graphs[kind] += t->graphs;
            shrunk[kind] += t->shrunk;
            at_peak += t->at_peak;
            shrunk_at_peak += t->shrunk_at_peak;
            elsewhere += t->graphs - t->at_peak;
            shrunk_elsewhere += t->shrunk - t->shrunk_at_peak;
        }
    if (graphs[FUSED] == 0)
        return hw_fail(err, HW_CHECK_FAILED,
                       "ordering gains %.0f %% on no graph: there is no gain that could shrink",
                       LEAST);
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (2 * shrunk[FUSED] > graphs[FUSED])
        verdict = HW_VERDICT_HOLDS;
    else if (shrunk[FUSED] + shrunk[FUSED_ALL] > 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "fusion takes away what stands at the peak of level order (as attention in one kernel "
            "does): the gain shrinks on %llu of %llu graphs where it does and on %llu of %llu "
            "where "
            "it does not",
            (unsigned long long)shrunk_at_peak, (unsigned long long)at_peak,
            (unsigned long long)shrunk_elsewhere, (unsigned long long)elsewhere);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "fusing convolutions and elementwise chains more than halves the gain on %llu of %llu "
        "graphs, with attention and residual additions on %llu of %llu; the decoder with a node "
        "for each head gains %.1f %%, then %.1f %% and %.1f %%",
        (unsigned long long)shrunk[FUSED], (unsigned long long)graphs[FUSED],
        (unsigned long long)shrunk[FUSED_ALL], (unsigned long long)graphs[FUSED_ALL],
        f[0].decoder[0], f[0].decoder[1], f[0].decoder[2]);
}

static void clear(fused *f)
{
    for (int kind = 0; kind < FUSIONS; kind++) {
        hw_patterns_free(f->patterns[kind]);
        hw_claim_figures_clear(&f->tally[kind].before);
        hw_claim_figures_clear(&f->tally[kind].after);
    }
    hw_operators_free(f->operators);
}

hw_code hw_claim_c20(hw_claim_run *run, hw_error *err)
{
    fused f[2] = {{.run = run, .accounting = HW_ALLOC_FIRST},
                  {.run = run, .accounting = HW_FREE_FIRST}};
    hw_code code = measure(&f[0], err);
    if (code == HW_OK)
        code = measure(&f[1], err);
    if (code == HW_OK)
        code = tell(run, f, err);
    if (code == HW_OK)
        code = decide(run, f, err);
    clear(&f[0]);
    clear(&f[1]);
    return code;
}
