/* Ratios: read exactly or not at all, compared without rounding. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/ratio.h"
#include "support_random.h"

static void test_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t over, under;
    } good[] = {
        {"1", 1, 1},
        {"0", 0, 1},
        {"1.5", 3, 2},
        {"3/2", 3, 2},
        {"6/4", 3, 2},
        {"3.90", 39, 10},
        {"0.25", 1, 4},
        {"0/7", 0, 1},
        {"18446744073709551615", UINT64_MAX, 1},
        {"1/18446744073709551615", 1, UINT64_MAX},
        {"1.000000000000000001", 1000000000000000001, 1000000000000000000},
    };
    static const char *const bad[] = {
        "",
        "x",
        "1.",
        ".5",
        "1/",
        "/2",
        "1/0",
        "1e3",
        "-1",
        "+1",
        "1 ",
        " 1",
        "1.5/2",
        "1/2/3",
        "18446744073709551616",
        "1/18446744073709551616",
        "1.00000000000000000001",
    };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        hw_ratio r = {9, 9};
        assert_true(hw_ratio_read(good[i].text, &r));
        assert_true(r.over == good[i].over && r.under == good[i].under);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hw_ratio r = {9, 9};
        if (hw_ratio_read(bad[i], &r) || r.over != 9 || r.under != 9)
            fail_msg("'%s' was read", bad[i]);
    }
}

static void test_lowest(void **state)
{
    uint64_t draw = 1;
    (void)state;
    for (int i = 0; i < 10000; i++) {
        uint64_t a = random_below(&draw, 1000), b = random_below(&draw, 1000);
        hw_ratio low = hw_ratio_lowest((hw_ratio){a, b});
        assert_int_equal(hw_ratio_compare(low, (hw_ratio){a, b}), 0);
        for (uint64_t d = 2; d <= low.over && d <= low.under; d++)
            assert_true(low.over % d || low.under % d);
    }
    hw_ratio none = hw_ratio_lowest((hw_ratio){0, 0});
    assert_true(none.over == 0 && none.under == 0);
}

static void test_compare(void **state)
{
    uint64_t draw = 2;
    (void)state;
    for (int i = 0; i < 100000; i++) {
        hw_ratio a = {random_u64(&draw) | 1, random_u64(&draw) | 1};
        /* one more above is more, one more below is less */
        if (a.over < UINT64_MAX && a.under < UINT64_MAX) {
            assert_int_equal(hw_ratio_compare((hw_ratio){a.over + 1, a.under}, a), 1);
            assert_int_equal(hw_ratio_compare((hw_ratio){a.over, a.under + 1}, a), -1);
        }
        assert_int_equal(hw_ratio_compare(a, a), 0);
    }
    const hw_ratio none = {0, 0}, one = {5, 5}, endless = {1, 0}, zero = {0, 3};
    assert_int_equal(hw_ratio_compare(none, one), 0);
    assert_int_equal(hw_ratio_compare(endless, one), 1);
    assert_int_equal(hw_ratio_compare(zero, endless), -1);
    assert_int_equal(hw_ratio_compare(endless, (hw_ratio){7, 0}), 0);
    assert_int_equal(hw_ratio_compare(zero, none), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_lowest),
        cmocka_unit_test(test_compare),
    };
    return cmocka_run_group_tests_name("ratio", tests, NULL, NULL) != 0;
}
