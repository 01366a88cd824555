/* Results as an SQLite file.  See index.h. */
#include "merge/index.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"

#define SCHEMA "1"

/*
 * Strict tables: a column that may hold 2^63 and more is ANY, for one of
 * another type would make a real number of its text.
 */
static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000;"
    "BEGIN;"
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
    "CREATE TABLE instances (instance INTEGER PRIMARY KEY, section TEXT NOT NULL,"
    " family TEXT NOT NULL, params TEXT NOT NULL, idx INTEGER NOT NULL, graph TEXT,"
    " nodes INTEGER, edges INTEGER, tensors INTEGER, sizes TEXT, features TEXT) STRICT;"
    "CREATE TABLE runs (run INTEGER PRIMARY KEY,"
    " instance INTEGER NOT NULL REFERENCES instances, key TEXT, accounting TEXT NOT NULL,"
    " pinned INTEGER NOT NULL, solver TEXT NOT NULL, exact INTEGER NOT NULL,"
    " status TEXT NOT NULL, peak ANY, checked_peak ANY, bound ANY, optimum ANY, optimum_by TEXT,"
    " gap_percent REAL, best_bound ANY, gap_bound_percent REAL, states ANY, orders ANY,"
    " limit_reached INTEGER NOT NULL, state_limit ANY, time_limit REAL, memory_limit ANY,"
    " wall_seconds REAL, cpu_seconds REAL, repeats ANY, peak_memory_bytes ANY,"
    " version TEXT NOT NULL, compiler TEXT NOT NULL, conflict INTEGER NOT NULL, message TEXT)"
    " STRICT;"
    "CREATE VIEW results AS SELECT * FROM runs JOIN instances USING (instance);";

static const char insert_instance[] =
    "INSERT INTO instances VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_run[] =
    "INSERT INTO runs VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
    " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char insert_meta[] = "INSERT INTO meta VALUES (?, ?)";

static const char indices[] =
    "CREATE INDEX runs_by_instance ON runs (instance, accounting);"
    "CREATE INDEX runs_by_solver ON runs (solver, accounting, gap_percent);"
    "CREATE INDEX runs_by_key ON runs (key);"
    "CREATE INDEX instances_by_family ON instances (family, nodes);"
    "CREATE INDEX instances_by_graph ON instances (graph);"
    "COMMIT;";

struct hw_index {
    const hw_suite *suite;
    const char *name;
    sqlite3 *db;
    sqlite3_stmt *instance, *run, *meta;
    int64_t n_instances;
    uint64_t n_runs, n_large;
    size_t unit; /* the last one whose instance was written */
};

static hw_code fail(const hw_index *x, hw_error *err)
{
    int cause = x->db ? sqlite3_errcode(x->db) : SQLITE_NOMEM;
    if (cause == SQLITE_NOMEM)
        return hw_fail_memory(err, "an SQLite index");
    return hw_fail(err, HW_IO, "%s: cannot write: %s", x->name, sqlite3_errmsg(x->db));
}

static hw_code execute(hw_index *x, const char *sql, hw_error *err)
{
    return sqlite3_exec(x->db, sql, NULL, NULL, NULL) == SQLITE_OK ? HW_OK : fail(x, err);
}

static hw_code prepare(hw_index *x, const char *sql, sqlite3_stmt **out, hw_error *err)
{
    return sqlite3_prepare_v2(x->db, sql, -1, out, NULL) == SQLITE_OK ? HW_OK : fail(x, err);
}

hw_code hw_index_open(const char *path, const char *name, const hw_suite *suite, hw_index **out,
                      hw_error *err)
{
    *out = NULL;
    hw_index *x = HW_NEW0(hw_index, 1);
    if (!x)
        return hw_fail_memory(err, "an SQLite index");
    x->suite = suite;
    x->name = name;
    hw_code code = HW_OK;
    if (sqlite3_open_v2(path, &x->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        code = fail(x, err);
    if (code == HW_OK)
        code = execute(x, schema, err);
    if (code == HW_OK)
        code = prepare(x, insert_instance, &x->instance, err);
    if (code == HW_OK)
        code = prepare(x, insert_run, &x->run, err);
    if (code == HW_OK)
        code = prepare(x, insert_meta, &x->meta, err);
    if (code != HW_OK) {
        hw_index_close(x);
        return code;
    }
    *out = x;
    return HW_OK;
}

void hw_index_close(hw_index *x)
{
    if (!x)
        return;
    (void)sqlite3_finalize(x->instance);
    (void)sqlite3_finalize(x->run);
    (void)sqlite3_finalize(x->meta);
    (void)sqlite3_close(x->db);
    free(x);
}

uint64_t hw_index_large(const hw_index *x)
{
    return x->n_large;
}

/* ---- Values, one after another; errors show when the row is written. ---- */

typedef struct row {
    hw_index *index;
    sqlite3_stmt *statement;
    int column;
    int failed; /* the first error of SQLite, else SQLITE_OK; a value that is lost is NULL */
} row;

static void note(row *r, int code)
{
    if (r->failed == SQLITE_OK)
        r->failed = code;
}

static void put_text(row *r, const char *text)
{
    note(r,
         sqlite3_bind_text(r->statement, ++r->column, text, -1, SQLITE_TRANSIENT)); /* NULL: null */
}

static void put_number(row *r, hw_maybe_u64 number)
{
    char digits[24];
    if (!number.known) {
        note(r, sqlite3_bind_null(r->statement, ++r->column));
    } else if (number.value <= INT64_MAX) {
        note(r, sqlite3_bind_int64(r->statement, ++r->column, (sqlite3_int64)number.value));
    } else {
        (void)snprintf(digits, sizeof digits, "%020" PRIu64, number.value);
        put_text(r, digits);
        r->index->n_large++;
    }
}

static void put_u64(row *r, bool known, uint64_t value)
{
    put_number(r, (hw_maybe_u64){known, value});
}

static void put_real(row *r, bool known, double value)
{
    if (known && isfinite(value))
        note(r, sqlite3_bind_double(r->statement, ++r->column, value));
    else
        note(r, sqlite3_bind_null(r->statement, ++r->column));
}

/* As a line has it: in per cent, to a thousandth. */
static void put_gap(row *r, hw_maybe_u64 peak, hw_maybe_u64 reference)
{
    bool known = peak.known && reference.known;
    put_real(r, known, known ? round(hw_gap_percent(peak.value, reference.value) * 1e3) / 1e3 : 0);
}

static hw_code write_row(const row *r, hw_error *err)
{
    bool done = r->failed == SQLITE_OK && sqlite3_step(r->statement) == SQLITE_DONE;
    hw_code code = done ? HW_OK : fail(r->index, err);
    if (r->failed == SQLITE_NOMEM)
        code = hw_fail_memory(err, "a row of the database");
    (void)sqlite3_reset(r->statement);
    return code;
}

static hw_code write_instance(hw_index *x, size_t unit, const hw_merged_unit *u, hw_error *err)
{
    /* A line without a graph, where others have one, knows no sizes. */
    const hw_record *like = &u->run[0].record;
    for (size_t i = 0; i < u->n && !like->graph; i++)
        like = &u->run[i].record;
    bool made = like->graph != NULL;
    row r = {.index = x, .statement = x->instance};
    x->n_instances++;
    x->unit = unit;
    put_u64(&r, true, (uint64_t)x->n_instances);
    put_text(&r, like->section);
    put_text(&r, like->family);
    put_text(&r, like->params);
    put_u64(&r, true, like->index);
    put_text(&r, like->graph);
    put_u64(&r, made, like->n_nodes);
    put_u64(&r, made, like->n_edges);
    put_u64(&r, made, like->n_tensors);
    put_text(&r, like->sizes);
    put_text(&r, like->features);
    return write_row(&r, err);
}

static hw_code write_run(hw_index *x, const hw_record *v, hw_error *err)
{
    row r = {.index = x, .statement = x->run};
    const hw_maybe_u64 none = {false, 0};
    put_u64(&r, true, (uint64_t)x->n_instances);
    put_text(&r, v->key);
    put_text(&r, v->accounting);
    put_u64(&r, true, v->pinned);
    put_text(&r, v->solver);
    put_u64(&r, true, v->exact);
    put_text(&r, v->status);
    put_number(&r, v->peak);
    put_number(&r, v->checked_peak);
    put_number(&r, v->bound);
    put_number(&r, v->optimum);
    put_text(&r, v->optimum_by);
    put_gap(&r, v->checked_peak, v->optimum);
    put_number(&r, v->best_bound);
    put_gap(&r, v->checked_peak, v->optimum.known ? none : v->best_bound);
    put_number(&r, v->states);
    put_number(&r, v->orders);
    put_u64(&r, true, v->limit_reached);
    put_u64(&r, v->state_limit > 0, v->state_limit);
    put_real(&r, v->time_limit > 0, v->time_limit);
    put_u64(&r, v->memory_limit > 0, v->memory_limit);
    put_real(&r, v->wall_seconds >= 0, v->wall_seconds);
    put_real(&r, v->cpu_seconds >= 0, v->cpu_seconds);
    put_number(&r, v->repeats);
    put_number(&r, v->peak_memory_bytes);
    put_text(&r, v->version);
    put_text(&r, v->compiler);
    put_u64(&r, true, v->conflict);
    put_text(&r, v->message);
    x->n_runs++;
    return write_row(&r, err);
}

hw_code hw_index_unit(hw_index *x, const hw_merged_unit *unit, hw_error *err)
{
    const hw_suite_unit *units = x->suite->units;
    if (unit->n == 0)
        return HW_OK;
    bool same = x->n_instances > 0 && units[x->unit].source == units[unit->unit].source &&
                units[x->unit].index == units[unit->unit].index;
    hw_code code = same ? HW_OK : write_instance(x, unit->unit, unit, err);
    for (size_t i = 0; code == HW_OK && i < unit->n; i++)
        code = write_run(x, &unit->run[i].record, err);
    return code;
}

static hw_code write_meta(hw_index *x, const char *name, const char *value, hw_error *err)
{
    row r = {.index = x, .statement = x->meta};
    put_text(&r, name);
    put_text(&r, value);
    return write_row(&r, err);
}

static hw_code write_meta_number(hw_index *x, const char *name, uint64_t value, hw_error *err)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    return write_meta(x, name, text, err);
}

hw_code hw_index_finish(hw_index *x, const hw_merge *merge, hw_error *err)
{
    const char *version = hw_merge_version(merge);
    hw_code code = write_meta(x, "format", "highwater-results", err);
    if (code == HW_OK)
        code = write_meta(x, "schema", SCHEMA, err);
    if (code == HW_OK)
        code = write_meta(x, "suite", x->suite->name, err);
    if (code == HW_OK)
        code = write_meta_number(x, "seed", x->suite->seed, err);
    if (code == HW_OK)
        code = write_meta(x, "version", version ? version : "", err);
    if (code == HW_OK)
        code = write_meta_number(x, "runs_of_the_suite", x->suite->n_runs, err);
    if (code == HW_OK)
        code = write_meta_number(x, "runs", x->n_runs, err);
    if (code == HW_OK)
        code = write_meta_number(x, "numbers_as_text", x->n_large, err);
    return code == HW_OK ? execute(x, indices, err) : code;
}
