/*
 * Slices: the nodes between two prefixes, ordered anew within the slice, use in
 * every step what they use in their place in the whole order.
 *
 * HW_SLICE_GRAPHS: how many random graphs (default 3000).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "model/sim.h"
#include "model/slice.h"
#include "support_draft.h"
#include "support_lines.h"
#include "support_piece.h"
#include "support_solve.h"

/* Steps of the slice against the same steps of the whole. */
static void compare_steps(const hw_model *m, const hw_model *slice, const uint32_t *whole,
                          const uint32_t *order, uint32_t low)
{
    hw_sim all, part;
    assert_int_equal(hw_sim_init(&all, m, NULL), HW_OK);
    assert_int_equal(hw_sim_init(&part, slice, NULL), HW_OK);
    for (uint32_t i = 0; i < low; i++)
        (void)hw_sim_step(&all, whole[i]);
    assert_true(part.live == all.live);
    for (uint32_t i = 0; i < slice->n_nodes; i++) {
        assert_true(hw_sim_step(&part, order[i]) == hw_sim_step(&all, whole[low + i]));
        assert_true(part.live == all.live);
    }
    assert_true(part.live == slice->live_full);
    assert_true(part.peak >= slice->simple_bound);
    hw_sim_free(&all);
    hw_sim_free(&part);
}

/* Reorder the nodes of one slice; the whole stays legal, and the steps agree. */
static void reorder_slice(const hw_model *m, hw_slicer *s, uint32_t *whole, uint32_t low,
                          uint32_t high, uint64_t *state)
{
    hw_sim sim;
    assert_int_equal(hw_sim_init(&sim, m, NULL), HW_OK);
    for (uint32_t i = 0; i < low; i++)
        (void)hw_sim_step(&sim, whole[i]);
    hw_model *slice;
    assert_int_equal(hw_slice_new(s, low, high, sim.live, &slice, NULL), HW_OK);
    hw_sim_free(&sim);
    uint32_t n = high - low, *order = calloc(n + 1, sizeof *order);
    uint32_t *node = calloc(n + 1, sizeof *node);
    assert_true(order && node && slice->n_nodes == n);
    memcpy(node, whole + low, n * sizeof *node);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    compare_steps(m, slice, whole, order, low);
    if (n && !m->earliest)
        assert_true(draft_order(slice, state, order));
    for (uint32_t i = 0; i < n; i++)
        whole[low + i] = node[order[i]];
    (void)agreed_peak(m->graph, m->accounting, m->pin_inputs, whole);
    compare_steps(m, slice, whole, order, low);
    free(order);
    free(node);
    hw_slice_free(slice);
}

static void steps_agree(void **unused)
{
    (void)unused;
    const char *text = getenv("HW_SLICE_GRAPHS");
    uint64_t graphs = text ? strtoull(text, NULL, 10) : 3000, with_pairs = 0;
    for (uint64_t seed = 0; seed < graphs; seed++) {
        uint64_t state = seed;
        hw_graph *g = draft_graph(seed, 1 + seed % 30, seed % 4 ? DRAW_RICH : DRAW_ALL);
        hw_model *m = test_model(g, (hw_accounting)(seed % 2), seed % 3 == 0);
        if (m && m->legal) {
            uint32_t n = m->n_nodes, *whole = calloc(n, sizeof *whole);
            hw_slicer s;
            assert_non_null(whole);
            assert_true(draft_order(m, &state, whole));
            assert_int_equal(hw_slicer_open(&s, m, whole, NULL), HW_OK);
            uint32_t low = (uint32_t)draft_below(&state, n + 1);
            uint32_t high = low + (uint32_t)draft_below(&state, n - low + 1);
            /* Slices side by side, then one of them again: names are forgotten. */
            reorder_slice(m, &s, whole, 0, low, &state);
            reorder_slice(m, &s, whole, low, high, &state);
            reorder_slice(m, &s, whole, high, n, &state);
            reorder_slice(m, &s, whole, low, high, &state);
            with_pairs += m->reuse_offset != NULL;
            hw_slicer_close(&s);
            free(whole);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    print_message("# slices: %llu graphs, %llu with in-place pairs\n", (unsigned long long)graphs,
                  (unsigned long long)with_pairs);
    assert_true(with_pairs > graphs / 20);
}

/* The best order of a slice by `dp` fits into its place. */
static void windows_stay_inside(void **unused)
{
    (void)unused;
    uint32_t met = 0;
    for (uint64_t seed = 0; seed < 400; seed++) {
        uint64_t state = seed;
        hw_graph *g = draft_graph(seed, 4 + seed % 12, DRAW_ALL);
        hw_model *m = test_model(g, HW_ALLOC_FIRST, false), *slice;
        uint32_t n = m->n_nodes, whole[DRAFT_NODES], low = n / 4, high = n - n / 5;
        if (m->legal && m->earliest && draft_order(m, &state, whole)) {
            hw_slicer s;
            hw_sim sim;
            assert_int_equal(hw_slicer_open(&s, m, whole, NULL), HW_OK);
            assert_int_equal(hw_sim_init(&sim, m, NULL), HW_OK);
            for (uint32_t i = 0; i < low; i++)
                (void)hw_sim_step(&sim, whole[i]);
            assert_int_equal(hw_slice_new(&s, low, high, sim.live, &slice, NULL), HW_OK);
            const hw_solver_row *row = hw_solver_find("dp", 2);
            uint32_t order[DRAFT_NODES], node[DRAFT_NODES];
            hw_request request = {0};
            hw_answer a = {.order = order};
            assert_int_equal(row->solve(slice, &request, &a, NULL), HW_OK);
            assert_true(a.has_order && a.status == HW_OPTIMAL);
            memcpy(node, whole + low, (high - low) * sizeof *node);
            for (uint32_t i = low; i < high; i++)
                whole[i] = node[order[i - low]];
            (void)agreed_peak(g, HW_ALLOC_FIRST, false, whole);
            compare_steps(m, slice, whole, order, low);
            met++;
            hw_slice_free(slice);
            hw_sim_free(&sim);
            hw_slicer_close(&s);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
    assert_true(met > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_agree),
        cmocka_unit_test(windows_stay_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
