/* Solving in one call, by ids (solve/solution.h). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "io/io.h"
#include "solve/solution.h"

/* a (node 40) is read by b (7) and c (9), both by d (3): best: c before b. */
static const char lines[] = "p highwater 1 4 4 0\n"
                            "t 0 64 a\nt 1 8 a\nt 2 4 a\nt 3 2 o\n"
                            "v 40 - > 0\nv 7 0 > 1\nv 9 0 > 2\nv 3 1,2 > 3\n";

static hw_graph *graph(void)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (hw_graph_parse(lines, sizeof lines - 1, "lines", &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    return g;
}

static void test_optimum(void **state)
{
    (void)state;
    static const uint64_t peaks[] = {76, 68};
    hw_graph *g = graph();
    for (int free_first = 0; free_first < 2; free_first++) {
        hw_solution *found = NULL;
        assert_int_equal(hw_solution_find(g, "exact", free_first != 0, 0, 0, 0, &found, NULL),
                         HW_OK);
        assert_string_equal(hw_solution_status(found), "optimal");
        assert_int_equal(hw_solution_length(found), 4);
        assert_true(hw_solution_peak(found) == peaks[free_first]);
        assert_true(hw_solution_bound(found) == peaks[free_first]);
        assert_true(hw_solution_resident(found) == 0);
        assert_true(hw_solution_seconds(found) >= 0);
        const uint32_t *ids = hw_solution_order(found);
        assert_int_equal(ids[0], 40);
        assert_int_equal(ids[3], 3);
        uint64_t peak = 0;
        assert_int_equal(hw_solution_check(g, free_first != 0, ids, 4, &peak, NULL), HW_OK);
        assert_true(peak == peaks[free_first]);
        hw_solution_free(found);
    }
    hw_graph_free(g);
}

static void test_bound_has_no_order(void **state)
{
    (void)state;
    hw_graph *g = graph();
    hw_solution *found = NULL;
    assert_int_equal(hw_solution_find(g, "bound-mincut", false, 0, 0, 0, &found, NULL), HW_OK);
    assert_string_equal(hw_solution_status(found), "unknown");
    assert_int_equal(hw_solution_length(found), 0);
    assert_null(hw_solution_order(found));
    assert_true(hw_solution_peak(found) == 0);
    assert_true(hw_solution_bound(found) >= 72);
    hw_solution_free(found);
    hw_graph_free(g);
}

static void test_states_and_limits(void **state)
{
    (void)state;
    hw_graph *g = graph();
    hw_solution *found = NULL;
    assert_int_equal(hw_solution_find(g, "greedy", false, 0, 0, 0, &found, NULL), HW_OK);
    assert_true(hw_solution_states(found) > 0);
    hw_solution_free(found);
    assert_int_equal(hw_solution_find(g, "enumerate", false, 0, 1, 0, &found, NULL), HW_OK);
    assert_true(hw_solution_states(found) <= 1);
    hw_solution_free(found);
    hw_solution_free(NULL);
    hw_graph_free(g);
}

static void test_refusals(void **state)
{
    (void)state;
    static const uint32_t unknown[] = {40, 7, 9, 4}, illegal[] = {7, 40, 9, 3}, twice[] = {40, 40};
    hw_graph *g = graph();
    hw_error *err = hw_error_new();
    hw_solution *found = NULL;
    uint64_t peak = 0;
    assert_non_null(err);
    assert_string_equal(hw_error_message(err), "");
    assert_string_equal(hw_error_message(NULL), "");
    assert_int_equal(hw_solution_find(g, "exakt", false, 0, 0, 0, &found, err), HW_USAGE);
    assert_null(found);
    assert_non_null(strstr(hw_error_message(err), "exact"));
    assert_int_equal(hw_solution_check(g, false, unknown, 4, &peak, err), HW_BAD_INPUT);
    assert_non_null(strstr(hw_error_message(err), "node 4,"));
    assert_int_equal(hw_solution_check(g, false, illegal, 4, &peak, err), HW_CHECK_FAILED);
    assert_non_null(strstr(hw_error_message(err), "node 7"));
    assert_int_equal(hw_solution_check(g, false, twice, 2, &peak, err), HW_CHECK_FAILED);
    hw_error_free(err);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimum),
        cmocka_unit_test(test_bound_has_no_order),
        cmocka_unit_test(test_states_and_limits),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
