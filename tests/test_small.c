/*
 * The fast small model against its slow twins: hw_peak() and the solvers
 * greedy, dp and enumerate on the graph that the genome describes, on random
 * genomes of all features under both accountings.  HW_SMALL_GENOMES: how many.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "small/small.h"
#include "model/sim.h"
#include "support_draft.h"
#include "support_genome.h"
#include "support_solve.h"

enum { GENOMES = 6000, LARGE_SHARE = 20, RESIZES = 3 };

static hw_small small; /* too large for some stacks */

typedef struct twin {
    hw_graph *graph;
    hw_model *model;
} twin;

static twin twin_of(const hw_genome *g, hw_accounting accounting)
{
    twin t = {0};
    hw_error err = {0};
    assert_true(hw_small_fits(g));
    assert_int_equal(hw_genome_graph(g, NULL, NULL, &t.graph, &err), HW_OK);
    t.model = test_model(t.graph, accounting, false);
    return t;
}

static void twin_free(twin *t)
{
    hw_model_free(t->model);
    hw_graph_free(t->graph);
}

static void check_greedy(const hw_small *s, const hw_model *m, uint64_t seed)
{
    uint8_t order[HW_SMALL_MOST];
    uint64_t peak = hw_small_greedy(s, order);
    hw_answer answer = test_solve(m, "greedy");
    assert_true(hw_small_greedy(s, NULL) == peak);
    assert_true(hw_small_peak(s, order) == peak);
    assert_true(answer.peak == peak);
    for (uint32_t i = 0; i < s->n; i++)
        if (answer.order[i] != order[i])
            fail_msg("genome %llu: step %u runs node %u, greedy %u", (unsigned long long)seed, i,
                     order[i], answer.order[i]);
    hw_answer_clear(&answer);
}

static void check_optimum(hw_small *s, const hw_model *m, const char *solver, uint64_t seed)
{
    hw_answer answer = test_solve(m, solver);
    uint64_t optimum = hw_small_optimum(s);
    assert_int_equal(answer.status, HW_OPTIMAL);
    assert_true(hw_small_optimum_below(s, optimum + 1) == optimum);
    assert_true(hw_small_optimum_below(s, optimum) == optimum);
    assert_true(optimum == 0 || hw_small_optimum_below(s, optimum - 1) == optimum - 1);
    assert_true(hw_small_optimum_below(s, hw_small_greedy(s, NULL)) == optimum);
    if (optimum != answer.peak)
        fail_msg("genome %llu: optimum %llu, %s finds %llu", (unsigned long long)seed,
                 (unsigned long long)optimum, solver, (unsigned long long)answer.peak);
    hw_answer_clear(&answer);
}

/* A random order, by drawing among the nodes that are ready. */
static void check_order(const hw_small *s, const hw_model *m, uint64_t seed)
{
    uint8_t order[HW_SMALL_MOST];
    uint32_t wide[HW_SMALL_MOST], set = 0;
    uint64_t peak = 0;
    hw_error err = {0};
    for (uint32_t i = 0; i < s->n;) {
        uint32_t v = (uint32_t)draft_below(&seed, s->n);
        if (set >> v & 1 || (s->parents[v] & ~set))
            continue;
        order[i] = (uint8_t)(wide[i] = v);
        set |= UINT32_C(1) << v;
        i++;
    }
    assert_int_equal(hw_peak(m, wide, &peak, &err), HW_OK);
    assert_true(hw_small_peak(s, order) == peak);
}

static uint64_t genomes(void)
{
    const char *text = getenv("HW_SMALL_GENOMES");
    return text ? strtoull(text, NULL, 10) : GENOMES;
}

static void each_genome(uint64_t count, uint32_t most,
                        void (*visit)(const hw_genome *g, const hw_model *m, uint64_t seed))
{
    for (uint64_t seed = 0; seed < count; seed++)
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            hw_genome g = random_genome(seed, most);
            twin t = twin_of(&g, (hw_accounting)a);
            hw_small_set(&small, &g, (hw_accounting)a);
            visit(&g, t.model, seed);
            twin_free(&t);
        }
}

static void visit_all(const hw_genome *g, const hw_model *m, uint64_t seed)
{
    check_order(&small, m, seed);
    check_greedy(&small, m, seed);
    check_optimum(&small, m, "dp", seed);
    if (g->n <= 7)
        check_optimum(&small, m, "enumerate", seed);
}

static void test_twins(void **state)
{
    (void)state;
    each_genome(genomes(), 10, visit_all);
}

static void visit_large(const hw_genome *g, const hw_model *m, uint64_t seed)
{
    (void)g;
    check_greedy(&small, m, seed);
    check_optimum(&small, m, "dp", seed);
}

static void test_large(void **state)
{
    (void)state;
    each_genome(genomes() / LARGE_SHARE, HW_SMALL_MOST, visit_large);
}

/*
 * Few parents, sizes and workspaces to choose from: twins, and nodes that may
 * run last.
 */
static void test_twin_nodes(void **state)
{
    (void)state;
    uint32_t twins = 0;
    for (uint64_t seed = 0; seed < genomes(); seed++) {
        hw_genome g = random_genome(seed, 10);
        uint64_t draw = seed;
        for (uint32_t v = 1; v < g.n; v++) {
            g.size[v] = 1 + draft_below(&draw, 4);
            g.workspace[v] = draft_below(&draw, 4) ? 0 : 2;
            if (draft_below(&draw, 2))
                continue;
            for (uint32_t w = v + 1; w < g.n; w++)
                g.parents[w] |= (g.parents[w] >> (v - 1) & 1) << v;
            g.parents[v] = g.parents[v - 1];
            g.inplace[v] = HW_GENOME_NONE;
        }
        for (uint32_t v = 0; v < g.n; v++) {
            uint64_t readers = hw_genome_readers(&g, v);
            if ((readers & (readers - 1)) == 0)
                g.split &= ~(UINT64_C(1) << v);
        }
        for (int a = HW_ALLOC_FIRST; a <= HW_FREE_FIRST; a++) {
            twin t = twin_of(&g, (hw_accounting)a);
            hw_small_set(&small, &g, (hw_accounting)a);
            twins += small.twins != 0;
            check_optimum(&small, t.model, "dp", seed);
            twin_free(&t);
        }
    }
    assert_true(twins > genomes() / 2);
}

/* The greatest usage over all orders, step by step. */
static uint64_t worst_of_orders(hw_sim *sim, const hw_genome *g, uint64_t set)
{
    uint64_t worst = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        if (set >> v & 1 || (g->parents[v] & ~set))
            continue;
        uint64_t peak = sim->peak, usage = hw_sim_step(sim, v);
        uint64_t later = worst_of_orders(sim, g, set | UINT64_C(1) << v);
        hw_sim_undo(sim, v, peak, 0);
        worst = usage > worst ? usage : worst;
        worst = later > worst ? later : worst;
    }
    return worst;
}

static void visit_worst(const hw_genome *g, const hw_model *m, uint64_t seed)
{
    hw_sim sim;
    hw_error err = {0};
    assert_int_equal(hw_sim_init(&sim, m, &err), HW_OK);
    uint64_t expected = worst_of_orders(&sim, g, 0);
    hw_sim_free(&sim);
    if (hw_small_worst(&small) != expected)
        fail_msg("genome %llu: worst %llu, of all orders %llu", (unsigned long long)seed,
                 (unsigned long long)hw_small_worst(&small), (unsigned long long)expected);
}

static void test_worst(void **state)
{
    (void)state;
    each_genome(genomes() / 3, 7, visit_worst);
}

/* New sizes leave a model that is the same as one set anew. */
static void visit_resize(const hw_genome *g, const hw_model *m, uint64_t seed)
{
    hw_genome other = *g;
    hw_accounting accounting = m->accounting;
    for (int i = 0; i < RESIZES; i++) {
        for (uint32_t v = 0; v < g->n; v++)
            other.size[v] = draft_below(&seed, 4);
        twin t = twin_of(&other, accounting);
        hw_small_resize(&small, other.size);
        check_greedy(&small, t.model, seed);
        check_optimum(&small, t.model, "dp", seed);
        twin_free(&t);
    }
}

static void test_resize(void **state)
{
    (void)state;
    each_genome(genomes() / 10, 8, visit_resize);
}

/*
 * More prefixes are kept than there is room for: many nodes ready together,
 * with workspaces of their own, so that most thresholds refuse something new.
 */
static void test_room(void **state)
{
    (void)state;
    enum { GRAPHS = 20, SOURCES = 8 };
    uint32_t full = 0;
    for (uint64_t seed = 0; seed < GRAPHS; seed++) {
        hw_genome g;
        uint64_t draw = seed;
        hw_genome_start(&g, HW_SMALL_MOST);
        for (uint32_t v = 0; v < g.n; v++) {
            g.size[v] = 1 + draft_below(&draw, 200);
            g.workspace[v] = draft_below(&draw, 600);
            for (int i = 0; v >= SOURCES && i < 2; i++)
                g.parents[v] |= UINT64_C(1) << draft_below(&draw, SOURCES);
        }
        twin t = twin_of(&g, HW_ALLOC_FIRST);
        hw_small_set(&small, &g, HW_ALLOC_FIRST);
        memset(small.kept, 0, sizeof small.kept);
        check_optimum(&small, t.model, "dp", seed);
        full += small.kept[HW_SMALL_KEPT - 1].refused != 0;
        twin_free(&t);
    }
    assert_true(full > GRAPHS / 2);
}

static void test_fits(void **state)
{
    (void)state;
    hw_genome g;
    hw_genome_start(&g, HW_SMALL_MOST);
    assert_true(hw_small_fits(&g));
    g.size[0] = HW_SMALL_BYTES_MOST - (HW_SMALL_MOST - 1);
    assert_true(hw_small_fits(&g));
    g.workspace[3] = 1;
    assert_false(hw_small_fits(&g));
    g.workspace[3] = 0;
    g.parents[1] = g.parents[2] = 1;
    assert_true(hw_small_fits(&g));
    g.split = 1;
    assert_false(hw_small_fits(&g));
    g.size[0] = HW_SMALL_BYTES_MOST / 2 - HW_SMALL_MOST;
    assert_true(hw_small_fits(&g));
    hw_genome_start(&g, HW_SMALL_MOST + 1);
    assert_false(hw_small_fits(&g));
}

/* The greatest sizes that fit keep their order. */
static void visit_huge(const hw_genome *g, const hw_model *m, uint64_t seed)
{
    hw_genome huge = *g;
    for (uint32_t v = 0; v < g->n; v++) {
        huge.size[v] = HW_SMALL_BYTES_MOST / 200 - draft_below(&seed, 3);
        huge.workspace[v] = g->workspace[v] ? HW_SMALL_BYTES_MOST / 100 : 0;
    }
    twin t = twin_of(&huge, m->accounting);
    hw_small_set(&small, &huge, m->accounting);
    check_greedy(&small, t.model, seed);
    check_optimum(&small, t.model, "dp", seed);
    twin_free(&t);
}

static void test_huge(void **state)
{
    (void)state;
    each_genome(genomes() / 10, 10, visit_huge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twins),  cmocka_unit_test(test_large),
        cmocka_unit_test(test_worst),  cmocka_unit_test(test_twin_nodes),
        cmocka_unit_test(test_resize), cmocka_unit_test(test_room),
        cmocka_unit_test(test_fits),   cmocka_unit_test(test_huge)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
