/*
 * C23: does ordering by output size alone make the peak worse, not better?
 *
 * The solver by-output against what it would replace: the source order, level
 * order, the mean of random orders; and against greedy.  Random graphs by
 * family and sizes, and real graphs, whose source order somebody has written.
 *
 * Of the graphs on which the two differ, by-output must be worse on more than
 * half with 95 % confidence (Clopper and Pearson) to hold for a kind of graphs,
 * and better on more than half to fail for it.
 */
#include "bench/stats.h"
#include "claims/graphs.h"
#include "claims/measure.h"
#include "claims/shrunk.h"

enum { GREEDY = 3, RIVALS, REAL_KIND = 5, KINDS };

static const char *const rivals[RIVALS] = {"source", "level", "kahn-random", "greedy"};
static const char *const rival_names[RIVALS] = {"source order", "level order", "a random order",
                                                "greedy"};
static const char *const kind_specs[KINDS] = {
    "layered:n=20,sizes=lognormal",       "erdos:n=20,degree=1.5,sizes=uniform",
    "series-parallel:n=20,sizes=uniform", "tree:n=20,direction=in,sizes=pareto",
    "chains:n=20,sizes=bimodal",          NULL};
static const char *const kind_names[KINDS] = {
    "layered graphs", "sparse random graphs", "series-parallel graphs", "in-trees",
    "chains",         "real graphs"};
static const char *const kind_numbers[KINDS] = {"layered", "erdos",  "series-parallel",
                                                "tree",    "chains", "real"};

typedef struct output_tally {
    uint64_t runs, worse, better;
    hw_claim_figures above; /* percent above the rival */
} output_tally;

typedef struct outputs {
    const hw_claim_run *run;
    int kind;
    output_tally tally[KINDS][RIVALS];
} outputs;

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    outputs *o = context;
    hw_model *m[2];
    (void)name;
    (void)kind;
    hw_code code = hw_claim_models(g, m, err);
    for (int a = 0; code == HW_OK && a < 2; a++) {
        uint64_t peak = 0;
        code = hw_claim_peak(o->run, m[a], "by-output", &peak, err);
        for (int r = 0; code == HW_OK && r < RIVALS; r++) {
            output_tally *t = &o->tally[o->kind][r];
            hw_answer other;
            code = hw_claim_within(o->run, m[a], rivals[r], 0, &other, err);
            if (code == HW_OK && other.has_order) { /* a source order may be none */
                t->runs++;
                t->worse += peak > other.peak;
                t->better += peak < other.peak;
                code =
                    hw_claim_figures_add(&t->above, hw_claim_percent_above(peak, other.peak), err);
            }
            hw_answer_clear(&other);
        }
    }
    hw_claim_models_free(m);
    return code;
}

static hw_code measure(outputs *o, hw_error *err)
{
    uint32_t graphs = hw_claim_effort(o->run, 30, 500);
    hw_code code = HW_OK;
    for (o->kind = 0; o->kind < REAL_KIND; o->kind++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            hw_graph *g = NULL;
            code = hw_claim_generate(kind_specs[o->kind], hw_claim_seed(o->run), i, &g, err);
            if (code == HW_OK)
                code = take(o, NULL, 0, g, err);
            hw_graph_free(g);
        }
    return code == HW_OK ? hw_claim_each_graph(o->run, HW_CLAIM_REAL, take, o, err) : code;
}

/* 1: worse on more than half of those that differ; -1: better; 0: not decided. */
static int side(const output_tally *t)
{
    hw_share share = hw_share_of(t->worse, t->worse + t->better);
    return share.low > 0.5 ? 1 : share.high < 0.5 ? -1 : 0;
}

static hw_code tell(hw_claim_run *run, outputs *o, hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; kind < KINDS; kind++)
        for (int r = 0; code == HW_OK && r < RIVALS; r++) {
            output_tally *t = &o->tally[kind][r];
            char reading[96], name[64];
            (void)snprintf(reading, sizeof reading, "%s, against %s", kind_names[kind],
                           rival_names[r]);
            code = hw_claim_reading(
                run, reading, side(t) > 0, err,
                "worse on %.1f %% of %llu runs, better on %.1f %%; median %+.1f %%, at worst "
                "%+.1f %%",
                hw_claim_percent(t->worse, t->runs), (unsigned long long)t->runs,
                hw_claim_percent(t->better, t->runs), hw_claim_quantile(&t->above, 0.5),
                hw_claim_quantile(&t->above, 1));
            (void)snprintf(name, sizeof name, "%s-worse-than-%s", kind_numbers[kind], rivals[r]);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_percent(t->worse, t->runs) / 100,
                                       "share", err);
        }
    return code;
}

/* "chains, real graphs": the kinds on which by-output is on that side of its rivals but greedy,
 * all of them. */
static int list_kinds(const outputs *o, int wanted, char *text, size_t size)
{
    int n = 0;
    size_t length = 0;
    text[0] = '\0';
    for (int kind = 0; kind < KINDS; kind++) {
        bool all = true;
        for (int r = 0; r < GREEDY; r++)
            all = all && side(&o->tally[kind][r]) == wanted;
        if (all && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", n++ ? ", " : "",
                                       kind_names[kind]);
    }
    return n;
}

static hw_code decide(hw_claim_run *run, const outputs *o, hw_error *err)
{
    char worse[160], better[160];
    int n_worse = list_kinds(o, 1, worse, sizeof worse);
    int n_better = list_kinds(o, -1, better, sizeof better);
    const output_tally *source = &o->tally[REAL_KIND][0], *random = &o->tally[REAL_KIND][2];
    output_tally greedy = {0};
    for (int kind = 0; kind < REAL_KIND; kind++) {
        greedy.runs += o->tally[kind][GREEDY].runs;
        greedy.worse += o->tally[kind][GREEDY].worse;
        greedy.better += o->tally[kind][GREEDY].better;
    }
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (n_worse == KINDS)
        verdict = HW_VERDICT_HOLDS;
    else if (n_worse > 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(run, err, "the graph is one of these: %s", worse);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "against the source order of real graphs it is worse in %.1f %% of %llu runs and better in "
        "%.1f %%; against a random order of the same worse in %.1f %%, better in %.1f %%; worse "
        "than all of source, level and random order on: %s; better on: %s; "
        "against greedy it is worse in %.1f %% and better in %.1f %% of the runs on random graphs",
        hw_claim_percent(source->worse, source->runs), (unsigned long long)source->runs,
        hw_claim_percent(source->better, source->runs),
        hw_claim_percent(random->worse, random->runs),
        hw_claim_percent(random->better, random->runs), n_worse ? worse : "none",
        n_better ? better : "none", hw_claim_percent(greedy.worse, greedy.runs),
        hw_claim_percent(greedy.better, greedy.runs));
}

hw_code hw_claim_c23(hw_claim_run *run, hw_error *err)
{
    outputs o = {.run = run};
    uint32_t nodes = 0;
    hw_code code = measure(&o, err);
    if (code == HW_OK)
        code = tell(run, &o, err);
    if (code == HW_OK) /* the article's reason: a small output waits while it would free much */
        code = hw_claim_shrunk(run, "worse-than-level", kind_specs[0], 200, "by-output", "level",
                               HW_ALLOC_FIRST, &nodes, err);
    if (code == HW_OK)
        code = hw_claim_shrunk(run, "better-than-level", kind_specs[1], 200, "level", "by-output",
                               HW_ALLOC_FIRST, &nodes, err);
    if (code == HW_OK)
        code = decide(run, &o, err);
    for (int kind = 0; kind < KINDS; kind++)
        for (int r = 0; r < RIVALS; r++)
            hw_claim_figures_clear(&o.tally[kind][r].above);
    return code;
}
