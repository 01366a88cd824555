/*
 * C25: does treating views as ordinary nodes shorten lifetimes wrongly?
 *
 * Orders are found in a model that takes views for ordinary nodes, in two
 * readings, and looked at in the right one: the peak that the model tells
 * against the true peak of that order by the independent checker, the true peak
 * against that of an order found with views, and the nodes that would read
 * memory which the model has freed (lifetimes.h).
 *
 *   NOTHING  the node makes nothing, as reshape does: its output has no bytes
 *   COPIES   the node makes an output of its own; freed memory is read only if
 *            the kernel makes none
 *
 * Holds where at least SHARE of the real graphs with views have such reads.
 */
#include "claims/graphs.h"
#include "claims/lifetimes.h"
#include "claims/measure.h"
#include "transform/leave_out.h"

#define SHARE 0.9

typedef enum view_model { NOTHING, COPIES, VIEW_MODELS } view_model;

static const char *const model_names[VIEW_MODELS] = {"a node that makes nothing",
                                                     "a node with an output of its own"};
static const char *const model_numbers[VIEW_MODELS] = {"nothing", "copies"};

typedef struct view_tally {
    uint64_t runs, low, high, worse; /* told peak below, above the truth; the order truly worse */
    uint64_t dangling;               /* runs with reads of freed memory                         */
    double most_low, most_high, most_worse; /* percent */
} view_tally;

typedef struct views {
    const hw_claim_run *run;
    bool real;
    uint64_t graphs[2], dangling[2]; /* [real]: with views; those with such reads in any run */
    uint64_t nodes, bytes;           /* of real graphs, greedy under NOTHING, alloc-first    */
    view_tally tally[2][VIEW_MODELS];
} views;

static bool has_view(const hw_graph *g)
{
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (g->node_flags[v] & HW_NODE_VIEW)
            return true;
    return false;
}

static void note(view_tally *t, uint64_t told, uint64_t truth, uint64_t best)
{
    double off = hw_claim_percent_above(told, truth), lost = hw_claim_percent_above(truth, best);
    t->runs++;
    t->low += told < truth;
    t->high += told > truth;
    t->worse += truth > best;
    t->most_low = off < t->most_low ? off : t->most_low;
    t->most_high = off > t->most_high ? off : t->most_high;
    t->most_worse = lost > t->most_worse ? lost : t->most_worse;
}

/* An order found in `wrong`, which has the nodes of g. */
static hw_code one_order(views *w, const hw_graph *g, const hw_graph *wrong, view_model kind,
                         hw_accounting accounting, const char *solver, bool *reads, hw_error *err)
{
    hw_answer told = {0}, right = {0};
    hw_dangling dangling = {0};
    uint64_t truth = 0;
    hw_code code = hw_claim_solve_graph(w->run, wrong, accounting, solver, 200000, &told, err);
    if (code == HW_OK)
        code = hw_claim_solve_graph(w->run, g, accounting, solver, 200000, &right, err);
    if (code == HW_OK && told.has_order && right.has_order) {
        code = hw_claim_check(g, accounting, told.order, &truth, err);
        if (code == HW_OK)
            code = hw_lifetimes_dangling(g, told.order, &dangling, err);
        note(&w->tally[w->real][kind], told.peak, truth, right.peak);
        w->tally[w->real][kind].dangling += dangling.nodes > 0;
        *reads |= dangling.nodes > 0;
        if (w->real && kind == NOTHING && accounting == HW_ALLOC_FIRST && solver[0] == 'g') {
            w->nodes += dangling.nodes;
            w->bytes += dangling.bytes;
        }
    }
    hw_answer_clear(&told);
    hw_answer_clear(&right);
    return code;
}

static hw_code take(void *context, const char *name, unsigned kind, const hw_graph *g,
                    hw_error *err)
{
    static const char *const solvers[] = {"source", "greedy", "exact"};
    views *w = context;
    hw_graph *wrong[VIEW_MODELS] = {NULL, NULL};
    bool reads = false;
    (void)name;
    (void)kind;
    if (!has_view(g))
        return HW_OK;
    hw_code code = hw_empty_views(g, &wrong[NOTHING], err);
    if (code == HW_OK)
        code = hw_graph_strip(g, true, false, &wrong[COPIES], err);
    for (int k = 0; k < VIEW_MODELS; k++)
        for (int a = 0; a < 2; a++)
            for (size_t s = 0; code == HW_OK && s < sizeof solvers / sizeof solvers[0]; s++)
                code = one_order(w, g, wrong[k], (view_model)k, (hw_accounting)a, solvers[s],
                                 &reads, err);
    w->graphs[w->real]++;
    w->dangling[w->real] += reads;
    hw_graph_free(wrong[NOTHING]);
    hw_graph_free(wrong[COPIES]);
    return code;
}

/* The smallest graph with a read of freed memory among small random ones. */
static hw_code example(hw_claim_run *run, hw_error *err)
{
    for (uint32_t n = 3; n < 8; n++)
        for (uint32_t i = 0; i < 100; i++) {
            char spec[64];
            uint32_t order[8];
            hw_graph *g = NULL;
            hw_dangling d = {0};
            (void)snprintf(spec, sizeof spec, "layered:n=%u,views=0.5,high=9", n);
            hw_code code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = hw_graph_level_order(g, order, err);
            if (code == HW_OK)
                code = hw_lifetimes_dangling(g, order, &d, err);
            bool found = code == HW_OK && d.nodes > 0;
            if (found)
                code = hw_claim_example(run, "read-after-free", g, err);
            if (found && code == HW_OK)
                code = hw_claim_show(run, g, HW_ALLOC_FIRST, "level", err);
            hw_graph_free(g);
            if (code != HW_OK || found)
                return code;
        }
    return HW_OK;
}

static hw_code measure(hw_claim_run *run, views *w, hw_error *err)
{
    uint32_t graphs = hw_claim_effort(run, 20, 300);
    hw_code code = HW_OK;
    for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
        hw_graph *g = NULL;
        code = hw_claim_generate(i % 2 ? "layered:n=16,views=0.3" : "erdos:n=16,views=0.3",
                                 hw_claim_seed(run), i, &g, err);
        if (code == HW_OK)
            code = take(w, NULL, 0, g, err);
        hw_graph_free(g);
    }
    w->real = true;
    if (code == HW_OK)
        code = hw_claim_each_graph(run, HW_CLAIM_REAL, take, w, err);
    return code == HW_OK ? example(run, err) : code;
}

static hw_code tell(hw_claim_run *run, const views *w, hw_error *err)
{
    hw_code code = HW_OK;
    for (int real = 0; real < 2; real++)
        for (int kind = 0; code == HW_OK && kind < VIEW_MODELS; kind++) {
            const view_tally *t = &w->tally[real][kind];
            char reading[96], name[64];
            (void)snprintf(reading, sizeof reading, "%s, %s", model_names[kind],
                           real ? "real graphs" : "random graphs");
            code = hw_claim_reading(
                run, reading, t->dangling > 0, err,
                "of %llu orders %.1f %% have nodes that read freed memory%s; the peak told is too "
                "low on %.1f %% (by %.1f %% at most), too high on %.1f %% (by %.1f %%); %.1f %% of "
                "the orders are truly worse than those found with views, by %.1f %% at most",
                (unsigned long long)t->runs, hw_claim_percent(t->dangling, t->runs),
                kind == COPIES ? " unless the kernel makes a copy" : "",
                hw_claim_percent(t->low, t->runs), -t->most_low + 0.0,
                hw_claim_percent(t->high, t->runs), t->most_high,
                hw_claim_percent(t->worse, t->runs), t->most_worse);
            (void)snprintf(name, sizeof name, "%s-%s-dangling", real ? "real" : "random",
                           model_numbers[kind]);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_percent(t->dangling, t->runs) / 100,
                                       "share", err);
            (void)snprintf(name, sizeof name, "%s-%s-too-low", real ? "real" : "random",
                           model_numbers[kind]);
            if (code == HW_OK)
                code = hw_claim_number(run, name, hw_claim_percent(t->low, t->runs) / 100, "share",
                                       err);
        }
    return code;
}

static hw_code decide(hw_claim_run *run, const views *w, hw_error *err)
{
    uint64_t n = w->graphs[true], k = w->dangling[true];
    if (n == 0 || w->graphs[false] == 0)
        return hw_fail(err, HW_CHECK_FAILED, "no graph has a view: nothing can be said of them");
    const view_tally *t = &w->tally[true][NOTHING];
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if ((double)k >= SHARE * (double)n)
        verdict = HW_VERDICT_HOLDS;
    else if (k > 0) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(run, err,
                                  "a view is read after the last node that reads its root itself: "
                                  "on %llu of %llu real graphs with views",
                                  (unsigned long long)k, (unsigned long long)n);
    }
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run, verdict, err,
        "%llu of %llu real graphs with views have nodes that would read freed memory (%llu nodes, "
        "%.1f MB in the orders of greedy); the peak told is wrong on %.1f %% of the orders, too "
        "low by %.1f %% at most",
        (unsigned long long)k, (unsigned long long)n, (unsigned long long)w->nodes,
        (double)w->bytes / 1e6, hw_claim_percent(t->low + t->high, t->runs), -t->most_low + 0.0);
}

hw_code hw_claim_c25(hw_claim_run *run, hw_error *err)
{
    views w = {.run = run};
    hw_code code = measure(run, &w, err);
    if (code == HW_OK)
        code = tell(run, &w, err);
    return code == HW_OK ? decide(run, &w, err) : code;
}
