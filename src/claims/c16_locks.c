/*
 * C16: nodes with side effects need a lock, and constraints can be folded into
 * edges: what locks, windows and the article's extra edge cost, and when they
 * are needed.
 *
 * LOCK.    Nodes are locked at random.  Needed: the best order without the lock
 *          breaks it.  Cost: optimum with the lock over optimum without.
 *          Folded: the same graph with control edges from each locked node to
 *          the next in place of the flags has the same optimum.
 * WINDOW.  Every node stays near its place.  Whether a set of windows is a set
 *          of edges is decided by counting: the orders that windows allow are
 *          those of a set of edges only if they are all the orders in which
 *          each pair that is ordered alike in all of them is so.
 * EDGE.    "An extra edge for an in-place operator, so that greedy does not
 *          move it", in two readings: every other reader of what it overwrites
 *          comes before it (must-in-place); or it waits for the node right
 *          before it in the source.
 */
#include "claims/c16_locks.h"

static const char *const families[] = {"layered:n=%u,inplace=0.4",
                                       "erdos:n=%u,degree=1.5,inplace=0.4",
                                       "series-parallel:n=%u,inplace=0.4"};

/* ---- One graph. ---- */

static hw_code optimum_of(const locks *l, const hw_graph *g, uint64_t *peak, hw_error *err)
{
    return hw_claim_least(l->run, g, l->accounting, 2000000, peak, err);
}

/* The optimum under a constraint against that without, and whether an order found without keeps to
 * it. */
static hw_code weigh(locks *l, lock_kind kind, const hw_graph *free_graph, const hw_graph *bound,
                     hw_error *err)
{
    lock_tally *t = &l->tally[kind];
    hw_answer open = {0}, tied = {0};
    hw_check check;
    hw_code code =
        hw_claim_solve_graph(l->run, free_graph, l->accounting, "exact", 2000000, &open, err);
    if (code == HW_OK)
        code = hw_claim_solve_graph(l->run, bound, l->accounting, "exact", 2000000, &tied, err);
    if (code == HW_OK && (open.status != HW_OPTIMAL || tied.status != HW_OPTIMAL))
        code = hw_fail(err, HW_CHECK_FAILED, "%s: no proven optimum to compare with", bound->name);
    if (code == HW_OK) /* does it obey?  by the independent checker alone */
        code = hw_check_order(bound, l->accounting == HW_FREE_FIRST, false, tied.order,
                              bound->n_nodes, &check, err);
    if (code == HW_OK) {
        t->graphs++;
        t->obeyed += check.verdict == HW_ORDER_LEGAL && check.peak == tied.peak;
        t->dearer += tied.peak > open.peak;
        code = hw_claim_figures_add(&t->cost, hw_claim_percent_above(tied.peak, open.peak), err);
    }
    if (code == HW_OK)
        code = hw_check_order(bound, l->accounting == HW_FREE_FIRST, false, open.order,
                              bound->n_nodes, &check, err);
    if (code == HW_OK)
        t->broken += check.verdict != HW_ORDER_LEGAL;
    hw_answer_clear(&open);
    hw_answer_clear(&tied);
    return code;
}

/* What the constraint does to greedy, which it is meant to guide. */
static hw_code guide(locks *l, lock_kind kind, const hw_graph *free_graph, const hw_graph *bound,
                     hw_error *err)
{
    uint64_t open = 0, tied = 0;
    hw_code code = hw_claim_peak_of(l->run, free_graph, l->accounting, "greedy", &open, err);
    if (code == HW_OK)
        code = hw_claim_peak_of(l->run, bound, l->accounting, "greedy", &tied, err);
    if (code == HW_OK) {
        l->tally[kind].greedy_worse += tied > open;
        l->tally[kind].greedy_better += tied < open;
    }
    return code;
}

static hw_code lock(locks *l, const hw_graph *g, gsl_rng *rng, hw_error *err)
{
    uint8_t *flags = hw_copy(g->node_flags, g->n_nodes, 1);
    hw_graph *locked = NULL, *folded = NULL;
    uint64_t by_lock = 0, by_edges = 0;
    if (!flags)
        return hw_fail_memory(err, "locks");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        if (hw_rng_below(rng, 5) == 0)
            flags[v] |= HW_NODE_LOCKED;
    hw_code code = hw_graph_mark(g, &(hw_marks){.flags = flags}, &locked, err);
    if (code == HW_OK)
        code = weigh(l, LOCK, g, locked, err);
    if (code == HW_OK)
        code = locks_fold(g, flags, &folded, err);
    if (code == HW_OK)
        code = optimum_of(l, locked, &by_lock, err);
    if (code == HW_OK)
        code = optimum_of(l, folded, &by_edges, err);
    if (code == HW_OK) {
        l->folds++;
        l->folds_alike += by_lock == by_edges;
    }
    free(flags);
    hw_graph_free(locked);
    hw_graph_free(folded);
    return code;
}

static hw_code window(locks *l, lock_kind kind, const hw_graph *g, uint32_t width, hw_error *err)
{
    uint32_t *windows = HW_NEW(uint32_t, g->n_nodes);
    hw_graph *bound = NULL;
    if (!windows)
        return hw_fail_memory(err, "windows");
    for (uint32_t v = 0; v < g->n_nodes; v++)
        windows[v] = width;
    hw_code code = hw_graph_mark(g, &(hw_marks){.windows = windows}, &bound, err);
    if (code == HW_OK)
        code = weigh(l, kind, g, bound, err);
    free(windows);
    hw_graph_free(bound);
    return code;
}

static hw_code edge(locks *l, lock_kind kind, const hw_graph *g, hw_error *err)
{
    hw_graph *bound = NULL;
    hw_code code = locks_extra_edges(g, kind == EDGE_READERS, &bound, err);
    if (code == HW_OK)
        code = weigh(l, kind, g, bound, err);
    if (code == HW_OK)
        code = guide(l, kind, g, bound, err);
    if (code == HW_OK && kind == EDGE_READERS)
        locks_count_pairs(g, &l->pairs, &l->shared_pairs);
    hw_graph_free(bound);
    return code;
}

static hw_code one(locks *l, const hw_graph *g, gsl_rng *rng, hw_error *err)
{
    hw_code code = lock(l, g, rng, err);
    if (code == HW_OK)
        code = window(l, WINDOW_1, g, 1, err);
    if (code == HW_OK)
        code = window(l, WINDOW_4, g, 4, err);
    if (code == HW_OK)
        code = edge(l, EDGE_READERS, g, err);
    return code == HW_OK ? edge(l, EDGE_PLACE, g, err) : code;
}

static hw_code measure(locks *l, hw_error *err)
{
    uint32_t graphs = hw_claim_effort(l->run, 6, 100), n = hw_claim_effort(l->run, 14, 20);
    gsl_rng *rng = hw_rng_new(hw_claim_seed(l->run));
    hw_code code = rng ? HW_OK : hw_fail_memory(err, "random numbers");
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (uint32_t i = 0; code == HW_OK && i < graphs; i++) {
            char spec[96];
            hw_graph *g = NULL;
            hw_claim_spec(spec, sizeof spec, families[f], n);
            code = hw_claim_generate(spec, hw_claim_seed(l->run), i, &g, err);
            if (code == HW_OK)
                code = one(l, g, rng, err);
            hw_graph_free(g);
        }
    if (rng)
        gsl_rng_free(rng);
    return code;
}

/* ---- The report. ---- */

static const struct {
    const char *name, *number;
} kinds[LOCK_KINDS] = {
    {"a fifth of the nodes locked", "lock"},
    {"windows of 1 on all nodes", "window-1"},
    {"windows of 4 on all nodes", "window-4"},
    {"extra edges: other readers before the in-place operator", "edge-readers"},
    {"extra edges: the in-place operator after its neighbour in the source", "edge-place"},
};

static hw_code tell_kind(hw_claim_run *run, locks *l, lock_kind kind, hw_error *err)
{
    char name[64], reading[160];
    hw_code code = HW_OK;
    for (int a = 0; code == HW_OK && a < 2; a++) {
        lock_tally *t = &l[a].tally[kind];
        const char *accounting = hw_accounting_name((hw_accounting)a);
        (void)snprintf(reading, sizeof reading, "%s, %s", kinds[kind].name, accounting);
        code = hw_claim_reading(
            run, reading, t->broken > 0, err,
            "the best order without breaks it on %.1f %% of %llu graphs; kept, it raises the "
            "optimum on %.1f %%, median %.1f %%, at most %.1f %%",
            hw_claim_percent(t->broken, t->graphs), (unsigned long long)t->graphs,
            hw_claim_percent(t->dearer, t->graphs), hw_claim_quantile(&t->cost, 0.5),
            hw_claim_quantile(&t->cost, 1));
        (void)snprintf(name, sizeof name, "%s-%s-needed", kinds[kind].number, accounting);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_percent(t->broken, t->graphs) / 100, "share",
                                   err);
        (void)snprintf(name, sizeof name, "%s-%s-worst", kinds[kind].number, accounting);
        if (code == HW_OK)
            code = hw_claim_number(run, name, hw_claim_quantile(&t->cost, 1), "per cent", err);
    }
    return code;
}

/* The article's purpose: that greedy leaves the operator where it is. */
static hw_code tell_greedy(hw_claim_run *run, const locks *l, hw_error *err)
{
    char reading[128];
    const lock_tally *readers = &l->tally[EDGE_READERS], *place = &l->tally[EDGE_PLACE];
    (void)snprintf(reading, sizeof reading, "what the extra edge does to greedy, %s",
                   hw_accounting_name(l->accounting));
    return hw_claim_reading(
        run, reading,
        readers->greedy_better + place->greedy_better > readers->greedy_worse + place->greedy_worse,
        err,
        "after other readers: its peak rises on %.1f %% of the graphs and falls on %.1f %%; after "
        "its neighbour: %.1f %% and %.1f %%. Of %llu in-place pairs "
        "%.1f %% overwrite what others read too: only there the first is an edge at all",
        hw_claim_percent(readers->greedy_worse, readers->graphs),
        hw_claim_percent(readers->greedy_better, readers->graphs),
        hw_claim_percent(place->greedy_worse, place->graphs),
        hw_claim_percent(place->greedy_better, place->graphs), (unsigned long long)l->pairs,
        hw_claim_percent(l->shared_pairs, l->pairs));
}

static hw_code tell(hw_claim_run *run, locks *l, const lock_orders *o, hw_error *err)
{
    hw_code code = HW_OK;
    for (int kind = 0; code == HW_OK && kind < LOCK_KINDS; kind++)
        code = tell_kind(run, l, (lock_kind)kind, err);
    for (int a = 0; code == HW_OK && a < 2; a++)
        code = tell_greedy(run, &l[a], err);
    uint64_t alike = l[0].folds_alike + l[1].folds_alike, folds = l[0].folds + l[1].folds;
    if (code == HW_OK)
        code = hw_claim_reading(run, "locks folded into edges", alike == folds, err,
                                "the same optimum with edges as with locks on %llu of %llu graphs",
                                (unsigned long long)alike, (unsigned long long)folds);
    if (code == HW_OK)
        code = hw_claim_reading(
            run, "windows folded into edges", o->allowed == o->by_edges, err,
            "%u nodes without edges in windows of %u may stand in %u orders, and the edges on "
            "which all of these agree leave %u: no set of edges says the same",
            o->n, o->width, o->allowed, o->by_edges);
    if (code == HW_OK)
        code = hw_claim_number(run, "window-orders", o->allowed, "count", err);
    return code == HW_OK ? hw_claim_number(run, "window-edge-orders", o->by_edges, "count", err)
                         : code;
}

static hw_code decide(hw_claim_run *run, const locks *l, const lock_orders *o, hw_error *err)
{
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < LOCK_KINDS; kind++)
            if (l[a].tally[kind].obeyed != l[a].tally[kind].graphs)
                return hw_fail(err, HW_INTERNAL, "an order under %s breaks it", kinds[kind].name);
    const lock_tally *t = &l[0].tally[LOCK], *f = &l[1].tally[LOCK];
    bool needed = t->broken + f->broken > 0;
    bool folds = l[0].folds_alike + l[1].folds_alike == l[0].folds + l[1].folds;
    const char *figure = "orders without the lock break it on %.1f %% of the graphs (%.1f %% under "
                         "free-first); locks fold into edges on %s of them, windows do not: %u "
                         "orders against %u";
    double share = hw_claim_percent(t->broken, t->graphs);
    double share_free = hw_claim_percent(f->broken, f->graphs);
    hw_claim_verdict verdict = HW_VERDICT_FAILS;
    hw_code code = HW_OK;
    if (needed && folds && o->allowed == o->by_edges)
        verdict = HW_VERDICT_HOLDS;
    else if (needed && folds) {
        verdict = HW_VERDICT_HOLDS_ONLY_IF;
        code = hw_claim_condition(
            run, err,
            "a constraint says which of two nodes comes first (a lock, an input that must be "
            "overwritten); \"near its place\" does not, and needs a window. The extra edge of an "
            "in-place operator is needed only where it overwrites whatever the order is and what "
            "it overwrites has other readers");
    }
    return code == HW_OK ? hw_claim_conclude(run, verdict, err, figure, share, share_free,
                                             folds ? "all" : "not all", o->allowed, o->by_edges)
                         : code;
}

hw_code hw_claim_c16(hw_claim_run *run, hw_error *err)
{
    locks l[2] = {{.run = run, .accounting = HW_ALLOC_FIRST},
                  {.run = run, .accounting = HW_FREE_FIRST}};
    lock_orders o = {0};
    hw_graph *example = NULL;
    hw_code code = measure(&l[0], err);
    if (code == HW_OK)
        code = measure(&l[1], err);
    if (code == HW_OK)
        code = locks_window_example(&o, &example, err);
    if (code == HW_OK)
        code = hw_claim_example(run, "windows-are-no-edges", example, err);
    if (code == HW_OK)
        code = hw_claim_show(run, example, HW_ALLOC_FIRST, "exact", err);
    if (code == HW_OK)
        code = tell(run, l, &o, err);
    if (code == HW_OK)
        code = decide(run, l, &o, err);
    for (int a = 0; a < 2; a++)
        for (int kind = 0; kind < LOCK_KINDS; kind++)
            hw_claim_figures_clear(&l[a].tally[kind].cost);
    hw_graph_free(example);
    return code;
}
