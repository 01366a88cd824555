/*
 * best-postorder against all post-orders, against liu, and on the trees of
 * Jacquelin, Marchal, Robert and Ucar (2011, theorem 1), on which it needs as
 * many times the optimum as one likes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gen/adversarial.h"
#include "model/sim.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_forest.h"
#include "support_generate.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* ---- All post-orders. ---- */

enum { MOST = 8 };

/* A small forest, every edge once: node n stands above the roots. */
typedef struct small {
    const hw_model *m;
    uint32_t child[MOST + 1][MOST], count[MOST + 1];
    bool out;
    uint32_t order[MOST], placed;
    uint64_t best;
} small;

static void visit(small *s, uint32_t *pending, uint32_t n_pending);

/* Choose the next child of `row` in all ways, then go on with what is pending. */
static void choose(small *s, uint32_t row, uint32_t done, uint32_t *pending, uint32_t n_pending)
{
    uint32_t n = s->m->n_nodes;
    if (done == s->count[row]) {
        if (!s->out && row < n)
            s->order[s->placed++] = row;
        visit(s, pending, n_pending);
        if (!s->out && row < n)
            s->placed--;
        return;
    }
    for (uint32_t i = done; i < s->count[row]; i++) {
        uint32_t *child = s->child[row], held = child[done];
        child[done] = child[i];
        child[i] = held;
        uint32_t next = child[done], more[4 * MOST + 4];
        for (uint32_t k = 0; k < n_pending; k++)
            more[k] = pending[k];
        more[n_pending] = row;
        more[n_pending + 1] = done + 1;
        if (s->out)
            s->order[s->placed++] = next;
        choose(s, next, 0, more, n_pending + 2);
        if (s->out)
            s->placed--;
        child[i] = child[done];
        child[done] = held;
    }
}

static void visit(small *s, uint32_t *pending, uint32_t n_pending)
{
    if (n_pending) {
        choose(s, pending[n_pending - 2], pending[n_pending - 1], pending, n_pending - 2);
        return;
    }
    uint64_t peak;
    assert_int_equal(s->placed, s->m->n_nodes);
    assert_int_equal(hw_peak(s->m, s->order, &peak, NULL), HW_OK);
    s->best = peak < s->best ? peak : s->best;
}

static uint64_t best_of_all(const hw_model *m, bool out)
{
    small s = {.m = m, .out = out, .best = UINT64_MAX};
    const hw_rows *rows = out ? &m->graph->preds : &m->graph->succs;
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint32_t up =
            rows->offset[v] < rows->offset[v + 1] ? rows->item[rows->offset[v]] : m->n_nodes;
        s.child[up][s.count[up]++] = v;
    }
    choose(&s, m->n_nodes, 0, NULL, 0);
    return s.best;
}

/* Edges that skip nodes are left out: the test reads parents from the edges. */
static void best_of_all_postorders(void **unused)
{
    (void)unused;
    const unsigned features =
        DRAW_RICH & ~(unsigned)(DRAW_LOCKS | DRAW_CONTROL | DRAW_REQUIRED | DRAW_VIEWS);
    uint64_t forests = environment_number("HW_POSTORDER_FORESTS", FEWER(4000)), worse = 0;
    for (uint64_t i = 0; i < forests; i++) {
        draft *d = draft_forest(i, 1 + i % MOST, i % 2 ? FOREST_OUT : FOREST_IN, features);
        hw_graph *g;
        assert_non_null(d);
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        hw_model *m = test_model(g, (hw_accounting)(i / 2 % 2), false);
        hw_answer answer = test_solve(m, "best-postorder"), best = test_solve(m, "liu");
        assert_true(answer.has_order && answer.peak == best_of_all(m, i % 2));
        assert_true(answer.peak >= best.peak);
        worse += answer.peak > best.peak;
        hw_answer_clear(&answer);
        hw_answer_clear(&best);
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    assert_true(worse > forests / 100);
}

/* Larger forests with everything: legal, and never better than liu. */
static void never_better_than_liu(void **unused)
{
    (void)unused;
    const unsigned features = DRAW_RICH & ~(unsigned)DRAW_LOCKS;
    uint64_t taken = 0;
    for (uint64_t i = 0; i < 2000; i++) {
        draft *d = draft_forest(i, i % 60, (forest_kind)(i % 3), features);
        hw_graph *g;
        assert_non_null(d);
        assert_int_equal(draft_build(d, &g, NULL), HW_OK);
        hw_model *m = test_model(g, (hw_accounting)(i % 2), false);
        if (defined_forest(m)) {
            hw_answer answer = test_solve(m, "best-postorder"), best = test_solve(m, "liu");
            assert_true(answer.has_order && answer.peak >= best.peak);
            hw_answer_clear(&answer);
            hw_answer_clear(&best);
            taken++;
        }
        hw_model_free(m);
        hw_graph_free(g);
        free(d);
    }
    print_message("# best-postorder: %llu forests taken\n", (unsigned long long)taken);
    assert_true(taken > 1500);
}

/* ---- Harpoons. ---- */

static uint64_t peak_of(const hw_graph *g, hw_accounting accounting, const char *solver)
{
    hw_model *m = test_model(g, accounting, false);
    hw_answer answer = test_solve(m, solver);
    uint64_t peak = answer.peak;
    assert_true(answer.has_order);
    hw_answer_clear(&answer);
    hw_model_free(m);
    return peak;
}

/* The family's head has the formulas and why they hold. */
static void harpoons_need_what_the_formula_says(void **unused)
{
    enum { MOST_BRANCHES = 4 };
    (void)unused;
    for (uint64_t branches = 2; branches <= MOST_BRANCHES; branches++)
        for (uint64_t levels = 0; levels <= 5; levels++)
            for (uint64_t thin = 1; thin <= 3; thin++) {
                const hw_harpoon h = {levels, branches, 1200, thin};
                char spec[128];
                (void)snprintf(spec, sizeof spec,
                               "adversarial-harpoon:levels=%" PRIu64 ",branches=%" PRIu64
                               ",large=1200,thin=%" PRIu64,
                               levels, branches, thin);
                hw_graph *g = test_instance(spec, 0);
                for (int a = 0; a < 2; a++) {
                    assert_int_equal(peak_of(g, (hw_accounting)a, "best-postorder"),
                                     hw_harpoon_peak(&h, (hw_accounting)a));
                    assert_int_equal(peak_of(g, (hw_accounting)a, "liu"),
                                     hw_harpoon_optimum(&h, (hw_accounting)a));
                }
                hw_graph_free(g);
            }
}

/*
 * Entering the child with the largest subtree first holds what children made at
 * each node where the path leaves it, log2(n + 1) times at most (paper, "How bad
 * can an order be?"); the best post-order is no worse.
 */
static void within_the_logarithm_of_n(void **unused)
{
    static const char *const family[] = {
        "tree:n=127,shape=complete,sizes=pareto,alpha=0.5", "tree:n=200,sizes=pareto,alpha=0.3",
        "tree:n=60,reach=4,sizes=bimodal,low=1,high=1000000",
        "adversarial-harpoon:levels=6,large=1048576", "adversarial-ladder:rungs=40"};
    (void)unused;
    for (size_t f = 0; f < sizeof family / sizeof family[0]; f++)
        for (uint64_t i = 0; i < 40; i++) {
            hw_graph *g = test_instance(family[f], i);
            uint64_t times = 1;
            for (uint32_t n = g->n_nodes + 1; n > 1; n /= 2)
                times++;
            for (int a = 0; a < 2; a++)
                assert_true(peak_of(g, (hw_accounting)a, "best-postorder") <=
                            times * peak_of(g, (hw_accounting)a, "liu"));
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harpoons_need_what_the_formula_says),
        cmocka_unit_test(within_the_logarithm_of_n),
        cmocka_unit_test(best_of_all_postorders),
        cmocka_unit_test(never_better_than_liu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
