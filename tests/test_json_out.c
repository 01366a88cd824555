/* The writer of JSON: exact bytes, and that a library reads them back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json_out.h"

/* A stream into memory, and what was written to it. */
typedef struct page {
    FILE *out;
    char *text;
    size_t size;
} page;

static int begin(void **state)
{
    page *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    p->out = open_memstream(&p->text, &p->size);
    *state = p;
    return p->out ? 0 : -1;
}

static int end(void **state)
{
    page *p = *state;
    (void)fclose(p->out);
    free(p->text);
    free(p);
    return 0;
}

static const char *written(page *p)
{
    (void)fflush(p->out);
    return p->text;
}

static void test_nesting(void **state)
{
    page *p = *state;
    hw_json_out j = hw_json_on(p->out);
    hw_json_open(&j, NULL, '{');
    hw_json_open(&j, "empty", '[');
    hw_json_close(&j, ']');
    hw_json_open(&j, "rows", '[');
    for (uint64_t i = 0; i < 2; i++) {
        hw_json_open(&j, NULL, '{');
        hw_json_put_u64(&j, "i", i);
        hw_json_put_null(&j, "none");
        hw_json_close(&j, '}');
    }
    hw_json_close(&j, ']');
    hw_json_put_bool(&j, "yes", true);
    hw_json_put_bool(&j, "no", false);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    hw_json_put_i64(&j, NULL, -1);
    hw_json_line(&j);
    assert_string_equal(written(p), "{\"empty\":[],\"rows\":[{\"i\":0,\"none\":null},{\"i\":1,"
                                    "\"none\":null}],\"yes\":true,\"no\":false}\n-1\n");
}

static void test_broken_items(void **state)
{
    page *p = *state;
    hw_json_out j = hw_json_on(p->out);
    j.break_items = true;
    hw_json_open(&j, NULL, '[');
    hw_json_put_u64(&j, NULL, 1);
    hw_json_open(&j, NULL, '[');
    hw_json_put_u64(&j, NULL, 2);
    hw_json_put_u64(&j, NULL, 3);
    hw_json_close(&j, ']');
    hw_json_close(&j, ']');
    hw_json_line(&j);
    assert_string_equal(written(p), "[\n 1,\n [2,3]\n]\n");
}

static void test_numbers(void **state)
{
    page *p = *state;
    hw_json_out j = hw_json_on(p->out);
    hw_json_open(&j, NULL, '[');
    hw_json_put_u64(&j, NULL, UINT64_MAX);
    hw_json_put_i64(&j, NULL, INT64_MIN);
    hw_json_put_real(&j, NULL, 0.1);
    hw_json_put_real(&j, NULL, 1.0 / 3);
    hw_json_put_real(&j, NULL, 0);
    hw_json_put_real(&j, NULL, -2100);
    hw_json_put_real(&j, NULL, 1e300);
    hw_json_put_real(&j, NULL, (double)NAN);
    hw_json_put_real(&j, NULL, (double)-INFINITY);
    hw_json_put_hex(&j, NULL, UINT64_MAX);
    hw_json_put_u64_or_null(&j, NULL, true, 7);
    hw_json_put_u64_or_null(&j, NULL, false, 7);
    hw_json_put_digits(&j, NULL, "340282366920938463463374607431768211455");
    hw_json_close(&j, ']');
    assert_string_equal(
        written(p),
        "[18446744073709551615,-9223372036854775808,0.1,0.3333333333333333,0,-2100,1e+300,null,"
        "null,\"0xffffffffffffffff\",7,null,"
        "340282366920938463463374607431768211455]");
}

static void test_strings(void **state)
{
    page *p = *state;
    hw_json_out j = hw_json_on(p->out);
    hw_json_open(&j, NULL, '[');
    hw_json_put_string(&j, NULL, "quote \" back \\ tab \t line \n bell \a delete \x7F");
    hw_json_put_string(&j, NULL, "Größe 漢 😀");
    hw_json_put_string(&j, NULL, NULL);
    hw_json_put_string(&j, NULL, "");
    hw_json_close(&j, ']');
    assert_string_equal(written(p), "[\"quote \\\" back \\\\ tab \\t line \\n bell \\u0007 delete "
                                    "\\u007f\",\"Größe 漢 😀\",null,\"\"]");
}

/* Whatever the bytes, a strict library must read the document. */
static void test_any_bytes(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "\xFF",             /* no UTF-8 at all        */
        "\xC3",             /* cut short              */
        "a\xE2\x82",        /* cut short after a byte */
        "\xC0\xAF",         /* overlong               */
        "\xE0\x80\xAF",     /* overlong               */
        "\xF0\x80\x80\xAF", /* overlong               */
        "\xED\xA0\x80",     /* a surrogate            */
        "\xF4\x90\x80\x80", /* above U+10FFFF         */
        "\x80 alone",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        hw_json_out j = hw_json_on(out);
        hw_json_open(&j, NULL, '{');
        hw_json_put_string(&j, broken[i], broken[i]);
        hw_json_close(&j, '}');
        (void)fclose(out);
        json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        bool holds_mark = text && strstr(text, "\\ufffd");
        bool readable = read != NULL;
        free(text);
        json_decref(read);
        assert_true(readable);
        assert_true(holds_mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nesting, begin, end),
        cmocka_unit_test_setup_teardown(test_broken_items, begin, end),
        cmocka_unit_test_setup_teardown(test_numbers, begin, end),
        cmocka_unit_test_setup_teardown(test_strings, begin, end),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
