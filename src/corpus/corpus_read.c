/* Reading entries back, and computing them anew.  See corpus.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "corpus/corpus_internal.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/io.h"
#include "io/json_parse.h"
#include "model/check.h"
#include "solve/called.h"

/* ---- entry.json. ---- */

typedef struct told {
    char *bytes; /* of the whole file */
    size_t n_bytes;
    char *solver, *found;
    hw_accounting accounting;
} told;

static void free_told(told *t)
{
    free(t->bytes);
    free(t->solver);
    free(t->found);
}

static hw_code read_text(const json_t *root, const char *path, const char *key, char **out,
                         hw_error *err)
{
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value))
        return hw_fail(err, HW_BAD_INPUT, "%s: %s is %s: it should be a string", path, key,
                       value ? hw_json_type(value) : "missing");
    *out = hw_copy(json_string_value(value), strlen(json_string_value(value)) + 1, 1);
    return *out ? HW_OK : hw_fail_memory(err, "an entry of the corpus");
}

static hw_code read_accounting(const json_t *root, const char *path, hw_accounting *accounting,
                               hw_error *err)
{
    char *text = NULL;
    hw_code code = read_text(root, path, "accounting", &text, err);
    if (!text)
        return code;
    *accounting = HW_ALLOC_FIRST;
    if (strcmp(text, hw_accounting_name(HW_FREE_FIRST)) == 0)
        *accounting = HW_FREE_FIRST;
    else if (strcmp(text, hw_accounting_name(HW_ALLOC_FIRST)) != 0)
        code = hw_fail(err, HW_BAD_INPUT, "%s: accounting is neither alloc-first nor free-first",
                       path);
    free(text);
    return code;
}

static hw_code read_told(const char *path, told *t, hw_error *err)
{
    hw_input in;
    json_t *root = NULL;
    memset(t, 0, sizeof *t);
    hw_code code = hw_input_open(&in, path, err);
    if (code != HW_OK)
        return code;
    code = hw_input_all(&in, err);
    if (code == HW_OK) {
        t->n_bytes = in.end - in.start;
        t->bytes = hw_copy(in.buffer + in.start, t->n_bytes, 1);
        code = t->bytes ? hw_json_parse(&in, &root, err) : hw_fail_memory(err, "a file");
    }
    if (code == HW_OK)
        code = hw_json_check_version(root, path, HW_ENTRY_FORMAT, err);
    if (code == HW_OK)
        code = read_text(root, path, "solver", &t->solver, err);
    if (code == HW_OK)
        code = read_text(root, path, "found", &t->found, err);
    if (code == HW_OK)
        code = read_accounting(root, path, &t->accounting, err);
    json_decref(root);
    hw_input_close(&in);
    return code;
}

/* ---- Against what comes out now. ---- */

static hw_code load_order(const hw_entry *e, const char *path, uint32_t **order, hw_error *err)
{
    *order = HW_NEW(uint32_t, e->graph->n_nodes);
    if (!*order)
        return hw_fail_memory(err, "an order");
    return hw_order_load(path, e->graph, *order, err);
}

static hw_code check_peak(const hw_entry *e, const char *path, const uint32_t *order, uint64_t peak,
                          hw_error *err)
{
    hw_check check;
    hw_code code = hw_check_order(e->graph, e->goal.accounting == HW_FREE_FIRST, false, order,
                                  e->graph->n_nodes, &check, err);
    if (code != HW_OK)
        return code;
    if (check.verdict != HW_ORDER_LEGAL) {
        char why[512];
        hw_check_message(e->graph, &check, why, sizeof why);
        return hw_fail(err, HW_CHECK_FAILED, "%s: the order is illegal: %s", path, why);
    }
    if (check.peak != peak)
        return hw_fail(err, HW_CHECK_FAILED, "%s: the order's peak is %" PRIu64 ", not %" PRIu64,
                       path, check.peak, peak);
    return HW_OK;
}

enum { SHOWN_BYTES = 48 };

static hw_code compare_description(const hw_entry *e, const told *t, hw_error *err)
{
    char *now = NULL;
    size_t size = 0;
    FILE *text = hw_text_stream(&now, &size);
    if (!text)
        return hw_fail_memory(err, "an entry of the corpus");
    hw_code code = hw_entry_describe(e, text, err);
    if (fclose(text) != 0 && code == HW_OK)
        code = hw_fail_memory(err, "an entry of the corpus");
    if (code == HW_OK && (size != t->n_bytes || memcmp(now, t->bytes, size) != 0)) {
        size_t at = 0;
        while (at < size && at < t->n_bytes && now[at] == t->bytes[at])
            at++;
        size_t from = at > SHOWN_BYTES / 2 ? at - SHOWN_BYTES / 2 : 0;
        size_t shown = strcspn(now + from, "\n");
        shown = shown < SHOWN_BYTES ? shown : SHOWN_BYTES;
        code = hw_fail(err, HW_CHECK_FAILED,
                       "entry.json, byte %zu: what comes out now is ...%.*s...: was the file or "
                       "the solver changed?",
                       at, (int)shown, now + from);
    }
    free(now);
    return code;
}

static hw_code verify_orders(hw_entry *e, const char *corpus, const char *name, hw_error *err)
{
    char *order_path = hw_entry_path(corpus, name, "order.json");
    char *optimum_path = hw_entry_path(corpus, name, "optimum.json");
    uint32_t *told_order = NULL;
    char given[HW_FOREIGN_NAME];
    hw_code code = order_path && optimum_path ? HW_OK : hw_fail_memory(err, "a file name");
    if (code == HW_OK)
        code = load_order(e, order_path, &told_order, err);
    if (code == HW_OK)
        code = load_order(e, optimum_path, &e->optimum, err);
    if (code == HW_OK) /* what the search for the wrong turn takes on trust */
        code = hw_goal_rate(&e->goal, e->graph, &e->rating, err);
    if (code == HW_OK && e->rating.counts)
        code = check_peak(e, "optimum.json", e->optimum, e->rating.reference, err);
    if (code == HW_OK)
        code = hw_entry_compute(e, err);
    if (code == HW_OK)
        code = check_peak(e, "order.json", told_order, e->rating.peak, err);
    if (code == HW_OK && memcmp(told_order, e->order, e->graph->n_nodes * sizeof *told_order) != 0)
        code = hw_fail(err, HW_CHECK_FAILED, "order.json: %s gives another order now",
                       hw_entry_solver(e, given));
    free(told_order);
    free(order_path);
    free(optimum_path);
    return code;
}

static hw_code may_run(const hw_entry *e, const char *program, hw_error *err)
{
    const char *command = hw_foreign_command(e->goal.row, e->goal.values);
    if (!command ||
        (program && (strcmp(program, HW_ANY_PROGRAM) == 0 || strcmp(program, e->solver) == 0)))
        return HW_OK;
    return hw_fail(err, HW_USAGE,
                   "the entry names a program, %s: look at it, and give --run-programs", command);
}

hw_code hw_entry_verify(const char *corpus, const char *name, const char *program,
                        const volatile sig_atomic_t *stop, hw_entry *out, hw_error *err)
{
    told t = {0};
    hw_graph *graph = NULL;
    char *path = hw_entry_path(corpus, name, "entry.json");
    char *graph_path = hw_entry_path(corpus, name, "graph.json");
    memset(out, 0, sizeof *out);
    hw_code code = path && graph_path ? HW_OK : hw_fail_memory(err, "a file name");
    if (code == HW_OK)
        code = read_told(path, &t, err);
    if (code == HW_OK)
        code = hw_graph_load(graph_path, &graph, err);
    if (code == HW_OK) {
        code = hw_entry_start(out, graph, t.solver, t.found, err);
        out->goal.accounting = t.accounting;
        out->goal.stop = stop;
        if (code == HW_OK)
            code = may_run(out, program, err);
        if (code == HW_OK)
            code = verify_orders(out, corpus, name, err);
        if (code == HW_OK && strcmp(out->name, name) != 0)
            code = hw_fail(err, HW_CHECK_FAILED, "the folder should be named %s", out->name);
        if (code == HW_OK &&
            (strcmp(graph->name, name) != 0 || strcmp(graph->source, out->found) != 0))
            code = hw_fail(err, HW_CHECK_FAILED,
                           "graph.json has another name or source than entry.json tells");
        if (code == HW_OK)
            code = compare_description(out, &t, err);
        if (code != HW_OK && code != HW_IO && code != HW_BAD_INPUT && code != HW_STOPPED)
            hw_error_prefix(err, "%s/%s: ", corpus, name);
    }
    free_told(&t);
    free(path);
    free(graph_path);
    return code;
}

/* ---- The folder. ---- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

hw_code hw_corpus_list(const char *corpus, char ***names, size_t *n, hw_error *err)
{
    char **list = NULL;
    size_t count = 0, room = 0;
    hw_code code = HW_OK;
    *names = NULL;
    *n = 0;
    DIR *folder = opendir(corpus);
    if (!folder)
        return hw_fail(err, HW_IO, "%s: cannot read the folder: %s%s", corpus, strerror(errno),
                       errno == ENOTDIR || errno == ENOENT ? ": name the folder of a corpus" : "");
    for (;;) {
        const struct dirent *item = NULL;
        if (code == HW_OK)
            code = hw_folder_next(folder, corpus, &item, err);
        if (code != HW_OK || !item)
            break;
        if (item->d_name[0] == '.' || strchr(item->d_name, '.'))
            continue; /* tables and pictures beside the entries */
        if (!hw_grow((void **)&list, &room, count + 1, sizeof *list) ||
            !(list[count] = hw_copy(item->d_name, strlen(item->d_name) + 1, 1)))
            code = hw_fail_memory(err, "names of the corpus");
        else
            count++;
    }
    (void)closedir(folder);
    if (code != HW_OK) {
        free_names(list, count);
        return code;
    }
    if (count)
        qsort(list, count, sizeof *list, by_bytes);
    *names = list;
    *n = count;
    return HW_OK;
}
