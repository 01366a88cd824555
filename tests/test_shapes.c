/*
 * Shapes of graphs against their definitions, and the most edges that a shape
 * can have against all graphs of few nodes.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_genome.h"
#include "support_shape.h"

enum { GENOMES = 20000 };

static void test_shapes(void **state)
{
    (void)state;
    uint32_t yes[HW_SHAPE_LAYERED + 1] = {0};
    for (uint64_t seed = 0; seed < GENOMES; seed++) {
        hw_genome g = random_genome(seed, seed % 50 ? 7 : 24);
        for (int shape = HW_SHAPE_ANY; shape <= HW_SHAPE_LAYERED; shape++) {
            bool expected = slow_shape((hw_shape)shape, &g);
            if (hw_shape_holds((hw_shape)shape, &g) != expected)
                fail_msg("genome %llu, shape %d: by definition %d", (unsigned long long)seed, shape,
                         expected);
            yes[shape] += expected && hw_genome_edges(&g) > 3;
        }
    }
    for (int shape = HW_SHAPE_IN_TREE; shape <= HW_SHAPE_LAYERED; shape++)
        assert_in_range(yes[shape], GENOMES / 200, GENOMES - GENOMES / 4);
}

/* ---- The most edges: by trying all graphs of up to five nodes. ---- */

static uint32_t slow_most_edges(const hw_space *s, uint32_t n)
{
    uint32_t pairs = n * (n - 1) / 2, most = 0;
    for (uint32_t edges = 0; edges >> pairs == 0; edges++) {
        hw_genome g;
        uint32_t bit = 0;
        bool inside = true;
        hw_genome_start(&g, n);
        for (uint32_t v = 1; v < n; v++)
            for (uint32_t u = 0; u < v; u++, bit++)
                if (edges >> bit & 1)
                    g.parents[v] |= UINT64_C(1) << u;
        for (uint32_t v = 0; v < n && inside; v++)
            inside =
                (uint32_t)__builtin_popcountll((unsigned long long)g.parents[v]) <= s->most_in &&
                (uint32_t)__builtin_popcountll((unsigned long long)hw_genome_readers(&g, v)) <=
                    s->most_out;
        uint32_t count = hw_genome_edges(&g);
        if (inside && count > most && slow_shape(s->shape, &g))
            most = count;
    }
    return most;
}

static void test_most_edges(void **state)
{
    (void)state;
    for (int shape = HW_SHAPE_ANY; shape <= HW_SHAPE_LAYERED; shape++)
        for (uint32_t in = 0; in <= 5; in++)
            for (uint32_t out = 0; out <= 5; out++)
                for (uint32_t n = 1; n <= 6; n++) {
                    hw_space s = {.most_in = in, .most_out = out, .shape = (hw_shape)shape};
                    if (n == 6 && (in > 3 || out > 3 || in == 0 || out == 0))
                        continue; /* enough of the slow ones */
                    assert_int_equal(hw_space_most_edges(&s, n), slow_most_edges(&s, n));
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shapes),
                                       cmocka_unit_test(test_most_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
