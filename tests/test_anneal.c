/*
 * anneal: legal, between optimum and start, under limits and at any size.
 *
 * HW_MODELS_GRAPHS, HW_MODELS_FIRST: see support_models.h.  HW_ANNEAL_NODES:
 * nodes of the large graphs (20,000).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support_exact.h"
#include "support_generate.h"
#include "support_models.h"
#include "support_solve.h"

static uint64_t n_models, n_optimal;

static void between_optimum_and_start(const hw_model *m)
{
    hw_answer start = test_solve(m, "level"), best = test_solve(m, "exact");
    static const char *const ways[] = {"anneal:sweeps=30,start=level",
                                       "anneal:sweeps=30,start=level,block=1,reach=2",
                                       "anneal:sweeps=300,start=level,hot=1000,cold=1000"};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        hw_answer a = test_solve_with(m, ways[i], (hw_request){.seed = i});
        assert_true(a.has_order && a.peak >= best.peak && a.peak <= start.peak);
        assert_false(a.limit_reached);
        n_optimal += i == 2 && a.peak == best.peak;
        hw_answer_clear(&a);
    }
    n_models++;
    hw_answer_clear(&start);
    hw_answer_clear(&best);
}

/* The driver's checker sees that each is legal and has the peak that it claims. */
static void answers_are_sound(void **state)
{
    (void)state;
    n_models = n_optimal = 0;
    each_model(500, 13, DRAW_ALL, between_optimum_and_start);
    (void)printf("# anneal: %u graphs, %u optimal\n", (unsigned)n_models, (unsigned)n_optimal);
    assert_true(n_models > 0 && n_optimal * 10 > n_models * 9);
}

static void lower_than_its_start(void **state)
{
    (void)state;
    static const char *const specs[] = {"erdos:n=200,degree=2", "layered:n=200", "randwire:n=200"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        hw_graph *g = test_instance(specs[i], 0);
        hw_model *m = test_model(g, (hw_accounting)(i % 2), false);
        hw_answer start = test_solve(m, "greedy-reverse");
        hw_answer a = test_solve_with(m, "anneal:start=greedy-reverse", (hw_request){.seed = 1});
        if (a.peak + a.peak / 100 > start.peak && a.peak > a.bound)
            fail_msg("%s: %llu after %llu", specs[i], (unsigned long long)a.peak,
                     (unsigned long long)start.peak);
        hw_answer_clear(&start);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

typedef struct heard {
    uint64_t peak, states;
    unsigned count;
} heard;

static void hear(void *context, const hw_progress *progress)
{
    heard *h = context;
    assert_true(progress->states >= h->states && (!h->count || progress->peak < h->peak));
    *h = (heard){progress->peak, progress->states, h->count + 1};
}

static void limits_seeds_and_traces(void **state)
{
    (void)state;
    hw_graph *g = test_instance("erdos:n=300,degree=2", 0);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer first = {0};
    unsigned differ = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        heard h = {0};
        hw_request request = {
            .limits = {.states = 40000}, .seed = seed, .trace = hear, .trace_context = &h};
        hw_answer a = test_solve_with(m, "anneal", request),
                  b = test_solve_with(m, "anneal",
                                      request =
                                          (hw_request){.limits = {.states = 40000}, .seed = seed});
        assert_true(h.peak == a.peak && h.count > 1 && a.states < 41000);
        assert_true(a.peak == b.peak && a.states == b.states);
        assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
        if (seed)
            differ += memcmp(a.order, first.order, m->n_nodes * sizeof *a.order) != 0;
        hw_answer_clear(&b);
        if (seed)
            hw_answer_clear(&a);
        else
            first = a;
    }
    assert_true(differ == 3);
    hw_request request = {.has_budget = true, .budget_bytes = first.peak};
    hw_answer fits = test_solve_with(m, "anneal", request);
    assert_true(fits.peak <= first.peak && fits.status != HW_UNKNOWN && !fits.limit_reached);
    hw_answer_clear(&fits);
    hw_answer_clear(&first);
    hw_model_free(m);
    hw_graph_free(g);
}

static void large_graphs_end_in_time(void **state)
{
    (void)state;
    uint32_t n = (uint32_t)environment_number("HW_ANNEAL_NODES", 20000);
    double seconds = 0.5 + n / 100000.0;
    for (shape s = SHAPE_PATH; s < N_SHAPES; s++) {
        hw_graph *g = shape_graph(s, n);
        hw_model *m = test_model(g, (hw_accounting)(s % 2), false);
        hw_answer a =
            test_solve_with(m, "anneal:start=level", (hw_request){.limits = {.seconds = seconds}});
        if (!a.has_order || a.seconds > 2 * seconds + 2)
            fail_msg("%s: %g s", shape_name(s), a.seconds);
        hw_answer_clear(&a);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_sound),
        cmocka_unit_test(lower_than_its_start),
        cmocka_unit_test(limits_seeds_and_traces),
        cmocka_unit_test(large_graphs_end_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
