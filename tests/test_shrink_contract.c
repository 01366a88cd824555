/* Shrinking: limits, stops, what it stays inside, what it refuses, hard graphs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "io/io.h"
#include "model/edit.h"
#include "support_generate.h"
#include "support_shrink.h"

/* ---- The contract. ---- */

static void hash_of(const hw_graph *g, char text[HW_HASH_TEXT])
{
    hw_error err = {0};
    assert_int_equal(hw_graph_hash(g, text, &err), HW_OK);
}

/* The same limit gives the same graph; a larger one none that is larger; without one it is minimal.
 */
static void test_limits(void **state)
{
    (void)state;
    hw_goal goal = shrink_goal("greedy", "level");
    uint32_t nodes = UINT32_MAX;
    hw_graph *g = test_instance("layered:n=40", 4);
    for (uint64_t limit = 1; limit <= 1 << 14; limit *= 4) {
        hw_shrink_options options = {
            .least = {1, 1}, .strictly = true, .evaluations = limit, .rounds = 4};
        hw_shrink_report first, second;
        char a[HW_HASH_TEXT], b[HW_HASH_TEXT];
        hw_graph *one = shrink_graph(g, &goal, &options, &first);
        hw_graph *two = shrink_graph(g, &goal, &options, &second);
        assert_non_null(one);
        hash_of(one, a);
        hash_of(two, b);
        assert_string_equal(a, b);
        assert_true(first.evaluations <= limit);
        assert_int_equal(first.limit_reached, first.evaluations == limit);
        assert_true(one->n_nodes <= nodes);
        nodes = one->n_nodes;
        if (limit == 1) {
            assert_int_equal(one->n_nodes, g->n_nodes);
            assert_false(first.minimal);
        }
        if (limit == 1 << 14) {
            assert_true(first.minimal);
            assert_true(nodes < 10);
        }
        hw_graph_free(one);
        hw_graph_free(two);
    }
    hw_graph_free(g);
}

/* The ratings at which a smaller graph than ever before was taken. */
typedef struct records {
    uint64_t at[64];
    unsigned n;
    uint32_t least_nodes;
} records;

static void note_record(void *context, const hw_graph *now, const hw_rating *rating,
                        uint64_t evaluations)
{
    records *r = context;
    (void)rating;
    if (r->n < 64 && now->n_nodes < r->least_nodes) {
        r->least_nodes = now->n_nodes;
        r->at[r->n++] = evaluations;
    }
}

/*
 * What is called minimal under a limit does not shrink further.  The limits
 * are the worst there are: right after a step to fewer nodes, in a round too.
 */
static void test_minimal_holds(void **state)
{
    (void)state;
    unsigned minimal = 0;
    hw_goal goal = shrink_goal("xla-best", NULL);
    hw_graph *g = test_instance("fan:n=30", 181);
    records r = {.least_nodes = UINT32_MAX};
    hw_shrink_options options = {
        .least = {3, 2}, .rounds = 60, .seed = 5, .progress = note_record, .context = &r};
    hw_shrink_report report, again;
    hw_graph_free(shrink_graph(g, &goal, &options, &report));
    options.progress = NULL;
    for (unsigned i = 0; i < 3 * r.n; i++) {
        char a[HW_HASH_TEXT], b[HW_HASH_TEXT];
        options.rounds = 60;
        options.evaluations = r.at[i / 3] + i % 3;
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        assert_true(report.limit_reached);
        if (report.minimal) {
            minimal++;
            options.rounds = 0;
            options.evaluations = 0;
            hw_graph *same = shrink_graph(small, &goal, &options, &again);
            hash_of(small, a);
            hash_of(same, b);
            assert_string_equal(a, b);
            hw_graph_free(same);
        }
        hw_graph_free(small);
    }
    assert_true(minimal > 3);
    hw_graph_free(g);
}

/* A graph that keeps its results keeps them, and nothing else. */
static void test_results(void **state)
{
    (void)state;
    unsigned shrunk = 0;
    for (uint64_t i = 0; i < 60; i++) {
        hw_goal goal = shrink_goal(i % 2 ? "by-output" : "greedy", NULL);
        hw_graph *g = test_instance("erdos:n=20", i);
        hw_shrink_options options = {
            .least = {6, 5}, .strictly = true, .rounds = i % 4 ? 30 : 0, .seed = i};
        hw_shrink_report report;
        hw_edit e;
        hw_error err = {0};
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        if (small) {
            shrunk++;
            assert_int_equal(hw_edit_open(&e, small, &err), HW_OK);
            assert_true(e.keeps_results);
            for (size_t t = 0; t < e.n_tensors; t++)
                assert_int_equal(e.tensor[t].kind == HW_OUTPUT, e.tensor[t].readers == 0);
            hw_edit_clear(&e);
        }
        hw_graph_free(small);
        hw_graph_free(g);
    }
    assert_true(shrunk > 20);
}

typedef struct interrupted {
    volatile sig_atomic_t stop;
    unsigned calls, until;
    uint32_t nodes;
} interrupted;

static void interrupt(void *context, const hw_graph *now, const hw_rating *rating,
                      uint64_t evaluations)
{
    interrupted *x = context;
    assert_true(rating->counts);
    assert_true(evaluations > x->calls);
    x->nodes = now->n_nodes;
    x->stop = ++x->calls == x->until;
}

/* A stop leaves what was in hand. */
static void test_stop(void **state)
{
    (void)state;
    hw_graph *g = test_instance("layered:n=40", 4);
    for (unsigned until = 1; until < 6; until++) {
        interrupted x = {.until = until};
        hw_goal goal = shrink_goal("greedy", "level");
        hw_shrink_options options = {
            .least = {1, 1}, .strictly = true, .progress = interrupt, .context = &x};
        hw_shrink_report report;
        goal.stop = &x.stop;
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        assert_non_null(small);
        assert_int_equal(x.calls, until);
        assert_int_equal(small->n_nodes, x.nodes);
        assert_true(report.limit_reached);
        assert_false(report.minimal);
        assert_true(shrink_peak(&goal, goal.row, goal.values, small) == report.rating.peak);
        hw_graph_free(small);
    }
    hw_graph_free(g);
}

static bool is_genome(void *context, const hw_graph *g)
{
    hw_genome genome;
    hw_error err = {0};
    ++*(unsigned *)context;
    return hw_genome_of_graph(g, &genome, &err) == HW_OK && !genome.split && genome.n >= 5;
}

static bool all_of_one_or_more(const hw_graph *g)
{
    bool all = true;
    for (uint32_t t = 0; t < g->n_tensors; t++)
        all = all && g->tensor_size[t] >= 1;
    return all;
}

/* Results stay inside; sizes stay at 1 or more, unless they may be 0; results stay kept. */
static void test_inside(void **state)
{
    (void)state;
    unsigned zeros = 0;
    for (uint64_t i = 0; i < 40; i++) {
        unsigned calls = 0;
        hw_goal goal = shrink_goal("by-output", NULL);
        hw_graph *g = test_instance("erdos:n=20", i);
        hw_shrink_options options = {.least = {1, 1}, .strictly = true, .rounds = 5};
        hw_shrink_report report;
        hw_genome genome;
        hw_error err = {0};
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        if (small) {
            assert_true(all_of_one_or_more(small));
            if (hw_genome_of_graph(small, &genome, &err) == HW_OK)
                assert_false(genome.discard);
            hw_graph_free(small);
            options.zero_sizes = true;
            small = shrink_graph(g, &goal, &options, &report);
            zeros += !all_of_one_or_more(small);
            hw_graph_free(small);
            options.inside = is_genome;
            options.context = &calls;
            small = shrink_graph(g, &goal, &options, &report);
            assert_true(calls > 0);
            assert_true(is_genome(&calls, small));
            assert_true(report.minimal);
            hw_graph_free(small);
        }
        hw_graph_free(g);
    }
    assert_true(zeros > 0);
}

static void test_refused(void **state)
{
    (void)state;
    hw_graph *g = test_instance("layered:n=30", 0), *small;
    hw_goal goal = shrink_goal("by-output", NULL);
    hw_shrink_options options = {.least = {2, 1}};
    hw_shrink_report report;
    hw_error err = {0};
    assert_int_equal(hw_shrink(g, &goal, &options, &small, &report, &err), HW_CHECK_FAILED);
    assert_null(small);
    assert_non_null(strstr(err.message, "920/561"));
    goal = shrink_goal("enumerate", NULL); /* takes no such graph in so few states */
    goal.limits.states = 5;
    assert_int_equal(hw_shrink(g, &goal, &options, &small, &report, &err), HW_CHECK_FAILED);
    volatile sig_atomic_t stop = 1;
    goal = shrink_goal("by-output", NULL);
    goal.stop = &stop;
    assert_int_equal(hw_shrink(g, &goal, &options, &small, &report, &err), HW_STOPPED);
    hw_graph_free(g);
}

/* Graphs that are hard for an exact solver. */
static void test_hard(void **state)
{
    (void)state;
    hw_goal goal;
    hw_error err = {0};
    hw_shrink_report report;
    assert_int_equal(hw_goal_parse("dp", NULL, true, &goal, &err), HW_OK);
    hw_shrink_options options = {.least = {40, 1}};
    unsigned shrunk = 0;
    for (uint64_t i = 0; i < 20; i++) {
        hw_graph *g = test_instance("layered:n=20", i);
        hw_graph *small = shrink_graph(g, &goal, &options, &report);
        if (small) {
            shrunk++;
            assert_true(report.rating.states >= 40);
            assert_true(report.minimal);
            assert_true(small->n_nodes < g->n_nodes);
            hw_graph_free(small);
        }
        hw_graph_free(g);
    }
    assert_true(shrunk > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),  cmocka_unit_test(test_minimal_holds),
        cmocka_unit_test(test_results), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_inside),  cmocka_unit_test(test_refused),
        cmocka_unit_test(test_hard),
    };
    return cmocka_run_group_tests_name("shrink_contract", tests, NULL, NULL) != 0;
}
