/*
 * Graphs of other formats: each file of tests/cases/import gives the graph that
 * is written beside it as lines; formats are told from each other and from
 * those of highwater; peaks are those that the formats' own programs count.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support_import.h"
#include "tests/support_io.h"
#include "tests/support_lines.h"

#define FOLDER "tests/cases/import"

static const struct {
    const char *file, *format, *note;
} cases[] = {
    {"dagmem.txt", "dagmem", NULL},
    {"adamem.txt", "adamem", NULL},
    {"daggen.dot", "digraph", "counts in operations"},
    {"sizes.dot", "digraph", "1 edge without bytes"},
    {"edges.txt", "edges", NULL},
    {"producers.txt", "edges", NULL},
    {"workflow-1.5.json", "wfcommons", "2 relations of tasks without a file"},
    {"workflow-1.4.json", "wfcommons", "1 mention of a file with another size"},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static char *case_path(const char *file, const char *ending)
{
    char name[200];
    (void)snprintf(name, sizeof name, "%.*s%s",
                   ending ? (int)(strrchr(file, '.') - file) : (int)strlen(file), file,
                   ending ? ending : "");
    return path_in(FOLDER, name);
}

static hw_graph *load(const char *path, const hw_import_options *options, hw_import_report *report)
{
    hw_graph *g = NULL;
    hw_error err = {0};
    if (hw_import_load(path, options, report, &g, &err) != HW_OK)
        fail_msg("%s", err.message);
    return g;
}

static void files_give_the_graphs_beside_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        char *path = case_path(cases[i].file, NULL), *expected = case_path(cases[i].file, ".hwl");
        hw_import_report report = {0};
        hw_graph *g = load(path, NULL, &report);
        size_t n, m;
        char *got = graph_bytes(g, HW_FORMAT_LINE, &n), *wanted = file_bytes(expected, &m);
        assert_non_null(got);
        assert_non_null(wanted);
        assert_string_equal(got, wanted);
        assert_string_equal(report.format, importer_named(cases[i].format)->title);
        assert_int_equal(report.nodes, g->n_nodes);
        assert_true(cases[i].note ? has_note(&report, cases[i].note) : report.n_notes == 0);
        free(got);
        free(wanted);
        hw_import_report_clear(&report);
        hw_graph_free(g);
        free(path);
        free(expected);
    }
}

/* Each file is told by its own row, also when only its first lines are seen. */
static void formats_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        char *path = case_path(cases[i].file, NULL);
        size_t n;
        char *bytes = file_bytes(path, &n);
        assert_ptr_equal(importer_of(bytes, n, true), importer_named(cases[i].format));
        if (strcmp(cases[i].format, "wfcommons") != 0)
            assert_ptr_equal(importer_of(bytes, 2 * n / 3, false), importer_named(cases[i].format));
        free(bytes);
        free(path);
    }
}

static void graphs_of_highwater_are_nobodys(void **state)
{
    (void)state;
    char **paths = folder_files("tests/cases", ".json");
    assert_non_null(paths);
    for (size_t i = 0; paths[i]; i++) {
        size_t n;
        char *bytes = file_bytes(paths[i], &n);
        const hw_importer *who = importer_of(bytes, n, true);
        if (who)
            fail_msg("%s is told as %s", paths[i], who->name);
        hw_graph *g = NULL;
        if (hw_graph_parse(bytes, n, "test", &g, NULL) == HW_OK)
            for (hw_format f = HW_FORMAT_JSON; f <= HW_FORMAT_GRAPHML; f++) {
                size_t m;
                char *written = graph_bytes(g, f, &m);
                assert_non_null(written);
                assert_null(importer_of(written, m, true));
                free(written);
            }
        hw_graph_free(g);
        free(bytes);
    }
    free_paths(paths);
}

/* What belongs elsewhere is refused with a word on where. */
static void what_is_no_graph_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *format, *text, *says;
    } refused[] = {
        {"minimalloc", "id,lower,upper,size\n0,1,2,3\n", "highwater arena"},
        {"minimalloc", "Size,id,upper,lower\r\n", "highwater arena"},
        {"tfjs", "{\"format\": \"graph-model\", \"modelTopology\": {}}", "ONNX"},
        {"tfjs", "{\"weightsManifest\": [], \"modelTopology\": {}}", "ONNX"},
        {"tflite", "\x1c\0\0\0TFL3\0\0", "ONNX"},
        {"packed", "\x1f\x8b\x08", "unpack"},
        {"packed", "PK\x03\x04xyz", "PyTorch"},
        {"onnx-text", "ir_version: 8\ngraph {\n}\n", "protoc --encode"},
        {"daggen", "// DAG\n// ./daggen -n 3\n\nNODE_COUNT 5\nNODE 0 1 ROOT 0.0 0.0\n", "--dot"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        size_t n = i == 4 ? 10 : strlen(refused[i].text);
        const hw_importer *row = importer_of(refused[i].text, n, true);
        assert_ptr_equal(row, importer_named(refused[i].format));
        assert_true(row->refused);
        hw_graph *g;
        hw_error err = {0};
        assert_int_equal(import_bytes(row, refused[i].text, n, NULL, NULL, &g, &err), HW_BAD_INPUT);
        assert_null(g);
        assert_non_null(strstr(err.message, refused[i].says));
    }
}

/* The two tables of dagmem's README: two orders of one graph. */
static void dagmem_counts_as_its_readme(void **state)
{
    (void)state;
    char *path = case_path("dagmem.txt", NULL);
    hw_graph *g = load(path, NULL, NULL);
    const uint32_t first[] = {0, 1, 2, 3, 4, 5}, second[] = {0, 1, 3, 2, 4, 5};
    assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, first), 220);
    assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, second), 300);
    hw_graph_free(g);
    free(path);
}

/*
 * AdaMem's count of an order, written down anew from its definition: a node
 * takes the sum of its edges, then each of its predecessors of which it was the
 * last successor gives its own back.
 */
enum { ADAMEM_N = 6, ADAMEM_M = 7 };
static const uint64_t adamem_edges[ADAMEM_M][3] = {{0, 1, 100}, {0, 2, 1},  {1, 3, 38}, {2, 3, 106},
                                                   {2, 4, 1},   {3, 5, 25}, {4, 5, 34}};

static uint64_t adamem_cost(const uint32_t *order)
{
    uint64_t now = 0, most = 0, bytes[ADAMEM_N] = {0}, left[ADAMEM_N] = {0};
    for (size_t e = 0; e < ADAMEM_M; e++) {
        bytes[adamem_edges[e][0]] += adamem_edges[e][2];
        left[adamem_edges[e][0]]++;
    }
    for (size_t i = 0; i < ADAMEM_N; i++) {
        now += bytes[order[i]];
        most = now > most ? now : most;
        for (size_t e = 0; e < ADAMEM_M; e++)
            if (adamem_edges[e][1] == order[i] && --left[adamem_edges[e][0]] == 0)
                now -= bytes[adamem_edges[e][0]];
    }
    return most;
}

static void adamem_counts_as_its_program(void **state)
{
    (void)state;
    char *path = case_path("adamem.txt", NULL);
    hw_graph *g = load(path, NULL, NULL);
    const uint32_t orders[][ADAMEM_N] = {
        {0, 1, 2, 3, 4, 5}, {0, 2, 1, 3, 4, 5}, {0, 2, 4, 1, 3, 5}, {0, 1, 2, 4, 3, 5}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        assert_int_equal(agreed_peak(g, HW_ALLOC_FIRST, false, orders[i]), adamem_cost(orders[i]));
    hw_graph_free(g);
    free(path);
}

static void raw_inputs_are_staged_in_on_demand(void **state)
{
    (void)state;
    char *path = case_path("workflow-1.5.json", NULL);
    hw_import_report report = {0};
    hw_graph *g = load(path, &(hw_import_options){.stage_in = true}, &report);
    assert_int_equal(g->n_nodes, 7);
    assert_string_equal(hw_node_op(g, 0), "stage-in");
    assert_string_equal(hw_node_name(g, 1), "stage-in genome.fa");
    assert_string_equal(hw_node_op(g, 2), "split");
    assert_int_equal(g->tensor_kind[0], HW_ACTIVATION);
    assert_int_equal(g->tensor_producer[1], 1);
    assert_true(has_note(&report, "2 raw inputs"));
    hw_import_report_clear(&report);
    hw_graph_free(g);
    free(path);
}

/* Makers of the tensors that a node reads, in order, as a text; "-" for an input. */
static const char *makers(const hw_graph *g, uint32_t v, char text[64])
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = g->inputs.offset[v]; i < g->inputs.offset[v + 1]; i++) {
        uint32_t maker = g->tensor_producer[g->inputs.item[i]];
        used += (size_t)snprintf(text + used, 64 - used, "%s",
                                 maker == HW_NONE ? "-" : hw_node_name(g, maker));
    }
    return text;
}

/*
 * Of a file of several writers a task reads what its parents wrote, else the last before it; with
 * none before it what was there, if it writes it too, else the first.
 */
static void a_file_of_several_writers(void **state)
{
    (void)state;
    static const struct {
        const char *tasks, *read; /* makers of what each task reads */
    } rows[] = {
        {"{\"id\": \"a\", \"outputFiles\": [\"f\"]}, {\"id\": \"b\", \"outputFiles\": [\"f\"]},"
         "{\"id\": \"c\", \"inputFiles\": [\"f\"], \"parents\": [\"a\"]},"
         "{\"id\": \"d\", \"inputFiles\": [\"f\"]},"
         "{\"id\": \"e\", \"inputFiles\": [\"f\"], \"parents\": [\"b\", \"a\", \"c\"]}",
         "||a|b|ab"},
        {"{\"id\": \"a\", \"inputFiles\": [\"f\"], \"outputFiles\": [\"f\"]},"
         "{\"id\": \"b\", \"inputFiles\": [\"f\"], \"outputFiles\": [\"f\"]},"
         "{\"id\": \"c\", \"inputFiles\": [\"f\"]}",
         "-|a|b"},
        {"{\"id\": \"a\", \"inputFiles\": [\"f\"]}, {\"id\": \"b\", \"outputFiles\": [\"f\"]},"
         "{\"id\": \"c\", \"outputFiles\": [\"f\"]}",
         "b||"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2048], *got, one[64];
        size_t size;
        (void)snprintf(text, sizeof text,
                       "{\"workflow\": {\"specification\": {\"files\": [{\"id\": \"f\", "
                       "\"sizeInBytes\": 5}], \"tasks\": [%s]}}}",
                       rows[i].tasks);
        hw_graph *g = import_text("wfcommons", text);
        FILE *out = open_memstream(&got, &size);
        assert_non_null(out);
        for (uint32_t v = 0; v < g->n_nodes; v++)
            (void)fprintf(out, "%s%s", v ? "|" : "", makers(g, v, one));
        assert_int_equal(fclose(out), 0);
        assert_string_equal(got, rows[i].read);
        free(got);
        hw_graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_give_the_graphs_beside_them),
        cmocka_unit_test(formats_are_told_apart),
        cmocka_unit_test(graphs_of_highwater_are_nobodys),
        cmocka_unit_test(what_is_no_graph_is_refused),
        cmocka_unit_test(dagmem_counts_as_its_readme),
        cmocka_unit_test(adamem_counts_as_its_program),
        cmocka_unit_test(raw_inputs_are_staged_in_on_demand),
        cmocka_unit_test(a_file_of_several_writers),
    };
    return cmocka_run_group_tests_name("import", tests, NULL, NULL) != 0;
}
