/*
 * Lower bounds of single nodes: all footprints at once against one by one,
 * minimum cuts against all prefixes, what a limit of steps leaves, and the
 * ladder of bounds against the solvers and the optimum.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/footprint.h"
#include "model/mincut.h"
#include "model/sim.h"
#include "solvers/bound.h"
#include "support_draft.h"
#include "support_generate.h"
#include "support_solve.h"

typedef void (*visit)(const hw_model *m, uint64_t *draw, uint64_t *counted);

/* Models of random drafts, both accountings, some pinned. */
static uint64_t each_model(uint64_t graphs, uint64_t most_nodes, unsigned features, visit f)
{
    uint64_t draw = 7, counted = 0;
    for (uint64_t seed = 0; seed < graphs; seed++) {
        hw_graph *g = draft_graph(seed, 1 + seed % most_nodes, features);
        assert_non_null(g);
        for (int a = 0; a < 2; a++) {
            hw_model *m = test_model(g, (hw_accounting)a, draft_below(&draw, 3) == 0);
            if (m && m->legal)
                f(m, &draw, &counted);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    return counted;
}

/* Between nothing and the whole, steps of one give every stage of a sweep. */
static void compare_footprints(const hw_model *m, uint64_t *draw, uint64_t *counted)
{
    hw_footprint *f = hw_footprint_new(m);
    hw_mincut *c = hw_mincut_new(m);
    uint64_t at_first[DRAFT_NODES], steps = 1 + draft_below(draw, 20);
    assert_non_null(f);
    assert_non_null(c);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        at_first[v] = hw_footprint_held(f, v);
    while (!hw_footprint_sweep(f, steps))
        for (uint32_t v = 0; v < m->n_nodes; v++)
            assert_true(hw_footprint_held(f, v) <= hw_footprint_node(c, v));
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        assert_int_equal(hw_footprint_held(f, v), hw_footprint_node(c, v));
        *counted += hw_footprint_held(f, v) > at_first[v];
    }
    hw_mincut_free(c);
    hw_footprint_free(f);
}

static void footprints_at_once_are_those_one_by_one(void **state)
{
    (void)state;
    assert_true(each_model(3000, 40, DRAW_ALL, compare_footprints) > 10000);
}

/* Graphs with long intervals, several users a buffer and deep cones. */
static void footprints_of_families(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "erdos:n=300,degree=5,inputs=shared", "layered:n=300,skip=6,inputs=own,views=0.2",
        "chains:n=200,branches=3,fork=yes",   "randwire:n=200",
        "nets:net=unet,mode=training",        "tree:n=200,direction=out",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 0);
        for (int a = 0; a < 2; a++) {
            hw_model *m = test_model(g, (hw_accounting)a, false);
            hw_footprint *f = hw_footprint_new(m);
            hw_footprint *sliced = hw_footprint_new(m);
            hw_mincut *c = hw_mincut_new(m);
            assert_true(hw_footprint_sweep(f, UINT64_MAX));
            assert_false(hw_footprint_sweep(sliced, 100)); /* more is to be done than that */
            assert_false(hw_footprint_sweep(sliced, 100));
            assert_true(hw_footprint_sweep(sliced, UINT64_MAX));
            for (uint32_t v = 0; v < m->n_nodes; v++) {
                assert_int_equal(hw_footprint_held(f, v), hw_footprint_node(c, v));
                assert_int_equal(hw_footprint_held(sliced, v), hw_footprint_held(f, v));
            }
            hw_mincut_free(c);
            hw_footprint_free(sliced);
            hw_footprint_free(f);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

/* The least usage of each node, reuse left out, over all prefixes by definition. */
static void least_usage(const hw_model *m, uint64_t *least)
{
    uint32_t n = m->n_nodes;
    for (uint32_t v = 0; v < n; v++)
        least[v] = UINT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        bool closed = true;
        for (uint32_t v = 0; v < n && closed; v++)
            for (uint32_t k = m->graph->preds.offset[v];
                 (set >> v & 1) && k < m->graph->preds.offset[v + 1]; k++)
                closed = closed && (set >> m->graph->preds.item[k] & 1);
        if (!closed)
            continue;
        uint64_t live = m->live_empty;
        for (uint32_t v = 0; v < n; v++)
            if (set >> v & 1)
                live += m->new_bytes[v] - m->dead_bytes[v];
        for (uint32_t b = 0; b < m->n_buffers; b++) {
            bool freed = true;
            for (uint32_t k = m->users.offset[b]; k < m->users.offset[b + 1]; k++)
                freed = freed && (set >> m->users.item[k] & 1);
            if (freed)
                live -= m->buffer_size[b];
        }
        for (uint32_t v = 0; v < n; v++) {
            bool ready = !(set >> v & 1);
            for (uint32_t k = m->graph->preds.offset[v]; k < m->graph->preds.offset[v + 1]; k++)
                ready = ready && (set >> m->graph->preds.item[k] & 1);
            uint64_t usage = live + m->new_bytes[v] + hw_workspace(m, v);
            for (uint32_t k = m->uses.offset[v];
                 m->accounting == HW_FREE_FIRST && k < m->uses.offset[v + 1]; k++) {
                bool last = true;
                uint32_t b = m->uses.item[k];
                for (uint32_t i = m->users.offset[b]; i < m->users.offset[b + 1]; i++)
                    last = last && ((set >> m->users.item[i] & 1) || m->users.item[i] == v);
                if (last)
                    usage -= m->buffer_size[b];
            }
            if (ready && usage < least[v])
                least[v] = usage;
        }
    }
}

static void compare_cuts(const hw_model *m, uint64_t *draw, uint64_t *counted)
{
    uint64_t least[DRAFT_NODES];
    hw_mincut *c = hw_mincut_new(m);
    assert_non_null(c);
    least_usage(m, least);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        uint64_t reuse = m->reuse_most ? m->reuse_most[v] : 0;
        assert_int_equal(hw_mincut_node(c, v, 0), least[v] - reuse);
        assert_true(hw_footprint_node(c, v) <= least[v] - reuse);
    }
    /* Whatever the limit, what is answered is a bound. */
    for (uint64_t steps = 1; steps < 400; steps += 1 + draft_below(draw, 40)) {
        uint32_t v = (uint32_t)draft_below(draw, m->n_nodes);
        uint64_t reuse = m->reuse_most ? m->reuse_most[v] : 0;
        hw_mincut_limit(c, steps);
        uint64_t found = hw_mincut_node(c, v, 0);
        assert_true(found <= least[v] - reuse);
        assert_true(hw_mincut_over(c) || found == least[v] - reuse);
        *counted += found < least[v] - reuse;
    }
    hw_mincut_free(c);
}

static void cuts_are_the_least_usage_of_all_prefixes(void **state)
{
    (void)state;
    assert_true(each_model(1200, 11, DRAW_ALL - DRAW_WINDOWS, compare_cuts) > 300);
}

static hw_code ladder(const hw_model *m, uint64_t footprint, uint64_t mincut, bound_ladder *out)
{
    const hw_request request = {.limits = {0}};
    const uint64_t steps[BOUND_KINDS] = {footprint, mincut};
    return bound_ladder_find(m, &request, steps, out, NULL);
}

static void compare_ladder(const hw_model *m, uint64_t *draw, uint64_t *counted)
{
    bound_ladder whole, cut;
    assert_int_equal(ladder(m, UINT64_MAX, UINT64_MAX, &whole), HW_OK);
    assert_false(whole.part[BOUND_FOOTPRINT].cut || whole.part[BOUND_MINCUT].cut);
    hw_answer f = test_solve(m, "bound-footprint"), c = test_solve(m, "bound-mincut"),
              dp = test_solve(m, "dp");
    assert_int_equal(whole.simple, m->simple_bound);
    assert_int_equal(whole.part[BOUND_FOOTPRINT].bytes, f.bound);
    assert_int_equal(whole.part[BOUND_MINCUT].bytes, c.bound);
    assert_true(whole.simple <= whole.part[BOUND_FOOTPRINT].bytes);
    assert_true(whole.part[BOUND_FOOTPRINT].bytes <= whole.part[BOUND_MINCUT].bytes);
    assert_true(whole.part[BOUND_MINCUT].bytes <= dp.peak);
    uint64_t steps = 1 + draft_below(draw, 300);
    assert_int_equal(ladder(m, steps, steps, &cut), HW_OK);
    assert_true(cut.part[BOUND_FOOTPRINT].bytes <= whole.part[BOUND_FOOTPRINT].bytes);
    assert_true(cut.part[BOUND_MINCUT].bytes <= whole.part[BOUND_MINCUT].bytes);
    assert_true(cut.part[BOUND_FOOTPRINT].cut ||
                cut.part[BOUND_FOOTPRINT].bytes == whole.part[BOUND_FOOTPRINT].bytes);
    assert_true(cut.part[BOUND_MINCUT].cut ||
                cut.part[BOUND_MINCUT].bytes == whole.part[BOUND_MINCUT].bytes);
    *counted += cut.part[BOUND_MINCUT].cut;
    assert_int_equal(ladder(m, UINT64_MAX, 0, &cut), HW_OK);
    assert_true(cut.part[BOUND_MINCUT].cut ||
                whole.part[BOUND_MINCUT].bytes == cut.part[BOUND_FOOTPRINT].bytes);
    hw_answer_clear(&f);
    hw_answer_clear(&c);
    hw_answer_clear(&dp);
}

static void the_ladder_is_that_of_the_solvers(void **state)
{
    (void)state;
    assert_true(each_model(600, 14, DRAW_RICH, compare_ladder) > 100);
}

/* A sweep of more than one slice: cut where its steps end, and not before. */
static void long_sweeps_end_with_their_steps(void **state)
{
    (void)state;
    enum { SLICE = 1 << 20 };
    bound_part part[3];
    static const uint64_t steps[] = {SLICE, 2 * SLICE, UINT64_MAX};
    hw_graph *g = test_instance("erdos:n=6000,degree=5,inputs=shared", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    for (size_t i = 0; i < 3; i++) {
        bound_ladder found;
        assert_int_equal(ladder(m, steps[i], 0, &found), HW_OK);
        part[i] = found.part[BOUND_FOOTPRINT];
    }
    assert_true(part[0].cut && part[1].cut && !part[2].cut);
    assert_true(part[0].bytes <= part[1].bytes && part[1].bytes <= part[2].bytes);
    hw_answer whole = test_solve(m, "bound-footprint");
    assert_int_equal(part[2].bytes, whole.bound);
    hw_answer_clear(&whole);
    hw_model_free(m);
    hw_graph_free(g);
}

/* What a proven bound makes of an answer (highwater-model(7)). */
static void a_bound_settles_an_answer(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=14", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "exact");
    uint64_t optimum = a.peak;
    hw_answer_clear(&a);
    const hw_solver_row *row = hw_solver_find("source", strlen("source"));
    hw_request request = {.limits = {0}};
    a = test_solve(m, "source");
    assert_int_equal(a.status, HW_FEASIBLE);
    assert_true(a.peak > optimum);
    assert_int_equal(hw_answer_raise_bound(m, row, &request, &a, optimum, NULL), HW_OK);
    assert_int_equal(a.status, HW_FEASIBLE);
    assert_int_equal(a.bound, optimum);
    assert_int_equal(hw_answer_raise_bound(m, row, &request, &a, optimum - 1, NULL), HW_OK);
    assert_int_equal(a.bound, optimum);
    request.has_budget = true;
    request.budget_bytes = optimum - 1;
    a.status = HW_UNKNOWN;
    a.has_bound = false;
    assert_int_equal(hw_answer_raise_bound(m, row, &request, &a, optimum, NULL), HW_OK);
    assert_int_equal(a.status, HW_INFEASIBLE);
    hw_answer_clear(&a);
    request.has_budget = false;
    a = test_solve(m, "exact");
    a.status = HW_FEASIBLE;
    a.bound = optimum - 1;
    row = hw_solver_find("greedy", strlen("greedy"));
    assert_int_equal(hw_answer_raise_bound(m, row, &request, &a, optimum, NULL), HW_OK);
    assert_int_equal(a.status, HW_OPTIMAL);
    hw_answer_clear(&a);
    hw_model_free(m);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(footprints_at_once_are_those_one_by_one),
        cmocka_unit_test(footprints_of_families),
        cmocka_unit_test(cuts_are_the_least_usage_of_all_prefixes),
        cmocka_unit_test(the_ladder_is_that_of_the_solvers),
        cmocka_unit_test(long_sweeps_end_with_their_steps),
        cmocka_unit_test(a_bound_settles_an_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
