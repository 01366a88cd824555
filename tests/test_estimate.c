/* What a sweep will take: by a sample, by results. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench/estimate.h"
#include "support_bench.h"

static hw_code sleep_a_little(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    (void)nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return HW_OK;
}

static hw_code hang(const hw_model *m, const hw_request *r, hw_answer *a, hw_error *err)
{
    (void)m, (void)r, (void)a, (void)err;
    for (;;)
        (void)pause();
    return HW_OK;
}

static const hw_solver_row row_sleep = {.name = "sleep",
                                        .kind = HW_SOLVER_HEURISTIC,
                                        .counts = "none",
                                        .help = "",
                                        .source = "",
                                        .solve = sleep_a_little};
static const hw_solver_row row_hang = {.name = "hang",
                                       .kind = HW_SOLVER_HEURISTIC,
                                       .counts = "none",
                                       .help = "",
                                       .source = "",
                                       .solve = hang};

/* [a]: 40 instances, 80 units by 2 solvers; [b]: 5 instances, 5 units by 1. */
static hw_suite *two_sections(void)
{
    return support_suite(
        "solver = level\n[a]\nsolver = level\nsolver = dfs\nfamily = tree:n=5 x40\n"
        "[b]\naccounting = free-first\nfamily = fan:n=6 x5\n");
}

static const hw_estimate_section *section(const hw_suite *suite, const hw_estimate *e,
                                          const char *name)
{
    for (size_t k = 0; k < e->n_sections; k++)
        if (suite->sections[k].name[0] == name[0] && suite->sections[k].name[1] == '\0')
            return &e->sections[k];
    fail_msg("no section %s", name);
    return NULL;
}

static void test_whole_sample(void **state)
{
    (void)state;
    hw_suite *suite = two_sections();
    hw_estimate e;
    hw_error err = {.code = HW_OK};
    /* 80 units of 20 ms by two processes: all of them fit. */
    suite->sections[1].solvers[0].row = &row_sleep;
    assert_int_equal(hw_estimate_by_sample(suite, NULL, 4, 60, NULL, &e, &err), HW_OK);
    const hw_estimate_section *a = section(suite, &e, "a"), *b = section(suite, &e, "b");
    assert_true(a->instances == 40 && a->units == 80 && a->runs == 160 && a->sampled == 80);
    assert_true(b->instances == 5 && b->units == 5 && b->runs == 5 && b->sampled == 5);
    assert_true(e.units == 85 && e.runs == 165 && e.sampled == 85 && !e.is_least);
    assert_true(a->unit_seconds >= 0.02 && a->seconds >= 80 * 0.02);
    assert_true(fabs(e.seconds - a->seconds - b->seconds) < 1e-9);
    assert_true(e.bytes > 165 * 600 && e.bytes < 165 * 2000);
    hw_estimate_free(&e);
    /* Of a part, a part; sampled for less than it takes, drawn from the whole. */
    hw_plan_choice part = {.part = 2, .parts = 5};
    assert_int_equal(hw_estimate_by_sample(suite, &part, 1, 0.1, NULL, &e, &err), HW_OK);
    assert_int_equal(e.units, 17);
    a = section(suite, &e, "a");
    assert_true(a->sampled < a->units);
    if (a->sampled > a->unfinished)
        assert_true(a->seconds >= 0.019 * (double)a->units);
    hw_estimate_free(&e);
    hw_suite_free(suite);
}

/* A section of which nothing ends: what is told is the least. */
static void test_endless(void **state)
{
    (void)state;
    hw_suite *suite = two_sections();
    hw_estimate e;
    hw_error err = {.code = HW_OK};
    suite->sections[2].solvers[0].row = &row_hang;
    assert_int_equal(hw_estimate_by_sample(suite, NULL, 2, 0.5, NULL, &e, &err), HW_OK);
    const hw_estimate_section *b = section(suite, &e, "b");
    assert_true(e.is_least && b->unfinished > 0 && b->sampled == b->unfinished);
    assert_true(b->seconds > 0.1);
    hw_estimate_free(&e);
    volatile sig_atomic_t stop = 1;
    assert_int_equal(hw_estimate_by_sample(suite, NULL, 2, 0.5, &stop, &e, &err), HW_STOPPED);
    hw_estimate_free(&e);
    hw_suite_free(suite);
}

static void test_by_results(void **state)
{
    (void)state;
    hw_suite *suite = two_sections();
    hw_bench_counts counts;
    hw_estimate e;
    hw_error err = {.code = HW_OK};
    hw_bench_options o = {.output = "r.jsonl", .jobs = 2, .overwrite = true};
    o.choice = (hw_plan_choice){.part = 1, .parts = 2}; /* half of it is there */
    suite->sections[1].solvers[0].row = &row_sleep;
    if (hw_bench_run(suite, &o, &counts, &err) != HW_OK)
        fail_msg("%s", err.message);
    hw_results *r = support_results("r.jsonl");
    assert_int_equal(hw_estimate_by_results(suite, NULL, r, counts.bytes, &e, &err), HW_OK);
    const hw_estimate_section *a = section(suite, &e, "a"), *b = section(suite, &e, "b");
    assert_true(a->seconds >= 80 * 0.0195 && a->seconds < 80 * 0.5);
    assert_true(b->seconds > 0 && b->seconds < a->seconds);
    assert_int_equal(e.sampled, 85); /* all are of a source that is known */
    assert_true(e.bytes > 165 * 600 && e.bytes < 165 * 2000);
    hw_estimate_free(&e);
    /* Nothing is known. */
    r->n_records = 0;
    assert_int_equal(hw_estimate_by_results(suite, NULL, r, 0, &e, &err), HW_OK);
    assert_true(isnan(e.seconds) && isnan(e.bytes) && e.sampled == 0);
    hw_estimate_free(&e);
    hw_plan_choice none = {.part = 3, .parts = 2};
    assert_int_equal(hw_estimate_by_results(suite, &none, r, 0, &e, &err), HW_USAGE);
    hw_estimate_free(&e);
    hw_results_free(r);
    hw_suite_free(suite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_sample),
        cmocka_unit_test(test_endless),
        cmocka_unit_test(test_by_results),
    };
    return cmocka_run_group_tests(tests, support_bench_enter, support_bench_leave) != 0;
}
