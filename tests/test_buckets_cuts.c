/* Cuts against every way to cut, and the simpler choices against their definitions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "buckets/cuts.h"
#include "tests/support_random.h"

enum { SIZES = 8, ORDERS = 6 };

/* A matrix of regret made by hand: no graph stands behind it. */
typedef struct table {
    hw_regret r;
    hw_size_answer size[SIZES];
    size_t found_at[ORDERS];
    uint64_t peak[ORDERS * SIZES];
} table;

static void draw_table(uint64_t *state, table *t)
{
    memset(t, 0, sizeof *t);
    t->r.n_sizes = 1 + random_below(state, SIZES);
    t->r.n_orders = 1 + random_below(state, ORDERS);
    t->r.size = t->size;
    t->r.found_at = t->found_at;
    t->r.peak = t->peak;
    uint32_t range = 1 + random_below(state, 6);
    uint64_t far = random_chance(state, 0.1) ? UINT64_MAX - 100 : 0;
    for (size_t b = 0; b < t->r.n_sizes; b++) {
        uint64_t best = far + random_below(state, 4), least = UINT64_MAX;
        for (size_t o = 0; o < t->r.n_orders; o++) {
            uint64_t peak = best + random_below(state, range);
            t->peak[o * t->r.n_sizes + b] = peak;
            if (peak < least) {
                least = peak;
                t->size[b].order = o;
            }
        }
        t->size[b].best = least;
        t->size[b].value = (b ? t->size[b - 1].value : 0) + 1 + random_below(state, 9);
    }
    for (size_t o = 0; o < t->r.n_orders; o++)
        t->found_at[o] = random_below(state, (uint32_t)t->r.n_sizes);
}

static hw_bucket_cost cost_of(const hw_regret *r, size_t first, size_t last, size_t order)
{
    hw_bucket_cost cost = hw_bucket_no_cost();
    for (size_t b = first; b <= last; b++)
        cost = hw_bucket_cost_join(cost, hw_bucket_cost_at(r, order, b));
    return cost;
}

/* The least cost over all cuts into exactly k ranges and all orders of each. */
static hw_bucket_cost try_all(const hw_regret *r, size_t k, hw_bucket_goal goal)
{
    hw_bucket_cost least = hw_bucket_no_cost();
    bool any = false;
    for (uint32_t cuts = 0; cuts < 1u << (r->n_sizes - 1); cuts++) {
        if ((size_t)__builtin_popcount(cuts) + 1 != k)
            continue;
        hw_bucket_cost whole = hw_bucket_no_cost();
        for (size_t first = 0, last = 0; last < r->n_sizes; last++) {
            if (last + 1 < r->n_sizes && !(cuts >> last & 1))
                continue;
            hw_bucket_cost part = cost_of(r, first, last, 0);
            for (size_t o = 1; o < r->n_orders; o++) {
                hw_bucket_cost other = cost_of(r, first, last, o);
                if (hw_bucket_cost_compare(other, part, goal) < 0)
                    part = other;
            }
            whole = hw_bucket_cost_join(whole, part);
            first = last + 1;
        }
        if (!any || hw_bucket_cost_compare(whole, least, goal) < 0)
            least = whole;
        any = true;
    }
    assert_true(any);
    return least;
}

/* Buckets follow each other, cover all sizes, and cost what they say. */
static void expect_sound(const hw_regret *r, const hw_cuts *cuts)
{
    hw_bucket_cost whole = hw_bucket_no_cost();
    size_t next = 0;
    for (size_t i = 0; i < cuts->n_buckets; i++) {
        const hw_bucket *b = &cuts->bucket[i];
        assert_int_equal(b->first, next);
        assert_true(b->first <= b->last && b->last < r->n_sizes);
        hw_bucket_cost cost = cost_of(r, b->first, b->last, b->order);
        assert_int_equal(hw_ratio_compare(cost.ratio, b->cost.ratio), 0);
        assert_true(cost.bytes == b->cost.bytes && cost.total == b->cost.total);
        whole = hw_bucket_cost_join(whole, cost);
        next = b->last + 1;
    }
    assert_int_equal(next, r->n_sizes);
    assert_int_equal(hw_ratio_compare(whole.ratio, cuts->cost.ratio), 0);
    assert_true(whole.bytes == cuts->cost.bytes && whole.total == cuts->cost.total);
}

static void test_all_ways(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 3000; i++) {
        table t;
        hw_cuts_table found;
        hw_error err = {0};
        draw_table(&seed, &t);
        const hw_regret *r = &t.r;
        hw_bucket_goal goal = (hw_bucket_goal)(i % 3);
        assert_int_equal(hw_cuts_find(r, goal, SIZES + 3, NULL, &found, &err), HW_OK);
        for (size_t k = 0; k < found.n; k++) {
            assert_int_equal(found.row[k].n_buckets, k + 1);
            expect_sound(r, &found.row[k]);
            assert_int_equal(
                hw_bucket_cost_compare(found.row[k].cost, try_all(r, k + 1, goal), goal), 0);
        }
        assert_true(found.row[found.n - 1].cost.total == 0); /* each size its own, at the latest */
        for (size_t k = 0; k + 1 < found.n; k++)
            assert_true(found.row[k].cost.total > 0);
        assert_int_equal(found.least_free, found.n);
        hw_cuts_clear(&found);

        assert_int_equal(hw_cuts_find(r, goal, 1, NULL, &found, &err), HW_OK);
        assert_int_equal(found.n, 1);
        size_t fewest = 1;
        while (try_all(r, fewest, HW_GOAL_TOTAL_BYTES).total > 0)
            fewest++;
        assert_int_equal(found.least_free, fewest);
        hw_cuts_clear(&found);
    }
}

/* The order of the last of at most k buckets over three sizes, by regrets in a table. */
static size_t chosen_order(size_t k, size_t n_orders, const uint64_t regret[][3],
                           const size_t *found_at)
{
    table t = {.r = {.n_sizes = 3, .n_orders = n_orders}};
    hw_cuts_table found;
    hw_error err = {0};
    t.r.size = t.size;
    t.r.found_at = t.found_at;
    t.r.peak = t.peak;
    for (size_t o = 0; o < n_orders; o++) {
        t.found_at[o] = found_at[o];
        for (size_t b = 0; b < 3; b++) {
            t.size[b] = (hw_size_answer){.value = b + 1, .best = 4};
            t.peak[o * 3 + b] = 4 + regret[o][b];
        }
    }
    assert_int_equal(hw_cuts_find(&t.r, HW_GOAL_WORST, k, NULL, &found, &err), HW_OK);
    const hw_cuts *row = &found.row[found.n - 1];
    size_t order = row->bucket[row->n_buckets - 1].order;
    hw_cuts_clear(&found);
    return order;
}

/* Among equal orders that of the bucket itself, then that of least total, then the first. */
static void test_equal_orders(void **state)
{
    (void)state;
    static const uint64_t total[][3] = {{0, 1, 1}, {1, 0, 0}}, equal[][3] = {{0, 1, 1}, {0, 1, 1}};
    static const uint64_t own[][3] = {{0, 9, 9}, {9, 0, 0}, {9, 0, 0}};
    assert_int_equal(chosen_order(1, 2, total, (const size_t[]){0, 0}), 1);
    assert_int_equal(chosen_order(1, 2, equal, (const size_t[]){0, 0}), 0);
    assert_int_equal(chosen_order(2, 3, own, (const size_t[]){0, 0, 2}), 2);
    assert_int_equal(chosen_order(2, 3, own, (const size_t[]){0, 1, 2}), 1);
}

static void test_stopped(void **state)
{
    (void)state;
    uint64_t seed = 5;
    table t;
    hw_cuts_table found;
    hw_error err = {0};
    volatile sig_atomic_t stop = 1;
    draw_table(&seed, &t);
    assert_int_equal(hw_cuts_find(&t.r, HW_GOAL_WORST, 3, &stop, &found, &err), HW_STOPPED);
    assert_int_equal(found.n, 0);
}

/* No choice among the orders of the sizes is worse. */
static void test_unlucky(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int i = 0; i < 1000; i++) {
        table t;
        draw_table(&seed, &t);
        hw_bucket_cost most = hw_bucket_no_cost(), found = hw_buckets_unlucky(&t.r);
        hw_cost total = 0;
        for (size_t b = 0; b < t.r.n_sizes; b++) {
            uint64_t worst = 0;
            for (size_t a = 0; a < t.r.n_sizes; a++) {
                hw_bucket_cost cost = hw_bucket_cost_at(&t.r, t.size[a].order, b);
                worst = cost.bytes > worst ? cost.bytes : worst;
                most = hw_bucket_cost_join(most, cost);
            }
            total += worst;
        }
        assert_int_equal(hw_ratio_compare(found.ratio, most.ratio), 0);
        assert_true(found.bytes == most.bytes && found.total == total);
    }
}

static void test_even(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < 3000; i++) {
        table t;
        size_t chosen[SIZES];
        draw_table(&seed, &t);
        size_t n = t.r.n_sizes, k = 1 + random_below(&seed, (uint32_t)n);
        hw_bucket_rule rule = i % 2 ? HW_RULE_NEXT : HW_RULE_NEAREST;
        hw_bucket_cost cost = hw_buckets_even(&t.r, k, rule, chosen), sum = hw_bucket_no_cost();
        bool used[SIZES] = {false};
        size_t n_used = 0;
        for (size_t b = 0; b < n; b++) {
            sum = hw_bucket_cost_join(sum, hw_bucket_cost_at(&t.r, t.size[chosen[b]].order, b));
            n_used += !used[chosen[b]];
            used[chosen[b]] = true;
            if (rule == HW_RULE_NEXT)
                assert_true(chosen[b] >= b);
        }
        assert_true(n_used <= k);
        if (k == n)
            assert_true(cost.total == 0);
        assert_int_equal(n_used < k, 0); /* each stands for itself at least */
        assert_true(cost.bytes == sum.bytes && cost.total == sum.total);
        for (size_t b = 0; b < n; b++) /* no other that is used would be nearer */
            for (size_t a = 0; a < n; a++) {
                uint64_t value = t.size[b].value, here = t.size[chosen[b]].value;
                uint64_t there = t.size[a].value;
                uint64_t far = here > value ? here - value : value - here;
                uint64_t other = there > value ? there - value : value - there;
                if (used[a] && (rule == HW_RULE_NEAREST || a >= b))
                    assert_true(other >= far);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_ways), cmocka_unit_test(test_equal_orders),
        cmocka_unit_test(test_stopped),  cmocka_unit_test(test_even),
        cmocka_unit_test(test_unlucky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
