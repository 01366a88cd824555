/* Writing and reading a line of results.  See record.h. */
#include "bench/record.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/flat_json.h"
#include "bench/seal.h"
#include "core/json_out.h"
#include "core/text_stream.h"
#include "solve/solver.h"

enum { MOST_FIELDS = 64 };

double hw_gap_percent(uint64_t peak, uint64_t optimum)
{
    if (peak == optimum)
        return 0;
    if (optimum == 0)
        return INFINITY;
    return ((double)peak - (double)optimum) * 100 / (double)optimum;
}

/* ---- Which run it is. ---- */

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_times(double a, double b)
{
    return (a > b) - (a < b);
}

int hw_record_compare_keys(const hw_record *a, const hw_record *b)
{
    int d = compare_text(a->suite, b->suite);
    d = d ? d : compare_text(a->section, b->section);
    d = d ? d : compare_text(a->family, b->family);
    d = d ? d : compare_text(a->params, b->params);
    d = d ? d : compare_numbers(a->index, b->index);
    d = d ? d : compare_numbers(a->seed, b->seed);
    d = d ? d : compare_text(a->accounting, b->accounting);
    d = d ? d : a->pinned - b->pinned;
    d = d ? d : compare_text(a->solver, b->solver);
    d = d ? d : compare_numbers(a->state_limit, b->state_limit);
    d = d ? d : compare_numbers(a->memory_limit, b->memory_limit);
    return d ? d : compare_times(a->time_limit, b->time_limit);
}

/* ---- Writing. ---- */

static void put_maybe(hw_json_out *j, const char *key, hw_maybe_u64 value)
{
    hw_json_put_u64_or_null(j, key, value.known, value.value);
}

/*
 * value, a whole number, times 10^-places, without zeros at its end: what
 * hw_json_put_real() writes, but for exponents, in a fraction of its time.
 */
static void put_decimal(hw_json_out *j, const char *key, double value, unsigned places)
{
    enum { ROOM = 24, BASE = 10 };
    const double most = 1e15; /* whole numbers below are exact */
    char text[ROOM + 1];
    size_t at = ROOM, end = ROOM;
    if (!(value >= 0 && value < most)) {
        hw_json_put_real(j, key, value / pow(BASE, places));
        return;
    }
    uint64_t rest = (uint64_t)value;
    for (unsigned n = 0; n < places || rest > 0 || n == places; n++) {
        if (n == places && end != at)
            text[--at] = '.';
        char digit = (char)('0' + rest % BASE);
        rest /= BASE;
        if (n < places && digit == '0' && end == at)
            continue; /* a zero at the end of the fraction */
        text[--at] = digit;
    }
    text[end] = '\0';
    hw_json_put_digits(j, key, text + at);
}

static void put_seconds(hw_json_out *j, const char *key, double seconds)
{
    if (seconds < 0)
        hw_json_put_null(j, key);
    else
        put_decimal(j, key, round(seconds * 1e9), 9);
}

static void put_limit(hw_json_out *j, const char *key, uint64_t limit)
{
    hw_json_put_u64_or_null(j, key, limit > 0, limit);
}

/* How far a peak is from a lower reference, to a thousandth of a per cent. */
static void put_gap(hw_json_out *j, const char *key, hw_maybe_u64 peak, hw_maybe_u64 reference)
{
    if (peak.known && reference.known)
        put_decimal(j, key, round(hw_gap_percent(peak.value, reference.value) * 1e3), 3);
    else
        hw_json_put_null(j, key);
}

static void put_instance(hw_json_out *j, const hw_record *r)
{
    bool made = r->graph != NULL;
    hw_json_put_string(j, "key", r->key);
    hw_json_put_string(j, "suite", r->suite);
    hw_json_put_string(j, "section", r->section);
    hw_json_put_string(j, "family", r->family);
    hw_json_put_string(j, "params", r->params);
    hw_json_put_u64(j, "index", r->index);
    hw_json_put_hex(j, "seed", r->seed);
    hw_json_put_string(j, "graph", r->graph);
    hw_json_put_u64_or_null(j, "nodes", made, r->n_nodes);
    hw_json_put_u64_or_null(j, "edges", made, r->n_edges);
    hw_json_put_u64_or_null(j, "tensors", made, r->n_tensors);
    hw_json_put_string(j, "sizes", r->sizes);
    hw_json_put_string(j, "features", r->features);
    hw_json_put_string(j, "accounting", r->accounting);
    hw_json_put_bool(j, "pinned", r->pinned);
}

static void put_answer(hw_json_out *j, const hw_record *r)
{
    hw_maybe_u64 none = {false, 0};
    hw_json_put_string(j, "solver", r->solver);
    if (r->command) {
        hw_json_put_string(j, "command", r->command);
        hw_json_put_string(j, "command_digest", r->command_digest);
    }
    hw_json_put_bool(j, "exact", r->exact);
    hw_json_put_string(j, "status", r->status);
    put_maybe(j, "peak", r->peak);
    put_maybe(j, "checked_peak", r->checked_peak);
    put_maybe(j, "bound", r->bound);
    put_maybe(j, "optimum", r->optimum);
    hw_json_put_string(j, "optimum_by", r->optimum_by);
    put_gap(j, "gap_percent", r->checked_peak, r->optimum);
    put_maybe(j, "best_bound", r->best_bound);
    put_gap(j, "gap_bound_percent", r->checked_peak, r->optimum.known ? none : r->best_bound);
    put_maybe(j, "states", r->states);
    put_maybe(j, "orders", r->orders);
    hw_json_put_bool(j, "limit_reached", r->limit_reached);
    put_limit(j, "state_limit", r->state_limit);
    if (r->time_limit > 0)
        hw_json_put_real(j, "time_limit", r->time_limit);
    else
        hw_json_put_null(j, "time_limit");
    put_limit(j, "memory_limit", r->memory_limit);
    put_seconds(j, "wall_seconds", r->wall_seconds);
    put_seconds(j, "cpu_seconds", r->cpu_seconds);
    put_maybe(j, "repeats", r->repeats);
    put_maybe(j, "peak_memory_bytes", r->peak_memory_bytes);
}

static void put_line(const hw_record *record, FILE *out)
{
    hw_json_out j = hw_json_on(out);
    hw_json_open(&j, NULL, '{');
    put_instance(&j, record);
    put_answer(&j, record);
    hw_json_put_string(&j, "seal", HW_SEAL_BLANK);
    hw_json_put_string(&j, "version", record->version);
    hw_json_put_string(&j, "compiler", record->compiler);
    hw_json_put_bool(&j, "conflict", record->conflict);
    hw_json_put_string(&j, "message", record->message);
    hw_json_close(&j, '}');
    hw_json_line(&j);
}

hw_code hw_record_format(const hw_record *record, char **line, size_t *length, hw_error *err)
{
    *line = NULL;
    FILE *out = hw_text_stream(line, length);
    if (!out)
        return hw_fail_memory(err, "a line of results");
    put_line(record, out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(*line);
        *line = NULL;
        return hw_fail_memory(err, "a line of results");
    }
    hw_seal_set(*line, *length - 1);
    return HW_OK;
}

hw_code hw_record_put(const hw_record *record, FILE *out, hw_error *err)
{
    char *line;
    size_t length;
    hw_code code = hw_record_format(record, &line, &length, err);
    if (code == HW_OK)
        (void)fwrite(line, 1, length, out);
    free(line);
    return code;
}

/* ---- Reading. ---- */

typedef struct fields {
    hw_flat_field field[MOST_FIELDS];
    size_t n, next; /* keys mostly come in the order in which they are asked for */
    bool failed;
    hw_error *err;
} fields;

static const char *const type_names[] = {"null", "true or false", "a number", "a string"};

static void complain(fields *f, const char *key, const char *what)
{
    if (!f->failed)
        (void)hw_fail(f->err, HW_BAD_INPUT, "key \"%s\" %s", key, what);
    f->failed = true;
}

enum { MAY_BE_NULL = 1, MAY_BE_MISSING = 3 };

/* The field of a key; NULL when it is null, missing where it may be, or after a complaint. */
static const hw_flat_field *find(fields *f, const char *key, hw_flat_type type, unsigned may)
{
    for (size_t tried = 0; tried < f->n; tried++) {
        const hw_flat_field *field = &f->field[(f->next + tried) % f->n];
        if (strcmp(field->key, key) != 0)
            continue;
        f->next += tried + 1;
        if (field->type == type)
            return field;
        if (field->type != HW_FLAT_NULL || !(may & MAY_BE_NULL)) {
            char text[80];
            (void)snprintf(text, sizeof text, "is %s, where %s should stand",
                           type_names[field->type], type_names[type]);
            complain(f, key, text);
        }
        return NULL;
    }
    if (may != MAY_BE_MISSING)
        complain(f, key, "is missing");
    return NULL;
}

static bool has(const fields *f, const char *key)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->field[i].key, key) == 0)
            return true;
    return false;
}

static const char *get_text(fields *f, const char *key, unsigned may)
{
    const hw_flat_field *field = find(f, key, HW_FLAT_STRING, may);
    return field ? field->text : NULL;
}

static bool get_bool(fields *f, const char *key)
{
    const hw_flat_field *field = find(f, key, HW_FLAT_BOOL, 0);
    return field && field->truth;
}

static hw_maybe_u64 get_maybe(fields *f, const char *key, unsigned may)
{
    const hw_flat_field *field = find(f, key, HW_FLAT_NUMBER, may);
    if (!field)
        return (hw_maybe_u64){false, 0};
    size_t digits = strspn(field->text, "0123456789");
    errno = 0;
    unsigned long long value = strtoull(field->text, NULL, 10);
    if (digits == 0 || field->text[digits] != '\0' || errno == ERANGE)
        complain(f, key, "is no whole number from 0 to 2^64-1");
    return hw_known(value);
}

static double get_number(fields *f, const char *key, double least, double otherwise)
{
    const hw_flat_field *field = find(f, key, HW_FLAT_NUMBER, MAY_BE_NULL);
    if (!field)
        return otherwise;
    char *end, text[48];
    double value = strtod(field->text, &end);
    if (end == field->text || *end != '\0' || !isfinite(value) || value < least) {
        (void)snprintf(text, sizeof text, "is no number of at least %g", least);
        complain(f, key, text);
        return otherwise;
    }
    return value;
}

static double get_real(fields *f, const char *key, double otherwise)
{
    return get_number(f, key, 0, otherwise);
}

/* Below 0 where a peak contradicts a proof: such lines are there to be read, too. */
static double get_gap(fields *f, const char *key)
{
    return get_number(f, key, -100, (double)NAN);
}

/* A status that there is (highwater-results(5)). */
static const char *get_status(fields *f)
{
    static const char *const without_answer[] = {"refused",       "crashed", "timeout",
                                                 "out-of-memory", "wrong",   "error"};
    const char *text = get_text(f, "status", 0);
    if (!text)
        return NULL;
    for (unsigned s = HW_UNKNOWN; s <= HW_STALLED; s++)
        if (strcmp(text, hw_status_name((hw_status)s)) == 0)
            return text;
    for (size_t i = 0; i < sizeof without_answer / sizeof without_answer[0]; i++)
        if (strcmp(text, without_answer[i]) == 0)
            return text;
    complain(f, "status", "is none that a run has");
    return text;
}

static uint64_t get_seed(fields *f)
{
    const char *text = get_text(f, "seed", 0);
    if (!text)
        return 0;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 16);
    if (strncmp(text, "0x", 2) != 0 || end == text + 2 || *end != '\0' || errno == ERANGE)
        complain(f, "seed", "is no string of the form \"0x1f\"");
    return value;
}

bool hw_message_names(const char *message, const char *solver)
{
    size_t n = strlen(solver);
    return strncmp(message, solver, n) == 0 && message[n] == ':';
}

hw_code hw_record_parse(char *line, size_t length, hw_record *r, hw_error *err)
{
    fields f = {.n = 0, .err = err};
    hw_seal seal = hw_seal_check(line, length);
    hw_code code = hw_flat_parse(line, length, f.field, MOST_FIELDS, &f.n, err);
    if (code != HW_OK)
        return code;
    if (seal == HW_SEAL_BROKEN || (seal == HW_SEAL_NONE && has(&f, "seal")))
        return hw_fail(err, HW_BAD_INPUT,
                       "its seal does not fit: the line was changed after it was written (where "
                       "that was meant, take the key \"seal\" out of it)");
    *r = (hw_record){
        .key = get_text(&f, "key", MAY_BE_MISSING),
        .suite = get_text(&f, "suite", 0),
        .section = get_text(&f, "section", 0),
        .family = get_text(&f, "family", 0),
        .params = get_text(&f, "params", 0),
        .index = get_maybe(&f, "index", 0).value,
        .seed = get_seed(&f),
        .graph = get_text(&f, "graph", MAY_BE_NULL),
        .n_nodes = get_maybe(&f, "nodes", MAY_BE_NULL).value,
        .n_edges = get_maybe(&f, "edges", MAY_BE_NULL).value,
        .n_tensors = get_maybe(&f, "tensors", MAY_BE_NULL).value,
        .sizes = get_text(&f, "sizes", MAY_BE_MISSING),
        .features = get_text(&f, "features", MAY_BE_MISSING),
        .accounting = get_text(&f, "accounting", 0),
        .pinned = get_bool(&f, "pinned"),
        .solver = get_text(&f, "solver", 0),
        .command = get_text(&f, "command", MAY_BE_MISSING),
        .command_digest = get_text(&f, "command_digest", MAY_BE_MISSING),
        .exact = get_bool(&f, "exact"),
        .status = get_status(&f),
        .peak = get_maybe(&f, "peak", MAY_BE_NULL),
        .checked_peak = get_maybe(&f, "checked_peak", MAY_BE_NULL),
        .bound = get_maybe(&f, "bound", MAY_BE_NULL),
        .optimum = get_maybe(&f, "optimum", MAY_BE_NULL),
        .optimum_by = get_text(&f, "optimum_by", MAY_BE_NULL),
        .gap_percent = get_gap(&f, "gap_percent"),
        .best_bound = get_maybe(&f, "best_bound", MAY_BE_NULL),
        .gap_bound_percent = get_gap(&f, "gap_bound_percent"),
        .states = get_maybe(&f, "states", MAY_BE_NULL),
        .orders = get_maybe(&f, "orders", MAY_BE_NULL),
        .limit_reached = get_bool(&f, "limit_reached"),
        .state_limit = get_maybe(&f, "state_limit", MAY_BE_NULL).value,
        .time_limit = get_real(&f, "time_limit", 0),
        .memory_limit = get_maybe(&f, "memory_limit", MAY_BE_NULL).value,
        .wall_seconds = get_real(&f, "wall_seconds", -1),
        .cpu_seconds = get_real(&f, "cpu_seconds", -1),
        .repeats = get_maybe(&f, "repeats", MAY_BE_MISSING),
        .peak_memory_bytes = get_maybe(&f, "peak_memory_bytes", MAY_BE_NULL),
        .version = get_text(&f, "version", 0),
        .compiler = get_text(&f, "compiler", 0),
        .conflict = get_bool(&f, "conflict"),
        .message = get_text(&f, "message", MAY_BE_NULL),
    };
    return f.failed ? HW_BAD_INPUT : HW_OK;
}
