/* What the options ask of any format: locks, windows, views. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/support_import.h"
#include "tests/support_lines.h"

/* Ids of tensors begin at 10, of nodes at 70; a node draws random numbers. */
#define NET                                                                                        \
    "t 10 100 i; t 11 100 a; t 12 100 a; t 13 60 a; t 14 100 o; t 15 8 a;"                         \
    "v 70 10 > 11 op=Transpose; v 71 - > 12 op=RandomNormal; v 72 12 > 13 op=Transpose;"           \
    "v 73 13 > 15 op=Relu window=2; v 74 11,15 > 14 op=Add locked"

static hw_code apply(hw_graph **g, const hw_import_options *asked, bool foreign,
                     hw_import_report *report, hw_error *err)
{
    hw_import_options options = *asked;
    hw_operators *table = hw_operators_new();
    assert_non_null(table);
    options.operators = table;
    *g = lines_graph(NET);
    hw_code code = hw_import_apply(g, &options, foreign, report, err);
    hw_operators_free(table);
    return code;
}

static hw_graph *applied(const hw_import_options *asked, bool foreign, hw_import_report *report)
{
    hw_graph *g;
    hw_error err = {0};
    if (apply(&g, asked, foreign, report, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hw_tensor_id(g, 0), 10);
    assert_int_equal(hw_node_id(g, 4), 74);
    return g;
}

static bool is_locked(const hw_graph *g, uint32_t v)
{
    return g->node_flags[v] & HW_NODE_LOCKED;
}

static void the_table_locks_what_came_from_elsewhere(void **state)
{
    (void)state;
    hw_import_report report = {0};
    hw_graph *g = applied(&(hw_import_options){0}, true, &report);
    assert_true(is_locked(g, 1) && is_locked(g, 4) && !is_locked(g, 0) && !is_locked(g, 3));
    assert_int_equal(report.n_notes, 1);
    assert_true(has_note(&report, "RandomNormal are locked: they draw random numbers"));
    assert_int_equal(g->n_edges, 5); /* data, and the lock 71 -> 74 */
    hw_graph_free(g);
    hw_import_report_clear(&report);
    g = applied(&(hw_import_options){0}, false, &report);
    assert_true(!is_locked(g, 1) && is_locked(g, 4));
    assert_int_equal(report.n_notes, 0);
    hw_graph_free(g);
}

static void locks_by_type(void **state)
{
    (void)state;
    const char *types[] = {"transpose", "Relu"};
    hw_graph *g = applied(&(hw_import_options){.locked = types, .n_locked = 2}, false, NULL);
    assert_true(is_locked(g, 0) && !is_locked(g, 1) && is_locked(g, 2) && is_locked(g, 3));
    hw_graph_free(g);
}

static void a_window_takes_the_place_of_others(void **state)
{
    (void)state;
    hw_graph *g = applied(&(hw_import_options){.has_window = true, .window = 1}, false, NULL);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        assert_int_equal(g->node_window[v], 1);
    hw_graph_free(g);
}

static void views_where_they_can_be(void **state)
{
    (void)state;
    const char *types[] = {"Transpose"};
    hw_import_report report = {0};
    hw_graph *g = applied(&(hw_import_options){.views = types, .n_views = 1}, false, &report);
    assert_true(g->node_flags[0] & HW_NODE_VIEW);
    assert_false(g->node_flags[2] & HW_NODE_VIEW);
    assert_int_equal(g->n_storages, g->n_tensors - 1);
    assert_int_equal(report.n_notes, 1);
    assert_true(has_note(&report, "node 72 is no view: it makes another size than it reads"));
    hw_graph_free(g);
    hw_import_report_clear(&report);
}

static void types_that_no_node_has(void **state)
{
    (void)state;
    const struct {
        const char *type, *says;
    } wrong[] = {{"Transpos", "did you mean 'Transpose'"},
                 {"Softmax", "there are Transpose, RandomNormal, Relu, Add"},
                 {"", "no node has the operator type ''"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        for (int view = 0; view < 2; view++) {
            hw_import_options asked = {0};
            *(view ? &asked.n_views : &asked.n_locked) = 1;
            *(view ? &asked.views : &asked.locked) = &wrong[i].type;
            hw_graph *g;
            hw_error err = {0};
            assert_int_equal(apply(&g, &asked, false, NULL, &err), HW_USAGE);
            assert_non_null(strstr(err.message, view ? "--view" : "--lock"));
            if (!strstr(err.message, wrong[i].says))
                fail_msg("%s", err.message);
            hw_graph_free(g);
        }
}

/* The source order puts the later of two locked nodes first: no order can keep both. */
static void locks_that_contradict_the_edges(void **state)
{
    (void)state;
    const char *type = "L";
    hw_graph *g = lines_graph("t 0 1 a; v 7 0 > - op=L; v 8 - > 0 op=L");
    hw_operators *table = hw_operators_new();
    hw_import_options asked = {.locked = &type, .n_locked = 1, .operators = table};
    hw_error err = {0};
    assert_int_equal(hw_import_apply(&g, &asked, false, NULL, &err), HW_BAD_INPUT);
    assert_non_null(strstr(err.message, "cycle"));
    assert_int_equal(g->n_nodes, 2);
    hw_operators_free(table);
    hw_graph_free(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_locks_what_came_from_elsewhere),
        cmocka_unit_test(locks_by_type),
        cmocka_unit_test(a_window_takes_the_place_of_others),
        cmocka_unit_test(views_where_they_can_be),
        cmocka_unit_test(types_that_no_node_has),
        cmocka_unit_test(locks_that_contradict_the_edges),
    };
    return cmocka_run_group_tests_name("import-apply", tests, NULL, NULL) != 0;
}
