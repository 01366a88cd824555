/*
 * The wrong turn against the definitions: every prefix of an order is completed
 * by backtracking.  And what is told around it, by plain simulation.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>

#include "explain/explain.h"
#include "model/check.h"
#include "model/sim.h"
#include "solvers/exact_reach.h"
#include "tests/support_draft.h"
#include "tests/support_generate.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"

typedef struct counts {
    uint32_t models, turns, kept, late, lost_more;
} counts;

/* Legal, within the target, and the order's as far as the answer says. */
static void check_completion(const hw_model *m, const uint32_t *order, const uint32_t *completion,
                             uint32_t kept, uint64_t target)
{
    hw_check check;
    assert_int_equal(hw_check_order(m->graph, m->accounting == HW_FREE_FIRST, m->pin_inputs,
                                    completion, m->n_nodes, &check, NULL),
                     HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_true(check.peak <= target);
    assert_memory_equal(completion, order, kept * sizeof *order);
}

/* By the definitions: nodes of the longest reachable prefix; the least peak of the one after. */
static uint32_t defined_turn(const hw_model *m, const uint64_t *least, const uint32_t *order,
                             uint64_t target, uint64_t *after)
{
    uint32_t set = 0, kept = 0;
    hw_sim s;
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    *after = 0;
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        (void)hw_sim_step(&s, order[i]);
        set |= UINT32_C(1) << order[i];
        uint64_t reachable = s.peak > least[set] ? s.peak : least[set];
        if (reachable <= target) {
            assert_int_equal(kept, i);
            kept = i + 1;
        } else if (kept == i) {
            *after = reachable;
        }
    }
    hw_sim_free(&s);
    return kept;
}

/* exact_reach_find() answers the same question by another route. */
static void compare_reach(const hw_model *m, const uint32_t *order, const uint32_t *witness,
                          uint64_t target, uint32_t kept)
{
    const exact_options options = {.rules = {true, true, true, true, true},
                                   .memory_bytes = 1 << 26};
    hw_request request = {.limits = {.states = 0}};
    hw_meter meter;
    exact_reach reach;
    bool limited;
    hw_meter_start(&meter, &request);
    assert_int_equal(
        exact_reach_find(m, order, witness, target, &options, &meter, &reach, &limited, NULL),
        HW_OK);
    assert_true(!limited && reach.kept == kept && reach.lost == kept + 1);
}

static void compare(const hw_model *m, const uint64_t *least, uint64_t *state, counts *c)
{
    uint32_t order[64], completion[64], n = m->n_nodes;
    hw_request request = {.limits = {.states = 0}}, tight = {.limits = {.states = 3}};
    hw_answer best = test_solve(m, "dp");
    hw_error err = {0};
    assert_true(best.status == HW_OPTIMAL && best.peak == least[0]);
    for (int draw = 0; draw < 3; draw++) {
        uint64_t peak, known, bound, after, target = best.peak;
        hw_turn turn;
        assert_true(draft_order(m, state, order));
        assert_int_equal(hw_peak(m, order, &peak, NULL), HW_OK);
        if (draw == 2) /* above the optimum */
            target += (peak - best.peak) / 2;
        assert_int_equal(
            hw_turn_find(m, order, best.order, target, &request, &turn, completion, &err), HW_OK);
        uint32_t kept = defined_turn(m, least, order, target, &after);
        assert_true(turn.kept == kept && turn.lost == kept + 1);
        check_completion(m, order, completion, kept, target);
        compare_reach(m, order, best.order, target, kept);
        if (kept < n) {
            assert_int_equal(hw_turn_least(m, order, kept + 1, &request, &known, &bound, &err),
                             HW_OK);
            assert_true(known == after && bound == after);
            assert_true(completion[kept] != order[kept]);
        }
        /* Ended early, the answer is an interval that holds the truth. */
        assert_int_equal(
            hw_turn_find(m, order, best.order, target, &tight, &turn, completion, &err), HW_OK);
        assert_true(turn.kept <= kept && turn.lost > kept);
        check_completion(m, order, completion, turn.kept, target);
        c->turns += kept < n;
        c->kept += kept == n;
        c->late += kept > 0 && kept < n;
        c->lost_more += kept < n && after < peak;
    }
    c->models++;
    hw_answer_clear(&best);
}

static void sweep(bool windows, uint64_t most, counts *c)
{
    for (uint64_t i = 0; i < most; i++) {
        uint64_t state = 77 + i * 1000003;
        random_shape shape = random_any_shape(&state, 1, 9);
        shape.windows = windows;
        hw_graph *g = random_graph(&state, &shape);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (m && m->legal) {
                uint64_t *least = defined_completions(g, free_first, pin);
                compare(m, least, &state, c);
                free(least);
            }
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

/* HW_EXPLAIN_GRAPHS: so many times as many graphs. */
static uint64_t graphs(uint64_t usual)
{
    const char *text = getenv("HW_EXPLAIN_GRAPHS");
    return usual * (text ? strtoull(text, NULL, 10) : 1);
}

static void plain_graphs(void **unused)
{
    (void)unused;
    counts c = {0};
    sweep(false, graphs(800), &c);
    assert_true(c.models > 1000 && c.kept > 300 && c.turns > 1000 && c.late > 600 &&
                c.lost_more > 100);
}

static void graphs_with_windows(void **unused)
{
    (void)unused;
    counts c = {0};
    sweep(true, graphs(1500), &c);
    assert_true(c.models > 500 && c.kept > 150 && c.turns > 150 && c.late > 50);
}

/* ---- The whole explanation. ---- */

static hw_explain_ask ask_for(const char *solver, const char *against, const char *prover)
{
    hw_explain_ask ask = {.request = {.seed = 1}};
    hw_error err = {0};
    if (hw_solver_parse(solver, &ask.solver.row, ask.solver.values, &err) != HW_OK ||
        (against &&
         hw_solver_parse(against, &ask.against.row, ask.against.values, &err) != HW_OK) ||
        hw_solver_parse(prover, &ask.prover.row, ask.prover.values, &err) != HW_OK)
        fail_msg("%s", err.message);
    return ask;
}

/* By the definitions: is the storage of root t in memory while step `step` is measured? */
static bool in_memory(const hw_model *m, const uint32_t *order, uint32_t t, int64_t step)
{
    const hw_graph *g = m->graph;
    const uint32_t storage = g->tensor_storage[t];
    int64_t born = -1, last = -1;
    bool stays = g->tensor_kind[t] == HW_INPUT && m->pin_inputs;
    for (uint32_t u = 0; u < g->n_tensors; u++)
        stays = stays || (g->tensor_storage[u] == storage && g->tensor_kind[u] == HW_OUTPUT);
    for (uint32_t i = 0; i < m->n_nodes; i++) {
        uint32_t v = order[i];
        if (v == g->tensor_producer[t])
            born = i;
        for (uint32_t k = g->inputs.offset[v]; k < g->inputs.offset[v + 1]; k++)
            if (g->tensor_storage[g->inputs.item[k]] == storage)
                last = i;
    }
    bool free_first = m->accounting == HW_FREE_FIRST;
    return born <= step && (stays || born == step || (free_first ? last > step : last >= step));
}

/* What can be said without the module: sums at the peak, the choices, the step of the turn. */
static void check_explanation(const hw_explanation *x)
{
    const hw_model *m = x->m;
    uint64_t sum = 0, elsewhere = 0;
    for (uint32_t i = 0; i < x->n_held; i++) {
        const hw_explain_held *h = &x->held[i];
        assert_true(h->life->tensor == h->other->tensor && h->life->size == h->other->size);
        assert_true(i == 0 || x->held[i - 1].life->size >= h->life->size);
        assert_true(h->held_there == in_memory(m, x->other, h->life->tensor,
                                               x->log->peak_step < 0 ? -1 : x->other_step));
        assert_true(in_memory(m, x->solver.order, h->life->tensor, x->log->peak_step));
        sum += h->life->size;
        elsewhere += h->held_there ? 0 : h->life->size;
    }
    int64_t p = x->log->peak_step;
    uint64_t workspace = p < 0 ? 0 : hw_workspace(m, x->log->order[p]);
    assert_true(sum == x->held_bytes && elsewhere == x->elsewhere_bytes);
    assert_true(sum + workspace >= x->solver.peak); /* above it by what is reused in place */
    if (!m->reuse_offset)
        assert_true(sum + workspace == x->solver.peak);
    if (p >= 0)
        assert_int_equal(x->other_log->order[x->other_step], x->log->order[p]);
    if (!x->has_turn) {
        assert_true(hw_explain_keeps(x) && x->solver.peak <= x->target_bytes);
        return;
    }
    if (x->target == HW_TARGET_OPTIMUM)
        assert_true(x->features.value[HW_FEATURE_WRONG_AT] * m->n_nodes - x->turn.kept < 1e-9 &&
                    x->turn.kept - x->features.value[HW_FEATURE_WRONG_AT] * m->n_nodes < 1e-9);
    hw_sim s;
    assert_int_equal(hw_sim_init(&s, m, NULL), HW_OK);
    for (uint32_t i = 0; i < x->turn.kept; i++)
        (void)hw_sim_step(&s, x->solver.order[i]);
    assert_true(s.live == x->live_turn);
    assert_int_equal(x->wrong.node, x->solver.order[x->turn.kept]);
    assert_int_equal(x->right.node, x->other[x->turn.kept]);
    bool has_wrong = false, has_right = false;
    for (uint32_t i = 0; i < x->n_choices; i++) {
        const hw_explain_choice *c = &x->choice[i];
        has_wrong = has_wrong || c->node == x->wrong.node;
        has_right = has_right || c->node == x->right.node;
        assert_true(c->usage == hw_sim_usage(&s, c->node) && c->net == hw_sim_net(&s, c->node));
    }
    assert_true(has_wrong && has_right && x->n_choices >= 2);
    uint64_t live = s.live, usage = hw_sim_step(&s, x->wrong.node);
    assert_true(usage == x->wrong.usage && s.live == live + x->wrong.net);
    assert_true(x->after == x->after_bound && x->after > x->target_bytes &&
                x->after <= x->solver.peak);
    hw_sim_free(&s);
}

static void explanations(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"greedy", "level", "dfs", "lpmf", "source"};
    const hw_explain_ask against = ask_for("level", "greedy", "exact");
    uint32_t turns = 0, reached = 0, no_order = 0, lost = 0;
    for (uint64_t seed = 0; seed < graphs(300); seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % 14, seed % 3 ? DRAW_RICH : DRAW_ALL);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 5 == 0);
        hw_explain_ask ask = ask_for(solvers[seed % 5], NULL, seed % 2 ? "exact" : "dp");
        hw_explanation x;
        hw_error err = {0};
        if (!m) {
            hw_graph_free(g);
            continue;
        }
        if (hw_explain(m, &ask, &x, &err) != HW_OK)
            fail_msg("%s", err.message);
        no_order += !x.has_order;
        assert_true(x.has_order || m->earliest || !g->source_order_legal_edges);
        if (x.has_order) {
            assert_true(x.proven && x.best == x.prover.peak && x.target == HW_TARGET_OPTIMUM);
            check_completion(m, x.solver.order, x.other, hw_explain_keeps(&x) ? 0 : x.turn.kept,
                             x.best);
            check_explanation(&x);
            turns += x.has_turn;
            reached += !x.has_turn;
        }
        hw_explanation_clear(&x);
        if (hw_explain(m, &against, &x, &err) != HW_OK)
            fail_msg("%s", err.message);
        if (x.has_order && x.against.has_order) {
            assert_true(x.target == HW_TARGET_AGAINST && x.target_bytes == x.against.peak);
            assert_true(hw_explain_keeps(&x) == (x.solver.peak <= x.against.peak));
            check_explanation(&x);
            lost += x.has_turn;
        }
        hw_explanation_clear(&x);
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(turns > 60 && reached > 60 && no_order > 0 && lost > 10);
}

/* Without a proof: intervals, and what stands in for the optimum is named. */
static void limits(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("randwire:n=200", 1);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_explain_ask ask = ask_for("dfs", NULL, "exact");
    hw_explanation x;
    ask.request.limits.states = 400;
    assert_int_equal(hw_explain(m, &ask, &x, NULL), HW_OK);
    assert_true(x.has_best && x.bound <= x.best && x.has_order);
    assert_true(!x.proven && x.target == HW_TARGET_KNOWN && x.target_bytes == x.best);
    assert_true(!x.has_turn && x.turn.kept + 1 < x.turn.lost && !hw_explain_keeps(&x));
    check_completion(m, x.solver.order, x.other, hw_explain_keeps(&x) ? 0 : x.turn.kept, x.best);
    hw_explanation_clear(&x);
    hw_model_free(m);
    hw_graph_free(g);
}

/* With more and more states: the wrong turn stays inside the interval of before. */
static void closer_and_closer(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("layered:n=400", 1);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_explain_ask ask = ask_for("dfs", NULL, "exact");
    hw_explanation x;
    assert_int_equal(hw_explain(m, &ask, &x, NULL), HW_OK);
    assert_true(x.has_turn && x.proven && x.after == x.after_bound);
    const uint32_t kept = x.turn.kept;
    const uint64_t best = x.best, after = x.after;
    uint32_t open = 0, open_after = 0;
    hw_explanation_clear(&x);
    for (uint64_t states = 400; states < 4000; states += 200) {
        ask.request.limits.states = states;
        assert_int_equal(hw_explain(m, &ask, &x, NULL), HW_OK);
        assert_true(x.has_order && x.bound <= best && x.best >= best);
        if (x.best == best)
            assert_true(x.turn.kept <= kept && x.turn.lost > kept);
        if (x.has_turn)
            assert_true(x.after_bound > x.target_bytes && x.after >= x.after_bound);
        if (x.has_turn && x.best == best)
            assert_true(x.turn.kept == kept && x.after >= after && x.after_bound <= after);
        open += !x.has_turn;
        open_after += x.has_turn && x.after_bound < x.after;
        hw_explanation_clear(&x);
    }
    print_message("%u without an exact turn, %u without the least peak after it\n", open,
                  open_after);
    assert_true(open > 0 && open < 18);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_graphs),      cmocka_unit_test(graphs_with_windows),
        cmocka_unit_test(explanations),      cmocka_unit_test(limits),
        cmocka_unit_test(closer_and_closer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
