/* Arenas of orders: the load is the peak, on graphs with everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arena/arena.h"
#include "model/check.h"
#include "model/model.h"
#include "support_lines.h"
#include "support_random.h"
#include "support_sanitized.h"

/* A legal order of the model drawn at random; false: the draw ran into a window. */
static bool random_order(uint64_t *state, const hw_graph *g, uint32_t *order)
{
    uint32_t left[64] = {0}, ready[64], n_ready = 0;
    for (uint32_t v = 0; v < g->n_nodes; v++) {
        left[v] = g->preds.offset[v + 1] - g->preds.offset[v];
        if (left[v] == 0)
            ready[n_ready++] = v;
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint32_t k = random_below(state, n_ready), v = ready[k];
        ready[k] = ready[--n_ready];
        order[i] = v;
        for (uint32_t j = g->succs.offset[v]; j < g->succs.offset[v + 1]; j++)
            if (--left[g->succs.item[j]] == 0)
                ready[n_ready++] = g->succs.item[j];
    }
    hw_check check;
    hw_error err;
    assert_int_equal(hw_check_order(g, false, false, order, g->n_nodes, &check, &err), HW_OK);
    return check.verdict == HW_ORDER_LEGAL;
}

/* hw_arena_of_order fails with HW_INTERNAL where the load is not the peak. */
static void visit(const hw_graph *g, const uint32_t *order, bool free_first, bool pin,
                  unsigned *chains)
{
    hw_model *m;
    hw_arena *a;
    hw_error err;
    if (hw_model_new(g, free_first ? HW_FREE_FIRST : HW_ALLOC_FIRST, pin, &m, &err) != HW_OK)
        return;
    hw_check check;
    assert_int_equal(hw_check_order(g, free_first, pin, order, g->n_nodes, &check, &err), HW_OK);
    if (hw_arena_of_order(m, order, 1, &a, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_true(a->load == check.peak);
    /* every storage that is in memory has a buffer that is large enough for it */
    for (uint32_t s = 0; s < g->n_storages; s++) {
        uint32_t root = g->storage_root[s], b = a->storage_buffer[s];
        bool made = g->tensor_producer[root] != HW_NONE && g->tensor_size[root] > 0;
        assert_true(!made || b != HW_NONE);
        if (b != HW_NONE)
            assert_true(a->buffer[b].size >= g->tensor_size[root]);
        *chains += b != HW_NONE && a->buffer[b].tensor != root;
    }
    for (size_t i = 0; i < hw_n_allocators; i++) {
        const hw_placement_request request = {.states = 20};
        hw_placement p;
        if (hw_arena_place(a, hw_allocators[i], &request, &p, &err) != HW_OK)
            fail_msg("%s: %s", hw_allocators[i]->name, err.message);
        hw_placement_clear(&p);
    }
    hw_arena_free(a);
    hw_model_free(m);
}

static void the_load_is_the_peak(void **state)
{
    (void)state;
    const char *scale = getenv("HW_ARENA_GRAPHS");
    long graphs = scale ? strtol(scale, NULL, 10) : FEWER(3000), orders = 0;
    uint64_t seed = 21;
    unsigned chains = 0;
    for (long i = 0; i < graphs; i++) {
        random_shape shape = random_any_shape(&seed, 1, 14);
        hw_graph *g = random_graph(&seed, &shape);
        if (!g)
            continue;
        uint32_t order[64];
        for (int k = 0; k < 2; k++)
            if (random_order(&seed, g, order)) {
                for (int how = 0; how < 4; how++)
                    visit(g, order, how & 1, how & 2, &chains);
                orders++;
            }
        hw_graph_free(g);
    }
    assert_true(orders > graphs);
    assert_true(chains > graphs / 4);
}

/* The text of an arena as a file, without its head line. */
static void expect_rows(const hw_arena *a, const char *rows)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_arena_write(a, NULL, out);
    assert_int_equal(fclose(out), 0);
    const char *body = strchr(text, '\n');
    assert_non_null(body);
    assert_string_equal(body + 1, rows);
    free(text);
}

static void expect_arena(const char *lines, hw_accounting accounting, const char *rows)
{
    hw_graph *g = lines_graph(lines);
    hw_model *m = lines_model(g, accounting, false);
    hw_arena *a;
    hw_error err;
    uint32_t order[64];
    for (uint32_t i = 0; i < g->n_nodes; i++)
        order[i] = i;
    if (hw_arena_of_order(m, order, 1, &a, &err) != HW_OK)
        fail_msg("%s", err.message);
    expect_rows(a, rows);
    hw_arena_free(a);
    hw_model_free(m);
    hw_graph_free(g);
}

static const char PAIRS[] = "t 0 7 a; t 1 6 a; t 2 7 o; t 3 5 o; v 0 - > 0; v 1 - > 1;"
                            "v 2 0,1 > 2,3 inplace=0:2,0:3,1:2 workspace=9";

/*
 * Tensor 0 may be overwritten by 2 (saves 7) or by 3 (saves 5), 1 by 2 (saves
 * 6): the best choice is 0 by 3 and 1 by 2, which saves 11.
 */
static void the_pairs_that_save_most_share_buffers(void **state)
{
    (void)state;
    expect_arena(PAIRS, HW_ALLOC_FIRST,
                 "t0+t3,0,3,7,\n"
                 "t1+t2,1,3,7,1-2@0:6\n"
                 "w2,2,3,9,\n");
}

static void free_first_overwrites_nothing(void **state)
{
    (void)state;
    expect_arena(PAIRS, HW_FREE_FIRST, "t0,0,2,7\nt1,1,2,6\nt2,2,3,7\nt3,2,3,5\nw2,2,3,9\n");
}

/* 4 grows to 10 at the step of the overwrite, 10 shrinks to 6 after it; a view shares. */
static void a_chain_needs_the_larger_size_where_one_overwrites_the_other(void **state)
{
    (void)state;
    expect_arena("t 0 4 a; t 1 10 a; t 2 10 a; t 3 6 o; t 4 3 o; v 0 - > 0; v 1 0 > 1 inplace=0:1;"
                 "v 2 1 > 2 view; v 3 2 > 3 inplace=2:3; v 4 3 > 4",
                 HW_ALLOC_FIRST, "t0+t1+t3,0,5,10,0-1@0:4 4-5@0:6\nt4,4,5,3,\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_load_is_the_peak),
        cmocka_unit_test(the_pairs_that_save_most_share_buffers),
        cmocka_unit_test(free_first_overwrites_nothing),
        cmocka_unit_test(a_chain_needs_the_larger_size_where_one_overwrites_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
