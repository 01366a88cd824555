/*
 * Workflows there and back: each graph of a workflow in $HW_SHARED/graphs is
 * written as WfCommons JSON, as schema 1.5 and as 1.4 have it, and must come
 * back as itself: same hash, same names and types.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support_import.h"
#include "tests/support_io.h"

static json_t *file_object(const hw_graph *g, uint32_t t, const char *key, const char *link)
{
    json_t *file = json_pack("{s:s, s:I}", key, hw_tensor_name(g, t), "sizeInBytes",
                             (json_int_t)g->tensor_size[t]);
    if (link)
        json_object_set_new(file, "link", json_string(link));
    return file;
}

static void add_files(const hw_graph *g, const hw_rows *rows, uint32_t v, bool of_old,
                      const char *link, json_t *list)
{
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++)
        json_array_append_new(list, of_old ? file_object(g, rows->item[i], "name", link)
                                           : json_string(hw_tensor_name(g, rows->item[i])));
}

static json_t *relatives(const hw_graph *g, const hw_rows *rows, uint32_t v)
{
    json_t *list = json_array();
    for (uint32_t i = rows->offset[v]; i < rows->offset[v + 1]; i++)
        json_array_append_new(list, json_string(hw_node_name(g, rows->item[i])));
    return list;
}

static json_t *task_object(const hw_graph *g, uint32_t v, bool of_old)
{
    char id[32];
    (void)snprintf(id, sizeof id, "ID%07u", v + 1);
    json_t *task = json_pack("{s:s, s:s, s:o, s:o}", "id", of_old ? id : hw_node_name(g, v), "name",
                             of_old ? hw_node_name(g, v) : hw_node_op(g, v), "parents",
                             relatives(g, &g->preds, v), "children", relatives(g, &g->succs, v));
    json_t *in = json_array(), *out = of_old ? in : json_array();
    add_files(g, &g->inputs, v, of_old, "input", in);
    add_files(g, &g->outputs, v, of_old, "output", out);
    if (of_old) {
        json_object_set_new(task, "files", in);
        json_object_set_new(task, "category", json_string(hw_node_op(g, v)));
    } else {
        json_object_set_new(task, "inputFiles", in);
        json_object_set_new(task, "outputFiles", out);
    }
    return task;
}

static char *workflow_text(const hw_graph *g, bool of_old)
{
    json_t *tasks = json_array(), *body = json_pack("{s:o}", "tasks", tasks);
    for (uint32_t v = 0; v < g->n_nodes; v++)
        json_array_append_new(tasks, task_object(g, v, of_old));
    if (!of_old) {
        json_t *files = json_array();
        for (uint32_t t = 0; t < g->n_tensors; t++)
            json_array_append_new(files, file_object(g, t, "id", NULL));
        json_object_set_new(body, "files", files);
        body = json_pack("{s:o}", "specification", body);
    }
    json_t *root = json_pack("{s:s, s:s, s:o}", "name", g->name, "schemaVersion",
                             of_old ? "1.4" : "1.5", "workflow", body);
    char *text = json_dumps(root, JSON_INDENT(1));
    json_decref(root);
    assert_non_null(text);
    return text;
}

static void same(const hw_graph *a, const hw_graph *b)
{
    char one[HW_HASH_TEXT], other[HW_HASH_TEXT];
    assert_int_equal(hw_graph_hash(a, one, NULL), HW_OK);
    assert_int_equal(hw_graph_hash(b, other, NULL), HW_OK);
    assert_string_equal(one, other);
    assert_string_equal(a->name, b->name);
    for (uint32_t v = 0; v < a->n_nodes; v++) {
        assert_string_equal(hw_node_name(a, v), hw_node_name(b, v));
        assert_string_equal(hw_node_op(a, v), hw_node_op(b, v));
    }
    for (uint32_t t = 0; t < a->n_tensors; t++)
        assert_string_equal(hw_tensor_name(a, t), hw_tensor_name(b, t));
}

static void there_and_back(void **state)
{
    (void)state;
    const char *shared = getenv("HW_SHARED");
    if (!shared)
        skip();
    char *folder = path_in(shared, "graphs"), **paths = folder_files(folder, ".json");
    size_t n = 0;
    for (size_t i = 0; paths && paths[i]; i++) {
        if (!strstr(paths[i], "/wf-"))
            continue;
        hw_graph *g;
        assert_int_equal(hw_graph_load(paths[i], &g, NULL), HW_OK);
        for (int of_old = 0; of_old < 2; of_old++) {
            char *text = workflow_text(g, of_old);
            hw_graph *back = import_text("wfcommons", text);
            same(g, back);
            hw_graph_free(back);
            free(text);
        }
        hw_graph_free(g);
        n++;
    }
    assert_true(n > 0);
    free_paths(paths);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests_name("import-workflow", tests, NULL, NULL) != 0;
}
