/* Lines of results: written and read back, and what is refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/flat_json.h"
#include "bench/groups.h"

static void test_round_trip(void **state)
{
    (void)state;
    hw_record r = {.suite = "s \"quoted\" \\ \n\t\x01 \xC3\xA9",
                   .section = "",
                   .family = "file",
                   .params = "",
                   .index = 7,
                   .seed = UINT64_MAX,
                   .graph = "ab",
                   .n_nodes = 3,
                   .n_edges = 2,
                   .n_tensors = 5,
                   .key = "0123456789abcdef",
                   .features = "",
                   .repeats = hw_known(9),
                   .accounting = "free-first",
                   .pinned = true,
                   .solver = "dp",
                   .exact = true,
                   .status = "optimal",
                   .peak = hw_known(UINT64_MAX),
                   .checked_peak = hw_known(UINT64_MAX),
                   .bound = hw_known(0),
                   .optimum = hw_known(UINT64_MAX - 1),
                   .optimum_by = "dp",
                   .states = hw_known(12),
                   .limit_reached = true,
                   .state_limit = 5,
                   .time_limit = 0.25,
                   .wall_seconds = 0.125,
                   .cpu_seconds = -1,
                   .peak_memory_bytes = hw_known(4096),
                   .version = "1",
                   .compiler = "cc",
                   .message = NULL,
                   .conflict = true};
    char *line;
    size_t length;
    hw_record back;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_record_format(&r, &line, &length, &err), HW_OK);
    assert_true(line[length - 1] == '\n' && strchr(line, '\n') == line + length - 1);
    if (hw_record_parse(line, length - 1, &back, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_string_equal(back.suite, r.suite);
    assert_true(back.seed == UINT64_MAX && back.peak.value == UINT64_MAX);
    assert_true(back.optimum.value == UINT64_MAX - 1 && back.pinned && back.conflict);
    assert_true(back.wall_seconds > 0.124 && back.cpu_seconds < 0 && back.time_limit > 0.24);
    assert_false(back.orders.known);
    assert_null(back.message);
    assert_string_equal(back.key, r.key);
    assert_string_equal(back.features, "");
    assert_null(back.sizes);
    assert_int_equal(back.repeats.value, 9);
    free(line);
}

static void check_fraction(double seconds, uint64_t peak, const char *want_seconds,
                           const char *want_gap)
{
    hw_record r = {.suite = "",
                   .section = "",
                   .family = "",
                   .params = "",
                   .accounting = "",
                   .solver = "",
                   .status = "feasible",
                   .checked_peak = hw_known(peak),
                   .optimum = hw_known(100000),
                   .wall_seconds = seconds,
                   .version = "",
                   .compiler = ""};
    char *line, want[128];
    size_t length;
    hw_record back;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_record_format(&r, &line, &length, NULL), HW_OK);
    (void)snprintf(want, sizeof want, "\"wall_seconds\":%s,", want_seconds);
    if (!strstr(line, want))
        fail_msg("%s is not in %s", want, line);
    (void)snprintf(want, sizeof want, "\"gap_percent\":%s,", want_gap);
    if (!strstr(line, want))
        fail_msg("%s is not in %s", want, line);
    if (hw_record_parse(line, length - 1, &back, &err) != HW_OK)
        fail_msg("%s", err.message);
    free(line);
}

static void test_fractions(void **state)
{
    (void)state;
    check_fraction(0, 100000, "0", "0");
    check_fraction(1e-9, 100001, "0.000000001", "0.001");
    check_fraction(0.5, 100010, "0.5", "0.01");
    check_fraction(12, 112340, "12", "12.34");
    check_fraction(100.000001234, 200000, "100.000001234", "100");
    check_fraction(1e-10, 12300000, "0", "12200");
    check_fraction(1e7, UINT64_MAX, "10000000", "18446744073709452");
    check_fraction(-1, 99990, "null", "-0.01");
}

/* Files written before there were these keys stay readable. */
static void test_older_lines(void **state)
{
    (void)state;
    static const char *const newer[] = {"seal", "key", "sizes", "features", "repeats"};
    hw_record r = {.suite = "",
                   .section = "",
                   .family = "tree",
                   .params = "",
                   .key = "k",
                   .graph = "g",
                   .n_nodes = 4,
                   .n_edges = 6,
                   .sizes = "pareto",
                   .features = "inputs+views",
                   .accounting = "",
                   .solver = "dp",
                   .status = "optimal",
                   .repeats = hw_known(3),
                   .version = "",
                   .compiler = ""};
    char *line, text[HW_FIELD_TEXT];
    size_t length;
    hw_record back;
    hw_error err = {.code = HW_OK};
    assert_string_equal(hw_field_text(&r, HW_FIELD_DENSITY, text), "1.5");
    assert_string_equal(hw_field_text(&r, HW_FIELD_SIZES, text), "pareto");
    assert_string_equal(hw_field_text(&r, HW_FIELD_FEATURES, text), "inputs+views");
    assert_int_equal(hw_record_format(&r, &line, &length, &err), HW_OK);
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "\"%s\":", newer[i]);
        char *at = strstr(line, key);
        assert_non_null(at);
        char *end = strchr(at, ',') + 1;
        memmove(at, end, strlen(end) + 1);
    }
    if (hw_record_parse(line, strlen(line) - 1, &back, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_true(!back.key && !back.sizes && !back.features && !back.repeats.known);
    assert_string_equal(hw_field_text(&back, HW_FIELD_SIZES, text), "none");
    assert_string_equal(hw_field_text(&back, HW_FIELD_FEATURES, text), "unknown");
    back.features = "";
    back.graph = NULL;
    assert_string_equal(hw_field_text(&back, HW_FIELD_FEATURES, text), "plain");
    assert_string_equal(hw_field_text(&back, HW_FIELD_DENSITY, text), "unknown");
    free(line);
}

/* As other programs write names: every character beyond ASCII by its number. */
static void test_escapes(void **state)
{
    (void)state;
    char line[] = "{\"a\\u00e9\":\"\\u20ac\\ud83d\\ude00\\u0041\\udbff\\udfff\"}";
    hw_flat_field field;
    size_t n;
    hw_error err = {.code = HW_OK};
    assert_int_equal(hw_flat_parse(line, strlen(line), &field, 1, &n, &err), HW_OK);
    assert_string_equal(field.key, "a\xC3\xA9");
    assert_string_equal(field.text, "\xE2\x82\xAC\xF0\x9F\x98\x80"
                                    "A\xF4\x8F\xBF\xBF");
}

static void bad_line(const char *text, const char *words)
{
    char line[512];
    size_t length = strlen(text);
    hw_record back;
    hw_error err = {.code = HW_OK};
    assert_true(length + 1 < sizeof line);
    memcpy(line, text, length + 1);
    assert_int_equal(hw_record_parse(line, length, &back, &err), HW_BAD_INPUT);
    if (!strstr(err.message, words))
        fail_msg("'%s' is not in: %s", words, err.message);
}

static void test_bad_lines(void **state)
{
    (void)state;
    bad_line("", "column 1");
    bad_line("[]", "column 1");
    bad_line("{", "the line ends before its }");
    bad_line("{\"a\"", "no colon");
    bad_line("{\"a\":", "the line ends where a value");
    bad_line("{\"a\":1", "the line ends before its }");
    bad_line("{\"a\":1 2}", "neither a comma nor }");
    bad_line("{\"a\":\"\x80\"}", "text that is not UTF-8");
    bad_line("{\"\xC3\":1}", "text that is not UTF-8");
    bad_line("{\"a\":nil}", "neither a string");
    bad_line("{\"a\":[1]}", "neither a string");
    bad_line("{\"a\":\"x", "the line ends inside a string");
    bad_line("{\"a\":\"x\\", "the line ends inside a string");
    bad_line("{\"a\":\"\\q\"}", "escape");
    bad_line("{\"a\":\"\\u00g0\"}", "escape");
    bad_line("{\"a\":\"\\ud800\"}", "escape");
    bad_line("{\"a\":\"\\ud83d\\u0041\"}", "escape");
    bad_line("{\"a\":\"\\ude00\\ud83d\"}", "escape");
    bad_line("{\"a\":\"\\ud83d\\", "escape");
    bad_line("{\"a\":1} x", "more text");
    bad_line("{\"a\":1,\"b\":2,\"a\":1}", "a key that stood before");
    bad_line("{\"\\u0061\":1,\"a\":1}", "column 16: a key that stood before");
    bad_line("{a:1}", "no key");
    bad_line("{}", "key \"suite\" is missing");
    bad_line("{\"suite\":1}", "is a number, where a string should stand");
    bad_line("{\"suite\":null}", "is null, where");
    bad_line("{\"suite\":\"\",\"section\":\"\",\"family\":\"\",\"params\":\"\",\"index\":-1}",
             "key \"index\" is no whole number");
    bad_line("{\"suite\":\"\",\"section\":\"\",\"family\":\"\",\"params\":\"\",\"index\":"
             "18446744073709551616}",
             "key \"index\" is no whole number");
    bad_line("{\"suite\":\"\",\"section\":\"\",\"family\":\"\",\"params\":\"\",\"index\":1,"
             "\"seed\":\"17\"}",
             "key \"seed\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),  cmocka_unit_test(test_fractions),
        cmocka_unit_test(test_older_lines), cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_bad_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
