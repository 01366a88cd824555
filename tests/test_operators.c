/* The table of operator types, and files that extend it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "import/operators.h"
#include "import/operators_rows.h"
#include "tests/support_io.h"

static void the_built_in_rows(void **state)
{
    (void)state;
    const struct {
        const char *name;
        unsigned traits;
    } known[] = {
        {"Reshape", HW_OPERATOR_VIEW},
        {"reshape", HW_OPERATOR_VIEW},
        {"ExpandDims", HW_OPERATOR_VIEW},
        {"Transpose", 0},
        {"Relu", HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_ACTIVATION},
        {"RELU6", HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_ACTIVATION},
        {"Add", HW_OPERATOR_ELEMENTWISE},
        {"Conv", HW_OPERATOR_CONVOLUTION},
        {"_FusedConv2D", HW_OPERATOR_CONVOLUTION},
        {"conv_2d", HW_OPERATOR_CONVOLUTION},
        {"BatchNormalization", HW_OPERATOR_ELEMENTWISE | HW_OPERATOR_NORM},
        {"BatchNorm", HW_OPERATOR_NORM},
        {"ConstantOfShape", HW_OPERATOR_CONSTANT},
        {"RandomNormalLike", HW_OPERATOR_RANDOM},
        {"Multinomial", HW_OPERATOR_RANDOM},
        {"StatelessRandomUniform", 0},
        {"AssignVariableOp", HW_OPERATOR_STATE},
        {"ReadVariableOp", HW_OPERATOR_STATE},
        {"QueueDequeueV2", HW_OPERATOR_STATE},
        {"PrintV2", HW_OPERATOR_IO},
        {"SaveV2", HW_OPERATOR_IO},
        {"Softmax", HW_OPERATOR_INPLACE},
    };
    hw_operators *table = hw_operators_new();
    assert_non_null(table);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (hw_operators_traits(table, known[i].name) != known[i].traits)
            fail_msg("%s: traits %u, expected %u", known[i].name,
                     hw_operators_traits(table, known[i].name), known[i].traits);
        assert_true(hw_operators_has(table, known[i].name));
    }
    assert_int_equal(hw_operators_traits(table, ""), 0);
    assert_int_equal(hw_operators_traits(table, NULL), 0);
    assert_false(hw_operators_has(table, "Relu7"));
    assert_false(hw_operators_has(table, NULL));
    hw_operators_free(table);
}

/* A name in two groups would have the traits of either, as the sort has it. */
static void each_name_stands_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < hw_n_operator_groups; i++)
        for (const char *a = hw_operator_groups[i].names; *a;) {
            size_t length = strcspn(a, " "), n = 0;
            assert_in_range(length, 1, 100);
            for (size_t k = 0; k < hw_n_operator_groups; k++)
                for (const char *b = hw_operator_groups[k].names; *b;) {
                    size_t other = strcspn(b, " ");
                    n += other == length && strncasecmp(a, b, length) == 0;
                    b += other + (b[other] == ' ');
                }
            if (n != 1)
                fail_msg("%.*s stands %zu times", (int)length, a, n);
            a += length + (a[length] == ' ');
        }
}

static void a_file_adds_and_replaces(void **state)
{
    (void)state;
    char *folder = make_folder(), *path = path_in(folder, "operators.txt");
    assert_true(write_text(path, "# mine\n\n  MyNoise random state # draws\nrelu none\r\n"
                                 "Zap\tView\naaa io\nMyNoise elementwise\n"));
    hw_operators *table = hw_operators_new();
    hw_error err = {0};
    if (hw_operators_read(table, path, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hw_operators_traits(table, "mynoise"), HW_OPERATOR_ELEMENTWISE);
    assert_int_equal(hw_operators_traits(table, "Relu"), 0);
    assert_true(hw_operators_has(table, "Relu"));
    assert_int_equal(hw_operators_traits(table, "ZAP"), HW_OPERATOR_VIEW);
    assert_int_equal(hw_operators_traits(table, "aaa"), HW_OPERATOR_IO);
    assert_int_equal(hw_operators_traits(table, "Sub"), HW_OPERATOR_ELEMENTWISE);
    hw_operators_free(table);
    free(path);
    remove_folder(folder);
}

static void a_wrong_file_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *text, *place, *says;
    } wrong[] = {
        {"Relu\n", ":1:", "has no trait"},
        {"\nRelu elementwize\n", ":2:", "did you mean elementwise?"},
        {"Relu none, view\n", ":1:", "'none,' is no trait"},
        {"Relu none", ":1:", "truncated"},
        {"Relu none\nConv", ":2:", "truncated"},
    };
    char *folder = make_folder(), *path = path_in(folder, "operators.txt");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_true(write_text(path, wrong[i].text));
        hw_operators *table = hw_operators_new();
        hw_error err = {0};
        assert_int_equal(hw_operators_read(table, path, &err), HW_BAD_INPUT);
        if (!strstr(err.message, wrong[i].place) || !strstr(err.message, wrong[i].says))
            fail_msg("%s", err.message);
        hw_operators_free(table);
    }
    hw_operators *table = hw_operators_new();
    hw_error err = {0};
    assert_int_equal(hw_operators_read(table, folder, &err), HW_IO);
    hw_operators_free(table);
    free(path);
    remove_folder(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_built_in_rows),
        cmocka_unit_test(each_name_stands_once),
        cmocka_unit_test(a_file_adds_and_replaces),
        cmocka_unit_test(a_wrong_file_is_refused),
    };
    return cmocka_run_group_tests_name("operators", tests, NULL, NULL) != 0;
}
