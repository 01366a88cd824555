/*
 * The corners of the memory model, a case for each, with figures found by
 * hand.  Every peak is taken by the fast simulator and by the checker.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "model/builder.h"
#include "model/sim.h"
#include "solve/solver.h"
#include "tests/support_lines.h"

/* ---- Peaks. ---- */

typedef struct peak_case {
    const char *lines;
    uint32_t order[8];
    uint64_t alloc_first, free_first, alloc_first_pinned;
} peak_case;

static void expect_peaks(const peak_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const peak_case *c = &cases[i];
        hw_graph *g = lines_graph(c->lines);
        assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, c->order), c->alloc_first);
        assert_int_equal(agreed_peak(g, HW_FREE_FIRST, false, c->order), c->free_first);
        assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, true, c->order), c->alloc_first_pinned);
        hw_graph_free(g);
    }
}

#define EXPECT_PEAKS(...)                                                                          \
    do {                                                                                           \
        const peak_case cases[] = {__VA_ARGS__};                                                   \
        expect_peaks(cases, sizeof cases / sizeof cases[0]);                                       \
    } while (0)

static void empty_graphs(void **state)
{
    (void)state;
    EXPECT_PEAKS({"", {0}, 0, 0, 0}, {"t 0 9 i", {0}, 0, 0, 9}, {"t 0 9 c", {0}, 0, 0, 0});
}

static void unwanted_input_is_freed_before_the_run(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 9 i; t 1 4 i; t 2 1 o; v 0 1 > 2", {0}, 5, 4, 14});
    hw_graph *g = lines_graph("t 0 9 i; t 1 4 i; t 2 1 o; v 0 1 > 2");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_model *pinned = lines_model(g, HW_ALLOC_FIRST, true);
    assert_int_equal(m->live_empty, 4);
    assert_int_equal(m->live_full, 1);
    assert_int_equal(pinned->live_empty, 13);
    assert_int_equal(pinned->live_full, 14);
    hw_model_free(m);
    hw_model_free(pinned);
    hw_graph_free(g);
}

static void dead_output_lives_for_its_step(void **state)
{
    (void)state;
    EXPECT_PEAKS(
        {"t 0 10 i; t 1 20 o; t 2 50 a; v 0 0 > 1,2", {0}, 80, 70, 80},
        /* It is gone when the next node runs. */
        {"t 0 10 i; t 1 20 a; t 2 50 a; t 3 55 o; v 0 0 > 1,2; v 1 1 > 3", {0, 1}, 80, 70, 85});
}

static void repeated_input_counts_once(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 10 i; t 1 3 o; v 0 0,0 > 1", {0}, 13, 10, 13},
                 {"t 0 8 a; t 1 3 o; t 2 4 o; v 0 - > 0; v 1 0,0 > 1; v 2 0,0,0 > 2",
                  {0, 1, 2},
                  15,
                  11,
                  15});
}

static void workspace_belongs_to_its_step(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 10 i; t 1 3 a; t 2 5 o; v 0 0 > 1 workspace=7; v 1 1 > 2 workspace=20",
                  {0, 1},
                  28,
                  25,
                  38});
}

static void views_share_the_storage(void **state)
{
    (void)state;
    /* The second input of a view is an ordinary input. */
    EXPECT_PEAKS({"t 0 30 a; t 1 6 i; t 2 30 a; t 3 1 o; v 0 - > 0; v 1 0,1 > 2 view; v 2 2 > 3",
                  {0, 1, 2},
                  36,
                  36,
                  37},
                 /* A view of a view keeps the root alive until its last consumer. */
                 {"t 0 64 i; t 1 64 a; t 2 32 a; t 3 5 a; t 4 12 o; "
                  "v 0 0 > 1 view; v 1 1 > 2 view; v 2 0 > 3; v 3 2,3 > 4",
                  {0, 1, 2, 3},
                  81,
                  69,
                  81});
}

static void view_of_a_constant_is_resident(void **state)
{
    (void)state;
    EXPECT_PEAKS(
        {"t 0 64 c; t 1 64 a; t 2 7 i; t 3 5 o; v 0 0 > 1 view; v 1 1,2 > 3", {0, 1}, 12, 7, 12},
        {"t 0 64 c; t 1 64 o; v 0 0 > 1 view", {0}, 0, 0, 0});
    hw_graph *g = lines_graph("t 0 64 c; t 1 64 o; v 0 0 > 1 view");
    assert_int_equal(hw_graph_resident_bytes(g), 64);
    assert_int_equal(hw_graph_total_bytes(g), 0);
    hw_graph_free(g);
}

static void view_that_is_an_output_keeps_its_root(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 30 i; t 1 100 a; t 2 100 o; t 3 5 o; v 0 0 > 1; v 1 1 > 2 view; v 2 1 > 3",
                  {0, 1, 2},
                  130,
                  105,
                  135},
                 /* An output view of an input keeps the input, pinned or not. */
                 {"t 0 30 i; t 1 30 o; t 2 4 o; v 0 0 > 1 view; v 1 0 > 2", {0, 1}, 34, 34, 34});
}

static void inplace_needs_the_last_consumer(void **state)
{
    (void)state;
    const char *lines = "t 0 40 a; t 1 30 o; t 2 10 o; v 0 - > 0; v 1 0 > 1 inplace=0:1; v 2 0 > 2";
    EXPECT_PEAKS({lines, {0, 1, 2}, 80, 70, 80}, {lines, {0, 2, 1}, 50, 50, 50},
                 /* What an output, a constant or a pinned input holds is never overwritten. */
                 {"t 0 40 o; t 1 30 o; v 0 - > 0; v 1 0 > 1 inplace=0:1", {0, 1}, 70, 70, 70},
                 {"t 0 40 c; t 1 30 o; v 0 0 > 1 inplace=0:1", {0}, 30, 30, 30},
                 {"t 0 40 i; t 1 30 o; v 0 0 > 1 inplace=0:1", {0}, 40, 40, 70},
                 /* The overwriting output may be larger, kept or dead. */
                 {"t 0 40 i; t 1 50 o; v 0 0 > 1 inplace=0:1", {0}, 50, 50, 90},
                 {"t 0 40 i; t 1 50 a; v 0 0 > 1 inplace=0:1", {0}, 50, 50, 90});
}

static void inplace_reaches_through_views(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 100 i; t 1 60 a; t 2 40 o; v 0 0 > 1 view; v 1 1 > 2 inplace=1:2",
                  {0, 1},
                  100,
                  100,
                  140},
                 /* Another consumer of the root comes later: nothing is saved. */
                 {"t 0 100 i; t 1 60 a; t 2 40 o; t 3 5 o; "
                  "v 0 0 > 1 view; v 1 1 > 2 inplace=1:2; v 2 0 > 3",
                  {0, 1, 2},
                  145,
                  140,
                  145},
                 /* Tensor and view are one storage, overwritten once. */
                 {"t 0 100 i; t 1 100 a; t 2 40 o; t 3 50 o; "
                  "v 0 0 > 1 view; v 1 0,1 > 2,3 inplace=0:2,1:3",
                  {0, 1},
                  140,
                  100,
                  190});
}

static void the_best_choice_of_pairs_counts(void **state)
{
    (void)state;
    const char *inputs = "t 0 10 i; t 1 60 i; t 2 50 o; t 3 10 o; v 0 0,1 > 2,3 inplace=";
    char lines[128];
    const char *const pairs[] = {"0:2,1:2,1:3", "1:3,1:2,0:2", "1:3,0:2,1:2"};
    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(lines, sizeof lines, "%s%s", inputs, pairs[i]);
        EXPECT_PEAKS({lines, {0}, 80, 70, 130}); /* 130 less 50, not 10 + 10 */
    }
    EXPECT_PEAKS({"t 0 10 i; t 1 60 i; t 2 50 o; t 3 10 o; v 0 0,1 > 2,3 inplace=1:2,1:3,0:2,0:3",
                  {0},
                  70,
                  70,
                  130});
}

static void must_inplace_saves_as_any_pair(void **state)
{
    (void)state;
    EXPECT_PEAKS({"t 0 40 a; t 1 30 o; t 2 10 o; v 0 - > 0; v 1 0 > 1 inplace=0:1 "
                  "inplace_required; v 2 0 > 2",
                  {0, 2, 1},
                  50,
                  50,
                  50});
}

static void sums_up_to_64_bits(void **state)
{
    (void)state;
    const char *full = "t 0 9223372036854775807 i; t 1 9223372036854775807 o; "
                       "v 0 0 > 1 workspace=1";
    EXPECT_PEAKS({full, {0}, UINT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX});
    EXPECT_PEAKS({"t 0 9223372036854775807 i; t 1 9223372036854775807 o; t 2 1 c; v 0 0,2 > 1",
                  {0},
                  UINT64_MAX - 1,
                  INT64_MAX,
                  UINT64_MAX - 1});
}

static void a_view_chain_of_any_length(void **state)
{
    (void)state;
    enum { LENGTH = 200000 };
    hw_builder *b = hw_builder_new();
    uint32_t *order = HW_NEW(uint32_t, LENGTH);
    hw_graph *g = NULL;
    assert_non_null(b);
    assert_non_null(order);
    /* Tensors by descending id: every view points to a later index. */
    for (uint64_t t = 0; t <= LENGTH; t++)
        assert_int_equal(hw_builder_tensor(b, LENGTH - t, 10 + t,
                                           t == LENGTH ? HW_INPUT : HW_ACTIVATION, NULL, NULL),
                         HW_OK);
    for (uint64_t v = 0; v < LENGTH; v++) {
        const uint64_t in = v, out = v + 1;
        const hw_node_spec spec = {
            .id = v, .inputs = &in, .n_inputs = 1, .outputs = &out, .n_outputs = 1, .view = true};
        assert_int_equal(hw_builder_node(b, &spec, NULL), HW_OK);
        order[v] = (uint32_t)v;
    }
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    assert_int_equal(g->n_storages, 1);
    assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, order), 10 + LENGTH);
    hw_graph_free(g);
    hw_builder_free(b);
    free(order);
}

/* ---- Orders, locks, windows. ---- */

static void illegal_source_order_is_reported(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 4 a; t 1 6 o; v 7 0 > 1; v 3 - > 0");
    assert_false(g->source_order_legal_edges);
    hw_check check = checked(g, (const uint32_t[]){0, 1});
    assert_int_equal(check.verdict, HW_ORDER_DATA_EDGE);
    assert_int_equal(check.step, 0);
    assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, (const uint32_t[]){1, 0}), 10);
    hw_graph_free(g);
    g = lines_graph("t 0 4 a; t 1 6 o; v 3 - > 0; v 7 0 > 1");
    assert_true(g->source_order_legal_edges);
    hw_graph_free(g);
}

#define THREE "t 0 1 o; t 1 1 o; t 2 1 o; "

static void locked_nodes_form_a_chain(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(THREE "v 0 - > 0 locked; v 1 - > 1; v 2 - > 2 locked");
    assert_int_equal(g->n_edges, 1);
    assert_int_equal(g->preds.offset[3] - g->preds.offset[2], 1);
    assert_int_equal(g->preds.item[g->preds.offset[2]], 0);
    assert_int_equal(checked(g, (const uint32_t[]){1, 0, 2}).verdict, HW_ORDER_LEGAL);
    assert_int_equal(checked(g, (const uint32_t[]){2, 1, 0}).verdict, HW_ORDER_LOCK);
    hw_graph_free(g);
    g = lines_graph(THREE "v 0 - > 0 locked; v 1 - > 1 locked; v 2 - > 2 locked");
    assert_int_equal(g->n_edges, 2);
    hw_graph_free(g);
}

static void locks_and_windows_together(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 1 o; t 1 1 o; t 2 1 o; t 3 1 o; v 0 - > 0 locked; "
                              "v 1 - > 1 locked window=1; v 2 - > 2; v 3 - > 3");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    assert_true(m->legal);
    assert_int_equal(m->earliest[1], 1); /* after node 0 */
    assert_int_equal(m->latest[1], 2);
    assert_int_equal(m->latest[0], 1); /* before node 1 */
    assert_int_equal(checked(g, (const uint32_t[]){2, 0, 1, 3}).verdict, HW_ORDER_LEGAL);
    assert_int_equal(checked(g, (const uint32_t[]){2, 3, 0, 1}).verdict, HW_ORDER_WINDOW);
    assert_int_equal(checked(g, (const uint32_t[]){1, 0, 2, 3}).verdict, HW_ORDER_LOCK);
    hw_model_free(m);
    hw_graph_free(g);
}

/* A wide window on a late node and a node that must go first: all still counts. */
static void window_wider_than_the_graph_is_none(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(THREE "v 0 - > 0 window=99; v 1 - > 1 window=18446744073709551615; "
                                    "v 2 - > 2 window=2");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    for (uint32_t v = 0; v < 3; v++) {
        assert_int_equal(m->earliest[v], 0);
        assert_int_equal(m->latest[v], 2);
    }
    assert_int_equal(checked(g, (const uint32_t[]){2, 1, 0}).verdict, HW_ORDER_LEGAL);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Node 0 reads what node 1 makes, and neither may move. */
static void windows_without_legal_order(void **state)
{
    (void)state;
    const char *const unfit[] = {
        "t 0 4 a; t 1 6 o; v 0 0 > 1 window=0; v 1 - > 0 window=0",
        /* Each fits alone; three nodes for the two positions 0 and 1. */
        "t 0 1 a; t 1 1 a; t 2 1 o; t 3 1 o; v 0 0,1 > 2 window=1; v 1 - > 0; v 2 - > 1; "
        "v 3 - > 3",
        "t 0 1 o; t 1 1 a; t 2 1 a; t 3 1 o; v 0 - > 0 window=0; v 1 1,2 > 3 window=1; "
        "v 2 - > 1; v 3 - > 2",
    };
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++) {
        hw_graph *g = lines_graph(unfit[i]);
        hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
        assert_false(m->legal);
        for (size_t k = 0; k < hw_n_solvers; k++) {
            hw_param_value values[HW_PARAM_LIMIT];
            hw_params_preset(hw_solvers[k]->params, hw_solvers[k]->n_params, values);
            const hw_request request = {.params = values, .seed = 1};
            hw_answer answer;
            assert_int_equal(hw_solve(m, hw_solvers[k], &request, &answer, NULL), HW_OK);
            assert_int_equal(answer.status, HW_INFEASIBLE);
            assert_false(answer.has_order);
            hw_answer_clear(&answer);
        }
        hw_model_free(m);
        hw_graph_free(g);
    }
}

static void must_inplace_adds_edges(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 40 a; t 1 30 o; t 2 10 o; t 3 40 a; t 4 9 o; v 0 - > 0; "
                              "v 1 0 > 1 inplace=0:1 inplace_required; v 2 0 > 2; "
                              "v 3 0 > 3 view; v 4 3 > 4");
    assert_int_equal(g->preds.offset[2] - g->preds.offset[1], 4); /* 0, and 2, 3, 4 before it */
    assert_false(g->source_order_legal_edges);
    hw_check check = checked(g, (const uint32_t[]){0, 3, 2, 1, 4});
    assert_int_equal(check.verdict, HW_ORDER_INPLACE);
    assert_int_equal(check.node, 1);
    assert_int_equal(check.other, 4);
    assert_int_equal(checked(g, (const uint32_t[]){0, 3, 4, 2, 1}).verdict, HW_ORDER_LEGAL);
    hw_graph_free(g);
}

static void control_edges_count_once(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 4 a; t 1 6 o; t 2 1 o; v 0 - > 0; v 1 0,0 > 1; v 2 - > 2; "
                              "e 0 1; e 0 1; e 2 1; e 0 1; e 2 1");
    assert_int_equal(g->n_control, 2);
    assert_int_equal(g->n_edges, 2);
    assert_int_equal(checked(g, (const uint32_t[]){0, 1, 2}).verdict, HW_ORDER_CONTROL_EDGE);
    hw_graph_free(g);
}

static void ids_up_to_the_last(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 4294967295 4 a; t 0 6 o; v 4294967295 - > 4294967295; "
                              "v 0 4294967295 > 0; e 4294967295 0");
    assert_int_equal(hw_tensor_id(g, 0), UINT32_MAX);
    assert_int_equal(hw_node_id(g, 0), UINT32_MAX);
    assert_int_equal(g->tensor_producer[0], 0);
    assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, (const uint32_t[]){0, 1}), 10);
    hw_graph_free(g);
}

/* ---- Parts left out. ---- */

static void stripped_views_and_inplace(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 100 i; t 1 60 a; t 2 40 o; v 0 0 > 1 view; "
                              "v 1 1 > 2 inplace=1:2 inplace_required");
    const uint32_t order[] = {0, 1};
    const uint64_t peaks[2][2] = {{100, 140}, {160, 160}}; /* [views][in-place] */
    for (int views = 0; views < 2; views++)
        for (int inplace = 0; inplace < 2; inplace++) {
            hw_graph *plain = NULL;
            assert_int_equal(hw_graph_strip(g, views, inplace, &plain, NULL), HW_OK);
            assert_int_equal(agreed_peak(plain, HW_ALLOC_FIRST, false, order),
                             peaks[views][inplace]);
            assert_int_equal(plain->n_storages, views ? 3 : 2);
            hw_graph_free(plain);
        }
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_graphs),
        cmocka_unit_test(unwanted_input_is_freed_before_the_run),
        cmocka_unit_test(dead_output_lives_for_its_step),
        cmocka_unit_test(repeated_input_counts_once),
        cmocka_unit_test(workspace_belongs_to_its_step),
        cmocka_unit_test(views_share_the_storage),
        cmocka_unit_test(view_of_a_constant_is_resident),
        cmocka_unit_test(view_that_is_an_output_keeps_its_root),
        cmocka_unit_test(inplace_needs_the_last_consumer),
        cmocka_unit_test(inplace_reaches_through_views),
        cmocka_unit_test(the_best_choice_of_pairs_counts),
        cmocka_unit_test(must_inplace_saves_as_any_pair),
        cmocka_unit_test(sums_up_to_64_bits),
        cmocka_unit_test(a_view_chain_of_any_length),
        cmocka_unit_test(illegal_source_order_is_reported),
        cmocka_unit_test(locked_nodes_form_a_chain),
        cmocka_unit_test(locks_and_windows_together),
        cmocka_unit_test(window_wider_than_the_graph_is_none),
        cmocka_unit_test(windows_without_legal_order),
        cmocka_unit_test(must_inplace_adds_edges),
        cmocka_unit_test(control_edges_count_once),
        cmocka_unit_test(ids_up_to_the_last),
        cmocka_unit_test(stripped_views_and_inplace),
    };
    return cmocka_run_group_tests_name("model", tests, NULL, NULL) != 0;
}
