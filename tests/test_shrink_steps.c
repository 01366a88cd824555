/* The single steps of shrinking, one by one, against what masks of genomes say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "adversary/shrink_steps.h"
#include "model/builder.h"
#include "support_random.h"
#include "support_shrink.h"

/* ---- Each kind of step against masks. ---- */

static bool same_genome(const hw_genome *a, const hw_genome *b)
{
    bool same = a->n == b->n && a->split == b->split && a->discard == b->discard;
    for (uint32_t v = 0; same && v < a->n; v++)
        same = a->parents[v] == b->parents[v] && a->size[v] == b->size[v] &&
               a->workspace[v] == b->workspace[v] && a->inplace[v] == b->inplace[v];
    return same;
}

/* The genome of every candidate of a kind that is one, until `expected` is among them. */
static bool among_candidates(const char *kind, const hw_genome *g, const hw_genome *expected)
{
    hw_graph *graph, *changed;
    hw_edit whole, e = {0};
    hw_error err = {0};
    hw_step_view view = {.least = 1};
    bool found = false;
    assert_int_equal(hw_genome_graph(g, "g", NULL, &graph, &err), HW_OK);
    assert_int_equal(hw_edit_open(&whole, graph, &err), HW_OK);
    for (size_t k = 0; k < hw_n_step_kinds; k++) {
        const hw_step_kind *row = &hw_step_kinds[k];
        if (strcmp(row->name, kind) != 0)
            continue;
        for (size_t i = 0; i < row->count(&whole, &view) && !found; i++) {
            hw_genome got;
            bool taken = true;
            if (row->may && !row->may(&whole, i))
                continue;
            assert_int_equal(hw_edit_copy(&e, &whole, &err), HW_OK);
            assert_int_equal(row->take(&e, &view, i, &taken, &err), HW_OK);
            if (!taken)
                continue;
            hw_edit_sweep(&e);
            if (row->removes_nodes)
                assert_true(e.n_nodes < g->n);
            if (hw_edit_graph(&e, "g", &changed, &err) == HW_OK)
                found =
                    hw_genome_of_graph(changed, &got, &err) == HW_OK && same_genome(&got, expected);
            hw_graph_free(changed);
        }
    }
    hw_edit_clear(&e);
    hw_edit_clear(&whole);
    hw_graph_free(graph);
    return found;
}

static hw_genome drawn(uint64_t *draw)
{
    hw_genome g;
    hw_genome_start(&g, 3 + random_below(draw, 6));
    for (uint32_t v = 0; v < g.n; v++) {
        g.size[v] = 1 + random_below(draw, 9);
        g.workspace[v] = random_chance(draw, 0.3) ? random_below(draw, 5) : 0;
        for (uint32_t u = 0; u < v; u++)
            if (random_chance(draw, 0.4))
                g.parents[v] |= BIT(u);
    }
    return g;
}

/* Graphs of one tensor a node lose a node in five ways; those of one a reader lose tensors. */
static void test_kinds(void **state)
{
    (void)state;
    unsigned into_reader = 0, twins = 0, shared = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t draw = seed;
        hw_genome g = drawn(&draw), one;
        uint32_t v = random_below(&draw, g.n);
        one = shrink_without(g, v);
        assert_true(among_candidates("drop a node", &g, &one));
        one = shrink_bypassed(&g, v);
        if (g.parents[v] && hw_genome_readers(&g, v))
            assert_true(among_candidates("bypass a node", &g, &one));
        uint64_t readers = hw_genome_readers(&g, v);
        if (readers && (readers & (readers - 1)) == 0) {
            uint32_t r = (uint32_t)__builtin_ctzll((unsigned long long)readers);
            one = g;
            one.parents[r] |= g.parents[v];
            one.workspace[r] = shrink_most(g.workspace[v], g.workspace[r]);
            one = shrink_without(one, v);
            assert_true(among_candidates("merge a node into a reader", &g, &one));
            into_reader++;
        }
        uint32_t u = v ? random_below(&draw, v) : 0;
        if (u < v) { /* v a twin of u from now on */
            hw_genome pair = g;
            pair.parents[v] = g.parents[u];
            for (uint32_t r = 0; r < g.n; r++)
                if (r != u && r != v && r > v && g.parents[r] & BIT(u))
                    pair.parents[r] |= BIT(v);
                else
                    pair.parents[r] &= ~(BIT(u) | BIT(v));
            one = pair;
            one.size[u] += g.size[v];
            one.workspace[u] = shrink_most(g.workspace[u], g.workspace[v]);
            one = shrink_without(one, v);
            assert_true(among_candidates("merge twins", &pair, &one));
            twins++;
        }
        if (__builtin_popcountll((unsigned long long)readers) == 2) {
            hw_genome apart = g;
            apart.split = BIT(v);
            assert_true(among_candidates("merge tensors", &apart, &g));
            one = g; /* a tensor goes, and with it the edge to its reader */
            one.parents[__builtin_ctzll((unsigned long long)readers)] &= ~BIT(v);
            assert_true(among_candidates("drop a tensor", &apart, &one));
            shared++;
        }
    }
    assert_true(into_reader > 20 && twins > 100 && shared > 20);
}

/* The one feature that a random graph rarely hangs on. */
static void test_required(void **state)
{
    (void)state;
    hw_builder *b = hw_builder_new();
    hw_graph *g, *small;
    hw_goal goal = shrink_goal("greedy", NULL);
    hw_shrink_options options = {.least = {1, 1}};
    hw_shrink_report report;
    hw_error err = {0};
    for (uint64_t t = 0; t < 2; t++)
        assert_int_equal(hw_builder_tensor(b, t, 5, t ? HW_OUTPUT : HW_ACTIVATION, NULL, &err),
                         HW_OK);
    const uint64_t zero = 0, one = 1, pair[2] = {0, 1};
    hw_node_spec first = {.id = 0, .outputs = &zero, .n_outputs = 1};
    hw_node_spec second = {.id = 1,
                           .inputs = &zero,
                           .n_inputs = 1,
                           .outputs = &one,
                           .n_outputs = 1,
                           .inplace = pair,
                           .n_inplace = 1,
                           .inplace_required = true};
    assert_int_equal(hw_builder_node(b, &first, &err), HW_OK);
    assert_int_equal(hw_builder_node(b, &second, &err), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, &err), HW_OK);
    hw_builder_free(b);
    for (size_t k = 0; k < hw_n_step_kinds; k++) {
        hw_edit e;
        bool taken = false;
        if (strcmp(hw_step_kinds[k].name, "clear inplace_required") != 0)
            continue;
        assert_int_equal(hw_edit_open(&e, g, &err), HW_OK);
        assert_int_equal(hw_step_kinds[k].take(&e, NULL, 1, &taken, &err), HW_OK);
        hw_edit_sweep(&e);
        assert_true(taken);
        assert_int_equal(e.node[1].flags, 0);
        assert_int_equal(e.n_pairs, 1);
        hw_edit_clear(&e);
        small = shrink_graph(g, &goal, &options, &report);
        assert_int_equal(small->n_nodes, 1); /* any graph meets 1; an empty one shows nothing */
        hw_graph_free(small);
        hw_graph_free(g);
        return;
    }
    fail_msg("no such kind of step");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_required),
    };
    return cmocka_run_group_tests_name("shrink_steps", tests, NULL, NULL) != 0;
}
