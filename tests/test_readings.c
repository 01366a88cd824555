/* Readings of the claim on bad cases, scoring, and what a sample answers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "traits/traits.h"
#include "support_draft.h"
#include "support_lines.h"
#include "support_models.h"
#include "support_solve.h"
#include "support_sanitized.h"

static void near(double value, double wanted, double tolerance)
{
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%.12g is not %.12g", value, wanted);
}

/* ---- Readings. ---- */

static uint32_t n_alive, n_peak;

static void check_readings(const hw_model *m)
{
    const double large[] = {0.5, 1e-9};
    double balance[2][HW_N_READINGS];
    uint64_t state = m->n_nodes;
    uint32_t order[DRAFT_NODES];
    hw_features f;
    hw_answer best = test_solve(m, "dp");
    assert_true(draft_order(m, &state, order));
    hw_feature_orders orders = {order, best.order, (uint32_t)(state % (m->n_nodes + 1))};
    assert_int_equal(hw_features_of(m, &orders, &f, NULL), HW_OK);
    assert_int_equal(hw_readings_of(m, &orders, large, 2, balance, NULL), HW_OK);
    /* With large as the features have it, the balances are theirs. */
    near(balance[0][HW_READING_FORK_BLOCKS], f.value[HW_FEATURE_FORK_BALANCE], 0);
    near(balance[0][HW_READING_PART_BLOCKS], f.value[HW_FEATURE_PART_BALANCE], 0);
    near(balance[0][HW_READING_ANY_BLOCKS], f.value[HW_FEATURE_BLOCK_BALANCE], 0);
    near(balance[0][HW_READING_ALIVE_BLOCKS], f.value[HW_FEATURE_ALIVE_BALANCE], 0);
    near(balance[0][HW_READING_TURN_BLOCKS], f.value[HW_FEATURE_WRONG_BALANCE], 0);
    /* Blocks large beside the optimum: there are some where the smaller of two reaches half. */
    bool peak = f.value[HW_FEATURE_SECOND_BLOCK] >= 0.5;
    assert_true((balance[0][HW_READING_ANY_PEAK] > 0) == peak);
    for (int i = 0; i < HW_N_READINGS; i++)
        assert_true(balance[1][i] >= balance[0][i] && balance[1][i] <= 1);
    /* Two branches hold two unordered blocks; what the turn begins is alive at the peak. */
    for (int i = 0; i < 2; i++) {
        assert_true(balance[i][HW_READING_FORK_BLOCKS] <= balance[i][HW_READING_ANY_BLOCKS]);
        assert_true(balance[i][HW_READING_PART_BLOCKS] <= balance[i][HW_READING_ANY_BLOCKS]);
        assert_true(balance[i][HW_READING_FORK_PEAK] <= balance[i][HW_READING_ANY_PEAK]);
        assert_true(balance[i][HW_READING_ALIVE_BLOCKS] <= balance[i][HW_READING_ANY_BLOCKS]);
        assert_true(balance[i][HW_READING_TURN_BLOCKS] <= balance[i][HW_READING_ALIVE_BLOCKS]);
    }
    n_alive += balance[0][HW_READING_ALIVE_BLOCKS] > 0;
    n_peak += peak;
    hw_answer_clear(&best);
}

static void test_readings(void **state)
{
    (void)state;
    n_alive = n_peak = 0;
    each_model(400, 11, DRAW_ALL - DRAW_WINDOWS, check_readings);
    assert_true(n_alive > FEWER(40) && n_peak > FEWER(10));
}

static void test_sums(void **state)
{
    (void)state;
    /* Branches of 30 + 30 and of 50, none of their blocks large beside the 100 before them. */
    hw_graph *g = lines_graph("t 0 100 a; t 1 30 a; t 2 30 a; t 3 50 a; t 4 1 o;"
                              "v 0 - > 0; v 1 0 > 1; v 2 1 > 2; v 3 0 > 3; v 4 2,3 > 4");
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    const uint32_t order[] = {0, 1, 2, 3, 4};
    const double large[] = {0.55, 0.25, 0.4};
    double balance[3][HW_N_READINGS];
    hw_feature_orders orders = {order, order, 5};
    assert_int_equal(hw_readings_of(m, &orders, large, 3, balance, NULL), HW_OK);
    near(balance[0][HW_READING_FORK_BLOCKS], 0, 0);
    near(balance[1][HW_READING_FORK_BLOCKS], 0.6, 1e-12);
    near(balance[0][HW_READING_FORK_SUMS], 0, 0); /* 58.025 of 211 bytes */
    near(balance[1][HW_READING_FORK_SUMS], 50 / 60.0, 1e-12);
    near(balance[2][HW_READING_FORK_SUMS], 50 / 60.0, 1e-12);
    hw_model_free(m);
    hw_graph_free(g);
}

/* ---- Scoring. ---- */

static hw_trait_sample sample_of(const char *solver, hw_accounting accounting)
{
    hw_trait_sample s = {.accounting = accounting};
    assert_int_equal(hw_solver_parse(solver, &s.row, s.values, NULL), HW_OK);
    return s;
}

static const uint32_t no_group[HW_TRAIT_GROUPINGS] = {HW_NONE, HW_NONE};

static void test_scores(void **state)
{
    (void)state;
    /* A ladder: greedy holds all three of 90, the optimum one and what is left of it. */
    const char *const ladder = "t 0 90 a; t 1 90 a; t 2 90 a; t 3 1 a; t 4 1 a; t 5 1 o;"
                               "v 0 - > 0; v 1 - > 1; v 2 - > 2; v 3 0 > 3; v 4 1,3 > 4;"
                               "v 5 2,4 > 5";
    hw_trait_sample s = sample_of("level", HW_ALLOC_FIRST);
    assert_int_equal(hw_trait_add(&s, lines_graph(ladder), no_group, NULL), HW_OK);
    assert_true(s.n == 1 && s.left_out == 0);
    const hw_trait_case *c = &s.cases[0];
    assert_true(c->peak == 271 && c->optimum == 92);
    near(c->gap_percent, 100 * 179 / 92.0, 1e-9);
    /* After node 0 the level order runs 1, where 3 was to run. */
    near(c->features.value[HW_FEATURE_WRONG_AT], 1 / 6.0, 1e-12);
    near(c->balance[0][HW_READING_ALIVE_BLOCKS], 1, 0);
    /* A graph that the solver refuses, for its window, and one without nodes: left out. */
    hw_trait_sample t = sample_of("liu", HW_ALLOC_FIRST);
    assert_int_equal(hw_trait_add(&t,
                                  lines_graph("t 0 1 a; t 1 1 o; t 2 1 o; v 0 - > 0;"
                                              "v 1 0 > 1 window=0; v 2 0 > 2"),
                                  no_group, NULL),
                     HW_OK);
    assert_int_equal(hw_trait_add(&t, lines_graph(""), no_group, NULL), HW_OK);
    assert_true(t.n == 0 && t.left_out == 2);
    hw_trait_clear(&s);
    hw_trait_clear(&t);
}

/* Optimal orders have no block pair that no optimal order has. */
static void test_optimal_scores(void **state)
{
    (void)state;
    hw_trait_sample s = sample_of("exact", HW_FREE_FIRST);
    for (uint64_t seed = 0; seed < 40; seed++)
        assert_int_equal(hw_trait_add(&s, draft_graph(seed, 9, DRAW_PLAIN), no_group, NULL), HW_OK);
    assert_true(s.n == 40);
    for (size_t i = 0; i < s.n; i++) {
        assert_true(s.cases[i].gap_percent == 0);
        assert_true(s.cases[i].features.value[HW_FEATURE_WRONG_AT] == 1);
        assert_true(s.cases[i].balance[0][HW_READING_ALIVE_BLOCKS] == 0);
    }
    hw_trait_clear(&s);
}

/* ---- Answers. ---- */

/* Cases made up: the trait of every reading as told, large and similar as preset. */
static void add_case(hw_trait_sample *s, double gap, bool has, uint32_t family)
{
    const uint32_t group[HW_TRAIT_GROUPINGS] = {family, HW_NONE};
    size_t n = s->n;
    assert_int_equal(hw_trait_add(s, lines_graph("t 0 1 o; v 0 - > 0"), group, NULL), HW_OK);
    hw_trait_case *c = &s->cases[n];
    c->gap_percent = gap;
    for (int i = 0; i < HW_N_READINGS; i++)
        for (int l = 0; l < HW_TRAIT_LARGE; l++)
            c->balance[l][i] = has ? 0.8 : 0.79;
    for (int f = 0; f < HW_N_FEATURES; f++)
        c->features.value[f] = gap + f;
}

static hw_trait_report ask(const hw_trait_sample *s)
{
    hw_trait_report r;
    hw_trait_options o = {.bad_percent = 20, .resamples = 10, .seed = 1};
    assert_int_equal(hw_trait_ask(s, &o, &r, NULL), HW_OK);
    return r;
}

static void test_answers(void **state)
{
    (void)state;
    hw_trait_sample s = sample_of("greedy", HW_ALLOC_FIRST);
    for (int i = 0; i < 40; i++) {
        add_case(&s, 21 + i, true, 0); /* bad ones, from 21 % on */
        add_case(&s, 0, i < 10, 1);
        add_case(&s, 20, i < 20, 1); /* 20 % is not bad */
    }
    hw_trait_report r = ask(&s);
    assert_true(r.n == 120 && r.n_bad == 40 && r.n_slight == 40 && r.n_optimal == 40);
    near(r.median_gap, 20, 0);
    near(r.worst_gap, 60, 0);
    const hw_trait_answer *a = &r.answer[HW_READING_FORK_BLOCKS];
    assert_int_equal(a->verdict, HW_TRAIT_HOLDS);
    assert_true(a->words[0][0].bad.k == 40 && a->words[0][0].slight.k == 20);
    assert_true(a->words[0][0].optimal.k == 10 && a->words[0][0].odds.second_only == 30);
    assert_true(a->bad_without == SIZE_MAX && a->optimal_with != SIZE_MAX);
    assert_true(s.cases[a->optimal_with].gap_percent == 0);
    near(a->auc, (30 * 0.5 + 50) / 80, 1e-12);
    /* Similar from one half on: all have it, which marks nothing. */
    assert_true(a->words[0][1].bad.share == 1 && !a->words[0][1].marks);
    /* From 0.9 on: none has it. */
    assert_true(a->words[0][2].bad.k == 0 && !a->words[0][2].shared);
    /* Of a failure: against the cases that are not optimal. */
    a = &r.answer[HW_READING_TURN_BLOCKS];
    assert_true(a->words[0][0].odds.second_only == 20 && a->words[0][0].odds.neither == 20);
    /* Features that are the gap: perfect ranks. */
    near(r.correlation[HW_FEATURE_NODES].rho.value, 1, 1e-12);
    assert_true(r.fitted && r.penalised && r.auc == 1 && r.auc_held_out == 1);
    hw_trait_report_clear(&r);

    /* Ten bad ones without: no longer shared, but by those above 50 % it is. */
    for (int i = 0; i < 10; i++)
        add_case(&s, 25, false, 2);
    r = ask(&s);
    a = &r.answer[HW_READING_FORK_BLOCKS];
    assert_int_equal(a->verdict, HW_TRAIT_ONLY_IF);
    assert_true(a->bad_without != SIZE_MAX && s.cases[a->bad_without].gap_percent == 25);
    assert_true(a->condition[0].kind == HW_TRAIT_IF_GAP && a->condition[0].gap_percent == 50);
    assert_true(a->condition[0].table.bad.n == 10 && a->condition[0].table.bad.k == 10);
    hw_trait_report_clear(&r);

    /* And no condition: the trait falls on bad and good alike. */
    for (int i = 0; i < 60; i++) {
        add_case(&s, 300, false, 2);
        add_case(&s, 0, true, 0);
        add_case(&s, 15, true, 0);
    }
    r = ask(&s);
    assert_int_equal(r.answer[HW_READING_ANY_BLOCKS].verdict, HW_TRAIT_FAILS);
    hw_trait_report_clear(&r);
    hw_trait_clear(&s);
}

static void test_lone_answers(void **state)
{
    (void)state;
    hw_trait_sample s = sample_of("greedy", HW_ALLOC_FIRST);
    for (int i = 0; i < 9; i++)
        add_case(&s, 50, true, 0);
    hw_trait_report r = ask(&s);
    assert_int_equal(r.answer[0].verdict, HW_TRAIT_OPEN);
    hw_trait_report_clear(&r);
    add_case(&s, 50, true, 0); /* ten bad ones, and no others */
    r = ask(&s);
    assert_int_equal(r.answer[0].verdict, HW_TRAIT_SHARED);
    assert_true(isnan(r.answer[0].auc) && !r.fitted && isnan(r.correlation[0].rho.value));
    hw_trait_report_clear(&r);
    hw_trait_clear(&s);
    r = ask(&s);
    assert_true(r.n == 0 && r.answer[0].verdict == HW_TRAIT_OPEN && isnan(r.worst_gap));
    hw_trait_report_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readings), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_scores),   cmocka_unit_test(test_optimal_scores),
        cmocka_unit_test(test_answers),  cmocka_unit_test(test_lone_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
