/*
 * C08: a blend of net change and critical path, 8:2 or 9:1, is a good
 * compromise.
 *
 * greedy-mixed with the weight of the net change from 0 to 1, on random and on
 * real graphs.  The other end of the compromise is time: the makespan of list
 * scheduling with the order as priority, on 2 and on 4 machines, a node a unit
 * of time, over its lower bound (the longest path, or nodes / machines).
 *
 * A weight is dominated if another one has both a smaller mean gap (by a
 * point) and a smaller mean makespan (by half a point above its bound).  The
 * blend is a good compromise where 9:1 or 8:2 is not dominated and has a
 * smaller makespan than 10:0; in all settings of graphs, machines and
 * accounting for the claim to hold, in some for it to hold only there.
 *
 * The article blends without saying in which units.  greedy-mixed takes shares
 * of the largest value.  Raw numbers are tried as well: 8 net - 2 path in MB and
 * in bytes, which is not one rule but two.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "claims/rules.h"
#include "claims/strata.h"
#include "core/memory.h"

enum { N_WEIGHTS = 11, N_MACHINES = 2, MEMORY = N_WEIGHTS - 1, RANDOM = 0, REAL, N_KINDS };
enum { MOST_REAL = 1200 }; /* nodes: the makespan takes their square */
static const char *const kinds[N_KINDS] = {"random graphs", "real graphs"};
static const uint32_t machines[N_MACHINES] = {2, 4};
static const double gap_margin = 1, span_margin = 0.5; /* points */

hw_code hw_claim_c08(hw_claim_run *run, hw_error *err);

typedef struct blend {
    double gap[2][N_WEIGHTS];              /* sums, by accounting             */
    double span[2][N_WEIGHTS][N_MACHINES]; /* of makespan / lower bound - 1   */
    uint64_t n, raw, raw_differ;           /* cases; orders by MB and by bytes */
} blend;

/* ---- The makespan proxy. ---- */

/*
 * Steps until all nodes have run: at each, up to `count` of the nodes whose
 * predecessors ran in earlier steps, those first in the order first.  O(n^2).
 */
static uint32_t makespan(const hw_graph *g, const uint32_t *order, uint32_t count, uint32_t *when)
{
    uint32_t n = g->n_nodes, done = 0, step = 0;
    for (uint32_t v = 0; v < n; v++)
        when[v] = UINT32_MAX;
    while (done < n) {
        uint32_t taken = 0;
        for (uint32_t i = 0; i < n && taken < count; i++) {
            uint32_t v = order[i];
            bool ready = when[v] == UINT32_MAX;
            for (uint32_t k = g->preds.offset[v]; ready && k < g->preds.offset[v + 1]; k++)
                ready = when[g->preds.item[k]] < step;
            if (ready) {
                when[v] = step;
                taken++;
            }
        }
        done += taken;
        step++;
    }
    return step;
}

static uint32_t longest_path(const hw_graph *g, const uint32_t *order, uint32_t *depth)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t v = order[i];
        depth[v] = 1;
        for (uint32_t k = g->preds.offset[v]; k < g->preds.offset[v + 1]; k++)
            if (depth[g->preds.item[k]] >= depth[v])
                depth[v] = depth[g->preds.item[k]] + 1;
        most = depth[v] > most ? depth[v] : most;
    }
    return most;
}

/* ---- Raw numbers: 8 net - 2 path, net in units of *context bytes a megabyte. ---- */

static bool before_raw(const void *context, const hw_rule_node *a, const hw_rule_node *b)
{
    int64_t unit = *(const int64_t *)context;
    int64_t x = 8 * unit * a->net - 2 * (int64_t)a->path;
    int64_t y = 8 * unit * b->net - 2 * (int64_t)b->path;
    return x != y ? x < y : a->node < b->node;
}

static hw_code try_raw(const hw_model *m, blend *b, uint32_t *one, uint32_t *other, hw_error *err)
{
    static const int64_t mega = 1, bytes = 1000000;
    hw_code code = hw_rule_order(m, before_raw, &mega, one, err);
    if (code == HW_OK)
        code = hw_rule_order(m, before_raw, &bytes, other, err);
    if (code != HW_OK)
        return code;
    bool differ = false;
    for (uint32_t i = 0; i < m->n_nodes; i++)
        differ = differ || one[i] != other[i];
    b->raw++;
    b->raw_differ += differ;
    return HW_OK;
}

/* ---- All weights on a graph. ---- */

static hw_code try_weights(hw_claim_run *run, const hw_model *m, blend *b, uint32_t *room,
                           hw_error *err)
{
    uint64_t optimum = 0;
    hw_code code = hw_claim_optimum(run, m, &optimum, err);
    for (int w = 0; code == HW_OK && w < N_WEIGHTS; w++) {
        char spec[40];
        hw_answer a;
        (void)snprintf(spec, sizeof spec, "greedy-mixed:weight=%.1f", w / (N_WEIGHTS - 1.0));
        code = hw_claim_solve(run, m, spec, NULL, &a, err);
        if (code != HW_OK)
            return code;
        b->gap[m->accounting][w] += hw_claim_gap(a.peak, optimum);
        uint32_t path = longest_path(m->graph, a.order, room);
        for (int k = 0; k < N_MACHINES; k++) {
            uint32_t share = (m->n_nodes + machines[k] - 1) / machines[k];
            uint32_t least = path > share ? path : share;
            b->span[m->accounting][w][k] +=
                100.0 * (makespan(m->graph, a.order, machines[k], room) - least) / least;
        }
        hw_answer_clear(&a);
    }
    return code;
}

static hw_code try_graph(hw_claim_run *run, const hw_graph *g, blend *b, hw_error *err)
{
    hw_model *m[2] = {NULL, NULL};
    hw_code code = hw_claim_models(g, m, err);
    uint32_t *room = code == HW_OK ? HW_NEW(uint32_t, 2 * (size_t)g->n_nodes) : NULL;
    if (code == HW_OK && !room)
        code = hw_fail_memory(err, "orders");
    for (int a = 0; code == HW_OK && a < 2; a++)
        code = try_weights(run, m[a], b, room, err);
    if (code == HW_OK)
        code = try_raw(m[HW_ALLOC_FIRST], b, room, room + g->n_nodes, err);
    b->n += code == HW_OK;
    free(room);
    hw_claim_models_free(m);
    return code;
}

static hw_code try_random(hw_claim_run *run, blend *b, hw_error *err)
{
    uint32_t each = hw_claim_effort(run, 6, 60);
    hw_code code = HW_OK;
    for (size_t f = 0; code == HW_OK && f < hw_n_strata_families; f++)
        for (uint32_t i = 0; code == HW_OK && i < each; i++) {
            char spec[HW_SHEET_SPEC];
            hw_graph *g = NULL;
            (void)snprintf(spec, sizeof spec, "%s,n=24", hw_strata_families[f].spec);
            code = hw_claim_generate(spec, hw_claim_seed(run), i, &g, err);
            if (code == HW_OK)
                code = try_graph(run, g, b, err);
            hw_graph_free(g);
        }
    return code;
}

static hw_code try_real(hw_claim_run *run, blend *b, hw_error *err)
{
    hw_claim_set set;
    hw_code code = hw_claim_real_graphs(run, 16, &set, err);
    for (size_t i = 0; code == HW_OK && i < set.n; i++)
        if (set.graph[i]->n_nodes <= MOST_REAL)
            code = try_graph(run, set.graph[i], b, err);
    hw_claim_set_clear(&set);
    return code;
}

/* ---- Telling. ---- */

typedef struct setting {
    int kind, accounting, machine;
} setting;

static double mean_gap(const blend *b, const setting *at, int w)
{
    return b[at->kind].gap[at->accounting][w] / (double)b[at->kind].n;
}

static double mean_span(const blend *b, const setting *at, int w)
{
    return b[at->kind].span[at->accounting][w][at->machine] / (double)b[at->kind].n;
}

/* The weight that dominates w, by the smallest gap; -1: none does. */
static int dominating(const blend *b, const setting *at, int w)
{
    int best = -1;
    for (int v = 0; v < N_WEIGHTS; v++)
        if (mean_gap(b, at, v) <= mean_gap(b, at, w) - gap_margin &&
            mean_span(b, at, v) <= mean_span(b, at, w) - span_margin &&
            (best < 0 || mean_gap(b, at, v) < mean_gap(b, at, best)))
            best = v;
    return best;
}

static bool is_good(const blend *b, const setting *at, int w)
{
    return dominating(b, at, w) < 0 &&
           mean_span(b, at, w) <= mean_span(b, at, MEMORY) - span_margin;
}

static hw_code tell_setting(hw_claim_run *run, const blend *b, const setting *at, bool *good,
                            hw_error *err)
{
    char name[80], text[240] = "";
    size_t length = 0;
    *good = is_good(b, at, 8) || is_good(b, at, 9);
    for (int w = 9; w >= 8; w--) {
        int by = dominating(b, at, w);
        length += (size_t)snprintf(
            text + length, sizeof text - length, "%s%d:%d has gap %.1f %% and makespan +%.1f %%",
            length ? "; " : "", w, MEMORY - w, mean_gap(b, at, w), mean_span(b, at, w));
        if (by >= 0)
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       " (dominated by %d:%d, %.1f %% and +%.1f %%)", by,
                                       MEMORY - by, mean_gap(b, at, by), mean_span(b, at, by));
    }
    (void)snprintf(name, sizeof name, "%s, %s, %u machines", kinds[at->kind],
                   hw_accounting_name((hw_accounting)at->accounting),
                   (unsigned)machines[at->machine]);
    return hw_claim_reading(run, name, *good, err, "%s", text);
}

static hw_code tell_weights(hw_claim_run *run, const blend *b, int kind, hw_error *err)
{
    static const char *const short_names[N_KINDS] = {"random", "real"};
    const setting two = {kind, HW_ALLOC_FIRST, 0}, four = {kind, HW_ALLOC_FIRST, 1};
    const setting other = {kind, HW_FREE_FIRST, 0};
    hw_code code = HW_OK;
    for (int w = MEMORY; code == HW_OK && w >= 0; w--) {
        char name[60];
        (void)snprintf(name, sizeof name, "%s, %d:%d", kinds[kind], w, MEMORY - w);
        code = hw_claim_reading(run, name, w == 8 || w == 9, err,
                                "mean gap %.1f %% alloc-first, %.1f %% free-first; makespan above "
                                "its bound by %.1f %% on 2 and %.1f %% on 4 machines",
                                mean_gap(b, &two, w), mean_gap(b, &other, w), mean_span(b, &two, w),
                                mean_span(b, &four, w));
        (void)snprintf(name, sizeof name, "%s-gap-at-%d", short_names[kind], w);
        if (code == HW_OK)
            code = hw_claim_number(run, name, mean_gap(b, &two, w), "per cent", err);
        (void)snprintf(name, sizeof name, "%s-span-at-%d", short_names[kind], w);
        if (code == HW_OK)
            code = hw_claim_number(run, name, mean_span(b, &two, w), "per cent", err);
    }
    return code;
}

static hw_code tell_raw(hw_claim_run *run, const blend *b, hw_error *err)
{
    double differ = 0, all = 0;
    for (int k = 0; k < N_KINDS; k++) {
        differ += (double)b[k].raw_differ;
        all += (double)b[k].raw;
    }
    hw_code code = hw_claim_reading(run, "8 net - 2 path in raw numbers", differ == 0, err,
                                    "counting sizes in bytes instead of MB changes the order of "
                                    "%.1f %% of the graphs: without units this is no one rule",
                                    100 * differ / all);
    if (code == HW_OK)
        code = hw_claim_number(run, "raw-orders-differ", differ / all, "share", err);
    return code;
}

static hw_code decide(hw_claim_run *run, const blend *b, hw_error *err)
{
    size_t n_good = 0, n = 0, length = 0, by_kind[N_KINDS] = {0};
    char where[400] = "";
    hw_code code = HW_OK;
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int a = 0; a < 2; a++)
            for (int k = 0; code == HW_OK && k < N_MACHINES; k++) {
                const setting at = {kind, a, k};
                bool good = false;
                code = tell_setting(run, b, &at, &good, err);
                n++;
                n_good += good;
                by_kind[kind] += good;
                if (good)
                    length += (size_t)snprintf(where + length, sizeof where - length,
                                               "%s%s %s with %u machines", length ? ", or " : "",
                                               kinds[kind], hw_accounting_name((hw_accounting)a),
                                               (unsigned)machines[k]);
            }
    for (int kind = 0; code == HW_OK && kind < N_KINDS; kind++)
        code = tell_weights(run, b, kind, err);
    if (code == HW_OK)
        code = tell_raw(run, b, err);
    bool one_kind = by_kind[RANDOM] == n / 2 || by_kind[REAL] == n / 2;
    if (code == HW_OK && n_good == n / 2 && one_kind)
        code = hw_claim_condition(run, err, "the graphs are %s; %s want more weight on the path",
                                  by_kind[REAL] > 0 ? "real ones" : "random ones",
                                  kinds[by_kind[REAL] > 0 ? RANDOM : REAL]);
    else if (code == HW_OK && n_good > 0 && n_good < n)
        code = hw_claim_condition(run, err, "the setting is: %s", where);
    if (code != HW_OK)
        return code;
    const setting one = {RANDOM, HW_ALLOC_FIRST, 0};
    int by = dominating(b, &one, 8);
    return hw_claim_conclude(
        run,
        n_good == n  ? HW_VERDICT_HOLDS
        : n_good > 0 ? HW_VERDICT_HOLDS_ONLY_IF
                     : HW_VERDICT_FAILS,
        err,
        "8:2 or 9:1 is a good compromise in %zu of %zu settings; on %" PRIu64 " random graphs the "
        "gap is %.1f %% and the makespan +%.1f %% at 10:0, %.1f %% and +%.1f %% at 8:2, %.1f %% "
        "and +%.1f %% at %d:%d, %.1f %% and +%.1f %% at 0:10",
        n_good, n, b[RANDOM].n, mean_gap(b, &one, 10), mean_span(b, &one, 10), mean_gap(b, &one, 8),
        mean_span(b, &one, 8), mean_gap(b, &one, by < 0 ? 5 : by),
        mean_span(b, &one, by < 0 ? 5 : by), by < 0 ? 5 : by, MEMORY - (by < 0 ? 5 : by),
        mean_gap(b, &one, 0), mean_span(b, &one, 0));
}

hw_code hw_claim_c08(hw_claim_run *run, hw_error *err)
{
    blend b[N_KINDS] = {0};
    hw_code code = try_random(run, &b[RANDOM], err);
    if (code == HW_OK)
        code = try_real(run, &b[REAL], err);
    return code == HW_OK ? decide(run, b, err) : code;
}
