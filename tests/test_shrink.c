/*
 * Shrinking: what comes out meets the goal by another route, and is as small as
 * single steps make it by a walk written apart.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support_generate.h"
#include "support_shrink.h"

enum { INSTANCES = 12 };

typedef struct walk {
    const hw_goal *goal;
    const hw_shrink_options *options;
    unsigned steps;
} walk;

/* A step that is left must break the goal. */
static void step(walk *w, const hw_genome *g, const char *what)
{
    hw_graph *graph;
    hw_error err = {0};
    if (g->n == 0)
        return;
    assert_int_equal(hw_genome_graph(g, "step", NULL, &graph, &err), HW_OK);
    w->steps++;
    if (shrink_meets(shrink_ratio(w->goal, graph), w->options))
        fail_msg("a step is left: %s", what);
    hw_graph_free(graph);
}

static void walk_nodes(walk *w, const hw_genome *g)
{
    for (uint32_t v = 0; v < g->n; v++) {
        hw_genome less = shrink_without(*g, v);
        step(w, &less, "drop a node");
        hw_genome around = shrink_bypassed(g, v);
        step(w, &around, "bypass a node");
    }
}

/* u and its reader v in one. */
static void walk_merges(walk *w, const hw_genome *g, uint32_t u, uint32_t v)
{
    hw_genome one = *g;
    if (hw_genome_readers(g, u) == BIT(v)) {
        one.parents[v] |= g->parents[u];
        one.workspace[v] = shrink_most(g->workspace[u], g->workspace[v]);
        if (g->inplace[v] == u)
            one.inplace[v] = HW_GENOME_NONE;
        one = shrink_without(one, u);
        step(w, &one, "merge into the reader");
    }
    if (g->parents[v] >> u >> 1 || g->inplace[v] != HW_GENOME_NONE)
        return; /* the source order would be illegal, or a pair would have to move */
    one = *g;
    one.parents[u] |= g->parents[v] & ~BIT(u);
    one.workspace[u] = shrink_most(g->workspace[u], g->workspace[v]);
    for (uint32_t r = 0; r < g->n; r++)
        if (g->parents[r] & BIT(v)) {
            one.parents[r] |= BIT(u);
            if (one.inplace[r] == v)
                one.inplace[r] = (uint8_t)u;
        }
    one = shrink_without(one, v);
    step(w, &one, "merge into the maker");
}

static void walk_twins(walk *w, const hw_genome *g, uint32_t u, uint32_t v)
{
    if (g->parents[u] != g->parents[v] || hw_genome_readers(g, u) != hw_genome_readers(g, v))
        return;
    hw_genome one = *g;
    one.size[u] += g->size[v];
    one.workspace[u] = shrink_most(g->workspace[u], g->workspace[v]);
    one = shrink_without(one, v);
    step(w, &one, "merge twins");
}

static void walk_parts(walk *w, const hw_genome *g)
{
    for (uint32_t v = 0; v < g->n; v++) {
        hw_genome less = *g;
        less.workspace[v] = 0;
        if (g->workspace[v])
            step(w, &less, "clear a workspace");
        less = *g;
        less.inplace[v] = HW_GENOME_NONE;
        if (g->inplace[v] != HW_GENOME_NONE)
            step(w, &less, "drop a pair");
        for (uint32_t u = 0; u < v; u++) {
            if (!(g->parents[v] & BIT(u)))
                continue;
            less = *g;
            less.parents[v] &= ~BIT(u);
            if (g->inplace[v] == u)
                less.inplace[v] = HW_GENOME_NONE;
            step(w, &less, "drop an edge");
        }
    }
}

/* Values of all sizes and workspaces from `from` to `to`. */
static void revalue(hw_genome *g, uint64_t from, uint64_t to)
{
    for (uint32_t v = 0; v < g->n; v++) {
        if (g->size[v] == from)
            g->size[v] = to;
        if (g->workspace[v] == from)
            g->workspace[v] = to;
    }
}

static void walk_sizes(walk *w, const hw_genome *g)
{
    uint64_t value[2 * HW_GENOME_MOST];
    size_t n = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        value[n++] = g->size[v];
        value[n++] = g->workspace[v];
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t from = value[i];
        for (size_t k = 0; k < n; k++)
            if (value[k] > 1 && value[k] != from && from > 1) {
                hw_genome other = *g;
                revalue(&other, from, value[k]);
                step(w, &other, "one value becomes another");
                other = *g;
                uint64_t *at = i % 2 ? &other.workspace[i / 2] : &other.size[i / 2];
                *at = value[k];
                if (value[k] < from)
                    step(w, &other, "one size becomes a smaller one");
            }
        for (uint64_t less = 1; less < from; less *= 2) {
            hw_genome other = *g;
            revalue(&other, from, from - less);
            step(w, &other, "a value less by a power of two");
        }
        hw_genome other = *g;
        if (from > 1) {
            revalue(&other, from, 1);
            step(w, &other, "a value becomes 1");
            other = *g;
            *(i % 2 ? &other.workspace[i / 2] : &other.size[i / 2]) = 1;
            step(w, &other, "a size becomes 1");
        }
    }
}

static unsigned walk_all(const hw_goal *goal, const hw_shrink_options *options, const hw_genome *g)
{
    walk w = {.goal = goal, .options = options};
    walk_nodes(&w, g);
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t u = 0; u < v; u++) {
            if (g->parents[v] & BIT(u))
                walk_merges(&w, g, u, v);
            walk_twins(&w, g, u, v);
        }
    walk_parts(&w, g);
    walk_sizes(&w, g);
    return w.steps;
}

/* ---- Tests. ---- */

static const char *const families[] = {
    "erdos:n=30",
    "layered:n=30",
    "daggen:n=30",
    "series-parallel:n=30",
    "random-order:n=30",
    "tree:n=30",
    "layered:n=30,workspace=0.3,inplace=0.3",
};
static const char *const rules[] = {"greedy", "level", "dfs", "by-output", "lpmf", "xla-list"};

enum {
    N_FAMILIES = sizeof families / sizeof families[0],
    N_RULES = sizeof rules / sizeof rules[0]
};

/* Graphs of 30 nodes on which a rule is half as bad again as need be become graphs of ten at most;
 * their ratio holds by the other route, and no step is left. */
static void test_thirty_to_ten(void **state)
{
    (void)state;
    hw_shrink_options options = {.least = {3, 2}};
    unsigned shrunk = 0, walked = 0, steps = 0;
    for (unsigned r = 0; r < N_RULES; r++)
        for (unsigned f = 0; f < N_FAMILIES; f++)
            for (uint64_t i = 0; i < INSTANCES; i++) {
                hw_goal goal = shrink_goal(rules[r], NULL);
                hw_shrink_report report;
                hw_genome genome;
                hw_error err = {0};
                goal.accounting = i % 2 ? HW_FREE_FIRST : HW_ALLOC_FIRST;
                hw_graph *g = test_instance(families[f], i);
                hw_graph *small = shrink_graph(g, &goal, &options, &report);
                hw_graph_free(g);
                if (!small)
                    continue;
                shrunk++;
                assert_true(report.minimal);
                assert_false(report.limit_reached);
                assert_true(small->n_nodes <= 10);
                hw_ratio again = shrink_ratio(&goal, small);
                assert_true(again.over == report.rating.peak);
                assert_true(again.under == report.rating.reference);
                assert_true(shrink_meets(again, &options));
                if (hw_genome_of_graph(small, &genome, &err) == HW_OK && !genome.split) {
                    walked++;
                    steps += walk_all(&goal, &options, &genome);
                }
                hw_graph_free(small);
            }
    print_message("%u graphs of 30 nodes shrunk, %u walked in %u steps\n", shrunk, walked, steps);
    assert_true(shrunk > 150);
    assert_true(walked > shrunk * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thirty_to_ten),
    };
    return cmocka_run_group_tests_name("shrink", tests, NULL, NULL) != 0;
}
