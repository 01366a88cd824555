/*
 * The corpus: what is written is verified, the worst graph of a name stays, and
 * no byte of an entry can be changed unnoticed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus/corpus.h"
#include "small/genome.h"
#include "model/check.h"
#include "model/sim.h"
#include "support_io.h"
#include "support_solve.h"

/* Three large sources; 3 reads the first, 4 reads the second and 3. */
static hw_graph *ladder(uint64_t big)
{
    hw_genome g;
    hw_graph *graph = NULL;
    hw_genome_start(&g, 5);
    g.size[0] = g.size[1] = g.size[2] = big;
    g.parents[3] = 1;
    g.parents[4] = 2 | 8;
    assert_int_equal(hw_genome_graph(&g, "three", NULL, &graph, NULL), HW_OK);
    return graph;
}

static hw_entry entry(uint64_t big, const char *solver)
{
    hw_entry e;
    hw_error err = {0};
    if (hw_entry_make(ladder(big), solver, HW_ALLOC_FIRST, "by hand, \"quoted\"", NULL, &e, &err) !=
        HW_OK)
        fail_msg("%s", err.message);
    return e;
}

static bool put(const hw_entry *e, const char *corpus)
{
    bool kept;
    hw_error err = {0};
    if (hw_entry_write(e, corpus, &kept, &err) != HW_OK)
        fail_msg("%s", err.message);
    return kept;
}

static void test_round_trip(void **state)
{
    hw_entry e = entry(100, "level"), back;
    hw_error err = {0};
    char **names;
    size_t n;
    assert_string_equal(e.name, "level-n05-alloc-first");
    assert_true(e.rating.peak == 301 && e.rating.reference == 102);
    assert_true(put(&e, *state));
    assert_int_equal(hw_corpus_list(*state, &names, &n, &err), HW_OK);
    assert_int_equal(n, 1);
    assert_string_equal(names[0], e.name);
    if (hw_entry_verify(*state, names[0], NULL, NULL, &back, &err) != HW_OK)
        fail_msg("%s", err.message);
    assert_string_equal(back.found, e.found);
    assert_string_equal(back.solver, "level");
    assert_true(back.kept == e.kept && back.minimal == e.minimal);
    assert_string_equal(back.graph->name, e.name);
    hw_entry_free(&back);
    hw_entry_free(&e);
    free(names[0]);
    free(names);
}

static void test_worst_stays(void **state)
{
    hw_entry mild = entry(3, "level"), bad = entry(1000, "level"), back;
    assert_int_equal(hw_ratio_compare(mild.rating.ratio, bad.rating.ratio), -1);
    assert_true(put(&mild, *state));
    assert_false(put(&mild, *state)); /* as bad: the first stays */
    assert_true(put(&bad, *state));
    assert_false(put(&mild, *state));
    assert_int_equal(hw_entry_verify(*state, bad.name, NULL, NULL, &back, NULL), HW_OK);
    assert_true(back.rating.peak == bad.rating.peak);
    hw_entry_free(&back);
    hw_entry_free(&mild);
    hw_entry_free(&bad);
}

/* Stopped before it is known what stands there: it stays. */
static void test_stop_leaves(void **state)
{
    hw_entry mild = entry(3, "level"), bad = entry(1000, "level"), back;
    hw_error err = {0};
    bool kept;
    volatile sig_atomic_t stop = 1;
    assert_true(put(&bad, *state));
    mild.goal.stop = &stop;
    assert_int_equal(hw_entry_write(&mild, *state, &kept, &err), HW_STOPPED);
    assert_false(kept);
    assert_int_equal(hw_entry_verify(*state, bad.name, NULL, NULL, &back, &err), HW_OK);
    assert_true(back.rating.peak == bad.rating.peak);
    hw_entry_free(&back);
    hw_entry_free(&mild);
    hw_entry_free(&bad);
}

/* Each byte of each file but the proof, changed alone. */
static void test_no_byte_changes(void **state)
{
    static const char *const files[] = {"entry.json", "order.json", "optimum.json", "graph.json"};
    hw_entry e = entry(100, "level"), back;
    hw_error err;
    assert_true(put(&e, *state));
    size_t changed = 0, passed = 0;
    char hash[HW_HASH_TEXT], now[HW_HASH_TEXT];
    assert_int_equal(hw_graph_hash(e.graph, hash, NULL), HW_OK);
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
        char *folder = path_in(*state, e.name), *path = path_in(folder, files[f]);
        size_t size;
        char *bytes = file_bytes(path, &size);
        assert_non_null(bytes);
        for (size_t at = 0; at < size; at++, changed++) {
            char was = bytes[at];
            bytes[at] = (char)(was == '0' ? '1' : '0');
            assert_true(write_text(path, bytes));
            hw_code code = hw_entry_verify(*state, e.name, NULL, NULL, &back, &err);
            bytes[at] = was;
            if (code == HW_OK) { /* types of operators in graph.json, keys it need not have */
                assert_int_equal(hw_graph_hash(back.graph, now, NULL), HW_OK);
                if (strcmp(now, hash) != 0 || f == 0)
                    fail_msg("%s: byte %zu can be changed", files[f], at);
                passed++;
            }
            hw_entry_free(&back);
        }
        assert_true(write_text(path, bytes));
        free(bytes);
        free(path);
        free(folder);
    }
    print_message("%zu bytes changed, %zu of them without an effect\n", changed, passed);
    assert_true(changed > 1000);
    assert_int_equal(hw_entry_verify(*state, e.name, NULL, NULL, &back, &err), HW_OK);
    hw_entry_free(&back);
    hw_entry_free(&e);
}

/* Another order of the same peak is not what the solver gives. */
static void test_other_order(void **state)
{
    hw_entry e = entry(100, "level"), back;
    hw_error err = {0};
    size_t others = 0;
    assert_true(put(&e, *state));
    hw_model *m = test_model(e.graph, HW_ALLOC_FIRST, false);
    char *folder = path_in(*state, e.name), *path = path_in(folder, "order.json");
    for (uint32_t i = 0; i + 1 < e.graph->n_nodes; i++) {
        uint32_t order[5];
        uint64_t peak = 0;
        memcpy(order, e.order, sizeof order);
        order[i] = e.order[i + 1];
        order[i + 1] = e.order[i];
        hw_check check;
        assert_int_equal(hw_check_order(e.graph, false, false, order, 5, &check, &err), HW_OK);
        if (check.verdict != HW_ORDER_LEGAL)
            continue;
        assert_int_equal(hw_peak(m, order, &peak, &err), HW_OK);
        others += peak == e.rating.peak;
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        assert_int_equal(hw_order_write(e.graph, order, out, &err), HW_OK);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(hw_entry_verify(*state, e.name, NULL, NULL, &back, &err), HW_CHECK_FAILED);
        hw_entry_free(&back);
    }
    assert_true(others > 0);
    free(path);
    free(folder);
    hw_model_free(m);
    hw_entry_free(&e);
}

static void test_refused(void **state)
{
    (void)state;
    hw_entry e;
    hw_error err = {0};
    assert_int_equal(hw_entry_make(ladder(9), "exact", HW_ALLOC_FIRST, "x", NULL, &e, &err),
                     HW_CHECK_FAILED);
    assert_non_null(strstr(err.message, "reaches the optimum"));
    hw_entry_free(&e);
    assert_int_equal(hw_entry_make(ladder(9), "liu", HW_ALLOC_FIRST, "x", NULL, &e, &err),
                     HW_CHECK_FAILED);
    hw_entry_free(&e);
    assert_int_equal(hw_entry_make(ladder(9), "nothing", HW_ALLOC_FIRST, "x", NULL, &e, &err),
                     HW_USAGE);
    hw_entry_free(&e);
    assert_int_equal(hw_entry_make(ladder(9), "level", HW_ALLOC_FIRST, "a\nb", NULL, &e, &err),
                     HW_USAGE);
    hw_entry_free(&e);
}

static int begin(void **state)
{
    *state = make_folder();
    return *state ? 0 : -1;
}

static int end(void **state)
{
    char **names = NULL;
    size_t n = 0;
    if (hw_corpus_list(*state, &names, &n, NULL) != HW_OK)
        return -1;
    for (size_t i = 0; i < n; i++) {
        remove_folder(path_in(*state, names[i]));
        free(names[i]);
    }
    free(names);
    remove_folder(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, begin, end),
        cmocka_unit_test_setup_teardown(test_worst_stays, begin, end),
        cmocka_unit_test_setup_teardown(test_stop_leaves, begin, end),
        cmocka_unit_test_setup_teardown(test_no_byte_changes, begin, end),
        cmocka_unit_test_setup_teardown(test_other_order, begin, end),
        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
