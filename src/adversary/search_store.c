/* The folder of a search: opening, adding, the best graph.  See search_store.h. */
#include "adversary/search_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adversary/search_internal.h"
#include "bench/sink.h"
#include "core/json_out.h"
#include "core/memory.h"
#include "core/text_stream.h"
#include "io/folder.h"
#include "io/input.h"

static hw_code fail_errno(hw_error *err, const char *path, const char *what)
{
    return hw_fail(err, HW_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* ---- run.json ---- */

static void put_range(hw_json_out *j, const char *key, uint64_t low, uint64_t high)
{
    hw_json_open(j, key, '[');
    hw_json_put_u64(j, NULL, low);
    hw_json_put_u64(j, NULL, high);
    hw_json_close(j, ']');
}

static const char *spec_of(const hw_solver_row *row, const hw_param_value *values, char *text,
                           size_t size)
{
    (void)hw_params_spec(row->name, row->params, row->n_params, values, text, size);
    return text;
}

static void put_run(FILE *out, const hw_search *s, const char *command, const char *start)
{
    static const char *const kind[] = {"optimum", "against", "hard"};
    char text[HW_SPEC_TEXT];
    const hw_goal *goal = &s->goal;
    const hw_space *space = &s->space;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", "highwater-adversary");
    hw_json_put_u64(&j, "version", 1);
    hw_json_put_string(&j, "program", HW_VERSION);
    hw_json_put_string(&j, "command", command);
    hw_json_put_string(&j, "solver", spec_of(goal->row, goal->values, text, sizeof text));
    hw_json_put_string(&j, "goal", kind[goal->kind]);
    hw_json_put_string(&j, "against",
                       goal->kind == HW_GOAL_AGAINST
                           ? spec_of(goal->other, goal->other_values, text, sizeof text)
                           : NULL);
    hw_json_put_string(&j, "accounting", hw_accounting_name(goal->accounting));
    hw_json_put_string(&j, "outputs", space->discard ? "discarded" : "kept");
    put_range(&j, "nodes", space->least_nodes, space->most_nodes);
    put_range(&j, "edges", space->least_edges, space->most_edges);
    put_range(&j, "sizes", space->low, space->high);
    hw_json_put_u64_or_null(&j, "state_limit", goal->limits.states > 0, goal->limits.states);
    hw_json_put_hex(&j, "seed", s->seed);
    hw_json_put_string(&j, "start", start);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

static hw_code run_text(const hw_search *s, const char *command, char **text, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    size_t size;
    if (s->start) {
        hw_graph *g = NULL;
        hw_code code = hw_genome_graph(s->start, NULL, NULL, &g, err);
        if (code == HW_OK)
            code = hw_graph_hash(g, hash, err);
        hw_graph_free(g);
        if (code != HW_OK)
            return code;
    }
    FILE *out = hw_text_stream(text, &size);
    if (!out)
        return hw_fail_memory(err, "the description of a search");
    put_run(out, s, command, s->start ? hash : NULL);
    if (fclose(out) == 0)
        return HW_OK;
    free(*text);
    *text = NULL;
    return hw_fail_memory(err, "the description of a search");
}

/* The value of "command" in an earlier description, still escaped, in bytes. */
static hw_code refuse_other(const hw_store *store, const char *before, const char *command,
                            hw_error *err)
{
    static const char key[] = "\"command\":\"";
    const char *at = strstr(before, key);
    if (!at)
        return hw_fail(err, HW_BAD_INPUT,
                       "%s: does not describe a search: name another folder, or empty this one",
                       store->run);
    at += strlen(key);
    int length = (int)strcspn(at, "\"");
    bool same = (size_t)length == strlen(command) && strncmp(at, command, (size_t)length) == 0;
    return hw_fail(err, HW_USAGE,
                   same ? "%s: made by another version of the program or from another start graph "
                          "(`%.*s`): name another folder"
                        : "%s: holds the search `%.*s`, and this is another one: name another "
                          "folder",
                   store->run, length, at);
}

static hw_code compare_run(const hw_store *store, const char *text, const char *command,
                           hw_error *err)
{
    hw_input in;
    hw_code code = hw_input_open(&in, store->run, err);
    if (code != HW_OK)
        return code;
    code = hw_input_all(&in, err);
    if (code == HW_OK) {
        size_t length = in.end - in.start;
        char *before = HW_NEW(char, length + 1);
        if (!before) {
            code = hw_fail_memory(err, "the description of a search");
        } else {
            memcpy(before, in.buffer + in.start, length);
            before[length] = '\0';
            if (strcmp(before, text) != 0)
                code = refuse_other(store, before, command, err);
        }
        free(before);
    }
    hw_input_close(&in);
    return code;
}

/*
 * Whole or not at all, and only where there is none: of two processes that
 * begin in one folder at the same time just one makes it.  *made false: it was
 * the other one.
 */
static hw_code write_run(const hw_store *store, const char *text, bool *made, hw_error *err)
{
    char *draft;
    hw_code code = HW_OK;
    *made = false;
    int file = hw_folder_fresh(store->run, &draft);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out && errno == ENOMEM)
        code = hw_fail_memory(err, "the description of a search");
    if (!out && file >= 0)
        (void)close(file);
    bool written = out && fputs(text, out) >= 0;
    if (out && fclose(out) != 0)
        written = false;
    if (written) {
        *made = link(draft, store->run) == 0;
        if (!*made && errno != EEXIST) /* a file system without links */
            *made = rename(draft, store->run) == 0;
    }
    if (code == HW_OK && !*made && (!written || errno != EEXIST))
        code = fail_errno(err, store->run, "cannot write");
    if (draft)
        (void)unlink(draft);
    free(draft);
    return code;
}

/* ---- Opening. ---- */

static bool is_left_over(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

static hw_code check_empty(const char *folder, hw_error *err)
{
    DIR *open = opendir(folder);
    if (!open)
        return fail_errno(err, folder, "cannot read");
    hw_code code = HW_OK;
    for (;;) {
        const struct dirent *entry = NULL;
        if (code == HW_OK)
            code = hw_folder_next(open, folder, &entry, err);
        if (code != HW_OK || !entry)
            break;
        bool left_over = is_left_over(entry->d_name);
        bool other = strcmp(entry->d_name, "run.json") == 0; /* of a process that begins now, too */
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && !left_over &&
            !other)
            code = hw_fail(err, HW_USAGE,
                           "%s: holds '%s' and no search: name a folder that is new or empty",
                           folder, entry->d_name);
    }
    (void)closedir(open);
    return code;
}

/* Files that a process which was killed had not put in place; but for drafts of
 * run.json, which may be of one that begins now. */
static void remove_left_overs(const char *folder)
{
    DIR *open = opendir(folder);
    if (!open)
        return;
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
        if (is_left_over(entry->d_name) && strncmp(entry->d_name, "run.json", 8) != 0)
            (void)unlinkat(dirfd(open), entry->d_name, 0);
    (void)closedir(open);
}

/* The lock is on run.json, which nobody opens and closes after this: closing
 * any descriptor of a file lets go of a process's locks on it. */
static hw_code open_lines(hw_store *store, hw_error *err)
{
    store->lock = open(store->run, O_RDWR | O_CLOEXEC);
    if (store->lock < 0)
        return fail_errno(err, store->run, "cannot open");
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(store->lock, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
        return hw_fail(err, HW_USAGE, "%s: another process is at work in this folder",
                       store->folder);
    remove_left_overs(store->folder);
    return hw_folder_append(store->lines, &store->file, err);
}

static hw_code open_folder(hw_store *store, const hw_search *s, const char *command, bool resume,
                           hw_error *err)
{
    char *text = NULL;
    bool made = false;
    hw_code code = hw_folder_make(store->folder, err);
    if (code == HW_OK)
        code = run_text(s, command, &text, err);
    if (code == HW_OK && access(store->run, F_OK) != 0) {
        code = check_empty(store->folder, err);
        if (code == HW_OK)
            code = write_run(store, text, &made, err);
    }
    if (code == HW_OK && !made)
        code = resume ? compare_run(store, text, command, err)
                      : hw_fail(err, HW_USAGE,
                                "%s: holds a search: --resume goes on with it, or name another "
                                "folder",
                                store->folder);
    free(text);
    return code == HW_OK ? open_lines(store, err) : code;
}

hw_code hw_store_open(hw_store *store, const char *folder, const hw_search *s, const char *command,
                      bool resume, hw_error *err)
{
    *store = (hw_store){.folder = hw_copy(folder, strlen(folder) + 1, 1),
                        .run = hw_folder_path(folder, "run.json"),
                        .lines = hw_folder_path(folder, "found.jsonl"),
                        .best = hw_folder_path(folder, "best.json"),
                        .file = -1,
                        .lock = -1};
    hw_code code = store->folder && store->run && store->lines && store->best
                       ? open_folder(store, s, command, resume, err)
                       : hw_fail_memory(err, "file names");
    if (code != HW_OK)
        (void)hw_store_close(store, NULL);
    return code;
}

hw_code hw_store_close(hw_store *store, hw_error *err)
{
    hw_code code = HW_OK;
    if (store->file >= 0 && close(store->file) != 0)
        code = fail_errno(err, store->lines, "cannot write");
    if (store->lock >= 0)
        (void)close(store->lock);
    free(store->folder);
    free(store->run);
    free(store->lines);
    free(store->best);
    *store = (hw_store){.file = -1, .lock = -1};
    return code;
}

/* ---- Adding. ---- */

char *hw_store_graph_path(const hw_store *store, uint64_t lane)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%06" PRIu64 ".json", lane);
    return hw_folder_path(store->folder, name);
}

static hw_code write_graph(const char *path, const hw_graph *graph, hw_error *err)
{
    hw_output o;
    hw_code code = hw_output_open_inside(path, &o, err);
    if (code != HW_OK)
        return code;
    code = hw_graph_write(graph, HW_FORMAT_JSON, o.stream, err);
    if (code != HW_OK) {
        hw_error_prefix(err, "%s: ", path);
        hw_output_abandon(&o);
        return code;
    }
    return hw_output_commit(&o, err);
}

static hw_code add_line(hw_store *store, const hw_lane_record *record, const char *hash,
                        hw_error *err)
{
    char *line = NULL;
    size_t length;
    FILE *out = hw_text_stream(&line, &length);
    if (!out)
        return hw_fail_memory(err, "a line of results");
    hw_lane_record_write(record, hash, out);
    hw_code code = HW_OK;
    hw_sink sink = {.file = store->file, .name = store->lines, .owned = true};
    if (fclose(out) != 0)
        code = hw_fail_memory(err, "a line of results");
    if (code == HW_OK)
        code = hw_sink_write(&sink, line, length, err);
    free(line);
    return code;
}

hw_code hw_store_add(hw_store *store, const hw_lane_record *record, const hw_graph *graph,
                     hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = graph ? hw_graph_hash(graph, hash, err) : HW_OK;
    if (code == HW_OK && graph && record->best) {
        char *path = hw_store_graph_path(store, record->plan.number);
        code = path ? write_graph(path, graph, err) : hw_fail_memory(err, "a file name");
        free(path);
    }
    return code == HW_OK ? add_line(store, record, graph ? hash : NULL, err) : code;
}

hw_code hw_store_best(hw_store *store, const hw_graph *graph, hw_error *err)
{
    return write_graph(store->best, graph, err);
}

hw_code hw_store_load_best(hw_store *store, hw_graph **graph, hw_error *err)
{
    *graph = NULL;
    return access(store->best, F_OK) == 0 ? hw_graph_load(store->best, graph, err) : HW_OK;
}
