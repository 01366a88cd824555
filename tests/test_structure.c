/* Depth, width, down-sets and orders against known posets and brute force. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/bitset.h"
#include "model/builder.h"
#include "model/structure.h"
#include "support_draft.h"
#include "support_solve.h"
#include "support_sanitized.h"

/* A graph of n nodes without tensors that edges are added to. */
typedef struct sketch {
    hw_builder *b;
    uint32_t n;
} sketch;

static sketch sketch_nodes(uint32_t n)
{
    sketch s = {hw_builder_new(), n};
    assert_non_null(s.b);
    for (uint32_t v = 0; v < n; v++) {
        hw_node_spec spec = {.id = v};
        assert_int_equal(hw_builder_node(s.b, &spec, NULL), HW_OK);
    }
    return s;
}

static void sketch_edge(sketch *s, uint32_t from, uint32_t to)
{
    assert_int_equal(hw_builder_control(s->b, from, to, NULL), HW_OK);
}

/* The structure of the sketch, which is released. */
static hw_structure measure(sketch *s, hw_structure_limits limits)
{
    hw_graph *g = NULL;
    hw_structure out;
    assert_int_equal(hw_builder_finish(s->b, &g, NULL), HW_OK);
    assert_int_equal(hw_structure_find(g, limits, &out, NULL), HW_OK);
    hw_builder_free(s->b);
    hw_graph_free(g);
    return out;
}

static void antichains(void **state)
{
    (void)state;
    uint64_t factorial = 1;
    for (uint32_t n = 0; n <= 14; n++) {
        factorial *= n ? n : 1;
        sketch s = sketch_nodes(n);
        hw_structure found = measure(&s, HW_STRUCTURE_LIMITS);
        assert_true(found.has_width && found.has_down_sets && found.has_orders);
        assert_int_equal(found.width, n);
        assert_int_equal(found.depth, n ? 1 : 0);
        assert_int_equal(found.sources, n);
        assert_int_equal(found.sinks, n);
        assert_int_equal(found.down_sets, UINT64_C(1) << n);
        assert_int_equal(found.orders_high, 0);
        assert_int_equal(found.orders_low, factorial);
    }
}

static void chains(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 200; n += 33) {
        sketch s = sketch_nodes(n);
        for (uint32_t v = 1; v < n; v++)
            sketch_edge(&s, v - 1, v);
        hw_structure found = measure(&s, HW_STRUCTURE_LIMITS);
        assert_int_equal(found.width, 1);
        assert_int_equal(found.depth, n);
        assert_int_equal(found.down_sets, n + 1);
        assert_int_equal(found.orders_low, 1);
        assert_int_equal(found.sources, 1);
        assert_int_equal(found.sinks, 1);
    }
}

static void grids_of_two_rows(void **state)
{
    (void)state;
    static const uint64_t catalan[] = {1, 1, 2, 5, 14, 42, 132, 429, 1430, 4862, 16796};
    for (uint32_t n = 2; n <= 10; n++) {
        sketch s = sketch_nodes(2 * n);
        for (uint32_t v = 0; v < n; v++) {
            sketch_edge(&s, v, n + v);
            if (v) {
                sketch_edge(&s, v - 1, v);
                sketch_edge(&s, n + v - 1, n + v);
            }
        }
        hw_structure found = measure(&s, HW_STRUCTURE_LIMITS);
        assert_int_equal(found.width, 2);
        assert_int_equal(found.depth, n + 1);
        assert_int_equal(found.down_sets, (n + 1) * (n + 2) / 2);
        assert_int_equal(found.orders_low, catalan[n]);
    }
}

/* k antichains of 8, each wholly before the next: (8!)^k orders. */
static hw_structure stack_of_antichains(uint32_t k)
{
    sketch s = sketch_nodes(8 * k);
    for (uint32_t v = 8; v < 8 * k; v++)
        for (uint32_t i = 0; i < 8; i++)
            sketch_edge(&s, v / 8 * 8 - 8 + i, v);
    return measure(&s, HW_STRUCTURE_LIMITS);
}

static void orders_beyond_64_bits(void **state)
{
    (void)state;
    char text[HW_COUNT_TEXT + 1];
    text[HW_COUNT_TEXT] = '!'; /* behind the room that is asked for */
    hw_structure found = stack_of_antichains(8);
    assert_true(found.has_orders);
    assert_int_equal(found.width, 8);
    assert_int_equal(found.down_sets, 8 * 255 + 1);
    assert_string_equal(hw_count_text(found.orders_high, found.orders_low, text),
                        "6984964247141514123629140377600000000");
    found = stack_of_antichains(9);
    assert_true(found.has_down_sets);
    assert_false(found.has_orders);
    assert_string_equal(hw_count_text(UINT64_MAX, UINT64_MAX, text),
                        "340282366920938463463374607431768211455");
    assert_string_equal(hw_count_text(0, 0, text), "0");
    assert_int_equal(text[HW_COUNT_TEXT], '!');
}

static void limits_end_the_counting(void **state)
{
    (void)state;
    sketch s = sketch_nodes(40);
    hw_structure found = measure(&s, (hw_structure_limits){39, 5000});
    assert_false(found.has_width);
    assert_false(found.has_down_sets);
    assert_false(found.has_orders);
    assert_int_equal(found.down_sets, 5000);
    s = sketch_nodes(3);
    found = measure(&s, (hw_structure_limits){3, 8});
    assert_true(found.has_width && found.has_down_sets);
    s = sketch_nodes(3);
    found = measure(&s, (hw_structure_limits){3, 7});
    assert_false(found.has_down_sets);
    s = sketch_nodes(3);
    found = measure(&s, (hw_structure_limits){0, 0});
    assert_false(found.has_width || found.has_down_sets || found.has_orders);
}

/* The same by going through all subsets of n <= 12 nodes. */
static void brute_force(const hw_graph *g, uint32_t *width, uint64_t *down_sets)
{
    uint32_t n = g->n_nodes, before[16] = {0}, order[16];
    assert_int_equal(hw_graph_level_order(g, order, NULL), HW_OK);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = g->preds.offset[order[i]]; k < g->preds.offset[order[i] + 1]; k++)
            before[order[i]] |= before[g->preds.item[k]] | (UINT32_C(1) << g->preds.item[k]);
    *width = 0;
    *down_sets = 0;
    for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
        bool antichain = true, closed = true;
        for (uint32_t v = 0; v < n; v++) {
            if (!(set >> v & 1))
                continue;
            antichain = antichain && !(before[v] & set);
            closed = closed && !(before[v] & ~set);
        }
        uint32_t size = hw_count_bits(set);
        *width = antichain && size > *width ? size : *width;
        *down_sets += closed;
    }
}

static void random_graphs_match_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < FEWER(600); seed++) {
        hw_graph *g = draft_graph(seed, seed % 13, DRAW_RICH);
        hw_structure found;
        uint32_t width;
        uint64_t down_sets;
        assert_non_null(g);
        assert_int_equal(hw_structure_find(g, HW_STRUCTURE_LIMITS, &found, NULL), HW_OK);
        brute_force(g, &width, &down_sets);
        assert_int_equal(found.width, width);
        assert_true(found.has_down_sets && found.has_orders);
        assert_int_equal(found.down_sets, down_sets);
        if (g->n_nodes > 0 && g->n_nodes <= 8) {
            hw_model *m = test_model(g, HW_FREE_FIRST, false);
            hw_answer all = test_solve(m, "enumerate:prune=no");
            assert_int_equal(all.orders, found.orders_low);
            hw_answer_clear(&all);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

/* Chains side by side, across words of the bit sets, with edges between them. */
static void wide_graphs(void **state)
{
    (void)state;
    for (uint32_t n_chains = 5; n_chains <= 130; n_chains *= 5) {
        sketch s = sketch_nodes(4 * n_chains);
        for (uint32_t v = n_chains; v < 4 * n_chains; v++) {
            sketch_edge(&s, v - n_chains, v);
            if (v % n_chains && v % 3 == 0)
                sketch_edge(&s, v - n_chains - 1, v);
        }
        hw_structure found = measure(&s, (hw_structure_limits){4000, 1000});
        assert_true(found.has_width);
        assert_int_equal(found.width, n_chains);
        assert_int_equal(found.depth, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(antichains),
        cmocka_unit_test(chains),
        cmocka_unit_test(grids_of_two_rows),
        cmocka_unit_test(orders_beyond_64_bits),
        cmocka_unit_test(limits_end_the_counting),
        cmocka_unit_test(random_graphs_match_brute_force),
        cmocka_unit_test(wide_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
