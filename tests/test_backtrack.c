/*
 * backtrack: against a slow twin, greedy and the optimum.
 *
 * HW_MODELS_GRAPHS, HW_MODELS_FIRST: see support_models.h.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/paths.h"
#include "model/sim.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_models.h"
#include "support_solve.h"

static uint64_t n_lower, n_models;

/* Between greedy and the optimum; without going back it is greedy. */
static void never_worse(const hw_model *m)
{
    hw_answer greedy = test_solve(m, "greedy"), none = test_solve(m, "backtrack:depth=0");
    hw_answer some = test_solve(m, "backtrack:depth=3,width=1"), all = test_solve(m, "backtrack");
    assert_true(none.peak == greedy.peak && all.peak <= greedy.peak && some.peak <= greedy.peak);
    assert_memory_equal(none.order, greedy.order, m->n_nodes * sizeof *none.order);
    if (m->n_nodes <= 12) {
        hw_answer best = test_solve(m, "dp");
        assert_true(all.peak >= best.peak && some.peak >= best.peak);
        hw_answer_clear(&best);
    }
    n_models++;
    n_lower += all.peak < greedy.peak;
    hw_answer_clear(&greedy);
    hw_answer_clear(&none);
    hw_answer_clear(&some);
    hw_answer_clear(&all);
}

static void never_worse_than_greedy(void **state)
{
    (void)state;
    n_lower = n_models = 0;
    each_model(1500, 30, DRAW_ALL, never_worse);
    (void)printf("# backtrack: %u graphs, %u lower than greedy\n", (unsigned)n_models,
                 (unsigned)n_lower);
    assert_true(n_models > 0 && n_lower * 20 > n_models);
}

/* ---- The same rule, slowly: every prefix from the start, ready nodes by a look at all. ---- */

typedef struct twin {
    const hw_model *m;
    uint32_t path[DRAFT_NODES], order[DRAFT_NODES], best[DRAFT_NODES];
    uint64_t peak; /* of best */
} twin;

static bool is_ready(const twin *t, uint32_t v, uint32_t steps)
{
    const hw_rows *preds = &t->m->graph->preds;
    uint32_t found = 0;
    for (uint32_t i = 0; i < steps; i++) {
        if (t->order[i] == v)
            return false;
        for (uint32_t k = preds->offset[v]; k < preds->offset[v + 1]; k++)
            found += preds->item[k] == t->order[i];
    }
    return found == preds->offset[v + 1] - preds->offset[v];
}

static bool is_before(const twin *t, const hw_sim *sim, uint32_t a, uint32_t b)
{
    int64_t x = (int64_t)hw_sim_net(sim, a), y = (int64_t)hw_sim_net(sim, b);
    if (x != y)
        return x < y;
    return t->path[a] != t->path[b] ? t->path[a] > t->path[b] : a < b;
}

/* The ready node of this rank by greedy, HW_NONE: none. */
static uint32_t ranked(const twin *t, const hw_sim *sim, uint32_t steps, uint32_t rank)
{
    for (uint32_t v = 0; v < t->m->n_nodes; v++) {
        uint32_t before = 0;
        if (!is_ready(t, v, steps))
            continue;
        for (uint32_t u = 0; u < t->m->n_nodes; u++)
            before += u != v && is_ready(t, u, steps) && is_before(t, sim, u, v);
        if (before == rank)
            return v;
    }
    return HW_NONE;
}

/* order[0 .. steps), completed by greedy; its peak. */
static uint64_t finish(twin *t, uint32_t steps)
{
    hw_sim sim;
    assert_int_equal(hw_sim_init(&sim, t->m, NULL), HW_OK);
    for (uint32_t i = 0; i < t->m->n_nodes; i++) {
        if (i >= steps)
            t->order[i] = ranked(t, &sim, i, 0);
        (void)hw_sim_step(&sim, t->order[i]);
    }
    uint64_t peak = sim.peak;
    hw_sim_free(&sim);
    return peak;
}

/* The first other choice near the peak that leads to a lower one. */
static bool mend(twin *t, uint32_t depth, uint32_t width)
{
    uint32_t n = t->m->n_nodes, tried;
    hw_sim sim;
    assert_int_equal(hw_sim_init(&sim, t->m, NULL), HW_OK);
    for (uint32_t i = 0; i < n; i++)
        (void)hw_sim_step(&sim, t->best[i]);
    int64_t at = sim.peak_step;
    for (uint32_t back = 0; at >= 0 && back < depth; at--, back++) {
        hw_sim_reset(&sim);
        for (uint32_t i = 0; i < at; i++)
            (void)hw_sim_step(&sim, t->best[i]);
        tried = 0;
        for (uint32_t rank = 0; rank <= width && tried < width; rank++) {
            memcpy(t->order, t->best, sizeof t->order);
            uint32_t v = ranked(t, &sim, (uint32_t)at, rank);
            if (v == HW_NONE)
                break;
            if (v == t->best[at])
                continue;
            tried++;
            t->order[at] = v;
            uint64_t peak = finish(t, (uint32_t)at + 1);
            if (peak >= t->peak)
                continue;
            t->peak = peak;
            memcpy(t->best, t->order, sizeof t->best);
            hw_sim_free(&sim);
            return true;
        }
    }
    hw_sim_free(&sim);
    return false;
}

static void as_the_twin(const hw_model *m)
{
    twin t = {.m = m};
    assert_int_equal(hw_paths_down(m->graph, t.path, NULL), HW_OK);
    t.peak = finish(&t, 0);
    memcpy(t.best, t.order, sizeof t.best);
    while (t.peak > m->simple_bound && mend(&t, 6, 2))
        ;
    hw_answer a = test_solve(m, "backtrack:depth=6,width=2");
    assert_true(a.peak == t.peak);
    assert_memory_equal(a.order, t.best, m->n_nodes * sizeof *a.order);
    hw_answer_clear(&a);
}

static void the_twin_agrees(void **state)
{
    (void)state;
    each_model(300, 14, DRAW_RICH, as_the_twin);
}

static void limits_and_budgets(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=300,degree=2", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer whole = test_solve(m, "backtrack"), greedy = test_solve(m, "greedy");
    assert_true(whole.peak < greedy.peak && !whole.limit_reached);
    uint64_t before = UINT64_MAX;
    for (uint64_t states = 299; states < 2 * whole.states; states += whole.states / 20) {
        hw_answer cut = test_solve_with(m, "backtrack", (hw_request){.limits = {.states = states}});
        assert_true(cut.has_order == (states >= 300) && cut.states <= states + 1);
        assert_true(cut.limit_reached == (states <= whole.states));
        assert_true(!cut.has_order || cut.peak <= before);
        before = cut.has_order ? cut.peak : before;
        hw_answer_clear(&cut);
    }
    assert_true(before == whole.peak);
    hw_request request = {.has_budget = true, .budget_bytes = greedy.peak - 1};
    hw_answer fits = test_solve_with(m, "backtrack", request);
    assert_true(fits.peak < greedy.peak && fits.states < whole.states);
    hw_answer_clear(&whole);
    hw_answer_clear(&greedy);
    hw_answer_clear(&fits);
    hw_model_free(m);
    hw_graph_free(g);
}

static void bad_shapes(void **state)
{
    (void)state;
    static const char *const specs[] = {"backtrack"};
    expect_shapes_solved(specs, 1, (uint32_t)environment_number("HW_BACKTRACK_NODES", 20000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_worse_than_greedy),
        cmocka_unit_test(the_twin_agrees),
        cmocka_unit_test(limits_and_budgets),
        cmocka_unit_test(bad_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
