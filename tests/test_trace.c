/* Traces: reading them, and what plots of them hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "support_io.h"

/* A line; `best` and `status` as JSON. */
#define LINE(accounting, solver, ticks, seconds, best, bound, status)                              \
    "{\"graph\":\"g\",\"hash\":\"00\",\"accounting\":\"" accounting                                \
    "\",\"pin_inputs\":false,\"solver\":\"" solver "\",\"ticks\":" ticks ",\"seconds\":" seconds   \
    ",\"best\":" best ",\"bound\":" bound ",\"status\":" status "}\n"

static const char two_runs[] = LINE("alloc-first", "exact", "0", "0", "null", "100", "null")
    LINE("alloc-first", "exact", "5", "1e-3", "240", "100", "null")
        LINE("alloc-first", "exact", "9", "2e-3", "200", "100", "null")
            LINE("alloc-first", "exact", "20", "0.1", "200", "200", "\"optimal\"")
                LINE("alloc-first", "greedy", "4", "1e-5", "300", "100", "null")
                    LINE("alloc-first", "greedy", "4", "2e-5", "300", "190", "\"feasible\"");
static const char third_run[] =
    LINE("free-first", "exact", "7", "0.5", "18446744073709551615", "9", "null");

static hw_code load(const char *const *texts, size_t n, hw_trace **trace, hw_error *err)
{
    char *folder = make_folder(), *paths[3];
    for (size_t i = 0; i < n; i++) {
        const char *const names[] = {"a.jsonl", "b.jsonl", "c.jsonl"};
        paths[i] = path_in(folder, names[i]);
        assert_true(write_text(paths[i], texts[i]));
    }
    hw_code code = hw_trace_load((const char *const *)paths, n, trace, err);
    for (size_t i = 0; i < n; i++)
        free(paths[i]);
    remove_folder(folder);
    return code;
}

static void test_reading(void **state)
{
    (void)state;
    const char *const texts[] = {two_runs, third_run, two_runs};
    hw_error err = {.code = HW_OK};
    hw_trace *t;
    assert_int_equal(load(texts, 3, &t, &err), HW_OK);
    assert_int_equal(t->n_lines, 13);
    assert_int_equal(t->n_runs, 5);
    assert_int_equal(t->lines[3].run, 0);
    assert_int_equal(t->lines[4].run, 1);
    assert_int_equal(t->lines[6].run, 2);
    assert_true(t->lines[6].best.value == UINT64_MAX);
    assert_false(t->lines[0].best.known);
    assert_string_equal(t->lines[3].status, "optimal");
    assert_null(t->lines[2].status);
    assert_true(t->lines[2].seconds == 2e-3 && t->lines[2].ticks == 9);
    hw_trace_free(t);
}

static void test_broken(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {{"{}\n", "a.jsonl:1: no line of a trace (solve --trace-out): key \"graph\""},
                {LINE("a", "b", "-4", "1", "2", "3", "null"), "\"ticks\""},
                {LINE("a", "b", "4", "1", "2.5", "3", "null"), "\"best\""},
                {LINE("a", "b", "4", "-1", "2", "3", "null"), "\"seconds\""},
                {LINE("a", "b", "4", "1", "2", "null", "null"), "\"bound\""},
                {LINE("a", "b", "4", "1", "2", "3", "7"), "\"status\""},
                {LINE("a", "b", "4", "1", "2", "3", "null") "{\"graph\":", "a.jsonl:2:"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hw_error err = {.code = HW_OK};
        hw_trace *t;
        assert_int_equal(load(&rows[i].text, 1, &t, &err), HW_BAD_INPUT);
        assert_null(t);
        if (!strstr(err.message, rows[i].part))
            fail_msg("'%s' is not in: %s", rows[i].part, err.message);
    }
}

static char *script_of(const char *const *texts, size_t n, bool by_ticks)
{
    hw_error err = {.code = HW_OK};
    hw_trace *t;
    hw_plot_script script;
    assert_int_equal(load(texts, n, &t, &err), HW_OK);
    assert_int_equal(hw_plot_anytime(t, by_ticks, HW_PLOT_WEB, &script, &err), HW_OK);
    hw_trace_free(t);
    char *text = script.text;
    script.text = NULL;
    hw_plot_script_free(&script);
    return text;
}

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void test_scripts(void **state)
{
    (void)state;
    const char *const texts[] = {two_runs, two_runs, third_run};
    char *script = script_of(texts, 3, false);
    expect(script, "5 runs");
    expect(script, "set title 'g, free-first'");
    /* Multiples of 200, the best; two runs of a solver are apart. */
    expect(script, "$best_0_0 << EOD\n0.001 1.2\n0.002 1\n0.1 1\n\n0.001 1.2\n");
    /* The bound that came after the end of greedy is not its own. */
    expect(script, "$bound_0_1 << EOD\n1e-05 0.5\n\n1e-05 0.5\nEOD\n");
    expect(script, "$best_1_0 << EOD\n0.5 1\nEOD\n");
    free(script);
    script = script_of(texts, 1, true);
    expect(script, "$best_0_0 << EOD\n5 1.2\n9 1\n20 1\nEOD\n");
    expect(script, "$bound_0_0 << EOD\n1 0.5\n"); /* tick 0 has no place on a log axis */
    expect(script, "set xlabel 'ticks' ");
    free(script);
}

static void test_nothing(void **state)
{
    (void)state;
    const char *const texts[] = {LINE("alloc-first", "exact", "0", "0", "null", "100", "null"), ""};
    hw_error err = {.code = HW_OK};
    hw_trace *t;
    hw_plot_script script;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(load(texts + i, 1, &t, &err), HW_OK);
        assert_int_equal(hw_plot_anytime(t, false, HW_PLOT_WEB, &script, &err), HW_BAD_INPUT);
        assert_null(script.text);
        hw_trace_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_scripts),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
