/* Reading traces.  See trace.h. */
#include "bench/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/flat_json.h"
#include "bench/results.h"
#include "core/memory.h"

enum { MOST_FIELDS = 32 };

void hw_trace_free(hw_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->n_texts; i++)
        free(trace->texts[i]);
    free((void *)trace->texts);
    free(trace->lines);
    free(trace);
}

/* The fields of a line as they are asked for; the first complaint stays. */
typedef struct reading {
    hw_flat_field field[MOST_FIELDS];
    size_t n;
    hw_code code;
    hw_error *why;
} reading;

static const hw_flat_field *find(reading *r, const char *key, hw_flat_type type, bool may_be_null)
{
    for (size_t i = 0; i < r->n; i++) {
        const hw_flat_field *f = &r->field[i];
        if (strcmp(f->key, key) != 0)
            continue;
        if (f->type == type)
            return f;
        if (f->type == HW_FLAT_NULL && may_be_null)
            return NULL;
        if (r->code == HW_OK)
            r->code = hw_fail(r->why, HW_BAD_INPUT, "key \"%s\" has a value of another type", key);
        return NULL;
    }
    if (r->code == HW_OK)
        r->code = hw_fail(r->why, HW_BAD_INPUT, "key \"%s\" is missing", key);
    return NULL;
}

static const char *get_text(reading *r, const char *key, bool may_be_null)
{
    const hw_flat_field *f = find(r, key, HW_FLAT_STRING, may_be_null);
    return f ? f->text : NULL;
}

static hw_maybe_u64 get_u64(reading *r, const char *key, bool may_be_null)
{
    const hw_flat_field *f = find(r, key, HW_FLAT_NUMBER, may_be_null);
    if (!f)
        return (hw_maybe_u64){false, 0};
    char *end;
    errno = 0;
    uint64_t value = strtoull(f->text, &end, 10);
    if ((*end || errno || f->text[0] == '-') && r->code == HW_OK)
        r->code = hw_fail(r->why, HW_BAD_INPUT, "key \"%s\" is no number from 0 to 2^64-1", key);
    return hw_known(value);
}

static double get_seconds(reading *r, const char *key)
{
    const hw_flat_field *f = find(r, key, HW_FLAT_NUMBER, false);
    double value = f ? strtod(f->text, NULL) : 0;
    if (!(value >= 0 && isfinite(value)) && r->code == HW_OK)
        r->code = hw_fail(r->why, HW_BAD_INPUT, "key \"%s\" is no time", key);
    return value;
}

static hw_code parse(char *text, size_t length, hw_trace_line *line, hw_error *why)
{
    reading r = {.why = why};
    r.code = hw_flat_parse(text, length, r.field, MOST_FIELDS, &r.n, why);
    if (r.code != HW_OK)
        return r.code;
    *line = (hw_trace_line){.graph = get_text(&r, "graph", false),
                            .hash = get_text(&r, "hash", false),
                            .accounting = get_text(&r, "accounting", false),
                            .solver = get_text(&r, "solver", false)};
    const hw_flat_field *pinned = find(&r, "pin_inputs", HW_FLAT_BOOL, false);
    line->pinned = pinned && pinned->truth;
    line->ticks = get_u64(&r, "ticks", false).value;
    line->seconds = get_seconds(&r, "seconds");
    line->best = get_u64(&r, "best", true);
    line->bound = get_u64(&r, "bound", false).value;
    line->status = get_text(&r, "status", true);
    return r.code;
}

static bool same_run(const hw_trace_line *a, const hw_trace_line *b)
{
    return !a->status && a->pinned == b->pinned && strcmp(a->hash, b->hash) == 0 &&
           strcmp(a->accounting, b->accounting) == 0 && strcmp(a->solver, b->solver) == 0;
}

static hw_code read_lines(hw_trace *t, size_t *capacity, const char *path, char *at, size_t size,
                          hw_error *err)
{
    char *end = at + size;
    bool first = true; /* of this file */
    for (uint64_t number = 1; at < end; number++) {
        char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        if (!hw_grow((void **)&t->lines, capacity, t->n_lines + 1, sizeof *t->lines))
            return hw_fail_memory(err, "a trace");
        hw_trace_line *line = &t->lines[t->n_lines];
        hw_error why = {.code = HW_OK};
        if (parse(at, length, line, &why) != HW_OK)
            return hw_fail(err, HW_BAD_INPUT,
                           "%s:%" PRIu64 ": no line of a trace (solve --trace-out): %s: %s", path,
                           number, why.message,
                           first ? "is this the right file?" : "mend or delete the line");
        t->n_runs += first || !same_run(line - 1, line);
        line->run = t->n_runs - 1;
        t->n_lines++;
        first = false;
        at += length + 1;
    }
    return HW_OK;
}

hw_code hw_trace_load(const char *const *paths, size_t n_paths, hw_trace **out, hw_error *err)
{
    hw_trace *t = HW_NEW0(hw_trace, 1);
    size_t capacity = 0;
    *out = NULL;
    if (t)
        t->texts = HW_NEW(char *, n_paths);
    if (!t || !t->texts) {
        free(t);
        return hw_fail_memory(err, "a trace");
    }
    hw_code code = HW_OK;
    for (size_t i = 0; code == HW_OK && i < n_paths; i++) {
        size_t size;
        code = hw_results_text(paths[i], &t->texts[i], &size, err);
        if (code != HW_OK)
            break;
        t->n_texts++;
        code = read_lines(t, &capacity, paths[i], t->texts[i], size, err);
    }
    if (code != HW_OK) {
        hw_trace_free(t);
        return code;
    }
    *out = t;
    return HW_OK;
}
