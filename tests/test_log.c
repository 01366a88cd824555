/* The lifetime log: its arrays, its table and its JSON. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "model/log.h"
#include "tests/support_draft.h"
#include "tests/support_lines.h"

/*
 * An input read twice, a view, a dead output, an in-place pair, a kept output
 * and a constant.  Tensor ids begin at 10, node ids at 70.
 */
#define RUN                                                                                        \
    "t 10 100 i; t 11 100 a; t 12 40 a; t 13 7 a; t 14 30 o; t 15 64 c; t 16 9 i;"                 \
    "v 70 10 > 11 view name=look; v 71 11,15 > 12,13 workspace=5 name=make;"                       \
    "v 72 10 > - name=read; v 73 12 > 14 inplace=12:14 name=end"

static hw_log *log_of(const hw_model *m, const uint32_t *order, bool with_resident)
{
    hw_log *log = NULL;
    hw_error err = {0};
    if (hw_log_new(m, order, with_resident, &log, &err) != HW_OK)
        fail_msg("%s", err.message);
    return log;
}

static const uint32_t in_turn[] = {0, 1, 2, 3};

static void the_log_of_a_run(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(RUN);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = log_of(m, in_turn, false);
    const uint64_t usage[] = {100, 152, 140, 40}, live[] = {100, 140, 40, 30};
    assert_memory_equal(log->usage, usage, sizeof usage);
    assert_memory_equal(log->live, live, sizeof live);
    assert_int_equal(log->live_empty, 100);
    assert_int_equal(log->peak, 152);
    assert_int_equal(log->peak_step, 1);
    assert_int_equal(log->resident_bytes, 64);
    const hw_lifetime lives[] = {{0, -1, 2, 100}, {2, 1, 3, 40}, {3, 1, 1, 7}, {4, 3, 4, 30}};
    assert_int_equal(log->n_lives, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(log->life[i].tensor, lives[i].tensor);
        assert_int_equal(log->life[i].birth, lives[i].birth);
        assert_int_equal(log->life[i].death, lives[i].death);
        assert_int_equal(log->life[i].size, lives[i].size);
    }
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

static char *printed(const hw_log *log, bool with_live_set)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(hw_log_print(log, with_live_set, out, NULL), HW_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void the_table(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(RUN);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = log_of(m, in_turn, false);
    char *text = printed(log, true);
    assert_string_equal(
        text, "  step  node  name  usage  live  born   died\n"
              "     -     -                100  10     -  live: 10\n"
              "     0    70  look    100   100  -      -  live: 10\n"
              ">    1    71  make    152   140  12,13  13  live: 10 12\n"
              "     2    72  read    140    40  -      10  live: 12\n"
              "     3    73  end      40    30  14     12  live: 14\n"
              "peak 152 bytes, first at step 1 (node 71); alloc-first; resident 64 bytes, not "
              "included\n");
    free(text);
    hw_log_free(log);
    log = log_of(m, in_turn, true);
    text = printed(log, false);
    assert_non_null(strstr(text, ">    1    71  make    216   204  12,13  13\n"));
    assert_non_null(strstr(text, "resident 64 bytes, included"));
    free(text);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

static void a_peak_before_the_run(void **state)
{
    (void)state;
    hw_graph *g = lines_graph("t 0 50 i; t 1 50 i; t 2 3 o; v 0 0 > 2; v 1 1 > -");
    hw_model *m = lines_model(g, HW_FREE_FIRST, false);
    hw_log *log = log_of(m, (const uint32_t[]){0, 1}, false);
    char *text = printed(log, false);
    assert_non_null(strstr(text, "\n>    -     -                100  0,1   -\n"
                                 "     0     0           53    53  2     0\n"));
    assert_non_null(strstr(text, "peak 100 bytes, before step 0; free-first"));
    free(text);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Control characters, long names and bytes beyond ASCII keep the columns. */
static void any_name_is_printed(void **state)
{
    (void)state;
#define TEN_UMLAUTS "%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4%c3%a4"
    hw_graph *g = lines_graph("t 0 5 o; t 1 5 o; t 2 0 o; v 0 - > 0 name=%1b[31m%0a%c3%a9; "
                              "v 1 - > 1 name=a_name_that_is_much_longer_than_the_column_for_it; "
                              "v 2 - > 2 name=" TEN_UMLAUTS TEN_UMLAUTS TEN_UMLAUTS);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, true);
    hw_log *log = log_of(m, in_turn, false);
    char *text = printed(log, false), cut[80] = "  ";
    for (int i = 0; i < 28; i++) /* characters, not bytes */
        memcpy(cut + strlen(cut), "\xc3\xa4", 3);
    memcpy(cut + strlen(cut), "     10 ", 9);
    assert_non_null(strstr(text, cut));
    assert_non_null(strstr(text, "  ?[31m?\xc3\xa9                           5 "));
    assert_non_null(strstr(text, "  a_name_that_is_much_longer_t     10 "));
    assert_non_null(strstr(text, "alloc-first, inputs pinned"));
    free(text);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

/* Bytes that no character begins with, as a program may name nodes, end with the column's room. */
static void a_name_without_characters(void **state)
{
    (void)state;
    enum { MOST = 4 * 28 }; /* what 28 characters may take */
    char name[2 * MOST + 1] = "", cut[MOST + 4] = "  ";
    memset(name, 0xbf, 2 * MOST);
    memset(cut + 2, 0xbf, MOST);
    cut[MOST + 2] = ' ';
    hw_builder *b = hw_builder_new();
    hw_graph *g = NULL;
    assert_non_null(b);
    assert_int_equal(hw_builder_node(b, &(hw_node_spec){.name = name}, NULL), HW_OK);
    assert_int_equal(hw_builder_finish(b, &g, NULL), HW_OK);
    hw_builder_free(b);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = log_of(m, in_turn, false);
    char *text = printed(log, false);
    assert_non_null(strstr(text, cut));
    free(text);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

static json_t *as_json(const hw_log *log, bool with_live_set)
{
    char *text = NULL;
    size_t size = 0;
    json_error_t at;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    assert_int_equal(hw_log_json(log, with_live_set, &j, NULL), HW_OK);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    assert_int_equal(fclose(out), 0);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &at);
    if (!root)
        fail_msg("%s: %s", at.text, text);
    free(text);
    return root;
}

static void expect_ids(const json_t *array, size_t n, const json_int_t *ids)
{
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(json_integer_value(json_array_get(array, i)), ids[i]);
}

static json_int_t integer(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void the_json(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(RUN);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = log_of(m, in_turn, false);
    json_t *root = as_json(log, true);
    assert_int_equal(integer(root, "peak"), 152);
    assert_int_equal(integer(root, "peak_step"), 1);
    assert_int_equal(integer(root, "resident"), 64);
    assert_int_equal(integer(root, "live_before"), 100);
    assert_string_equal(json_string_value(json_object_get(root, "accounting")), "alloc-first");
    expect_ids(json_object_get(root, "initial"), 1, (const json_int_t[]){10});
    const json_t *steps = json_object_get(root, "steps");
    assert_int_equal(json_array_size(steps), 4);
    const json_t *step = json_array_get(steps, 1);
    assert_int_equal(integer(step, "step"), 1);
    assert_int_equal(integer(step, "node"), 71);
    assert_int_equal(integer(step, "usage"), 152);
    assert_int_equal(integer(step, "live"), 140);
    expect_ids(json_object_get(step, "born"), 2, (const json_int_t[]){12, 13});
    expect_ids(json_object_get(step, "died"), 1, (const json_int_t[]){13});
    expect_ids(json_object_get(step, "live_set"), 2, (const json_int_t[]){10, 12});
    json_decref(root);
    root = as_json(log, false);
    assert_null(json_object_get(json_array_get(json_object_get(root, "steps"), 1), "live_set"));
    json_decref(root);
    hw_log_free(log);
    hw_model_free(m);
    hw_graph_free(g);
}

static void an_illegal_order_is_refused(void **state)
{
    (void)state;
    hw_graph *g = lines_graph(RUN);
    hw_model *m = lines_model(g, HW_ALLOC_FIRST, false);
    hw_log *log = NULL;
    hw_error err = {0};
    assert_int_equal(hw_log_new(m, (const uint32_t[]){1, 0, 2, 3}, false, &log, &err),
                     HW_CHECK_FAILED);
    assert_null(log);
    assert_non_null(strstr(err.message, "node 71 runs at step 0 before node 70"));
    hw_model_free(m);
    hw_graph_free(g);
}

/* Live sets summed from the JSON are the live bytes that stand beside them. */
static void live_sets_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        hw_graph *g = draft_graph(seed, seed % 13, DRAW_RICH & ~(unsigned)DRAW_REQUIRED);
        assert_non_null(g);
        hw_model *m = lines_model(g, (hw_accounting)(seed & 1), seed & 2);
        uint32_t order[16];
        uint64_t draws = seed;
        assert_true(draft_order(m, &draws, order));
        hw_log *log = log_of(m, order, false);
        json_t *root = as_json(log, true), *step;
        size_t i, k;
        json_array_foreach(json_object_get(root, "steps"), i, step)
        {
            json_int_t sum = 0;
            json_t *id;
            json_array_foreach(json_object_get(step, "live_set"), k, id)
            {
                for (uint32_t t = 0; t < g->n_tensors; t++)
                    if (hw_tensor_id(g, t) == (uint32_t)json_integer_value(id))
                        sum += (json_int_t)g->tensor_size[t];
            }
            assert_int_equal(sum, integer(step, "live"));
        }
        json_decref(root);
        hw_log_free(log);
        hw_model_free(m);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_log_of_a_run),
        cmocka_unit_test(the_table),
        cmocka_unit_test(a_peak_before_the_run),
        cmocka_unit_test(any_name_is_printed),
        cmocka_unit_test(a_name_without_characters),
        cmocka_unit_test(the_json),
        cmocka_unit_test(an_illegal_order_is_refused),
        cmocka_unit_test(live_sets_add_up),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL) != 0;
}
