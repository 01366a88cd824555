/* What the builder and the model refuse, and what they say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/support_lines.h"

typedef struct refusal {
    const char *lines, *word; /* `word` stands in the message */
} refusal;

static void expect_refused(const refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        hw_graph *g = NULL;
        hw_error err = {0};
        hw_code code = lines_parse(cases[i].lines, &g, &err);
        if (code != HW_BAD_INPUT || !strstr(err.message, cases[i].word))
            fail_msg("%s: code %d, %s", cases[i].lines, (int)code, err.message);
        assert_null(g);
    }
}

#define EXPECT_REFUSED(...)                                                                        \
    do {                                                                                           \
        const refusal cases[] = {__VA_ARGS__};                                                     \
        expect_refused(cases, sizeof cases / sizeof cases[0]);                                     \
    } while (0)

static void refused_cycles(void **state)
{
    (void)state;
    EXPECT_REFUSED(
        {"t 0 1 a; t 1 1 a; v 0 0 > 1; v 1 1 > 0", "cycle"},
        {"t 0 1 a; t 1 1 o; v 5 0 > 1 locked; v 6 - > 0 locked", "locked"},
        {"t 0 1 o; t 1 1 o; v 0 - > 0; v 1 - > 1; e 0 1; e 1 0", "cycle: 1 -> 0 -> 1: "},
        /* From the first node that waits back into the cycle; of many nodes the first ones. */
        {"t 0 1 o; t 1 1 o; t 2 1 o; v 5 - > 0; v 6 - > 1; v 7 - > 2; e 7 5; e 7 6; e 6 7",
         "cycle: 6 -> 7 -> 6: "},
        {"t 0 1 o; v 0 - > 0; e 0 0", "itself"}, {"t 0 1 o; v 0 - > 0; e 0 9", "node 9"},
        /* Who must overwrite 0 runs after its other reader, which reads the result. */
        {"t 0 4 i; t 1 4 a; t 2 1 o; v 0 0 > 1 inplace=0:1 inplace_required; v 1 0,1 > 2",
         "inplace_required"},
        {"t 0 4 i; t 1 4 a; t 2 1 o; t 3 4 a; v 0 0 > 1 inplace=0:1 inplace_required; "
         "v 1 3,1 > 2; v 2 0 > 3 view; e 0 2",
         "inplace_required"});
}

static void refused_inplace(void **state)
{
    (void)state;
    EXPECT_REFUSED(
        {"t 0 4 i; t 1 4 a; v 0 0 > 1 view inplace=0:1", "view"},
        {"t 0 4 i; t 1 4 a; v 0 0 > 1 inplace_required", "inplace_required"},
        {"t 0 4 i; t 1 4 i; t 2 4 a; v 0 0,1 > 2 inplace=0:2,1:2 inplace_required",
         "inplace_required"},
        {"t 0 4 o; t 1 4 a; v 0 - > 0; v 1 0 > 1 inplace=0:1 inplace_required", "output"},
        {"t 0 4 c; t 1 4 a; v 0 0 > 1 inplace=0:1 inplace_required", "constant"},
        /* The storage holds an output through a view made elsewhere. */
        {"t 0 4 i; t 1 4 o; t 2 4 a; v 0 0 > 1 view; v 1 0 > 2 inplace=0:2 inplace_required",
         "output"},
        {"t 0 4 c; t 1 4 a; t 2 4 a; v 0 0 > 1 view; v 1 1 > 2 inplace=1:2 inplace_required",
         "constant"},
        {"t 0 4 i; t 1 4 a; t 2 4 a; v 0 0 > 1 inplace=0:1 inplace_required; "
         "v 1 0 > 2 inplace=0:2 inplace_required",
         "both must overwrite"},
        {"t 0 4 i; t 1 4 i; t 2 4 a; v 0 0 > 2 inplace=1:2", "not an input"},
        {"t 0 4 i; t 1 4 a; t 2 4 a; v 0 0 > 1 inplace=0:2; v 1 - > 2", "not an output"});
}

static void refused_sums(void **state)
{
    (void)state;
    EXPECT_REFUSED(
        {"t 0 9223372036854775807 i; t 1 9223372036854775807 o; v 0 0 > 1 workspace=2", "64"},
        {"t 0 9223372036854775807 i; t 1 9223372036854775807 o; t 2 2 c; v 0 0,2 > 1", "64"},
        {"t 0 9223372036854775808 i", "9223372036854775808"}, {"t 4294967296 1 i", "4294967296"});
}

static void refused_with_pinned_inputs(void **state)
{
    (void)state;
    const char *const pinned[] = {
        "t 0 4 i; t 1 4 o; v 0 0 > 1 inplace=0:1 inplace_required",
        "t 0 4 i; t 1 4 a; t 2 4 o; v 0 0 > 1 view; v 1 1 > 2 inplace=1:2 inplace_required",
    };
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++)
        for (int accounting = 0; accounting < 2; accounting++) {
            hw_graph *g = lines_graph(pinned[i]);
            hw_model *m = NULL;
            hw_error err = {0};
            assert_int_equal(hw_model_new(g, (hw_accounting)accounting, true, &m, &err),
                             HW_BAD_INPUT);
            assert_null(m);
            assert_non_null(strstr(err.message, "pin"));
            m = lines_model(g, (hw_accounting)accounting, false);
            hw_model_free(m);
            hw_graph_free(g);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_cycles),
        cmocka_unit_test(refused_inplace),
        cmocka_unit_test(refused_sums),
        cmocka_unit_test(refused_with_pinned_inputs),
    };
    return cmocka_run_group_tests_name("refused", tests, NULL, NULL) != 0;
}
