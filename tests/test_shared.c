/*
 * Real graphs: each loads, and the peaks of its source order under both
 * accountings, as it stands and without views and in-place pairs ("plain"),
 * are those of the table beside it.  One set is the project's own; a larger
 * one is looked for in the folder $HW_SHARED/graphs.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/sim.h"
#include "tests/support_io.h"

/* Peak of the source order by the fast simulator, which the checker confirms. */
static uint64_t source_peak(const hw_graph *g, hw_accounting accounting, uint64_t *resident)
{
    hw_model *m = NULL;
    hw_check check;
    uint64_t peak = 0;
    uint32_t *order = malloc(sizeof *order * (g->n_nodes + (size_t)1));
    for (uint32_t v = 0; v < g->n_nodes; v++)
        order[v] = v;
    assert_int_equal(hw_model_new(g, accounting, false, &m, NULL), HW_OK);
    assert_int_equal(hw_peak(m, order, &peak, NULL), HW_OK);
    *resident = m->resident_bytes;
    assert_int_equal(
        hw_check_order(g, accounting == HW_FREE_FIRST, false, order, g->n_nodes, &check, NULL),
        HW_OK);
    assert_int_equal(check.verdict, HW_ORDER_LEGAL);
    assert_true(check.peak == peak);
    assert_true(check.resident_bytes == *resident);
    hw_model_free(m);
    free(order);
    return peak;
}

/* One row: name nodes tensors resident as-is-alloc as-is-free plain-alloc plain-free. */
static void check_row(const char *folder, const char *row)
{
    char name[128], file[160];
    uint64_t wanted[7], found[7];
    int fields = sscanf(
        row,
        "%127s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
        name, &wanted[0], &wanted[1], &wanted[2], &wanted[3], &wanted[4], &wanted[5], &wanted[6]);
    assert_int_equal(fields, 8);
    (void)snprintf(file, sizeof file, "%s.json", name);
    char *path = path_in(folder, file);
    hw_graph *g = NULL, *plain = NULL;
    hw_error err = {0};
    if (hw_graph_load(path, &g, &err) != HW_OK || hw_graph_strip(g, true, true, &plain, &err))
        fail_msg("%s", err.message);
    found[0] = g->n_nodes;
    found[1] = g->n_tensors;
    found[3] = source_peak(g, HW_ALLOC_FIRST, &found[2]);
    found[4] = source_peak(g, HW_FREE_FIRST, &found[2]);
    found[5] = source_peak(plain, HW_ALLOC_FIRST, &found[2]);
    found[6] = source_peak(plain, HW_FREE_FIRST, &found[2]);
    (void)source_peak(g, HW_ALLOC_FIRST, &found[2]); /* resident of the graph as it stands */
    for (size_t i = 0; i < 7; i++)
        if (found[i] != wanted[i])
            fail_msg("%s, column %zu: %" PRIu64 " instead of %" PRIu64, name, i + 2, found[i],
                     wanted[i]);
    hw_graph_free(plain);
    hw_graph_free(g);
    free(path);
}

static size_t check_folder(const char *folder)
{
    char *path = path_in(folder, "peaks.tsv");
    size_t n_bytes = 0, n_rows = 0, n_files = 0;
    char *table = file_bytes(path, &n_bytes);
    free(path);
    assert_non_null(table);
    char *row = strchr(table, '\n'); /* past the head */
    while (row && row[1]) {
        char *end = strchr(row + 1, '\n');
        if (end)
            *end = '\0';
        check_row(folder, row + 1);
        n_rows++;
        row = end;
    }
    free(table);
    char **paths = folder_files(folder, ".json");
    while (paths[n_files])
        n_files++;
    free_paths(paths);
    assert_int_equal(n_rows, n_files); /* no graph without a row */
    return n_rows;
}

static void test_own_graphs(void **state)
{
    (void)state;
    assert_true(check_folder("tests/graphs") >= 20);
}

static void test_shared_graphs(void **state)
{
    (void)state;
    const char *shared = getenv("HW_SHARED");
    if (!shared || !*shared) {
        print_message("skipped: HW_SHARED names no folder with more graphs\n");
        skip();
    }
    char *folder = path_in(shared, "graphs");
    assert_true(check_folder(folder) >= 50);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_graphs),
        cmocka_unit_test(test_shared_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
