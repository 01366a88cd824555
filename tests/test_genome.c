/*
 * Genomes: to a graph and back is the same genome; the graph is what the
 * genome says; what a genome cannot say is refused.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "small/genome.h"
#include "small/genome_edit.h"
#include "support_draft.h"
#include "support_genome.h"
#include "support_solve.h"
#include "support_sanitized.h"

enum { GRAPHS = FEWER(2000) };

static void check_graph(const hw_genome *g, const hw_graph *graph)
{
    assert_int_equal(graph->n_nodes, g->n);
    assert_int_equal(graph->n_edges, hw_genome_edges(g));
    for (uint32_t v = 0; v < g->n; v++) {
        uint64_t parents = 0, made = 0;
        for (uint32_t i = graph->preds.offset[v]; i < graph->preds.offset[v + 1]; i++)
            parents |= UINT64_C(1) << graph->preds.item[i];
        assert_true(parents == g->parents[v]);
        assert_true(hw_node_workspace(graph, v) == g->workspace[v]);
        for (uint32_t i = graph->outputs.offset[v]; i < graph->outputs.offset[v + 1]; i++)
            made += graph->tensor_size[graph->outputs.item[i]];
        uint64_t readers = hw_genome_readers(g, v);
        uint64_t copies = g->split >> v & 1 && readers
                              ? (uint64_t)__builtin_popcountll((unsigned long long)readers)
                              : 1;
        assert_true(made == copies * g->size[v]);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_genome g = random_genome(seed, seed % 5 ? 12 : HW_GENOME_MOST), back;
        hw_graph *graph = NULL;
        hw_error err = {0};
        assert_int_equal(hw_genome_graph(&g, "g", NULL, &graph, &err), HW_OK);
        check_graph(&g, graph);
        if (hw_genome_of_graph(graph, &back, &err) != HW_OK)
            fail_msg("%s", err.message);
        assert_true(hw_genome_same(&back, &g));
        hw_graph_free(graph);
    }
}

/* What is refused is refused with a node named; what is not keeps every optimum. */
static void test_any_graph(void **state)
{
    (void)state;
    size_t taken = 0, refused = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_graph *graph = draft_graph(seed, 1 + seed % 7, seed % 2 ? DRAW_PLAIN : DRAW_ALL);
        hw_graph *again = NULL;
        hw_genome g;
        hw_error err = {0};
        assert_non_null(graph);
        hw_code code = hw_genome_of_graph(graph, &g, &err);
        refused += code == HW_USAGE;
        if (code != HW_OK) {
            assert_int_equal(code, HW_USAGE);
            assert_true(err.message[0] != '\0');
            hw_graph_free(graph);
            continue;
        }
        taken++;
        assert_int_equal(hw_genome_graph(&g, NULL, NULL, &again, &err), HW_OK);
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            hw_model *one = test_model(graph, (hw_accounting)a, false);
            hw_model *two = test_model(again, (hw_accounting)a, false);
            hw_answer first = test_solve(one, "dp"), second = test_solve(two, "dp");
            assert_true(first.peak == second.peak);
            hw_answer_clear(&first);
            hw_answer_clear(&second);
            hw_model_free(one);
            hw_model_free(two);
        }
        hw_graph_free(again);
        hw_graph_free(graph);
    }
    assert_true(taken > GRAPHS / 100);
    assert_true(refused > GRAPHS / 10);
}

static void test_overflow(void **state)
{
    (void)state;
    hw_genome g;
    hw_graph *graph = NULL;
    hw_error err = {0};
    hw_genome_start(&g, 3);
    g.size[0] = g.size[1] = g.size[2] = INT64_MAX;
    assert_int_equal(hw_genome_graph(&g, NULL, NULL, &graph, &err), HW_BAD_INPUT);
    assert_null(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_any_graph),
                                       cmocka_unit_test(test_overflow)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
