/*
 * C04: below about 10 nodes all orders can be enumerated; at 20 nodes of a
 * random graph not within seconds.
 *
 * Orders are counted exactly, by down-sets (structure.h); below 10 nodes they
 * are enumerated too, one by one, and the counts must agree.  No verdict
 * hangs on a clock: "within seconds" is read as 10^9 orders or fewer, which is
 * ten seconds at 10^8 orders a second, several times what is measured here.
 * The other side: how far enumeration with pruning and the exact search come
 * on the same graphs of 20 nodes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "claims/strata.h"
#include "core/memory.h"
#include "model/structure.h"

enum { SMALL = 9, TEN = 10, LARGE = 20, MOST_WIDTH = LARGE };
static const double within_seconds = 1e9; /* orders */
static const uint32_t nodes[] = {6, SMALL, TEN, 12, 16, LARGE};
enum { N_NODES = sizeof nodes / sizeof nodes[0], MOST_FAMILIES = 32 };

hw_code hw_claim_c04(hw_claim_run *run, hw_error *err);

typedef struct orders_cell {
    uint32_t n, beyond; /* graphs; those with more orders than can be had within seconds */
    double *log10;      /* of the number of orders of each graph                         */
} orders_cell;

typedef struct tally {
    orders_cell cell[MOST_FAMILIES][N_NODES];
    double most[N_NODES];                                       /* orders of one graph       */
    uint64_t wide[MOST_WIDTH + 1], wide_beyond[MOST_WIDTH + 1]; /* 20 nodes, by width */
    uint64_t compared;                                          /* counted both ways         */
    uint64_t steps, pruned_n, pruned_done, exact_done;
    double seconds; /* of the plain enumerations */
    double orders;
    double *exact_seconds, *small_seconds;
    size_t n_exact, n_small;
    uint32_t each; /* graphs of a family and number of nodes */
} tally;

static double as_real(const hw_structure *s)
{
    return ldexp((double)s->orders_high, 64) + (double)s->orders_low;
}

/* Every order, one by one: their number must be that of the down-sets. */
static hw_code enumerate_all(hw_claim_run *run, tally *t, const hw_model *m, const hw_structure *s,
                             hw_error *err)
{
    hw_answer a;
    hw_code code = hw_claim_solve(run, m, "enumerate:prune=no", NULL, &a, err);
    if (code != HW_OK)
        return code;
    if (!a.has_orders || s->orders_high > 0 || a.orders != s->orders_low)
        code = hw_fail(err, HW_INTERNAL,
                       "%s has %" PRIu64 " orders by down-sets and %" PRIu64 " one by one",
                       m->graph->name, s->orders_low, a.orders);
    t->compared++;
    t->orders += (double)a.orders;
    t->seconds += a.seconds;
    t->small_seconds[t->n_small++] = a.seconds;
    hw_answer_clear(&a);
    return code;
}

/* What pruning and the exact search do on the graphs of 20 nodes. */
static hw_code beyond_enumeration(hw_claim_run *run, tally *t, const hw_model *m, hw_error *err)
{
    const hw_limits limits = {.states = 1000000};
    hw_answer a;
    hw_code code = hw_claim_solve(run, m, "enumerate", &limits, &a, err);
    if (code != HW_OK)
        return code;
    t->pruned_n++;
    t->pruned_done += a.status == HW_OPTIMAL;
    hw_answer_clear(&a);
    code = hw_claim_solve(run, m, "exact", &limits, &a, err);
    if (code != HW_OK)
        return code;
    t->exact_done += a.status == HW_OPTIMAL;
    t->exact_seconds[t->n_exact++] = a.seconds;
    hw_answer_clear(&a);
    return HW_OK;
}

static hw_code take_graph(hw_claim_run *run, tally *t, size_t f, size_t k, uint32_t index,
                          hw_error *err)
{
    const hw_structure_limits limits = {.width_nodes = 64, .down_sets = UINT64_C(1) << 21};
    char spec[HW_SHEET_SPEC];
    hw_graph *g = NULL;
    hw_model *m = NULL;
    hw_structure s;
    (void)snprintf(spec, sizeof spec, "%s,n=%u", hw_strata_families[f].spec, (unsigned)nodes[k]);
    hw_code code = hw_claim_generate(spec, hw_claim_seed(run), index, &g, err);
    if (code == HW_OK)
        code = hw_structure_find(g, limits, &s, err);
    if (code == HW_OK && (!s.has_orders || !s.has_width))
        code = hw_fail(err, HW_CHECK_FAILED, "the orders of %s could not be counted", g->name);
    if (code == HW_OK)
        code = hw_model_new(g, HW_ALLOC_FIRST, false, &m, err);
    if (code == HW_OK) {
        double orders = as_real(&s);
        orders_cell *c = &t->cell[f][k];
        c->log10[c->n++] = log10(orders);
        c->beyond += orders > within_seconds;
        t->most[k] = orders > t->most[k] ? orders : t->most[k];
        if (nodes[k] == LARGE) {
            t->wide[s.width]++;
            t->wide_beyond[s.width] += orders > within_seconds;
        }
    }
    if (code == HW_OK && nodes[k] <= SMALL)
        code = enumerate_all(run, t, m, &s, err);
    if (code == HW_OK && nodes[k] == LARGE)
        code = beyond_enumeration(run, t, m, err);
    hw_model_free(m);
    hw_graph_free(g);
    return code;
}

/* ---- Telling. ---- */

static hw_code tell_families(hw_claim_run *run, tally *t, size_t *n_beyond, hw_error *err)
{
    hw_code code = HW_OK;
    *n_beyond = 0;
    for (size_t f = 0; code == HW_OK && f < hw_n_strata_families; f++) {
        char medians[120] = "";
        size_t length = 0;
        for (size_t k = 0; k < N_NODES; k++) {
            orders_cell *of = &t->cell[f][k];
            hw_sort_reals(of->log10, of->n);
            if (of->n > 0)
                length += (size_t)snprintf(medians + length, sizeof medians - length,
                                           "%s10^%.1f at %u", length ? ", " : "",
                                           hw_quantile(of->log10, of->n, 0.5), (unsigned)nodes[k]);
        }
        const orders_cell *c = &t->cell[f][N_NODES - 1];
        bool beyond = 2 * c->beyond > c->n;
        *n_beyond += beyond;
        code = hw_claim_reading(run, hw_strata_families[f].name, beyond, err,
                                "median orders %s nodes (there at most 10^%.1f); more than 10^9 on "
                                "%u of %u",
                                medians, c->log10[c->n - 1], c->beyond, c->n);
    }
    return code;
}

/*
 * The width from which on graphs of 20 nodes have more orders than can be had
 * within seconds: the one that tells best, by the graphs on the wrong side.
 */
static uint32_t telling_width(const tally *t, uint64_t *wrong)
{
    uint32_t best = 0;
    *wrong = UINT64_MAX;
    for (uint32_t w = 0; w <= MOST_WIDTH; w++) {
        uint64_t off = 0;
        for (uint32_t i = 0; i <= MOST_WIDTH; i++)
            off += i < w ? t->wide_beyond[i] : t->wide[i] - t->wide_beyond[i];
        if (off < *wrong) {
            *wrong = off;
            best = w;
        }
    }
    return best;
}

static hw_code tell_numbers(hw_claim_run *run, tally *t, uint64_t graphs, uint64_t beyond,
                            hw_error *err)
{
    hw_sort_reals(t->exact_seconds, t->n_exact);
    hw_sort_reals(t->small_seconds, t->n_small);
    const struct {
        const char *name, *unit;
        double value;
    } numbers[] = {
        {"most-orders-9", "count", t->most[1]},
        {"most-orders-10", "count", t->most[2]},
        {"beyond-at-20", "share", (double)beyond / (double)graphs},
        {"compared", "count", (double)t->compared},
        {"pruned-at-20", "share", (double)t->pruned_done / (double)t->pruned_n},
        {"exact-at-20", "share", (double)t->exact_done / (double)t->pruned_n},
        {"exact-median-time", "seconds", hw_quantile(t->exact_seconds, t->n_exact, 0.5)},
        {"exact-longest-time", "seconds", hw_quantile(t->exact_seconds, t->n_exact, 1)},
        {"enumeration-9-longest-time", "seconds", hw_quantile(t->small_seconds, t->n_small, 1)},
    };
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < sizeof numbers / sizeof numbers[0]; i++)
        code = hw_claim_number(run, numbers[i].name, numbers[i].value, numbers[i].unit, err);
    if (code == HW_OK && t->seconds > 0)
        code = hw_claim_measured(run, "orders-a-second", t->orders / t->seconds, "1/s", err);
    return code;
}

static hw_code decide(hw_claim_run *run, tally *t, hw_error *err)
{
    size_t n_beyond = 0;
    uint64_t graphs = 0, beyond = 0, wrong;
    hw_code code = tell_families(run, t, &n_beyond, err);
    uint32_t width = telling_width(t, &wrong);
    for (uint32_t w = 0; w <= MOST_WIDTH; w++) {
        graphs += t->wide[w];
        beyond += t->wide_beyond[w];
    }
    bool small = t->most[1] <= within_seconds && t->most[2] <= within_seconds;
    if (code == HW_OK)
        code = hw_claim_reading(run, "below 10 nodes all orders are had within seconds", small, err,
                                "%" PRIu64 " graphs enumerated one by one; the most orders of one "
                                "with 9 nodes are %.0f, with 10 %.0f; no graph has more than 9! or "
                                "10!",
                                t->compared, t->most[1], t->most[2]);
    if (code == HW_OK)
        code = hw_claim_reading(run, "at 20 nodes, pruned or exact", false, err,
                                "of %" PRIu64 " graphs enumeration with pruning settles %.1f %% in "
                                "a million states, the exact search %.1f %%",
                                t->pruned_n, 100 * (double)t->pruned_done / (double)t->pruned_n,
                                100 * (double)t->exact_done / (double)t->pruned_n);
    if (code == HW_OK)
        code = tell_numbers(run, t, graphs, beyond, err);
    bool everywhere = n_beyond == hw_n_strata_families;
    if (code == HW_OK && small && !everywhere && n_beyond > 0)
        code = hw_claim_condition(run, err,
                                  "the graph of 20 nodes is at least %u nodes wide (of %" PRIu64
                                  " graphs %" PRIu64 " lie on the wrong side of this)",
                                  width, graphs, wrong);
    if (code != HW_OK)
        return code;
    return hw_claim_conclude(
        run,
        !small || n_beyond == 0 ? HW_VERDICT_FAILS
        : everywhere            ? HW_VERDICT_HOLDS
                                : HW_VERDICT_HOLDS_ONLY_IF,
        err,
        "Below 10 nodes every order was enumerated ({enumeration-9-longest-time} at most); at 20 "
        "nodes %.1f %% of the graphs have more than 10^9 orders, most of them so in %zu of %zu "
        "families; the exact search answers on %.1f %% (median {exact-median-time})",
        100 * (double)beyond / (double)graphs, n_beyond, hw_n_strata_families,
        100 * (double)t->exact_done / (double)t->pruned_n);
}

static hw_code make_room(tally *t, hw_error *err)
{
    size_t most = hw_n_strata_families * (size_t)t->each;
    bool fine = hw_n_strata_families <= MOST_FAMILIES;
    t->exact_seconds = HW_NEW(double, most);
    t->small_seconds = HW_NEW(double, 2 * most);
    for (size_t f = 0; fine && f < hw_n_strata_families; f++)
        for (size_t k = 0; fine && k < N_NODES; k++)
            fine = (t->cell[f][k].log10 = HW_NEW(double, t->each)) != NULL;
    return fine && t->exact_seconds && t->small_seconds ? HW_OK : hw_fail_memory(err, "counts");
}

hw_code hw_claim_c04(hw_claim_run *run, hw_error *err)
{
    tally *t = HW_NEW0(tally, 1);
    if (!t)
        return hw_fail_memory(err, "counts");
    t->each = hw_claim_effort(run, 3, 40);
    hw_code code = make_room(t, err);
    for (size_t f = 0; code == HW_OK && f < hw_n_strata_families; f++)
        for (size_t k = 0; code == HW_OK && k < N_NODES; k++)
            for (uint32_t i = 0; code == HW_OK && i < t->each; i++)
                if (hw_strata_families[f].most_of_n <= (nodes[k] - 1) / 2.0)
                    code = take_graph(run, t, f, k, i, err);
    if (code == HW_OK)
        code = decide(run, t, err);
    for (size_t f = 0; f < hw_n_strata_families; f++)
        for (size_t k = 0; k < N_NODES; k++)
            free(t->cell[f][k].log10);
    free(t->exact_seconds);
    free(t->small_seconds);
    free(t);
    return code;
}
