/*
 * lns: the measure of an order by stretches against the simulator, merges
 * against all interleavings, and the solver against optima, limits and size.
 *
 * HW_LNS_GRAPHS: graphs of each mass test (300), the first of them
 * HW_LNS_FIRST (0).  HW_LNS_NODES: nodes of the large graph (50,000).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "model/sim.h"
#include "solvers/lns.h"
#include "solvers/lns_exact.h"
#include "solvers/lns_merge.h"
#include "solvers/lns_parts.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

static uint64_t graphs(void)
{
    return environment_number("HW_LNS_GRAPHS", FEWER(300));
}

static uint64_t first_graph(void)
{
    return environment_number("HW_LNS_FIRST", 0);
}

/* ---- The measure. ---- */

static void expect_measure(const local_order *l)
{
    const hw_model *m = l->m;
    hw_sim sim;
    assert_int_equal(hw_sim_init(&sim, m, NULL), HW_OK);
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t v = l->order[i];
        assert_int_equal(l->position[v], i);
        assert_true(l->live[i] == sim.live);
        assert_true(l->usage[i] == hw_sim_usage(&sim, v));
        (void)hw_sim_step(&sim, v);
    }
    assert_true(l->live[l->n] == sim.live);
    assert_true(local_order_peak(l) == sim.peak);
    hw_sim_free(&sim);
}

static void expect_finds(const local_order *l, uint64_t *state)
{
    for (int k = 0; k < 4; k++) {
        uint64_t bytes = 1 + l->usage[draft_below(state, l->n)];
        uint32_t from = (uint32_t)draft_below(state, l->n + 1), at = from;
        while (at < l->n && l->usage[at] < bytes)
            at++;
        assert_int_equal(local_order_find(l, from, bytes), at);
        if (bytes <= l->most[1])
            assert_true(l->usage[local_order_draw(l, draft_u64(state), bytes)] >= bytes);
    }
}

/* A random legal rearrangement of a stretch: who is ready, by what stands before. */
static void rearrange(const local_order *l, uint32_t low, uint32_t high, uint64_t *state)
{
    const hw_rows *preds = &l->m->graph->preds;
    bool done[DRAFT_NODES];
    uint32_t found[DRAFT_NODES];
    for (uint32_t v = 0; v < l->n; v++)
        done[v] = l->position[v] < low;
    for (uint32_t step = low; step < high; step++) {
        uint32_t at = (uint32_t)draft_below(state, high - low), v;
        for (bool ready = false; !ready; at = (at + 1) % (high - low)) {
            v = l->order[low + at];
            ready = !done[v];
            for (uint32_t i = preds->offset[v]; i < preds->offset[v + 1]; i++)
                ready = ready && done[preds->item[i]];
            if (ready)
                found[step - low] = v;
        }
        done[found[step - low]] = true;
    }
    memcpy(l->order + low, found, (high - low) * sizeof *found);
}

static void stretches_are_measured(void **state)
{
    (void)state;
    for (uint64_t seed = first_graph(); seed < first_graph() + graphs(); seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 30, DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 3 == 0);
        uint32_t order[DRAFT_NODES];
        uint64_t draw = seed;
        local_order l;
        if (m && draft_order(m, &draw, order)) {
            assert_int_equal(local_order_open(&l, m, order, NULL), HW_OK);
            expect_measure(&l);
            for (int k = 0; k < 10; k++) {
                uint32_t low = (uint32_t)draft_below(&draw, l.n);
                uint32_t high = low + 1 + (uint32_t)draft_below(&draw, l.n - low);
                rearrange(&l, low, high, &draw);
                local_order_relay(&l, low, high);
                expect_measure(&l);
                expect_finds(&l, &draw);
            }
            local_order_close(&l);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* ---- Merges: against all interleavings of the two parts. ---- */

typedef struct merges {
    const local_order *l;
    const lns_penalty *penalty;
    uint32_t low, n[2];
    uint32_t part[2][DRAFT_NODES];
    uint64_t least, count;
} merges;

static void try_merges(merges *x, hw_sim *sim, bool *done, uint32_t i, uint32_t j, uint64_t cost)
{
    const hw_model *m = x->l->m;
    const hw_rows *preds = &m->graph->preds;
    if (i == x->n[0] && j == x->n[1]) {
        x->count++;
        x->least = cost < x->least ? cost : x->least;
        return;
    }
    for (int s = 0; s < 2; s++) {
        uint32_t at = s ? j : i, position = x->low + i + j;
        if (at == x->n[s])
            continue;
        uint32_t v = x->part[s][at];
        bool legal = !m->earliest || (position >= m->earliest[v] && position <= m->latest[v]);
        for (uint32_t k = preds->offset[v]; k < preds->offset[v + 1]; k++)
            legal = legal && done[preds->item[k]];
        uint64_t usage = legal ? hw_sim_usage(sim, v) : 0, peak = sim->peak;
        int64_t peak_step = sim->peak_step;
        if (!legal || usage > x->penalty->cap)
            continue;
        (void)hw_sim_step(sim, v);
        done[v] = true;
        try_merges(x, sim, done, s ? i : i + 1, s ? j + 1 : j,
                   cost + lns_penalty_of(x->penalty, usage));
        done[v] = false;
        hw_sim_undo(sim, v, peak, peak_step);
    }
}

static uint64_t least_merge(const local_order *l, const uint8_t *side, uint32_t low, uint32_t high,
                            const lns_penalty *penalty)
{
    merges x = {.l = l, .penalty = penalty, .low = low, .least = UINT64_MAX};
    bool done[DRAFT_NODES] = {false};
    hw_sim sim;
    assert_int_equal(hw_sim_init(&sim, l->m, NULL), HW_OK);
    for (uint32_t i = 0; i < high; i++) {
        if (i < low) {
            (void)hw_sim_step(&sim, l->order[i]);
            done[l->order[i]] = true;
        } else {
            uint32_t s = side[i - low];
            x.part[s][x.n[s]++] = l->order[i];
        }
    }
    try_merges(&x, &sim, done, 0, 0, 0);
    hw_sim_free(&sim);
    return x.least;
}

static void expect_best_merge(local_order *l, lns_merge *g, gsl_rng *rng, uint64_t *draw)
{
    uint32_t queue[DRAFT_NODES], size = 2 + (uint32_t)draft_below(draw, l->n < 13 ? l->n - 1 : 12);
    uint32_t low = (uint32_t)draft_below(draw, l->n - size + 1), high = low + size;
    uint64_t peak = local_order_peak(l), cells, cost;
    lns_penalty penalty = {.level = peak - draft_below(draw, peak / 2 + 1), .cap = peak};
    while ((penalty.cap - penalty.level) >> penalty.shift >> 18)
        penalty.shift++;
    lns_part_draw(l, (lns_rule)draft_below(draw, LNS_N_RULES), low, high,
                  low + (uint32_t)draft_below(draw, size), 1 + (uint32_t)draft_below(draw, size),
                  rng, queue, g->side);
    uint8_t side[DRAFT_NODES];
    memcpy(side, g->side, size);
    uint64_t least = least_merge(l, side, low, high, &penalty), before = 0, outside = 0;
    for (uint32_t i = low; i < high; i++)
        before += lns_penalty_of(&penalty, l->usage[i]);
    uint32_t from = low, to = high;
    bool any = lns_part_trim(l, g->side, &from, &to);
    for (uint32_t i = low; i < high; i++)
        if (i < from || i >= to)
            outside += lns_penalty_of(&penalty, l->usage[i]);
    if (!any) { /* trimming may give up only where nothing can be gained */
        assert_true(least == before);
        return;
    }
    for (uint32_t i = 0; i < to - from; i++)
        g->weight[i] = LNS_WEIGHT;
    assert_true(lns_merge_run(g, l, from, to, &penalty, draft_u64(draw) & 1, &cells, &cost));
    assert_true(cost + outside == least && cells >= to - from + 1);
    memcpy(l->order + from, g->found, (to - from) * sizeof *g->found);
    local_order_relay(l, from, to);
    expect_measure(l);
    uint64_t after = 0;
    for (uint32_t i = low; i < high; i++)
        after += lns_penalty_of(&penalty, l->usage[i]);
    assert_true(after == least && after <= before);
}

static void merges_are_best(void **state)
{
    (void)state;
    uint64_t merged = 0;
    gsl_rng *rng = hw_rng_new(1);
    for (uint64_t seed = first_graph(); seed < first_graph() + graphs(); seed++) {
        hw_graph *g = draft_graph(seed, 2 + seed % 25, seed % 3 ? DRAW_ALL : DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 5 == 0);
        uint32_t order[DRAFT_NODES];
        uint64_t draw = seed;
        if (m && m->legal && draft_order(m, &draw, order)) {
            local_order l;
            lns_merge merge;
            assert_int_equal(local_order_open(&l, m, order, NULL), HW_OK);
            assert_int_equal(lns_merge_open(&merge, m, m->n_nodes, 1000, NULL), HW_OK);
            for (int k = 0; k < 12; k++, merged++)
                expect_best_merge(&l, &merge, rng, &draw);
            lns_merge_close(&merge);
            local_order_close(&l);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    gsl_rng_free(rng);
    assert_true(merged > graphs());
}

/* A grid that is larger than the room is refused, and nothing is written beyond it. */
static void large_grids_are_refused(void **state)
{
    (void)state;
    hw_graph *g = draft_graph(3, 60, DRAW_PLAIN);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    uint32_t order[DRAFT_NODES];
    uint64_t draw = 1, cells, cost;
    local_order l;
    lns_merge merge;
    assert_true(draft_order(m, &draw, order));
    assert_int_equal(local_order_open(&l, m, order, NULL), HW_OK);
    assert_int_equal(lns_merge_open(&merge, m, 60, 61, NULL), HW_OK);
    const lns_penalty penalty = {.cap = local_order_peak(&l), .shift = 10};
    for (uint32_t i = 0; i < 60; i++) {
        merge.side[i] = i % 2;
        merge.weight[i] = LNS_WEIGHT;
    }
    assert_false(lns_merge_run(&merge, &l, 0, 60, &penalty, false, &cells, &cost));
    memset(merge.side, 0, 60);
    assert_true(lns_merge_run(&merge, &l, 0, 60, &penalty, false, &cells, &cost));
    assert_true(cells == 61);
    assert_memory_equal(merge.found, order, 60 * sizeof *order);
    lns_merge_close(&merge);
    local_order_close(&l);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- The solver. ---- */

static const char *const ways[] = {"lns:patience=2", "lns:patience=2,exact=0",
                                   "lns:patience=2,start=level,exact=6", "lns:patience=2,window=3",
                                   "lns:patience=9,exact=0,start=greedy"};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* Legal by the driver's checker, between optimum and start; a proven bound is the optimum. */
static void answers_are_sound(void **state)
{
    (void)state;
    uint64_t optimal[WAYS] = {0}, all = 0;
    for (uint64_t seed = first_graph(); seed < first_graph() + graphs(); seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 13, seed % 3 ? DRAW_ALL : DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 5 == 0);
        if (m && m->legal) {
            hw_answer best = test_solve(m, "dp"), level = test_solve(m, "level");
            hw_answer greedy = test_solve(m, "greedy");
            for (int w = 0; w < WAYS; w++) {
                hw_answer a = test_solve_with(m, ways[w], (hw_request){.seed = seed});
                assert_true(a.has_order && a.peak >= best.peak && a.bound <= best.peak);
                assert_true(a.peak <= (w == 2 ? level.peak : greedy.peak));
                assert_false(a.limit_reached);
                optimal[w] += a.peak == best.peak;
                hw_answer_clear(&a);
            }
            all++;
            hw_answer_clear(&best);
            hw_answer_clear(&level);
            hw_answer_clear(&greedy);
        } else if (m) {
            hw_answer a = test_solve(m, ways[0]);
            assert_int_equal(a.status, HW_INFEASIBLE);
            hw_answer_clear(&a);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    (void)printf("# lns: %u graphs", (unsigned)all);
    for (int w = 0; w < WAYS; w++)
        (void)printf(", %u optimal by %s", (unsigned)optimal[w], ways[w]);
    (void)printf("\n");
    assert_true(optimal[0] == all);                              /* windows reach all of these */
    assert_true(10 * optimal[1] >= 9 * all && all > FEWER(100)); /* merges alone do not */
}

typedef struct heard {
    uint64_t peak, bound, states;
    double seconds;
    unsigned count;
} heard;

static void hear(void *context, const hw_progress *progress)
{
    heard *h = context;
    assert_true(progress->states >= h->states && progress->seconds >= h->seconds);
    assert_true(progress->bound >= h->bound);
    assert_true(!h->count || progress->peak < h->peak || progress->bound > h->bound);
    *h =
        (heard){progress->peak, progress->bound, progress->states, progress->seconds, h->count + 1};
}

/* More states never hurt; the same twice; the trace only falls. */
static void limits_and_traces(void **state)
{
    (void)state;
    static const char *const specs[] = {"erdos:n=200,degree=2", "layered:n=150", "tree:n=120"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 1);
        hw_model *m = test_model(g, (hw_accounting)(i % 2), false);
        hw_answer start = test_solve(m, "greedy-reverse");
        uint64_t before = UINT64_MAX;
        for (uint64_t states = 1000; states <= 64000; states *= 4) {
            heard h = {0};
            hw_request request = {
                .limits = {.states = states}, .seed = 5, .trace = hear, .trace_context = &h};
            hw_answer a = test_solve_with(m, "lns", request);
            hw_answer b = test_solve_with(
                m, "lns", request = (hw_request){.limits = {.states = states}, .seed = 5});
            assert_true(a.has_order && a.peak <= start.peak && a.peak <= before);
            assert_true(h.count > 0 && h.peak == a.peak);
            assert_true(a.limit_reached || a.peak == a.bound || a.states < states);
            assert_true(a.states < states + states / 10 + 40000);
            assert_true(a.peak == b.peak && a.states == b.states);
            assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
            before = a.peak;
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_answer_clear(&start);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void budgets_end_it(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=200,degree=2", 2);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer start = test_solve(m, "greedy-reverse");
    hw_request request = {.has_budget = true, .budget_bytes = start.peak - start.peak / 10};
    hw_answer fits = test_solve_with(m, "lns", request);
    assert_true(fits.has_order && fits.peak <= request.budget_bytes);
    assert_int_equal(fits.status, HW_FEASIBLE);
    request.has_budget = false;
    request.limits.states = 200000;
    hw_answer whole = test_solve_with(m, "lns", request);
    assert_true(whole.peak < fits.peak && whole.states > fits.states);
    hw_answer_clear(&start);
    hw_answer_clear(&fits);
    hw_answer_clear(&whole);
    hw_model_free(m);
    hw_graph_free(g);
}

/* What no single rule finds: proven optima of graphs of a hundred nodes. */
static void optima_are_found(void **state)
{
    (void)state;
    static const char *const specs[] = {"erdos:n=100,degree=2", "layered:n=100", "randwire:n=100",
                                        "random-order:n=100"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 0);
        hw_model *m = test_model(g, (hw_accounting)(i % 2), false);
        hw_answer best = test_solve(m, "exact");
        hw_answer a = test_solve_with(m, "lns", (hw_request){.limits = {.states = 150000}});
        assert_int_equal(best.status, HW_OPTIMAL);
        if (a.peak != best.peak)
            fail_msg("%s: %llu, not %llu", specs[i], (unsigned long long)a.peak,
                     (unsigned long long)best.peak);
        hw_answer_clear(&best);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* A large graph: in time, and better than its start. */
static void large_graphs_end_in_time(void **state)
{
    (void)state;
    char spec[64];
    uint64_t nodes = environment_number("HW_LNS_NODES", 50000), seconds = 1 + nodes / 50000;
    (void)snprintf(spec, sizeof spec, "erdos:n=%llu,degree=2,span=100", (unsigned long long)nodes);
    hw_graph *g = test_instance(spec, 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer greedy = test_solve(m, "greedy");
    hw_answer a = test_solve_with(m, "lns", (hw_request){.limits = {.seconds = (double)seconds}});
    assert_true(a.has_order && a.peak < greedy.peak);
    assert_true(a.seconds < 2 * (double)seconds + 1);
    hw_answer_clear(&greedy);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

static void bad_shapes(void **state)
{
    (void)state;
    static const char *const few[] = {"lns:patience=1", "lns:patience=1,start=level"};
    expect_shapes_solved(few, 2, 300);
    for (shape s = SHAPE_PATH; s < N_SHAPES; s++) {
        hw_graph *g = shape_graph(s, (uint32_t)environment_number("HW_LNS_NODES", 50000));
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer a =
            test_solve_with(m, "lns:start=level", (hw_request){.limits = {.seconds = 0.5}});
        assert_true(a.has_order);
        if (a.seconds > 2)
            fail_msg("%s: %g s", shape_name(s), a.seconds);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* Sizes near 2^63: sums that are no signed numbers. */
static void huge_sizes(void **state)
{
    (void)state;
    uint64_t lower = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        draft *d = draft_random(seed, 12, DRAW_OUTPUTS | DRAW_WORKSPACE | DRAW_INPLACE);
        hw_graph *g;
        assert_non_null(d);
        for (size_t t = 0; t < d->n_tensors; t++) /* of about 2^64 / 2 n together */
            d->tensor[t].size =
                UINT64_MAX / 2 / d->n_tensors / 1000 * (1 + d->tensor[t].size % 999);
        for (size_t v = 0; v < d->n_nodes; v++)
            d->node[v].workspace = d->node[v].workspace ? UINT64_MAX / 4 : 0;
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        hw_answer best = test_solve(m, "dp"), start = test_solve(m, "level");
        hw_answer a = test_solve(m, "lns:patience=3,start=level,exact=0");
        assert_true(a.peak >= best.peak && a.peak <= start.peak);
        lower += a.peak < start.peak;
        hw_answer_clear(&best);
        hw_answer_clear(&start);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    assert_true(lower > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_are_measured),
        cmocka_unit_test(merges_are_best),
        cmocka_unit_test(large_grids_are_refused),
        cmocka_unit_test(answers_are_sound),
        cmocka_unit_test(limits_and_traces),
        cmocka_unit_test(budgets_end_it),
        cmocka_unit_test(optima_are_found),
        cmocka_unit_test(large_graphs_end_in_time),
        cmocka_unit_test(bad_shapes),
        cmocka_unit_test(huge_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
