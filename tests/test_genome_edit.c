/* Changing the nodes of a genome: what is undone is as before, and numbers mean the same nodes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "small/genome_edit.h"
#include "support_draft.h"
#include "support_genome.h"

enum { GENOMES = 5000 };

/* A node that comes in and goes again leaves no trace, wherever it is. */
static void test_insert_remove(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GENOMES; seed++) {
        hw_genome g = random_genome(seed, HW_GENOME_MOST - 1), h = g;
        for (uint32_t v = 0; v <= g.n; v++) {
            hw_genome_insert(&h, v);
            assert_int_equal(h.n, g.n + 1);
            assert_true(h.parents[v] == 0 && hw_genome_readers(&h, v) == 0);
            assert_int_equal(hw_genome_edges(&h), hw_genome_edges(&g));
            for (uint32_t w = 0; w < g.n; w++) {
                uint32_t now = w + (w >= v);
                assert_true(h.size[now] == g.size[w] && h.workspace[now] == g.workspace[w]);
                assert_true((h.split >> now & 1) == (g.split >> w & 1));
                if (g.inplace[w] != HW_GENOME_NONE)
                    assert_int_equal(h.inplace[now], g.inplace[w] + (g.inplace[w] >= v));
                else
                    assert_int_equal(h.inplace[now], HW_GENOME_NONE);
                for (uint32_t u = 0; u < w; u++)
                    assert_true((h.parents[now] >> (u + (u >= v)) & 1) == (g.parents[w] >> u & 1));
            }
            hw_genome_remove(&h, v);
            assert_true(hw_genome_same(&g, &h));
        }
    }
}

/* What is removed takes its edges and in-place pairs along, and nothing else. */
static void test_remove(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GENOMES; seed++) {
        hw_genome g = random_genome(seed, 12);
        for (uint32_t v = 0; v < g.n; v++) {
            hw_genome h = g;
            uint32_t around = hw_genome_count(g.parents[v] | hw_genome_readers(&g, v));
            hw_genome_remove(&h, v);
            assert_int_equal(hw_genome_edges(&h) + around, hw_genome_edges(&g));
            for (uint32_t w = 0; w < h.n; w++) {
                uint32_t was = w + (w >= v), over = g.inplace[was];
                assert_true(h.size[w] == g.size[was]);
                if (over == HW_GENOME_NONE || over == v)
                    assert_int_equal(h.inplace[w], HW_GENOME_NONE);
                else
                    assert_int_equal(h.inplace[w], over - (over > v));
            }
        }
    }
}

/* Shuffled, then sorted again: the same graph in a topological numbering; a cycle is refused. */
static void test_sort(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GENOMES; seed++) {
        hw_genome g = random_genome(seed, 20), h = g;
        uint8_t place[HW_GENOME_MOST], back[HW_GENOME_MOST];
        uint64_t draw = seed;
        assert_true(hw_genome_sort(&h));
        assert_true(hw_genome_same(&g, &h)); /* in order already */
        for (uint32_t v = 0; v < g.n; v++)
            place[v] = (uint8_t)v;
        for (uint32_t v = g.n; v > 1; v--) {
            uint32_t w = (uint32_t)draft_below(&draw, v);
            uint8_t swap = place[v - 1];
            place[v - 1] = place[w];
            place[w] = swap;
        }
        for (uint32_t v = 0; v < g.n; v++)
            back[place[v]] = (uint8_t)v;
        hw_genome_renumber(&h, place);
        hw_genome shuffled = h;
        hw_genome_renumber(&h, back);
        assert_true(hw_genome_same(&g, &h));
        assert_true(hw_genome_sort(&shuffled));
        assert_int_equal(hw_genome_edges(&shuffled), hw_genome_edges(&g));
        for (uint32_t v = 0; v < g.n; v++)
            assert_true((shuffled.parents[v] >> v) == 0);
        if (g.n > 2 && g.parents[g.n - 1]) {
            uint32_t u = hw_genome_low(g.parents[g.n - 1]);
            g.parents[u] |= HW_GENOME_BIT(g.n - 1);
            h = g;
            assert_false(hw_genome_sort(&h));
            assert_true(hw_genome_same(&g, &h));
        }
    }
}

static void test_tidy(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GENOMES; seed++) {
        hw_genome g = random_genome(seed, 20), h = g;
        hw_genome_tidy(&h);
        assert_true(hw_genome_same(&g, &h)); /* random genomes are tidy */
        h.split = hw_genome_all(&h);
        for (uint32_t v = 0; v < h.n; v++)
            if (h.inplace[v] != HW_GENOME_NONE)
                h.parents[v] &= ~HW_GENOME_BIT(h.inplace[v]);
        hw_genome_tidy(&h);
        for (uint32_t v = 0; v < h.n; v++) {
            assert_int_equal(h.inplace[v], HW_GENOME_NONE);
            assert_true((h.split >> v & 1) == (hw_genome_count(hw_genome_readers(&h, v)) > 1));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_insert_remove),
                                       cmocka_unit_test(test_remove), cmocka_unit_test(test_sort),
                                       cmocka_unit_test(test_tidy)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
