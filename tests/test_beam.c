/*
 * beam, beam-reverse, best-of-both: the walk against the simulator, wide beams
 * against dp, narrow ones against the optimum, limits, and graphs on which
 * prefixes stay far apart.
 *
 * HW_BEAM_GRAPHS (1500): graphs for the comparison with dp; HW_BEAM_SEED (0):
 * where they begin.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/sim.h"
#include "solvers/beam_pool.h"
#include "solvers/beam_way.h"
#include "support_draft.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* ---- The walk: any prefix, reached on any way, is the simulator's. ---- */

/* Live after exactly the nodes with in[v] have run, and all keys of the ready ones. */
static void expect_prefix(beam_walk *w, const bool *moved)
{
    const hw_model *m = w->m;
    static bool in[DRAFT_NODES];
    uint32_t n_ready = 0;
    hw_sim s;
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    uint32_t *order = calloc(m->n_nodes, sizeof *order);
    assert_non_null(order);
    assert_int_equal(hw_graph_level_order(m->graph, order, NULL), HW_OK);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        in[v] = w->backwards ? !moved[m->n_nodes - 1 - v] : moved[v];
    for (uint32_t i = 0; i < m->n_nodes; i++)
        if (in[order[i]])
            (void)hw_sim_step(&s, order[i]);
    assert_true(w->live == s.live);
    for (uint32_t item = 0; item < m->n_nodes; item++) {
        uint32_t v = beam_walk_node(w, item);
        bool ready = !moved[item];
        const uint32_t *offset = w->previous->offset + v;
        for (uint32_t i = offset[0]; i < offset[1]; i++)
            ready &= moved[beam_walk_node(w, w->previous->item[i])];
        assert_true(moved[item] || hw_heap_holds(&w->ready, item) == ready);
        n_ready += ready;
        if (!ready)
            continue;
        hw_key key = hw_heap_key(&w->ready, item);
        uint64_t peak = s.peak, net, usage;
        int64_t step = s.peak_step;
        if (w->backwards) {
            hw_sim_undo(&s, v, peak, step);
            net = 0 - hw_sim_net(&s, v);
            usage = hw_sim_usage(&s, v);
            (void)hw_sim_step(&s, v);
        } else {
            net = hw_sim_net(&s, v);
            usage = hw_sim_usage(&s, v);
        }
        assert_true(hw_net_of_key(key) == net && beam_walk_usage(w, key) == usage);
    }
    assert_int_equal(w->ready.count, n_ready);
    hw_sim_free(&s);
    free(order);
}

static bool may_undo(const beam_walk *w, const bool *moved, uint32_t item)
{
    const uint32_t *offset = w->next->offset + beam_walk_node(w, item);
    for (uint32_t i = offset[0]; i < offset[1]; i++)
        if (moved[beam_walk_node(w, w->next->item[i])])
            return false;
    return moved[item];
}

static void walks_to_and_fro(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FEWER(300); seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 30, DRAW_RICH);
        hw_model *m = test_model(g, (hw_accounting)(seed / 2 % 2), false);
        bool moved[DRAFT_NODES] = {false};
        uint64_t draw = seed;
        beam_walk w;
        assert_int_equal(beam_walk_open(&w, m, seed % 2, NULL), HW_OK);
        expect_prefix(&w, moved);
        for (int step = 0; step < 60; step++) {
            uint32_t item = (uint32_t)draft_below(&draw, m->n_nodes);
            if (may_undo(&w, moved, item))
                beam_walk_undo(&w, item);
            else if (!moved[item] && hw_heap_holds(&w.ready, item))
                beam_walk_do(&w, item);
            else
                continue;
            moved[item] = !moved[item];
            expect_prefix(&w, moved);
        }
        beam_walk_close(&w);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

/* ---- The pool, against a sorted list. ---- */

static bool ranks_before(const beam_child *a, const beam_child *b)
{
    if (a->peak != b->peak)
        return a->peak < b->peak;
    if (a->live != b->live)
        return a->live < b->live;
    return a->tie < b->tie;
}

static void pool_keeps_the_best(void **state)
{
    (void)state;
    enum { MOST = 400 };
    for (uint64_t seed = 0; seed < FEWER(400); seed++) {
        static beam_child all[MOST];
        uint32_t width = 1 + (uint32_t)(seed % 40), n = 0;
        uint64_t draw = seed;
        beam_pool p;
        beam_pool_init(&p, width);
        for (int round = 0; round < 2; round++) { /* a level, and the next */
            n = 0;
            beam_pool_clear(&p);
            for (uint32_t i = 0; i < 1 + seed; i++) {
                beam_child c = {.peak = draft_below(&draw, 8),
                                .live = draft_below(&draw, 8),
                                .tie = draft_below(&draw, 1000000),
                                .hash = 1 + draft_below(&draw, 1 + seed / 2) * 64,
                                .parent = i};
                if (!beam_pool_wants(&p, c.peak, c.live))
                    continue; /* then `width` others are better, by the comparison below */
                assert_true(beam_pool_offer(&p, &c));
                uint32_t at = 0;
                for (; at < n && all[at].hash != c.hash; at++)
                    ;
                if (at == n)
                    all[n++] = c;
                else if (ranks_before(&c, &all[at]))
                    all[at] = c;
            }
            beam_pool_settle(&p, width);
            assert_true(p.count == (n < width ? n : width));
            for (size_t i = 0; i < p.count; i++) {
                uint32_t better = 0, same = 0;
                for (uint32_t k = 0; k < n; k++) {
                    better += ranks_before(&all[k], &p.child[i]);
                    same += all[k].parent == p.child[i].parent;
                }
                assert_true(better < width && same == 1);
            }
        }
        beam_pool_free(&p);
    }
}

/* ---- Wide beams are exact; legal orders everywhere. ---- */

static uint64_t setting(const char *name, uint64_t preset)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : preset;
}

static void expect_solved(const hw_model *m, const char *spec, uint64_t least, uint64_t most,
                          uint64_t seed)
{
    hw_answer a = test_solve(m, spec);
    assert_true(a.has_order == m->legal);
    if (a.has_order && (a.peak < least || a.peak > most))
        fail_msg("graph %llu, %s, %s: %llu, not %llu to %llu", (unsigned long long)seed, spec,
                 hw_accounting_name(m->accounting), (unsigned long long)a.peak,
                 (unsigned long long)least, (unsigned long long)most);
    hw_answer_clear(&a);
}

static void wide_beams_are_exact(void **state)
{
    (void)state;
    static const char *const wide[] = {
        "beam:width=4096,direction=forward", "beam:width=4096,direction=reverse",
        "beam:width=600,candidates=12", "beam-reverse:width=4096", "best-of-both:width=4096"};
    static const char *const narrow[] = {"beam:width=1", "beam:width=2,candidates=1",
                                         "beam:width=3,direction=forward", "beam-reverse:width=2",
                                         "best-of-both:width=1"};
    uint64_t first = setting("HW_BEAM_SEED", 0), graphs = setting("HW_BEAM_GRAPHS", 1500);
    uint64_t with_windows = 0, solved = 0;
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = draft_graph(seed, seed % 13, seed % 3 ? DRAW_RICH : DRAW_ALL);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            if (!m)
                continue;
            hw_answer best = test_solve(m, "dp");
            assert_true(best.status == (m->legal ? HW_OPTIMAL : HW_INFEASIBLE));
            for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
                expect_solved(m, wide[i], best.peak, best.peak, seed);
            for (size_t i = 0; i < sizeof narrow / sizeof narrow[0]; i++)
                expect_solved(m, narrow[i], best.peak, UINT64_MAX, seed);
            with_windows += m->legal && m->earliest;
            solved += m->legal;
            hw_answer_clear(&best);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# beam: %llu graphs, %llu answers of dp met by wide beams, %llu with windows\n",
                  (unsigned long long)graphs, (unsigned long long)solved,
                  (unsigned long long)with_windows);
    assert_true(graphs < 1000 || with_windows > graphs / 4);
}

/* Windows in which a narrow beam must never walk into a dead end. */
static void windows_have_no_dead_ends(void **state)
{
    (void)state;
    static const char *const specs[] = {"beam:width=1,direction=forward",
                                        "beam:width=5,direction=reverse", "beam:width=2",
                                        "best-of-both:width=2"};
    uint32_t legal = 0;
    for (uint64_t seed = 0; seed < FEWER(600); seed++) {
        hw_graph *g = draft_graph(seed, 10 + seed % 40, DRAW_PLAIN | DRAW_WINDOWS | DRAW_CONTROL);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), false);
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
            expect_solved(m, specs[i], 0, UINT64_MAX, seed);
        legal += m->legal;
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(legal > FEWER(200));
}

/* ---- Wider is better on average; the other end is worth trying. ---- */

static const char *const families[] = {"layered:n=40", "erdos:n=40,degree=1.5",
                                       "erdos:n=40,degree=2", "tree:n=40,direction=in",
                                       "randwire:n=40"};
enum { N_FAMILIES = sizeof families / sizeof families[0], INSTANCES = 20 };

/* Mean of peak over optimum on a family; INSTANCES graphs. */
static void measure(const char *family, const char *const *specs, size_t n, double *mean)
{
    for (size_t i = 0; i < n; i++)
        mean[i] = 0;
    for (uint64_t index = 0; index < INSTANCES; index++) {
        hw_graph *g = test_instance(family, index);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        hw_answer best = test_solve(m, "exact");
        assert_int_equal(best.status, HW_OPTIMAL);
        for (size_t i = 0; i < n; i++) {
            hw_answer a = test_solve(m, specs[i]);
            assert_true(a.has_order && a.peak >= best.peak);
            mean[i] += (double)a.peak / (double)best.peak / INSTANCES;
            hw_answer_clear(&a);
        }
        hw_answer_clear(&best);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void wider_is_better_on_average(void **state)
{
    (void)state;
    static const char *const widths[] = {
        "beam:width=1,direction=forward", "beam:width=4,direction=forward",
        "beam:width=16,direction=forward", "beam:width=64,direction=forward",
        "beam:width=256,direction=forward"};
    enum { N_WIDTHS = sizeof widths / sizeof widths[0] };
    double sum[N_WIDTHS] = {0}, mean[N_WIDTHS];
    for (size_t f = 0; f < N_FAMILIES; f++) {
        measure(families[f], widths, N_WIDTHS, mean);
        for (size_t i = 0; i < N_WIDTHS; i++)
            sum[i] += mean[i] / N_FAMILIES;
    }
    for (size_t i = 0; i < N_WIDTHS; i++)
        print_message("# %-34s %.4f of the optimum\n", widths[i], sum[i]);
    for (size_t i = 1; i < N_WIDTHS; i++)
        assert_true(sum[i] < sum[i - 1]);
}

static void from_the_sinks(void **state)
{
    (void)state;
    enum { FORWARD, REVERSE, BEAM, BOTH, N_SPECS };
    static const char *const specs[N_SPECS] = {"greedy", "greedy-reverse", "beam-reverse",
                                               "best-of-both"};
    double sum[N_SPECS] = {0}, mean[N_SPECS];
    for (size_t f = 0; f < N_FAMILIES; f++) {
        measure(families[f], specs, N_SPECS, mean);
        print_message("# %-24s greedy %.3f, greedy-reverse %.3f, beam-reverse %.3f, best-of-both "
                      "%.3f of the optimum\n",
                      families[f], mean[FORWARD], mean[REVERSE], mean[BEAM], mean[BOTH]);
        /* Excess over the optimum. */
        assert_true(mean[REVERSE] - 1 < 0.8 * (mean[FORWARD] - 1));
        assert_true(mean[BEAM] - 1 < 0.5 * (mean[FORWARD] - 1));
        assert_true(mean[BOTH] <= mean[REVERSE] && mean[BOTH] <= mean[FORWARD]);
        for (size_t i = 0; i < N_SPECS; i++)
            sum[i] += (mean[i] - 1) / N_FAMILIES;
    }
    assert_true(sum[REVERSE] < 0.4 * sum[FORWARD]);
    assert_true(sum[BEAM] < 0.1 * sum[FORWARD] && sum[BOTH] < 0.05 * sum[FORWARD]);
}

/* ---- Limits. ---- */

static void limits_stop(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=200", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer whole = test_solve(m, "beam-reverse:width=4");
    assert_true(whole.has_order && !whole.limit_reached && whole.states <= 4 * UINT64_C(200));
    hw_request request = {.limits = {.states = whole.states}};
    hw_answer same = test_solve_with(m, "beam-reverse:width=4", request);
    assert_true(same.has_order && !same.limit_reached && same.peak == whole.peak);
    assert_memory_equal(same.order, whole.order, m->n_nodes * sizeof *same.order);
    request.limits.states--;
    hw_answer cut = test_solve_with(m, "beam-reverse:width=4", request);
    assert_true(!cut.has_order && cut.limit_reached && cut.states == request.limits.states);
    hw_answer_clear(&cut);
    /* The first of two ends is enough for an order, but not for the answer. */
    request.limits.states++;
    hw_answer half = test_solve_with(m, "beam:width=4", request);
    assert_true(half.has_order && half.limit_reached && half.peak == whole.peak);
    /* So is a greedy order. */
    request.limits.states = 250;
    hw_answer greedy = test_solve_with(m, "best-of-both:width=4", request);
    assert_true(greedy.has_order && greedy.limit_reached && greedy.states == 250);
    /* A budget that is met ends the search. */
    hw_request budget = {.has_budget = true, .budget_bytes = whole.peak};
    hw_answer fits = test_solve_with(m, "beam:width=4", budget);
    assert_true(fits.has_order && !fits.limit_reached && fits.states == whole.states);
    /* So does too little memory. */
    hw_request small = {.limits = {.memory_bytes = 6000}};
    hw_answer none = test_solve_with(m, "beam:width=4", small);
    assert_true(!none.has_order && none.limit_reached && none.states <= 1);
    hw_answer_clear(&whole);
    hw_answer_clear(&same);
    hw_answer_clear(&half);
    hw_answer_clear(&greedy);
    hw_answer_clear(&fits);
    hw_answer_clear(&none);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Prefixes that stay far apart. ---- */

/*
 * Two chains, the i-th tensors of both of 1000 sqrt(i) bytes: of all sets of
 * one size those near the ends of one chain hold least, so half of the beam
 * runs up each.  The work space of the first nodes hides all later peaks.
 */
static hw_graph *two_ends(uint32_t half)
{
    hw_graph *g = NULL;
    hw_builder *b = hw_builder_new();
    uint64_t root = 0;
    assert_non_null(b);
    for (uint64_t v = 0; v < 2 * (uint64_t)half; v++) {
        uint64_t in = v - 2, wanted = 1000000 * (v / 2 + 1);
        while (root * root < wanted)
            root++;
        hw_node_spec spec = {.id = v,
                             .inputs = &in,
                             .n_inputs = v >= 2,
                             .outputs = &v,
                             .n_outputs = 1,
                             .workspace = v < 2 ? UINT64_C(1000000000) : 0};
        hw_kind kind = v / 2 + 1 == half ? HW_OUTPUT : HW_ACTIVATION;
        assert_int_equal(hw_builder_tensor(b, v, root, kind, NULL, NULL), HW_OK);
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    return g;
}

/* Prefixes on all levels but the last, of a beam of this width that is never cut. */
static uint64_t count_prefixes(uint32_t half, uint32_t width)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < 2 * half; k++) {
        uint32_t level = k < half ? k + 1 : 2 * half - k + 1;
        sum += level < width ? level : width;
    }
    return sum;
}

static void far_apart_is_cut_short(void **state)
{
    (void)state;
    enum { LONG = 50000, SHORT = 600 };
    hw_graph *g = two_ends(LONG);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "beam:width=8,direction=forward");
    assert_true(a.has_order);
    /* Both ends kept to the last would take 10^10 moves. */
    assert_true(a.states < count_prefixes(LONG, 8) && a.states > 2 * UINT64_C(7) * LONG);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
    /* A beam that leaves nothing out is not cut, however far apart. */
    g = two_ends(SHORT);
    m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer full = test_solve(m, "beam:width=601,direction=forward");
    assert_true(full.states == count_prefixes(SHORT, SHORT + 1));
    hw_answer_clear(&full);
    hw_model_free(m);
    hw_graph_free(g);
}

/* One tensor of 100,000 consumers, as many inputs of a node, a path, no edges at all. */
static void large_shapes(void **state)
{
    (void)state;
    static const char *const shapes[] = {
        "chains:n=100001,branches=100000,fork=yes,join=no", "chains:n=100001,branches=100000",
        "chains:n=100000,branches=1,join=no", "chains:n=100000,branches=100000,join=no"};
    static const char *const specs[] = {"beam:width=8", "lookahead:k=8", "greedy-reverse"};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        hw_graph *g = test_instance(shapes[s], 0);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            hw_answer a = test_solve(m, specs[i]);
            assert_true(a.has_order);
            if (a.cpu_seconds > 20) /* less than 2 as a rule; quadratic: minutes */
                fail_msg("%s on %s took %.1f s", specs[i], shapes[s], a.cpu_seconds);
            hw_answer_clear(&a);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_to_and_fro),
        cmocka_unit_test(pool_keeps_the_best),
        cmocka_unit_test(wide_beams_are_exact),
        cmocka_unit_test(windows_have_no_dead_ends),
        cmocka_unit_test(wider_is_better_on_average),
        cmocka_unit_test(from_the_sinks),
        cmocka_unit_test(limits_stop),
        cmocka_unit_test(far_apart_is_cut_short),
        cmocka_unit_test(large_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
