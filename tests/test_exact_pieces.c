/*
 * Reductions before the search, one by one, against all prefixes of small
 * graphs: valleys, safe ends, and the plan that applies them.
 *
 * HW_EXACT_PIECES sets how many graphs are drawn, HW_EXACT_SEED from which seed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "solve/solver.h"
#include "solvers/exact_ends.h"
#include "solvers/exact_plan.h"
#include "solvers/exact_upper.h"
#include "solvers/exact_valley.h"
#include "tests/support_exact.h"
#include "tests/support_prefixes.h"
#include "tests/support_random.h"
#include "tests/support_solve.h"
#include "support_sanitized.h"

enum { MOST_NODES = 9 };

/* Least-live prefixes form the chain, none lies between two of them, no order is lost. */
static void check_valleys(const prefixes *all, uint64_t optimum)
{
    uint32_t n = all->m->n_nodes, part[MOST_NODES], n_parts = 0, chain[MOST_NODES + 1] = {0};
    exact_problem *p = prefixes_problem(all);
    assert_int_equal(exact_valley_parts(p, part, &n_parts, NULL), HW_OK);
    assert_in_range(n_parts, 1, n);
    for (uint32_t v = 0; v < n; v++) {
        assert_true(part[v] < n_parts);
        for (uint32_t i = part[v] + 1; i <= n_parts; i++)
            chain[i] |= 1U << p->node[v];
    }
    uint64_t least = UINT64_MAX;
    for (uint32_t set = 0; set < 1U << n; set++)
        if (all->legal[set] && all->live[set] < least)
            least = all->live[set];
    for (uint32_t i = 1; i < n_parts; i++)
        assert_true(all->legal[chain[i]] && all->live[chain[i]] == least);
    for (uint32_t set = 0; set < 1U << n; set++)
        for (uint32_t i = 0; i < n_parts && all->legal[set] && all->live[set] == least; i++) {
            uint32_t inside = (set | chain[i]) & chain[i + 1];
            assert_true(inside == chain[i] || inside == chain[i + 1]);
        }
    assert_true(prefixes_best(all, chain, n_parts + 1) == optimum);
    exact_problem_free(p);
}

/* Some best order begins and ends as the safe ends say, under any bound. */
static void check_ends(const prefixes *all, uint64_t optimum, uint64_t *state)
{
    uint32_t n = all->m->n_nodes, order[MOST_NODES], chain[MOST_NODES + 1], n_chain = 0;
    uint32_t front = 0, back = 0, set = 0;
    exact_problem *p = prefixes_problem(all);
    uint64_t bound = all->m->simple_bound;
    if (random_chance(state, 0.7)) /* bounds nearer to the optimum allow more */
        bound = optimum - random_u64(state) % (optimum - bound + 1);
    assert_int_equal(exact_ends_find(p, bound, order, &front, &back, NULL), HW_OK);
    assert_true(front + back <= n);
    for (uint32_t i = 0; i < n; i++) {
        if (i <= front || i >= n - back)
            chain[n_chain++] = set;
        set |= 1U << p->node[order[i]];
    }
    chain[n_chain++] = set;
    assert_true(set == (1U << n) - 1);
    assert_true(prefixes_best(all, chain, n_chain) == optimum);
    exact_problem_free(p);
}

/* A better order by windows passes through the same prefixes; no piece loses by it. */
static void check_windows(exact_plan *plan, const uint32_t *chain, uint64_t *state)
{
    hw_request request = {0};
    hw_meter meter;
    exact_options options = {.rules = {true, true, true, true, true}};
    uint64_t before[MOST_NODES], peak = 0, found, states = random_below(state, 40);
    uint32_t n_pieces = plan->n_pieces, set = 0;
    hw_meter_start(&meter, &request);
    for (uint32_t i = 0; i < n_pieces; i++)
        before[i] = plan->piece[i].peak;
    assert_int_equal(exact_upper_windows(plan, &options, states, 500, &meter, NULL), HW_OK);
    assert_int_equal(plan->n_pieces, n_pieces);
    for (uint32_t i = 0; i < n_pieces; i++) {
        for (uint32_t at = plan->piece[i].low; at < plan->piece[i].high; at++)
            set |= 1U << plan->order[at];
        assert_true(set == chain[i + 1] && plan->piece[i].peak <= before[i]);
        peak = plan->piece[i].peak > peak ? plan->piece[i].peak : peak;
    }
    assert_int_equal(hw_peak(plan->m, plan->order, &found, NULL), HW_OK);
    assert_true(found == peak);
}

/* Refine every piece to the end: the order in hand stays as good, the optimum in reach. */
static void check_plan(const prefixes *all, uint64_t optimum, uint64_t *state)
{
    const hw_model *m = all->m;
    uint32_t n = m->n_nodes, *order = malloc(n * sizeof *order), chain[MOST_NODES + 1] = {0};
    uint64_t before, after;
    exact_plan plan = {.cuts = random_chance(state, 0.7),
                       .valleys = random_chance(state, 0.7),
                       .ends = random_chance(state, 0.7)};
    assert_non_null(order);
    memcpy(order, all->order, n * sizeof *order);
    assert_int_equal(hw_peak(m, order, &before, NULL), HW_OK);
    uint64_t bound = random_chance(state, 0.5) ? optimum : m->simple_bound;
    assert_int_equal(exact_plan_init(&plan, m, order, true, bound, NULL), HW_OK);
    assert_true(plan.bound <= optimum);
    for (uint32_t i = 0; i < plan.n_pieces;) {
        bool split;
        assert_int_equal(exact_plan_refine(&plan, i, &split, NULL), HW_OK);
        i += !split;
        assert_true(plan.bound <= optimum);
    }
    assert_int_equal(hw_peak(m, plan.order, &after, NULL), HW_OK);
    assert_true(after <= (before > plan.bound ? before : plan.bound));
    for (uint32_t i = 0, at = 0; i < plan.n_pieces; i++) {
        assert_true(plan.piece[i].low == at && plan.piece[i].high > at);
        chain[i + 1] = chain[i];
        for (; at < plan.piece[i].high; at++)
            chain[i + 1] |= 1U << plan.order[at];
        uint64_t live = i + 1 < plan.n_pieces ? plan.piece[i + 1].live : m->live_full;
        assert_true(plan.piece[i].bound >= plan.piece[i].live && plan.piece[i].bound >= live);
        assert_true(plan.bound >= live);
    }
    check_windows(&plan, chain, state);
    uint64_t best = prefixes_best(all, chain, plan.n_pieces + 1);
    assert_true(best == optimum);
    exact_plan_free(&plan);
}

static void check_switches(const hw_model *m, uint64_t optimum, uint64_t *state)
{
    static const char *const names[] = {"r1",      "r1r",  "r2",         "r3",  "r4",
                                        "valleys", "ends", "components", "deep"};
    char spec[128] = "exact";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t at = strlen(spec);
        (void)snprintf(spec + at, sizeof spec - at, "%c%s=%s", i ? ',' : ':', names[i],
                       random_chance(state, 0.6) ? "yes" : "no");
    }
    hw_answer a = test_solve(m, spec);
    if (a.status != HW_OPTIMAL || a.peak != optimum)
        fail_msg("%s: status %d, peak %llu, optimum %llu", spec, (int)a.status,
                 (unsigned long long)a.peak, (unsigned long long)optimum);
    hw_answer_clear(&a);
    uint64_t budget = optimum - random_below(state, 2) * (optimum > 0);
    a = test_solve_with(m, spec, (hw_request){.has_budget = true, .budget_bytes = budget});
    assert_true(budget < optimum ? a.status == HW_INFEASIBLE : a.has_order && a.peak == optimum);
    hw_answer_clear(&a);
}

static void reductions_agree_with_all_prefixes(void **unused)
{
    (void)unused;
    static prefixes all;
    uint64_t graphs = environment_number("HW_EXACT_PIECES", FEWER(2500));
    uint64_t seed = environment_number("HW_EXACT_SEED", 1);
    for (uint64_t i = 0; i < graphs; i++) {
        uint64_t state = seed + i * 1000003;
        hw_graph *g = prefixes_graph(&state, MOST_NODES);
        if (!g)
            continue;
        bool pin = random_chance(&state, 0.2);
        for (int free_first = 0; free_first < 2; free_first++) {
            hw_model *m = test_model(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin);
            if (!m)
                continue;
            prefixes_lay(&all, m);
            uint64_t optimum = prefixes_best(&all, NULL, 0);
            assert_true(optimum == defined_optimum(g, free_first, pin));
            check_valleys(&all, optimum);
            check_ends(&all, optimum, &state);
            check_plan(&all, optimum, &state);
            check_switches(m, optimum, &state);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_agree_with_all_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
