/* Making and writing entries of a corpus.  See corpus.h. */
#include "corpus/corpus.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corpus/corpus_internal.h"
#include "adversary/shrink.h"
#include "core/json_out.h"
#include "core/memory.h"
#include "io/folder.h"
#include "io/io.h"
#include "solve/called.h"
#include "solvers/exact_reach.h"

void hw_entry_free(hw_entry *e)
{
    free(e->solver);
    free(e->found);
    free(e->order);
    free(e->optimum);
    hw_graph_free(e->graph);
    memset(e, 0, sizeof *e);
}

char *hw_entry_path(const char *corpus, const char *name, const char *file)
{
    size_t size = strlen(corpus) + strlen(name) + strlen(file) + 3;
    char *path = HW_NEW(char, size);
    if (path)
        (void)snprintf(path, size, "%s/%s%s%s", corpus, name, *file ? "/" : "", file);
    return path;
}

/* ---- What an entry says. ---- */

const char *hw_entry_solver(const hw_entry *e, char given[HW_FOREIGN_NAME])
{
    return hw_foreign_name(e->goal.row, e->goal.values, given) ? given : e->solver;
}

/*
 * "lookahead:k=3,depth=1" on 8 nodes: "lookahead-k3-depth1-n08-alloc-first".  A
 * program of the user's goes by its name, what we have by what the user wrote.
 */
static void name_entry(hw_entry *e)
{
    char solver[HW_ENTRY_NAME / 2], given[HW_FOREIGN_NAME];
    (void)hw_solver_word(hw_entry_solver(e, given), solver, sizeof solver);
    (void)snprintf(e->name, sizeof e->name, "%s-n%02" PRIu32 "-%s", solver, e->graph->n_nodes,
                   hw_accounting_name(e->goal.accounting));
}

/* A run of the solver or of exact, its order into *order. */
static hw_code run(const hw_model *m, const hw_solver_row *row, const hw_param_value *values,
                   const hw_goal *goal, FILE *proof, uint32_t **order, hw_answer *answer,
                   hw_error *err)
{
    char name[HW_FOREIGN_NAME];
    hw_request request = {.params = values, .seed = goal->seed, .stop = goal->stop, .proof = proof};
    hw_code code = hw_solve(m, row, &request, answer, err);
    if (code != HW_OK)
        return code;
    if (!answer->has_order)
        code = hw_fail(err, HW_CHECK_FAILED, "%s has no order of the graph",
                       hw_solver_short(row, values, name));
    if (code == HW_OK && !(*order = hw_copy(answer->order, m->n_nodes, sizeof **order)))
        code = hw_fail_memory(err, "an order");
    hw_answer_clear(answer);
    return code;
}

static hw_code find_turn(const hw_model *m, hw_entry *e, hw_error *err)
{
    static const exact_options options = {.rules = {true, true, true, true, true},
                                          .memory_bytes = UINT64_C(1) << 28};
    hw_request request = {.stop = e->goal.stop};
    hw_meter meter;
    exact_reach reach;
    bool limited;
    hw_meter_start(&meter, &request);
    hw_code code = exact_reach_find(m, e->order, e->optimum, e->rating.reference, &options, &meter,
                                    &reach, &limited, err);
    if (code == HW_OK && (limited || reach.lost != reach.kept + 1))
        code = hw_fail(err, HW_LIMIT, "the wrong turn was not found: the graph is too large");
    e->kept = reach.kept;
    return code;
}

/* Is there nothing left to shrink? */
static hw_code find_minimal(hw_entry *e, hw_error *err)
{
    hw_graph *smaller = NULL;
    hw_shrink_report report;
    hw_shrink_options options = {.least = e->rating.ratio};
    hw_code code = hw_shrink(e->graph, &e->goal, &options, &smaller, &report, err);
    if (code == HW_OK) {
        char one[HW_HASH_TEXT] = "", two[HW_HASH_TEXT] = "";
        code = hw_graph_hash(e->graph, one, err);
        if (code == HW_OK)
            code = hw_graph_hash(smaller, two, err);
        e->minimal = code == HW_OK && report.minimal && strcmp(one, two) == 0;
    }
    hw_graph_free(smaller);
    return code;
}

hw_code hw_entry_compute(hw_entry *e, hw_error *err)
{
    hw_model *m = NULL;
    hw_answer answer;
    char given[HW_FOREIGN_NAME];
    hw_code code = hw_model_new(e->graph, e->goal.accounting, e->goal.pin_inputs, &m, err);
    if (code == HW_OK)
        code = hw_goal_rate_model(&e->goal, m, &e->rating, err);
    if (code == HW_OK && e->goal.stop && *e->goal.stop)
        code = hw_fail(err, HW_STOPPED, "stopped by a signal");
    if (code == HW_OK && !e->rating.counts)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "%s has no order of the graph, or its optimum is not proven",
                       hw_entry_solver(e, given));
    if (code == HW_OK && e->rating.peak == e->rating.reference)
        code = hw_fail(err, HW_CHECK_FAILED,
                       "%s reaches the optimum, %" PRIu64 " bytes: a corpus holds graphs on which "
                       "a rule fails",
                       hw_entry_solver(e, given), e->rating.peak);
    if (code == HW_OK)
        code = run(m, e->goal.row, e->goal.values, &e->goal, NULL, &e->order, &answer, err);
    if (code == HW_OK && !e->optimum) /* of a read entry it is at hand */
        code =
            run(m, e->goal.other, e->goal.other_values, &e->goal, NULL, &e->optimum, &answer, err);
    if (code == HW_OK)
        code = find_turn(m, e, err);
    if (code == HW_OK) {
        hw_feature_orders orders = {
            .order = e->order, .optimum = e->optimum, .wrong_turn = e->kept};
        code = hw_features_of(m, &orders, &e->features, err);
    }
    if (code == HW_OK)
        code = find_minimal(e, err);
    hw_model_free(m);
    if (code == HW_OK)
        name_entry(e);
    return code;
}

hw_code hw_entry_start(hw_entry *e, hw_graph *graph, const char *solver, const char *found,
                       hw_error *err)
{
    memset(e, 0, sizeof *e);
    e->graph = graph;
    if (strpbrk(found, "\n\r"))
        return hw_fail(err, HW_USAGE, "how the graph was found is one line, not several");
    e->solver = hw_copy(solver, strlen(solver) + 1, 1);
    e->found = hw_copy(found, strlen(found) + 1, 1);
    if (!e->solver || !e->found)
        return hw_fail_memory(err, "an entry of the corpus");
    return hw_goal_parse(e->solver, NULL, false, &e->goal, err); /* which points into it */
}

hw_code hw_entry_make(hw_graph *graph, const char *solver, hw_accounting accounting,
                      const char *found, const volatile sig_atomic_t *stop, hw_entry *out,
                      hw_error *err)
{
    hw_code code = hw_entry_start(out, graph, solver, found, err);
    out->goal.accounting = accounting;
    out->goal.stop = stop;
    if (code == HW_OK)
        code = hw_entry_compute(out, err);
    if (code == HW_OK)
        code = hw_graph_rename(graph, out->name, found, err);
    return code;
}

hw_code hw_entry_describe(const hw_entry *e, FILE *out, hw_error *err)
{
    char hash[HW_HASH_TEXT];
    hw_code code = hw_graph_hash(e->graph, hash, err);
    if (code != HW_OK)
        return code;
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    hw_json_put_string(&j, "format", HW_ENTRY_FORMAT);
    hw_json_put_u64(&j, "version", 1);
    hw_json_put_string(&j, "name", e->name);
    hw_json_put_string(&j, "graph", hash);
    hw_json_put_string(&j, "solver", e->solver);
    hw_json_put_string(&j, "accounting", hw_accounting_name(e->goal.accounting));
    hw_json_put_u64(&j, "nodes", e->graph->n_nodes);
    hw_json_put_u64(&j, "edges", e->graph->n_edges);
    hw_json_put_u64(&j, "peak", e->rating.peak);
    hw_json_put_u64(&j, "optimum", e->rating.reference);
    hw_json_put_real(&j, "ratio", hw_ratio_value(e->rating.ratio));
    hw_json_put_u64(&j, "wrong_turn", e->kept);
    hw_json_put_u64(&j, "wrong_node", hw_node_id(e->graph, e->order[e->kept]));
    hw_json_put_bool(&j, "minimal", e->minimal);
    hw_json_open(&j, "features", '{'); /* rounded, so that the last digits of sums do not tell
                                          one compiler from another */
    for (size_t i = 0; i < HW_N_FEATURES; i++)
        hw_json_put_real(&j, hw_feature_rows[i].name, round(e->features.value[i] * 1e6) / 1e6);
    hw_json_close(&j, '}');
    hw_json_put_string(&j, "found", e->found);
    hw_json_close(&j, '}');
    hw_json_line(&j);
    return HW_OK;
}

/* ---- Into the corpus. ---- */

static hw_code write_graph(const hw_entry *e, FILE *out, hw_error *err)
{
    return hw_graph_write(e->graph, HW_FORMAT_JSON, out, err);
}

static hw_code write_order(const hw_entry *e, FILE *out, hw_error *err)
{
    return hw_order_write(e->graph, e->order, out, err);
}

static hw_code write_optimum(const hw_entry *e, FILE *out, hw_error *err)
{
    return hw_order_write(e->graph, e->optimum, out, err);
}

static hw_code write_proof(const hw_entry *e, FILE *out, hw_error *err)
{
    hw_model *m = NULL;
    hw_answer answer;
    hw_request request = {.params = e->goal.other_values, .stop = e->goal.stop, .proof = out};
    hw_code code = hw_model_new(e->graph, e->goal.accounting, e->goal.pin_inputs, &m, err);
    if (code == HW_OK) {
        code = hw_solve(m, e->goal.other, &request, &answer, err);
        if (code == HW_OK && answer.proof != HW_PROOF_COMPLETE)
            code = hw_fail(err, HW_STOPPED, "the proof was not written to its end");
        if (code == HW_OK)
            hw_answer_clear(&answer);
    }
    hw_model_free(m);
    return code;
}

typedef hw_code (*write_part)(const hw_entry *e, FILE *out, hw_error *err);

/* A part of the entry, written beside the file that it will be. */
static hw_code draft(const hw_entry *e, const char *corpus, const char *file, write_part write,
                     hw_output *o, hw_error *err)
{
    char *path = hw_entry_path(corpus, e->name, file);
    if (!path)
        return hw_fail_memory(err, "a file name");
    hw_code code = hw_output_open_inside(path, o, err);
    if (code == HW_OK) {
        code = write(e, o->stream, err);
        if (code != HW_OK)
            hw_error_prefix(err, "%s: ", path);
        errno = 0;
        if (code == HW_OK && (fflush(o->stream) != 0 || ferror(o->stream)))
            code = hw_fail(err, HW_IO, "%s: cannot write: %s", path,
                           errno ? strerror(errno) : "an earlier write failed");
        if (code != HW_OK)
            hw_output_abandon(o);
    }
    free(path);
    return code;
}

enum { PARTS = 5 };

static const struct {
    const char *file;
    write_part write;
} part[PARTS] = {{"graph.json", write_graph},
                 {"order.json", write_order},
                 {"optimum.json", write_optimum},
                 {"proof", write_proof},
                 {"entry.json", hw_entry_describe}};

/* All parts or, as far as that is in this program's hands, none: what stood there stays. */
static hw_code write_parts(const hw_entry *e, const char *corpus, const char *last, hw_error *err)
{
    hw_output o[PARTS];
    size_t drafts = 0, done = 0;
    hw_code code = HW_OK;
    while (code == HW_OK && drafts < PARTS) {
        code = draft(e, corpus, part[drafts].file, part[drafts].write, &o[drafts], err);
        drafts += code == HW_OK;
    }
    if (code == HW_OK && unlink(last) != 0 && errno != ENOENT)
        code = hw_fail(err, HW_IO, "%s: cannot replace it: %s", last, strerror(errno));
    while (code == HW_OK && done < PARTS)
        code = hw_output_commit(&o[done++], err);
    while (done < drafts)
        hw_output_abandon(&o[done++]);
    return code;
}

/* The ratio of the entry that stands there; 0 / 1: none does, or no whole one. */
static hw_code ratio_there(const hw_entry *e, const char *corpus, hw_ratio *ratio, hw_error *err)
{
    hw_entry old;
    hw_error why = {0};
    *ratio = (hw_ratio){0, 1};
    hw_code code = hw_entry_verify(corpus, e->name, e->solver, e->goal.stop, &old, &why);
    if (code == HW_OK)
        *ratio = old.rating.ratio;
    const char *program = NULL;
    if (old.goal.row)
        program = hw_foreign_command(old.goal.row, old.goal.values);
    if (code == HW_STOPPED || code == HW_NO_MEMORY) /* it is not known */
        (void)hw_fail(err, code, "%s", why.message);
    else if (code == HW_USAGE && program) /* nor is it to be run */
        (void)hw_fail(err, code,
                      "%s holds an entry %s whose program is another, %s: remove it, or give yours "
                      "another name",
                      corpus, e->name, program);
    else
        code = HW_OK;
    hw_entry_free(&old);
    return code;
}

/* One writer at a time: two that add an entry of one name would mix its files.  *lock is
 * released by close(). */
static hw_code lock_corpus(const char *corpus, int *lock, hw_error *err)
{
    hw_code code = hw_folder_make(corpus, err);
    if (code != HW_OK)
        return code;
    *lock = open(corpus, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock >= 0 && flock(*lock, LOCK_EX) == 0)
        return HW_OK;
    if (errno == EINTR)
        return hw_fail(err, HW_STOPPED, "stopped by a signal");
    return hw_fail(err, HW_IO, "%s: cannot lock the folder: %s", corpus, strerror(errno));
}

static hw_code write_entry(const hw_entry *e, const char *corpus, hw_error *err)
{
    char *folder = hw_entry_path(corpus, e->name, "");
    char *last = hw_entry_path(corpus, e->name, "entry.json");
    struct stat status;
    hw_code code =
        folder && last ? hw_folder_make(folder, err) : hw_fail_memory(err, "a file name");
    if (code == HW_OK && (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode)))
        code = hw_fail(err, HW_IO, "%s: is no folder of the corpus: remove it", folder);
    if (code == HW_OK) {
        code = write_parts(e, corpus, last, err);
        if (code != HW_OK)
            (void)rmdir(folder); /* where it is new and empty */
    }
    free(folder);
    free(last);
    return code;
}

hw_code hw_entry_write(const hw_entry *e, const char *corpus, bool *kept, hw_error *err)
{
    hw_ratio there;
    int lock = -1;
    *kept = false;
    hw_code code = lock_corpus(corpus, &lock, err);
    if (code == HW_OK)
        code = ratio_there(e, corpus, &there, err);
    if (code == HW_OK && hw_ratio_compare(e->rating.ratio, there) > 0) {
        code = write_entry(e, corpus, err);
        *kept = code == HW_OK;
    }
    if (lock >= 0)
        (void)close(lock);
    return code;
}
