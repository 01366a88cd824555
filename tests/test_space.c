/*
 * Where the adversary searches: limits that contradict, and draws, moves and
 * crossings that stay inside, in random spaces of all kinds.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "adversary/space.h"
#include "small/genome_edit.h"
#include "support_draft.h"
#include "support_shape.h"

enum { SPACES = 400, MOVES = 200, CROSSINGS = 20 };

/* ---- Limits. ---- */

static hw_space wide_space(void)
{
    return (hw_space){.least_nodes = 1,
                      .most_nodes = 12,
                      .most_edges = 2016,
                      .most_in = 64,
                      .most_out = 64,
                      .low = 1,
                      .high = 100};
}

static void test_limits(void **state)
{
    (void)state;
    hw_error err = {0};
    hw_space s = wide_space();
    assert_int_equal(hw_space_check(&s, &err), HW_OK);
    s.least_nodes = 13;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    assert_string_equal(err.message, "at least 13 nodes, at most 12: no graph has both");
    s = wide_space();
    s.least_nodes = 0;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    s = wide_space();
    s.most_nodes = 65;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    s = wide_space();
    s.least_edges = 5, s.most_edges = 4;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    assert_string_equal(err.message, "at least 5 edges, at most 4: no graph has both");
    s = wide_space();
    s.least_edges = 66;
    assert_int_equal(hw_space_check(&s, &err), HW_OK);
    s.least_edges = 67;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    s.least_edges = 12, s.shape = HW_SHAPE_IN_TREE;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    assert_string_equal(err.message, "at least 12 edges, but 12 nodes of this shape and these "
                                     "degrees have 11 at most");
    s = wide_space();
    s.low = 101;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    s = wide_space();
    s.high = INT64_MAX / 12;
    assert_int_equal(hw_space_check(&s, &err), HW_OK);
    s.high++;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
    s.high--;
    s.split = true;
    assert_int_equal(hw_space_check(&s, &err), HW_USAGE);
}

/* Each limit alone turns a genome away. */
static void test_membership(void **state)
{
    (void)state;
    hw_space s = wide_space(), t;
    hw_genome g, h;
    hw_genome_start(&g, 4);
    g.parents[1] = g.parents[2] = 1;
    g.parents[3] = 6;
    assert_true(hw_space_holds(&s, &g));
    t = s, t.least_nodes = 5;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.most_nodes = 3;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.least_edges = 5;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.most_edges = 3;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.most_in = 1;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.most_out = 1;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.low = 2;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.shape = HW_SHAPE_IN_TREE;
    assert_false(hw_space_holds(&t, &g));
    t = s, t.discard = true;
    assert_false(hw_space_holds(&t, &g));
    h = g, h.size[2] = 101;
    assert_false(hw_space_holds(&s, &h));
    h = g, h.workspace[2] = 1;
    assert_false(hw_space_holds(&s, &h));
    t = s, t.workspace = true;
    assert_true(hw_space_holds(&t, &h));
    t.low = 0;
    h.workspace[2] = 101;
    assert_false(hw_space_holds(&t, &h));
    h = g, h.inplace[3] = 2;
    assert_false(hw_space_holds(&s, &h));
    t = s, t.inplace = true;
    assert_true(hw_space_holds(&t, &h));
    h.inplace[3] = 0;
    assert_false(hw_space_holds(&t, &h));
    h = g, h.split = 1;
    assert_false(hw_space_holds(&s, &h));
    t = s, t.split = true;
    assert_true(hw_space_holds(&t, &h));
    h.split = 2;
    assert_false(hw_space_holds(&t, &h));
    h = g, h.parents[1] = 4;
    assert_false(hw_space_holds(&s, &h));
    h = g, h.size[5] = 2;
    assert_false(hw_space_holds(&s, &h));
}

/* ---- Draws, moves, crossings in random spaces. ---- */

static hw_space random_space(uint64_t seed)
{
    hw_space s = {.discard = draft_below(&seed, 2), .workspace = draft_below(&seed, 2)};
    hw_error err = {0};
    do {
        s.least_nodes = 1 + (uint32_t)draft_below(&seed, draft_below(&seed, 5) ? 12 : 64);
        s.most_nodes = s.least_nodes + (uint32_t)draft_below(&seed, 3) * 2;
        s.most_nodes = s.most_nodes > 64 ? 64 : s.most_nodes;
        s.most_in = draft_below(&seed, 3) ? 64 : (uint32_t)draft_below(&seed, 4);
        s.most_out = draft_below(&seed, 3) ? 64 : (uint32_t)draft_below(&seed, 4);
        s.least_edges = draft_below(&seed, 2) ? 0 : (uint32_t)draft_below(&seed, 30);
        s.most_edges =
            draft_below(&seed, 2) ? 2016 : s.least_edges + (uint32_t)draft_below(&seed, 5);
        s.low = draft_below(&seed, 3);
        s.high = s.low + draft_below(&seed, draft_below(&seed, 2) ? 3 : 1000);
        s.shape = (hw_shape)draft_below(&seed, HW_SHAPE_LAYERED + 1);
        s.inplace = draft_below(&seed, 2);
        s.split = draft_below(&seed, 2);
    } while (hw_space_check(&s, &err) != HW_OK);
    return s;
}

/* hw_space_holds(), and the graph can be built. */
static void check_inside(const hw_space *s, const hw_genome *g)
{
    hw_graph *graph = NULL;
    hw_error err = {0};
    assert_true(hw_space_holds(s, g));
    assert_true(g->n > 16 || slow_shape(s->shape, g));
    if (hw_genome_graph(g, NULL, NULL, &graph, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_graph_free(graph);
}

static hw_genome drawn(const hw_space *s, gsl_rng *rng)
{
    hw_genome g;
    memset(&g, 255, sizeof g);
    assert_true(hw_space_draw(s, rng, &g));
    check_inside(s, &g);
    return g;
}

static void test_draw(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SPACES; seed++) {
        hw_space s = random_space(seed);
        gsl_rng *rng = hw_rng_new(seed);
        for (int i = 0; i < 5; i++)
            (void)drawn(&s, rng);
        gsl_rng_free(rng);
    }
}

/* Limits that leave next to nothing are met all the same. */
static void test_narrow(void **state)
{
    (void)state;
    for (int shape = HW_SHAPE_ANY; shape <= HW_SHAPE_LAYERED; shape++)
        for (uint32_t degree = 1; degree <= 5; degree++)
            for (uint32_t n = 1; n <= 14; n++) {
                hw_space s = wide_space();
                s.shape = (hw_shape)shape;
                s.least_nodes = s.most_nodes = n;
                s.most_in = degree;
                s.most_out = degree + n % 2;
                gsl_rng *rng = hw_rng_new(n);
                s.least_edges = s.most_edges = hw_space_most_edges(&s, n);
                (void)drawn(&s, rng);
                s.least_edges = s.most_edges = s.most_edges / 2;
                (void)drawn(&s, rng);
                s.least_edges = s.most_edges = 0;
                (void)drawn(&s, rng);
                gsl_rng_free(rng);
            }
}

static void test_moves(void **state)
{
    (void)state;
    uint32_t moved = 0, all = 0, grown = 0, shrunk = 0;
    for (uint64_t seed = 0; seed < SPACES; seed++) {
        hw_space s = random_space(seed);
        gsl_rng *rng = hw_rng_new(seed);
        hw_genome g = drawn(&s, rng);
        for (int i = 0; i < MOVES; i++, all++) {
            hw_genome before = g;
            if (hw_space_move(&s, rng, &g)) {
                moved++;
                grown += g.n > before.n;
                shrunk += g.n < before.n;
                check_inside(&s, &g);
                assert_false(hw_genome_same(&g, &before));
            } else {
                assert_true(hw_genome_same(&g, &before));
            }
        }
        gsl_rng_free(rng);
    }
    assert_true(moved > all - all / 10);
    assert_true(grown > all / 100 && shrunk > all / 100);
}

/* Each kind comes about, also where the number of nodes is fixed, and does what it says. */
static void test_kinds(void **state)
{
    (void)state;
    hw_space s = wide_space();
    gsl_rng *rng = hw_rng_new(1);
    s.workspace = s.inplace = s.split = true;
    s.high = 1000;
    for (int fixed = 0; fixed < 2; fixed++)
        for (int kind = 0; kind < HW_MOVES; kind++) {
            uint32_t moved = 0;
            s.least_nodes = fixed ? 8 : 2;
            s.most_nodes = fixed ? 8 : 20;
            hw_genome g = drawn(&s, rng);
            for (int i = 0; i < 2000; i++) {
                if (i % 10 == 0)
                    g = drawn(&s, rng);
                hw_genome before = g;
                if (!hw_space_move_kind(&s, rng, (hw_move)kind, &g))
                    continue;
                moved++;
                check_inside(&s, &g);
                int nodes = (int)g.n - (int)before.n;
                int edges = (int)hw_genome_edges(&g) - (int)hw_genome_edges(&before);
                if (kind == HW_MOVE_EDGE_ADD)
                    assert_int_equal(edges, 1);
                if (kind == HW_MOVE_EDGE_REMOVE)
                    assert_int_equal(edges, -1);
                if (kind == HW_MOVE_EXCHANGE)
                    assert_int_equal(edges, 0);
                if (kind >= HW_MOVE_SIZE_DRAW && kind <= HW_MOVE_SIZE_LIMIT)
                    assert_memory_equal(g.parents, before.parents, sizeof g.parents);
                if (fixed || kind < HW_MOVE_NODE_SERIES || kind > HW_MOVE_NODE_DROP)
                    assert_int_equal(nodes, 0);
                else if (before.n > 2 && before.n < 20)
                    assert_int_equal(nodes, kind <= HW_MOVE_NODE_ADD ? 1 : -1);
            }
            if (moved < 50)
                fail_msg("kind %d, fixed %d: %u moves of 2000 tries", kind, fixed, moved);
        }
    gsl_rng_free(rng);
}

/* Moves lead from any graph to any other: all labelled graphs of 4 nodes are met, from none. */
static void test_reach(void **state)
{
    (void)state;
    hw_space s = wide_space();
    gsl_rng *rng = hw_rng_new(7);
    hw_genome g;
    bool met[64] = {false};
    uint32_t count = 0;
    s.least_nodes = s.most_nodes = 4;
    s.high = 2;
    hw_genome_start(&g, 4);
    for (int i = 0; i < 20000; i++) {
        (void)hw_space_move(&s, rng, &g);
        uint64_t code = g.parents[1] | g.parents[2] << 1 | g.parents[3] << 3;
        count += !met[code];
        met[code] = true;
    }
    assert_int_equal(count, 64);
    gsl_rng_free(rng);
}

static void test_cross(void **state)
{
    (void)state;
    uint32_t crossed = 0, all = 0, new = 0;
    for (uint64_t seed = 0; seed < SPACES; seed++) {
        hw_space s = random_space(seed);
        gsl_rng *rng = hw_rng_new(seed);
        hw_genome a = drawn(&s, rng), b = drawn(&s, rng), child;
        for (int i = 0; i < CROSSINGS; i++, all++) {
            memset(&child, 255, sizeof child);
            if (!hw_space_cross(&s, rng, &a, &b, &child))
                continue;
            crossed++;
            check_inside(&s, &child);
            new += memcmp(&child, &a, sizeof a) != 0 && memcmp(&child, &b, sizeof b) != 0;
        }
        gsl_rng_free(rng);
    }
    assert_true(crossed > all / 10 * 9);
    assert_true(new > all / 2);
}

static void test_seed(void **state)
{
    (void)state;
    hw_space s = wide_space();
    gsl_rng *one = hw_rng_new(3), *two = hw_rng_new(3);
    hw_genome g = drawn(&s, one), h = drawn(&s, two), other;
    for (int i = 0; i < MOVES; i++) {
        assert_int_equal(hw_space_move(&s, one, &g), hw_space_move(&s, two, &h));
        assert_true(hw_genome_same(&g, &h));
        other = drawn(&s, one);
        hw_genome same = drawn(&s, two);
        assert_true(hw_genome_same(&other, &same));
        assert_int_equal(hw_space_cross(&s, one, &g, &other, &g),
                         hw_space_cross(&s, two, &h, &other, &h));
        assert_true(hw_genome_same(&g, &h));
    }
    gsl_rng_free(one);
    gsl_rng_free(two);
}

/* Sizes: both limits and other nodes' sizes turn up far more often than evenly. */
static void test_sizes(void **state)
{
    (void)state;
    hw_space s = wide_space();
    gsl_rng *rng = hw_rng_new(5);
    hw_genome g;
    uint32_t low = 0, high = 0, same = 0;
    s.low = 10;
    s.high = UINT64_C(1) << 50;
    hw_genome_start(&g, 2);
    g.size[0] = g.size[1] = 777;
    for (int i = 0; i < 10000; i++) {
        uint64_t size = hw_space_size(&s, rng, &g);
        assert_true(size >= s.low && size <= s.high);
        low += size == s.low;
        high += size == s.high;
        same += size == 777;
    }
    assert_true(low > 1000 && high > 1000 && same > 500);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits), cmocka_unit_test(test_membership),
        cmocka_unit_test(test_draw),   cmocka_unit_test(test_narrow),
        cmocka_unit_test(test_moves),  cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_reach),  cmocka_unit_test(test_cross),
        cmocka_unit_test(test_seed),   cmocka_unit_test(test_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
