/*
 * serenity: the optimum of `dp` on random graphs of every kind, whatever the
 * length of a step; budgets, limits; fewer down-sets than `dp`.
 *
 * HW_SERENITY_GRAPHS, HW_SERENITY_FIRST: how many random graphs (default 1500),
 * and the first of them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <string.h>

#include "support_draft.h"
#include "support_exact.h"
#include "support_generate.h"
#include "support_lines.h"
#include "support_solve.h"
#include "support_sanitized.h"

static const char *const ways[] = {"serenity",
                                   "serenity:step=1",
                                   "serenity:hard=kahn,step=3",
                                   "serenity:cuts=no,step=20",
                                   "serenity:beam=1",
                                   "serenity:beam=2,step=40"};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

static void expect_optimum(const hw_model *m, const char *spec, const hw_answer *known,
                           uint64_t seed)
{
    hw_answer a = test_solve(m, spec);
    if (a.status != known->status || a.peak != known->peak || a.limit_reached)
        fail_msg("seed %" PRIu64 ", %s, %s: %s %" PRIu64 ", not %s %" PRIu64, seed, spec,
                 hw_accounting_name(m->accounting), hw_status_name(a.status), a.peak,
                 hw_status_name(known->status), known->peak);
    hw_answer_clear(&a);
}

/* Budgets at, below and above the optimum. */
static void expect_budgets(const hw_model *m, const char *spec, uint64_t optimum)
{
    for (int k = -1; k <= 1; k++) {
        hw_request request = {.has_budget = true, .budget_bytes = optimum + (uint64_t)k};
        if (optimum == 0 && k < 0)
            continue;
        hw_answer a = test_solve_with(m, spec, request);
        if (k < 0)
            assert_int_equal(a.status, HW_INFEASIBLE);
        else
            assert_true(a.has_order && a.peak <= request.budget_bytes &&
                        (a.status == HW_OPTIMAL || a.status == HW_FEASIBLE));
        hw_answer_clear(&a);
    }
}

static void same_optimum_as_dp(void **unused)
{
    (void)unused;
    uint64_t first = environment_number("HW_SERENITY_FIRST", 0), windows = 0, models = 0;
    uint64_t graphs = environment_number("HW_SERENITY_GRAPHS", FEWER(1500));
    for (uint64_t seed = first; seed < first + graphs; seed++) {
        hw_graph *g = draft_graph(seed, seed % 17, seed % 3 ? DRAW_RICH : DRAW_ALL);
        for (int way = 0; way < 4; way++) {
            hw_model *m = test_model(g, (hw_accounting)(way % 2), way >= 2);
            if (!m)
                continue;
            hw_answer known = test_solve(m, "dp");
            for (int i = 0; i < N_WAYS; i++)
                expect_optimum(m, ways[i], &known, seed);
            if (known.status == HW_OPTIMAL)
                expect_budgets(m, ways[seed % N_WAYS], known.peak);
            windows += m->earliest && m->legal;
            models++;
            hw_answer_clear(&known);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
    print_message("# serenity: %" PRIu64 " graphs, %" PRIu64 " models, %" PRIu64
                  " models with windows\n",
                  graphs, models, windows);
    assert_true(windows > graphs / 4);
}

/* Larger graphs, with and without cut nodes: without beams never more than dp, with them fewer in
 * all. */
static void fewer_down_sets(void **unused)
{
    (void)unused;
    static const char *const specs[] = {
        "layered:n=40",
        "erdos:n=36,degree=3,workspace=0.3,inplace=0.4,views=0.2",
        "series-parallel:n=30",
        "fan:n=36,stages=3,nest=2",
        "randwire:n=18,stages=3,ends=yes",
        "daggen:n=36",
        "tree:n=18,direction=out",
        "chains:n=24,branches=3,fork=yes",
        "nets:net=mobilenet-v2",
        "nets:net=darts-normal-cell",
    };
    uint64_t sum[3] = {0};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        uint64_t part[3] = {0};
        for (uint64_t index = 0; index < 8; index++) {
            hw_graph *g = test_instance(specs[i], index);
            for (int way = 0; way < 2; way++) {
                hw_model *m = test_model(g, (hw_accounting)way, false);
                hw_answer a = test_solve(m, "dp"), b = test_solve(m, "serenity:beam=0");
                assert_true(a.status == HW_OPTIMAL && b.status == HW_OPTIMAL && a.peak == b.peak);
                assert_true(b.states <= a.states);
                part[0] += a.states;
                part[1] += b.states;
                hw_answer_clear(&a);
                hw_answer_clear(&b);
                b = test_solve(m, "serenity");
                part[2] += b.states;
                hw_answer_clear(&b);
                hw_model_free(m);
            }
            hw_graph_free(g);
        }
        print_message("%-56s dp %7" PRIu64 "  without beams %7" PRIu64 "  serenity %7" PRIu64 "\n",
                      specs[i], part[0], part[1], part[2]);
        for (int k = 0; k < 3; k++)
            sum[k] += part[k];
    }
    print_message("down-sets in all: dp %" PRIu64 ", serenity %" PRIu64 ", ratio %.3f (without "
                  "beams %.3f)\n",
                  sum[0], sum[2], (double)sum[2] / (double)sum[0], (double)sum[1] / (double)sum[0]);
    assert_true(sum[1] < sum[0] && sum[2] < sum[0]);
}

/*
 * Three diamonds in a row.  The first has the highest peak, which the others
 * cannot pass: only it is searched.
 */
static void one_part_is_searched(void **unused)
{
    (void)unused;
    hw_graph *g = lines_graph("t 0 1 a; t 1 30 a; t 2 40 a; t 3 5 a; t 4 1 a; t 5 8 a; t 6 9 a; t "
                              "7 5 a; t 8 2 a; t 9 1 o;"
                              "v 0 - > 0; v 1 0 > 1; v 2 0 > 2; v 3 1 > 3; v 4 2,3 > 4;"
                              "v 5 4 > 5; v 6 4 > 6; v 7 5 > 7; v 8 6,7 > 8; v 9 8 > 9");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_answer a = test_solve(m, "dp"), b = test_solve(m, "serenity"),
              c = test_solve(m, "serenity:cuts=no");
    assert_true(a.peak == b.peak && b.peak == c.peak);
    assert_true(b.states <= 8); /* the first diamond has 8 down-sets, 7 of them expanded */
    assert_true(c.states <= a.states);
    hw_answer_clear(&a);
    hw_answer_clear(&b);
    hw_answer_clear(&c);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Every limit of states: an order, a bound that holds, the same answer twice. */
static void limits_are_kept(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("erdos:n=16,degree=1.5", 3);
    for (int way = 0; way < 2; way++) {
        hw_model *m = test_model(g, (hw_accounting)way, false);
        hw_answer whole = test_solve(m, "serenity:step=5");
        assert_int_equal(whole.status, HW_OPTIMAL);
        uint64_t every = 1 + whole.states / 300;
        for (uint64_t states = 1; states <= whole.states + every; states += every) {
            hw_request request = {.limits = {.states = states}};
            hw_answer a = test_solve_with(m, "serenity:step=5", request);
            hw_answer b = test_solve_with(m, "serenity:step=5", request);
            assert_true(a.has_order && a.peak >= whole.peak && a.bound <= whole.peak);
            assert_true(a.states <= states);
            assert_true(a.limit_reached == (a.status != HW_OPTIMAL));
            assert_true(states <= whole.states || a.status == HW_OPTIMAL);
            assert_true(b.peak == a.peak && b.bound == a.bound && b.states == a.states);
            assert_memory_equal(a.order, b.order, m->n_nodes * sizeof *a.order);
            hw_answer_clear(&a);
            hw_answer_clear(&b);
        }
        hw_answer_clear(&whole);
        hw_model_free(m);
    }
    hw_graph_free(g);
}

/* Where `dp` finds no room, a lower budget may need less; else the limit tells. */
static void memory_is_kept(void **unused)
{
    (void)unused;
    hw_graph *g = test_instance("layered:n=30", 2);
    hw_model *m = test_model(g, HW_ALLOC_FIRST, false);
    hw_answer whole = test_solve(m, "dp");
    uint32_t proven = 0, cut = 0;
    for (uint64_t bytes = 1000; bytes < 4000000; bytes = bytes * 5 / 4) {
        hw_answer a =
            test_solve_with(m, "serenity", (hw_request){.limits = {.memory_bytes = bytes}});
        hw_answer b = test_solve_with(m, "dp", (hw_request){.limits = {.memory_bytes = bytes}});
        assert_true(a.has_order && a.peak >= whole.peak && a.bound <= whole.peak);
        assert_true(a.limit_reached == (a.status != HW_OPTIMAL));
        assert_true(b.status != HW_OPTIMAL || a.status == HW_OPTIMAL);
        proven += a.status == HW_OPTIMAL && b.status != HW_OPTIMAL;
        cut += a.limit_reached;
        hw_answer_clear(&a);
        hw_answer_clear(&b);
    }
    assert_true(proven > 0 && cut > 0);
    hw_answer_clear(&whole);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Nothing to order, peaks of 0, sizes whose sum comes close to 2^64. */
static void corners(void **unused)
{
    (void)unused;
    static const char *const lines[] = {
        "t 0 0 a; t 1 0 o; v 0 - > 0; v 1 0 > 1",
        "t 0 9223372036854775807 a; t 1 9223372036854775807 o; v 0 - > 0; v 1 0 > 1",
        "t 0 9223372036854775807 i; t 1 1 a; t 2 9223372036854775803 o; v 0 0 > 1; v 1 0 > 2",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        hw_graph *g = lines_graph(lines[i]);
        for (int way = 0; way < 2; way++) {
            hw_model *m = lines_model(g, (hw_accounting)way, false);
            hw_answer known = test_solve(m, "dp");
            for (int k = 0; k < N_WAYS; k++)
                expect_optimum(m, ways[k], &known, i);
            hw_answer_clear(&known);
            hw_model_free(m);
        }
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_optimum_as_dp),   cmocka_unit_test(fewer_down_sets),
        cmocka_unit_test(one_part_is_searched), cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(memory_is_kept),       cmocka_unit_test(corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
