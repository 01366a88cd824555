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

#include <stdlib.h>

#include "model/builder.h"
#include "model/sim.h"
#include "support_draft.h"
#include "support_exact.h"
#include "support_forest.h"
#include "support_solve.h"

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
    uint64_t forests = environment_number("HW_POSTORDER_FORESTS", 4000), worse = 0;
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

/*
 * A harpoon of level 0 makes `large` bytes and squeezes them to `thin`.  One of
 * level L has `branches` branches: a harpoon of level L - 1, then a node that
 * makes large / branches of its thin end; the root squeezes them all to `thin`.
 */
typedef struct harpoon {
    hw_builder *b;
    uint64_t large, thin, branches, nodes, tensors;
} harpoon;

enum { MOST_BRANCHES = 4 };

static uint64_t add_node(harpoon *h, const uint64_t *inputs, size_t n_inputs, uint64_t bytes)
{
    uint64_t t = h->tensors++;
    hw_node_spec spec = {
        .id = h->nodes++, .inputs = inputs, .n_inputs = n_inputs, .outputs = &t, .n_outputs = 1};
    assert_int_equal(hw_builder_tensor(h->b, t, bytes, HW_ACTIVATION, NULL, NULL), HW_OK);
    assert_int_equal(hw_builder_node(h->b, &spec, NULL), HW_OK);
    return t;
}

/* The thin end of a harpoon; the levels are few. */
static uint64_t add_harpoon(harpoon *h, uint32_t level) // NOLINT(misc-no-recursion)
{
    uint64_t part[MOST_BRANCHES];
    if (level == 0) {
        part[0] = add_node(h, NULL, 0, h->large);
        return add_node(h, part, 1, h->thin);
    }
    for (uint64_t i = 0; i < h->branches; i++) {
        uint64_t inner = add_harpoon(h, level - 1);
        part[i] = add_node(h, &inner, 1, h->large / h->branches);
    }
    return add_node(h, part, h->branches, h->thin);
}

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

/*
 * A post-order holds all wide ends but one while it is inside the last branch,
 * on every level; the best order holds thin ends and widens them at the end.
 * Inputs and output of the squeezing node are in memory together under
 * alloc-first only.
 */
static void harpoons_need_what_the_formula_says(void **unused)
{
    (void)unused;
    for (uint64_t branches = 2; branches <= MOST_BRANCHES; branches++)
        for (uint32_t level = 0; level <= 5; level++)
            for (uint64_t thin = 1; thin <= 3; thin++) {
                harpoon h = {
                    .b = hw_builder_new(), .large = 1200, .thin = thin, .branches = branches};
                hw_graph *g = NULL;
                assert_non_null(h.b);
                (void)add_harpoon(&h, level);
                assert_int_equal(hw_builder_finish(h.b, &g, NULL), HW_OK);
                hw_builder_free(h.b);
                for (int a = 0; a < 2; a++) {
                    uint64_t base = h.large + (a == HW_ALLOC_FIRST ? thin : 0);
                    uint64_t others = branches - 1;
                    assert_int_equal(peak_of(g, (hw_accounting)a, "best-postorder"),
                                     base + level * others * (h.large / branches));
                    assert_int_equal(peak_of(g, (hw_accounting)a, "liu"),
                                     base + level * others * thin);
                }
                hw_graph_free(g);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harpoons_need_what_the_formula_says),
        cmocka_unit_test(best_of_all_postorders),
        cmocka_unit_test(never_better_than_liu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
