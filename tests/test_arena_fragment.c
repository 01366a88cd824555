/*
 * Fragmentation that is built, not met: graphs with a locked order on which a
 * first-fit arena and a pool of size classes need far more than the peak.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "model/model.h"
#include "support_arena.h"
#include "support_generate.h"

/* The height that an allocator needs for the source order. */
static uint64_t height_of(const hw_arena *a, const char *name)
{
    const hw_placement_request request = {.states = 1000};
    hw_placement p;
    hw_error err;
    const hw_allocator *row = hw_allocator_find(name, strlen(name));
    assert_non_null(row);
    if (hw_arena_place(a, row, &request, &p, &err) != HW_OK)
        fail_msg("%s: %s", name, err.message);
    uint64_t height = p.height;
    hw_placement_clear(&p);
    return height;
}

static hw_arena *source_arena(const hw_graph *g, hw_accounting accounting)
{
    hw_model *m;
    hw_arena *a;
    hw_error err;
    assert_int_equal(hw_model_new(g, accounting, false, &m, &err), HW_OK);
    uint32_t *order = malloc(m->n_nodes * sizeof *order);
    assert_non_null(order);
    for (uint32_t v = 0; v < m->n_nodes; v++)
        order[v] = v;
    assert_int_equal(hw_arena_of_order(m, order, 1, &a, &err), HW_OK);
    free(order);
    hw_model_free(m);
    return a;
}

/*
 * Robson's formula is met exactly by first-fit: memory * (1 + stages / 2) -
 * 2^stages + 1.  The pool keeps a block for each class it ever had: memory at
 * stage 0 and memory / 2 more at each stage.  Both accountings, same figures.
 */
static void first_fit_needs_what_robson_says(void **state)
{
    (void)state;
    for (uint64_t stages = 0; stages <= 6; stages++)
        for (uint64_t memory = 64; memory <= 512; memory *= 2)
            for (int accounting = 0; accounting < 2; accounting++) {
                char spec[96];
                snprintf(spec, sizeof spec, "robson:memory=%" PRIu64 ",stages=%" PRIu64 ",unit=3",
                         memory, stages);
                hw_graph *g = test_instance(spec, 0);
                hw_arena *a = source_arena(g, (hw_accounting)accounting);
                uint64_t grown = memory + memory * stages / 2;
                assert_int_equal(a->load, 3 * memory);
                assert_int_equal(height_of(a, "first-fit"),
                                 3 * (grown - (UINT64_C(1) << stages) + 1));
                assert_int_equal(height_of(a, "free-list"), height_of(a, "first-fit"));
                assert_true(height_of(a, "bucket-pool") >= height_of(a, "first-fit"));
                assert_true(2 * height_of(a, "greedy-by-size") <= 3 * a->load);
                hw_arena_free(a);
                hw_graph_free(g);
            }
}

/* A small one: 14 nodes, a peak of 8, and first-fit needs 13 (C13 asks for 1.4 times the peak). */
static void fourteen_nodes_need_more_than_half_again(void **state)
{
    (void)state;
    hw_graph *g = test_instance("robson:memory=8,stages=2", 0);
    hw_arena *a = source_arena(g, HW_ALLOC_FIRST);
    assert_int_equal(g->n_nodes, 14);
    assert_int_equal(a->load, 8);
    assert_int_equal(defined_least_height(a), 8);
    assert_int_equal(height_of(a, "first-fit"), 13);
    assert_int_equal(height_of(a, "best-fit"), 13);
    assert_int_equal(height_of(a, "bucket-pool"), 16);
    hw_arena_free(a);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_fit_needs_what_robson_says),
        cmocka_unit_test(fourteen_nodes_need_more_than_half_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
