/*
 * Maximum-weight matching of in-place choices: matching.c (the model's),
 * assignment.c (the checker's) and plain enumeration agree.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "core/memory.h"
#include "core/rng.h"
#include "model/assignment.h"
#include "model/matching.h"

/* Every choice of pairs, one bit a pair. */
static uint64_t by_enumeration(const hw_weighted_pair *pairs, size_t n)
{
    uint64_t best = 0;
    for (uint32_t choice = 0; choice < UINT32_C(1) << n; choice++) {
        uint64_t total = 0;
        bool clash = false;
        for (size_t i = 0; i < n; i++) {
            if (!(choice >> i & 1))
                continue;
            total += pairs[i].weight;
            for (size_t k = 0; k < i; k++)
                clash |= (choice >> k & 1) &&
                         (pairs[i].left == pairs[k].left || pairs[i].right == pairs[k].right);
        }
        if (!clash && total > best)
            best = total;
    }
    return best;
}

static uint64_t by_assignment(const hw_weighted_pair *pairs, size_t n)
{
    hw_assignment_edge *edges = HW_NEW(hw_assignment_edge, n);
    uint64_t total = UINT64_MAX;
    assert_non_null(edges);
    for (size_t i = 0; i < n; i++)
        edges[i] = (hw_assignment_edge){pairs[i].left, pairs[i].right, pairs[i].weight};
    assert_true(hw_assignment_best(edges, n, &total));
    free(edges);
    return total;
}

/* The pairs chosen keep apart and weigh what the total says. */
static void expect_chosen(const hw_weighted_pair *pairs, size_t n, uint64_t total)
{
    bool *chosen = HW_NEW(bool, n);
    uint64_t sum = 0;
    assert_non_null(chosen);
    assert_int_equal(hw_matching_choose(pairs, n, chosen), total);
    for (size_t i = 0; i < n; i++) {
        sum += chosen[i] ? pairs[i].weight : 0;
        for (size_t k = 0; chosen[i] && k < i; k++)
            assert_false(chosen[k] &&
                         (pairs[i].left == pairs[k].left || pairs[i].right == pairs[k].right));
    }
    assert_int_equal(sum, total);
    free(chosen);
}

static void expect(const hw_weighted_pair *pairs, size_t n, uint64_t total)
{
    assert_int_equal(hw_matching(pairs, n), total);
    expect_chosen(pairs, n, total);
    assert_int_equal(by_assignment(pairs, n), total);
}

static void few_pairs(void **state)
{
    (void)state;
    expect(NULL, 0, 0);
    expect((const hw_weighted_pair[]){{7, 9, 5}}, 1, 5);
    expect((const hw_weighted_pair[]){{7, 9, 0}, {7, 8, 0}}, 2, 0);
    expect((const hw_weighted_pair[]){{1, 1, 5}, {1, 1, 8}, {1, 1, 6}}, 3, 8);
}

/* Taking the best pair, or pairs as listed, loses here. */
static void greedy_choices_lose(void **state)
{
    (void)state;
    expect((const hw_weighted_pair[]){{0, 0, 10}, {0, 1, 9}, {1, 0, 9}}, 3, 18);
    expect((const hw_weighted_pair[]){{0, 0, 1}, {0, 1, 50}, {1, 1, 60}}, 3, 61);
    expect((const hw_weighted_pair[]){{0, 0, 10}, {1, 0, 9}, {1, 1, 8}, {2, 1, 7}, {2, 2, 1}}, 5,
           19);
}

/* One heavy pair may be worth more than two light ones. */
static void fewer_pairs_may_win(void **state)
{
    (void)state;
    expect((const hw_weighted_pair[]){{0, 0, 3}, {0, 1, 10}, {1, 1, 4}}, 3, 10);
}

static void weights_near_the_limit(void **state)
{
    (void)state;
    const uint64_t big = INT64_MAX;
    expect((const hw_weighted_pair[]){{0, 0, big}, {0, 1, big}, {1, 0, big}}, 3, 2 * big);
    expect((const hw_weighted_pair[]){{0, 0, big}, {0, 1, big - 1}, {1, 0, big - 2}, {1, 1, 5}}, 4,
           2 * big - 3);
    expect((const hw_weighted_pair[]){{UINT32_MAX, UINT32_MAX, big}, {UINT32_MAX, 0, 1}}, 2, big);
}

/* Small weights make many ties, few labels many clashes. */
static void random_pairs_by_three_methods(void **state)
{
    (void)state;
    gsl_rng *rng = hw_rng_new(31);
    assert_non_null(rng);
    for (int round = 0; round < 6000; round++) {
        hw_weighted_pair pairs[10];
        size_t n = 1 + hw_rng_below(rng, 10);
        uint64_t labels = 1 + hw_rng_below(rng, 6), weights = 1 + hw_rng_below(rng, 30);
        for (size_t i = 0; i < n; i++)
            pairs[i] =
                (hw_weighted_pair){(uint32_t)hw_rng_below(rng, labels),
                                   (uint32_t)hw_rng_below(rng, labels), hw_rng_below(rng, weights)};
        expect(pairs, n, by_enumeration(pairs, n));
    }
    gsl_rng_free(rng);
}

/* Beyond what is enumerable, and beyond the pairs that need no memory. */
static void many_pairs_by_two_methods(void **state)
{
    (void)state;
    gsl_rng *rng = hw_rng_new(32);
    hw_weighted_pair *pairs = HW_NEW(hw_weighted_pair, 400);
    assert_non_null(rng);
    assert_non_null(pairs);
    for (int round = 0; round < 60; round++) {
        size_t n = HW_MATCHING_PAIRS + hw_rng_below(rng, 384);
        uint64_t labels = 2 + hw_rng_below(rng, 40);
        for (size_t i = 0; i < n; i++)
            pairs[i] = (hw_weighted_pair){(uint32_t)hw_rng_below(rng, labels) * 1000003,
                                          (uint32_t)hw_rng_below(rng, labels),
                                          hw_rng_below(rng, 1 + hw_rng_below(rng, 100000))};
        uint64_t total = by_assignment(pairs, n);
        assert_int_equal(hw_matching(pairs, n), total);
        expect_chosen(pairs, n, total);
    }
    free(pairs);
    gsl_rng_free(rng);
}

/* Disjoint pairs stay cheap for the checker however many they are. */
static void a_hundred_thousand_disjoint_pairs(void **state)
{
    (void)state;
    enum { PAIRS = 100000 };
    hw_assignment_edge *edges = HW_NEW(hw_assignment_edge, PAIRS);
    uint64_t total;
    assert_non_null(edges);
    for (uint32_t i = 0; i < PAIRS; i++)
        edges[i] = (hw_assignment_edge){i, PAIRS - i, 2};
    assert_true(hw_assignment_best(edges, PAIRS, &total));
    assert_int_equal(total, 2 * PAIRS);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs),
        cmocka_unit_test(greedy_choices_lose),
        cmocka_unit_test(fewer_pairs_may_win),
        cmocka_unit_test(weights_near_the_limit),
        cmocka_unit_test(random_pairs_by_three_methods),
        cmocka_unit_test(many_pairs_by_two_methods),
        cmocka_unit_test(a_hundred_thousand_disjoint_pairs),
    };
    return cmocka_run_group_tests_name("matching", tests, NULL, NULL) != 0;
}
