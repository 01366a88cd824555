/* The plan of a suite: keys, finding, the order of a sweep, parts, samples. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/plan.h"
#include "bench/unit.h"
#include "core/memory.h"

static const char text[] = "name = t\nseed = 7\npin-inputs = both\nsolver = level\n"
                           "solver = random:n=3\n"
                           "[a]\nfamily = tree:n=5..7 x4\nfamily = layered:n=6,sizes=pareto x3\n"
                           "[b]\naccounting = free-first\nsolver = greedy\noptimum = dp\n"
                           "state-limit = 1000\nfamily = tree:n=5 x9\n"
                           "family = nets:net=mlp\n";

static hw_code load_text(const char *suite_text, hw_suite **suite, hw_error *err)
{
    char name[] = "/tmp/highwater-plan-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(write(file, suite_text, strlen(suite_text)), strlen(suite_text));
    assert_int_equal(close(file), 0);
    hw_code code = hw_suite_load(name, suite, err);
    assert_int_equal(unlink(name), 0);
    return code;
}

static hw_suite *load(void)
{
    hw_suite *suite;
    hw_error err = {.code = HW_OK};
    if (load_text(text, &suite, &err) != HW_OK)
        fail_msg("%s", err.message);
    return suite;
}

static size_t solvers_of(const hw_suite *suite, size_t unit)
{
    return suite->sections[suite->sources[suite->units[unit].source].section].n_solvers;
}

static void test_every_run_is_found(void **state)
{
    (void)state;
    hw_suite *suite = load();
    hw_plan *plan;
    hw_error err = {.code = HW_OK};
    uint64_t position = 0;
    size_t unit, solver;
    assert_int_equal(hw_plan_new(suite, &plan, &err), HW_OK);
    for (size_t u = 0; u < suite->n_units; u++)
        for (size_t i = 0; i < solvers_of(suite, u); i++) {
            hw_record r = hw_plan_run(suite, u, i);
            assert_true(hw_plan_find(plan, &r, &unit, &solver));
            assert_true(unit == u && solver == i);
            assert_int_equal(hw_plan_position(plan, u, i), position++);
        }
    assert_int_equal(position, suite->n_runs);
    /* What differs in one column of the key is another run. */
    const hw_record own = hw_plan_run(suite, 0, 0);
    hw_record other[11];
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        other[i] = own;
    other[0].suite = "u";
    other[1].section = "c";
    other[2].family = "fan";
    other[3].params = "n=55";
    other[4].index = 4;
    other[5].seed++;
    other[6].accounting = "none";
    other[7].pinned = true; /* of another unit: found, elsewhere */
    other[8].solver = "dfs";
    other[9].state_limit = 1;
    other[10].time_limit = 1;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        assert_int_not_equal(hw_record_compare_keys(&own, &other[i]), 0);
        bool found = hw_plan_find(plan, &other[i], &unit, &solver);
        assert_true(found == (i == 7) && (!found || unit != 0));
    }
    hw_plan_free(plan);
    hw_suite_free(suite);
}

static void test_columns(void **state)
{
    (void)state;
    hw_suite *suite = load();
    assert_string_equal(hw_plan_run(suite, 0, 0).sizes, "uniform");
    const hw_suite_source *last = &suite->sources[suite->n_sources - 1];
    assert_null(last->sizes);
    for (size_t u = 0; u < suite->n_units; u++)
        if (strcmp(suite->sources[suite->units[u].source].label, "n=6,sizes=pareto") == 0)
            assert_string_equal(hw_plan_run(suite, u, 0).sizes, "pareto");
    hw_suite_free(suite);
}

/* Equal where the answer is, different where it may be. */
static void test_keys(void **state)
{
    (void)state;
    hw_suite *suite = load();
    char key[HW_KEY_TEXT], other[HW_KEY_TEXT];
    hw_plan_key(suite, 0, 0, "graph", "1", key);
    assert_int_equal(strspn(key, "0123456789abcdef"), 16);
    /* level draws nothing: another instance with the same graph is the same question. */
    size_t same = 4;
    assert_true(suite->units[0].accounting == suite->units[same].accounting);
    assert_true(suite->units[0].index != suite->units[same].index);
    hw_plan_key(suite, same, 0, "graph", "1", other);
    assert_string_equal(key, other);
    hw_plan_key(suite, 0, 1, "graph", "1", key);
    assert_string_not_equal(key, other);
    hw_plan_key(suite, same, 1, "graph", "1", other); /* random draws by its instance */
    assert_string_not_equal(key, other);
    hw_plan_key(suite, 0, 0, "graph", "1", key);
    hw_plan_key(suite, 1, 0, "graph", "1", other);
    assert_string_not_equal(key, other);
    hw_plan_key(suite, 2, 0, "graph", "1", other);
    assert_string_not_equal(key, other);
    hw_plan_key(suite, 0, 0, "graph2", "1", other);
    assert_string_not_equal(key, other);
    hw_plan_key(suite, 0, 0, "graph", "2", other);
    assert_string_not_equal(key, other);
    suite->sections[1].solvers[0].limits.solver.states = 5;
    hw_plan_key(suite, 0, 0, "graph", "1", other);
    assert_string_not_equal(key, other);
    hw_suite_free(suite);
}

static void check_parts(const hw_suite *suite, uint64_t parts, uint64_t sample)
{
    hw_error err = {.code = HW_OK};
    hw_plan_choice choice = {.sample = sample, .sample_seed = 3};
    size_t *all, n_all, *units, n, seen = 0;
    assert_int_equal(hw_plan_choose(suite, &choice, &all, &n_all, &err), HW_OK);
    assert_int_equal(n_all, sample && sample < suite->n_units ? sample : suite->n_units);
    choice.parts = parts;
    for (choice.part = 1; choice.part <= parts; choice.part++) {
        assert_int_equal(hw_plan_choose(suite, &choice, &units, &n, &err), HW_OK);
        assert_true(n == n_all / parts || n == n_all / parts + 1);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(units[i], all[i * parts + choice.part - 1]);
        seen += n;
        free(units);
    }
    assert_int_equal(seen, n_all);
    free(all);
}

static void test_choices(void **state)
{
    (void)state;
    hw_suite *suite = load();
    hw_error err = {.code = HW_OK};
    size_t *units, n, *again, n_again, in_place = 0;
    assert_int_equal(hw_plan_choose(suite, NULL, &units, &n, &err), HW_OK);
    assert_int_equal(n, suite->n_units);
    bool *seen = HW_NEW0(bool, n);
    for (size_t i = 0; i < n; i++) {
        assert_true(units[i] < n && !seen[units[i]]);
        seen[units[i]] = true;
        in_place += units[i] == i;
    }
    assert_true(in_place < n / 4); /* it is shuffled */
    assert_int_equal(hw_plan_choose(suite, NULL, &again, &n_again, &err), HW_OK);
    assert_memory_equal(units, again, n * sizeof *units);
    free(again);
    suite->seed++;
    assert_int_equal(hw_plan_choose(suite, NULL, &again, &n_again, &err), HW_OK);
    assert_memory_not_equal(units, again, n * sizeof *units);
    free(again);
    free(units);
    free(seen);
    for (uint64_t parts = 1; parts < 9; parts++) {
        check_parts(suite, parts, 0);
        check_parts(suite, parts, 11);
        check_parts(suite, parts, 1000000);
    }
    check_parts(suite, suite->n_units + 5, 0); /* some parts are empty */
    static const hw_plan_choice none[] = {{.part = 0, .parts = 3}, {.part = 4, .parts = 3}};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(hw_plan_choose(suite, &none[i], &units, &n, &err), HW_USAGE);
    hw_suite_free(suite);
}

static void test_order_of_solvers(void **state)
{
    (void)state;
    hw_suite *suite = load();
    hw_error err = {.code = HW_OK};
    size_t first[2] = {0, 0};
    for (size_t u = 0; u < suite->n_units; u++) {
        uint32_t order[8], again[8], seen = 0;
        size_t k = solvers_of(suite, u);
        assert_int_equal(hw_plan_solvers(suite, u, order, &err), HW_OK);
        assert_int_equal(hw_plan_solvers(suite, u, again, &err), HW_OK);
        assert_memory_equal(order, again, k * sizeof *order);
        for (size_t i = 0; i < k; i++)
            seen |= 1U << order[i];
        assert_int_equal(seen, (1U << k) - 1);
        first[order[0] == 0]++;
    }
    assert_true(first[0] > 10 && first[1] > 10);
    hw_suite_free(suite);
}

static void test_twins_are_refused(void **state)
{
    (void)state;
    static const char *const twins[] = {
        "solver = level\nfamily = tree:n=5..7 x4\nfamily = tree:n=6 x2\n",
        "solver = level\nfamily = tree\nfamily = fan\nfamily = tree x3\n",
    };
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        hw_suite *suite;
        hw_error err = {.code = HW_OK};
        assert_int_equal(load_text(twins[i], &suite, &err), HW_BAD_INPUT);
        assert_non_null(strstr(err.message, i ? "lines 2 and 4" : "lines 2 and 3"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_run_is_found),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_order_of_solvers),
        cmocka_unit_test(test_twins_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
